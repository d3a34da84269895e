#!/usr/bin/env python3
"""copse run --slice: a tree for each outermost call of a method, against the program's own counts."""

import itertools
import json
import os
import re
import shlex
import signal
import sys
from collections import Counter

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS  # noqa: E402

# Handles requests in some threads. Each counts its own calls and prints them: "SLICE thread query=2 row=7 ...".
SERVER = """
import java.util.*;
import java.util.concurrent.*;

public class Server {
    static final ThreadLocal<Map<String, Integer>> counts = ThreadLocal.withInitial(TreeMap::new);
    static void count(String method) { counts.get().merge(method, 1, Integer::sum); }

    static void query(int rows) { count("query"); for (int i = 0; i < rows; i++) row(i); }
    static void row(int i) { count("row"); if (i == 40) throw new IllegalStateException("row 40"); }
    static int tree(int depth) { count("tree"); return depth == 0 ? 1 : tree(depth - 1) + tree(depth - 1); }

    // Nested: a request that makes another one.
    static void handle(int kind) {
        count("handle");
        if (kind == 3) { handle(1); handle(0); }
        if (kind == 4) tree(6);
        if (kind == 5) query(100);
        for (int i = 0; i < kind; i++) query(i + 1);
    }

    static void serve(int requests, int seed) {
        Random random = new Random(seed);
        for (int i = 0; i < requests; i++) {
            counts.get().clear();
            try {
                handle(random.nextInt(6));
            } catch (IllegalStateException e) {
                // The request failed.
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
        int threads = Integer.parseInt(args[0]), requests = Integer.parseInt(args[1]);
        boolean isVirtual = args.length > 2 && args[2].equals("virtual");
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int seed = i;
            all.add(thread(isVirtual, "http-" + i, () -> serve(requests, seed)));
        }
        if (args.length > 2 && args[2].equals("wait")) {
            System.out.println("ready");
            System.in.read();
        }
        for (Thread thread : all) thread.start();
        for (Thread thread : all) thread.join();
        if (args.length > 2 && args[2].equals("exit")) new Last().leave();
        if (args.length > 2 && args[2].equals("stay")) {
            System.out.println("PID " + ProcessHandle.current().pid());
            System.out.println("done");
            Thread.sleep(600_000);
        }
    }

    static class Last {
        void leave() { query(3); System.exit(7); }
    }
}
"""


def columns(report, group):
    """Rows of a group of columns, as dictionaries."""
    names = list(report[group])
    return [dict(zip(names, row)) for row in zip(*report[group].values())]


def method_names(report):
    return report["methods"]["name"]


def slices_of(report):
    """(thread, calls by method) of each kept slice, in order of its id."""
    nodes, names = report["nodes"], method_names(report)
    contexts = iter(columns(report, "slice_contexts"))
    slices = []
    for kept in columns(report, "slices"):
        calls = Counter()
        for context in itertools.islice(contexts, kept["contexts"]):
            calls[names[nodes["method"][context["node"]]]] += context["calls"]
        assert calls.total() == kept["calls"], kept
        slices.append((kept["thread"], dict(calls)))
    return slices


def told(output):
    """The same as the program tells it."""
    slices = []
    for line in output.splitlines():
        if line.startswith("SLICE "):
            thread, *counts = line.split()[1:]
            slices.append((thread, {name: int(calls) for name, calls in (count.split("=") for count in counts)}))
    return slices


def by_thread(slices):
    """Slices of each thread in their order, without the program's own counting."""
    threads = {}
    for thread, calls in slices:
        own = {name: count for name, count in calls.items() if name in ("handle", "query", "row", "tree")}
        threads.setdefault(thread, []).append(own)
    return threads


# Most requests take one branch, one takes the other, in the same method.
BRANCHES = """
public class Branches {
    static void query() {}
    static void items(int id) {
        if (id != 7) {
            query();
            return;
        }
        for (int i = 0; i < 50; i++) query();
    }
    static void handle(int id) { items(id); }
    public static void main(String[] args) { for (int id = 0; id < 20; id++) handle(id); }
}
"""


