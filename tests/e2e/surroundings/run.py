#!/usr/bin/env python3
"""Surroundings that daemons, containers and pipes give a program: standard descriptors that are closed, folders that cannot
be written, readers that go away, signals. Reports stay whole, the program notices nothing, and nothing is left behind."""

import itertools
import os
import pathlib
import signal
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS  # noqa: E402

STEPS = 2_000
THROWN = STEPS // 10
# A thread that decides on more compilers reads the limits of the container, at any time: for a moment such a file has the
# number of a closed descriptor, and the program's fillers do not.
FEW_FILES = ("-XX:-UseDynamicNumberOfCompilerThreads", "-XX:-UseContainerSupport")
REPLACED = """
public class Replaced {
    public static void main(String[] args) {
        long sum = 0;
        for (int i = 1; i <= 100_000; i++) sum += Math.abs(-i);
        System.out.println(sum);
    }
}
"""
QUERY = "SELECT m.param0 FROM MethodInvocation m WHERE m.methodName = 'step'"


def closing(descriptors, command):
    """The command with these standard descriptors closed."""
    closed = "".join(f" {number}>&-" for number in descriptors)
    return ["sh", "-c", f'exec "$@"{closed}', "sh", *command]


def lying_about():
    """Names of files that a command may leave behind. Other tests make such files too, so compare before and after."""
    return {path for folder in ("/tmp", "/dev/shm") for path in pathlib.Path(folder).glob("*copse*")}


class ClosedDescriptors(driver.CommandLineTest):
    """In each way of recording. What a program prints must be in no file, and every file must be readable."""

    def run_daemon(self, closed, name, words=(), options=None, home=None):
        """Returns the exit status, the lines of standard output, and the program's own findings, but for the descriptors that
        are closed: some file of the JVM's may have their numbers, another one each time."""
        java = driver.java_command("Daemon", self.path(name), home=home, jvm_options=FEW_FILES)
        command = [ARGS.copse, *words, "--", *java] if words else java
        if options:
            command = driver.with_agent(java, options)
        ended = subprocess.run(closing(closed, command), cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True,
                               timeout=jvm.TIMEOUT_S, check=False)
        if not os.path.exists(self.path(name)):
            raise AssertionError(f"the program did not end: {ended}")
        with open(self.path(name), encoding="utf-8") as result:
            total, *found = result.read().split()
        open_ones = [found[number] for number in range(3) if number not in closed]
        return ended.returncode, ended.stdout.count(b"\n"), total, open_ones

    def events_in(self, name):
        """Kind of event -> how many there are; none is lost."""
        rows = [line.split() for line in self.done("events", name).stdout.splitlines()[1:-1]]
        self.assertEqual({row[-1] for row in rows}, {"0"})
        return {row[0]: int(row[1].replace(",", "")) for row in rows}

    def test_take_no_line_of_a_program(self):
        every = [closed for count in (0, 1, 3) for closed in itertools.combinations(range(3), count)]
        for home in ARGS.homes:
            for closed in every if home == ARGS.homes[0] else every[-1:]:
                with self.subTest(home=home, closed=closed):
                    self.try_each_way(closed, home)

    def try_each_way(self, closed, home):
        bare = self.run_daemon(closed, "bare.txt", home=home)
        self.assertEqual(bare[0], 7)

        def under(*words):
            self.assertEqual(self.run_daemon(closed, "under.txt", words, home=home), bare, words)

        under("run", "-o", "tree.json", "--measure", "cpu,alloc,exceptions")
        self.assertEqual(self.calls("step", "tree.json"), STEPS)
        under("run", "-o", "packets.json", "--engine", "parallel", "--snapshot", "20ms")
        self.assertEqual(self.calls("step", "packets.json"), STEPS)
        under("record", "-o", "calls.trace")
        self.done("replay", "calls.trace", "-o", "replayed.json")
        self.assertEqual(self.calls("step", "replayed.json"), STEPS)
        under("ids", "-o", "ids.json", "--encoder", "segment", "--measure", "exceptions", "--mark", "Daemon.step", "--event-file",
              "run.events")
        events = self.events_in("run.events")
        self.assertEqual(events["mark"], STEPS)
        self.assertGreaterEqual(events["exception"], THROWN)
        under("record", "-o", "run.values", "--values", "Daemon.step")
        answers = self.done("ptql", QUERY, "run.values")
        self.assertEqual(answers.stdout.count("\n"), STEPS)
        found = self.run_daemon(closed, "alone.txt", options=f"out={self.path('alone.json')},measure=calls", home=home)
        self.assertEqual((found[0], found[2:]), (bare[0], bare[2:]))
        self.assertEqual(self.calls("step", "alone.json"), STEPS)

    def test_are_no_trouble_to_commands_that_only_read(self):
        self.run_daemon((), "found.txt", ["run", "-o", "tree.json"])
        for closed in ((0,), (0, 2), (2,)):
            shown = subprocess.run(closing(closed, [ARGS.copse, "report", "tree.json", "-o", f"{len(closed)}.html"]),
                                   cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, check=False)
            self.assertEqual(shown.returncode, 0, shown)
            self.assertTrue(os.path.getsize(self.path(f"{len(closed)}.html")) > 1000)
        shown = subprocess.run(closing((1,), [ARGS.copse, "report", "tree.json"]), cwd=self.folder,
                               stdin=subprocess.DEVNULL, capture_output=True, check=False)
        self.assertEqual(shown.returncode, 1)
        self.assertIn(b"copse: standard output: ", shown.stderr)


