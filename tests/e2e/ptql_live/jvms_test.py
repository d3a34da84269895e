#!/usr/bin/env python3
"""Relational queries and what the JVM does: another agent redefines the classes (Redefined.java), objects end by each
collector that a JDK has (Ends.java), compilers replace methods (Replaced.java)."""

import functools
import json
import os
import shutil
import subprocess

from questions import M, O, QuestionTest, sole  # finds the modules beside its folder

import driver
import jvm
from driver import ARGS

# Questions about the changes that Redefined.java makes to Body.java.
NESTED = (f"SELECT x.param0, y.param0 FROM {M} x, {M} y WHERE x.methodName = '<init>' AND x.implementingClass = 'Body' "
          "AND y.methodName = '%s' AND x.thread = y.thread AND x.startTime < y.startTime AND y.endTime < x.endTime")
REDEFINED = {
    "the results of each body": (sole("value", ("param0", "result")),
                                 [[0, 1000000], [1, 1000001], [2, 2000002], [3, 2000003], [4, 2000004], [7, 1000007],
                                  [30, 3000030], [31, 1000031]]),
    "a frame of an old body": (sole("across", ("param0", "result")), [[3, 12000003]]),
    "objects of an old body": (sole("on", ("param0", "result")), [[10, 1000011], [20, 1000024], [21, 2000026]]),
    "receivers": (f"SELECT x.param0, y.param0 FROM {M} x, {M} y WHERE x.methodName = '<init>' AND x.implementingClass = "
                  "'Body' AND y.methodName = 'on' AND x.receiver = y.receiver", [[1, 10], [4, 20], [5, 21]]),
    "a constructor that goes on": (NESTED % "value", [[1, 1], [4, 4]]),
    "a constructor before super()": (NESTED % "during", [[1, 1], [4, 4], [5, 5], [6, 6]]),
    "a constructor that threw": (f"SELECT y.param0 FROM {M} x, {M} y WHERE x.methodName = '<init>' AND x.param0 = 6 AND "
                                 "x.implementingClass = 'Body' AND y.methodName = 'value' AND x.endTime < y.startTime",
                                 [[7], [30], [31]]),
    "calls of all bodies": (f"SELECT x.thread.name, COUNT(*) FROM {M} x WHERE x.methodName = 'hot' AND x.result > 0 GROUP "
                            "BY x.thread.name", [["busy", 20000]]),
}
COLLECTORS = ("-XX:+UseSerialGC", "-XX:+UseParallelGC", "-XX:+UseG1GC", "-XX:+UseShenandoahGC", "-XX:+UseZGC")
ENDED = "o.dynamicType = 'Ends$Handle' AND last.methodName = 'afterwards' AND last.param0 = 19 AND o.endTime < last.startTime"
ENDS = {
    "dead objects": (f"SELECT t.param0 FROM {O} o, {M} t, {M} last WHERE t.methodName = 'use' AND t.receiver = o.receiver "
                     f"AND {ENDED}", [[n] for n in range(50) if n % 5]),
    "dead and never closed": (f"SELECT t.param0 FROM {O} o, {M} t, {M} last, NEGATIVE {M} c WHERE t.methodName = 'use' AND "
                              f"t.receiver = o.receiver AND {ENDED} AND c.methodName = 'close' AND c.receiver = o.receiver",
                              [[n] for n in range(50) if n % 5 and n % 2]),
    "never closed": (f"SELECT t.param0 FROM {O} o, {M} t, NEGATIVE {M} c WHERE t.methodName = 'use' AND t.receiver = "
                     "o.receiver AND o.dynamicType = 'Ends$Handle' AND c.methodName = 'close' AND c.receiver = o.receiver",
                     [[n] for n in range(50) if n % 2]),
}
# Callees in Replaced.java, by caller, each called CALLS times.
CALLS = 20000
REPLACED = {"add": "Math.addExact", "abs": "Math.abs", "larger": "Math.max", "bits": "Integer.bitCount",
            "box": "Integer.valueOf", "unused": "Long.valueOf", "build": "StringBuilder.toString",
            "same": "java.util.Arrays.equals", "alike": "StringLatin1.equals", "copy": "java.util.Arrays.copyOf"}


@functools.lru_cache(None)
def bodies():
    """The folder with Body's classes, and a jar that makes Redefined an agent."""
    folder = os.path.join(ARGS.work, "bodies")
    driver.compiled(["second/Body.java"], "bodies/second", options=["--release", "17", "-cp", ARGS.classes])
    os.makedirs(os.path.join(folder, "first"), exist_ok=True)
    shutil.copy(os.path.join(ARGS.classes, "Body.class"), os.path.join(folder, "first"))
    jar, manifest = (os.path.join(folder, "agent" + suffix) for suffix in (".jar", ".mf"))
    with open(manifest, "w", encoding="utf-8") as file:
        file.write("Premain-Class: Redefined\nCan-Retransform-Classes: true\nCan-Redefine-Classes: true\n")
    subprocess.run([driver.tool("jar"), "-c", "-f", jar, "-m", manifest], check=True)
    return folder, jar


