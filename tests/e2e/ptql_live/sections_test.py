#!/usr/bin/env python3
"""Sections of `synchronized`: those of a program (Sections.java) that takes monitors in every way, exactly."""

from questions import M, QuestionTest  # finds the modules beside its folder

import driver
import jvm
from driver import ARGS

S = "x.methodName = 'synchronized'"
STATE = "java.lang.IllegalStateException"
OF_MAIN = {"Sections.<init>": 1, "Sections.both": 2, "Sections.loop": 4, "Sections.inHandlers;Sections.nested": 2,
           "Sections.inHandlers": 2, "Sections.inHandlers;Sections.spin": 1, "Sections.around": 1,
           "Sections.around;Sections.ofTheClass": 1, "Sections.spin": 1, "Sections.again": 1,
           "Sections.again;Sections.again": 1, "Sections.again;Sections.again;Sections.again": 1, "Sections.throwing": 1}
QUESTIONS = {
    "how many": (f"SELECT x.context, COUNT(*) FROM {M} x WHERE {S} AND x.thread.name = 'main' GROUP BY x.context",
                 [["Sections.main;" + context, count] for context, count in OF_MAIN.items()]),
    "of threads": (f"SELECT x.thread.name, COUNT(*) FROM {M} x WHERE {S} AND x.thread.name GLOB 'worker *' GROUP BY "
                   "x.thread.name", [[f"worker {t}", 1000] for t in range(4)]),
    "thrown": (f"SELECT x.context, x.thrown.type FROM {M} x WHERE {S} AND x.thrown != null",
               [["Sections.main;Sections.inHandlers;Sections.nested", STATE], ["Sections.main;Sections.throwing", STATE]]),
    "one at a time": (f"SELECT COUNT(*) FROM {M} x, {M} y WHERE {S} AND y.methodName = 'synchronized' AND x.receiver = "
                      "y.receiver AND x.thread != y.thread AND x.startTime < y.startTime AND y.startTime < x.endTime", [[0]]),
    "inside the method": (f"SELECT COUNT(*) FROM {M} x, {M} m WHERE {S} AND m.methodName = 'both' AND x.thread = m.thread AND "
                          "m.startTime < x.startTime AND x.endTime < m.endTime AND x.receiver = m.receiver", [[2001]]),
    "held around": (f"SELECT x.context FROM {M} x, {M} m WHERE {S} AND m.methodName = 'both' AND x.param0 = m.receiver AND "
                    "x.thread = m.thread AND x.thread.name = 'main'", [["Sections.main;Sections.both"]]),
    "of the class": (f"SELECT x.context FROM {M} x, {M} y WHERE {S} AND y.methodName = 'synchronized' AND x.receiver = "
                     "y.receiver AND y.context GLOB '**throwing' AND x.startTime < y.startTime",
                     [["Sections.main;Sections.around;Sections.ofTheClass"]]),
}
TEXTS = [query for query, _ in QUESTIONS.values()]


class Sections(QuestionTest):
    def test_they_are_those_of_the_program(self):
        for home in ARGS.homes:
            with self.subTest(home):
                java = driver.java_command("Sections", jvm_options=["-Xverify:all"], home=home)
                alone = jvm.run(java)
                outcome = self.ask(*TEXTS, "--", *java)
                self.assertEqual((outcome.status, outcome.stdout), (0, alone.stdout), outcome)
                self.assertNotIn("without events", outcome.stderr)
                self.check_answers(QUESTIONS)

    def test_a_recording_has_those_that_a_glob_names(self):
        recorded = self.done("record", "--values", "Sections", "--values", "**.synchronized", "-o", "run.values", "--",
                             *driver.java_command("Sections"))
        self.assertNotIn("matched nothing", recorded.stderr)
        outcome = self.ask(*TEXTS, "run.values")
        self.assertEqual(outcome.status, 0, outcome)
        self.check_answers(QUESTIONS)
        self.done("record", "--values", "Sections", "-o", "without.values", "--", *driver.java_command("Sections"))
        outcome = self.ask(TEXTS[0], "without.values")
        self.assertIn("the recording has what Sections matches, but x asks for more", outcome.stderr)

    def test_a_stack_that_overflows_gives_its_monitors_back(self):
        for mode in ("-Xint", "-Xmixed"):
            with self.subTest(mode):
                java = driver.java_command("Sections", "overflow", jvm_options=[mode])
                outcome = self.ask("--frames", "0", f"SELECT COUNT(*) FROM {M} x WHERE {S}", "--", *java)
                self.assertEqual((outcome.status, outcome.stdout), (0, jvm.run(java).stdout), outcome)
                self.assertIn("given back", outcome.stdout)

    def test_who_does_not_ask_by_name_has_none(self):
        for predicate in ("x.implementingClass = 'Sections'", "x.methodName =~ 's.*'", "x.methodName != 'main'"):
            outcome = self.copse("ptql", f"SELECT x.methodName FROM {M} x WHERE {predicate}", "--",
                                 *driver.java_command("Sections"))
            self.assertNotIn("synchronized", outcome.stderr)

    def test_explain_lists_the_classes_that_have_them(self):
        query = f"SELECT x.context FROM {M} x WHERE {S}"
        outcome = self.done("ptql", "--explain", query, ARGS.classes)
        self.assertRegex(outcome.stdout, r"\nMethods that get probes: 3 of \d+ methods in \d+ classes\n"
                                         r"  Blocks\.synchronized  x\n  Facts\.synchronized  x\n  Sections\.synchronized  x\n\Z")


BLOCKS = "public class Blocks { int hold(Object lock) { synchronized (lock) { return 1; } } }"
driver.main("copse", sources=["Sections.java", "Facts.java", BLOCKS], jdks=True)
