#!/usr/bin/env python3
"""Processor time where it was used, as the program's own clocks have it."""

import collections
import json
import math
import os
import re
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS  # noqa: E402
from measuring import by_context, by_method, MeasuresTest, OFTEN, OTHER_THREADS, ROUNDS, SAMPLE_NS, TICK_NS  # noqa: E402


class ProcessorTime(MeasuresTest):
    def test_processor_time_is_where_it_was_used(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                output, report = self.profile("SpinAndSleep", "400", options=("--measure", "cpu", *OFTEN), home=home)
                burned, slept = map(int, output.split())
                used, samples = by_method(report, "cpu_ns"), by_method(report, "cpu_samples")
                self.assert_sampled(used["burn"], burned)
                self.assert_sampled(used["idle"], slept)
                # Going to sleep takes 2 to 3 % by the clock. Of some 200 samples, four standard deviations less than the rest.
                share, count = burned / (burned + slept), samples["burn"] + samples["idle"]
                self.assertGreater(samples["burn"] / count, share - 4 * math.sqrt(share * (1 - share) / count), (output, samples))

    def test_the_sum_is_that_of_the_process_from_its_start(self):
        for home, options in zip(ARGS.homes, (("--measure", "cpu", "--jdk"), ("--measure", "cpu"))):
            with self.subTest(home=home, options=options):
                output, report = self.profile("OwnClock", options=options, home=home)
                used = by_method(report, "cpu_ns")
                # Between the program's last line and its end, the JVM uses some ms.
                self.assertLess(abs(used.total() / int(output) - 1), 0.03, (output, used))
                self.assertTrue(any(note.startswith("JVM start-up took ") for note in report["notes"]), report["notes"])

    def test_says_how_long_threads_waited_for_a_processor(self):
        allowed = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {min(allowed)})
        try:
            _, report = self.profile("OwnClock")
        finally:
            os.sched_setaffinity(0, allowed)
        waited = re.search(r"threads waited ([\d,.]+) times as long for a processor as they ran", " ".join(report["notes"]))
        self.assertGreater(float(waited[1].replace(",", "")), 1, "eight threads on one processor")

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
        printed = jvm.run(driver.java_command("Leaves")).stdout
        for home, engine in ((ARGS.homes[-1], "inline"), (ARGS.homes[0], "parallel")):
            with self.subTest(home=home, engine=engine):
                output, report = self.profile("Leaves", options=("--measure", "cpu", *OFTEN, "--engine", engine), home=home)
                self.assertEqual(output, printed)
                calls = by_method(report, "calls")
                self.assertEqual((calls["step"], calls["loop"], calls["work"]), (60_000_000, 6, 6))
                used = by_method(report, "cpu_ns")
                everything = used.total() - used["(threads without recorded calls)"]
                self.assertGreater(used["loop"], 0.1 * everything, used)
                self.assertGreater(used["step"], 0.1 * everything, used)
                self.assertGreater(used["loop"] + used["step"] + used["steps"], 0.9 * everything, used)

    # Settings of the compilers that change what is inlined where.
    INLINING = ("", "-XX:-Inline", "-XX:MaxInlineLevel=1", "-XX:MaxInlineLevel=2", "-XX:MaxInlineSize=10 -XX:FreqInlineSize=60",
                "-XX:FreqInlineSize=1000 -XX:MaxInlineSize=200", "-XX:InlineSmallCode=50000 -XX:FreqInlineSize=2000", "-XX:-TieredCompilation",
                "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:+UseParallelGC", "-XX:+UseZGC")

    def test_callees_have_their_time_whatever_is_inlined_where(self):
        for i, settings in enumerate(self.INLINING):
            for encoder in ((), ("--encoder", "segment"))[:1 if i % 4 else 2]:
                with self.subTest(settings=settings, encoder=encoder):
                    home = ARGS.homes[i % len(ARGS.homes)]
                    output, report = self.profile("Inlined", "800", options=("--measure", "cpu", *OFTEN, *encoder), home=home,
                                                  jvm_options=settings.split())
                    self.assert_callees_have_their_time(output, by_method(report, "cpu_ns"), least=0.2 if "-Inline" in settings else 0.5)

    def assert_callees_have_their_time(self, output, used, least):
        """Nearly what the program's clock says, less what the loops around the calls take, and the probes."""
        times = {name: int(ns) for name, ns in map(str.split, output.splitlines())}
        for name, ns in times.items():
            deviation = math.sqrt(ns * TICK_NS)
            self.assertGreater(used[name], least * ns - 4 * deviation, (name, times, used))
            self.assertLess(used[name], 1.1 * ns + 4 * deviation, (name, times, used))
        self.assertGreater(sum(used[name] for name in times), least * sum(times.values()), (times, used))

    def test_shares_of_callees_are_those_of_the_flight_recorder_in_a_run_without_probes(self):
        for home, settings in zip(ARGS.homes, ("", "-XX:MaxInlineLevel=2")):
            with self.subTest(home=home, settings=settings):
                recording = os.path.join(self.folder, "bare.jfr")
                jvm.run(driver.java_command("Inlined", "3000", home=home, jvm_options=(
                    *settings.split(), "-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints", f"-XX:StartFlightRecording=settings=profile,filename={recording}")))
                printed = jvm.run([os.path.join(home, "bin", "jfr"), "print", "--json", "--events", "jdk.ExecutionSample", "--stack-depth", "16", recording])
                frames = [event["values"]["stackTrace"]["frames"] for event in json.loads(printed.stdout)["recording"]["events"]]
                found = collections.Counter(next((frame["method"]["name"] for frame in stack if frame["method"]["type"]["name"].startswith("Inlined")), "")
                                            for stack in frames)
                output, report = self.profile("Inlined", "3000", options=("--measure", "cpu", *OFTEN), home=home, jvm_options=settings.split())
                ours = by_method(report, "cpu_samples")
                names = [line.split()[0] for line in output.splitlines()]
                totals = [sum(counts[name] for name in names) for counts in (found, ours)]
                self.assertGreater(min(totals), 50, (found, ours))
                for name in names:
                    shares = [counts[name] / total for counts, total in zip((found, ours), totals)]
                    deviation = math.sqrt(sum(share * (1 - share) / total for share, total in zip(shares, totals)))
                    self.assertLess(abs(shares[0] - shares[1]), 4 * deviation + 0.05, (name, found, ours))

    def test_loops_have_their_time_with_collectors_that_keep_no_safepoint_in_them(self):
        for home, collector in zip(ARGS.homes, ("Serial", "Parallel")):
            for options in (OFTEN, ("--encoder", "segment", *OFTEN), ("--measure", "wall")):
                with self.subTest(home=home, collector=collector, options=options):
                    _, report = self.profile("Loops", options=options, home=home, jvm_options=(f"-XX:+Use{collector}GC",))
                    used = by_method(report, "wall_ns" if "wall" in options else "cpu_ns")
                    loops = ("leaf", "early", "late", "between")
                    in_all = sum(used[method] for method in (*loops, "tick", "round"))
                    for method in loops:
                        self.assert_sampled(used[method], in_all / len(loops), used, sample_ns=TICK_NS)

    def getters_by_work(self, home):
        got, worked = map(int, jvm.run(driver.java_command("ManyGetters", "600", home=home)).stdout.split())
        return got / worked

    def test_probes_of_a_getter_have_much_of_the_time_and_the_corrected_is_that_without_them(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                # Two runs without Copse, since a busy machine slows the two parts down differently.
                truth = [self.getters_by_work(home)]
                _, report = self.profile("ManyGetters", "600", options=("--measure", "cpu=corrected", *OFTEN), home=home)
                truth.append(self.getters_by_work(home))
                self.assertEqual(by_method(report, "calls")["get"], 600 * 2_000_000 + 2000 * 1000)
                times = {name: by_method(report, name) for name in ("cpu_ns", "cpu_corrected_ns", "cpu_samples", "cpu_corrected_samples")}
                samples = times["cpu_corrected_samples"]
                # Deviation of a quotient of two counts. The getters' part is known by the clock of the run without Copse.
                deviation = math.sqrt(1 / max(1, samples["get"] + samples["getters"]) + 1 / max(1, samples["work"]))
                by_work = {name: (times[name]["get"] + times[name]["getters"]) / times[name]["work"] for name in ("cpu_ns", "cpu_corrected_ns")}
                # Twice to five times the truth, by processor and JVM; some 300 samples.
                self.assertGreater(by_work["cpu_ns"], 1.3 * min(truth), (truth, times))
                # Compilers differ from run to run in a loop that is no longer vectorized.
                self.assertLess(by_work["cpu_corrected_ns"], (1 + 4 * deviation) * 1.6 * max(truth), (truth, times))
                self.assertGreater(by_work["cpu_corrected_ns"], (1 - 4 * deviation) * 0.6 * min(truth), (truth, times))
                # Samples outside probes stay.
                self.assertGreater(times["cpu_corrected_samples"]["work"], 0.9 * times["cpu_samples"]["work"], times)
                self.assertTrue(any("Copse's own code" in note for note in report["notes"]), report["notes"])

    def test_a_later_recording_knows_its_probes_as_well(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                options = ("-XX:+EnableDynamicAgentLoading",) if jvm.feature_version(home) >= 21 else ()
                program = self.start(driver.java_command("ManyGetters", "1000000", "ready", home=home, jvm_options=options), "ready")
                for recording in ("first", "second"):
                    self.done("attach", program.pid, "--measure", "cpu=corrected", *OFTEN, "-d", "3s", "-o", self.report)
                    samples, corrected = (by_method(self.load(), measure) for measure in ("cpu_samples", "cpu_corrected_samples"))
                    got = samples["get"] + samples["getters"]
                    self.assertGreater(got, 20, samples)
                    self.assertLess(corrected["get"] + corrected["getters"], 0.6 * got, (recording, samples, corrected))

    def test_a_program_that_is_interpreted_says_that_its_probes_are_in_the_corrected_time(self):
        for program, options, expected in ((("SpinAndSleep", "20"), ("-Xint",), True), (("ManyGetters", "10"), (), False)):
            _, report = self.profile(*program, options=("--measure", "cpu=corrected"), jvm_options=options)
            self.assertEqual(any("No probe was compiled" in note for note in report["notes"]), expected, report["notes"])

    def test_time_in_native_code_is_told_apart_and_shares_are_those_of_a_sampler_beside_which_nothing_has_probes(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                report = self.native_work(home)
                self.assert_native_is_told_apart(report)
                samples = os.path.join(self.folder, "samples")
                jvm.run(driver.java_command("NativeWork", home=home, jvm_options=(f"-agentpath:{ARGS.sampler}=out={samples}",)))
                with open(samples, encoding="utf-8") as file:
                    missed, *rows = file.read().splitlines()
                found = collections.Counter({row.split()[0].rpartition(".")[2]: int(row.split()[1]) for row in rows})
                self.assertRegex(missed, r"^# \d+ samples, \d+ without stack, 0 without room$")
                ours = by_method(report, "cpu_samples")
                both = [(counts["burn"], counts["burn"] + counts["pack"]) for counts in (found, ours)]
                self.assertGreater(min(burned for burned, _ in both), 20, (found, ours))
                shares = [burned / all_samples for burned, all_samples in both]
                deviation = math.sqrt(sum(share * (1 - share) / count for share, (_, count) in zip(shares, both)))
                self.assertLess(abs(shares[0] - shares[1]), 4 * deviation + 0.03, (found, ours))

    def test_ids_have_time_in_native_code_told_apart(self):
        self.assert_native_is_told_apart(self.native_work(ARGS.homes[-1], "--encoder", "segment"))

    def native_work(self, home, *options):
        return self.profile("NativeWork", options=(*options, "--measure", "cpu=native", *OFTEN), home=home)[1]

    def assert_native_is_told_apart(self, report):
        self.assertEqual([measure["name"] for measure in report["metrics"]], ["cpu_ns", "cpu_samples", "cpu_native_ns", "cpu_native_samples"])
        samples, native = by_method(report, "cpu_samples"), by_method(report, "cpu_native_samples")
        self.assertGreater(min(samples["burn"], samples["pack"]), 20, samples)
        self.assertGreater(native["pack"], 0.9 * samples["pack"], (samples, native))
        # Code compiled a moment ago is not known to be Java's yet, and a thread may be stopped where the JVM waits.
        self.assertLess(native["burn"], 0.1 * samples["burn"] + 4 * math.sqrt(samples["burn"]), (samples, native))
        used, in_native = by_context(report, "cpu_ns"), by_context(report, "cpu_native_ns")
        self.assertTrue(all(in_native[context] <= used[context] for context in used), (used, in_native))
        self.assertEqual(in_native["(threads without recorded calls)"], 0)

    def test_threads_whose_timers_the_system_refuses_are_told_of(self):
        for command in ("run", "ids"):
            with self.subTest(command=command):
                limited = ["bash", "-c", 'ulimit -i 0; exec "$0" "$@"', *driver.java_command("SpinAndSleep", "20")]
                outcome = self.done(command, "--measure", "cpu", "-o", self.report, "--", *limited)
                report = self.load()
                said = r"no CPU time was sampled: \d+ threads had no timer, which the system refused \(pending signals, ulimit -i\); " \
                       r"what they used is in \(threads without recorded calls\)"
                self.assertRegex(outcome.stderr, f"(?m)^copse: {said}$")
                self.assertRegex("\n".join(report["notes"]), f"(?mi)^{said}\\.$")
                self.assertEqual(set(by_method(report, "cpu_ns")) - {"(threads without recorded calls)"},
                                 {name for name, used in by_method(report, "cpu_ns").items() if not used}, report)

    def test_a_run_that_is_told_nothing_has_calls_and_processor_time_where_that_costs_no_more(self):
        for option, expected in (("-XX:+UseG1GC", ["cpu_ns", "cpu_samples"]), ("-XX:+UseZGC", [])):
            with self.subTest(option):
                output, report = self.profile("ShortThreads", ROUNDS, options=(), jvm_options=(option,))
                self.assertEqual([measure["name"] for measure in report["metrics"]], expected)
                self.assertEqual(any("--measure cpu asks for it" in note for note in report["notes"]), not expected, report["notes"])
                self.assertEqual(report["shown"], "cpu_ns" if expected else "calls")
                self.assertGreater(report["totals"]["calls"], 0)
                if expected:
                    self.assert_sampled(by_method(report, "cpu_ns")["burn"], int(output))
        # Threads and contexts of a summary by time are those of calls; what each group of threads used is in the table of threads.
        _, report = self.profile("ShortThreads", ROUNDS, options=("--by-thread", "group", *OFTEN))
        summary = self.done("report", self.report).stdout
        totals = report["totals"]
        self.assertIn(f"proof: {totals['calls']:,} calls seen = {totals['calls']:,} in nodes + 0 lost", summary)
        self.assertRegex(summary, r"\n  contexts +\d+  called, \d+ with cpu time\n")
        groups = re.search(r"\nThreads\n +cpu time +threads +calls  name\n((?: .*\n)+)", summary).group(1).splitlines()
        self.assertEqual(sum(int(row.split()[-2].replace(",", "")) for row in groups), totals["calls"], groups)
        # A sample may meet a thread that makes no calls: one of the JDK's.
        names, nodes = report["methods"]["name"], report["nodes"]
        threads = {names[method] for method in nodes["method"] if method >= 0 and names[method].startswith("[")}
        self.assertEqual("\nThreads by cpu time" in summary, len(threads) > len(groups), "one table, unless it does not have all")

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
                output, report = self.profile("ShortThreads", ROUNDS, options=("--measure", "cpu", *OFTEN, "--engine", engine))
                self.assert_few_lost(report)
                used = by_method(report, "cpu_ns")
                self.assert_sampled(used["burn"], int(output), sample_ns=TICK_NS)

    def test_contexts_are_right_whatever_moves_the_objects_and_all_time_of_the_process_is_there(self):
        for home in ARGS.homes:
            collectors = ["Serial", "Parallel", "G1"]
            if jvm.feature_version(home) >= 25:
                collectors += ["Z", "Shenandoah"]
            for collector in collectors:
                with self.subTest(home=home, collector=collector):
                    _, report = self.profile("Garbage", 40, home=home, jvm_options=("-Xmx300m", f"-XX:+Use{collector}GC"))
                    contexts = by_context(report, "cpu_ns")
                    self.assertGreater(contexts.pop(OTHER_THREADS), 0)
                    clocks = next(re.search(r"own clocks, ([\d,]+) ms", note) for note in report["notes"] if "clocks" in note)
                    self.assertEqual(contexts.total() // 1_000_000, int(clocks[1].replace(",", "")))
                    below = sum(used for path, used in contexts.items() if path.endswith((";serve;burn", ";serve;make", ";serve")))
                    # Starting and ending is less than a twentieth: within four standard deviations.
                    elsewhere, expected = contexts.total() - below, 0.05 * contexts.total()
                    self.assertLess(elsewhere, expected + 4 * math.sqrt(expected * SAMPLE_NS), contexts)
                    names, nodes = report["methods"]["name"], report["nodes"]
                    other = next(row for row, method in enumerate(nodes["method"]) if names[method] == OTHER_THREADS)
                    parts = {names[nodes["method"][row]]: amount for row, amount in enumerate(nodes["cpu_ns"])
                             if nodes["parent"][row] == other}
                    self.assertGreater(parts["(JIT compilers)"], 0, parts)
                    # The serial collector works in the VM thread.
                    self.assertEqual("(garbage collectors)" in parts, collector != "Serial", parts)
                    self.assertLessEqual(set(parts), {"(JIT compilers)", "(garbage collectors)", "(Copse)"})

    def test_a_carriers_time_is_the_virtual_threads(self):
        for home in ARGS.homes:
            if jvm.feature_version(home) < 21:
                continue
            with self.subTest(home=home):
                _, report = self.profile("VirtualBursts", options=("--measure", "cpu,wall", "--engine", "parallel"), home=home)
                used = by_context(report, "cpu_ns")
                used.pop("(threads without recorded calls)")
                burned, ran = (sum(amount for path, amount in times.items() if path.endswith("task;burn"))
                               for times in (used, by_context(report, "runnable_ns")))
                self.assertGreater(burned, 0.75 * used.total(), used)
                # Ready threads are runnable, a virtual thread behind its sleep too: on a busy machine that is much.
                self.assertGreater(ran, 0.7 * burned, (by_context(report, "runnable_ns"), used))

    def test_virtual_threads_are_measured_with_the_jdk_too(self):
        homes = [home for home in ARGS.homes if jvm.feature_version(home) >= 21]
        if not homes:
            self.lack("no JDK with virtual threads on this machine")
        for home in homes:
            with self.subTest(home=home):
                options = ("--jdk", "--measure", "calls,cpu,wall", "--engine", "inline")
                _, report = self.profile("VirtualBursts", options=options, home=home, jvm_options=("-XX:+UseZGC",))
                used = by_context(report, "cpu_ns")
                used.pop("(threads without recorded calls)")
                burned = sum(amount for path, amount in used.items() if path.endswith("task;burn"))
                # The rest is the JDK's, most of it at the start; none is nowhere.
                self.assertGreater(burned, 0.5 * used.total(), used)
                self.assertLess(used["(no recorded caller)"], 0.05 * used.total(), used)
                # A thread with a processor runs; so does one that is ready to run, a virtual thread behind its sleep too.
                running = by_context(report, "runnable_ns")
                ran = sum(amount for path, amount in running.items() if path.endswith("task;burn"))
                self.assertGreater(ran, 0.7 * burned, (running, used))

    def test_signals_interrupt_nothing_that_the_program_does(self):
        plain = jvm.run(driver.java_command("Blocking"))
        for home in ARGS.homes:
            with self.subTest(home=home):
                output, report = self.profile("Blocking", options=("--measure", "cpu,wall", *OFTEN), home=home)
                self.assertEqual((plain.status, output), (0, plain.stdout))
                self.assertGreater(by_method(report, "cpu_samples")["burn"], 20)

    def test_a_flight_recording_beside_us_has_its_samples_and_we_ours(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                recording = self.path("run.jfr")
                settings = [f"filename={recording}", "settings=profile"]
                if jvm.feature_version(home) >= 25:
                    settings.append("jdk.CPUTimeSample#enabled=true")
                _, report = self.profile("Garbage", 60, home=home, jvm_options=("-XX:StartFlightRecording=" + ",".join(settings),
                                                                           "-Xlog:jfr+startup=off"))
                used = by_method(report, "cpu_ns")
                self.assertGreater(used["burn"] + used["make"], 0.9 * (used.total() - used["(threads without recorded calls)"]), used)
                summary = jvm.run([driver.tool("jfr", home), "summary", recording]).stdout
                samples = {name: int(count) for name, count in re.findall(r"jdk\.(\w+Sample) +(\d+)", summary)}
                self.assertGreater(max(samples.get("ExecutionSample", 0), samples.get("CPUTimeSample", 0)), 10, summary)


PROGRAMS = ("Blocking", "Garbage", "Inlined", "Leaves", "Loops", "ManyGetters", "NativeWork", "OwnClock", "ShortThreads",
            "SpinAndSleep", "VirtualBursts")
driver.main("copse", "sampler", sources=[f"programs/{name}.java" for name in PROGRAMS])
