#!/usr/bin/env python3
"""Disks that are full, folders that are gone, files that may not grow, address space that is limited. The program notices
nothing, and no report is missing without a word and an exit status."""

import os
import re
import shlex
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS  # noqa: E402

STEPS = 2_000


class UnwrittenFiles(driver.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.goal = self.path("goal")
        os.mkdir(self.goal)

    def assert_fails(self, outcome, *names):
        """The program ended well, and the command says in one line what it could not write. Returns the line."""
        self.assertEqual((outcome.status, outcome.stdout), (1, f"{STEPS}\n"), outcome)
        lines = [line for line in outcome.stderr.splitlines() if any(name in line for name in names)]
        self.assertEqual(len(lines), 1, outcome)
        return lines[0]

    def recover(self, line):
        """Does what the line says, into a file in a folder that is there. Returns the calls."""
        kept = re.search(r"copse recover (\S+)", line)[1]
        self.done("recover", kept, "-o", "recovered.json")
        self.assertFalse(os.path.exists(kept))
        return self.calls("step", "recovered.json")

    def test_in_a_folder_that_is_gone_fail_the_command(self):
        program = driver.java_command("Taker", "remove", self.goal)
        for more in ((), ("-q",)):
            outcome = self.copse("run", *more, "-o", "goal/r.json", "--", *program)
            line = self.assert_fails(outcome, "goal/r.json")
            if more:
                self.assertEqual(outcome.stderr, line + "\n")
            self.assertEqual(self.recover(line), STEPS)
            os.mkdir(self.goal)
        outcome = self.copse("ids", "-q", "-o", "goal/i.json", "--encoder", "segment", "--mark", "Taker.step", "--", *program)
        self.recover(self.assert_fails(outcome, "goal/i."))

    def test_leave_a_failed_program_its_status(self):
        script = '"$@"; exit 3'
        outcome = self.copse("run", "-q", "-o", "goal/r.json", "--", "sh", "-c", script, "sh",
                             *driver.java_command("Taker", "remove", self.goal))
        self.assertEqual(outcome.status, 3, outcome)
        self.assertEqual(self.recover(outcome.stderr), STEPS)

    def test_of_repeated_runs_fail_the_command(self):
        outcome = self.copse("run", "-q", "--runs", "2", "-o", "goal/r.json", "--", "sh", "-c", 'rm -rf goal; "$@"', "sh",
                             *driver.java_command("Taker"))
        self.assertEqual(outcome.status, 1, outcome)
        self.assertIn("goal/r.json", outcome.stderr)

    def on_small_disk(self, *words, temporary="${TMPDIR:-/tmp}"):
        if subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("mounting is not allowed here (unshare -m)")
        mount = f'mount -t tmpfs -o size=1m none goal && TMPDIR={temporary} exec "$@"'
        return jvm.run(["unshare", "-m", "sh", "-c", mount, "sh", ARGS.copse, *words, "--",
                        *driver.java_command("Taker", "fill", "goal/filler")], cwd=self.folder)

    def test_on_a_full_disk_fail_the_command(self):
        for name in ("r.json", "r.html"):
            outcome = self.on_small_disk("run", "-q", "-o", f"goal/{name}")
            self.assertEqual(self.recover(self.assert_fails(outcome, f"goal/{name}")), STEPS)
        outcome = self.on_small_disk("record", "-q", "-o", "goal/r.trace")
        self.assert_fails(outcome, "goal/r.trace")
        outcome = self.on_small_disk("record", "-q", "-o", "goal/r.values", "--values", "Taker.step")
        self.assert_fails(outcome, "goal/r.values")

    def test_of_repeated_runs_are_made_by_the_command_that_the_line_has(self):
        outcome = self.on_small_disk("run", "-q", "--runs", "2", "-o", "r.json", temporary='"$PWD/goal"')
        lines = outcome.stderr.splitlines()
        self.assertEqual((outcome.status, len(lines)), (1, 2), outcome)
        for run, line in enumerate(lines, 1):
            self.done(*shlex.split(re.search(r"copse (recover .*)", line)[1]))
            self.assertEqual(self.calls("step", f"r-run-{run}.json"), STEPS)

    def test_of_events_on_a_full_disk_fail_the_command(self):
        outcome = self.on_small_disk("ids", "-q", "-o", "ids.json", "--mark", "Taker.step", "--event-file", "goal/r.events")
        self.assert_fails(outcome, "goal/r.events")
        self.assertEqual(self.load("ids.json")["totals"]["calls"], STEPS)

    def test_that_may_not_grow_fail_the_command(self):
        command = [ARGS.copse, "run", "-q", "-o", "goal/r.json", "--", *driver.java_command("Taker")]
        outcome = jvm.run(["bash", "-c", 'ulimit -f 1; exec "$@"', "bash", *command], cwd=self.folder)
        self.assert_fails(outcome, "goal/r.json")
        self.assertEqual(os.listdir(self.goal), [])

    def test_of_a_jvm_that_another_command_records_fail_the_inner_one(self):
        outcome = self.copse("run", "-q", "-o", "outer.json", "--", ARGS.copse, "run", "-q", "-o", "goal/inner.json", "--",
                             *driver.java_command("Taker"))
        self.assertIn("JAVA_TOOL_OPTIONS", self.assert_fails(outcome, "goal/inner.json"))
        self.assertEqual(self.calls("step", "outer.json"), STEPS)


class LimitedAddressSpace(driver.CommandLineTest):
    def limited(self, gigabytes, *command):
        script = f'ulimit -v {gigabytes * 1_000_000}; exec "$@"'
        return jvm.run(["bash", "-c", script, "bash", *command], cwd=self.folder)

    def test_leaves_a_program_that_runs_without_copse_alone(self):
        program = driver.java_command("Taker")
        small = driver.java_command("Taker", jvm_options=("-Xmx64m", "-XX:CompressedClassSpaceSize=64m"))
        recorded = 0
        for gigabytes in (1, 2, 3, 4, 6, 8, 12, 14, 16, 24):
            for command in (program, small):
                if self.limited(gigabytes, *command).status != 0:
                    continue
                name = f"v{gigabytes}.json"
                outcome = self.limited(gigabytes, ARGS.copse, "run", "-o", name, "--", *command)
                with self.subTest(gigabytes=gigabytes, command=command):
                    self.assertEqual(outcome.stdout, f"{STEPS}\n", outcome)
                    self.assertNotIn("killed JVM", outcome.stderr)
                    if outcome.status == 0:
                        self.assertEqual(self.calls("step", name), STEPS)
                        recorded += 1
                        os.unlink(self.path(name))
                    else:
                        self.assertEqual(outcome.status, 1, outcome)
                        self.assertIn("nothing is recorded", outcome.stderr)
                        self.assertFalse(os.path.exists(self.path(name)))
        self.assertGreater(recorded, 0)

    def test_leaves_a_program_alone_that_was_to_have_ids(self):
        small = driver.java_command("Taker", jvm_options=("-Xmx64m", "-XX:CompressedClassSpaceSize=64m"))
        for gigabytes in (2, 3, 16):
            if self.limited(gigabytes, *small).status != 0:
                continue
            outcome = self.limited(gigabytes, ARGS.copse, "ids", "-o", "ids.json", "--mark", "Taker.step", "--encoder", "segment",
                                   "--", *small)
            self.assertEqual(outcome.stdout, f"{STEPS}\n", outcome)
            if outcome.status != 0:
                self.assertEqual(outcome.status, 1, outcome)
                self.assertIn("nothing is recorded", outcome.stderr)


class NoRights(driver.CommandLineTest):
    def test_of_a_programs_umask_keep_a_report_from_its_owner(self):
        script = 'umask 777; exec "$@"'
        for words, name in ((["run"], "r.json"), (["record"], "r.trace")):
            self.done(*words, "-o", name, "--", "sh", "-c", script, "sh", *driver.java_command("Taker"))
            self.assertEqual(os.stat(self.path(name)).st_mode & 0o777, 0o600)


class FailingAllocations(driver.CommandLineTest):
    """One allocation of the agent fails in each run: the first ones, while the JVM loads it, and then fewer and fewer of the others."""

    WAYS = ("measure=calls", "engine=parallel", "mode=ids,encoder=segment,mark=Taker.step", "mode=values,values=Taker.step")

    def test_never_end_the_program(self):
        program = driver.java_command("Taker")
        for way in self.WAYS:
            command = driver.with_agent(program, f"quiet,out={self.path('r.values' if 'values' in way else 'r.json')},{way}")
            count, number = self.path("count"), 1
            environment = {**os.environ, "LD_PRELOAD": ARGS.failing}
            jvm.run(command, env={**environment, "COPSE_TEST_FAIL_AT": str(2 ** 60), "COPSE_TEST_ALLOCATIONS": count})
            with open(count, encoding="ascii") as file:
                allocations = int(file.read())
            first = 40 if way == self.WAYS[0] else 8
            self.assertGreater(allocations, first)
            while number < allocations:
                with self.subTest(way=way, number=number, allocations=allocations):
                    outcome = jvm.run(command, env={**environment, "COPSE_TEST_FAIL_AT": str(number)})
                    self.assertEqual((outcome.status, outcome.stdout), (0, f"{STEPS}\n"), outcome.stderr[-2000:])
                number += 1 if number < first else number // 2


if __name__ == "__main__":
    driver.main("copse", "agent", "failing", sources=["Taker.java"])
