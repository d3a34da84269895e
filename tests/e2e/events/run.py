#!/usr/bin/env python3
"""Events of interest in a file: its sums are the report's, whatever ends the program."""

import collections
import json
import math
import os
import random
import re
import signal
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS  # noqa: E402

# Throws from three places without end on four threads, and says after every thousand how many there were.
THROWS = """
public class Throws {
    static class Mine extends RuntimeException { Mine() { super(null, null, false, false); } }
    static void first(int n) { second(n % 3); }
    static void second(int n) { if (n == 0) fail(); else second(n - 1); }
    static void fail() { throw new Mine(); }
    static void turn(int n) { try { if (n % 4 == 0) fail(); else first(n); } catch (Mine expected) { } }
    static void turns(long from, long to) { for (long n = from; n < to; n++) turn((int) (n & 0xffff)); }
    public static void main(String[] args) throws Exception {
        int threads = Integer.parseInt(args[0]);
        long rounds = Long.parseLong(args[1]);
        Thread[] all = new Thread[threads];
        for (int t = 0; t < threads; t++) {
            all[t] = new Thread(() -> {
                for (long round = 0; rounds < 0 || round < rounds; round++) {
                    turns(round * 1000, round * 1000 + 1000);
                    System.out.println("1000 " + ProcessHandle.current().pid());
                }
            }, "thrower-" + t);
            all[t].start();
        }
        for (Thread thread : all) thread.join();
    }
}
"""
# Allocates in several ways, each as often as it is told to, and prints what the JVM's own counter of the
# thread says each took.
ALLOCATES = """
import java.lang.management.ManagementFactory;

public class Allocates {
    static class Small { int a; }
    static class Big extends Small { long b, c; byte d; Object e; Big() { e = new Small(); } }
    static class Finalized { long[] big = new long[2]; @SuppressWarnings("removal") protected void finalize() { kept = big; } }
    static Object kept;
    static final com.sun.management.ThreadMXBean counter =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    static final long[] taken = new long[20];

    interface Way { void go(int n); }
    static void objects(int n) { for (int i = 0; i < n; i++) kept = new Big(); }
    static void finalized(int n) { for (int i = 0; i < n / 10; i++) kept = new Finalized(); }
    static void bytes(int n) { for (int i = 0; i < n; i++) kept = new byte[i % 70]; }
    static void booleans(int n) { for (int i = 0; i < n; i++) kept = new boolean[i % 70]; }
    static void chars(int n) { for (int i = 0; i < n; i++) kept = new char[i % 70]; }
    static void shorts(int n) { for (int i = 0; i < n; i++) kept = new short[i % 70]; }
    static void ints(int n) { for (int i = 0; i < n; i++) kept = new int[i % 70]; }
    static void longs(int n) { for (int i = 0; i < n; i++) kept = new long[i % 70]; }
    static void floats(int n) { for (int i = 0; i < n; i++) kept = new float[i % 70]; }
    static void doubles(int n) { for (int i = 0; i < n; i++) kept = new double[i % 70]; }
    static void references(int n) { for (int i = 0; i < n; i++) kept = new String[i % 70]; }
    static void cubes(int n) { for (int i = 0; i < n; i++) kept = new short[i % 3][i % 4][i % 5]; }
    static void open(int n) { for (int i = 0; i < n; i++) kept = new double[i % 3][2][]; }
    static void recursive(int n) { deeper(n, 12); }
    static void deeper(int n, int depth) {
        for (int i = 0; i < n / 100; i++) kept = new Small();
        if (depth > 0) { deeper(n / 2, depth - 1); deeper(n / 3, depth - 1); }
    }
    static void run(int at, Way way, int n) {
        long before = counter.getThreadAllocatedBytes(Thread.currentThread().getId());
        way.go(n);
        taken[at] = counter.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
    }
    public static void main(String[] args) throws Exception {
        int n = Integer.parseInt(args[0]);
        String[] names = {"objects", "finalized", "bytes", "booleans", "chars", "shorts", "ints", "longs", "floats",
            "doubles", "references", "cubes", "open", "recursive"};
        Way[] ways = {Allocates::objects, Allocates::finalized, Allocates::bytes, Allocates::booleans, Allocates::chars,
            Allocates::shorts, Allocates::ints, Allocates::longs, Allocates::floats, Allocates::doubles,
            Allocates::references, Allocates::cubes, Allocates::open, Allocates::recursive};
        // Once before, so that nothing is loaded or learned while the counter is compared.
        for (int at = 0; at < ways.length; at++) run(at, ways[at], 200);
        for (int at = 0; at < ways.length; at++) run(at, ways[at], n);
        for (int at = 0; at < ways.length; at++) System.out.println(names[at] + " " + taken[at]);
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++) (threads[t] = new Thread(() -> concurrent(n))).start();
        for (Thread thread : threads) thread.join();
    }
    static void concurrent(int n) { for (int i = 0; i < n; i++) kept = new Small[3]; }
}
"""
# Two methods that use the processor two to one, and a thread that waits. Lengths vary, so that they keep
# no step with the kernel's tick.
WORKS = """
import java.lang.management.ManagementFactory;

public class Works {
    static final java.util.Random chance = new java.util.Random(7);
    static volatile double sink;
    static final java.lang.management.ThreadMXBean counter = ManagementFactory.getThreadMXBean();
    static void spin(long ns) {
        long end = counter.getCurrentThreadCpuTime() + ns;
        while (counter.getCurrentThreadCpuTime() < end) for (int i = 1; i < 3000; i++) sink += Math.sqrt(i);
    }
    static void twice() { spin(1_000_000 + chance.nextInt(2_000_000)); }
    static void once() { spin(500_000 + chance.nextInt(1_000_000)); }
    public static void main(String[] args) throws Exception {
        Thread waiting = new Thread(() -> { try { Thread.sleep(500); } catch (InterruptedException e) { throw new Error(e); } }, "waiting");
        waiting.start();
        for (int i = 0; i < Integer.parseInt(args[0]); i++) { twice(); once(); }
        waiting.join();
        System.out.println(counter.getCurrentThreadCpuTime());
    }
}
"""
# Allocations of each way: enough that constructors are compiled.
COUNT = 6000


