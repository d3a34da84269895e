#!/usr/bin/env python3
"""What scripts/bench calls steady, on made-up iterations."""

import importlib.machinery
import importlib.util
import os
import sys
import unittest

SCRIPT = os.path.join(os.path.dirname(__file__), "../../../scripts/bench")


def load(path):
    sys.dont_write_bytecode = True
    loader = importlib.machinery.SourceFileLoader("bench", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("bench", loader))
    loader.exec_module(module)
    return module


bench = load(SCRIPT)
WARMING = [900, 700, 500, 400, 300, 250, 220]


class Steady(unittest.TestCase):
    def test_from_the_start_where_nothing_warms_up(self):
        self.assertEqual(bench.steady_from([100.0] * 20), 0)

    def test_from_where_every_five_iterations_have_the_last_ones_median(self):
        first = bench.steady_from(WARMING + [200.0] * 20)
        self.assertEqual(first, len(WARMING) - bench.WINDOW // 2)

    def test_never_before_a_later_rise(self):
        self.assertEqual(bench.steady_from([100.0] * 10 + [150.0] * 10), 8)

    def test_one_slow_iteration_is_noise(self):
        self.assertEqual(bench.steady_from([100.0] * 10 + [900.0] + [100.0] * 9), 0)

    def test_a_program_that_goes_on_getting_faster_is_steady_at_its_end_alone(self):
        self.assertGreater(bench.steady_from([1000 * 0.9**i for i in range(20)]), 10)

    def test_fewer_iterations_than_are_compared_have_one_median(self):
        self.assertEqual(bench.steady_from([300.0, 100.0, 100.0]), 0)


class SteadyEnough(unittest.TestCase):
    def test_is_a_steady_second_half(self):
        self.assertTrue(bench.is_steady([300.0] * 9 + [200.0] * 11))
        self.assertFalse(bench.is_steady([300.0] * 15 + [200.0] * 10))

    def test_is_ten_iterations_at_least(self):
        self.assertTrue(bench.is_steady([200.0] * 10))
        self.assertFalse(bench.is_steady([300.0] * 5 + [200.0] * 7))
        self.assertFalse(bench.is_steady([200.0] * 6))


class WarmUp(unittest.TestCase):
    def test_is_the_time_before_five_iterations_are_near_steady(self):
        self.assertAlmostEqual(bench.warm_up_s(WARMING + [200.0] * 20, 200.0), sum(WARMING[:5]) / 1000)

    def test_is_nothing_for_a_program_that_is_steady_at_once(self):
        self.assertEqual(bench.warm_up_s([100.0] * 8, 100.0), 0)


class Largest(unittest.TestCase):
    def test_is_named_with_its_program(self):
        programs = {name: {"ratios": {"app": {"steady_ms": ratio}}} for name, ratio in (("a", 1.5), ("b", 3.0), ("c", 2.0))}
        self.assertEqual(bench.largest_of(programs, "app", "steady_ms"), ("b", 3.0))


if __name__ == "__main__":
    unittest.main()
