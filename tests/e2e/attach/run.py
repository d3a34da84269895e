#!/usr/bin/env python3
"""Copse comes to a JVM that runs, tells what it has so far, and goes: exact counts of what was called in
between, and a program that notices nothing. Reports replaced while the program runs."""

import os
import pathlib
import signal
import subprocess
import sys
import time

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from attaching import added, AttachTest, calls_of_steps, is_snapshot, Program  # noqa: E402
from driver import ARGS  # noqa: E402


class Attach(AttachTest):
    def test_counts_what_is_called_between_attach_and_detach(self):
        for home, engine in driver.crossed(ARGS.homes, ("inline", "parallel", "uptree")):
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
                snapshot, final = self.load("some.json"), self.load("all.json")
                for report, expected in ((snapshot, some), (final, every)):
                    self.assert_calls(report, expected)
                    self.assertEqual(report["totals"]["calls_lost"], 0)
                    self.assertTrue(any("attached" in note for note in report["notes"]))
                self.assertEqual((is_snapshot(snapshot), is_snapshot(final)), (True, False))
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
                    self.assert_calls(self.load(f"{rounds}.json"), added(calls_of_steps(rounds), calls_of_steps(5)))
                self.assertEqual(program.end()[0], 0)

    def test_frames_of_an_earlier_recording_count_in_the_one_that_runs(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                program = self.program(home)
                for attach, ask, steps in ((1, "hold", 100), (2, "held", 200000), (3, "held", 30)):
                    self.done("attach", "-o", f"{attach}.json", program.pid)
                    program.ask(f"{ask} {steps}")
                    self.done("detach", program.pid)
                    program.ask("held 9")
                    calls = calls_of_steps(steps)
                    del calls["steps"]
                    if ask == "hold":
                        calls["hold"] = 1
                    self.assert_calls(self.load(f"{attach}.json"), calls)
                self.assertEqual(program.end()[0], 0)

    # Each is once the first, and once behind each other one.
    ORDERS = (("alloc", "exceptions", "cpu,wall", "locks"), ("exceptions", "locks", "alloc", "cpu,wall"),
              ("locks", "cpu,wall", "exceptions", "alloc"), ("cpu,wall", "alloc", "locks", "exceptions"))

    def test_any_measure_may_be_the_first_that_is_asked_for(self):
        for home, order in driver.crossed(ARGS.homes, self.ORDERS):
            program = self.program(home)
            for at, measure in enumerate(order):
                with self.subTest(home=home, order=order, measure=measure):
                    self.done("attach", "-o", f"{at}.json", "--measure", measure, program.pid)
                    parked = int(program.ask("measured 4000").split()[1])
                    self.done("detach", program.pid)
                    self.assert_measured(measure, self.load(f"{at}.json"), parked)
            self.assertEqual(program.end()[0], 0, program.stderr())

    def assert_measured(self, measure, report, parked):
        totals = {metric["name"]: sum(report["nodes"][metric["name"]]) for metric in report["metrics"]}
        if measure == "alloc":  # some 128 samples of what 4,000 arrays have
            self.assertLess(abs(totals["allocated_bytes"] / (4000 * 16 * 1024) - 1), 0.5, totals)
        elif measure == "exceptions":
            self.assertEqual(totals["exceptions"], (4000 + 2) // 3)
        elif measure == "locks":
            # The JDK may wait for a monitor of its own, a thread's that has ended for example.
            nodes, names = report["nodes"], report["methods"]["name"]
            on_lock = sum(count for method, count in zip(nodes["method"], nodes["contentions"])
                          if method >= 0 and names[method] == "synchronized java.lang.Object")
            self.assertEqual(on_lock, 5, totals)
            self.assert_waited(totals["parked_ns"], 300e6, parked, report)
        else:
            self.assertGreater(totals["cpu_ns"], 0)
            self.assert_waited(totals["parked_ns"], 300e6, parked, report)

    def test_virtual_threads_and_an_agent_that_looks_at_classes_do_not_wait_for_each_other(self):
        homes = [home for home in ARGS.homes if jvm.feature_version(home) >= 21]
        if not homes:
            self.lack("no JDK with virtual threads")
        program = self.program(homes[0], f"-javaagent:{self.agent_of('Looker')}")
        program.ask("virtual 3")
        self.done("attach", "-o", "report.json", program.pid)
        program.ask("virtual 50")
        self.done("detach", program.pid)
        self.assertEqual(self.calls("steps", "report.json"), 50)
        self.assertEqual(program.end()[0], 0)

    def test_goes_on_recording_when_the_report_of_detach_cannot_be_written(self):
        program = self.program(ARGS.homes[0])
        gone = self.path("gone")
        os.mkdir(gone)
        self.done("attach", "-o", "gone/report.json", program.pid)
        program.ask("steps 100")
        os.rmdir(gone)
        self.assert_one_line(self.copse("detach", program.pid), 1, "gone/report.json")
        program.ask("steps 7")
        os.mkdir(gone)
        self.done("detach", program.pid)
        self.assertEqual(self.calls("step", "gone/report.json"), 107)

    def test_call_sites_cannot_come_to_a_jvm_that_was_recorded_without(self):
        program = self.program(ARGS.homes[0])
        self.done("attach", "--no-sites", "-o", "without.json", program.pid)
        self.done("detach", program.pid)
        self.assert_one_line(self.copse("attach", "-o", "with.json", program.pid), 1, str(program.pid))
        self.done("attach", "--no-sites", "-o", "without.json", program.pid)

    def test_reports_are_named_by_what_the_jvm_runs(self):
        for home in ARGS.homes:
            program = self.program(home)
            self.done("attach", program.pid)
            program.ask("steps 10")
            self.done("dump", "-o", "dump-%c.json", program.pid)
            self.done("detach", program.pid)
            self.assertEqual(self.calls("step", f"copse-Rounds-{program.pid}.json"), 10)
            self.assertEqual(self.calls("step", "dump-Rounds.json"), 10)
            self.assertEqual(program.end()[0], 0)

    def test_without_detach_the_report_is_written_when_the_jvm_ends(self):
        program = self.program(ARGS.homes[-1])
        self.done("attach", "-o", "%p.json", "--include", "Rounds.step", program.pid)
        program.ask("steps 1000")
        self.assert_ends_well(program, ["sum 1000"])
        self.assertEqual(+driver.calls_by_method(self.load(f"{program.pid}.json")), {"step": 1000})

    def test_threads_that_run_all_the_while_come_to_no_harm(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                program = self.program(home)
                program.ask("spin 2")
                for turn in range(2):
                    self.done("attach", "-o", "turn.json", program.pid)
                    program.ask("steps 2000")
                    before = 0
                    for _ in range(2):
                        self.done("dump", "-o", "dump.json", program.pid)
                        calls = self.calls("step", "dump.json")
                        self.assertGreaterEqual(calls, max(before, 2000))
                        before = calls
                    self.done("detach", program.pid)
                    self.assertGreaterEqual(self.calls("step", "turn.json"), before)
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
                self.assertFalse(is_snapshot(self.load(name)))
                self.assertEqual(self.calls("step", name), total + 1)

    def wait_for_calls(self, name, count):
        """Until a snapshot has that many calls of step; each on the way is whole."""
        deadline = time.monotonic() + jvm.TIMEOUT_S
        while time.monotonic() < deadline:
            time.sleep(0.02)
            if not os.path.exists(self.path(name)):
                continue
            report = self.load(name)
            calls = driver.calls_by_method(report)["step"]
            self.assertTrue(is_snapshot(report))
            self.assertLessEqual(calls, count)
            if calls == count:
                return
        self.fail(f"{name}: no snapshot with {count} calls of step")

    def test_a_program_under_copse_run_can_be_dumped_and_let_go(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                program = self.program(home, run=("-o", "run.json"))
                program.ask("steps 700")
                self.done("dump", "-o", "now.json", program.pid)
                self.assertEqual(self.calls("step", "now.json"), 700)
                self.assertEqual(self.calls("main", "now.json"), 1)
                program.ask("steps 70")
                self.assertIn("run.json", self.done("detach", program.pid))
                program.ask("steps 7")
                self.assertEqual(self.calls("step", "run.json"), 770)
                self.assertEqual(program.end()[0], 0)
                self.assertEqual(self.calls("step", "run.json"), 770)
                self.assertIn("run.json", program.stderr())

    def test_context_ids_can_be_dumped_and_let_go(self):
        run = ("-o", "ids.json", "--encoder", "segment", "--mark", "Rounds.step")
        program = self.program(ARGS.homes[-1], run=run)
        program.ask("steps 30")
        for known in (30, 33):
            said = self.done("dump", "-o", "now.json", program.pid)
            self.assertEqual(self.calls("step", "now.json"), known)
            self.assertTrue(is_snapshot(self.load("now.json")))
            self.assertIn("now.ids", said)
            self.assertTrue(os.path.exists(self.path("now.ids")))
            program.ask("steps 3")
        self.assert_one_line(self.copse("dump", "-o", "now.ids", program.pid), 2, "now.ids")
        self.assertIn("copse decode", self.done("detach", program.pid))
        program.ask("steps 3")
        self.assertEqual(self.calls("step", "ids.json"), 36)
        self.assertEqual(program.end()[0], 0)

    def test_mistakes_get_one_line_that_says_what_is_wrong(self):
        self.assert_one_line(self.copse("dump"), 2, "JVM is required")
        self.assert_one_line(self.copse("detach"), 2, "JVM is required")
        self.assert_one_line(self.copse("attach", "-o", "x.json"), 2, "JVM")
        self.assert_one_line(self.copse("attach", "--duration", "soon", "1"), 2, "soon")
        self.assert_one_line(self.copse("attach", "--fail-if-empty", "1"), 2, "--duration")
        for command in ("attach", "dump", "detach"):
            self.assert_one_line(self.copse(command, "0"), 2, "0")
            self.assert_one_line(self.copse(command, "no.such.Program"), 1, "no.such.Program")
            self.assert_one_line(self.copse(command, 2 ** 22 + 1), 1, str(2 ** 22 + 1))
        self.assert_one_line(self.copse("attach", "--engine", "steam", "1"), 2, "steam")
        self.assert_one_line(self.copse("attach", "--jdk", "1"), 2, "jdk")
        self.assert_one_line(self.copse("attach", "--snapshot", "soon", "1"), 2, "soon")

    def program_of_jar(self, home):
        """Rounds in a jar whose name no other JVM of this machine has, and the program that runs it."""
        name = f"rounds-{os.getpid()}-{len(self.programs)}"
        self.jar(name, "Main-Class: Rounds")
        self.programs.append(Program(home, self.folder, command=[driver.tool("java", home), "-jar", f"{name}.jar"]))
        return name, self.programs[-1]

    def test_jvms_are_listed_and_found_by_the_name_of_what_they_run(self):
        for home in ARGS.homes:
            name, program = self.program_of_jar(home)
            listed = self.copse("attach")
            self.assertEqual((listed.status, listed.stderr), (0, ""))
            self.assertRegex(listed.stdout, rf"(?m)^ +{program.pid} +\d+ (s|min) +{name}$")
            self.done("attach", "-o", "named.json", name)
            self.assertRegex(self.copse("attach").stdout, rf"(?m)^ +{program.pid} .* {name}  \(has Copse\)$")
            program.ask("steps 10")
            self.done("dump", "-o", "so-far.json", name)
            self.done("detach", name)
            self.assertEqual([self.calls("step", file) for file in ("so-far.json", "named.json")], [10, 10])
            self.assertEqual(program.end()[0], 0)

    def test_a_jvm_that_is_still_starting_is_waited_for(self):
        for home, (shell, delay_ms) in driver.crossed(ARGS.homes, [((), delay) for delay in ((0, 5, 10, 20, 30, 40, 50, 70, 90) if ARGS.all else (0, 20, 40, 70))] +
                                                      [(("sh", "-c", 'sleep 0.3; exec "$0" "$@"'), 0)]):
            java = driver.java_command("Rounds", home=home, jvm_options=["-XX:+EnableDynamicAgentLoading"])
            with self.subTest(home=home, delay_ms=delay_ms, shell=shell):
                self.programs.append(Program(home, self.folder, command=[*shell, *java], wait=False))
                program = self.programs[-1]
                time.sleep(delay_ms / 1000)  # into another moment of the start
                self.done("attach", "-o", "early.json", program.pid)
                self.assertEqual(program.hear(), "ready")
                program.ask("steps 10")
                self.done("detach", program.pid)
                self.assertEqual(self.calls("step", "early.json"), 10)
                self.assertEqual(program.end(), (0, ["ready", "sum 10", "bye"]))

    def test_a_class_that_the_jvm_is_reading_gets_probes(self):
        for home, way in driver.crossed(ARGS.homes, (("inline",), ("inline", "again"), ("parallel",), ("uptree",))):
            with self.subTest(home=home, way=way):
                command = driver.java_command("Late", home=home, jvm_options=["-XX:+EnableDynamicAgentLoading"])
                self.programs.append(Program(home, self.folder, command=command))
                program = self.programs[-1]
                if "again" in way:
                    self.done("attach", "-o", "before.json", program.pid)
                    self.done("detach", program.pid)
                self.done("attach", "--engine", way[0], "-o", "late.json", program.pid)
                self.assertEqual(program.ask("go"), "sum 10")
                self.done("detach", program.pid)
                self.assertEqual((self.calls("step", "late.json"), self.calls("steps", "late.json")), (10, 1))
                self.assertEqual(program.end(), (0, ["ready", "sum 10", "bye"]))

    def test_a_stopped_jvm_is_refused_and_prints_nothing_later(self):
        program = self.program(ARGS.homes[0])
        os.kill(program.pid, signal.SIGSTOP)
        while any("\nState:\tT" not in status.read_text() for status in pathlib.Path(f"/proc/{program.pid}/task").glob("*/status")):
            pass
        try:
            for command in ("attach", "dump", "detach"):
                self.assert_one_line(self.copse(command, program.pid), 1, str(program.pid), "kill -CONT")
        finally:
            os.kill(program.pid, signal.SIGCONT)
        self.assert_ends_well(program, [])

    def test_a_jvm_that_ends_while_it_is_attached_to_leaves_no_file(self):
        for files in (".attach_pid", "copse-answer-"):
            program = self.program(ARGS.homes[0])
            before = set(pathlib.Path("/tmp").glob("copse-answer-*"))

            def made():
                if files == ".attach_pid":
                    return list(self.folder.glob(files + str(program.pid))) + list(pathlib.Path("/tmp").glob(files + str(program.pid)))
                return set(pathlib.Path("/tmp").glob(files + "*")) - before
            attaching = self.start([ARGS.copse, "attach", str(program.pid)])
            while not made() and attaching.poll() is None:
                pass
            program.process.kill()
            program.process.wait(jvm.TIMEOUT_S)
            attaching.communicate(timeout=jvm.TIMEOUT_S)
            # Commands of other tests have such files, too, until they end.
            left, end = set(made()), time.monotonic() + jvm.TIMEOUT_S
            while left and time.monotonic() < end:
                left &= set(made())
            self.assertFalse(left)

    # A program of many threads and classes, in which a list of either has more references than the JVM expects.
    def test_the_jvms_own_checks_of_native_code_find_nothing(self):
        for home in ARGS.homes:
            for run in ((), ("-q", "-o", "checked.json", "--measure", "cpu,wall,alloc,exceptions,locks", "--include", "no.such.**")):
                program = self.program(home, "-Xcheck:jni", "-XX:+EnableDynamicAgentLoading", run=run)
                program.ask("rest 60")
                if not run:
                    self.done("attach", "--include", "Rounds", "--include", "no.such.**", "--measure", "cpu,wall,alloc=exact,exceptions,locks", program.pid)
                program.ask("measured 10")
                self.done("dump", "-o", "so-far.json", program.pid)
                program.ask("stop 0")
                self.done("detach", program.pid)
                self.assertEqual(program.end()[0], 0)
                told = "\n".join(program.said) + program.stderr()
                self.assertNotIn("WARNING", told.replace("WARNING: A JVM TI agent", ""))
                self.assertNotIn("JNI local refs", told)

    def test_a_process_that_is_no_jvm_is_left_alone(self):
        with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as cat:
            for command in ("attach", "dump", "detach"):
                self.assert_one_line(self.copse(command, cat.pid), 1, str(cat.pid))
            self.assertEqual(cat.communicate("still here")[0], "still here")
            self.assertEqual(cat.returncode, 0)

    def test_a_jvm_that_is_not_or_already_recorded_says_so(self):
        program = self.program(ARGS.homes[-1])
        for command in ("dump", "detach"):
            self.assert_one_line(self.copse(command, program.pid), 1, str(program.pid), "copse attach")
        self.assert_one_line(self.copse("attach", "-o", "absent/x.json", program.pid), 1, "absent/x.json")
        self.done("attach", "-o", "first.json", program.pid)
        self.assert_one_line(self.copse("attach", "-o", "second.json", program.pid), 1, str(program.pid), "(calls)", "copse dump",
                             "copse detach")
        query = "SELECT m.startTime FROM MethodInvocation m WHERE m.methodName = 'step'"
        self.assert_one_line(self.copse("ptql", query, "--attach", program.pid, "-d", "1s"), 1, str(program.pid), "recorded already (calls)")
        program.ask("steps 4")
        self.done("detach", program.pid)
        for command in ("dump", "detach"):
            self.assert_one_line(self.copse(command, program.pid), 1, str(program.pid))
        self.assertEqual(self.calls("step", "first.json"), 4)
        self.assert_one_line(self.copse("attach", "--engine", "parallel", program.pid), 1, str(program.pid), "start the program anew")
        self.assert_one_line(self.copse("ptql", query, "--attach", program.pid, "-d", "1s"), 1, str(program.pid), "(calls)",
                             "values, for copse ptql", "start the program anew, or record calls again")
        self.assert_ends_well(program, ["sum 4"])

    def test_a_jvm_that_may_not_be_attached_to_runs_on(self):
        disabled = "-XX:+DisableAttachMechanism"
        (self.folder / "options").write_text(disabled)
        for options, variable, word in (([disabled], "", "DisableAttachMechanism"), (["-Xrs"], "", "-Xrs"),
                                        (["@" + self.path("options")], "", "DisableAttachMechanism"),
                                        (["@options", "-XX:-UsePerfData"], "", "DisableAttachMechanism"),
                                        ([], "JAVA_TOOL_OPTIONS", "DisableAttachMechanism"),
                                        (["-XX:-UsePerfData"], "JAVA_TOOL_OPTIONS", "DisableAttachMechanism"),
                                        (["-XX:-UsePerfData"], "JDK_JAVA_OPTIONS", "DisableAttachMechanism"),
                                        (["-XX:-UsePerfData", "-XX:-DisableAttachMechanism"], "_JAVA_OPTIONS", "DisableAttachMechanism")):
            with self.subTest(options=options, variable=variable):
                if variable:
                    os.environ[variable] = disabled
                try:
                    program = self.program(ARGS.homes[-1], *options)
                finally:
                    os.environ.pop(variable, None)
                # The signal that asks others for a socket would have it print its threads.
                self.assert_one_line(self.copse("attach", program.pid), 1, word)
                program.ask("steps 4")
                self.assertEqual(program.end(), (0, ["ready", "sum 4", "bye"]), program.stderr())
        # The last option counts, and what the program is given is none.
        os.environ["JAVA_TOOL_OPTIONS"] = disabled
        try:
            program = self.program(ARGS.homes[-1], "-XX:-UsePerfData", "-XX:-DisableAttachMechanism", run=())
        finally:
            del os.environ["JAVA_TOOL_OPTIONS"]
        self.done("attach", "-o", "r.json", program.pid)
        self.done("detach", program.pid)
        self.assertEqual(program.end()[0], 0)


driver.main("copse", sources=["Rounds.java", "Late.java", "Looker.java"], all="every engine, order and moment on every JDK")
