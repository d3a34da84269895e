#!/usr/bin/env python3
"""What scripts/peers makes of runs, on made-up ones."""

import sys
import unittest

import scripts

peers = scripts.load("peers")
peer_rows, peer_table = sys.modules["peer_rows"], sys.modules["peer_table"]


def run(*iterations_ms, process_s=10.0, ended_early="", is_late=False):
    return {"iterations_ms": list(iterations_ms), "process_s": process_s, "cpu_s": process_s, "peak_mib": 100.0,
            "ended_early": ended_early, "is_late": is_late}


def late(*iterations_ms, process_s=60.0):
    return run(*iterations_ms, process_s=process_s, ended_early="ended by us", is_late=True)


class Figures(unittest.TestCase):
    def test_of_a_whole_run_are_times_the_bare_run_of_the_same_round(self):
        found = peer_table.figures([run(30, 30, process_s=6), run(90, 90, process_s=6)], [run(10, 10, process_s=2), run(10, 10, process_s=3)])
        self.assertEqual((found["steady_x"], found["same_work_x"], found["process_x"]), (6.0, 6.0, 2.5))

    def test_of_steady_iterations_are_those_of_the_later_half(self):
        found = peer_table.figures([run(900, 100, 30, 30)], [run(90, 10, 10, 10)])
        self.assertEqual((found["ms"], found["steady_x"]), (30, 3.0))

    def test_of_fewer_iterations_are_compared_with_as_many_of_the_bare_run(self):
        for partial in (late(300), run(300)):
            found = peer_table.figures([partial], [run(100, 10, 10)])
            self.assertEqual((found["iterations"], found["same_work_x"]), (1, 3.0))
            self.assertFalse({"steady_x", "process_x", "cpu_x"} & set(found))

    def test_of_a_run_that_ended_no_iteration_are_a_lower_bound(self):
        found = peer_table.figures([late(process_s=60)], [run(2000, 500, 500, process_s=4)])
        self.assertEqual(found["at_least_x"], 20.0)
        self.assertEqual(peer_table.same_work(found).strip(), ">20.0")

    def test_of_rounds_are_medians(self):
        found = peer_table.figures([run(20), run(90), run(30)], [run(10), run(10), run(10)])
        self.assertEqual((found["ms"], found["steady_x"]), (30, 3.0))

    def test_of_a_run_that_failed_are_none(self):
        found = peer_table.figures([run(ended_early="exit status 1: no")], [run(10, 10)])
        self.assertEqual(found, {"iterations": 0, "peak_mib": 100.0})
        self.assertEqual(peer_table.same_work(found).strip(), "-")

    def test_say_nothing_of_the_whole_where_one_round_was_late(self):
        self.assertNotIn("steady_x", peer_table.figures([run(20, 20), late(20, 20)], [run(10, 10), run(10, 10)]))


class Means(unittest.TestCase):
    def test_leave_the_loop_out_and_count_the_programs_that_have_the_measure(self):
        means = peer_table.geometric_means({
            "a": {"figures": {"tree": {"same_work_x": 2.0, "steady_x": 3.0}}},
            "b": {"figures": {"tree": {"same_work_x": 8.0}}},
            peer_table.LOOP: {"figures": {"tree": {"same_work_x": 1000.0}}},
        })["tree"]
        self.assertAlmostEqual(means["same_work_x"]["mean"], 4.0)
        self.assertEqual((means["same_work_x"]["programs"], means["steady_x"]["programs"]), (2, 1))
        self.assertNotIn("cpu_x", means)


class Difference(unittest.TestCase):
    def test_is_told_by_method_the_largest_first(self):
        found = peer_table.difference({"a": 5, "b": 7, "c": 1}, {"a": 5, "b": 4, "d": 10})
        self.assertEqual(found, {"methods": 3, "calls": 14, "largest": {"d": -10, "b": 3, "c": 1}})

    def test_of_equal_counts_is_nothing(self):
        self.assertEqual(peer_table.difference({"a": 5}, {"a": 5})["methods"], 0)

    def test_is_not_taken_from_runs_of_other_lengths(self):
        ours = {"run": run(1, 2), "calls": {"a": 2}}
        short, like = run(1), run(3, 4)
        peers.add_calls(short, {"a": 1}, ours)
        peers.add_calls(like, {"a": 1}, ours)
        self.assertEqual((short["calls"], "from_copse" in short), (1, False))
        self.assertEqual(like["from_copse"]["calls"], 1)


