#!/usr/bin/env python3
"""copse.Context.slice(): slices that a program begins and ends itself, against its own counts."""

import os
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS  # noqa: E402
from slices_test import columns, method_names, slices_of, told  # noqa: E402

# Each thread counts the calls of its slices and prints them: "SLICE thread query=2 row=7 ...". Slices fail, are nested,
# and begin in frames that have called the same methods before, outside them.
TICKS = """
import copse.Context;
import java.util.*;

public class Ticks {
    static final ThreadLocal<Map<String, Integer>> counts = ThreadLocal.withInitial(TreeMap::new);
    static void count(String method) { counts.get().merge(method, 1, Integer::sum); }

    static void query(int rows) { count("query"); for (int i = 0; i < rows; i++) row(i); }
    static void row(int i) { count("row"); if (i == 20) throw new IllegalStateException("row 20"); }
    static int tree(int depth) { count("tree"); return depth == 0 ? 1 : tree(depth - 1) + tree(depth - 1); }
    static void nested(int kind) {
        count("nested");
        try (Context.Slice inner = Context.slice("inner")) {
            query(kind);
            try (Context.Slice same = Context.slice("same")) { tree(2); }
        }
        query(1);
    }
    static void work(int kind) {
        if (kind == 1) query(3);
        if (kind == 2) tree(4);
        if (kind == 3) nested(kind);
        if (kind == 4) query(30);
    }

    static void run(int ticks, int seed) {
        Random random = new Random(seed);
        for (int i = 0; i < ticks; i++) {
            if (random.nextInt(3) == 0) work(random.nextInt(4));
            counts.get().clear();
            try (Context.Slice tick = Context.slice(i % 5 == 0 ? "fifth tick" : "tick")) {
                work(random.nextInt(5));
                work(random.nextInt(3));
            } catch (IllegalStateException e) {
                count("row");
                row(1);
                counts.get().merge("row", -2, Integer::sum);
            }
            StringBuilder text = new StringBuilder("SLICE " + Thread.currentThread().getName());
            counts.get().forEach((method, calls) -> text.append(" ").append(method).append("=").append(calls));
            synchronized (System.out) { System.out.println(text); }
        }
    }

    static Thread thread(boolean isVirtual, String name, Runnable task) throws Exception {
        if (!isVirtual) return new Thread(task, name);
        Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
        Class<?> type = Class.forName("java.lang.Thread$Builder");
        builder = type.getMethod("name", String.class).invoke(builder, name);
        return (Thread) type.getMethod("unstarted", Runnable.class).invoke(builder, task);
    }

    public static void main(String[] args) throws Exception {
        int threads = Integer.parseInt(args[0]), ticks = Integer.parseInt(args[1]);
        String way = args.length > 2 ? args[2] : "";
        if (way.equals("wait")) {
            run(30, 7);  // before the recording
            System.out.println("ready");
            System.in.read();
        }
        if (way.equals("names")) for (int i = 0; i < 1200; i++) Context.slice("name " + i).close();
        if (way.equals("names")) Context.slice(null).close();
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int seed = i;
            all.add(thread(way.equals("virtual"), "game-" + i, () -> run(ticks, seed)));
        }
        for (Thread thread : all) thread.start();
        for (Thread thread : all) thread.join();
    }
}
"""
# Nanoseconds of a loop without slices and with a slice in each round, for a run without an agent.
COST = """
import copse.Context;

public class Cost {
    static int sink;
    static void plain() { for (int i = 0; i < 10_000_000; i++) sink += i; }
    static void sliced() { for (int i = 0; i < 10_000_000; i++) try (Context.Slice slice = Context.slice("x")) { sink += i; } }
    static long least(Runnable body) {
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 20; round++) {
            long from = System.nanoTime();
            body.run();
            least = Math.min(least, System.nanoTime() - from);
        }
        return least;
    }
    public static void main(String[] args) { System.out.println(least(Cost::plain) + " " + least(Cost::sliced)); }
}
"""


def own(slices):
    """Slices without the program's own counting, and without numbers that are 0."""
    names = ("query", "row", "tree", "nested")
    return [(thread, {name: calls[name] for name in names if calls.get(name)}) for thread, calls in slices]


def by_thread(slices):
    threads = {}
    for thread, calls in own(slices):
        threads.setdefault(thread, []).append(calls)
    return threads


