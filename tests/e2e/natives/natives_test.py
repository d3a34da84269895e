#!/usr/bin/env python3
"""Native methods of the program are recorded like any other: in contexts and counts, in every way of recording, also in a
JVM that runs already, with their callbacks below them."""

import json
import re
import sys
import unittest
from collections import Counter

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS  # noqa: E402

ENGINES = ("inline", "parallel", "uptree")


def calls_of_steps(count):
    """Calls that `steps N` makes."""
    fails = (count + 3) // 4
    called_back = sum(i % 3 for i in range(count))
    return Counter(steps=1, named=count, registered=count, f=count, fail=fails, h=called_back + fails)


def paths_of(report, measure="calls"):
    """Names of the methods of each context, outermost first -> its calls."""
    nodes, names = report["nodes"], report["methods"]["name"]
    paths, counts = [], Counter()
    for parent, method, count in zip(nodes["parent"], nodes["method"], nodes[measure]):
        paths.append(() if parent < 0 else paths[parent] + (names[method],))
        if count:
            counts[paths[-1]] += count
    return counts


# Native methods of Rounds.
NATIVES = {"named", "registered", "late", "f", "fail", "hold"}


class Natives(driver.CommandLineTest):
    def java(self, home, program, *jvm_options):
        access = ["--enable-native-access=ALL-UNNAMED"] if jvm.feature_version(home) >= 22 else []
        classes = ARGS.classes + ":" + ARGS.test_jar
        return [driver.tool("java", home), *access, *jvm_options, "-cp", classes, program, ARGS.natives]

    def rounds(self, home, *asked, run=None, options="", jvm_options=(), report="report.json"):
        """Outcome of the program that was asked for these rounds, under the agent or under `copse` with words `run`."""
        command = self.java(home, "Rounds", *jvm_options)
        if run is None:
            command = driver.with_agent(command, f"out={report},quiet{options}")
            outcome = jvm.run(command, "\n".join(asked), cwd=self.folder)
        else:
            outcome = self.copse(*run, "--", *command, given="\n".join(asked))
        self.assertEqual(outcome.status, 0, outcome)
        return outcome

    def assert_calls(self, report, expected):
        counts = driver.calls_by_method(report)
        self.assertEqual({name: counts[name] for name in expected}, dict(expected))
        self.assertEqual((report["totals"]["calls_lost"], report["skipped"]), (0, []))

    def test_contexts_are_those_of_the_literature(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                self.rounds(home, "steps 9")
                paths = paths_of(self.load())
                self.assertEqual(paths["main", "steps", "f"], 9)
                self.assertEqual(paths["main", "steps", "f", "h"], 9)
                self.assertEqual(paths["main", "steps", "h"], 3)

    def test_a_trace_has_them(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                self.rounds(home, "steps 50", run=["record", "-o", "run.trace"])
                self.done("replay", "run.trace", "-o", "report.json")
                self.assert_calls(self.load(), calls_of_steps(50))
                self.assertEqual(paths_of(self.load())["main", "steps", "f", "h"], 49)

    def test_ids_are_checked_behind_them(self):
        for home in ARGS.homes:
            for encoder in ("segment", "luce", "dacce", "pcc"):
                with self.subTest(home=home, encoder=encoder):
                    # Status 0: no id decodes to anything but its calls, nor to anything but the JVM's stack.
                    said = self.rounds(home, "steps 3000", run=["validate", "--encoder", encoder])
                    self.assertIn("ids", said.stderr + said.stdout)

    def test_contexts_with_native_methods_are_counted(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                self.rounds(home, "steps 30", run=["validate", "--encoder", "luce", "-o", self.report])
                report = self.load()
                nodes, has_native = report["nodes"], []
                for parent, method in zip(nodes["parent"], nodes["method"]):
                    has_native.append(parent >= 0 and (has_native[parent] or report["methods"]["name"][method] in NATIVES))
                self.assertGreater(sum(has_native), 1, "f, and h below it")
                self.assertEqual(report["encoder"]["facts"]["native_contexts"], sum(has_native))

    def test_marked_ones_are_events(self):
        for home in ARGS.homes:
            self.rounds(home, "steps 40", report="graph.json")
            graph = ",graph=" + self.path("graph.json")
            for encoder in ("segment", "luce", "dacce", "pcce", "deltapath", "rcce"):
                for more in (graph + ",selective", graph if encoder in ("pcce", "deltapath", "rcce") else ""):
                    with self.subTest(home=home, encoder=encoder, more=more):
                        self.rounds(home, "steps 40", options=f",mode=ids,encoder={encoder},mark=Rounds.f,mark=Rounds.h{more}")
                        self.assertEqual(paths_of(self.load()), {
                            ("main", "steps", "f"): 40, ("main", "steps", "f", "h"): 39, ("main", "steps", "h"): 10})
            self.rounds(home, "steps 40", options=",mode=ids,encoder=pcc,mark=Rounds.f")  # ids that do not decode
            self.assertEqual(self.load()["totals"]["calls_seen"], 40)

    def test_attach_finds_those_that_are_bound_and_detach_leaves_them_as_they_were(self):
        for home in ARGS.homes:
            for engine in ENGINES:
                with self.subTest(home=home, engine=engine):
                    process = self.start(self.java(home, "Rounds"), "ready")
                    self.asked(process, "steps 20000")  # compiled, and not recorded
                    rounds = (1000, 30) if engine == "inline" else (1000,)  # others record a JVM once
                    for number in rounds:
                        self.done("attach", "-o", f"{number}.json", "--engine", engine, process.pid)
                        self.asked(process, f"steps {number}")
                        self.asked(process, "thread 7")
                        self.asked(process, "reflective 40")
                        if number == 1000:
                            self.asked(process, "late 1")
                        self.done("detach", process.pid)
                        self.asked(process, "steps 9")
                        expected = calls_of_steps(number) + calls_of_steps(7) + Counter(named=40)
                        if number == 1000:
                            expected += Counter(late=1)
                        self.assert_calls(self.load(f"{number}.json"), expected)
                    self.assertEqual(self.asked(process, "end"), "bye")
                    process.communicate()
                    self.assertEqual(process.returncode, 0)

    def test_one_that_is_live_at_attach_is_in_no_context_until_it_returns(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                process = self.start(self.java(home, "Rounds"), "ready")
                self.asked(process, "hold")
                self.done("attach", "-o", "held.json", process.pid)
                self.asked(process, "release")
                self.asked(process, "steps 4")
                self.done("detach", process.pid)
                report = self.load("held.json")
                self.assert_calls(report, calls_of_steps(4) + Counter(h=1, hold=0))
                self.assertEqual(paths_of(report)[("h",)], 1)
                self.assertEqual(self.asked(process, "end"), "bye")

    def test_one_that_is_live_at_detach_leaves_nothing_to_later_recordings(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                process = self.start(self.java(home, "Rounds"), "ready")
                self.done("attach", "-o", "first.json", process.pid)
                self.asked(process, "hold")
                self.done("detach", process.pid)
                self.done("attach", "-o", "second.json", process.pid)
                self.asked(process, "release")
                self.asked(process, "steps 4")
                self.done("detach", process.pid)
                self.assert_calls(self.load("first.json"), Counter(hold=1, h=0))
                self.assert_calls(self.load("second.json"), calls_of_steps(4) + Counter(h=1, hold=0))
                self.assertEqual(paths_of(self.load("second.json"))[("h",)], 1)
                self.assertEqual(self.asked(process, "end"), "bye")

    def test_a_thread_that_ends_after_detach_is_collected(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                process = self.start(self.java(home, "Rounds"), "ready")
                self.done("attach", "-o", "first.json", process.pid)
                self.asked(process, "hold")
                self.done("detach", process.pid)
                self.asked(process, "release")
                live = jvm.run([driver.tool("jcmd", home), str(process.pid), "GC.class_histogram"]).stdout
                self.assertIn("java.lang.Thread", live)
                self.assertEqual(re.findall(r"Rounds\$\w+", live), [])
                self.assertEqual(self.asked(process, "end"), "bye")

    def test_virtual_threads_call_them(self):
        for home in ARGS.homes:
            for options in (*(f",engine={engine}" for engine in ENGINES), ",mode=ids,encoder=segment,mark=**"):
                if jvm.feature_version(home) < 21:
                    continue
                with self.subTest(home=home, options=options):
                    self.rounds(home, "virtual 200", "steps 5", options=options)
                    report = self.load()
                    calls = Counter({name: 600 * count for name, count in calls_of_steps(7).items()})
                    self.assert_calls(report, calls + calls_of_steps(5))
                    called_back = sum(count for path, count in paths_of(report).items() if path[-2:] == ("f", "h"))
                    self.assertEqual(called_back, 600 * 6 + 4)

    def test_globs_choose_them_like_any_method(self):
        self.rounds(ARGS.homes[0], "steps 10", options=",include=Rounds.named,include=Rounds.h")
        self.assertEqual(set(paths_of(self.load())), {("named",), ("h",)})
        self.rounds(ARGS.homes[0], "steps 10", options=",exclude=Rounds.f")
        paths = paths_of(self.load())
        self.assertEqual(paths["main", "steps", "h"], 9 + 3)
        self.assertFalse([path for path in paths if "f" in path])

    def test_what_they_throw_is_counted_once(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                self.rounds(home, "steps 40", options=",measure=calls,measure=exceptions")
                report = self.load()
                self.assert_calls(report, calls_of_steps(40))
                self.assertEqual(sum(report["nodes"]["exceptions"]), 10)
                process = self.start(self.java(home, "Rounds"), "ready")
                self.asked(process, "steps 8")
                self.done("attach", "-o", "late.json", "--measure", "exceptions", process.pid)
                self.asked(process, "steps 40")
                self.done("detach", process.pid)
                self.assertEqual(sum(self.load("late.json")["nodes"]["exceptions"]), 10)

    def test_checked_jni_finds_nothing_to_say(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                bare = jvm.run(self.java(home, "Rounds", "-Xcheck:jni"), "steps 20", cwd=self.folder)
                for options in ("", ",engine=parallel", ",mode=ids,encoder=segment,mark=**"):
                    checked = self.rounds(home, "steps 20", options=options, jvm_options=["-Xcheck:jni"])
                    self.assertEqual((checked.stdout, checked.stderr), (bare.stdout, bare.stderr))

    def test_a_recording_in_a_unit_test_counts_them(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                outcome = jvm.run(driver.with_agent(self.java(home, "InTest"), "out=report.json,quiet"), cwd=self.folder)
                self.assertEqual((outcome.stdout.splitlines(), outcome.status), (["2", "6", "5", "6"], 0), outcome)
                self.assertEqual(driver.calls_by_method(self.load())["f"], 4)

    def test_a_killed_jvm_leaves_them(self):
        process = self.start([ARGS.copse, "run", "-o", "report.json", "--", *self.java(ARGS.homes[0], "Rounds")], "ready")
        self.asked(process, "steps 100")
        jvm.run(["kill", "-9", str(jvm.child_of(process.pid))])
        process.communicate()
        counts = driver.calls_by_method(self.load())
        expected = calls_of_steps(100)
        self.assertEqual({name: counts[name] for name in expected}, dict(expected))

    def test_the_graph_of_class_files_has_calls_of_them(self):
        self.done("graph", ARGS.classes, "-o", "calls.json")
        graph = json.loads((self.folder / "calls.json").read_text())
        names, edges = graph["methods"]["name"], graph["edges"]
        called = {(names[caller], names[callee]) for caller, callee in zip(edges["caller"], edges["callee"]) if caller >= 0}
        self.assertLessEqual({("steps", "f"), ("steps", "named"), ("main", "late")}, called)


if __name__ == "__main__":
    made = driver.parser("agent", "copse", "test-jar", "natives")
    made.add_argument("tests", nargs="*", help="CLASS.test_...; default: all")
    driver.begin(made, jdks=True)
    ARGS.classes = driver.compiled(["programs/Rounds.java", "programs/InTest.java"],
                                   options=["-cp", ARGS.test_jar, "--release", "17"])
    unittest.main(argv=[sys.argv[0], *ARGS.tests], verbosity=2)
