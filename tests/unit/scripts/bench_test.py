#!/usr/bin/env python3
"""What scripts/bench says of its results."""

import unittest

import scripts

bench = scripts.load("bench")


class Largest(unittest.TestCase):
    def test_is_named_with_its_program(self):
        programs = {name: {"ratios": {"app": {"steady_ms": ratio}}} for name, ratio in (("a", 1.5), ("b", 3.0), ("c", 2.0))}
        self.assertEqual(bench.largest_of(programs, "app", "steady_ms"), ("b", 3.0))


if __name__ == "__main__":
    unittest.main()
