#!/usr/bin/env python3
"""Copse comes to a JVM that runs, tells what it has so far, and goes: exact counts of what was called in
between, and a program that notices nothing. Reports replaced while the program runs.

    run.py --copse CLI --work DIR [Attach.test_...]"""

import argparse
import os
import shutil
import subprocess
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import compare_trees  # noqa: E402
import jvm  # noqa: E402

ARGS = None
DEADLINE_S = 60


class Program:
    """A JVM that runs Rounds; copse's own options, if any, start it under copse run."""

    def __init__(self, home, folder, options=(), run=()):
        java = [os.path.join(home, "bin", "java"), "-Xverify:all", *options, "-cp", ARGS.classes, "Rounds"]
        command = [ARGS.copse, "run", *run, "--", *java] if run else java
        self.errors = open(os.path.join(folder, "stderr.txt"), "w+", encoding="utf-8")
        self.process = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self.errors, text=True)
        self.said = []
        self.hear()
        self.pid = self.jvm_pid() if run else self.process.pid

    def jvm_pid(self):
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children", encoding="ascii") as children:
            return int(children.read().split()[0])

    def hear(self):
        line = self.process.stdout.readline()
        if not line:
            self.process.kill()
            raise AssertionError(f"the program ended: {self.stderr()}")
        self.said.append(line.rstrip("\n"))
        return self.said[-1]

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.hear()

    def end(self):
        """The exit status and all the program said."""
        rest, _ = self.process.communicate("end\n", timeout=DEADLINE_S)
        return self.process.returncode, self.said + rest.splitlines()

    def stderr(self):
        self.errors.seek(0)
        return self.errors.read()

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()
        self.errors.close()


class Report:
    def __init__(self, path):
        self.json = compare_trees.load(path)

    def calls(self, method):
        methods = self.json["methods"]["name"]
        nodes = self.json["nodes"]
        return sum(c for m, c in zip(nodes["method"], nodes["calls"]) if m >= 0 and methods[m] == method)

    def counts(self):
        return {name: self.calls(name) for name in self.json["methods"]["name"]}

    def is_snapshot(self):
        return "snapshot" in self.json["program"]


