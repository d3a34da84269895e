#!/usr/bin/env python3
"""Context ids that a program logged decode although its JVM was killed, and while it runs: to the chain of callers
that the JVM itself gave, for every encoder, up to the last line of the log."""

import itertools
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS  # noqa: E402
from tally import checked  # noqa: E402

SHARED = "/dev/shm"
# Threads that reach ever more contexts, by recursion, several call sites and exceptions; some of them virtual where
# there are any, and some that come and go; and classes that are loaded all the while, each by a loader of its own. Each
# asks for the id of where it stands and prints it, with the thread, beside the chain that the JVM gives: call sites by
# line, but the last, which asks. `marked` is called once for each line. With a number of
# rounds below 0 it fills the heap at its end.
PROGRAM = """
import copse.Context;
import java.util.Random;
import java.util.function.IntConsumer;

public class Logged {
    public static class Fresh implements IntConsumer {
        public void accept(int depth) { a(new Random(depth), depth); }
    }
    static class Loader extends ClassLoader {
        Loader() { super(Logged.class.getClassLoader()); }
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals("Logged$Fresh")) return super.loadClass(name, resolve);
            try (java.io.InputStream bytes = getParent().getResourceAsStream("Logged$Fresh.class")) {
                byte[] all = bytes.readAllBytes();
                return defineClass(name, all, 0, all.length);
            } catch (java.io.IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
    static IntConsumer fresh() {
        try {
            return (IntConsumer) new Loader().loadClass("Logged$Fresh").getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
    static void marked() {}
    static void log() {
        marked();
        StackTraceElement[] frames = new Throwable().getStackTrace();
        StringBuilder line = new StringBuilder();
        line.append("id ").append(Context.id()).append('@').append(Thread.currentThread().getId()).append(' ');
        for (int i = frames.length - 1; i > 0; i--) {
            if (!frames[i].getClassName().startsWith("Logged")) continue;
            line.append(frames[i].getClassName()).append('.').append(frames[i].getMethodName());
            line.append(':').append(frames[i].getLineNumber()).append(';');
        }
        System.out.println(line.append("Logged.log"));
    }
    public static void a(Random way, int depth) {
        if (depth <= 0) { log(); return; }
        switch (way.nextInt(4)) {
            case 0: a(way, depth - 1); break;
            case 1: b(way, depth - 1); break;
            case 2: new Logged().c(way, depth - 1); break;
            default: a(way, depth - 2);
        }
    }
    static void b(Random way, int depth) {
        try {
            if (way.nextInt(3) == 0) thrown(way, depth - 1);
            a(way, depth - 1);
        } catch (IllegalStateException e) {
            log();
        }
    }
    void c(Random way, int depth) {
        Runnable next = way.nextBoolean() ? () -> a(way, depth - 1) : () -> b(way, depth - 1);
        next.run();
    }
    static void thrown(Random way, int depth) {
        if (way.nextBoolean()) a(way, depth - 1);
        throw new IllegalStateException();
    }
    static void lives(long seed, int turns) {
        Random way = new Random(seed);
        for (int turn = 0; turn < turns; turn++) {
            if (way.nextInt(8) == 0) fresh().accept(1 + way.nextInt(8));
            else a(way, 1 + way.nextInt(12));
        }
    }
    static Thread started(Runnable task, boolean virtual) throws Exception {
        if (virtual) {
            try {
                return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, task);
            } catch (NoSuchMethodException e) {
                // A JVM without them.
            }
        }
        Thread thread = new Thread(task, "lives");
        thread.start();
        return thread;
    }
    public static void main(String[] args) throws Exception {
        long seed = Long.parseLong(args[0]);
        int rounds = Math.abs(Integer.parseInt(args[1]));
        System.out.println("ready " + ProcessHandle.current().pid());
        for (int round = 0; round < rounds; round++) {
            long first = seed + 4L * round;
            Thread[] threads = {started(() -> lives(first, 40), false), started(() -> lives(first + 1, 40), true),
                                started(() -> lives(first + 2, 40), true)};
            lives(first + 3, 40);
            for (Thread thread : threads) thread.join();
        }
        for (Object kept = null; args[1].startsWith("-");) kept = new Object[] {kept, new long[100000]};
    }
}
"""
WITHOUT_GRAPH = ["segment", "luce", "dacce"]
WITH_GRAPH = ["pcce", "deltapath", "rcce"]
FOREVER = 1 << 30