class EventFile(driver.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.file = self.path("run.events")

    def command(self, program, *arguments, options=("--measure", "exceptions"), home=None, jvm_options=()):
        java = driver.java_command(program, *arguments, home=home, jvm_options=jvm_options)
        return ["ids", "--encoder", "segment", *options, "--event-file", self.file, "-o", self.report, "--", *java]

    def events(self, status=0):
        """The file's lines, as a reader of JSON sees them, and what was said."""
        outcome = self.copse("events", self.file, "--format", "jsonl")
        self.assertEqual(outcome.status, status, outcome.stderr)
        return [json.loads(line) for line in outcome.stdout.splitlines()], outcome.stderr

    def sums(self, events):
        counts = collections.Counter()
        for event in events:
            counts[event["context"]] += event["count"]
        return dict(counts)

    def measure(self, report, name):
        outcome = self.done("report", report, "--measure", name, "--format", "collapsed", "--lines")
        values = collections.Counter()  # calls from one line give equal paths
        for line in outcome.stdout.splitlines():
            path, value = line.rsplit(" ", 1)
            values[path] += int(value)
        return dict(values)

    def test_sums_of_the_file_are_the_reports(self):
        options = ("--measure", "exceptions", "--mark", "Throws.second")
        outcome = self.done(*self.command("Throws", "3", "5", options=options))
        self.assertRegex(outcome.stderr, r"copse: [\d,]+ events in [\d,]+ bytes, 0 lost: .*run.events\n")
        events, _ = self.events()
        self.assertEqual({event["kind"] for event in events}, {"exception", "mark"})
        thrown = [event for event in events if event["kind"] == "exception"]
        self.assertEqual(len(thrown), 15000)
        self.assertEqual(self.sums(thrown), self.measure(self.report, "exceptions"))
        again = self.path("again.json")
        self.done("events", self.file, "--report", again)
        own, made = (self.load(path) for path in (self.report, again))
        # The run's own report lists threads without events too, and has other notes; everything counted is the same.
        self.assertEqual([thread["name"] for thread in made["threads"]], ["thrower-0", "thrower-1", "thrower-2"])
        self.assertIn("\n3 threads with events, ", self.copse("events", self.file).stdout)
        for part in ("methods", "sites", "nodes", "skipped"):
            self.assertEqual(own[part], made[part], part)
        self.assertEqual(self.measure(again, "exceptions"), self.measure(self.report, "exceptions"))
        self.done("events", self.file, "--kind", "exception", "--report", again)
        self.assertEqual(self.load(again)["totals"]["calls"], 0)
        self.assertTrue(any("--kind exception" in note for note in self.load(again)["notes"]))
        self.assertEqual(self.copse("events", self.file, "--kind", "exceptions").stdout,
                         self.copse("events", self.file, "--kind", "exception").stdout)
        for kind in ("alloc", "allocation"):
            absent = self.copse("events", self.file, "--kind", kind)
            self.assertEqual(absent.status, 1)
            self.assertIn("no allocations in this event file; record with --measure alloc. It has: exceptions\n", absent.stderr)

    def test_each_event_has_its_thread_its_time_and_the_id_of_its_context(self):
        self.done(*self.command("Throws", "2", "2"))
        events, _ = self.events()
        by_thread = collections.Counter(event["thread"] for event in events)
        self.assertEqual(by_thread, {"thrower-0": 2000, "thrower-1": 2000})
        for name in by_thread:
            times = [event["time_ns"] for event in events if event["thread"] == name]
            self.assertEqual(times, sorted(times))
        ids = {str(event["id"]): event["context"] for event in events}
        outcome = self.copse("decode", self.path("report.ids"), *ids)
        self.assertEqual(outcome.stdout.splitlines(), list(ids.values()))
        # Half of all ids are below 0: numbers and no options, with the usual divider or without.
        first, *others = [*ids, "-5"]
        for words in ([first, *others], ["--", first, *others], [first, "--", *others], ["-5", first, *others[:-1]]):
            said = self.copse("decode", self.path("report.ids"), *words)
            self.assertEqual(sorted(said.stdout.splitlines()), sorted(["?", *ids.values()]))
            self.assertIn("copse: -5: no context of this run has this id", said.stderr)
        lines = self.copse("events", self.file, "--format", "lines").stdout.splitlines()
        self.assertEqual(len(lines), 1 + len(events))
        self.assertEqual(lines[0].split("\t")[-1], "started_by")
        # Each thread's events have the contexts that led to its start, as decode has them.
        started = {(event["id"], event["thread_id"]): event for event in events}
        tokens = [f"{id}@{thread}" for id, thread in started]
        said = self.copse("decode", self.path("report.ids"), "--", *tokens).stdout.splitlines()
        self.assertEqual(said, [f"{event['started_by']};{event['context']}" for event in started.values()])
        for event in events:
            self.assertRegex(event["started_by"], rf"^Throws\.main:\d+;\(starts thread {event['thread_id']}\)$")
        self.assertEqual([line.split("\t")[-1] for line in lines[1:]], [event["started_by"] for event in events])

    def test_a_jvm_killed_in_the_middle_leaves_every_whole_block(self):
        seed = random.randrange(1 << 30)
        print("seed", seed)
        chance = random.Random(seed)
        self.done(*self.command("Throws", "2", "3"))
        contexts = set(self.sums(self.events()[0]))
        for _ in range(3):
            process = self.start([ARGS.copse, *self.command("Throws", "4", "-1")], stdin=subprocess.DEVNULL)
            rounds = chance.randrange(5, 40)
            for _ in range(rounds):
                pid = int(process.stdout.readline().split()[1])
            os.kill(pid, signal.SIGKILL)
            _, said = process.communicate(timeout=jvm.TIMEOUT_S)
            self.assertEqual(process.returncode, 128 + signal.SIGKILL)
            self.assertIn("copse: killed JVM: its events up to the last block: copse events", said)
            events, message = self.events(status=1)
            self.assertRegex(message, r"^copse: \S*run.events: at byte \d+: [^\n]*\n$")
            # All but what waited for a block of 1,024 in each of four threads.
            self.assertGreaterEqual(len(events), 1000 * rounds - 4 * 1024)
            self.assertLessEqual(set(self.sums(events)), contexts)
            again = self.path("again.json")
            self.assert_one_line(self.copse("events", self.file, "--report", again), 1, "at byte")
            self.assertEqual(self.measure(again, "exceptions"), self.sums(events))
            self.assertTrue(any("damaged" in note for note in self.load(again)["notes"]))

    def test_a_full_disk_is_one_line_and_the_program_goes_on(self):
        limited = ["bash", "-c", 'trap "" XFSZ; ulimit -f 64; "$@"', "limited"]
        command = self.command("Throws", "4", "20")
        at = command.index("--") + 1
        outcome = self.copse(*command[:at], *limited, *command[at:])
        self.assertEqual(outcome.status, 1, "the event file is not whole")
        self.assertEqual(len(outcome.stdout.splitlines()), 80)
        said = [line for line in outcome.stderr.splitlines() if "File too large" in line]
        self.assertEqual(len(said), 1, outcome.stderr)
        # Events written before are there; the end may find room where a block did not.
        counted = re.search(r"copse: ([\d,]+) events in [\d,]+ bytes, ([\d,]+) lost", outcome.stderr)
        self.assertTrue(counted, outcome.stderr)
        has_end = self.copse("events", self.file).status == 0  # or a block left too little room for it
        events, message = self.events(status=0 if has_end else 1)
        self.assertIn("" if has_end else "it has no end", message)
        self.assertGreater(len(events), 1000)
        in_file, lost = (int(number.replace(",", "")) for number in counted.groups())
        self.assertEqual((in_file, in_file + lost), (len(events), 80000))
        # The sums in memory know no disk.
        self.assertEqual(sum(self.measure(self.report, "exceptions").values()), 80000)

    def check_allocations(self, home, *jvm_options):
        outcome = self.copse(*self.command("Allocates", str(COUNT), options=("--measure", "alloc=exact"), home=home,
                                           jvm_options=jvm_options))
        self.assertEqual(outcome.status, 0, outcome.stderr)
        self.check_counted_allocations(outcome)
        events, _ = self.events()
        counted = (self.measure(self.report, name) for name in ("allocations", "allocated_bytes"))
        self.assertEqual([sum(sums.values()) for sums in counted], [sum(event[key] for event in events) for key in ("count", "weight")])
        # Each with the line of the allocation itself.
        lines = {event["line"] for event in events if event["context"].endswith("Allocates.bytes")}
        self.assertEqual(lines, {1 + next(n for n, text in enumerate(ALLOCATES.splitlines()) if "kept = new byte[" in text)})

    def check_counted_allocations(self, outcome, below=""):
        """`below`: what a context's allocations hang below it as."""
        counts, sizes = ({}, {})  # by the line of main that called, and the way
        for column, name in ((counts, "allocations"), (sizes, "allocated_bytes")):
            for path, value in self.measure(self.report, name).items():
                way = re.match(r"Allocates.main:(\d+);Allocates.run:\d+;Allocates.(\w+)", path)
                key = (int(way[1]), way[2]) if way else (0, path)
                column[key] = column.get(key, 0) + value
        line_of = max(line for line, _ in counts)
        for line in outcome.stdout.splitlines():
            way, taken = line.split()
            # The JVM registers what is to be finalized with objects of its own. Other objects it makes on the
            # thread's account, when it goes back to interpreted code, are few.
            if way != "finalized":
                self.assertLessEqual(0, int(taken) - sizes[line_of, way], way)
                self.assertLessEqual(int(taken) - sizes[line_of, way], 512, way)
        self.assertEqual(counts[line_of, "objects"], 2 * COUNT)
        self.assertEqual(counts[line_of, "finalized"], 2 * COUNT // 10)
        for way in ("bytes", "references"):
            self.assertEqual(counts[line_of, way], COUNT)
        # Arrays in an array count too: one, i % 3 in it, and i % 4 in each of those.
        self.assertEqual(counts[line_of, "cubes"], sum(1 + i % 3 + (i % 3) * (i % 4) for i in range(COUNT)))
        concurrent = "Allocates.concurrent" + below
        self.assertEqual(sum(count for (_, path), count in counts.items() if path.endswith(concurrent)), 4 * COUNT)

    def test_every_allocation_counts_with_the_bytes_that_the_jvm_counts(self):
        for home in ARGS.homes:
            layouts = [[], ["-XX:ObjectAlignmentInBytes=16"], ["-XX:-UseCompressedOops", "-Xint"]]
            if jvm.feature_version(home) >= 25:
                layouts.append(["-XX:+UseCompactObjectHeaders"])
            for options in layouts:
                with self.subTest(home=home, options=options):
                    self.check_allocations(home, *options)

    def test_trees_have_every_allocation_below_its_context_by_class(self):
        for home, jvm_options in ((ARGS.homes[0], ()), (ARGS.homes[-1], ()), (ARGS.homes[0], ("-Xint",))):
            with self.subTest(home=home, jvm_options=jvm_options):
                java = driver.java_command("Allocates", str(COUNT), home=home, jvm_options=jvm_options)
                outcome = self.copse("run", "-q", "--measure", "alloc=exact", "-o", self.report, "--", *java)
                self.assertEqual(outcome.status, 0, outcome.stderr)
                self.check_counted_allocations(outcome, below=";new Allocates$Small[]")
                report = self.load()
                self.assertEqual([(measure["name"], measure["unit"], measure["lost"]) for measure in report["metrics"]],
                                 [("allocated_bytes", "bytes", 0), ("allocations", "events", 0)])
                made = collections.Counter()
                for path, count in self.measure(self.report, "allocations").items():
                    way, below = path.split(";")[-2:]
                    self.assertEqual(below[:4], "new ", path)
                    made[re.sub(r"Allocates\.(.*?)(:\d+)?$", r"\1", way), below] += count
                n = COUNT + 200
                self.assertEqual(made["objects", "new Allocates$Big"], n)
                self.assertEqual(made["Allocates$Big.<init>", "new Allocates$Small"], n)
                self.assertEqual(made["bytes", "new byte[]"], n)
                self.assertEqual(made["references", "new java.lang.String[]"], n)
                self.assertEqual(made["cubes", "new short[][][]"], sum(1 + i % 3 + (i % 3) * (i % 4) for n in (200, COUNT) for i in range(n)))
                self.assertEqual(made["open", "new double[][][]"], sum(1 + i % 3 for n in (200, COUNT) for i in range(n)))

    def test_processor_time_is_all_of_a_threads_and_where_it_was_used(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                outcome = self.done(*self.command("Works", "300", options=("--measure", "cpu=corrected", "--measure", "cpu:interval=2ms"), home=home))
                events, _ = self.events()
                # A sample that is not in Copse's own code is there a second time.
                by_kind = {kind: [event for event in events if event["kind"] == kind] for kind in ("cpu", "cpu=corrected")}
                self.assertEqual(sum(map(len, by_kind.values())), len(events))
                events = by_kind["cpu"]
                main = [event for event in events if event["thread"] == "main"]
                corrected = [event for event in by_kind["cpu=corrected"] if event["thread"] == "main"]
                self.assertLessEqual(len(corrected), len(main))
                self.assertGreater(len(corrected), 0.8 * len(main))
                used = sum(event["weight"] for event in main)
                # The JVM's start is in the thread's own clock, but not in ours. Samples share what all threads used.
                self.assertLess(used, int(outcome.stdout) * 1.05 + 50e6)
                self.assertGreater(used, 850e6)
                twice, once = (sum(event["weight"] for event in main if f"Works.{name}:" in event["context"])
                               for name in ("twice", "once"))
                # A sample is in twice() with a chance of two thirds: within five standard deviations. There are 225 on an idle
                # machine; on a busy one there are fewer, and some stand for much more time than others.
                alike = used ** 2 / sum(event["weight"] ** 2 for event in main)
                self.assertLess(abs(twice / (twice + once) - 2 / 3), 5 * math.sqrt(2 / 9 / alike), (twice, once, alike, len(main)))
                self.assertGreater(len(main), 50)
                self.assertGreater(twice + once, 0.85 * used)
                waiting = sum(event["weight"] for event in events if event["thread"] == "waiting")
                # A sample may stand for what others used since the ones before; the thread sleeps for 500 ms.
                self.assertLess(waiting, 0.1 * used)
                # Nothing is lost, and what no sample stands for has places of its own.
                measures = {measure["name"]: measure["lost"] for measure in self.load()["metrics"]}
                self.assertEqual(list(measures.items()), [("cpu_ns", 0), ("cpu_samples", 0), ("cpu_corrected_ns", 0), ("cpu_corrected_samples", 0)])
                without = self.measure(self.report, "cpu_ns")
                self.assertLess(without.get("(after the last sample)", 0), 0.1 * used)  # by luck none
                self.assertGreater(without["(threads without recorded calls)"], 0)
                self.assertEqual(sum(self.measure(self.report, "cpu_ns").values()), sum(event["weight"] for event in events))
                self.assertNotIn("?", {line.split("\t")[6] for line in self.copse("events", self.file, "--format", "lines").stdout.splitlines()})

    def test_mistakes_get_one_line_that_says_what_to_do(self):
        self.assert_one_line(self.copse(*self.command("Throws", "1", "1", options=())), 2, "event-file", "mark")
        missing = self.command("Throws", "1", "1")
        missing[missing.index(self.file)] = os.path.join(self.folder, "no", "such.events")
        self.assert_one_line(self.copse(*missing), 1, "such.events")
        self.assert_one_line(self.copse("events", self.file), 1, "run.events")
        self.done(*self.command("Throws", "1", "1"))
        for options in (("--measure", "wall:interval=5ms"), ("--measure", "calls")):
            self.assert_one_line(self.copse(*self.command("Throws", "1", "1", options=options)), 2, *options[1:])
        self.assert_one_line(self.copse("events", self.report), 1, "event file")
        self.assert_one_line(self.copse("events", self.file, "--kind", "walks"), 2, "walks")
        self.assert_one_line(self.copse("events", self.file, "--format", "xml"), 2, "xml")


driver.main("copse", sources=[THROWS, ALLOCATES, WORKS])
