#!/usr/bin/env python3
"""What scripts call steady, on made-up iterations, and how they run a process."""

import unittest

import scripts

measuring = scripts.load("measuring.py")
WARMING = [900, 700, 500, 400, 300, 250, 220]


class Steady(unittest.TestCase):
    def test_from_the_start_where_nothing_warms_up(self):
        self.assertEqual(measuring.steady_from([100.0] * 20), 0)

    def test_from_where_every_five_iterations_have_the_last_ones_median(self):
        first = measuring.steady_from(WARMING + [200.0] * 20)
        self.assertEqual(first, len(WARMING) - measuring.WINDOW // 2)

    def test_never_before_a_later_rise(self):
        self.assertEqual(measuring.steady_from([100.0] * 10 + [150.0] * 10), 8)

    def test_one_slow_iteration_is_noise(self):
        self.assertEqual(measuring.steady_from([100.0] * 10 + [900.0] + [100.0] * 9), 0)

    def test_a_program_that_goes_on_getting_faster_is_steady_at_its_end_alone(self):
        self.assertGreater(measuring.steady_from([1000 * 0.9**i for i in range(20)]), 10)

    def test_fewer_iterations_than_are_compared_have_one_median(self):
        self.assertEqual(measuring.steady_from([300.0, 100.0, 100.0]), 0)


class SteadyEnough(unittest.TestCase):
    def test_is_a_steady_second_half(self):
        self.assertTrue(measuring.is_steady([300.0] * 9 + [200.0] * 11))
        self.assertFalse(measuring.is_steady([300.0] * 15 + [200.0] * 10))

    def test_is_ten_iterations_at_least(self):
        self.assertTrue(measuring.is_steady([200.0] * 10))
        self.assertFalse(measuring.is_steady([300.0] * 5 + [200.0] * 7))
        self.assertFalse(measuring.is_steady([200.0] * 6))


class WarmUp(unittest.TestCase):
    def test_is_the_time_before_five_iterations_are_near_steady(self):
        self.assertAlmostEqual(measuring.warm_up_s(WARMING + [200.0] * 20, 200.0), sum(WARMING[:5]) / 1000)

    def test_is_nothing_for_a_program_that_is_steady_at_once(self):
        self.assertEqual(measuring.warm_up_s([100.0] * 8, 100.0), 0)


class Process(unittest.TestCase):
    def test_what_it_printed_and_took(self):
        done = measuring.run_to_end(["sh", "-c", "echo $SAID; echo no >&2; exit 3"], {"SAID": "yes"})
        self.assertEqual((done.status, done.text, done.errors, done.too_late), (3, "yes\n", "no\n", False))
        self.assertGreater(done.usage["peak_mib"], 0)

    def test_has_its_own_peak_memory_however_large_the_script(self):
        large = b"1" * (100 << 20)
        self.assertLess(measuring.run_to_end(["true"]).usage["peak_mib"], 50)
        self.assertEqual(len(large), 100 << 20)

    def test_is_ended_at_its_limit_and_what_it_printed_is_kept(self):
        for limit_s in (1, 8, 64):  # until the program comes as far as to print
            done = measuring.run_to_end(["sh", "-c", "echo begun; exec sleep 1000"], limit_s=limit_s)
            if done.text:
                break
        self.assertTrue(done.too_late)
        self.assertEqual(done.text, "begun\n")
        self.assertLess(done.usage["process_s"], 1000)

    def test_tells_each_iteration(self):
        self.assertEqual(measuring.iterations_of("h2 iteration 1: 20 ms\nh2 iteration 2: 1.5 ms\nh2 result: 7\n"), [20, 1.5])


if __name__ == "__main__":
    unittest.main()
