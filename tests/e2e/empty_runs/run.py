#!/usr/bin/env python3
"""Nothing that was asked for is missing in silence: globs that matched nothing, runs without a call or an event,
commands without a JVM, programs that are not there."""

import os
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS  # noqa: E402

PROGRAMS = ["""
package com.acme;
public class Main {
    interface Shape { int area(); }
    static class Square implements Shape { public int area() { return 4; } }
    static int step(int n) { return n + 1; }
    static int never(int n) { return n - 1; }
    public static void main(String[] args) throws Exception {
        int sum = new Square().area();
        if (args.length > 0) { System.out.println("ready"); System.out.flush(); System.in.read(); }
        for (int i = 0; i < 100; i++) sum = step(sum);
        System.out.println("sum " + sum);
    }
}
""", """
package com.acme;
public class Other { public static void main(String[] args) { new java.util.ArrayList<String>().add("x"); } }
""", """
package com.acme;
public class Asks { public static void main(String[] args) { System.out.println(copse.Context.id() != 0); } }
"""]
NOTHING = "nothing was recorded: "


class EmptyRuns(driver.CommandLineTest):
    def java(self, main="com.acme.Main", home=None):
        return driver.java_command(main, home=home)

    def notes(self, name="r.json"):
        return self.load(name)["notes"]

    def doubts_of(self, options, *java):
        """Doubts that a run prints beside its figures and advice; its report's notes have them too."""
        outcome = self.done("ids" if "--encoder" in options else "run", "-o", "r.json", *options, "--", *(java or self.java()))
        advice = ("to look at it", "to read ids")
        said = [line[len("copse: "):] for line in outcome.stderr.splitlines() if line.startswith("copse: ")]
        doubts = [line for line in said[1:] if not line.startswith(advice)]
        for doubt in doubts:
            self.assertIn(doubt, self.notes())
        return doubts

    def test_each_glob_that_matched_nothing_is_named_with_what_would_have(self):
        meant = [
            ("--include", "com.acme.main", "--include com.acme.Main"),
            ("--include", "com/acme/Main", "--include com.acme.Main"),
            ("--include", "com.acme", "--include 'com.acme.**'"),
            ("--include", "com.*", "--include 'com.**'"),
            ("--include", "Mian", "--include Main"),
            ("--include", "com.acme.Main#step", "--include com.acme.Main.step"),
            ("--include", "com.acme.Main.stpe", "--include com.acme.Main.step"),
            ("--include", "com.acme.Main.Square", "--include 'com.acme.Main$Square'"),
            ("--include", "com.amce.**", "--include 'com.acme.**'"),
            ("--exclude", "com/acme/**", "--exclude 'com.acme.**'"),
        ]
        for home in ARGS.homes:
            for option, typed, other in meant:
                with self.subTest(home=home, typed=typed):
                    doubts = self.doubts_of([option, typed], *self.java(home=home))
                    self.assertEqual(len(doubts), 1, doubts)
                    self.assertTrue(doubts[0].startswith(f"{option} "), doubts)
                    self.assertTrue(doubts[0].endswith(f"; did you mean {other}?"), doubts)

    def test_one_of_several_globs_is_named_by_itself(self):
        doubts = self.doubts_of(["--include", "com.acme.Main.step", "--include", "com.acme.Main.nix", "--include",
                                 "com.acme.Main.main"])
        self.assertEqual(doubts, ["--include com.acme.Main.nix: matched nothing; com.acme.Main has no method nix"])
        self.assertEqual(self.doubts_of(["--include", "com.acme.**", "--exclude", "com.acme.Main.step"]), [])

    def test_what_keeps_a_class_from_being_recorded_is_said(self):
        self.assertEqual(self.doubts_of(["--include", "java.util.ArrayList"], *self.java("com.acme.Other")),
                         ["--include java.util.ArrayList: matched nothing; java.util.ArrayList is the JDK's own, which is "
                          "recorded with --jdk"])
        self.assertEqual(self.doubts_of(["--jdk", "--include", "java.util.ArrayList"], *self.java("com.acme.Other")), [])
        self.assertEqual(self.doubts_of(["--exclude", "**"]), [NOTHING + "--exclude leaves nothing of what was loaded"])
        self.assertEqual(self.doubts_of(["--include", "com.acme.Main", "--exclude", "com.**"])[0],
                         "--include com.acme.Main: matched nothing; com.acme.Main is left out by the other globs")

    def test_a_run_without_calls_says_why(self):
        self.assertEqual(self.doubts_of(["--include", "com.acme.Main.never"]),
                         [NOTHING + "no method that is recorded was called"])
        self.assertEqual(self.doubts_of([], self.java()[0], "-version"),
                         [NOTHING + "no class of the program's own was loaded, and the JDK's are recorded with --jdk alone"])
        self.assertEqual(self.doubts_of([]), [])

    def test_an_encoder_without_events_says_why(self):
        ids = ["--encoder", "segment"]
        self.assertEqual(self.doubts_of(ids), [NOTHING + "ids count nothing by themselves; add --mark or --measure, "
                                               "or ask for copse.Context.id() in the program"])
        self.assertEqual(self.doubts_of(ids, *self.java("com.acme.Asks")), [])
        self.assertEqual(self.doubts_of([*ids, "--mark", "com.acme.Main.step"]), [])
        self.assertEqual(self.doubts_of([*ids, "--mark", "com.acme.Main.never"]),
                         [NOTHING + "no marked method was entered"])
        self.assertEqual(self.doubts_of([*ids, "--measure", "exceptions", "--include", "com.acme.**"]),
                         [NOTHING + "nothing that was to be measured happened: exceptions"])
        self.assertEqual(self.doubts_of([*ids, "--mark", "com.acme.Main.step", "--mark", "com.acme.Main.setp"]),
                         ["--mark com.acme.Main.setp: matched no method; com.acme.Main has no method setp; did you mean "
                          "--mark com.acme.Main.step?"])
        self.assertEqual(self.doubts_of([*ids, "--mark", "com.acme.Main$Shape.area"]),
                         ["--mark 'com.acme.Main$Shape.area': matched no method; com.acme.Main$Shape.area has no code of its "
                          "own that could be recorded"])
        self.assertEqual(self.doubts_of([*ids, "--include", "com.acme.Main.main", "--mark", "com.acme.Main.step"]),
                         ["--mark com.acme.Main.step: matched no method; com.acme.Main.step is left out by the other globs"])

    def test_an_agent_alone_says_it_on_standard_error_in_its_own_words(self):
        outcome = jvm.run(driver.with_agent(self.java(), f"out={self.folder}/r.json,include=com.acme"))
        self.assertIn("include=com.acme.**?\n", outcome.stderr)
        self.assertIn("option include=com.acme: matched nothing; did you mean include=com.acme.**?", self.notes())
        outcome = jvm.run(driver.with_agent(self.java(), f"out={self.folder}/r.json,mode=ids,encoder=pcc"))
        self.assertIn("copse: nothing was recorded: ", outcome.stderr)

    def test_a_recorded_trace_knows_it_too(self):
        outcome = self.copse("record", "-o", "r.trace", "--include", "com.acme", "--", *self.java())
        self.assertIn("--include 'com.acme.**'?\n", outcome.stderr)
        self.done("replay", "r.trace")
        self.assertIn("--include com.acme: matched nothing; did you mean --include 'com.acme.**'?", self.notes())

    def test_detach_says_it(self):
        for home in ARGS.homes:
            pid = self.start([*self.java(home=home), "wait"], "ready").pid
            attached = self.done("attach", "-o", "r.json", "--include", "com/acme/**", pid)
            self.assertIn("--include 'com.acme.**'?\n", attached.stderr)
            detached = self.copse("detach", "--fail-if-empty", pid)
            self.assertEqual(detached.status, 1)
            self.assertIn("--include 'com.acme.**'?\n", detached.stderr)
            self.done("attach", "-o", "r.json", pid)
            detached = self.done("detach", pid)
            self.assertIn(NOTHING + "no method that is recorded was called between attach and detach", detached.stderr)

    def test_of_several_jvms_what_one_matches_is_no_mistake(self):
        main, other, version = (" ".join(words) for words in (self.java(), self.java("com.acme.Other"),
                                                              [self.java()[0], "-version"]))
        outcome = self.copse("run", "-o", "r.json", "--include", "com.acme.Main", "--include", "com.acme.Nix", "--", "sh", "-c",
                             f"{main}; {other}; {version}")
        said = [line for line in outcome.stderr.splitlines() if "matched nothing" in line]
        self.assertEqual(len(said), 1, outcome.stderr)
        self.assertTrue(said[0].startswith("copse: --include com.acme.Nix: "), said)
        self.assertNotIn(NOTHING, outcome.stderr)

    def test_quiet_is_quiet(self):
        outcome = self.copse("run", "-q", "-o", "r.json", "--include", "com.acme", "--", *self.java())
        self.assertEqual((outcome.status, outcome.stderr), (0, ""))
        self.assertTrue(any("matched nothing" in note for note in self.notes()))

    def test_a_command_without_a_jvm_says_so_in_one_line(self):
        for command in (["sh", "-c", "exit 0"], ["env", "-i", *self.java()]):
            outcome = self.copse("run", "-o", "r.json", "--", *command)
            self.assert_one_line(outcome, 0, "env -i", f"-agentpath:{ARGS.agent}=out=FILE")
            self.assertFalse(os.path.exists(self.path("r.json")))
        outcome = self.copse("run", "--", self.java()[0], "-XX:+NoSuchFlag", "Main")
        self.assertEqual(outcome.status, 1)
        self.assertRegex(outcome.stderr.splitlines()[-1], r"^copse: .*\bJVM\b")

    def test_nothing_recorded_is_a_failure_when_asked_for(self):
        empty = ["--fail-if-empty", "--include", "x.Y"]
        self.assertEqual(self.copse("run", *empty, "--", *self.java()).status, 1)
        self.assertEqual(self.copse("record", *empty, "--", *self.java()).status, 1)
        self.assertEqual(self.copse("ids", "--fail-if-empty", "--", *self.java()).status, 1)
        self.assertEqual(self.copse("run", "--fail-if-empty", "--", "true").status, 1)
        self.assert_one_line(self.copse("run", "--fail-if-empty", "-q", "--", "true"), 1, "--fail-if-empty")
        marked = ["--encoder", "segment", "--event-file", "e.events", "--mark"]
        self.assertEqual(self.copse("ids", "--fail-if-empty", *marked, "x.Y", "--", *self.java()).status, 1)
        self.done("ids", "--fail-if-empty", *marked, "com.acme.Main.step", "--", *self.java())
        # The command's own failure says more.
        self.assertEqual(self.copse("run", "--fail-if-empty", "--", "sh", "-c", "exit 7").status, 7)
        for good in (["run"], ["record"], ["ids", "--encoder", "pcc", "--mark", "com.acme.Main.step"]):
            self.done(*good, "--fail-if-empty", "--", *self.java())

    def test_a_program_that_cannot_be_started_has_the_status_of_a_shell(self):
        script = self.folder / "script"
        script.write_text("#!/bin/sh\n")
        for command in ("run", "record", "validate"):
            self.assert_one_line(self.copse(command, "--", "no-such-command"), 127, "no-such-command")
            self.assert_one_line(self.copse(command, "--", script), 126, "script")
        self.assert_one_line(self.copse("compare", "--", "no-such-command"), 1, "no-such-command")


driver.main("agent", "copse", "context-jar", sources=PROGRAMS)
