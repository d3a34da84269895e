#!/usr/bin/env python3
"""A JVM that is attached to again and again: each recording is exact, and nothing of it stays, though frames with its probes
live on. Where the JVM has nothing left to open, commands say so."""

import os
import select
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
from attaching import AttachTest, Program  # noqa: E402
from driver import ARGS  # noqa: E402

# A JVM that maps little by itself as it goes on.
STEADY = ("-XX:+UseSerialGC", "-Xms64m", "-Xmx64m", "-XX:TieredStopAtLevel=1", "-XX:+EnableDynamicAgentLoading")
MAY_DIFFER = 6
WAYS = ((), ("--measure", "calls"), ("--measure", "calls,cpu,wall,alloc,locks"), ("--measure", "calls,alloc=exact,exceptions"),
        ("--slice", "Rounds.step"), ("--by-thread=group", "--recursion", "merge"))
QUERY = "SELECT m.param0 FROM MethodInvocation m WHERE m.methodName = 'step'"


class Again(AttachTest):
    def held(self, program):
        """(descriptors, mappings, mappings of shared memory) of a JVM."""
        with open(f"/proc/{program.pid}/maps", encoding="utf-8") as file:
            maps = file.readlines()
        return len(os.listdir(f"/proc/{program.pid}/fd")), len(maps), sum("/dev/shm/" in line for line in maps)

    def assert_flat(self, program, before, times):
        descriptors, mappings, shared = self.held(program)
        self.assertEqual((descriptors, shared), (before[0], 0))
        self.assertLessEqual(mappings, before[1] + MAY_DIFFER, f"{before[1]} mappings before {times} recordings")

    def record(self, program, way, steps, at):
        recording = self.start([ARGS.copse, "attach", "-d", "1h", "-o", f"{at}.json", *way, str(program.pid)])
        self.assertIn("recording, with probes in", recording.stderr.readline())
        program.ask(f"held {steps}")
        program.ask("thread 5")
        recording.terminate()
        said = recording.communicate()[1]
        self.assertEqual(recording.returncode, 0, said)
        report = self.load(f"{at}.json")
        calls = driver.calls_by_method(report)
        self.assertEqual((calls["step"], report["totals"]["calls_lost"]), (steps + 5, 0))

    def test_calls_are_counted_each_time_and_nothing_of_a_recording_stays(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                program = self.program(home, *STEADY)
                program.ask("hold 1")
                before = None
                for at in range(3 * len(WAYS) if not ARGS.all else 100 * len(WAYS)):
                    if at == len(WAYS):
                        before = self.held(program)
                    self.record(program, WAYS[at % len(WAYS)], 10 + at, at % len(WAYS))
                self.assert_flat(program, before, at)
                self.assertEqual(program.end()[0], 0, program.stderr())

    def test_a_jvm_with_few_descriptors_is_recorded_as_often_as_one_with_many(self):
        program = self.few_files(64)
        program.ask("hold 1")
        for at in range(30):
            self.record(program, (), at, "few")
        self.assertEqual(program.end()[0], 0, program.stderr())

    def few_files(self, most):
        java = driver.java_command("Rounds", jvm_options=STEADY)
        limited = ["sh", "-c", f'ulimit -n {most}; exec "$@"', "sh", *java]
        self.programs.append(Program(ARGS.homes[0], self.folder, command=limited))
        return self.programs[-1]

    def test_queries_leave_nothing_either(self):
        program = self.program(ARGS.homes[0], *STEADY)
        before = None
        for at in range(9):
            if at == 3:
                before = self.held(program)
            asking = self.start([ARGS.copse, "ptql", QUERY, "--attach", str(program.pid), "-d", "1h"])
            while not select.select([asking.stdout], [], [], 0.05)[0]:  # until there is an answer
                program.ask("steps 1")
            asking.terminate()
            said = asking.communicate()[1]
            self.assertEqual(asking.returncode, 0, said)
        self.assert_flat(program, before, at)
        self.assertEqual(program.end()[0], 0, program.stderr())

    def test_attaches_that_are_refused_leave_nothing(self):
        program = self.program(ARGS.homes[0], *STEADY)
        for at in range(12):
            if at == 3:
                before = self.held(program)
            self.assert_one_line(self.copse("attach", "-o", "absent/x.json", program.pid), 1, "absent/x.json")
        self.assert_flat(program, before, at)
        self.assertEqual(program.end()[0], 0, program.stderr())

    def test_a_jvm_that_can_open_nothing_is_said_to_have_used_its_descriptors_up(self):
        program = self.few_files(100)
        self.done("attach", "-o", "some.json", program.pid)
        program.ask("steps 3")
        self.assertEqual(program.ask("open 1000"), "opened")
        for command in ("dump", "detach"):
            self.assert_one_line(self.copse(command, program.pid), 1, str(program.pid), "descriptors", "100")
        program.ask("close 0")
        self.done("detach", program.pid)
        self.assertEqual(self.calls("step", "some.json"), 3)
        self.assertEqual(program.end()[0], 0, program.stderr())


driver.main("copse", sources=["Rounds.java", "Late.java"], all="each way of recording a hundred times")
