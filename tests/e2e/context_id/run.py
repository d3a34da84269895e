#!/usr/bin/env python3
"""Context ids as a person meets them: in log lines, at marked methods, decoded in another process."""

import os
import re
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS  # noqa: E402

# Eight threads ask for the id of contexts that differ in call site, recursion depth and thrown
# exceptions, and print it beside the chain that the JVM's own stack walk gives.
THREADS = """
import copse.Context;
import java.util.*;

public class Threads {
    static final Set<String> lines = Collections.synchronizedSet(new TreeSet<>());

    static void ask() {
        StringBuilder chain = new StringBuilder();
        StackTraceElement[] frames = new Throwable().getStackTrace();
        for (int i = frames.length - 1; i >= 0; i--) {
            if (!frames[i].getClassName().startsWith("Threads")) continue;
            chain.append(frames[i].getClassName()).append('.').append(frames[i].getMethodName()).append(';');
        }
        lines.add(Context.id() + " " + chain);
    }
    static int descend(int n, int way) {
        if (n == 0) { ask(); return 0; }
        if (way % 3 == 0) return descend(n - 1, way / 3) + 1;
        if (way % 3 == 1) return other(n - 1, way / 3) + 1;
        try {
            thrower(n - 1, way / 3);
        } catch (IllegalStateException expected) {
            ask();
        }
        return descend(n - 1, way / 3);
    }
    static int other(int n, int way) { return descend(n, way); }
    static void thrower(int n, int way) {
        if (n > 2) other(n - 3, way);
        throw new IllegalStateException();
    }
    public static void main(String[] args) throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 8; t++) {
            int from = t;
            Thread thread = new Thread(() -> { for (int way = from; way < 800; way++) descend(way % 9, way); });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) thread.join();
        for (String line : lines) System.out.println(line);
    }
}
"""
# 100 exceptions through four frames and 5 out of the JDK, three times as much allocated in one context
# as in the other, one wait of about 200 ms for a monitor.
EVENTS = """
public class Events {
    static final Object lock = new Object();
    static Object kept;

    static int boom(int n) { if (n == 0) throw new IllegalStateException(); return boom(n - 1); }
    static int caught() { try { return boom(3); } catch (IllegalStateException e) { return 1; } }
    static int parsed() {
        int failed = 0;
        for (int i = 0; i < 5; i++) try { Integer.parseInt("x"); } catch (NumberFormatException e) { failed++; }
        return failed;
    }
    static void allocate(int n) { for (int i = 0; i < n; i++) kept = new byte[10000]; }
    static void much() { allocate(60000); }
    static void little() { allocate(20000); }
    static void hold() throws InterruptedException {
        synchronized (lock) {
            lock.notify();
            Thread.sleep(200);
        }
    }
    static void waiter() { synchronized (lock) { kept = null; } }
    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 100; i++) caught();
        parsed();
        much();
        little();
        Thread holder = new Thread(() -> { try { hold(); } catch (InterruptedException e) { throw new Error(e); } });
        synchronized (lock) {
            holder.start();
            lock.wait();
        }
        holder.join();
        Thread second = new Thread(() -> { try { hold(); } catch (InterruptedException e) { throw new Error(e); } });
        synchronized (lock) {
            second.start();
            while (second.getState() != Thread.State.BLOCKED) Thread.onSpinWait();
        }
        waiter();
        second.join();
    }
}
"""
# main starts two threads in different contexts. Each starts another one, a virtual one if there is an argument. All ask
# for their ids.
STARTS = """
import copse.Context;

public class Starts {
    static boolean isVirtual;

    static void ask(String who) {
        System.out.println(who + " " + Context.id() + "@" + Thread.currentThread().getId());
    }
    static void inner(String who) {
        ask(who + "'s");
    }
    static void wait(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
    static Thread started(Runnable work) throws Exception {
        if (isVirtual) return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, work);
        Thread thread = new Thread(work);
        thread.start();
        return thread;
    }
    static void spawn(String who) {
        try {
            wait(started(() -> inner(who)));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        ask(who);
    }
    static class First extends Thread {
        @Override public void run() { spawn("first"); }
    }
    static class Second extends Thread {
        @Override public void run() { spawn("second"); }
    }
    static void second() throws Exception {
        Thread thread = new Second();
        thread.start();
        thread.join();
    }
    public static void main(String[] args) throws Exception {
        isVirtual = args.length != 0;
        Thread thread = new First();
        thread.start();
        thread.join();
        second();
        ask("main");
    }
}
"""