class InCode(driver.CommandLineTest):
    keep_all = ("--keep-slices", "10000")

    def run_ticks(self, *arguments, options=keep_all, home=None):
        return self.done("run", "-q", "-o", self.report, *options, "--",
                         *driver.java_command("Ticks", *arguments, home=home)).stdout

    def ticks_of(self, report):
        kept = zip(columns(report, "slices"), slices_of(report))
        return [slice_ for row, slice_ in kept if method_names(report)[row["method"]].endswith("tick")]

    def check(self, output, report):
        self.assertEqual(by_thread(self.ticks_of(report)), by_thread(told(output)))
        self.assertEqual((report["slice_totals"]["in_part"], report["slice_totals"]["open"]), (0, 0))
        self.assertFalse([name for name in report["methods"]["class"] if name.startswith("copse.Context")])

    def names_of_slices(self, report):
        sums = columns(report, "slice_methods")
        return {method_names(report)[row["method"]]: row["slices"] for row in sums}

    def test_each_slice_has_the_calls_that_the_program_counts_itself(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                output = self.run_ticks(3, 150, home=home)
                self.check(output, self.load())
                names = self.names_of_slices(self.load())
                # "inner" is a slice where no tick is around it.
                self.assertTrue(0 < names.pop("inner") < 100)
                self.assertEqual(names, {"fifth tick": 90, "tick": 360})

    def test_with_other_options(self):
        for options in (("--memory", "1M"), ("--include", "Ticks.**"), ("--by-thread", "each"), ("--no-sites",),
                        ("--measure", "cpu,alloc,exceptions"), ("--jdk",)):
            with self.subTest(options=options):
                self.check(self.run_ticks(2, 60, options=[*self.keep_all, *options]), self.load())

    def test_where_the_beginning_frame_is_not_recorded(self):
        output = self.run_ticks(2, 60, options=[*self.keep_all, "--exclude", "Ticks.run", "--exclude", "Ticks.lambda*"])
        self.check(output, self.load())

    def test_virtual_threads(self):
        for home in ARGS.homes:
            if jvm.feature_version(home) >= 21:
                self.check(self.run_ticks(20, 40, "virtual", home=home), self.load())
                self.assertEqual(set(self.load()["slices"]["cpu_ns"]), {0})

    def test_slices_of_methods_are_around_those_in_code_or_inside(self):
        output = self.run_ticks(2, 60, options=[*self.keep_all, "--slice", "Ticks.work", "--slice", "Ticks.nested"])
        report = self.load()
        self.assertEqual(self.names_of_slices(report)["fifth tick"], 24)
        self.assertEqual(by_thread(self.ticks_of(report)), by_thread(told(output)))
        self.run_ticks(2, 60, options=[*self.keep_all, "--slice", "Ticks.run"])
        self.assertEqual(self.names_of_slices(self.load()), {"run": 2})

    def test_attached_the_slices_are_those_from_then_on(self):
        process = self.start(driver.java_command("Ticks", 2, 60, "wait"))
        before = []
        while (line := process.stdout.readline()) != "ready\n":
            before.append(line)
        self.assertEqual(len(before), 30)
        self.done("attach", str(process.pid), *self.keep_all, "-o", self.report)
        output, _ = process.communicate("\n")
        self.check(output, self.load())

    def test_a_rule_is_about_a_name(self):
        most = max(calls["query"] for thread, calls in told(self.run_ticks(1, 100)) if "query" in calls)
        for bound, status in ((most - 1, 1), (most, 0)):
            rule = f"calls(Ticks.query) per slice(tick) > {bound}"
            outcome = self.copse("diff", self.report, self.report, "--fail-if", rule)
            self.assertEqual(outcome.status, status, outcome)
        self.assertRegex(self.done("report", self.report).stdout, r"\n  tick: 80 slices with ")
        rows = self.done("query", self.report, "SELECT name, count(*) FROM slices JOIN methods ON id = slices.method "
                         "GROUP BY name", "--format", "csv").stdout
        self.assertIn("fifth tick,20", rows)

    def test_a_name_for_each_slice_takes_bounded_memory(self):
        self.run_ticks(1, 1, "names", options=())
        names = self.names_of_slices(self.load())
        self.assertEqual((len(names), names["(other slices)"]), (1001, 202))  # of the tick, too

    def test_without_a_recording_of_trees_nothing_happens(self):
        plain = jvm.run(driver.java_command("Ticks", 1, 20)).stdout
        for options in (("--engine", "parallel"), ("--engine", "uptree")):
            self.assertEqual(self.run_ticks(1, 20, options=options), plain)
            self.assertNotIn("slices", self.load())
        outcome = self.copse("run", "--keep-slices", "3", "--engine", "parallel", "--", "true")
        self.assert_one_line(outcome, 2, "--keep-slices", "--engine inline")

    def test_without_an_agent_it_costs_nothing(self):
        plain, sliced = map(int, jvm.run(driver.java_command("Cost")).stdout.split())
        self.assertLess(sliced, 3 * plain + 10_000_000)  # a nanosecond for each


if __name__ == "__main__":
    driver.main("copse", "context-jar", sources=[TICKS, COST], jdks=True)
