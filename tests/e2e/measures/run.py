#!/usr/bin/env python3
"""Measures beside exact calls: processor time where it was used, as the program's own clocks have it."""

import collections
import itertools
import math
import os
import re
import signal
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS  # noqa: E402

SAMPLE_NS = 10_000_000
PROGRAMS = ("SpinAndSleep", "Leaves", "ShortThreads", "Garbage", "VirtualBursts", "Everything", "ThrowsUntilKilled", "Blocking", "ManyGetters",
            "WaitingThreads", "OwnClock", "ManyWait")


def by_context(report, measure):
    """Path of each context, `main;burn` -> what it has of the measure, exclusively."""
    names, nodes = report["methods"]["name"], report["nodes"]
    paths, amounts = [], collections.Counter()
    for parent, method, amount in zip(nodes["parent"], nodes["method"], nodes[measure]):
        above = paths[parent] if parent >= 0 else ""
        paths.append(";".join(filter(None, (above, names[method]))) if method >= 0 else "")
        amounts[paths[-1]] += amount
    return amounts


def by_method(report, measure):
    amounts = collections.Counter()
    for path, amount in by_context(report, measure).items():
        amounts[path.rpartition(";")[2]] += amount
    return amounts


class Measures(driver.CommandLineTest):
    def profile(self, program, *arguments, options=("--measure", "cpu"), home=None, jvm_options=()):
        """The program's output and the report."""
        command = driver.java_command(program, *arguments, home=home, jvm_options=jvm_options)
        outcome = self.done("run", "-q", *options, "-o", self.report, "--", *command)
        return outcome.stdout, self.load()

    def assert_sampled(self, amount, expected, *context):
        """Within four standard deviations of what samples of an expected time would give, and a tenth of it."""
        deviation = math.sqrt(max(expected, SAMPLE_NS) * SAMPLE_NS)
        self.assertLess(abs(amount - expected), 4 * deviation + 0.1 * expected, (amount, expected, *context))

    def test_processor_time_is_where_it_was_used(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                output, report = self.profile("SpinAndSleep", "400", options=("--measure", "cpu", "--cpu-interval", "1ms"), home=home)
                burned, slept = map(int, output.split())
                used, samples = by_method(report, "cpu_ns"), by_method(report, "cpu_samples")
                self.assert_sampled(used["burn"], burned)
                self.assert_sampled(used["idle"], slept)
                # Going to sleep takes 2 to 3 % by the clock. Of some 200 samples, four standard deviations less than the rest.
                share, count = burned / (burned + slept), samples["burn"] + samples["idle"]
                self.assertGreater(samples["burn"] / count, share - 4 * math.sqrt(share * (1 - share) / count), (output, samples))

    def test_the_sum_is_that_of_the_process_from_its_start(self):
        for home in ARGS.homes:
            for options in (("--measure", "cpu"), ("--measure", "cpu", "--jdk")):
                with self.subTest(home=home, options=options):
                    output, report = self.profile("OwnClock", options=options, home=home)
                    used = by_method(report, "cpu_ns")
                    # What the JVM does between the program's last line and its end is some ms.
                    self.assertLess(abs(used.total() / int(output) - 1), 0.03, (output, used))
                    self.assertTrue(any("ms were used before the recording began" in note for note in report["notes"]), report["notes"])

    def test_engines_of_packets_have_it_there_too(self):
        for home, engine in zip(ARGS.homes, ("parallel", "uptree")):
            with self.subTest(home=home, engine=engine):
                output, report = self.profile("SpinAndSleep", "400", options=("--measure", "cpu", "--engine", engine), home=home)
                burned, slept = map(int, output.split())
                used = by_method(report, "cpu_ns")
                self.assert_sampled(used["burn"], burned)
                self.assert_sampled(used["idle"], slept)
                self.assertGreater(used["burn"], 0.9 * (used["burn"] + used["idle"]))
                self.assertEqual(by_method(report, "calls")["burn"], 400)

    def test_a_leaf_has_its_own_time_with_a_loop_and_without(self):
        for home, engine in ((ARGS.homes[-1], "inline"), (ARGS.homes[0], "parallel")):
            with self.subTest(home=home, engine=engine):
                plain = jvm.run(driver.java_command("Leaves", home=home))
                output, report = self.profile("Leaves", options=("--measure", "cpu", "--engine", engine), home=home)
                self.assertEqual(output, plain.stdout)
                calls = by_method(report, "calls")
                self.assertEqual((calls["step"], calls["loop"], calls["work"]), (400_000_000, 40, 40))
                used = by_method(report, "cpu_ns")
                everything = used.total() - used["(threads without recorded calls)"]
                self.assertGreater(used["loop"], 0.1 * everything, used)
                self.assertGreater(used["step"], 0.1 * everything, used)
                self.assertGreater(used["loop"] + used["step"] + used["steps"], 0.9 * everything, used)

    def test_probes_of_a_getter_have_most_of_the_time_and_the_corrected_is_that_without_them(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                plain = jvm.run(driver.java_command("ManyGetters", "400", home=home))
                got, worked = map(int, plain.stdout.split())
                _, report = self.profile("ManyGetters", "400", options=("--measure", "cpu=corrected", "--cpu-interval", "1ms"), home=home)
                self.assertEqual(by_method(report, "calls")["get"], 400 * 2_000_000 + 2000 * 1000)
                times = {name: by_method(report, name) for name in ("cpu_ns", "cpu_corrected_ns", "cpu_samples", "cpu_corrected_samples")}
                samples = times["cpu_corrected_samples"]
                # Of a quotient of two counts; by the clock of the run without Copse the getters' part is known.
                deviation = math.sqrt(1 / max(1, samples["get"] + samples["getters"]) + 1 / max(1, samples["work"]))
                by_work = {name: (times[name]["get"] + times[name]["getters"]) / times[name]["work"] for name in ("cpu_ns", "cpu_corrected_ns")}
                self.assertGreater(by_work["cpu_ns"], 2 * got / worked, (got, worked, times))
                self.assertLess(by_work["cpu_corrected_ns"], (1 + 4 * deviation) * 1.3 * got / worked, (got, worked, times))
                self.assertGreater(by_work["cpu_corrected_ns"], (1 - 4 * deviation) * 0.7 * got / worked, (got, worked, times))
                # What is no probe's stays.
                self.assertGreater(times["cpu_corrected_samples"]["work"], 0.9 * times["cpu_samples"]["work"], times)
                self.assertTrue(any("Copse's own code" in note for note in report["notes"]), report["notes"])

    def test_a_later_recording_knows_its_probes_as_well(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                options = ("-XX:+EnableDynamicAgentLoading",) if jvm.feature_version(home) >= 21 else ()
                program = self.start(driver.java_command("ManyGetters", "1000000", "ready", home=home, jvm_options=options), "ready")
                for recording in ("first", "second"):
                    self.done("attach", program.pid, "--measure", "cpu=corrected", "--cpu-interval", "1ms", "-d", "3s", "-o", self.report)
                    samples, corrected = (by_method(self.load(), measure) for measure in ("cpu_samples", "cpu_corrected_samples"))
                    got = samples["get"] + samples["getters"]
                    self.assertGreater(got, 20, samples)
                    self.assertLess(corrected["get"] + corrected["getters"], 0.6 * got, (recording, samples, corrected))

    def test_a_program_that_is_interpreted_says_that_its_probes_are_in_the_corrected_time(self):
        for options, expected in ((("-Xint",), True), ((), False)):
            _, report = self.profile("ManyGetters", "0" if options else "50", options=("--measure", "cpu=corrected"), jvm_options=options)
            self.assertEqual(any("No probe was compiled" in note for note in report["notes"]), expected, report["notes"])

    def test_threads_whose_timers_the_system_refuses_are_told_of(self):
        for options in (("--measure", "cpu"), ("--encoder", "segment", "--measure", "cpu")):
            with self.subTest(options=options):
                limited = ["bash", "-c", 'ulimit -i 0; exec "$0" "$@"', *driver.java_command("SpinAndSleep", "20")]
                outcome = self.done("run", *options, "-o", self.report, "--", *limited)
                report = self.load()
                said = r"no processor time was sampled: \d+ threads had no timer, which the system refused \(pending signals, ulimit -i\); " \
                       r"what they used is in \(threads without recorded calls\)"
                self.assertRegex(outcome.stderr, f"(?m)^copse: {said}$")
                self.assertRegex("\n".join(report["notes"]), f"(?mi)^{said}\\.$")
                self.assertEqual(set(by_method(report, "cpu_ns")) - {"(threads without recorded calls)"},
                                 {name for name, used in by_method(report, "cpu_ns").items() if not used}, report)

    def test_a_run_that_is_told_nothing_has_calls_and_processor_time_where_that_costs_no_more(self):
        for option, expected in (("-XX:+UseG1GC", ["cpu_ns", "cpu_samples"]), ("-XX:+UseZGC", [])):
            with self.subTest(option):
                output, report = self.profile("ShortThreads", options=(), jvm_options=(option,))
                self.assertEqual([measure["name"] for measure in report["metrics"]], expected)
                self.assertEqual(any("--measure cpu asks for it" in note for note in report["notes"]), not expected, report["notes"])
                self.assertEqual(report["shown"], "cpu_ns" if expected else "calls")
                self.assertGreater(report["totals"]["calls"], 0)
                if expected:
                    self.assert_sampled(by_method(report, "cpu_ns")["burn"], int(output))
        # Threads and contexts of a summary by time are those of calls; what each group of threads used has a table.
        options = ("--by-thread", "group", "--cpu-interval", "1ms")
        _, report = self.profile("ShortThreads", options=options)
        summary = self.done("report", self.report).stdout
        totals = report["totals"]
        self.assertIn(f"proof: {totals['calls']:,} calls seen = {totals['calls']:,} in nodes + 0 lost", summary)
        self.assertRegex(summary, r"\n  contexts +\d+  \(\d+ with cpu time\)\n")
        groups = re.search(r"\nThreads by cpu time.*\n +cpu time +calls  name\n((?: .*\n)+)", summary).group(1)
        self.assertEqual(sum(int(row.split()[-2].replace(",", "")) for row in groups.splitlines()), totals["calls"], groups)

    def test_counts_are_those_of_a_run_that_measures_calls_alone(self):
        _, alone = self.profile("Leaves", options=("--measure", "calls"))
        _, both = self.profile("Leaves", options=("--measure", "calls,cpu"))
        self.assertEqual(alone["metrics"], [])
        self.assertEqual([measure["name"] for measure in both["metrics"]], ["cpu_ns", "cpu_samples"])
        counted = {path: calls for path, calls in by_context(both, "calls").items() if calls}
        self.assertEqual(counted, {path: calls for path, calls in by_context(alone, "calls").items() if calls})

    def test_threads_that_end_before_a_sample_are_in_the_sum(self):
        for engine in ("inline", "parallel", "uptree"):
            with self.subTest(engine=engine):
                output, report = self.profile("ShortThreads", options=("--measure", "cpu", "--engine", engine))
                self.assertEqual([measure["lost"] for measure in report["metrics"]], [0, 0])
                used = by_method(report, "cpu_ns")
                self.assert_sampled(used["burn"], int(output))

    def test_all_processor_time_of_the_process_is_in_the_report(self):
        _, report = self.profile("Garbage")
        clocks = next(re.search(r"own clocks, ([\d,]+) ms", note) for note in report["notes"] if "clocks" in note)
        used = by_method(report, "cpu_ns")
        others = used["(threads without recorded calls)"]
        self.assertGreater(others, 0)
        self.assertEqual((sum(used.values()) - others) // 1_000_000, int(clocks[1].replace(",", "")))

    def test_contexts_are_right_whatever_moves_the_objects(self):
        for home in ARGS.homes:
            # The default one elsewhere.
            collectors = ["Serial", "Parallel"] if home == ARGS.homes[0] else ["G1"]
            if jvm.feature_version(home) >= 25:
                collectors += ["Z", "Shenandoah"]
            for collector in collectors:
                with self.subTest(home=home, collector=collector):
                    _, report = self.profile("Garbage", home=home, jvm_options=("-Xmx300m", f"-XX:+Use{collector}GC"))
                    contexts = by_context(report, "cpu_ns")
                    contexts.pop("(threads without recorded calls)")
                    below = sum(used for path, used in contexts.items() if path.endswith((";serve;burn", ";serve;make", ";serve")))
                    self.assertGreater(below, 0.95 * sum(contexts.values()), contexts)

    def test_ids_have_their_time_where_it_was_used(self):
        for home, encoder in zip(ARGS.homes, ("segment", "dacce")):
            with self.subTest(home=home, encoder=encoder):
                output, report = self.profile("SpinAndSleep", "400", options=("--encoder", encoder, "--measure", "cpu"), home=home)
                burned, slept = map(int, output.split())
                used = by_method(report, "cpu_ns")
                self.assert_sampled(used["burn"], burned)
                self.assert_sampled(used["idle"], slept)
                self.assertGreater(used["burn"], 0.9 * (used["burn"] + used["idle"]))

    def test_ids_have_time_without_what_their_probes_took(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                _, report = self.profile("ManyGetters", "200", options=("--encoder", "segment", "--measure", "cpu=corrected", "--cpu-interval", "1ms"), home=home)
                self.assertEqual([measure["name"] for measure in report["metrics"]], ["cpu_ns", "cpu_samples", "cpu_corrected_ns", "cpu_corrected_samples"])
                samples, corrected = by_method(report, "cpu_samples"), by_method(report, "cpu_corrected_samples")
                got, all_of_it = (counts["get"] + counts["getters"] for counts in (corrected, samples))
                self.assertLess(got, 0.5 * all_of_it, (corrected, samples))
                left_out = samples["work"] - corrected["work"]
                self.assertLess(left_out, 0.1 * samples["work"] + 4 * math.sqrt(samples["work"]), (corrected, samples))
                used, without = by_context(report, "cpu_ns"), by_context(report, "cpu_corrected_ns")
                self.assertTrue(all(without[context] <= used[context] for context in used))
                self.assertEqual(without["(threads without recorded calls)"], used["(threads without recorded calls)"])
                self.assertTrue(any("Copse's own code" in note for note in report["notes"]), report["notes"])

    def test_ids_of_threads_that_end_before_a_sample_are_in_the_sum(self):
        output, report = self.profile("ShortThreads", options=("--encoder", "segment", "--measure", "cpu"))
        clocks = next(re.search(r"own clocks, ([\d,]+) ms", note) for note in report["notes"] if "clocks" in note)
        used = by_method(report, "cpu_ns")
        others = used["(threads without recorded calls)"]
        self.assertGreater(others, 0)
        self.assertEqual((used.total() - others) // 1_000_000, int(clocks[1].replace(",", "")))
        self.assertEqual([measure["lost"] for measure in report["metrics"]], [0, 0])
        self.assertLess(used["(after the last sample)"], 100e6)
        self.assert_sampled(used["burn"], int(output))

    def test_a_carriers_time_is_the_id_of_the_virtual_thread(self):
        for home in ARGS.homes:
            if jvm.feature_version(home) < 21:
                continue
            with self.subTest(home=home):
                _, report = self.profile("VirtualBursts", options=("--encoder", "segment", "--measure", "cpu"), home=home)
                used = by_context(report, "cpu_ns")
                used.pop("(threads without recorded calls)")
                burned = sum(amount for path, amount in used.items() if path.endswith("task;burn"))
                self.assertGreater(burned, 0.85 * sum(used.values()), used)

    def test_a_carriers_time_is_the_virtual_threads(self):
        for home, engine in itertools.product(ARGS.homes, ("inline", "parallel")):
            if jvm.feature_version(home) < 21:
                continue
            with self.subTest(home=home, engine=engine):
                _, report = self.profile("VirtualBursts", options=("--measure", "cpu,wall", "--engine", engine), home=home)
                used = by_context(report, "cpu_ns")
                used.pop("(threads without recorded calls)")
                burned, ran = (sum(amount for path, amount in times.items() if path.endswith("task;burn"))
                               for times in (used, by_context(report, "running_ns")))
                self.assertGreater(burned, 0.75 * used.total(), used)
                # What is ready to run counts as running, a virtual thread behind its sleep too: on a busy machine that is much.
                self.assertGreater(ran, 0.7 * burned, (by_context(report, "running_ns"), used))

    def test_virtual_threads_are_measured_with_the_jdk_too(self):
        homes = [home for home in ARGS.homes if jvm.feature_version(home) >= 21]
        if not homes:
            self.skipTest("no JDK with virtual threads on this machine")
        for home, engine, collector in itertools.product(homes, ("inline", "parallel"), ("G1", "Z")):
            with self.subTest(home=home, engine=engine, collector=collector):
                options = ("--jdk", "--measure", "calls,cpu,wall", "--engine", engine)
                _, report = self.profile("VirtualBursts", options=options, home=home, jvm_options=(f"-XX:+Use{collector}GC",))
                used = by_context(report, "cpu_ns")
                used.pop("(threads without recorded calls)")
                burned = sum(amount for path, amount in used.items() if path.endswith("task;burn"))
                # The rest is the JDK's, most of it at the start; none is nowhere.
                self.assertGreater(burned, 0.5 * used.total(), used)
                self.assertLess(used["(no recorded caller)"], 0.05 * used.total(), used)
                # What has a processor runs; so does what is ready to run, a virtual thread behind its sleep too.
                running = by_context(report, "running_ns")
                ran = sum(amount for path, amount in running.items() if path.endswith("task;burn"))
                self.assertGreater(ran, 0.7 * burned, (running, used))

    def test_everything_is_measured_in_one_run(self):
        for home, engine in ((ARGS.homes[0], "inline"), (ARGS.homes[-1], "inline"), (ARGS.homes[0], "parallel"), (ARGS.homes[-1], "uptree")):
            with self.subTest(home=home, engine=engine):
                options = ("--measure", "calls,cpu=corrected,wall,alloc,exceptions,locks", "--engine", engine)
                said, report = self.profile("Everything", options=options, home=home)
                alone, with_blocker, waited, slept = map(int, said.split())
                thrown = "fail;throw java.lang.IllegalStateException at Everything.fail:11"
                self.assertEqual([measure["name"] for measure in report["metrics"] if not measure["name"].endswith("_samples")],
                                 ["cpu_ns", "cpu_corrected_ns", "allocated_bytes", "exceptions", "contended_ns", "contentions", "wall_ns", "running_ns",
                                  "native_ns", "blocked_ns", "waiting_ns", "parked_ns", "sleeping_ns"])
                self.assertEqual(set(measure["lost"] for measure in report["metrics"]), {0})
                self.assertEqual(by_method(report, "calls")["deeper"], 500 * 6)
                # Each throw once, though every frame between throws it again.
                self.assertEqual({path: count for path, count in by_context(report, "exceptions").items() if count},
                                 {"main;turn;" + thrown: 500, "main;turn;" + "deeper;" * 6 + thrown: 500})
                allocated = by_context(report, "allocated_bytes")
                self.assertLess(abs(allocated["main;allocate;new long[]"] / (100 * 1000 * 8016) - 1), 0.1, allocated)
                # Three threads by turns: with 20 ms in each, two of them wait.
                contended = by_context(report, "contended_ns")
                found = sum(contended["waits;" + place] for place in ("method;synchronized Everything.class",
                                                                      "block;synchronized java.lang.Object"))
                self.assertGreater(found, 200e6, contended)
                self.assertLess(contended.total() - found, 50e6, contended)
                states = {state: by_method(report, state + "_ns") for state in ("blocked", "waiting", "parked", "sleeping", "wall")}
                for state, method, expected in (("parked", "park", alone), ("parked", "park java.lang.Thread", with_blocker),
                                                ("waiting", "await", waited)):
                    self.assertLess(abs(states[state][method] - expected), 100e6, (state, expected, states[state]))
                asleep = states["sleeping"]["method"] + states["sleeping"]["block"]
                self.assertLess(abs(asleep - slept), 300e6, (slept, states["sleeping"]))
                blocked = states["blocked"]["method"] + states["blocked"]["block"] + states["blocked"]["waits"]
                self.assertGreater(blocked, 150e6, states["blocked"])
                parts = sum(sum(by_method(report, state + "_ns").values()) for state in
                            ("running", "native", "blocked", "waiting", "parked", "sleeping"))
                self.assertEqual(sum(states["wall"].values()), parts)
                looks = sum(by_method(report, state + "_samples").total() for state in
                            ("running", "native", "blocked", "waiting", "parked", "sleeping"))
                self.assertEqual(by_method(report, "wall_samples").total(), looks)
                self.assertGreater(looks, 200)
                # What events were about needs no name to be taken apart, and none of it is a call.
                kinds, names = report["kinds"], report["methods"]["name"]
                objects = {names[method]: (kind, of_class, place) for method, kind, of_class, place in
                           zip(kinds["method"], kinds["kind"], kinds["class"], kinds["place"])}
                for name, known in (("throw java.lang.IllegalStateException at Everything.fail:11",
                                     ("exception", "java.lang.IllegalStateException", "Everything.fail:11")),
                                    ("new long[]", ("allocation", "long[]", "")), ("park java.lang.Thread", ("parked", "java.lang.Thread", "")),
                                    ("synchronized Everything.class", ("contention", "Everything.class", ""))):
                    self.assertEqual(objects[name], known)
                calls = by_method(report, "calls")
                self.assertEqual([name for name in objects if calls[name]], [])
                told = self.done("query", self.report, "SELECT class, sum(exceptions) FROM kinds WHERE kind = 'exception' GROUP BY class",
                                 "--format", "csv").stdout
                self.assertEqual(told, "class,sum(exceptions)\njava.lang.IllegalStateException,1000\n")

    def test_time_by_the_wall_clock_passes_for_a_thread_that_sleeps_too(self):
        output, report = self.profile("SpinAndSleep", "150", "wall", options=("--measure", "wall"))
        burned, slept = map(int, output.split())
        wall, samples = by_method(report, "wall_ns"), by_method(report, "wall_samples")
        work, looks = wall["burn"] + wall["idle"], samples["burn"] + samples["idle"]
        self.assertGreater(work, 0.8 * wall.total(), wall)
        # Of 1.5 s; where a look takes its share of a busy machine there are fewer.
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
                self.assertEqual(output, "10\n")
                states = {state: by_context(report, state + "_ns") for state in ("blocked", "sleeping", "parked", "waiting")}
                # Ten times half a second each; more where starting the threads takes time, or going on does.
                for state, method in (("blocked", "enter"), ("sleeping", "nap"), ("parked", "park"), ("parked", "parkFor"), ("waiting", "await")):
                    found = sum(amount for path, amount in states[state].items() if f";waits;{method};" in f";{path};")
                    self.assertLess(abs(found - 5e9), 1e9, (state, method, states[state]))

    def test_many_threads_that_wait_have_their_time_and_cost_little(self):
        threads = 900
        for home in ARGS.homes:
            with self.subTest(home=home):
                output, report = self.profile("ManyWait", threads, "4000", options=("--measure", "calls,wall"), home=home)
                used, passed = map(int, output.split())
                self.assertLess(used, 0.04 * passed)
                for state, way in (("parked", "park;park java.lang.Object"), ("sleeping", "sleep"), ("waiting", "await")):
                    times = by_context(report, state + "_ns")
                    found = sum(time for path, time in times.items() if path.endswith(";" + way)) / (threads / 3)
                    # All of them from before the four seconds on until after them.
                    self.assertGreater(found, 4000e6, (state, times))
                    self.assertLess(found, 4000e6 + 4000e6, (state, times))
                    self.assertLess(times.total() - found * threads / 3, 0.2 * times.total(), (state, times))

    def test_ids_have_time_by_the_wall_clock_by_states_too(self):
        for home, encoder in zip(ARGS.homes, ("segment", "dacce")):
            with self.subTest(home=home, encoder=encoder):
                said, report = self.profile("Everything", options=("--encoder", encoder, "--measure", "wall,locks"), home=home)
                alone, with_blocker, waited, slept = map(int, said.split())
                self.assertEqual([measure["name"] for measure in report["metrics"] if not measure["name"].endswith("_samples")],
                                 ["wall_ns", "running_ns", "native_ns", "blocked_ns", "waiting_ns", "parked_ns", "sleeping_ns", "contended_ns",
                                  "contentions"])
                self.assertEqual(set(measure["lost"] for measure in report["metrics"]), {0})
                states = {state: by_context(report, state + "_ns") for state in ("running", "native", "blocked", "waiting", "parked", "sleeping", "wall")}
                for state, context, expected in (("parked", "main;park", alone + with_blocker), ("waiting", "main;await", waited)):
                    self.assertLess(abs(states[state][context] - expected), 100e6, (state, expected, states[state]))
                asleep = states["sleeping"]["waits;method"] + states["sleeping"]["waits;block"]
                self.assertLess(abs(asleep - slept), 300e6, (slept, states["sleeping"]))
                blocked = states["blocked"]["waits;method"] + states["blocked"]["waits;block"] + states["blocked"]["waits"]
                self.assertGreater(blocked, 150e6, states["blocked"])
                whole = states.pop("wall")
                for context in whole:
                    self.assertEqual(sum(of_state[context] for of_state in states.values()), whole[context], context)
                looks = sum(by_method(report, state + "_samples").total() for state in states)
                self.assertEqual(by_method(report, "wall_samples").total(), looks)
                self.assertGreater(looks, 200)

    def test_ids_of_locks_have_time_parked_and_of_no_other_state(self):
        said, report = self.profile("Everything", options=("--encoder", "segment", "--measure", "locks"))
        self.assertEqual([measure["name"] for measure in report["metrics"]], ["contended_ns", "contentions", "parked_ns", "parked_samples"])
        parked = by_context(report, "parked_ns")
        self.assertLess(abs(parked["main;park"] - sum(map(int, said.split()[:2]))), 100e6, parked)

    def test_an_event_file_has_what_the_wall_clock_told(self):
        events = self.path("wall.events")
        _, report = self.profile("Everything", options=("--encoder", "segment", "--measure", "wall", "--event-file", events))
        again = self.path("again.json")
        self.done("events", events, "--report", again)
        for measure in ("wall_ns", "waiting_ns", "sleeping_ns"):
            self.assertEqual(+by_context(self.load(again), measure), +by_context(report, measure))
        lines = self.done("events", events, "--kind", "waiting", "--format", "lines").stdout.splitlines()[1:]
        self.assertTrue(lines)
        self.assertEqual({line.split("\t")[1] for line in lines if "Everything.await" in line}, {"main"}, lines)

    def test_ids_of_virtual_threads_have_the_time_of_their_carriers(self):
        homes = [home for home in ARGS.homes if jvm.feature_version(home) >= 21]
        if not homes:
            self.skipTest("no JDK with virtual threads on this machine")
        _, report = self.profile("VirtualBursts", options=("--encoder", "segment", "--measure", "wall"), home=homes[-1])
        running = by_context(report, "running_ns")
        burned = sum(amount for path, amount in running.items() if path.endswith("task;burn"))
        self.assertGreater(burned, 0.5 * running.total(), running)

    def test_a_snapshot_and_a_recording_that_began_late_have_measures_too(self):
        program = self.start(driver.java_command("ShortThreads", "ready"), "ready")
        self.done("attach", program.pid, "--measure", "cpu=corrected,alloc,locks", "-o", self.report)
        self.done("dump", program.pid, "-o", self.path("so-far.json"))
        program.wait()
        for name in ("so-far.json", "report.json"):
            names = [measure["name"] for measure in self.load(name)["metrics"]]
            self.assertEqual(names, ["cpu_ns", "cpu_samples", "cpu_corrected_ns", "cpu_corrected_samples", "allocated_bytes",
                                     "allocation_samples", "contended_ns", "contentions", "parked_ns", "parked_samples"])
        self.assertGreater(by_method(self.load(), "cpu_ns")["burn"], 100e6)
        self.assert_is_so_far(self.load("so-far.json"))
        # The process had begun long before.
        self.assertFalse(any("before the recording began" in note for note in self.load()["notes"]))

    def assert_is_so_far(self, report):
        for words in ("(threads without recorded calls), is known at the end of a recording alone", "up to a second before"):
            self.assertTrue(any(words in note for note in report["notes"]), report["notes"])

    def test_a_program_that_is_killed_leaves_its_measures(self):
        for engine in ("inline", "parallel", "uptree"):
            options = ("--measure", "cpu,wall,alloc,exceptions,locks", "--engine", engine)
            with self.subTest(engine=engine):
                command = [ARGS.copse, "run", "-q", *options, "-o", self.report, "--", *driver.java_command("ThrowsUntilKilled")]
                process = self.start(command, "ready")
                thrown = 0
                while thrown < 100:
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

    def test_a_program_that_is_killed_leaves_what_it_allocated_up_to_the_last_tenth_of_a_second(self):
        command = [ARGS.copse, "run", "-q", "--measure", "calls,alloc=exact", "-o", self.report, "--",
                   *driver.java_command("ThrowsUntilKilled")]
        process = self.start(command, "ready")
        thrown = 0
        while thrown < 40000:  # some seconds
            thrown, pid = map(int, process.stdout.readline().split())
        os.kill(pid, signal.SIGKILL)
        process.stdout.read()
        process.wait()
        report = self.load()
        made = by_context(report, "allocations")["main;turn;fail;new ThrowsUntilKilled$Mine"]
        calls = by_context(report, "calls")["main;turn;fail"]
        # Tables are emptied ten times a second, by a thread that may have to wait for a processor.
        self.assertLessEqual(made, calls + 1)
        self.assertGreater(made, 0.3 * calls)

    def test_threads_that_start_and_end_have_all_measures_and_come_to_no_harm(self):
        for home, engine in itertools.product(ARGS.homes, ("inline", "parallel")):
            with self.subTest(home=home, engine=engine):
                exact = "alloc=exact" if engine == "inline" else "alloc"
                options = ("--measure", f"calls,cpu=corrected,wall,{exact},exceptions,locks", "--cpu-interval", "1ms", "--engine", engine)
                _, report = self.profile("ShortThreads", home=home, options=options, jvm_options=("-Xcheck:jni",) if engine == "inline" else ())
                self.assertEqual(set(measure["lost"] for measure in report["metrics"]), {0})
                self.assertEqual([by_method(report, "calls")[method] for method in ("serve", "burn")], [4000, 4000])
                used = by_method(report, "cpu_ns")
                self.assertGreater(used["burn"], 0.5 * (used.total() - used["(threads without recorded calls)"]), used)

    def test_signals_interrupt_nothing_that_the_program_does(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                plain = jvm.run(driver.java_command("Blocking", home=home))
                output, report = self.profile("Blocking", options=("--measure", "cpu,wall", "--cpu-interval", "1ms"), home=home)
                self.assertEqual((plain.status, output), (0, plain.stdout))
                self.assertGreater(by_method(report, "cpu_samples")["burn"], 20)

    def test_a_flight_recording_beside_us_has_its_samples_and_we_ours(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                recording = self.path("run.jfr")
                settings = [f"filename={recording}", "settings=profile"]
                if jvm.feature_version(home) >= 25:
                    settings.append("jdk.CPUTimeSample#enabled=true")
                _, report = self.profile("Garbage", home=home, jvm_options=("-XX:StartFlightRecording=" + ",".join(settings),
                                                                           "-Xlog:jfr+startup=off"))
                used = by_method(report, "cpu_ns")
                self.assertGreater(used["burn"] + used["make"], 0.9 * (used.total() - used["(threads without recorded calls)"]), used)
                summary = jvm.run([driver.tool("jfr", home), "summary", recording]).stdout
                samples = {name: int(count) for name, count in re.findall(r"jdk\.(\w+Sample) +(\d+)", summary)}
                self.assertGreater(max(samples.get("ExecutionSample", 0), samples.get("CPUTimeSample", 0)), 10, summary)

    def test_contexts_hang_below_their_threads_when_asked_for(self):
        _, groups = self.profile("ShortThreads", options=("--by-thread", "group", "--measure", "cpu"))
        _, each = self.profile("ShortThreads", options=("--by-thread", "each"))
        calls = {name: by_context(report, "calls") for name, report in (("groups", groups), ("each", each))}
        self.assertEqual(calls["groups"]["[server-*];serve"], 20 * 200)
        self.assertEqual(calls["each"]["[server-7];serve"], 20)
        self.assertEqual(calls["groups"]["[main];main"], 1)
        self.assertEqual(groups["totals"]["calls"], each["totals"]["calls"])
        # What a thread uses outside recorded code is its group's, and not nobody's.
        self.assertLess(by_context(groups, "cpu_ns")["(no recorded caller)"], 50e6)
        # Only of threads that made a recorded call.
        self.assertNotIn("[Finalizer]", calls["groups"])
        part = self.path("part.json")
        self.done("report", self.report, "--thread", "server-1*", "-o", part)
        self.assertEqual(by_context(self.load(part), "calls").total(), 2 * 20 * 111)
        self.assert_one_line(self.copse("report", self.report, "--thread", "pool-*"), 1, "--thread", "matched nothing")

    def test_mistakes_get_one_line_that_says_what_to_do(self):
        command = driver.java_command("Leaves")
        for options, words in ((("--measure", "walks"), ("--measure", "walks", "cpu")),
                               (("--measure", "calls,cpu", "--encoder", "segment"), ("--measure", "calls", "--encoder")),
                               (("--measure", "cpu", "--encoder", "pcc"), ("--measure", "--encoder segment")),
                               (("--measure", "cpu", "--engine", "uptree", "--event-every", "3"), ("--measure", "--event-every")),
                               (("--measure", "calls", "--cpu-interval", "5ms"), ("--cpu-interval", "--measure cpu"))):
            with self.subTest(options=options):
                self.assert_one_line(self.copse("run", *options, "-o", self.report, "--", *command), 2, *words)


driver.main("copse", sources=[f"programs/{name}.java" for name in PROGRAMS])