class NoTemporaryFolder(driver.CommandLineTest):
    def two_jvms(self, **environment):
        java = driver.java_command("Daemon", "found.txt")
        script = 'for n in 1 2 3; do "$@" >/dev/null 2>&1; done; true'
        outcome = self.copse("run", "--fail-if-empty", "-o", "b.json", "--", "sh", "-c", script, "sh", *java,
                             env=os.environ | environment)
        self.assertEqual(outcome.status, 0, outcome)
        self.assertNotIn("no report", outcome.stderr)
        reports = sorted(self.folder.glob("b*.json"))
        self.assertEqual(len(reports), 3, outcome.stderr)
        for report in reports:
            self.assertEqual(self.calls("step", report.name), STEPS)
            self.assertIn(report.name, outcome.stderr)

    def test_keeps_no_report_from_being_written(self):
        for folder in ("/nonexistent", "/proc/self", "/dev/null"):
            for old in self.folder.glob("b*.json"):
                old.unlink()
            self.two_jvms(TMPDIR=folder)

    def in_own_mounts(self, setup, *words):
        """The command where `setup`, a shell script, has mounted what it needs; skips where no one may mount, or the command or
        the folder is in /tmp, which the mounts hide."""
        if any(os.path.realpath(path).startswith("/tmp/") for path in (ARGS.copse, self.folder)):
            self.skipTest("the build is in /tmp")
        if subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("mounting is not allowed here (unshare -m)")
        return jvm.run(["unshare", "-m", "sh", "-c", f'set -e; {setup}; exec "$@"', "sh", ARGS.copse, *words], cwd=self.folder)

    FULL = "mount -t tmpfs -o size=4k,mode=777 none {0}; head -c 100000 /dev/zero >{0}/filler 2>/dev/null || true"
    READ_ONLY = "mount -t tmpfs -o ro none {0}"

    def test_that_is_full_or_read_only_is_no_trouble_while_there_is_another(self):
        java = driver.java_command("Daemon", "found.txt")
        for kind in (self.FULL, self.READ_ONLY):
            setup = kind.format("/tmp")
            outcome = self.in_own_mounts(setup, "run", "-q", "--fail-if-empty", "-o", "one.json", "--", *java)
            self.assertEqual(outcome.status, 7, outcome.stderr[-500:])
            self.assertEqual(self.calls("step", "one.json"), STEPS)
            setup += "; " + kind.format("/dev/shm")
            outcome = self.in_own_mounts(setup, "run", "-q", "--fail-if-empty", "-o", "two.json", "--", *java)
            self.assertEqual(outcome.status, 7, outcome.stderr[-500:])
            self.assertEqual(self.calls("step", "two.json"), STEPS)

    def test_at_all_keeps_the_program_from_being_started(self):
        java = driver.java_command("Daemon", "found.txt")
        os.mkdir(self.path("full"))
        full = "; ".join(self.FULL.format(folder) for folder in ("/tmp", "/dev/shm", self.path("full")))
        outcome = self.in_own_mounts(full, "run", "-o", "/dev/null", "--", *java)
        # /dev is writable to root, so this one has a place left.
        self.assertEqual(outcome.status, 7, outcome.stderr[-500:])
        os.unlink(self.path("found.txt"))
        outcome = self.in_own_mounts(full, "run", "-o", "full/three.json", "--", *java)
        self.assert_one_line(outcome, 1, "/tmp", "/dev/shm", "TMPDIR")
        self.assertFalse(os.path.exists(self.path("found.txt")))


