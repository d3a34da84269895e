#!/usr/bin/env python3
"""Recording a real program and replaying it: the same report as from a run, whole or up to where the
trace was damaged."""

import glob
import json
import os
import signal
import sys
import time

sys.path.insert(1, sys.path[0] + "/..")
import compare_trees  # noqa: E402
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS  # noqa: E402

# Deterministic: calls, recursion, exceptions, threads one after the other, classes loaded late.
PROGRAM = """
public class Program {
    interface Shape { int area(); }
    static class Square implements Shape { public int area() { return side(4); } int side(int n) { return n * n; } }
    static class Late { static int value = compute(); static int compute() { return 3; } }
    static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    static void fail(int n) { if (n == 0) throw new IllegalStateException("expected"); fail(n - 1); }
    static int caught(int n) { try { fail(n); return 0; } catch (IllegalStateException e) { return fib(3); } }
    static int deep(int n) { return n == 0 ? 0 : 1 + deep(n - 1); }
    public static void main(String[] args) throws Exception {
        int sum = fib(18);
        for (int i = 0; i < 50; i++) sum += caught(i % 7) + new Square().area();
        sum += deep(3000) + Late.value;
        for (int i = 0; i < 3; i++) {
            Thread thread = new Thread(() -> fib(15), "worker-" + i);
            thread.start();
            thread.join();
        }
        System.out.println("done " + sum);
        if (args.length > 0) {
            for (int i = 0; i < 5; i++) fib(18);
            System.out.println("waiting");
            Thread.sleep(1_000_000);
        }
    }
}
"""


class RecordReplay(driver.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.trace = self.path("report.trace")
        self.java = driver.java_command("Program")

    def record(self, *options):
        return self.done("record", *options, "-o", self.trace, "--", *self.java)

    def test_a_replayed_trace_gives_the_report_of_a_run(self):
        for record_options, options in (([], []), ([], ["--no-sites"]), ([], ["--recursion", "merge"]),
                                        ([], ["--engine", "uptree"]), (["--packet-slots", "8"], []),
                                        (["--exclude", "Program.fib"], [])):
            with self.subTest(record=record_options, replay=options):
                self.record(*record_options)
                self.done("replay", self.trace, *options)
                run_report = self.path("run.json")
                engine = [] if "--engine" in options else ["--engine", "parallel"]
                same = ["--engine", "parallel:packet=8"] if "--packet-slots" in record_options else [*engine, *record_options]
                self.done("run", "--measure", "calls", *same, *options, "-o", run_report, "--", *self.java)
                expected, actual = self.load(run_report), self.load()
                self.assertEqual(expected["options"].pop("measure"), "calls")
                self.assertTrue(compare_trees.compare(expected, actual))
                for changing in ("command", "pid", "started", "wall_ms"):
                    self.assertTrue(actual["program"].pop(changing))
                    del expected["program"][changing]
                for report in (expected, actual):
                    for thread in report["threads"]:
                        del thread["id"]
                self.assertEqual(actual, expected)

    def test_every_command_counts_the_threads_that_made_a_call(self):
        self.record()
        self.done("replay", self.trace)
        report = self.load()
        named = sorted(thread["name"] for thread in report["threads"])
        self.assertEqual((named, report["totals"]["threads"]), (["main", "worker-0", "worker-1", "worker-2"], 4))
        some = ("--encoder", "segment")
        validated = self.copse("validate", self.trace, *some)
        self.assertIn(" 4 threads; ", validated.stdout)
        compared = json.loads(self.copse("compare", self.trace, *some, "--format", "json").stdout)
        self.assertEqual(compared["stream"]["threads"], 4)

    def test_the_jdks_own_calls_are_kept_too(self):
        self.record("--jdk")
        self.done("replay", self.trace)
        report = self.load()
        self.assertIn("java.lang.String", report["methods"]["class"])
        self.assertTrue(any("Recording starts" in note for note in report["notes"]), report["notes"])
        self.assertEqual(report["options"]["jdk"], "true")

    def test_the_program_is_left_alone_and_the_trace_is_its_owners(self):
        outcome = self.record("--quiet")
        self.assertEqual(outcome.stdout.split()[0], "done")
        self.assertEqual([line for line in outcome.stderr.splitlines() if not line.startswith("Picked up")], [])
        self.assertEqual(os.stat(self.trace).st_mode & 0o777, 0o600)
        self.assertFalse(os.path.exists(self.report))

    def test_several_jvms_under_one_command_keep_their_traces(self):
        script = " ".join(f"'{word}'" for word in self.java)
        self.copse("record", "-o", self.trace, "--", "sh", "-c", f"{script}; {script}")
        traces = glob.glob(self.path("report*.trace"))
        self.assertEqual(len(traces), 2, os.listdir(self.folder))
        for trace in traces:
            self.done("replay", trace)

    def test_a_damaged_trace_gives_the_part_before_and_says_where(self):
        self.record("--packet-slots", "64")
        self.copse("replay", self.trace)
        whole = self.load()["totals"]["calls"]
        with open(self.trace, "rb") as file:
            content = file.read()
        for name, damaged in (("cut", content[:len(content) // 2]),
                              ("flipped", content[:len(content) // 2] + b"\xff\xfe\xfd" + content[len(content) // 2 + 3:])):
            with self.subTest(name):
                with open(self.trace, "wb") as file:
                    file.write(damaged)
                self.assert_one_line(self.copse("replay", self.trace), 1, f"{self.trace}: at byte ")
                report = self.load()
                self.assertLess(whole // 4, report["totals"]["calls"])
                self.assertLess(report["totals"]["calls"], whole)
                self.assertTrue(any("damaged" in note for note in report["notes"]), report["notes"])
                self.assertEqual(report["program"]["command"][0], self.java[0])

    def test_a_killed_program_leaves_what_it_did(self):
        process = self.start([ARGS.copse, "record", "--packet-slots", "64", "-o", self.trace, "--", *self.java, "wait"])
        while process.stdout.readline() != "waiting\n":
            self.assertIsNone(process.poll())
        # The writer takes what the program did while that waits.
        while not os.path.exists(self.path("so-far.json")) or self.load("so-far.json")["totals"]["calls"] <= 40_000:
            self.assertIsNone(process.poll())
            time.sleep(0.1)
            self.copse("replay", self.trace, "-o", "so-far.json")
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=jvm.TIMEOUT_S)
        self.assert_one_line(self.copse("replay", self.trace), 1, f"{self.trace}: at byte ", "calls")
        self.assertGreater(self.load()["totals"]["calls"], 40_000)

    def test_mistakes_get_one_line_that_says_what_to_do(self):
        self.assert_one_line(self.copse("record"), 2, "COMMAND")
        self.assert_one_line(self.copse("record", *self.java), 2, "--")
        self.assert_one_line(self.copse("record", "-o", "absent/x", "--", *self.java), 1, "absent/x")
        self.assert_one_line(self.copse("replay", "absent.trace"), 1, "absent.trace")
        self.assert_one_line(self.copse("replay", os.path.join(ARGS.classes, "Program.class"), "-o", "x.json"), 1,
                             "Program.class: ")
        self.assert_one_line(self.copse("replay", "x.json"), 2, "-o REPORT")
        self.assert_one_line(self.copse("replay", "x.trace", "--memory", "much"), 2, "much")
        self.assert_one_line(self.copse("replay", "x.trace", "--recursion", "once"), 2, "recursion")


driver.main("agent", "copse", sources=[PROGRAM])
