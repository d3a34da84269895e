#!/usr/bin/env python3
"""Copse comes to a JVM and finds no memory, at each place where it asks for some: it goes again and takes its probes with
it, or records without a fault. The next attach records as if nothing had been."""

import os
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
from attaching import AttachTest, calls_of_steps  # noqa: E402
from driver import ARGS  # noqa: E402

MOST_MAPPINGS = 200


class NoMemory(AttachTest):
    def attached(self, program, mapping):
        """(status, what it says, whether the mapping was asked for) of an attach whose mapping fails."""
        refuse = self.folder / "refuse"
        refuse.write_text(str(mapping))
        outcome = self.copse("attach", "-o", "short.json", *self.options, program.pid)
        is_asked = not refuse.exists()
        refuse.unlink(missing_ok=True)
        return outcome.status, outcome.stderr, is_asked

    def test_an_attach_that_finds_no_memory_leaves_no_probes(self):
        for home in ARGS.homes:
            for options in ((), ("--engine", "parallel"), ("--measure", "calls,cpu,wall,alloc,locks")):
                if options[:1] == ("--engine",) and home != ARGS.homes[-1]:
                    continue  # a JVM of its own for each mapping
                with self.subTest(home=home, options=options):
                    self.options = options
                    self.refusals(home)

    def refusable(self, home):
        os.environ |= {"LD_PRELOAD": ARGS.preload, "COPSE_TEST_REFUSE": str(self.folder / "refuse")}
        try:
            return self.program(home, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
        finally:
            del os.environ["LD_PRELOAD"], os.environ["COPSE_TEST_REFUSE"]

    def refusals(self, home):
        program = self.refusable(home)
        taken_out = 0
        for mapping in range(1, MOST_MAPPINGS):
            status, said, is_asked = self.attached(program, mapping)
            program.ask("steps 10")
            if status == 0:
                self.done("detach", program.pid)
                if not is_asked:
                    break
            else:
                self.assertTrue(is_asked, said)
                self.assertEqual(self.copse("detach", program.pid).status, 1, "nothing is recorded")
                taken_out += "nothing is recorded, and probes are out of 1 class\n" in said
            if "--engine" in self.options:  # records once in a JVM
                program.close()
                program = self.refusable(home)
        if "--engine" in self.options:
            program = self.refusable(home)
        else:
            self.assertGreater(taken_out, 0, "no mapping is asked for when classes have their probes")
        self.done("attach", "-o", "whole.json", *self.options, program.pid)
        program.ask("steps 1000")
        self.done("detach", program.pid)
        report = self.load("whole.json")
        self.assert_calls(report, calls_of_steps(1000))
        self.assertEqual(report["totals"]["calls_lost"], 0)
        self.assertEqual(program.end()[0], 0)


driver.main("copse", "preload", sources=["Rounds.java"])