class RefusedCalls(driver.CommandLineTest):
    """A container may refuse calls with EPERM. Copse does without them."""

    def refusing(self, names, *words, given=None):
        outcome = jvm.run([ARGS.refusing, names, ARGS.copse, *map(str, words)], cwd=self.folder, given=given)
        if outcome.status == 77:
            self.skipTest("no filter of system calls can be set here")
        return outcome

    def test_keep_no_program_from_being_recorded(self):
        for name in ("fallocate", "flock", "getrandom", "memfd_create", "pidfd_open", "signalfd4", "statx", "timer_create"):
            with self.subTest(name):
                outcome = self.refusing(name, "run", "-o", "r.json", "--measure", "calls,cpu,wall", "--", *driver.java_command("Daemon", "found.txt"))
                self.assertEqual(outcome.status, 7, outcome)
                self.assertEqual(self.calls("step", "r.json"), STEPS)
                os.unlink(self.path("r.json"))

    def test_keep_no_query_from_being_answered(self):
        java = driver.java_command("Daemon", "found.txt")
        outcome = self.refusing("memfd_create,fallocate", "ptql", QUERY, "-o", "answers", "--", *java)
        self.assertEqual(outcome.status, 7, outcome)
        self.assertEqual((self.folder / "answers").read_text().count("\n"), STEPS)

    def test_keep_no_tool_from_being_asked(self):
        java = driver.java_command("Daemon", "found.txt", jvm_options=["-XX:StartFlightRecording:filename=r.jfr"])
        jvm.run(java, cwd=self.folder)
        outcome = self.refusing("memfd_create", "import", "r.jfr", "-o", "r.json")
        self.assertNotIn("not permitted", outcome.stderr)

    def test_end_no_wait_for_a_jvm_too_late(self):
        self.refusing("pidfd_open", "help")
        program = self.start(driver.java_command("Daemon", "found.txt"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        waiting = self.start([ARGS.refusing, "pidfd_open", ARGS.copse, "attach", "-d", "1h", "-o", "r.json", str(program.pid)])
        self.assertIn("recording", waiting.stderr.readline())
        program.communicate("", jvm.TIMEOUT_S)
        said = waiting.communicate(timeout=jvm.TIMEOUT_S)[1]
        self.assertEqual(waiting.returncode, 0, said)
        self.assertIn("r.json", said)


class Leftovers(driver.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.before = lying_about()
        self.own = self.path("tmp")
        os.mkdir(self.own)

    def assert_nothing_is_left(self):
        self.assertEqual(os.listdir(self.own), [])

    def environment(self):
        return os.environ | {"TMPDIR": self.own}

    def test_of_a_command_whose_reader_went_away_are_none(self):
        java = driver.java_command("Daemon", "found.txt")
        script = '"$@" 2>&1 | head -n 1 >/dev/null; echo "${PIPESTATUS[0]}"'
        for words in (["run", "-o", "tree.json"], ["run", "--runs", "2", "-o", "runs.json"], ["record", "-o", "calls.trace"]):
            ended = subprocess.run(["bash", "-c", script, "bash", ARGS.copse, *words, "--", *java], cwd=self.folder,
                                   env=self.environment(), capture_output=True, text=True, timeout=jvm.TIMEOUT_S, check=False)
            self.assertEqual((ended.stdout, ended.stderr), ("7\n", ""), words)
            self.assert_nothing_is_left()
        self.assertEqual(self.calls("step", "tree.json"), STEPS)
        shared = {path for path in lying_about() - self.before if os.path.isdir(path) and not any(path.glob("*.memory"))}
        self.assertEqual({path for path in shared if self.is_of_this_test(path)}, set())

    def is_of_this_test(self, kept):
        """Returns True if a folder of kept runs has a link to a manifest in our folder for temporary files."""
        link = kept / "manifest"
        return link.is_symlink() and os.readlink(link).startswith(self.own)

    def test_of_other_commands_whose_reader_went_away_are_none_either(self):
        jvm.run([ARGS.copse, "run", "-o", "tree.json", "--", *driver.java_command("Daemon", "found.txt")], cwd=self.folder)
        for words in (["report", "tree.json"], ["help"], ["help", "run"], ["attach"], ["query", "tree.json", "SELECT * FROM methods"],
                      ["report", "tree.json", "-o", "-"], ["diff", "tree.json", "tree.json"]):
            script = '"$@" | head -c 1 >/dev/null; echo "${PIPESTATUS[0]}"'
            ended = subprocess.run(["bash", "-c", script, "bash", ARGS.copse, *words], cwd=self.folder, env=self.environment(),
                                   capture_output=True, text=True, timeout=jvm.TIMEOUT_S, check=False)
            self.assertEqual((ended.stdout, ended.stderr), ("0\n", ""), words)
            self.assert_nothing_is_left()

    def test_of_a_command_that_a_signal_ended_are_none(self):
        """Whose program takes no notice of it, and goes on for a while."""
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            command = self.start([ARGS.copse, "run", "-o", "x.json", "--runs", "2", "--", "sh", "-c",
                                   'trap "" TERM INT HUP; echo up; read line'], "up", env=self.environment())
            self.assertTrue(os.listdir(self.own))
            command.send_signal(number)
            command.communicate("", jvm.TIMEOUT_S)
            self.assert_nothing_is_left()

    def test_of_a_program_are_as_it_left_them(self):
        """A program that dies of SIGPIPE does so under Copse, too: it is not told to ignore it."""
        outcome = self.copse("run", "-q", "-o", "x.json", "--", "bash", "-c", 'yes | head -n 1; echo "${PIPESTATUS[0]}"')
        self.assertEqual(outcome.stdout, "y\n141\n")


class PackedJdk(driver.CommandLineTest):
    """A JDK of jlink's, whose class files are packed: they tell the agent which methods compilers replace."""

    def test_is_recorded_with_the_jdks_classes(self):
        for home in ARGS.homes:
            if not os.path.exists(driver.tool("jlink", home)):
                self.skipTest("no jlink")
            with self.subTest(home=home):
                image = self.path(f"jdk-{jvm.feature_version(home)}")
                packed = "--compress=zip-6" if jvm.feature_version(home) >= 21 else "--compress=2"
                made = jvm.run([driver.tool("jlink", home), packed, "--add-modules", "java.base", "--output", image])
                self.assertEqual(made.status, 0, made)
                said = self.done("run", "-q", "--jdk", "--measure", "calls", "-o", self.report, "--",
                                 *driver.java_command("Replaced", home=image))
                self.assertEqual(said.stdout, "5000050000\n")
                self.assertGreaterEqual(self.calls("abs"), 100_000)


if __name__ == "__main__":
    driver.main("copse", "agent", "refusing", sources=["Daemon.java", REPLACED])
