#!/usr/bin/env python3
"""When a recording by attach begins and ends: with all probes in, at one moment for all threads, when its time is over,
at an interrupt, and when the JVM ends or is killed before."""

import os
import pathlib
import signal
import subprocess
import sys
import time

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from attaching import added, AttachTest, calls_of_steps, Program  # noqa: E402
from driver import ARGS  # noqa: E402


class Duration(AttachTest):
    def slow_program(self, home):
        """A program that calls methods while its classes get their probes."""
        jar = self.agent_of("Slow")
        java = driver.java_command("Slow", home=home, jvm_options=["-XX:+EnableDynamicAgentLoading", f"-javaagent:{jar}"])
        self.programs.append(Program(home, self.folder, command=java))
        return self.programs[-1]

    def callers_of(self, name, report):
        nodes, names = report["nodes"], report["methods"]["name"]
        callers = [nodes["method"][parent] for method, parent in zip(nodes["method"], nodes["parent"])
                   if method >= 0 and names[method] == name]
        return [names[caller] if caller >= 0 else "ROOT" for caller in callers]

    # Most of the 300 classes get their probes in other batches than the last.
    def test_the_recording_begins_when_all_classes_have_their_probes(self):
        for home, engine in driver.crossed(ARGS.homes, ("inline", "parallel", "uptree")):
            with self.subTest(home=home, engine=engine):
                program = self.slow_program(home)
                self.done("attach", "-o", "late.json", "--engine", engine, "--measure", "calls,cpu,wall,alloc=exact,exceptions,locks", program.pid)
                self.assertEqual(program.ask("calls 2"), "called 300")
                self.assertEqual(program.ask("late 5"), "late 5")
                self.done("detach", program.pid)
                report = self.load("late.json")
                self.assert_calls(report, {"early": 0, "hold": 0, "after": 600, "late": 5})
                self.assertEqual(report["totals"]["calls_lost"], 0)
                self.assertEqual(self.callers_of("late", report), ["hold"])
                self.assertEqual(program.end()[0], 0, program.stderr())

    def test_queries_see_what_is_called_when_all_classes_have_their_probes(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                program = self.slow_program(home)
                query = "SELECT m.methodName FROM MethodInvocation m WHERE m.implementingClass = 'Slow$Filler'"
                asking = self.start([ARGS.copse, "ptql", query, "--attach", str(program.pid), "-d", "2s"])
                while asking.poll() is None:
                    program.ask("calls 1")
                    time.sleep(0.2)
                out, said = asking.communicate(timeout=jvm.TIMEOUT_S)
                self.assertEqual(asking.returncode, 0, said)
                self.assertEqual(program.ask("calls 0"), "called 600")  # probes came and went
                self.assertIn("after", out)
                self.assertNotIn("early", out)
                self.assertNotIn("hold", out)

    # Each call of outer calls inner once; a call may be under way in each of the threads at either end.
    def test_all_methods_of_running_threads_count_from_one_moment_to_another(self):
        for home, engine in driver.crossed(ARGS.homes, ("inline", "parallel", "uptree")):
            with self.subTest(home=home, engine=engine):
                program = self.program(home)
                program.ask("pair 2")
                self.done("attach", "-o", "pair.json", "--engine", engine, program.pid)
                time.sleep(0.2)
                self.done("detach", program.pid)
                counts = driver.calls_by_method(self.load("pair.json"))
                self.assertGreater(counts["outer"], 1000)
                self.assertLessEqual(abs(counts["outer"] - counts["inner"]), 2, counts)
                program.ask("stop 0")
                self.assertEqual(program.end()[0], 0, program.stderr())

    def attached_for(self, program, duration, output, *options):
        """copse attach with a duration, once it says that it records."""
        process = subprocess.Popen([ARGS.copse, "attach", "-d", duration, "-o", output, *options, str(program.pid)],
                                   cwd=self.folder, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        for line in process.stderr:
            if "it ends in" in line:
                return process
        raise AssertionError("it does not say that it records")

    def test_with_a_duration_it_ends_the_recording_when_the_time_is_over(self):
        for home in ARGS.homes:
            program = self.program(home)
            waiting = self.attached_for(program, "2s", "page.html")
            program.ask("steps 10")
            _, said = waiting.communicate(timeout=jvm.TIMEOUT_S)
            self.assertEqual(waiting.returncode, 0, said)
            self.assertIn("calls in ", said)
            self.assertIn("probes are out of 1 class\n", said)
            with open(os.path.join(self.folder, "page.html"), encoding="utf-8") as page:
                self.assertTrue(page.read(100).lower().startswith("<!doctype html>"))
            self.assert_one_line(self.copse("dump", program.pid), 1, str(program.pid))
            self.assert_ends_well(program, ["sum 10"])

    def test_an_interrupt_ends_the_recording_before_its_time(self):
        for stop in (signal.SIGINT, signal.SIGTERM):
            program = self.program(ARGS.homes[0])
            waiting = self.attached_for(program, "1h", "early.json")
            program.ask("steps 10")
            waiting.send_signal(stop)
            _, said = waiting.communicate(timeout=jvm.TIMEOUT_S)
            self.assertEqual(waiting.returncode, 0, said)
            self.assertEqual(self.calls("step", "early.json"), 10)
            self.assert_ends_well(program, ["sum 10"])

    def test_an_interrupt_at_any_time_leaves_no_recording_that_nothing_ends(self):
        program = self.program(ARGS.homes[0])
        for round_number in range(8):
            process = subprocess.Popen([ARGS.copse, "attach", "-d", "1h", "-o", "early.json", str(program.pid)],
                                       cwd=self.folder, stderr=subprocess.PIPE, text=True)
            self.addCleanup(process.kill)
            try:  # the later rounds interrupt it while it waits
                process.wait(round_number * 0.015)
            except subprocess.TimeoutExpired:
                pass
            process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=jvm.TIMEOUT_S)
            # Before it attaches, the signal ends the command.
            self.assertIn(process.returncode, (0, -signal.SIGINT), said)
            self.done("attach", program.pid, "-o", "late.json")
            self.done("detach", program.pid)
        program.ask("steps 1")
        self.assert_ends_well(program, ["sum 1"])

    def test_a_program_that_ends_before_the_time_leaves_its_report(self):
        program = self.program(ARGS.homes[0])
        waiting = self.attached_for(program, "1h", "whole.json")
        program.ask("steps 10")
        self.assert_ends_well(program, ["sum 10"])
        _, said = waiting.communicate(timeout=jvm.TIMEOUT_S)
        self.assertEqual((waiting.returncode, "has ended by itself" in said), (0, True), said)
        self.assertEqual(self.calls("step", "whole.json"), 10)

    def test_a_program_that_is_killed_before_the_time_leaves_its_report(self):
        for engine in ("inline", "parallel", "uptree"):
            program = self.program(ARGS.homes[0])
            waiting = self.attached_for(program, "1h", "old.json", "--engine", engine)
            program.ask("steps 10")
            program.process.kill()
            program.process.wait(jvm.TIMEOUT_S)
            _, said = waiting.communicate(timeout=jvm.TIMEOUT_S)
            self.assertEqual(waiting.returncode, 0, said)
            self.assertEqual(self.calls("step", "old.json"), 10, said)
            self.assertEqual([str(file) for file in pathlib.Path("/dev/shm").glob(f"copse-*/{program.pid}.*")], [])

    # Earlier recordings with a duration are kept, too; frames of theirs go on in the one that is killed.
    def test_a_later_recording_of_a_program_that_is_killed_leaves_its_report(self):
        for home in ARGS.homes:
            for earlier in (("-d", "1h"), ()):
                with self.subTest(home=home, earlier=earlier):
                    program = self.program(home)
                    for command in ("hold", "held"):
                        if earlier:
                            waiting = self.attached_for(program, "1h", "first.json")
                        else:
                            self.done("attach", "-o", "first.json", program.pid)
                        program.ask("late 3")
                        program.ask(f"{command} 5")
                        if earlier:
                            waiting.send_signal(signal.SIGINT)
                            waiting.communicate(timeout=jvm.TIMEOUT_S)
                        else:
                            self.done("detach", program.pid)
                    waiting = self.attached_for(program, "1h", "killed.json")
                    program.ask("steps 10")
                    program.ask("thread 20")
                    program.ask("held 30")
                    program.ask("late 4")
                    program.process.kill()
                    program.process.wait(jvm.TIMEOUT_S)
                    _, said = waiting.communicate(timeout=jvm.TIMEOUT_S)
                    self.assertEqual(waiting.returncode, 0, said)
                    expected = added(calls_of_steps(10), calls_of_steps(20), calls_of_steps(30), {"leaf": 1, "called": 1})
                    self.assert_calls(self.load("killed.json"), expected | {"steps": 2})
                    self.assertEqual([str(file) for file in pathlib.Path("/dev/shm").glob(f"copse-*/{program.pid}.*")], [])


driver.main("copse", sources=["Rounds.java", "Slow.java"], all="every engine on every JDK")