class ContextId(driver.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.id_file = self.path("report.ids")

    def outcome_with_ids(self, program, *options, encoder="segment"):
        return self.done("ids", "--encoder", encoder, *options, "-o", self.report, "--", *driver.java_command(program))

    def run_with_ids(self, *arguments, encoder="segment"):
        return self.outcome_with_ids(*arguments, encoder=encoder).stdout

    def graph_of(self, program, *options):
        """The report of a run, whose calls static encoders number."""
        path = self.path(program + "-graph.json")
        self.done("run", *options, "-o", path, "--", *driver.java_command(program))
        return path

    def check_threads(self, printed):
        """Every id that Threads printed decodes to the chain beside it."""
        lines = [line.split(" ") for line in printed.splitlines()]
        self.assertGreater(len(lines), 500)
        decoded = self.decode(*(line[0] for line in lines))
        for (number, chain), text in zip(lines, decoded):
            names = re.sub(r":\d+", "", text).split(";")
            self.assertEqual(names[-1], "copse.Context.id", number)
            self.assertEqual(";".join(names[:-1]) + ";", chain, number)
        # Chains with equal names differ in call sites, so there are more ids than chains.
        return len({line[0] for line in lines}), len(set(decoded))

    def decode(self, *ids):
        path = self.folder / "ids.txt"
        path.write_text("".join(number + "\n" for number in ids))
        outcome = self.done("decode", self.id_file, "--tokens", path)
        return outcome.stdout.splitlines()

    def test_an_id_in_a_log_line_leads_back_to_its_callers(self):
        ids = re.findall(r"context=(-?\d+) ", self.run_with_ids("Shop"))
        self.assertEqual(self.decode(*ids), [
            "Shop.main:24;Shop.order:16;Shop.charge:10;Shop.log:6;copse.Context.id",
            "Shop.main:26;Shop.refund:20;Shop.charge:10;Shop.log:6;copse.Context.id"])

    def starts(self, home, encoder, *arguments, options=()):
        """Who asked -> its token, and what that decodes to, with N for the number of the thread and without lines."""
        outcome = self.done("ids", "--encoder", encoder, *options, "-o", self.report, "--",
                            *driver.java_command("Starts", *arguments, home=home))
        tokens = dict(line.split(" ") for line in outcome.stdout.splitlines())
        texts = self.decode(*tokens.values())
        decoded = {}
        for (who, token), text in zip(tokens.items(), texts):
            number = token.partition("@")[2]
            self.assertEqual(text.count(f"(starts thread {number});"), who != "main", text)
            decoded[who] = re.sub(r"\(starts thread \d+\)", "(N)", re.sub(r":\d+", "", text))
        return tokens, decoded

    def test_an_id_with_its_thread_decodes_to_the_contexts_that_led_to_its_start(self):
        asked = "Starts.ask;copse.Context.id"
        first = "Starts.main;(N);Starts$First.run;Starts.spawn"
        second = "Starts.main;Starts.second;(N);Starts$Second.run;Starts.spawn"
        kinds = [(home, []) for home in ARGS.homes]
        kinds += [(home, ["virtual"]) for home in ARGS.homes if jvm.feature_version(home) >= 21]
        graph = self.graph_of("Starts")
        for (home, arguments), encoder in [*((kind, "segment") for kind in kinds), *((kinds[-1], other) for other in ("dacce", "luce", "pcce"))]:
            with self.subTest(home=home, arguments=arguments, encoder=encoder):
                options = ["--graph", graph] if encoder == "pcce" else []
                tokens, decoded = self.starts(home, encoder, *arguments, options=options)
                inner = f"Starts.started;(N);Starts.lambda$spawn$0;Starts.inner;{asked}"
                self.assertEqual(decoded, {
                    "main": f"Starts.main;{asked}",
                    "first": f"{first};{asked}", "second": f"{second};{asked}",
                    "first's": f"{first};{inner}", "second's": f"{second};{inner}"})
                alone = self.decode(*(token.partition("@")[0] for token in tokens.values()))
                self.assertFalse([text for text in alone if "thread" in text], "without their threads")
                self.assertEqual(len(set(alone)), 4, "of one context but for their threads")

    def test_the_line_of_a_start_is_that_of_the_call(self):
        tokens, _ = self.starts(ARGS.homes[0], "dacce")
        text = self.decode(tokens["second's"])[0]
        lines = [number + 1 for number, line in enumerate(STARTS.splitlines()) if "thread.start();" in line]
        self.assertIn(f"Starts.second:{lines[1]};(starts thread ", text)
        self.assertIn(f"Starts.started:{lines[0]};(starts thread ", text)

    def test_a_start_among_the_jdks_own_methods_has_them_in_its_context(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                _, decoded = self.starts(home, "dacce", options=["--jdk"])
                self.assertRegex(decoded["first"], r"Starts\.main;java\.lang\.Thread\.start(;[^()]*)?;\(N\);Starts\$First\.run;")

    def test_ids_of_another_run_are_refused_in_one_line(self):
        foreign = re.findall(r"context=(-?\d+) ", self.run_with_ids("Shop"))
        self.run_with_ids("Shop")
        for number in foreign:
            self.assert_one_line(self.copse("decode", self.id_file, number), 1, f"{number}: ")
        path = self.folder / "foreign.txt"
        path.write_text("".join(number + "\n" for number in foreign))
        outcome = self.copse("decode", self.id_file, "--tokens", path)
        self.assert_one_line(outcome, 1, "line 1: ", f"{len(foreign) - 1} more")
        self.assertEqual(set(outcome.stdout.split()), {"?"})

    def test_the_id_is_there_whatever_is_included(self):
        ids = re.findall(r"context=(-?\d+) ", self.run_with_ids("Shop", "--include", "Shop.main"))
        self.assertEqual(self.decode(*ids), ["Shop.main:24;copse.Context.id", "Shop.main:26;copse.Context.id"])

    def test_without_ids_the_number_is_zero(self):
        shop = driver.java_command("Shop")
        for outcome in (jvm.run(shop), self.copse("run", "-o", self.report, "--", *shop)):
            self.assertEqual(re.findall(r"context=(-?\d+) ", outcome.stdout), ["0", "0"])

    def test_ids_of_many_threads_agree_with_the_jvms_own_stack_walk_and_the_report_lists_the_threads(self):
        self.assertEqual(*self.check_threads(self.run_with_ids("Threads")))
        report = self.load()
        names = [thread["name"] for thread in report["threads"]]
        for name in ("main", *(f"Thread-{n}" for n in range(8))):
            self.assertEqual(names.count(name), 1, names)
        self.assertEqual(report["totals"]["threads"], len(names))
        self.assertEqual({thread["node"] for thread in report["threads"]}, {-1})
        self.assertRegex(self.copse("report", self.report).stdout, r"\nThreads seen\n  main, (.*, )?Thread-\*")

    def test_ids_of_static_encoders_agree_with_the_jvms_own_stack_walk(self):
        # The graph lacks a method in the middle of every recursion.
        graph = self.graph_of("Threads", "--exclude", "Threads.other")
        for encoder in ("pcce", "deltapath", "rcce"):
            with self.subTest(encoder=encoder):
                self.assertEqual(*self.check_threads(self.run_with_ids("Threads", "--graph", graph, encoder=encoder)))

    def test_ids_of_dacce_outlive_its_numberings(self):
        ids, contexts = self.check_threads(self.run_with_ids("Threads", encoder="dacce"))
        self.assertGreaterEqual(ids, contexts, "a context has an id in every epoch")
        self.assertGreater(int(re.search(r"numbered (\d+) times", "".join(self.load()["notes"])).group(1)), 1)

    def test_ids_of_luce_lead_back_to_their_contexts(self):
        self.assertEqual(*self.check_threads(self.run_with_ids("Threads", encoder="luce")))

    def test_a_static_encoder_starts_pieces_only_where_its_graph_ends(self):
        known, foreign = self.graph_of("Shop"), self.graph_of("Threads")
        for encoder in ("pcce", "deltapath", "rcce"):
            pieces = []
            for graph in (known, foreign):
                outcome = self.outcome_with_ids("Shop", "--graph", graph, "--mark", "Shop.charge", encoder=encoder)
                doubts = [line for line in outcome.stderr.splitlines() if "of another program?" in line]
                self.assertEqual(len(doubts), 1 if graph == foreign else 0, outcome.stderr)
                self.assertTrue(all(line.startswith(f"copse: {foreign}: has 0 of the ") for line in doubts), doubts)
                report = self.load()
                self.assertEqual((report["totals"]["contexts"], report["totals"]["calls_lost"]), (7, 0))
                pieces.append(int(re.search(r"(\d+) pieces", "".join(report["notes"])).group(1)))
            # The first graph has no call of copse.Context.id, which only runs with ids see.
            self.assertLessEqual(pieces[0], 2, encoder)
            self.assertGreater(pieces[1], 5, encoder)

    def test_entries_of_marked_methods_are_counted_by_context(self):
        self.run_with_ids("Shop", "--mark", "Shop.charge")
        report = self.load()
        totals = report["totals"]
        self.assertEqual((totals["calls"], totals["calls_seen"], totals["calls_lost"]), (3, 3, 0))
        collapsed = self.copse("report", self.report, "--format", "collapsed", "--lines").stdout.splitlines()
        self.assertEqual(sorted(collapsed), [
            "Shop.main:24;Shop.order:16;Shop.charge 1", "Shop.main:25;Shop.order:16;Shop.charge 1",
            "Shop.main:26;Shop.refund:20;Shop.charge 1"])

    def test_hashes_tell_contexts_apart_and_say_that_they_do_not_decode(self):
        outcome = self.outcome_with_ids("Shop", "--mark", "Shop.charge", encoder="pcc")
        self.assertEqual(len(set(re.findall(r"context=(-?\d+) ", outcome.stdout))), 2)
        report = self.load()
        self.assertEqual((report["totals"]["calls_seen"], report["totals"]["calls_lost"]), (3, 3))
        self.assertTrue(any("3 different ones" in note for note in report["notes"]), report["notes"])
        self.assertFalse(os.path.exists(self.id_file))

    def measure(self, name, path=None):
        outcome = self.done("report", path or self.report, "--measure", name, "--format", "collapsed", "--lines")
        rows = (line.rsplit(" ", 1) for line in outcome.stdout.splitlines())
        return {re.sub(r":\d+", "", path): int(value) for path, value in rows}

    def test_exceptions_are_counted_where_they_are_thrown_and_nowhere_else(self):
        self.run_with_ids("Events", "--measure", "exceptions")
        boom = "Events.main;Events.caught;" + ";".join(["Events.boom"] * 4)
        self.assertEqual(self.measure("exceptions"), {boom: 100, "Events.main;Events.parsed": 5})

    def test_what_was_asked_for_first_is_shown_first(self):
        columns = {"exceptions": ["exceptions"], "locks": ["contended_ns", "contentions", "parked_ns", "parked_samples"],
                   "alloc": ["allocated_bytes", "allocation_samples"], "alloc=exact": ["allocated_bytes", "allocations"],
                   "ids": ["ids_asked"]}
        for asked in (["exceptions", "alloc", "locks"], ["locks", "exceptions"], ["ids", "alloc=exact"]):
            with self.subTest(asked):
                events = [word for kind in asked for word in ("--measure", kind)]
                made = self.path("made.json")
                self.run_with_ids("Events", *events, "--mark", "Events.caught", "--event-file", "run.events")
                self.done("events", "run.events", "--report", made)
                for path in (self.report, made):
                    report = self.load(path)
                    names = [measure["name"] for measure in report["metrics"]]
                    some = [name for name in names if any(report["nodes"][name])]
                    expected = [name for kind in asked for name in columns[kind]]
                    self.assertEqual(names, [name for name in expected if path == self.report or name in some])
                    self.assertEqual((report["shown"], report["totals"]["calls_of"]), (some[0], "marked methods"))
        self.assertIn("\n            100  calls (of marked methods)\n", self.copse("report", self.report).stdout)

    def test_events_outside_any_recorded_context_have_one_of_their_own(self):
        self.run_with_ids("Events", "--measure", "exceptions", "--include", "Events.parsed", "--event-file", "run.events")
        made = self.path("made.json")
        self.done("events", "run.events", "--report", made)
        for path in (self.report, made):
            report = self.load(path)
            self.assertEqual([(measure["name"], measure["lost"]) for measure in report["metrics"]], [("exceptions", 0)])
            by_method = dict(zip(report["methods"]["name"], report["methods"]["class"]))
            self.assertEqual(by_method, {"(no recorded caller)": "", "parsed": "Events"})
            self.assertEqual(report["nodes"]["parent"], [-1, 0, 0])
            thrown = self.measure("exceptions", path)
            self.assertEqual(thrown.pop("Events.parsed"), 5)
            # The JVM's own start throws too.
            self.assertEqual(list(thrown), ["(no recorded caller)"])
            self.assertGreaterEqual(thrown["(no recorded caller)"], 100)
        lines = self.copse("events", "run.events", "--format", "lines").stdout.splitlines()
        outside = [line.split("\t") for line in lines if "(no recorded caller)" in line]
        self.assertEqual({(line[5], line[6], line[7]) for line in outside}, {("0", "(no recorded caller)", "0")})
        self.assertIn("(no recorded caller)\n", self.copse("report", self.report).stdout)
        self.assertRegex(self.copse("report", self.report, "--format", "tree").stdout, r" %  \(no recorded caller\)\n")

    def test_questions_for_ids_are_events_where_they_are_asked(self):
        self.run_with_ids("Shop", "--measure", "ids")
        self.assertEqual(self.measure("ids_asked"), {
            f"Shop.main;Shop.{way};Shop.charge;Shop.log;copse.Context.id": 1 for way in ("order", "refund")})

    def test_allocation_samples_add_up_to_about_what_was_allocated(self):
        self.run_with_ids("Events", "--measure", "alloc")
        much, little = (f"Events.main;Events.{name};Events.allocate" for name in ("much", "little"))
        allocated = self.measure("allocated_bytes")
        # 1,145 and 382 samples expected: six standard deviations either way.
        self.assertLess(abs(allocated[much] / 600e6 - 1), 0.2, allocated)
        self.assertLess(abs(allocated[little] / 200e6 - 1), 0.35, allocated)
        self.assertGreater(allocated[much] + allocated[little], 0.95 * sum(allocated.values()))
        self.assertEqual(self.measure("allocation_samples").keys(), allocated.keys())

    def test_time_waited_for_monitors_is_the_waiting_threads(self):
        self.run_with_ids("Events", "--measure", "locks")
        waits = self.measure("contended_ns")
        self.assertTrue(any(path.endswith("Events.hold") for path in waits), waits)
        self.assertTrue(all(0 < nanoseconds < 60e9 for nanoseconds in waits.values()), waits)

    def test_mistakes_get_one_line_that_says_what_to_do(self):
        shop = ["--", *driver.java_command("Shop")]
        self.assert_one_line(self.copse("run", "--mark", "Shop.charge", *shop), 2, "mark", "copse ids")
        self.assert_one_line(self.copse("ids", "--engine", "inline", *shop), 2, "engine", "copse run")
        self.assert_one_line(self.copse("ids", "--encoder", "cipher", *shop), 2, "cipher")
        self.assert_one_line(self.copse("ids", "--encoder", "breadcrumbs", *shop), 2, "breadcrumbs", "segment")
        self.assert_one_line(self.copse("ids", "--encoder", "pcce", *shop), 2, "pcce", "graph")
        self.assert_one_line(self.copse("ids", "--encoder", "segment", "--graph", "x.json", *shop), 2, "graph")
        self.assert_one_line(self.copse("ids", "--encoder", "pcc", "--measure", "exceptions", *shop), 2, "segment")
        self.run_with_ids("Shop", "--measure", "exceptions")
        self.assert_one_line(self.copse("report", self.report, "--measure", "cpu"), 1, "cpu", "exceptions")
        self.assert_one_line(self.copse("decode", self.id_file, "0"), 1, "0: ")
        self.assert_one_line(self.copse("decode", self.id_file, "12x"), 1, "12x")
        self.assert_one_line(self.copse("decode", self.id_file, "123456789123"), 1, "123456789123: ")
        self.assert_one_line(self.copse("decode", self.report, "5"), 1, "report.json")
        for thread in ("", "main", "0", "-1", "1x"):
            self.assert_one_line(self.copse("decode", self.id_file, f"123456789123@{thread}"), 1, "123456789123@")


driver.main("copse", "context-jar", sources=[driver.REPOSITORY / "examples/context-in-log/Shop.java", THREADS, EVENTS, STARTS])
