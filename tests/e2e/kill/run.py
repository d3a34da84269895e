#!/usr/bin/env python3
"""JVMs that are killed: the report has every call up to the last moment."""

import os
import random
import re
import shlex
import shutil
import signal
import sys
import time

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS  # noqa: E402
from tally import checked  # noqa: E402

SHARED = "/dev/shm"
# fib(20) on main, fib(10) a hundred times on a thread that ends, fib(15) on one that then waits: known
# numbers of calls. Then waits for a line, or is busy until it is killed and says how far it is.
PROGRAM = """
import java.util.concurrent.*;

public class Killed {
    static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    static void step(int turn) { fib(turn % 7); }
    static void waits(CountDownLatch ready) {
        fib(15);
        ready.countDown();
        synchronized (Killed.class) { try { Killed.class.wait(); } catch (InterruptedException e) { throw new Error(e); } }
    }
    static void ends() { for (int i = 0; i < 100; i++) fib(10); }
    public static void main(String[] args) throws Exception {
        Thread first = new Thread(Killed::ends, "ended");
        first.start();
        first.join();
        CountDownLatch ready = new CountDownLatch(1);
        Thread second = new Thread(() -> waits(ready), "waiting");
        second.setDaemon(true);
        second.start();
        ready.await();
        fib(20);
        System.out.println("ready " + ProcessHandle.current().pid());
        System.out.flush();
        if (args[0].equals("wait")) {
            System.in.read();
            System.out.println("the end");
        } else if (args[0].equals("busy")) {
            for (int t = 0; t < 3; t++) {
                new Thread(() -> {
                    for (;;) {
                        Thread inner = new Thread(() -> { for (int i = 0; i < 2000; i++) step(i); });
                        inner.start();
                        try { inner.join(); } catch (InterruptedException e) { throw new Error(e); }
                    }
                }).start();
            }
            for (int turn = 1; ; turn++) {
                step(turn);
                if (turn % 5000 == 0) System.out.println(turn);
            }
        }
    }
}
"""
FIB = {n: calls for n, calls in [(10, 177), (15, 1973), (20, 21891)]}
FIB_CALLS = FIB[20] + FIB[15] + 100 * FIB[10]


def kill(pid, signal_number=signal.SIGKILL):
    os.kill(pid, signal_number)
    checked(1, "JVMs killed or crashed, whose reports are complete")

# Ends where the JVM is not told: by exit() of the C library in the thread `main`, while another thread makes calls.
EXITING = """
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
public class Exiting {
    static void step() {}
    static void on() {}
    public static void main(String[] args) throws Throwable {
        for (int i = 0; i < 10; i++) step();
        Thread other = new Thread(() -> { while (true) on(); });
        other.setDaemon(true);
        other.start();
        Linker linker = Linker.nativeLinker();
        linker.downcallHandle(linker.defaultLookup().find("exit").get(),
                              FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT)).invoke(5);
    }
}
"""

# Leaves no room for the thread that would end the JVM.
FULL = """
public class Full {
    static Object[] all;
    static void step() {}
    public static void main(String[] args) {
        for (int i = 0; i < 10; i++) step();
        while (true) {
            Object[] more = new Object[1];
            more[0] = all;
            all = more;
        }
    }
}
"""