class Jvms(QuestionTest):
    def check_run(self, questions, command):
        alone = jvm.run(command)
        outcome = self.ask(*[query for query, _ in questions.values()], "--", *command)
        self.assertEqual((outcome.status, outcome.stdout), (alone.status, alone.stdout), outcome)
        self.assertIn("went well", alone.stdout)
        self.check_answers(questions)

    def test_classes_that_another_agent_redefines_are_answered_about_body_by_body(self):
        folder, jar = bodies()
        for home in ARGS.homes:
            with self.subTest(home):
                self.check_run(REDEFINED, driver.java_command("Redefined", folder, home=home,
                                                              jvm_options=[f"-javaagent:{jar}"]))

    def test_objects_end_with_every_collector(self):
        for home in ARGS.homes:
            for collector in COLLECTORS:
                with self.subTest(home, collector=collector):
                    if jvm.run([driver.tool("java", home), collector, "-version"]).status != 0:
                        self.skipTest(f"{home} has no {collector}")
                    self.check_run(ENDS, driver.java_command("Ends", home=home, jvm_options=[collector]))

    def test_calls_that_compilers_would_replace_or_leave_out_are_all_there(self):
        callees = {caller: callee if "." in callee.split(".", 1)[1] else "java.lang." + callee
                   for caller, callee in REPLACED.items()}
        names = [callee.rsplit(".", 1) for callee in callees.values()]
        query = (f"SELECT x.context, COUNT(*) FROM {M} x WHERE x.implementingClass =~ "
                 f"'{'|'.join(sorted({name[0] for name in names}))}' AND x.methodName =~ "
                 f"'{'|'.join(sorted({name[1] for name in names}))}' GROUP BY x.context")
        for home in ARGS.homes:
            with self.subTest(home):
                command = driver.java_command("Replaced", str(CALLS), home=home)
                alone = jvm.run(command)
                outcome = self.ask(query, "--", *command)
                self.assertEqual((outcome.status, outcome.stdout), (alone.status, alone.stdout), outcome)
                # The abs() of double, which the interpreter replaces.
                self.assertIn("calls that it replaces have no events: java.lang.Math.abs\n", outcome.stderr)
                found = dict(self.values_of_answers())
                expected = {f"Replaced.main;Replaced.{caller};{callee}": CALLS for caller, callee in callees.items()}
                self.assertEqual({context: found.get(context) for context in expected}, expected)

    def values_of_answers(self):
        with open(self.path("answers"), encoding="utf-8") as file:
            return [tuple(json.loads(line)["values"].values()) for line in file]

    def test_what_the_jvm_replaces_all_the_same_is_named(self):
        command = driver.java_command("Replaced", "10", jvm_options=["-XX:+UnlockDiagnosticVMOptions",
                                                                     f"-XX:CompilerDirectivesFile={self.directives()}"])
        query = sole("addExact", ("param0",), "AND x.implementingClass = 'java.lang.Math'")
        outcome = self.ask(query, "--", *command)
        self.assertEqual(outcome.stdout, jvm.run(command).stdout)
        self.assertIn("copse: the JVM may replace these methods, and calls that it replaces have no events: "
                      "java.lang.Math.addExact\n", outcome.stderr)
        for home in ARGS.homes:
            with self.subTest(home):
                outcome = self.ask(f"SELECT x.param0 FROM {M} x WHERE x.methodName =~ 'sin|abs' AND x.implementingClass = "
                                   "'java.lang.Math'", "--", *driver.java_command("Replaced", "10", home=home))
                self.assertIn("calls that it replaces have no events: java.lang.Math.abs, java.lang.Math.sin\n",
                              outcome.stderr)

    def directives(self):
        """A program's own, which are those that count."""
        (self.folder / "own.json").write_text('[{match: "none/None.*", c2: {Exclude: true}}]\n')
        return self.path("own.json")

    def test_compilers_go_on_as_before_when_a_query_is_over(self):
        for home in ARGS.homes:
            with self.subTest(home):
                process = self.start(driver.java_command("Steps", "5000000", "wait", home=home), "begun")
                process.stdin.write("go on\n")
                process.stdin.flush()
                look = [driver.tool("jcmd", home), str(process.pid), "Compiler.directives_print"]
                before = jvm.run(look).stdout
                query = sole("addExact", ("param0",), "AND x.implementingClass = 'java.lang.Math'")
                self.assertEqual(self.ask(query, "--attach", process.pid, "-d", "100ms").status, 0)
                self.assertEqual(jvm.run(look).stdout, before)
                process.terminate()


driver.main("copse", sources=["Redefined.java", "Body.java", "Ends.java", "Replaced.java", "Steps.java"])
