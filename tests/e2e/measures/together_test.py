#!/usr/bin/env python3
"""All measures of one run, and of runs that end early or begin late."""

import os
import signal
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS  # noqa: E402
from measuring import by_context, by_method, MeasuresTest, OFTEN, ROUNDS  # noqa: E402


THROWN = "throw java.lang.IllegalStateException at Everything.fail:15"


class Together(MeasuresTest):
    def test_everything_is_measured_in_one_run(self):
        for home, engine in ((ARGS.homes[0], "inline"), (ARGS.homes[-1], "inline"), (ARGS.homes[0], "parallel"), (ARGS.homes[-1], "uptree")):
            with self.subTest(home=home, engine=engine):
                options = ("--measure", "calls,cpu=corrected,cpu=native,wall,alloc,exceptions,locks", "--engine", engine)
                said, report = self.profile("Everything", options=options, home=home)
                alone, with_blocker, waited, slept, entered, naps = map(int, said.split())
                thrown = f"fail;{THROWN}"
                self.assertEqual([measure["name"] for measure in report["metrics"] if not measure["name"].endswith("_samples")],
                                 ["cpu_ns", "cpu_corrected_ns", "cpu_native_ns", "allocated_bytes", "exceptions", "contended_ns", "contentions", "wall_ns", "runnable_ns",
                                  "native_ns", "blocked_ns", "waiting_ns", "parked_ns", "sleeping_ns"])
                self.assert_few_lost(report)
                self.assertEqual(by_method(report, "calls")["deeper"], 500 * 6)
                self.assert_threads_add_up(report)
                # Each throw once, though every frame between throws it again.
                self.assertEqual({path: count for path, count in by_context(report, "exceptions").items() if count},
                                 {"main;turn;" + thrown: 500, "main;turn;" + "deeper;" * 6 + thrown: 500})
                allocated = by_context(report, "allocated_bytes")
                self.assertLess(abs(allocated["main;allocate;new long[]"] / (100 * 1000 * 8016) - 1), 0.1, allocated)
                # Three threads at a time. The JDK's code may wait for monitors of its own.
                contended = +by_context(report, "contended_ns")
                monitors = {"waits;method;synchronized Everything.class", "waits;block;synchronized java.lang.Object"}
                self.assertEqual({path for path in contended if path.split(";")[-1] in ("synchronized Everything.class", "synchronized java.lang.Object")},
                                 monitors)
                found = sum(contended[path] for path in monitors)
                self.assertGreater(found, 0.8 * entered, contended)
                self.assertLessEqual(found, entered, contended)
                states = {state: by_method(report, state + "_ns") for state in ("blocked", "waiting", "parked", "sleeping", "wall")}
                for state, method, lasted in (("parked", "park", alone), ("parked", "park java.lang.Thread", with_blocker), ("waiting", "await", waited)):
                    self.assert_waited(states[state][method], 500e6, lasted, report)
                self.assert_waited(states["sleeping"]["method"] + states["sleeping"]["block"], 60 * 20e6, slept, report, waits=60)
                # Both measures have the wait for a synchronized method in the method.
                self.assert_waited(states["blocked"]["method"] + states["blocked"]["block"], found, entered, report, waits=60)
                parts = sum(sum(by_method(report, state + "_ns").values()) for state in
                            ("runnable", "native", "blocked", "waiting", "parked", "sleeping"))
                self.assertEqual(sum(states["wall"].values()), parts)
                looks = sum(by_method(report, state + "_samples").total() for state in
                            ("runnable", "native", "blocked", "waiting", "parked", "sleeping"))
                self.assertEqual(by_method(report, "wall_samples").total(), looks)
                # The thread that looks wakes up about as often as another that sleeps for 2 ms.
                self.assertGreater(looks, naps / 8)
                # The subject of an event needs no name to be taken apart, and no event is a call.
                kinds, names = report["kinds"], report["methods"]["name"]
                objects = {names[method]: (kind, of_class, place) for method, kind, of_class, place in
                           zip(kinds["method"], kinds["kind"], kinds["class"], kinds["place"])}
                for name, known in ((THROWN, ("exception", "java.lang.IllegalStateException", THROWN.split()[-1])),
                                    ("new long[]", ("allocation", "long[]", "")), ("park java.lang.Thread", ("parked", "java.lang.Thread", "")),
                                    ("synchronized Everything.class", ("contention", "Everything.class", ""))):
                    self.assertEqual(objects[name], known)
                calls = by_method(report, "calls")
                self.assertEqual([name for name in objects if calls[name]], [])
                told = self.done("query", self.report, "SELECT class, sum(exceptions) FROM kinds WHERE kind = 'exception' GROUP BY class",
                                 "--format", "csv").stdout
                self.assertEqual(told, "class,sum(exceptions)\njava.lang.IllegalStateException,1000\n")

    def test_a_snapshot_and_a_recording_that_began_late_have_measures_too(self):
        program = self.start(driver.java_command("ShortThreads", 4 * ROUNDS, "ready"), "ready")
        self.done("attach", program.pid, "--measure", "cpu=corrected,alloc,locks", "--by-thread", "each", "-o", self.report)
        self.done("dump", program.pid, "-o", self.path("so-far.json"))
        program.wait()
        for name in ("so-far.json", "report.json"):
            names = [measure["name"] for measure in self.load(name)["metrics"]]
            self.assertEqual(names, ["cpu_ns", "cpu_samples", "cpu_corrected_ns", "cpu_corrected_samples", "allocated_bytes",
                                     "allocation_samples", "contended_ns", "contentions", "parked_ns", "parked_samples"])
        self.assertGreater(by_method(self.load(), "cpu_ns")["burn"], 100e6)
        self.assert_is_so_far(self.load("so-far.json"))
        # Copse's own threads are not the program's.
        report = self.load()
        self.assertEqual([name for name in [thread["name"] for thread in report["threads"]] + report["methods"]["name"] if "copse" in name], [])
        # The process had begun long before.
        self.assertFalse(any("before the recording began" in note for note in self.load()["notes"]))

    def assert_is_so_far(self, report):
        for words in ("(threads without recorded calls), is known only at the end of a recording", "up to a second before"):
            self.assertTrue(any(words in note for note in report["notes"]), report["notes"])

    def test_a_program_that_is_killed_leaves_its_measures(self):
        for engine in ("inline", "parallel", "uptree"):
            options = ("--measure", "cpu,wall,alloc,exceptions,locks", "--engine", engine)
            with self.subTest(engine=engine):
                command = [ARGS.copse, "run", "-q", *options, "-o", self.report, "--", *driver.java_command("ThrowsUntilKilled")]
                process = self.start(command, "ready")
                thrown = 0
                while thrown < 30:
                    thrown, pid = map(int, process.stdout.readline().split())
                os.kill(pid, signal.SIGKILL)
                rest = process.stdout.read().split("\n")
                process.wait()
                thrown = max([thrown] + [int(line.split()[0]) for line in rest[:-1]])
                report = self.load()
                exceptions = by_method(report, "exceptions").total()
                calls = by_context(report, "calls")["main;turn;fail"]
                # Each is counted before it is said, and few are under way.
                self.assertGreaterEqual(exceptions, thrown * 1000)
                self.assertLessEqual(abs(calls - exceptions), 1)
                self.assertGreater(sum(by_method(report, "cpu_ns").values()), 0)
                self.assertGreater(sum(by_method(report, "wall_ns").values()), 0)
                self.assert_is_so_far(report)

    def test_a_program_that_is_killed_leaves_what_it_allocated_up_to_the_last_turn_of_the_thread_that_counts(self):
        command = [ARGS.copse, "run", "-q", "--measure", "calls,alloc=exact", "-o", self.report, "--",
                   *driver.java_command("ThrowsUntilKilled")]
        process = self.start(command, "ready")
        thrown = 0
        while thrown < 4000:
            thrown, pid = map(int, process.stdout.readline().split())
        jvm.wait_for_turns(pid, "copse-allocs")
        os.kill(pid, signal.SIGKILL)
        process.stdout.read()
        process.wait()
        report = self.load()
        made = by_context(report, "allocations")["main;turn;fail;new ThrowsUntilKilled$Mine"]
        calls = by_context(report, "calls")["main;turn;fail"]
        self.assertLessEqual(made, calls + 1)
        self.assertGreaterEqual(made, 1000 * thrown)

    def test_threads_that_start_and_end_have_all_measures_and_come_to_no_harm(self):
        for home, engine in zip(ARGS.homes, ("inline", "parallel")):
            with self.subTest(home=home, engine=engine):
                options = ("--measure", "calls,cpu=corrected,wall,alloc=exact,exceptions,locks", *OFTEN, "--engine", engine)
                _, report = self.profile("ShortThreads", ROUNDS, home=home, options=options, jvm_options=("-Xcheck:jni",))
                self.assert_few_lost(report)
                self.assertEqual([by_method(report, "calls")[method] for method in ("serve", "burn")], 2 * [ROUNDS * 200])
                used = by_method(report, "cpu_ns")
                self.assertGreater(used["burn"], 0.5 * (used.total() - used["(threads without recorded calls)"]), used)

    def test_contexts_hang_below_their_threads_when_asked_for(self):
        worked, groups = self.profile("ShortThreads", ROUNDS, options=("--by-thread", "group", "--measure", "cpu"))
        _, each = self.profile("ShortThreads", ROUNDS, options=("--by-thread", "each"))
        calls = {name: by_context(report, "calls") for name, report in (("groups", groups), ("each", each))}
        self.assertEqual(calls["groups"]["[server-*];serve"], ROUNDS * 200)
        self.assertEqual(calls["each"]["[server-7];serve"], ROUNDS)
        self.assertEqual(calls["groups"]["[main];main"], 1)
        self.assertEqual(groups["totals"]["calls"], each["totals"]["calls"])
        # Time of a thread outside recorded code belongs to its group.
        self.assertLess(by_context(groups, "cpu_ns")["(no recorded caller)"], 0.05 * int(worked))
        # Only of threads that made a recorded call.
        self.assertNotIn("[Finalizer]", calls["groups"])
        part = self.path("part.json")
        self.done("report", self.report, "--thread", "server-1*", "-o", part)
        self.assertEqual(by_context(self.load(part), "calls").total(), 2 * ROUNDS * 111)
        self.assert_one_line(self.copse("report", self.report, "--thread", "pool-*"), 1, "--thread", "matched nothing")

    def test_mistakes_get_one_line_that_says_what_to_do(self):
        command = driver.java_command("Leaves")
        for options, words in ((("run", "--measure", "walks"), ("--measure", "walks", "cpu")),
                               (("ids", "--measure", "calls,cpu"), ("--measure", "calls", "exceptions")),
                               (("ids", "--measure", "cpu", "--encoder", "pcc"), ("--measure", "--encoder segment")),
                               (("run", "--measure", "cpu", "--engine", "uptree:every=3"), ("--measure", "uptree:every=N")),
                               (("run", "--measure", "wall:interval=5ms"), ("--measure", "wall:interval=5ms", "cpu:interval"))):
            with self.subTest(options=options):
                self.assert_one_line(self.copse(*options, "-o", self.report, "--", *command), 2, *words)

    # From JDK 24 on a virtual thread that waits for a monitor leaves its carrier, and wakes on any.
    def test_waits_of_virtual_threads_are_those_of_their_own_clocks(self):
        homes = [home for home in ARGS.homes if jvm.feature_version(home) >= 24]
        if not homes:
            self.skipTest("no JDK whose virtual threads leave their carriers at monitors on this machine")
        place = "lambda$start$0;task;enter;synchronized java.lang.Object"
        for engine in ("inline", "parallel"):
            with self.subTest(engine=engine):
                said, report = self.profile("VirtualMonitors", options=("--measure", "locks", "--engine", engine), home=homes[-1])
                own = int(said)
                contended = by_context(report, "contended_ns")
                found = contended[place]
                self.assertLess(abs(found / own - 1), 0.02, (found, own, contended))
                self.assertLess(abs(contended.total() - found), 0.01 * own, contended)
                self.assertGreaterEqual(by_context(report, "contentions")[place], 2000)


driver.main("copse", sources=[f"programs/{name}.java" for name in ("Everything", "Leaves", "ShortThreads", "ThrowsUntilKilled", "VirtualMonitors")])