class Kill(driver.CommandLineTest):
    @classmethod
    def setUpClass(cls):
        cls.classes = {home: driver.compiled([PROGRAM], "classes-" + os.path.basename(home), home) for home in ARGS.homes}

    def setUp(self):
        super().setUp()
        self.kept = None
        self.made = []  # by `copse run`: folders and files outside of our own
        self.addCleanup(self.assert_nothing_is_left)  # the last cleanup: all processes are gone

    def java(self, mode, home=None):
        home = home or ARGS.homes[0]
        return driver.java_command("Killed", mode, home=home, classes=self.classes[home])

    def start_run(self, *options, java, ended=0):
        return self.start_ready(
            [ARGS.copse, "ids" if "--encoder" in options else "run", "-o", self.report, *options, "--", *java], ended)

    def start_script(self, *modes):
        """One JVM after the other under one `copse run`; the first that waits is ready."""
        return self.start_run(java=["sh", "-c", "; ".join(shlex.join(self.java(mode)) for mode in modes)],
                              ended=modes.index("wait"))

    def start_ready(self, command, ended=0):
        """A command once its program has made the calls that are known; and the program's JVM, before which some ended."""
        self.errors = open(self.path("stderr"), "w+", encoding="utf-8")
        self.addCleanup(self.errors.close)
        process = self.start(command, stderr=self.errors)
        for _ in range(ended + 1):
            words = process.stdout.readline().split()
            self.assertEqual(words[:1], ["ready"], self.said())
        pid = int(words[1])
        with open(f"/proc/{pid}/environ", "rb") as environment, open(f"/proc/{pid}/cmdline", "rb") as command_line:
            words = command_line.read() + environment.read()
        option, manifest = (re.search(name + rb"=([^,\"'\0]+)", words) for name in (b"keep", b"manifest"))
        self.kept = option and option.group(1).decode()
        self.made += [found.group(1).decode() for found in (option, manifest) if manifest and found]
        return process, pid

    def said(self):
        self.errors.seek(0)
        return self.errors.read()

    def load(self, path=None):
        report = super().load(path)
        self.assertEqual(report["totals"]["calls_lost"], 0)
        return report

    def left(self):
        """The folder of the last command, if it is still there."""
        return [self.kept] if os.path.exists(self.kept) else []

    def assert_nothing_is_left(self):
        self.assertEqual([path for path in self.made if os.path.exists(path)], [])

    def assert_known_calls(self, report):
        calls = driver.calls_by_method(report)
        self.assertEqual([calls[name] for name in ("fib", "main", "ends", "waits")], [FIB_CALLS, 1, 1, 1])
        names = {thread["name"] for thread in report["threads"]}
        self.assertTrue({"main", "ended", "waiting"} <= names, names)
        lines = {report["sites"]["line"][site] for site in report["nodes"]["site"] if site >= 0}
        self.assertGreater(len(lines), 3)

    def test_leaves_every_call_when_killed_with_signal_9(self):
        for home in ARGS.homes:
            of_each_jdk = ([], ["--jdk"], ["--engine", "parallel"])
            others = (["--no-sites"], ["--engine", "parallel", "--jdk"], ["--engine", "uptree"])
            for options in (*of_each_jdk, *others) if home == ARGS.homes[0] else of_each_jdk:
                with self.subTest(home=home, options=options):
                    process, pid = self.start_run(*options, java=self.java("wait", home))
                    kill(pid, signal.SIGKILL)
                    self.assertEqual(process.wait(jvm.TIMEOUT_S), 128 + signal.SIGKILL)
                    report = self.load()
                    if options == ["--no-sites"]:
                        self.assertEqual(driver.calls_by_method(report)["fib"], FIB_CALLS)
                    else:
                        self.assert_known_calls(report)
                    self.assertTrue(any("killed" in note for note in report["notes"]), report["notes"])
                    gone = [note for note in report["notes"] if note.endswith("went with the JVM.")]
                    self.assertEqual(len(gone), bool(report["metrics"]), "by thread, and the time line")
                    self.assertNotIn("timeline", report)
                    self.assertIn("copse: killed JVM: ", self.said())
                    self.assertEqual(self.left(), [])

    def test_leaves_every_call_of_many_threads_killed_in_full_career(self):
        seed = random.randrange(1 << 30)
        print("seed", seed)
        moments = random.Random(seed)
        for engine in ["inline", "parallel"] * 2 + ["uptree"]:
            print("engine", engine)
            process, pid = self.start_run("--engine", engine, java=self.java("busy"))
            lines = [process.stdout.readline() for _ in range(moments.randrange(1, 8))]
            kill(pid, signal.SIGKILL)
            rest = process.stdout.read().split()
            self.assertEqual(process.wait(jvm.TIMEOUT_S), 128 + signal.SIGKILL)
            said = int((lines + rest)[-1]) if not rest else int(rest[-1])
            report = self.load()
            turns = self.calls_under_main(report, "step")
            # The line is printed after its turn; no line was printed for the turns after it.
            self.assertGreaterEqual(turns, said)
            self.assertLess(turns, said + 5000 + 1)

    def calls_under_main(self, report, method):
        nodes, names = report["nodes"], report["methods"]["name"]
        return sum(calls for parent, own, calls in zip(nodes["parent"], nodes["method"], nodes["calls"])
                   if own >= 0 and names[own] == method and parent >= 0 and nodes["method"][parent] >= 0
                   and names[nodes["method"][parent]] == "main")

    def test_leaves_every_call_when_the_jvm_crashes(self):
        process, pid = self.start_run(java=self.java("wait"))
        kill(pid, signal.SIGSEGV)
        self.assertNotEqual(process.wait(jvm.TIMEOUT_S), 0)
        self.assert_known_calls(self.load())

    def test_does_not_need_the_process_that_collects(self):
        process, pid = self.start_run(java=self.java("wait"))
        process.kill()
        process.wait(jvm.TIMEOUT_S)
        process.stdin.write("\n")
        process.stdin.flush()
        self.assertEqual(process.stdout.read(), "the end\n")
        self.assert_known_calls(self.load())
        self.assert_nothing_is_left()

    def test_the_last_jvm_of_a_killed_command_removes_what_that_left(self):
        process, first = self.start_script("wait", "wait", "none")
        process.kill()
        process.wait(jvm.TIMEOUT_S)
        kill(first, signal.SIGKILL)
        second = int(process.stdout.readline().split()[1])
        self.assertEqual({name.split(".")[0] for name in os.listdir(self.kept)}, {str(first), str(second), "manifest"})
        recovered = self.copse("recover", self.kept)
        self.assert_one_line_of(recovered, 1, f"{second}.memory: its program still runs")
        self.assert_known_calls(self.load())
        self.assertEqual({name.split(".")[0] for name in os.listdir(self.kept)}, {str(second), "manifest"})
        process.stdin.write("\n")
        process.stdin.flush()
        self.assertEqual(process.stdout.readline(), "the end\n")
        third = int(process.stdout.readline().split()[1])
        self.assertEqual(process.stdout.read(), "")
        for pid in (second, third):
            self.assert_known_calls(self.load(self.path(f"report-{pid}.json")))
        self.assert_nothing_is_left()

    def test_a_killed_command_leaves_nothing_when_its_jvm_comes_to_its_end(self):
        for options in ([], ["--encoder", "segment", "--mark", "Killed.fib"], ["--encoder", "pcc", "--mark", "Killed.fib"]):
            process, pid = self.start_run(*options, java=self.java("wait"))
            process.kill()
            process.wait(jvm.TIMEOUT_S)
            process.stdin.write("\n")
            process.stdin.flush()
            self.assertEqual(process.stdout.read(), "the end\n")
            self.assert_nothing_is_left()

    def assert_one_line_of(self, outcome, status, *words):
        """Among others, which say what was written."""
        self.assertEqual(outcome.status, status, outcome)
        self.assertTrue(any(all(word in line for word in words) for line in outcome.stderr.splitlines()), outcome)

    def test_can_be_recovered_later_when_both_were_killed(self):
        process, pid = self.start_run(java=self.java("wait"))
        folders = self.left()
        self.assertEqual(len(folders), 1)
        early = self.copse("recover", folders[0])
        self.assert_one_line(early, 1, f"{pid}.memory: ")
        process.kill()
        process.wait(jvm.TIMEOUT_S)
        kill(pid, signal.SIGKILL)
        process.stdout.read()
        other = self.path("recovered.json")
        self.done("recover", folders[0], "-o", other)
        self.assert_known_calls(self.load(other))
        self.assert_nothing_is_left()

    def test_one_run_of_a_folder_can_be_recovered_alone(self):
        process, first = self.start_script("wait", "wait")
        process.kill()
        process.wait(jvm.TIMEOUT_S)
        kill(first, signal.SIGKILL)
        second = int(process.stdout.readline().split()[1])
        kill(second, signal.SIGKILL)
        process.stdout.read()
        for pid in (second, first):
            self.assertTrue(os.path.exists(self.kept))
            output = self.path(f"{pid}.json")
            self.done("recover", f"{pid}.memory" if pid == first else f"{pid}.names", "-o", output, cwd=self.kept)
            self.assert_known_calls(self.load(output))
        self.assert_nothing_is_left()

    def test_an_empty_folder_of_a_killed_command_goes_when_it_is_looked_at(self):
        process, pid = self.start_run(java=self.java("wait"))
        process.kill()
        process.wait(jvm.TIMEOUT_S)
        kill(pid, signal.SIGKILL)
        process.stdout.read()
        for name in os.listdir(self.kept):
            if name != "manifest":
                os.unlink(os.path.join(self.kept, name))
        self.assert_one_line(self.copse("recover", self.kept), 1, self.kept)
        self.assert_nothing_is_left()

    def test_keeps_what_was_left_when_the_report_cannot_be_written(self):
        target = self.path("reports")
        os.mkdir(target)
        self.report = os.path.join(target, "report.json")
        process, pid = self.start_run(java=self.java("wait"))
        shutil.rmtree(target)
        kill(pid, signal.SIGKILL)
        process.wait(jvm.TIMEOUT_S)
        said = self.said()
        self.assertIn(self.report, said)
        folders = self.left()
        self.assertEqual(len(folders), 1, said)
        again = self.path("again.json")
        self.done("recover", folders[0], "-o", again)
        self.assert_known_calls(self.load(again))

    def test_tells_killed_jvms_from_those_that_ended(self):
        process, second = self.start_script("none", "wait")
        kill(second, signal.SIGKILL)
        process.wait(jvm.TIMEOUT_S)
        self.assert_known_calls(self.load())
        self.assert_known_calls(self.load(self.path(f"report-{second}.json")))
        self.assertEqual(self.said().count("killed JVM Killed: "), 1)
        self.assertRegex(self.said(), "copse: Killed: [0-9,]+ calls")
        self.assertEqual(self.left(), [])

    def test_names_the_last_snapshot_where_nothing_can_be_left(self):
        limited = ["sh", "-c", 'ulimit -f 10000000; exec "$0" "$@"']
        process, pid = self.start_run("--snapshot", "100ms", java=[*limited, *self.java("wait")])
        deadline = time.monotonic() + jvm.TIMEOUT_S
        while not os.path.exists(self.report) or self.calls("fib") < FIB_CALLS:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)
        kill(pid, signal.SIGKILL)
        process.wait(jvm.TIMEOUT_S)
        self.assert_known_calls(self.load())
        self.assertIn("the size of files is limited (ulimit -f)", self.said())
        self.assertIn(f"its last snapshot: {self.report}", self.said())

    def test_works_for_an_agent_without_copse_run(self):
        kept = self.path("kept")
        os.mkdir(kept, 0o700)
        process, pid = self.start_ready(driver.with_agent(self.java("wait"), f"out={self.report},keep={kept}"))
        self.assertEqual(sorted(os.listdir(kept)), [f"{pid}.memory", f"{pid}.names"])
        for name in os.listdir(kept):
            self.assertEqual(os.stat(os.path.join(kept, name)).st_mode & 0o777, 0o600)
        process.kill()
        process.wait(jvm.TIMEOUT_S)
        self.done("recover", kept)
        self.assert_known_calls(self.load())

    def test_leaves_the_report_when_native_code_exits(self):
        for home in [home for home in ARGS.homes if jvm.feature_version(home) >= 22]:
            java = driver.java_command("Exiting", home=home, classes=driver.compiled([EXITING], "exiting", home),
                                       jvm_options=["--enable-native-access=ALL-UNNAMED"])
            for options in ("by-thread=each", "engine=parallel", "measure=calls,cpu,wall,alloc=exact,exceptions,locks"):
                with self.subTest(options=options):
                    self.assertEqual(jvm.run(driver.with_agent(java, f"out={self.report},quiet,{options}")).status, 5)
                    self.assertEqual(self.calls("step"), 10)
                    os.remove(self.report)
            outcome = self.copse("run", "-o", self.report, "--", *java)
            self.assertEqual(outcome.status, 5)
            self.assertNotIn("killed", outcome.stderr)
            self.assertEqual(self.calls("step"), 10)

    def test_leaves_the_report_when_the_heap_is_full_at_the_end(self):
        java = driver.java_command("Full", classes=driver.compiled([FULL], "full", ARGS.homes[0]),
                                   jvm_options=["-XX:+UseG1GC", "-Xmx16m"])
        self.assertEqual(jvm.run(driver.with_agent(java, f"out={self.report}")).status, 1)
        self.assertEqual(self.calls("step"), 10)

    def test_goes_on_without_when_the_folder_is_not_there(self):
        done = jvm.run(driver.with_agent(self.java("none"), f"out={self.report},keep=/nowhere"))
        self.assertEqual(done.status, 0)
        self.assertIn("copse: /nowhere/", done.stderr)
        self.assertIn("should the JVM be killed, its report is lost", done.stderr)
        self.assert_known_calls(self.load())

    def test_refuses_what_nobody_left(self):
        self.assert_one_line(self.copse("recover", self.folder), 1, self.folder)
        garbage = self.folder / "1.memory"
        garbage.write_bytes(os.urandom(8192))
        self.assert_one_line(self.copse("recover", garbage), 1, garbage)


if not os.access(SHARED, os.W_OK):
    jvm.skip(f"no {SHARED} on this machine")
driver.main("copse", "agent", jdks=True)