class Rows(unittest.TestCase):
    def test_that_cannot_run_are_left_out_with_the_reason(self):
        rows, left_out = peer_rows.available(peer_rows.ROWS, {"asm": False, "reference": True, "25": False})
        self.assertEqual({row.name for row in peer_rows.ROWS} - {row.name for row in rows}, set(left_out))
        self.assertEqual(set(left_out), {"flat-racy", "flat-exact", "bare-25", "copse-25", "method-timing-25"})
        self.assertIn("libasm-java", left_out["flat-exact"])
        self.assertIn("JDK 25", left_out["method-timing-25"])

    def test_that_are_chosen_come_with_what_they_are_compared_with(self):
        self.assertEqual([row.name for row in peers.chosen(["method-timing-25"])], ["bare", "copse", "bare-25", "method-timing-25"])
        self.assertEqual(peers.chosen(None), peer_rows.ROWS)

    def test_each_stands_behind_the_bare_run_of_its_jdk_and_behind_copse(self):
        names = [row.name for row in peer_rows.ROWS]
        for row in peer_rows.ROWS:
            self.assertLessEqual(names.index(peer_rows.bare_of(row)), names.index(row.name))
        self.assertEqual(names[:2], [peer_rows.BARE, peer_rows.COPSE])


class Classes(unittest.TestCase):
    def test_are_those_of_methods(self):
        self.assertEqual(peer_rows.classes_of({"a.B$C.f(Lx/Y;)V": 1, "a.B$C.<init>()V": 2, "T.main([Ljava/lang/String;)V": 3}), ("T", "a.B$C"))


class MethodTiming(unittest.TestCase):
    def event(self, time, name, invocations, descriptor="()V"):
        method = {"type": {"name": "pkg/Outer$Inner"}, "name": name, "descriptor": descriptor}
        return {"values": {"startTime": time, "method": method, "invocations": invocations}}

    def test_counts_are_those_of_the_last_chunk(self):
        events = [self.event("10:00", "a", 5), self.event("10:01", "a", 8), self.event("10:01", "b", 0)]
        self.assertEqual(peer_rows.timed_calls(events), {"pkg.Outer$Inner.a()V": 8})

    def test_methods_of_one_name_in_two_loaders_count_together(self):
        self.assertEqual(peer_rows.timed_calls([self.event("1", "a", 5), self.event("1", "a", 6)]), {"pkg.Outer$Inner.a()V": 11})

    def test_no_event_is_no_call(self):
        self.assertEqual(peer_rows.timed_calls([]), {})

    def test_filter_names_every_class(self):
        self.assertIn(">a.B;a.B$C&lt;<", peer_rows.timing_settings(["a.B", "a.B$C<"]))


class Table(unittest.TestCase):
    def setUp(self):
        runs = {"bare": [run(10, 10)], "copse": [run(20, 20)], "flat-racy": [run(10, 10)], "jvmti-tree": [late()]}
        runs["copse"][0]["calls"] = 50
        peers.add_calls(runs["flat-racy"][0], {"a": 48}, {"run": runs["copse"][0], "calls": {"a": 50}})
        program = {"is_steady": True, "runs": runs, "figures": {name: peer_table.figures(of, runs["bare"]) for name, of in runs.items()}}
        self.data = {"command": "scripts/peers", "when": "today", "machine": "here", "java": {"": "17"}, "rows": list(runs),
                     "left_out": {"bare-25": "no JDK 25"}, "calls": 1000, "method_time_ns": 0, "programs": {"h2": program, "nested": program}}
        self.data["geometric_means"] = peer_table.geometric_means(self.data["programs"])
        self.lines = peer_table.format_text(self.data).splitlines()

    def line(self, *words):
        return next(line for line in self.lines if line.split()[:len(words)] == list(words))

    def test_has_a_line_for_each_row_that_is_left_out(self):
        self.assertEqual(self.line("bare-25").split(maxsplit=1)[1], "left out: no JDK 25")

    def test_tells_which_counts_are_not_those_of_copse(self):
        self.assertTrue(self.line("flat-racy", "2").endswith("48  1 methods differ by 2"))

    def test_says_why_a_row_has_no_figures(self):
        self.assertTrue(self.line("jvmti-tree", "0").endswith("ended by us"))

    def test_of_means_shows_none_for_a_row_that_has_none(self):
        self.assertIn("jvmti-tree         -", self.lines)
        self.assertTrue(self.line("copse", "steady").startswith("copse              steady 2.00  same work 2.00"))

    def test_of_the_loop_shares_what_a_call_costs_among_the_nested_ones(self):
        self.assertEqual(self.line("copse", "20000.0"), "copse                 20000.0                 1000.00")


class EndedEarly(unittest.TestCase):
    def test_is_told_in_a_line(self):
        outcome = peers.measuring.Outcome
        self.assertEqual(peers.why_not_ended(outcome(0, "", "", {}), 60), "")
        self.assertEqual(peers.why_not_ended(outcome(-9, "", "", {}, True), 60), "ended by us after 60 s")
        self.assertEqual(peers.why_not_ended(outcome(1, "", "Error\nbad option\n", {}), 60), "exit status 1: bad option")
        self.assertEqual(peers.why_not_ended(outcome(1, "", "", {}), 60), "exit status 1: no message")


if __name__ == "__main__":
    unittest.main()
