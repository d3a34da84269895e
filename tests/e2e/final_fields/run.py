#!/usr/bin/env python3
"""The final field that the context word is in, where compilers may trust final fields: the agent tries it with compiled
code before the program starts."""

import re
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS  # noqa: E402

STEPS = """
public class Steps {
    static int step(int n) { return n + 1; }
    public static void main(String[] args) {
        int sum = 0;
        for (int i = 0; i < 100_000; i++) sum = step(sum);
        System.out.println(sum);
    }
}
"""
TRUSTED = ("-XX:+UnlockExperimentalVMOptions", "-XX:+TrustFinalNonStaticFields")
C2 = 4  # lower levels are C1's
TRIAL = re.compile(r" ([1-4]) +java\.lang\.CopseWord::isKept ")


class FinalFields(driver.CommandLineTest):
    def levels_tried(self, home, *options):
        """Levels of compilers that compiled the trial. The program's calls are all counted."""
        command = driver.java_command("Steps", home=home, jvm_options=(*options, "-Xbatch", "-XX:+PrintCompilation"))
        outcome = jvm.run(driver.with_agent(command, f"out={self.report},quiet,measure=calls"), cwd=self.folder)
        self.assertEqual(outcome.status, 0, outcome.stderr)
        self.assertEqual(self.calls("step"), 100_000)
        return {int(level) for level in TRIAL.findall(outcome.stdout)}

    def test_are_tried_by_each_compiler_where_they_may_be_trusted(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                levels = self.levels_tried(home, *TRUSTED)
                self.assertTrue(C2 in levels and levels > {C2}, levels)
                self.assertEqual(self.levels_tried(home, *TRUSTED, "-XX:TieredStopAtLevel=1"), {1})

    def test_are_not_tried_in_jvms_that_do_not_trust_them(self):
        for home in ARGS.homes:
            if jvm.feature_version(home) <= 25:
                self.assertEqual(self.levels_tried(home), set())


driver.main("agent", sources=[STEPS], jdks=True)
