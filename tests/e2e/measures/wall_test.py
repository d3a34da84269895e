#!/usr/bin/env python3
"""Time by the clock on the wall, and the states of threads."""

import collections
import itertools
import math
import re
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS  # noqa: E402
from measuring import by_context, by_method, MeasuresTest  # noqa: E402


class WallClock(MeasuresTest):
    def test_time_by_the_wall_clock_passes_for_a_thread_that_sleeps_too(self):
        output, report = self.profile("SpinAndSleep", "150", "wall", options=("--measure", "wall"))
        burned, slept = map(int, output.split())
        wall, samples = by_method(report, "wall_ns"), by_method(report, "wall_samples")
        work, looks = wall["burn"] + wall["idle"], samples["burn"] + samples["idle"]
        self.assertGreater(work, 0.8 * (wall.total() - wall["<clinit>"]), wall)
        # The program sleeps for longer, 150 times, than the thread that looks.
        self.assertGreater(looks, 150, samples)
        share = burned / (burned + slept)
        deviation = math.sqrt(share * (1 - share) / looks)
        self.assertLess(abs(wall["burn"] / work - share), max(0.03, 4 * deviation), (wall, samples, output))
        self.assertGreater(by_method(report, "sleeping_ns")["idle"], 0.9 * wall["idle"])
        self.assertTrue(any("looked at " in note for note in report["notes"]), report["notes"])

    def test_threads_that_wait_have_their_time_by_state_on_carriers_and_off_them(self):
        ways = [(ARGS.homes[0], (), ())]
        for home in ARGS.homes:
            if jvm.feature_version(home) >= 21:
                ways += [(home, ("virtual",), options) for options in ((), ("--engine", "parallel"), ("--encoder", "segment"), ("--jdk",))]
        for home, arguments, options in ways:
            with self.subTest(home=home, arguments=arguments, options=options):
                output, report = self.profile("WaitingThreads", *arguments, options=("--measure", "wall", *options), home=home)
                states = {state: by_context(report, state + "_ns") for state in ("blocked", "sleeping", "parked", "waiting")}
                ways = (("blocked", "enter"), ("sleeping", "nap"), ("parked", "park"), ("parked", "parkFor"), ("waiting", "await"))
                for (state, method), lasted in zip(ways, map(int, output.split()), strict=True):
                    found = sum(amount for path, amount in states[state].items() if f";waits;{method};" in f";{path};")
                    # Only the wait for the monitor does not end by the clock.
                    self.assert_waited(found, 0.8 * lasted if method == "enter" else 10 * 500e6, lasted, report, waits=10)

    def test_a_wait_before_a_synchronized_method_is_the_methods_own_as_for_locks(self):
        for home, options in itertools.product(ARGS.homes, ((), ("--engine", "parallel"), ("--encoder", "segment"))):
            with self.subTest(home=home, options=options):
                output, report = self.profile("Entries", options=("--measure", "wall,locks", *options), home=home)
                classes, names, nodes = report["methods"]["class"], report["methods"]["name"], report["nodes"]
                found = {"blocked_ns": collections.Counter(), "contended_ns": collections.Counter()}
                for parent, method, *amounts in zip(nodes["parent"], nodes["method"], *(nodes[measure] for measure in found)):
                    if method >= 0 and classes[method] == "":  # the monitor's class, below the method
                        method = nodes["method"][parent]
                    if method >= 0:
                        for counter, amount in zip(found.values(), amounts):
                            counter[f"{classes[method]}.{names[method]}"] += amount
                places = ("Entries$Left.enter", "Entries$Right.enter", "Entries$Inside.enter", "Entries.turns")
                waits = dict(zip(places, map(int, output.split()), strict=True))
                for place, lasted in waits.items():
                    contended = found["contended_ns"][place]
                    self.assertLessEqual(contended, lasted, place)
                    self.assertLess(lasted - contended, 0.2 * sum(waits.values()), place)
                    self.assert_waited(found["blocked_ns"][place], contended, lasted, report, waits=45)
                # The thread that joins the others waits for monitors of the JDK.
                blocked = {place for place, ns in found["blocked_ns"].items() if ns and place.startswith("Entries")}
                self.assertLessEqual(blocked, {*waits, "Entries.main"})

    def test_the_thread_that_hands_out_references_waits_for_them(self):
        for home, options in zip(ARGS.homes, ((), ("--engine", "parallel"))):
            with self.subTest(home=home, options=options):
                _, report = self.profile("Garbage", 100, options=("--measure", "wall", "--jdk", *options), home=home)
                running, waiting = (by_method(report, f"{state}_ns")["waitForReferencePendingList"] for state in ("runnable", "waiting"))
                # A JVM that waited in there before the recording began is seen from its first collection on.
                self.assertGreater(waiting, 0, report["notes"])
                self.assertLess(running, 0.1 * waiting, (running, waiting))

    def test_many_threads_that_wait_have_their_time_and_cost_little(self):
        threads = 900
        for home in ARGS.homes:
            with self.subTest(home=home):
                output, report = self.profile("ManyWait", threads, "4000", options=("--measure", "calls,wall"), home=home)
                used, passed, lived = map(int, output.split())
                self.assertLess(used, 0.04 * passed)
                for state, way in (("parked", "park;park java.lang.Object"), ("sleeping", "sleep"), ("waiting", "await")):
                    times = by_context(report, state + "_ns")
                    found = sum(time for path, time in times.items() if path.endswith(";" + way)) / (threads / 3)
                    # All of them from before the four seconds on until after them.
                    self.assert_waited(found, 1e6 * passed, 1e6 * lived, report)
                    self.assertLess(times.total() - found * threads / 3, 0.2 * times.total(), (state, times))

    def test_a_server_s_waits_for_work_are_idle_and_its_other_waits_are_not(self):
        ways = [(ARGS.homes[0], options) for options in (("--engine", "parallel"), ("--jdk",))]
        for home, options in [*((home, ()) for home in ARGS.homes), *ways]:
            with self.subTest(home=home, options=options):
                output, report = self.profile("WaitingServer", options=("--measure", "calls,wall", *options), home=home)
                waited, lived = map(int, output.split())
                self.done("report", self.report, "--without", "idle", "-o", "work.json")
                work = self.load("work.json")
                for measure in ("wall_ns", "parked_ns", "waiting_ns", "native_ns"):
                    whole, rest = by_context(report, measure), by_context(work, measure)
                    # The idle contexts lose what they waited, no other loses anything.
                    idle = collections.Counter({path: whole[path] - rest[path] for path in whole if whole[path] != rest[path]})
                    self.assertTrue(all(amount > 0 for amount in idle.values()), idle)
                    self.assertFalse([path for path in idle if "answer" in path or path.startswith("main")], idle)
                    if measure in ("parked_ns", "wall_ns"):
                        take = sum(ns for path, ns in idle.items() if re.match(r"run;([\w.]+\.)?take", path))
                        self.assert_waited(take, 0.8 * lived, lived, report, waits=11)
                        lend = sum(ns for path, ns in rest.items() if ";answer;lend" in path)
                        self.assert_waited(lend, 0.8 * waited, waited, report, waits=10)
                    if measure in ("native_ns", "wall_ns"):
                        accept = sum(ns for path, ns in idle.items() if "run;listen" in path and "ccept" in path)
                        self.assert_waited(accept, 0.8 * lived, 1.5 * lived, report)
                for measure in ("wall", "parked"):
                    text = self.done("report", self.report, "--measure", measure, "--top", "3").stdout
                    self.assertRegex(text, r"\n +idle +\S+ m?s +\(threads that wait for work; --all ranks them\)")
                    if "--jdk" not in options:
                        first = next(line for line in text[text.index("Hot methods"):].splitlines() if re.match(r" *[\d,.]+ +\S+ % ", line))
                        self.assertRegex(first, r"WaitingServer\.(lend|main)$")


driver.main("copse", sources=[f"programs/{name}.java" for name in ("Entries", "Garbage", "ManyWait", "SpinAndSleep", "WaitingServer", "WaitingThreads")])
