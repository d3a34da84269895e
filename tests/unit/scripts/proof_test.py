#!/usr/bin/env python3
"""What scripts/proof makes of ctest's log, on a made-up one."""

import collections
import unittest

import scripts

proof = scripts.load("proof")


def part(name, *lines, result="Passed"):
    return "\n".join([f"1/9 Testing: {name}", f'"{name}" start time: now', "Output:", *lines, "<end of output>",
                      f"Test {result}.", ""])


class Sums(unittest.TestCase):
    def test_add_up_what_tests_checked(self):
        amounts, _, tests, not_passed = proof.sums_of(part("exactness.A", "checked: 1,200 calls", "all well") +
                                                   part("exactness.B", "locals: checked: 34 calls", "checked: 5 ids"))
        self.assertEqual((dict(amounts), not_passed), ({"calls": 1234, "ids": 5}, []))
        self.assertEqual(tests["calls"], ["exactness.A", "exactness.B"])
        self.assertEqual(proof.tests_text(tests["calls"]), "`exactness` (2)")

    def test_have_what_was_not_answered(self):
        _, unanswered, tests, _ = proof.sums_of(part("a", "unanswered: 1,002 ids") + part("b", "unanswered: 3 ids"))
        self.assertEqual((unanswered, dict(tests)), ({"ids": 1005}, {}))

    def test_leave_out_what_did_not_pass(self):
        amounts, _, _, not_passed = proof.sums_of(part("a", "checked: 7 calls", result="Failed") + part("b",
                                                                      "skipped: no JDK", result="Failed") +
                                               "3/9 Testing: c\nOutput:\nchecked: 8 calls\n")
        self.assertEqual((dict(amounts), not_passed), ({}, ["a: failed", "b: skipped", "c: no end"]))

    def test_take_tests_that_are_judged_by_their_output(self):
        amounts, _, _, not_passed = proof.sums_of(part("a", "checked: 7 calls", result="Pass Reason:\nRequired regular expression found") +
                                               part("b", "checked: 8 calls", result="Fail Reason:\nRequired regular expression not found"))
        self.assertEqual((dict(amounts), not_passed), ({"calls": 7}, ["b: fail reason"]))

    def test_count_a_test_that_ran_twice_once(self):
        amounts, _, _, not_passed = proof.sums_of(part("a", "checked: 1 calls", result="Failed") + part("a",
                                                                      "checked: 2 calls"))
        self.assertEqual((dict(amounts), not_passed), ({"calls": 2}, []))

    def test_are_of_known_kinds_and_of_all(self):
        amounts = collections.Counter(dict.fromkeys(proof.KINDS, 1))
        self.assertEqual(proof.kinds_without_check_or_oracle(amounts), [])
        first, *_ = proof.KINDS
        del amounts[first]
        amounts["guesses"] = 3
        self.assertEqual([line.split(": ")[0] for line in proof.kinds_without_check_or_oracle(amounts)], [first, "guesses"])

    def test_stand_on_a_page_with_their_oracles(self):
        about = {"when": "2026-01-02", "commit": "abc", "machine": "2 cores", "jdks": "JDK 17"}
        amounts = {what: 1000 * (i + 1) for i, what in enumerate(proof.KINDS)}
        last = list(proof.KINDS)[-1]
        text = proof.page(amounts, {last: 12}, dict.fromkeys(proof.KINDS, ["exactness.A"]), 170, about)
        self.assertIn("2026-01-02, build of commit abc, 2 cores; JDK 17. All 170 tests of that run passed;", text)
        for what, oracle in proof.KINDS.items():
            lost = "12" if what == last else ""
            self.assertIn(f"| {amounts[what]:,} | {what} | {lost} | {oracle} | `exactness` |", text)
        self.assertNotIn("answered", proof.page(amounts, {}, dict.fromkeys(proof.KINDS, ["a"]), 170, about))


if __name__ == "__main__":
    unittest.main()