def kill(pid, signal_number):
    os.kill(pid, signal_number)
    checked(1, "JVMs killed or crashed, whose ids decode or are counted")


class Log:
    """Output of a program, as far as it was read: the ids and their chains."""

    def __init__(self, test, process):
        self.test, self.process, self.lines = test, process, []
        words = process.stdout.readline().split()
        test.assertEqual(words[:1], ["ready"], words)
        self.pid = int(words[1])

    def read(self, count):
        """So many lines more."""
        for _ in range(count):
            self.add(self.process.stdout.readline())

    def read_all(self):
        """The rest of a program that is gone; its last line may be cut off."""
        for line in self.process.stdout:
            if line.endswith("\n"):
                self.add(line)

    def add(self, line):
        word, number, chain = line.split()
        self.test.assertEqual(word, "id")
        self.test.assertFalse(number.startswith("0@"), line)
        self.lines.append((number, chain))


class KilledIds(driver.CommandLineTest):
    @classmethod
    def setUpClass(cls):
        cls.seed = random.randrange(1 << 30)
        print("seed", cls.seed)
        cls.moments = random.Random(cls.seed)
        cls.classes = {home: driver.compiled([PROGRAM], "classes-" + os.path.basename(home), home) for home in ARGS.homes}
        cls.graphs = {}

    def setUp(self):
        super().setUp()
        self.ids = self.path("report.ids")
        self.errors = open(self.path("stderr"), "w+", encoding="utf-8")
        self.addCleanup(self.errors.close)

    def java(self, rounds=FOREVER, home=None, jvm_options=()):
        home = home or ARGS.homes[0]
        return driver.java_command("Logged", self.seed % 1000, rounds, home=home, classes=self.classes[home],
                                   jvm_options=jvm_options)

    def settings(self, homes):
        """Every encoder, with a graph that lacks a method in the middle of the recursion where it takes one, on these JDKs:
        lists of them, taken by turns."""
        kinds = [(["--encoder", encoder], encoder in WITH_GRAPH) for encoder in WITHOUT_GRAPH + WITH_GRAPH]
        kinds += [(["--encoder", "segment", "--selective"], True), (["--encoder", "segment", "--jdk"], False)]
        for (options, takes_graph), of_kind in zip(kinds, itertools.cycle(homes)):
            for home in of_kind:
                yield home, options + (["--graph", self.graph(home)] if takes_graph else [])

    def graph(self, home):
        if home not in self.graphs:
            self.graphs[home] = os.path.join(ARGS.work, os.path.basename(home) + "-graph.json")
            self.done("run", "--exclude", "Logged.b", "-o", self.graphs[home], "--", *self.java(2, home))
        return self.graphs[home]

    def start_run(self, *options, java, wrapper=()):
        process = self.start([*wrapper, ARGS.copse, "ids", "-o", self.report, *options, "--", *java], stderr=self.errors)
        return process, Log(self, process)

    def said(self):
        self.errors.flush()
        with open(self.path("stderr"), encoding="utf-8") as errors:
            return errors.read()

    def kept_of(self, pid):
        with open(f"/proc/{pid}/cmdline", "rb") as command:
            found = re.search(rb"keep=([^,\0]+)", command.read())
        return found.group(1).decode()

    def decoded(self, numbers, ids=None):
        """Decodes numbers by an id file; all of them decode."""
        path = self.folder / "numbers.txt"
        path.write_text("".join(number + "\n" for number in numbers))
        return self.done("decode", ids or self.ids, "--tokens", path).stdout.splitlines()

    def assert_decode(self, lines, ids=None, jdk=False):
        self.assertGreater(len(lines), 50)
        for (number, chain), text in zip(lines, self.decoded([line[0] for line in lines], ids)):
            starts, _, context = text.rpartition(");")
            # main starts all others.
            thread = number.partition("@")[2]
            if not chain.startswith("Logged.main:"):
                self.assertRegex(starts, rf"Logged\.main:\d+;(Logged\.started:\d+;)?([^()]*;)?\(starts thread {thread}$")
            names, asked = context.rsplit(";", 1)
            self.assertEqual(asked, "copse.Context.id")
            if jdk:
                names = ";".join(name for name in names.split(";") if name.startswith(("Logged.", "Logged$")))
            self.assertEqual(re.sub(r"Logged\.log:\d+$", "Logged.log", names), chain, number)
        checked(len(lines), "ids that a program printed, decoded while it runs or after a kill")

    def moment(self):
        return self.moments.randrange(60, 600)

    def test_ids_decode_while_the_program_runs_and_when_its_jvm_is_killed(self):
        for home, options in self.settings([ARGS.homes]):
            with self.subTest(home=home, options=options):
                process, log = self.start_run(*options, "--mark", "Logged.marked", java=self.java(home=home))
                log.read(self.moment())
                now = self.path("now.json")
                outcome = self.done("dump", log.pid, "-o", now)
                self.assertIn(f"copse decode {self.path('now.ids')} NUMBER", outcome.stderr)
                before = list(log.lines)
                self.assert_decode(before, self.path("now.ids"), jdk="--jdk" in options)
                report = self.load(now)
                self.assertEqual(report["program"]["snapshot"], 1)
                self.assertGreaterEqual(report["totals"]["calls"], len(before))
                log.read(self.moment())
                kill(log.pid, signal.SIGKILL)
                self.assertEqual(process.wait(jvm.TIMEOUT_S), 128 + signal.SIGKILL)
                log.read_all()
                self.assert_decode(log.lines, jdk="--jdk" in options)
                # Those of the snapshot are the same ids.
                self.assertEqual(self.decoded([line[0] for line in before]),
                                 self.decoded([line[0] for line in before], self.path("now.ids")))
                self.assert_counted(log.lines)
                self.assertIn("copse: killed JVM: ", self.said())
                self.assertIn(f"copse decode {self.ids} NUMBER", self.said())

    def assert_counted(self, lines, threads=5):
        """Every line was marked before; what was marked later was not printed."""
        report = self.load()
        totals = report["totals"]
        self.assertEqual(totals["calls_lost"], 0)
        self.assertGreaterEqual(totals["calls"], len(lines))
        self.assertLessEqual(totals["calls"], len(lines) + threads)
        self.assertIn("main", {thread["name"] for thread in report["threads"]})
        self.assertTrue(any("killed" in note for note in report["notes"]), report["notes"])
        self.assertFalse([note for note in report["notes"] if "DEFECT" in note])

    def test_ids_decode_when_jvm_and_command_are_killed(self):
        for home, options in self.settings([[home] for home in ARGS.homes]):
            with self.subTest(home=home, options=options):
                process, log = self.start_run(*options, "--mark", "Logged.marked", java=self.java(home=home))
                kept = self.kept_of(log.pid)
                self.addCleanup(shutil.rmtree, kept, ignore_errors=True)
                log.read(self.moment())
                os.killpg(process.pid, signal.SIGKILL)
                process.wait(jvm.TIMEOUT_S)
                log.read_all()
                for path in (self.report, self.ids):
                    if os.path.exists(path):
                        os.unlink(path)
                memory = os.path.join(kept, f"{log.pid}.memory")
                self.assert_one_line(self.copse("decode", memory, "1"), 1, "copse recover")
                outcome = self.done("recover", kept)
                self.assertIn(f"copse decode {self.ids} NUMBER", outcome.stderr)
                self.assert_decode(log.lines, jdk="--jdk" in options)
                self.assert_counted(log.lines)
                self.assertFalse(os.path.exists(kept))

    def test_ids_decode_when_the_jvm_crashes_or_is_out_of_memory(self):
        crashes = [(signal_number, self.java()) for signal_number in (signal.SIGSEGV, signal.SIGABRT)]
        for option in ("-XX:+ExitOnOutOfMemoryError", "-XX:+CrashOnOutOfMemoryError"):
            crashes.append((None, self.java(-3, jvm_options=["-Xmx64m", option])))
        for signal_number, java in crashes:
            with self.subTest(signal_number=signal_number, java=java):
                process, log = self.start_run("--encoder", "segment", java=java)
                log.read(60 if signal_number is None else self.moment())
                if signal_number is not None:
                    kill(log.pid, signal_number)
                # Among what the JVM says of its end.
                rest = [line for line in process.stdout if re.fullmatch(r"id -?\d+@\d+ \S+Logged\.log\n", line)]
                self.assertNotEqual(process.wait(jvm.TIMEOUT_S), 0)
                for line in rest:
                    log.add(line)
                self.assert_decode(log.lines)

    def test_works_for_an_agent_without_copse_run(self):
        kept = self.path("kept")
        os.mkdir(kept, 0o700)
        for encoder in ("segment", "dacce"):
            options = f"out={self.report},keep={kept},mode=ids,encoder={encoder},mark=Logged.marked"
            process = self.start(driver.with_agent(self.java(), options), stderr=self.errors)
            log = Log(self, process)
            log.read(self.moment())
            self.done("dump", log.pid, "-o", self.path("now.json"))
            self.assert_decode(log.lines, self.path("now.ids"))
            log.read(self.moment())
            self.assertEqual(sorted(os.listdir(kept)), [f"{log.pid}.memory", f"{log.pid}.names"])
            process.kill()
            process.wait(jvm.TIMEOUT_S)
            log.read_all()
            self.done("recover", kept, "-o", self.path("again.html"))
            self.assert_decode(log.lines, self.path("again.ids"))
            self.assertEqual(os.listdir(kept), [])

    def test_snapshots_leave_ids_that_are_out(self):
        for encoder in ("segment", "luce", "dacce"):
            process, log = self.start_run("--encoder", encoder, "--snapshot", "100ms", java=self.java())
            for _ in range(3):
                log.read(self.moment())
                self.wait_for_a_snapshot_that_begins_now(log)
                self.assert_decode(log.lines)
            report = self.load()
            self.assertGreater(report["program"]["snapshot"], 1)
            kill(log.pid, signal.SIGKILL)
            process.wait(jvm.TIMEOUT_S)
            log.read_all()
            self.assert_decode(log.lines)

    def wait_for_a_snapshot_that_begins_now(self, log):
        """The second that is there: the first may have begun before. The program goes on, so its lines are read."""
        def of_file():
            try:
                about = os.stat(self.ids)
                return about.st_ino, about.st_mtime_ns
            except FileNotFoundError:
                return None
        lines = len(log.lines)
        deadline = time.monotonic() + jvm.TIMEOUT_S
        for _ in range(2):
            last = of_file()
            while of_file() == last:
                self.assertLess(time.monotonic(), deadline)
                log.read(1)
        del log.lines[lines:]  # what was printed meanwhile may be in the next one only

    def test_with_an_event_file_both_have_all_names(self):
        events = self.path("run.events")
        process, log = self.start_run("--encoder", "segment", "--measure", "ids", "--event-file", events, java=self.java())
        deadline = time.monotonic() + jvm.TIMEOUT_S
        while not os.path.exists(events) or os.path.getsize(events) < 100_000:  # several blocks
            self.assertLess(time.monotonic(), deadline)
            log.read(10)
        kill(log.pid, signal.SIGKILL)
        process.wait(jvm.TIMEOUT_S)
        log.read_all()
        self.assert_decode(log.lines)
        self.assertEqual(self.load()["totals"]["calls"], 0)
        self.assertGreaterEqual(self.measured("ids_asked"), len(log.lines))
        self.assertLessEqual(self.measured("ids_asked"), len(log.lines) + 5)
        lines = self.copse("events", events, "--format", "lines").stdout.splitlines()[1:]
        contexts = {row[5]: row[6] for row in (line.split("\t") for line in lines)}
        self.assertGreater(len(contexts), 100)
        self.assertEqual(list(contexts.values()), self.decoded(list(contexts)))
        self.assertFalse([context for context in contexts.values() if "?" in context])
        refused = self.copse("decode", events, log.lines[0][0])
        self.assert_one_line(refused, 1, "run.events", "copse events", "id file")
        self.assert_one_line(self.copse("decode", self.report, log.lines[0][0]), 1, f"copse decode {self.ids}")

    def measured(self, name):
        report = self.load()
        return sum(report["nodes"][name])

    def test_events_of_every_kind_are_in_the_report_of_a_killed_jvm(self):
        process, log = self.start_run("--encoder", "segment", "--measure", "exceptions", "--measure", "alloc=exact",
                                      "--measure", "cpu", java=self.java())
        log.read(self.moment())
        # The thread that counts allocations has had its turn, and processor time has been sampled.
        deadline = time.monotonic() + jvm.TIMEOUT_S
        until = self.processor_seconds(log.pid) + 1
        while self.processor_seconds(log.pid) < until:
            self.assertLess(time.monotonic(), deadline)
            log.read(10)
        kill(log.pid, signal.SIGKILL)
        process.wait(jvm.TIMEOUT_S)
        log.read_all()
        self.assert_decode(log.lines)
        report = self.load()
        for name in ("exceptions", "allocations", "cpu_ns"):
            self.assertGreater(sum(report["nodes"][name]), 0, name)
        self.assertEqual([measure["lost"] for measure in report["metrics"]], [0] * len(report["metrics"]))

    @staticmethod
    def processor_seconds(pid):
        with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def test_hashes_leave_a_report_and_no_id_file(self):
        process, log = self.start_run("--encoder", "pcc", "--mark", "Logged.marked", java=self.java())
        log.read(self.moment())
        kill(log.pid, signal.SIGKILL)
        process.wait(jvm.TIMEOUT_S)
        log.read_all()
        report = self.load()
        self.assertGreaterEqual(report["totals"]["calls_seen"], len(log.lines))
        self.assertEqual(report["totals"]["calls"], 0)
        self.assertFalse(os.path.exists(self.ids))
        self.assertNotIn("copse decode", self.said())

    def test_what_has_no_room_in_shared_memory_is_said_and_the_program_goes_on(self):
        full = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs -o size=$0 tmpfs /dev/shm && exec "$@"']
        if subprocess.run([*full, "64k", "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("no file system can be mounted here")
        # Nothing has room: the report of the last snapshot is left, and the reason.
        process, log = self.start_run("--encoder", "segment", "--snapshot", "100ms", java=self.java(),
                                      wrapper=[*full, "8k"])
        log.read(200)
        self.wait_for_a_snapshot_that_begins_now(log)
        self.assert_decode(log.lines)
        log.read(200)
        kill(log.pid, signal.SIGKILL)
        self.assertEqual(process.wait(jvm.TIMEOUT_S), 128 + signal.SIGKILL)
        self.assertIn("No space left on device", self.said())
        self.assertIn("its last snapshot", self.said())
        self.assertIn(f"copse decode {self.ids} NUMBER", self.said())
        # Some of it has: what decodes is right, and the rest is counted.
        process, log = self.start_run("--encoder", "segment", java=self.java(), wrapper=[*full, "324k"])
        log.read(20000)
        kill(log.pid, signal.SIGKILL)
        self.assertEqual(process.wait(jvm.TIMEOUT_S), 128 + signal.SIGKILL)
        log.read_all()
        said = self.said()
        self.assertRegex(said, r"no room in shared memory for [0-9,]+ changes")
        self.assertTrue(any("no room in shared memory" in note for note in self.load()["notes"]))
        path = self.folder / "numbers.txt"
        path.write_text("".join(number + "\n" for number, _ in log.lines))
        outcome = self.copse("decode", self.ids, "--tokens", path)
        self.assertEqual(outcome.status, 1)
        texts = outcome.stdout.splitlines()
        known = 0
        for (number, chain), text in zip(log.lines, texts):
            if text == "?":
                continue
            known += 1
            context = text.rpartition(");")[2].rsplit(";", 1)[0]
            self.assertEqual(re.sub(r"Logged\.log:\d+$", "Logged.log", context), chain, number)
        self.assertGreater(known, 50)
        self.assertLess(known, len(texts))

    def test_a_program_that_ends_leaves_nothing_but_its_files(self):
        process, log = self.start_run("--encoder", "segment", java=self.java(3))
        kept = self.kept_of(log.pid)
        log.read_all()
        self.assertEqual(process.wait(jvm.TIMEOUT_S), 0)
        self.assert_decode(log.lines)
        self.assertFalse(os.path.exists(kept))

    def test_a_checked_run_says_that_it_leaves_nothing_before_its_end(self):
        options = f"out={self.report},mode=validate,encoder=segment,check-every=1"
        for more, words in ((",keep=" + self.path("kept"), ("keep", "mode=validate")), (",snapshot=1s", ("snapshot", "mode=validate"))):
            outcome = jvm.run(driver.with_agent(self.java(1), options + more))
            self.assert_one_line_among(outcome, *words)

    def assert_one_line_among(self, outcome, *words):
        self.assertNotEqual(outcome.status, 0)
        lines = [line for line in outcome.stderr.splitlines() if line.startswith("copse: ")]
        self.assertEqual(len(lines), 1, outcome.stderr)
        for word in words:
            self.assertIn(word, lines[0])


if not os.access(SHARED, os.W_OK):
    jvm.skip(f"no {SHARED} on this machine")
driver.main("copse", "agent", "context-jar", jdks=True)