# What `steps N` calls: `sum` counts up, and a throw at every third makes step call leaf twice.
def calls_of_steps(count):
    return {"steps": 1, "step": count, "leaf": count + (count + 2) // 3}


def added(*counts):
    total = {}
    for count in counts:
        for name, calls in count.items():
            total[name] = total.get(name, 0) + calls
    return total


class Attach(jvm.CommandLineTest):
    def setUp(self):
        self.folder = os.path.join(ARGS.work, self.id().split(".")[-1])
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        self.programs = []

    def tearDown(self):
        for program in self.programs:
            program.close()

    def program(self, home, *options, run=()):
        self.programs.append(Program(home, self.folder, options, run))
        return self.programs[-1]

    def copse(self, *words):
        return jvm.run([ARGS.copse, *map(str, words)], cwd=self.folder)

    def done(self, *words):
        outcome = self.copse(*words)
        self.assertEqual((outcome.status, outcome.stdout), (0, ""), outcome.stderr)
        return outcome.stderr

    def report(self, name):
        return Report(os.path.join(self.folder, name))

    def assert_ends_well(self, program, said):
        self.assertEqual(program.end(), (0, ["ready", *said, "bye"]), program.stderr())
        # From 21 on the JVM itself warns of agents that come late.
        own = [line for line in program.stderr().splitlines() if not line.startswith(("WARNING: ", "copse: "))]
        self.assertEqual(own, [])

    def test_counts_what_is_called_between_attach_and_detach(self):
        for home in ARGS.homes:
            for engine in ("inline", "parallel", "uptree"):
                with self.subTest(home=home, engine=engine):
                    program = self.program(home)
                    program.ask("steps 30000")  # compiled, and not recorded
                    said = self.done("attach", "-o", "all.json", "--engine", engine, program.pid)
                    self.assertIn("recording, with probes in 1 loaded class: ", said)
                    program.ask("steps 1000")
                    program.ask("thread 10")
                    self.done("dump", "-o", "some.json", program.pid)
                    program.ask("steps 40000")
                    program.ask("late 7")
                    said = self.done("detach", program.pid)
                    self.assertIn("all.json", said)
                    self.assertIn("probes are out of 2 classes\n", said)  # Late came after Rounds
                    program.ask("steps 50")  # not recorded any more
                    some = added(calls_of_steps(1000), calls_of_steps(10))
                    every = added(some, calls_of_steps(40000), {"leaf": 1, "called": 1})
                    snapshot, final = self.report("some.json"), self.report("all.json")
                    for report, expected in ((snapshot, some), (final, every)):
                        counts = report.counts()
                        self.assertEqual({name: counts.get(name, 0) for name in expected}, expected)
                        self.assertEqual(report.json["totals"]["calls_lost"], 0)
                        self.assertTrue(any("attached" in note for note in report.json["notes"]))
                    self.assertEqual((snapshot.is_snapshot(), final.is_snapshot()), (True, False))
                    self.assert_ends_well(program, ["sum 30000", "sum 1000", "joined", "sum 40000", "late 8", "sum 50"])

    def test_a_later_attach_starts_a_fresh_recording(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                program = self.program(home)
                for rounds in (100, 20000, 3):
                    self.done("attach", "-o", f"{rounds}.json", program.pid)
                    program.ask(f"steps {rounds}")
                    program.ask("thread 5")
                    self.assertIn("probes are out of 1 class\n", self.done("detach", program.pid))
                    program.ask("steps 9")
                    counts = self.report(f"{rounds}.json").counts()
                    expected = added(calls_of_steps(rounds), calls_of_steps(5))
                    self.assertEqual({name: counts.get(name, 0) for name in expected}, expected)
                self.assertEqual(program.end()[0], 0)

    def test_virtual_threads_and_an_agent_that_looks_at_classes_do_not_wait_for_each_other(self):
        homes = [home for home in ARGS.homes if jvm.feature_version(home) >= 21]
        if not homes:
            self.skipTest("no JDK with virtual threads")
        classes, jar = os.path.join(self.folder, "classes"), os.path.join(self.folder, "looker.jar")
        jvm.compile_java(homes[0], [os.path.join(HERE, "Looker.java")], classes, ["--release", "17"])
        manifest = os.path.join(self.folder, "manifest")
        with open(manifest, "w", encoding="utf-8") as file:
            file.write("Premain-Class: Looker\nCan-Retransform-Classes: true\n")
        subprocess.run([os.path.join(homes[0], "bin", "jar"), "-c", "-f", jar, "-m", manifest, "-C", classes, "."],
                       check=True)
        program = self.program(homes[0], f"-javaagent:{jar}")
        program.ask("virtual 3")
        self.done("attach", "-o", "report.json", program.pid)
        program.ask("virtual 50")
        self.done("detach", program.pid)
        self.assertEqual(self.report("report.json").calls("steps"), 50)
        self.assertEqual(program.end()[0], 0)

    def test_goes_on_recording_when_the_report_of_detach_cannot_be_written(self):
        program = self.program(ARGS.homes[0])
        gone = os.path.join(self.folder, "gone")
        os.mkdir(gone)
        self.done("attach", "-o", "gone/report.json", program.pid)
        program.ask("steps 100")
        os.rmdir(gone)
        self.assert_one_line(self.copse("detach", program.pid), 1, "gone/report.json")
        program.ask("steps 7")
        os.mkdir(gone)
        self.done("detach", program.pid)
        self.assertEqual(self.report("gone/report.json").calls("step"), 107)

    def test_call_sites_cannot_come_to_a_jvm_that_was_recorded_without(self):
        program = self.program(ARGS.homes[0])
        self.done("attach", "--no-sites", "-o", "without.json", program.pid)
        self.done("detach", program.pid)
        self.assert_one_line(self.copse("attach", "-o", "with.json", program.pid), 1, "without call sites")
        self.done("attach", "--no-sites", "-o", "without.json", program.pid)

    def test_reports_are_named_by_what_the_jvm_runs(self):
        for home in ARGS.homes:
            program = self.program(home)
            self.done("attach", program.pid)
            program.ask("steps 10")
            self.done("dump", "-o", "dump-%c.json", program.pid)
            self.done("detach", program.pid)
            self.assertEqual(self.report(f"copse-Rounds-{program.pid}.json").calls("step"), 10)
            self.assertEqual(self.report("dump-Rounds.json").calls("step"), 10)
            self.assertEqual(program.end()[0], 0)

    def test_without_detach_the_report_is_written_when_the_jvm_ends(self):
        program = self.program(ARGS.homes[-1])
        self.done("attach", "-o", "%p.json", "--include", "Rounds.step", program.pid)
        program.ask("steps 1000")
        self.assert_ends_well(program, ["sum 1000"])
        self.assertEqual(self.report(f"{program.pid}.json").counts(), {"step": 1000})

    def test_threads_that_run_all_the_while_come_to_no_harm(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                program = self.program(home)
                program.ask("spin 3")
                for turn in range(3):
                    self.done("attach", "-o", "turn.json", program.pid)
                    program.ask("steps 2000")
                    before = 0
                    for _ in range(3):
                        self.done("dump", "-o", "dump.json", program.pid)
                        calls = self.report("dump.json").calls("step")
                        self.assertGreaterEqual(calls, max(before, 2000))
                        before = calls
                    self.done("detach", program.pid)
                    self.assertGreaterEqual(self.report("turn.json").calls("step"), before)
                program.ask("stop 0")
                self.assertEqual(program.end()[0], 0, program.stderr())

    def test_snapshots_replace_the_report_while_the_program_runs(self):
        for engine in ("inline", "parallel"):
            with self.subTest(engine=engine):
                name = f"{engine}.json"
                run = ("-o", name, "--engine", engine, "--snapshot", "50ms")
                program = self.program(ARGS.homes[-1], run=run)
                total = 0
                for count in (100, 2345):
                    program.ask(f"steps {count}")
                    total += count
                    self.wait_for_calls(name, total)
                program.ask("steps 1")
                self.assertEqual(program.end()[0], 0)
                final = self.report(name)
                self.assertFalse(final.is_snapshot())
                self.assertEqual(final.calls("step"), total + 1)

    def wait_for_calls(self, name, count):
        """Until a snapshot has that many calls of step; each on the way is whole."""
        deadline = time.monotonic() + DEADLINE_S
        while time.monotonic() < deadline:
            if not os.path.exists(os.path.join(self.folder, name)):
                continue
            report = self.report(name)
            self.assertTrue(report.is_snapshot())
            self.assertLessEqual(report.calls("step"), count)
            if report.calls("step") == count:
                return
        self.fail(f"{name}: no snapshot with {count} calls of step")

    def test_a_program_under_copse_run_can_be_dumped_and_let_go(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                program = self.program(home, run=("-o", "run.json"))
                program.ask("steps 700")
                self.done("dump", "-o", "now.json", program.pid)
                self.assertEqual(self.report("now.json").calls("step"), 700)
                self.assertEqual(self.report("now.json").calls("main"), 1)
                program.ask("steps 70")
                self.assertIn("run.json", self.done("detach", program.pid))
                program.ask("steps 7")
                self.assertEqual(self.report("run.json").calls("step"), 770)
                self.assertEqual(program.end()[0], 0)
                self.assertEqual(self.report("run.json").calls("step"), 770)
                self.assertIn("run.json", program.stderr())

    def test_context_ids_have_no_report_before_the_end(self):
        run = ("-o", "ids.json", "--encoder", "segment", "--mark", "Rounds.step")
        program = self.program(ARGS.homes[-1], run=run)
        program.ask("steps 30")
        self.assert_one_line(self.copse("dump", program.pid), 1, "encoder")
        self.done("detach", program.pid)
        program.ask("steps 3")
        self.assertEqual(self.report("ids.json").calls("step"), 30)
        self.assertEqual(program.end()[0], 0)

    def test_mistakes_get_one_line_that_says_what_is_wrong(self):
        for command in ("attach", "dump", "detach"):
            self.assert_one_line(self.copse(command), 2, "PID")
            self.assert_one_line(self.copse(command, "0"), 2, "PID")
            self.assert_one_line(self.copse(command, "me"), 2, "PID")
            self.assert_one_line(self.copse(command, 2 ** 22 + 1), 1, str(2 ** 22 + 1), "there is none")
        self.assert_one_line(self.copse("attach", "--engine", "steam", "1"), 2, "steam")
        self.assert_one_line(self.copse("attach", "--jdk", "1"), 2, "jdk")
        self.assert_one_line(self.copse("attach", "--snapshot", "soon", "1"), 2, "soon")

    def test_a_process_that_is_no_jvm_is_left_alone(self):
        with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as cat:
            for command in ("attach", "dump", "detach"):
                self.assert_one_line(self.copse(command, cat.pid), 1, str(cat.pid), "not a Java virtual machine")
            self.assertEqual(cat.communicate("still here")[0], "still here")
            self.assertEqual(cat.returncode, 0)

    def test_a_jvm_that_is_not_or_already_recorded_says_so(self):
        program = self.program(ARGS.homes[-1])
        for command in ("dump", "detach"):
            self.assert_one_line(self.copse(command, program.pid), 1, "no Copse in it")
        self.assert_one_line(self.copse("attach", "-o", "absent/x.json", program.pid), 1, "absent/x.json")
        self.done("attach", "-o", "first.json", program.pid)
        self.assert_one_line(self.copse("attach", "-o", "second.json", program.pid), 1, "recorded already")
        program.ask("steps 4")
        self.done("detach", program.pid)
        for command in ("dump", "detach"):
            self.assert_one_line(self.copse(command, program.pid), 1, "not being recorded")
        self.assertEqual(self.report("first.json").calls("step"), 4)
        self.assert_one_line(self.copse("attach", "--engine", "parallel", program.pid), 1, "recorded before")
        self.assert_ends_well(program, ["sum 4"])

    def test_a_jvm_that_may_not_be_attached_to_runs_on(self):
        for option, word in (("-XX:+DisableAttachMechanism", "DisableAttachMechanism"), ("-Xrs", "-Xrs")):
            program = self.program(ARGS.homes[-1], option)
            self.assert_one_line(self.copse("attach", program.pid), 1, word)
            program.ask("steps 4")
            self.assert_ends_well(program, ["sum 4"])


def main():
    global ARGS
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("copse", "work"):
        parser.add_argument(f"--{option}", required=True, type=os.path.abspath)
    parser.add_argument("tests", nargs="*", help="Attach.test_...; default: all")
    ARGS = parser.parse_args()
    ARGS.homes = jvm.need_jdks()
    ARGS.classes = os.path.join(ARGS.work, "classes")
    os.makedirs(ARGS.work, exist_ok=True)
    jvm.compile_java(ARGS.homes[0], [os.path.join(HERE, "Rounds.java")], ARGS.classes)
    unittest.main(argv=[sys.argv[0], *ARGS.tests], verbosity=2)


if __name__ == "__main__":
    main()