# Every other call of super() throws, which no handler of the constructor can see.
CONSTRUCTORS = """
public class Constructors {
    static class Base {
        Base(int number) { if (work(number) % 2 == 0) throw new IllegalStateException(); }
    }
    static class Derived extends Base {
        Derived(int number) { super(number); work(number); }
    }
    static int work(int number) { return again(number); }
    static int again(int number) { return number; }
    public static void main(String[] args) {
        for (int i = 0; i < 6; i++) {
            try {
                new Derived(i);
            } catch (IllegalStateException e) {
                work(i);
            }
        }
    }
}
"""


class Slices(driver.CommandLineTest):
    keep_all = ("--slice", "Server.handle", "--keep-slices", "10000")

    def run_server(self, *arguments, options=keep_all, home=None, status=0):
        outcome = self.copse("run", "-q", "-o", self.report, *options, "--",
                             *driver.java_command("Server", *arguments, home=home))
        self.assertEqual(outcome.status, status, outcome)
        return outcome.stdout

    def check_all(self, report, output):
        self.assertEqual(by_thread(slices_of(report)), by_thread(told(output)))
        self.assertEqual((report["slice_totals"]["in_part"], report["slice_totals"]["open"]), (0, 0))
        self.check_distribution(report, told(output))

    def check_distribution(self, report, slices):
        names = method_names(report)
        for row in columns(report, "slice_calls"):
            name = names[row["method"]]
            if name not in ("handle", "query", "row", "tree"):
                continue
            numbers = [calls[name] for _, calls in slices if name in calls]
            self.assertEqual((row["slices"], row["calls"], row["most"]), (len(numbers), sum(numbers), max(numbers)), name)

    def test_each_request_has_the_calls_that_it_counts_itself(self):
        for home in ARGS.homes:
            with self.subTest(home=home):
                output = self.run_server(4, 200, home=home)
                self.check_all(self.load(), output)

    def test_the_tree_of_the_run_is_the_same_without_slices(self):
        self.run_server(2, 100, options=[*self.keep_all, "--measure", "calls"])
        with_slices = self.load()
        self.run_server(2, 100, options=("--measure", "calls"))
        without = self.load()
        self.assertEqual(with_slices["nodes"]["calls"], without["nodes"]["calls"])
        self.assertEqual(with_slices["totals"]["calls_seen"], without["totals"]["calls_seen"])
        self.assertNotIn("slices", without)

    def test_virtual_threads_have_slices_without_processor_time(self):
        for home in ARGS.homes:
            if jvm.feature_version(home) < 21:
                continue
            output = self.run_server(20, 50, "virtual", home=home)
            report = self.load()
            self.check_all(report, output)
            self.assertEqual(set(report["slices"]["cpu_ns"]), {0})

    def test_memory_and_merged_recursion_lose_no_call_of_a_slice(self):
        for options in (("--memory", "1M"), ("--recursion", "merge"), ("--by-thread", "each"), ("--no-sites",)):
            with self.subTest(options=options):
                output = self.run_server(2, 150, options=[*self.keep_all, *options])
                report = self.load()
                if "evicted_contexts" not in report["totals"] and "merge" not in options:
                    self.check_all(report, output)
                else:
                    self.check_distribution(report, told(output))

    def test_a_slice_that_has_not_ended_is_counted(self):
        self.run_server(1, 5, "exit", options=("--slice", "Last.leave", "--slice", "Server.handle"), status=7)
        report = self.load()
        self.assertEqual(report["slice_totals"], {"keep": 20, "in_part": 0, "open": 1, "tasks_open": 0, "tasks_late": 0})
        self.assertEqual([name for name in map(method_names(report).__getitem__, report["slice_methods"]["method"])],
                         ["handle"])

    def test_of_a_constructor_end_where_its_super_throws(self):
        classes = driver.compiled([CONSTRUCTORS], "constructors")
        program = driver.java_command("Constructors", classes=classes)
        self.done("run", "-q", "-o", self.report, "--slice", "Constructors$Derived.<init>", "--", *program)
        report = self.load()
        # <init> and Base's, work and again; those that go on call work and again once more.
        self.assertEqual(report["slices"]["calls"], [4, 6] * 3)
        self.assertEqual((report["slice_totals"]["in_part"], report["slice_totals"]["open"]), (0, 0))

    def test_the_report_of_a_killed_jvm_says_that_slices_are_lost(self):
        process = self.start([ARGS.copse, "run", "-q", "-o", self.report, *self.keep_all, "--",
                              *driver.java_command("Server", 1, 50, "stay")])
        lines = []
        while (line := process.stdout.readline()) != "done\n":
            lines.append(line)
        os.kill(int(lines.pop().split()[1]), signal.SIGKILL)
        process.wait()
        report = self.load()
        self.assertNotIn("slices", report)
        notes = [note for note in report["notes"] if "lices do not outlive" in note]
        self.assertRegex(notes[0], r": 50 slices had begun\.")
        said = sum((Counter(calls) for _, calls in told("".join(lines))), Counter())
        self.assertEqual(self.calls("handle"), said["handle"])

    def test_attached_the_slices_are_those_from_then_on(self):
        process = self.start(driver.java_command("Server", 2, 100, "wait"), "ready")
        self.done("attach", str(process.pid), *self.keep_all, "-o", self.report)
        output, _ = process.communicate("\n")
        self.check_all(self.load(), output)

    def test_a_snapshot_has_the_slices_so_far(self):
        process = self.start([ARGS.copse, "run", "-q", "-o", self.report, *self.keep_all, "--snapshot", "100ms", "--",
                              *driver.java_command("Server", 2, 3000)])
        output, _ = process.communicate()
        self.check_all(self.load(), output)

    def test_the_schema_names_every_key(self):
        self.run_server(1, 20)
        report = self.load()
        properties = json.loads((driver.REPOSITORY / "reports/copse.cct.schema.json").read_text())["properties"]
        groups = [name for name in properties if name.startswith("slice")]
        self.assertEqual(len(groups), 10)
        for group in groups:
            self.assertEqual(set(report[group]), set(properties[group]["properties"]), group)

    def test_few_are_kept_and_all_are_summed(self):
        output = self.run_server(2, 500, options=("--slice", "Server.handle", "--keep-slices", "3"))
        report = self.load()
        slices = told(output)
        self.assertEqual(report["slice_methods"]["slices"], [len(slices)])
        kept = [words.split(",") for words in report["slices"]["kept"]]
        for word in ("slowest", "most-calls", "sample"):
            self.assertEqual(sum(word in words for words in kept), 3)
        self.check_distribution(report, slices)

    def test_one_slice_as_a_report(self):
        output = self.run_server(1, 100)
        whole = self.load()
        for which in ("slowest", "most-calls", "typical", "17"):
            self.done("report", self.report, "--slice", which, "-o", self.path("slice.json"))
            part = self.load("slice.json")
            self.assertNotIn("slices", part)
            self.assertEqual(part["totals"]["threads"], 1)
            if which == "17":
                calls = driver.calls_by_method(part)
                self.assertEqual({name: calls[name] for name in told(output)[16][1]}, told(output)[16][1])
        self.assertEqual(max(whole["slices"]["calls"]), self.most_calls())
        text = self.done("report", self.report).stdout
        self.assertRegex(text, r"Server.handle: 100 slices with [\d,]+ calls")
        self.assertIn("Calls per slice", text)

    def test_contexts_that_are_added_leave_slices_in_theirs(self):
        output = self.run_server(1, 100, options=[*self.keep_all, "--measure", "calls"])
        contexts = self.load()["totals"]["contexts"]
        # Two lines of handle call query: the samples fit both, and get a context before theirs.
        (self.folder / "samples").write_text("Server.lambda$main$1;Server.serve;Server.handle;Server.query 5\n", encoding="utf-8")
        self.done("join", self.report, "samples", "-o", "joined.json")
        joined = self.load("joined.json")
        self.assertGreater(joined["totals"]["contexts"], contexts)
        self.check_all(joined, output)
        # The first run has fewer contexts than both.
        java = shlex.join(driver.java_command("Server", 1))
        script = f"if [ -e again ]; then {java} 100; else touch again; {java} 4; fi"
        output = self.done("run", "-q", "--runs", "2", "-o", "runs.json", *self.keep_all, "--measure", "calls", "--", "sh", "-c", script).stdout
        runs = self.load("runs.json")
        self.assertEqual(by_thread(slices_of(runs)), by_thread(told(output)[:4]))

    def test_a_sum_has_no_slices_and_says_so(self):
        self.run_server(1, 20)
        for files in ([self.report], [self.report, self.report]):
            self.done("merge", *files, "-o", "sum.json")
            whole = self.load("sum.json")
            self.assertFalse([key for key in whole if key.startswith("slice")])
            self.assertTrue(any("left out of the sum" in note for note in whole["notes"]), whole["notes"])

    def most_calls(self):
        self.done("report", self.report, "--slice", "most-calls", "-o", self.path("slice.json"))
        return self.load("slice.json")["totals"]["calls"]

    def test_one_slice_compared_with_another(self):
        self.run_server(1, 100)
        one = self.done("diff", self.report, "--slice", "typical", "--slice", "most-calls").stdout
        self.assertEqual(one, self.done("diff", self.report, self.report, "--slice", "typical", "--slice", "most-calls").stdout)
        self.assertRegex(one, "slice typical")

    def test_call_sites_of_two_slices_are_those_of_the_same_code(self):
        self.done("run", "-q", "-o", self.report, "--slice", "Branches.handle", "--", *driver.java_command("Branches"))
        text = self.done("diff", self.report, "--slice", "typical", "--slice", "most-calls").stdout
        self.assertRegex(text, r"\+50\s+new\s+-\s+50\s.*Branches.query <- Branches.items:9")
        self.assertRegex(text, r"-1\s+gone\s+1\s+-\s.*Branches.query <- Branches.items:6")
        self.assertNotIn("elsewhere", text)

    def test_a_rule_is_about_the_most_calls_in_one_slice(self):
        slices = told(self.run_server(1, 100))
        most = max(calls.get("query", 0) for _, calls in slices)
        for bound, status in ((most - 1, 1), (most, 0)):
            rule = f"calls(Server.query) per slice(Server.handle) > {bound}"
            outcome = self.copse("diff", self.report, self.report, "--fail-if", rule)
            self.assertEqual(outcome.status, status, outcome)
        self.assertIn("--slice", self.copse("diff", self.report, self.report, "--fail-if",
                                            "calls(Server.query) per slice(Server.handle) > 0").stdout)
        for rule in ("calls(Server.*) per slice(Server.handle) > 0", "calls(Server.query) per slice(Server.serve) > 0"):
            self.assertEqual(self.copse("diff", self.report, self.report, "--fail-if", rule).status, 2)

    def test_the_page_of_documentation_runs(self):
        text = (driver.REPOSITORY / "docs/slices.md").read_text(encoding="utf-8")
        broken = 0
        for command in re.findall(r"^    \$ (.*)$", text, re.MULTILINE):
            words = shlex.split(command)
            if words[0] == "javac":
                source = driver.REPOSITORY / "examples/slices/Shop.java"
                jvm.compile_java(ARGS.homes[0], [str(source)], self.path("classes"))
                continue
            words = [driver.tool("java") if word == "java" else word for word in words[1:]]
            outcome = self.copse(*words)
            broken += "--fail-if" in words and outcome.status == 1
            self.assertIn(outcome.status, (0, 1) if "--fail-if" in words else (0,), outcome)
        self.assertEqual(broken, 1)
        summary = self.done("report", "shop.json").stdout
        for line in (r"Shop\$Handler.handle: 4,000 slices with 131,928 calls, on average 33.0 calls",
                     r"     6     6  4,000 +\d+  Shop\$Database.query"):
            self.assertRegex(summary, line)
            self.assertRegex(text, line)

    def test_errors_name_the_option(self):
        self.run_server(1, 1, options=())
        self.assert_one_line(self.copse("report", self.report, "--slice", "slowest"), 1, "--slice slowest")
        self.assert_one_line(self.copse("diff", self.report, "--slice", "slowest"), 2, "new is required")
        for options in (("--engine", "parallel"), ("--engine", "uptree")):
            outcome = self.copse("run", "--slice", "Server.handle", *options, "--", "true")
            self.assert_one_line(outcome, 2, "--slice", "--engine inline")

    def test_a_glob_without_a_match_is_named(self):
        outcome = self.copse("run", "-o", self.report, "--slice", "Server.handel", "--", *driver.java_command("Server", 1, 1))
        self.assertRegex(outcome.stderr, r"--slice Server.handel: matched nothing.*Server.handle")
        self.assertTrue(any(re.search("Server.handel", note) for note in self.load()["notes"]))


if __name__ == "__main__":
    driver.main("copse", sources=[BRANCHES, SERVER], jdks=True)
