#!/usr/bin/env python3
"""--selective: probes only where a graph can reach a marked method, what happens when the graph is wrong of the run,
and what copse validate says of it. Ways.java has the ways to be wrong."""

import os
import re
import resource
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS  # noqa: E402

ENCODERS = ("segment", "luce", "dacce", "pcce", "deltapath", "rcce")
MARKED = "Ways.write"
# Asks for its id below a method that is no mark, and never without being told to.
ASKS = """
public class Asks {
    static int sink;
    static void log() { System.out.println("id " + copse.Context.id()); }
    static int quiet(int n) { return twice(n) + 1; }
    static int twice(int n) { return sink ^= n * 2; }
    public static void main(String[] arguments) {
        for (int n = 0; n < 100; n++) quiet(n);
        log();
    }
}
"""

# Each level of a recursion is a mark, by one of four call sites: nearly all contexts are new, and share all frames but one.
DEEP = """
import java.util.Random;

public class Deep {
    static final Random random = new Random(7);
    static int sink;
    static void mark() { sink++; }
    static void other() { sink--; }
    static void down(int left) {
        mark();
        if (left == 0) return;
        switch (random.nextInt(4)) {
            case 0: down(left - 1); break;
            case 1: down(left - 1); break;
            case 2: down(left - 1); break;
            default: down(left - 1); break;
        }
    }
    public static void main(String[] arguments) {
        for (int i = 0; i < Integer.parseInt(arguments[0]); i++) {
            down(1800);
            other();
        }
    }
}
"""


class Selective(driver.CommandLineTest):
    def java(self, home, *arguments):
        return driver.java_command("Ways", *arguments, home=home)

    def graph(self, home, *arguments, name="graph.json"):
        self.done("run", "-o", name, "--", *self.java(home, *arguments))
        return self.path(name)

    def run_marked(self, home, *options, way=(), encoder="segment", report="report.json"):
        return self.done("ids", "--encoder", encoder, "--mark", MARKED, *options, "-o", report, "--", *self.java(home, *way))

    def contexts(self, report="report.json"):
        """Calls of marked methods by context."""
        lines = self.done("report", report, "--format", "collapsed", "--lines").stdout.splitlines()
        return {context: int(calls) for context, calls in (line.rsplit(" ", 1) for line in lines)}

    def all_contexts(self, home, *way):
        """The same of a run with probes in all methods."""
        self.run_marked(home, way=way, report="all.json")
        return self.contexts("all.json")

    def note(self, words, report="report.json"):
        found = [note for note in self.load(report)["notes"] if words in note]
        self.assertLessEqual(len(found), 1, found)
        return found[0] if found else None

    def left_out(self):
        return int(re.search(r"--selective: ([\d,]+) methods? without probes", self.note("--selective: "))[1].replace(",", ""))

    def test_marks_have_the_contexts_of_a_run_with_all_probes(self):
        known = {home: (self.graph(home, name=f"{jvm.feature_version(home)}.json"), self.all_contexts(home)) for home in ARGS.homes}
        for home, encoder in driver.crossed(ARGS.homes, ENCODERS):
            with self.subTest(home=home, encoder=encoder):
                graph, truth = known[home]
                self.assertEqual(len(truth), 2)
                outcome = self.run_marked(home, "--selective", "--graph", graph, encoder=encoder)
                self.assertNotIn("lacks calls", outcome.stderr)
                self.assertEqual(self.contexts(), truth)
                # compute, more, work, branch, each and its lambda, steps, forever, hidden, two take().
                self.assertGreaterEqual(self.left_out(), 11)
                self.assertEqual(self.load()["options"]["selective"], "true")

    def test_without_the_option_a_run_says_nothing_of_it(self):
        home = ARGS.homes[0]
        self.run_marked(home)
        report = self.load()
        self.assertNotIn("selective", report["options"])
        self.assertIsNone(self.note("selective"))

    def broken(self, home, way, *methods):
        """A run that makes calls the graph lacks; contexts of it, and of one with all probes."""
        outcome = self.run_marked(home, "--selective", "--graph", self.graph(home), way=(way,))
        note = self.note("lacks calls that lead to marked methods")
        self.assertIsNotNone(note, outcome.stderr)
        self.assertEqual(outcome.stderr.count("lacks calls that lead to marked methods"), 1)
        for method in methods:
            self.assertIn("Ways." + method, note)
        found, truth = self.contexts(), self.all_contexts(home, way)
        self.assertEqual(sum(found.values()), sum(truth.values()), "no mark is lost")
        doubtful = int(re.search(r"with ([\d,]+) marked calls?", note)[1].replace(",", ""))
        # Calls that differ are in contexts that were said to lack frames.
        self.assertLessEqual(sum(calls for context, calls in found.items() if context not in truth), doubtful)
        self.assertGreaterEqual(sum(found.get(context, 0) for context in truth), sum(truth.values()) - doubtful)
        return found, truth

    def test_a_branch_that_the_graph_lacks_gives_its_methods_probes(self):
        for home in ARGS.homes:
            found, truth = self.broken(home, "detour", "branch", "work")
            way = next(context for context in truth if "Ways.branch" in context and "forever" not in context)
            self.assertLess(found[way], truth[way], "the first calls lack frames")
            self.assertGreaterEqual(found[way], truth[way] * 3 / 4, "the others have them")

    def test_a_class_that_loads_later_gives_its_callers_probes(self):
        for home in ARGS.homes[-1:]:
            found, truth = self.broken(home, "later", "each", "work")
            way = next(context for context in truth if "Ways$Loud.take" in context and "round" in context)
            self.assertGreaterEqual(found[way], truth[way] * 3 / 4)

    def test_a_frame_that_never_ends_is_said_to_be_missing(self):
        for home in ARGS.homes[-1:]:
            found, truth = self.broken(home, "forever", "forever")
            self.assertEqual(set(truth) - set(found), {context for context in truth if "forever" in context})

    def test_another_way_of_the_same_call_is_seen_at_a_later_look(self):
        for home in ARGS.homes[-1:]:
            self.broken(home, "same", "hidden")

    def test_what_was_learned_in_one_run_is_a_graph_for_the_next(self):
        home = ARGS.homes[0]
        graph = self.graph(home, "later")
        outcome = self.run_marked(home, "--selective", "--graph", graph, way=("later",))
        self.assertNotIn("lacks calls", outcome.stderr)
        self.assertEqual(self.contexts(), self.all_contexts(home, "later"))
        self.assertGreater(self.left_out(), 0)

    def test_a_graph_of_class_files_will_do(self):
        home = ARGS.homes[0]
        self.done("graph", ARGS.classes, "-o", "calls.graph")
        for way in ("", "detour", "same"):
            outcome = self.run_marked(home, "--selective", "--graph", "calls.graph", way=(way,) if way else ())
            self.assertNotIn("lacks calls", outcome.stderr, "by the class hierarchy all of these ways are there")
            self.assertEqual(self.contexts(), self.all_contexts(home, *((way,) if way else ())))
            self.assertGreater(self.left_out(), 0)

    def test_validate_finds_nothing_where_the_graph_is_right(self):
        for home, encoder in driver.crossed(ARGS.homes, ("segment", "pcce")):
            outcome = self.done("validate", "--encoder", encoder, "--mark", MARKED, "--stack-every", "1", "--selective",
                                "--graph", self.graph(home), "--", *self.java(home))
            self.assertIn("400 entries checked, 0 of them without an id; 2 different ids, wrong 0 at once", outcome.stderr)
            self.assertIn("400 ids checked against the JVM's own stack, 0 wrong", outcome.stderr)
            self.assertNotIn("lack frames", outcome.stderr)

    def test_validate_counts_contexts_that_lack_frames_and_fails(self):
        for home in ARGS.homes[-1:]:
            graph = self.graph(home)
            for way, methods in (("detour", "Ways.work, Ways.branch"), ("forever", "Ways.forever")):
                # 0: no stack is looked at, so no method gets its probes late.
                for stacks in ("0", "1"):
                    with self.subTest(home=home, way=way, stacks=stacks):
                        outcome = self.copse("validate", "--mark", MARKED, "--stack-every", stacks, "--selective", "--graph",
                                             graph, "-o", "checked.json", "--", *self.java(home, way))
                        self.assertEqual(outcome.status, 1, outcome)
                        lacking = int(re.search(r"([\d,]+) entr(?:y|ies) without frames", outcome.stderr)[1].replace(",", ""))
                        self.assertIn("wrong 0 at once and 0 at the end", outcome.stderr)
                        self.assertIn("lacks calls that lead to marked methods; give the report", outcome.stderr)
                        note = self.note("lack frames of methods", "checked.json")
                        self.assertIn(methods, note)
                        all_lacking = {"detour": 2000 + 100, "forever": 100}[way]
                        if stacks == "0":
                            self.assertEqual(lacking, all_lacking, "methods that lead to no mark have no probes")
                        elif way == "detour":
                            self.assertLess(lacking, all_lacking / 2)

    def test_a_graph_without_a_mark_leaves_no_method_out(self):
        home = ARGS.homes[0]
        self.done("run", "-o", "other.json", "--", *driver.java_command("Asks"))
        outcome = self.done("ids", "--encoder", "segment", "--mark", MARKED, "--selective", "--graph", "other.json", "-o",
                            "report.json", "--exclude", "copse.**", "--", *self.java(home))
        self.assertEqual(self.contexts(), self.all_contexts(home))
        self.done("run", "-o", "nothing.json", "--exclude", MARKED, "--", *self.java(home))
        outcome = self.run_marked(home, "--selective", "--graph", "nothing.json")
        self.assertRegex(outcome.stderr, r"nothing\.json: has no marked method, so --selective left no method out")
        self.assertEqual(self.contexts(), self.all_contexts(home))

    def test_ids_that_are_asked_for_are_reached_too(self):
        self.done("run", "-o", "graph.json", "--", *driver.java_command("Asks"))
        outcome = self.done("ids", "--encoder", "segment", "--measure", "ids", "--selective", "--graph", "graph.json", "-o",
                            "report.json", "--", *driver.java_command("Asks"))
        number = re.search(r"id (-?\d+)", outcome.stdout)[1]
        decoded = self.done("decode", "report.ids", number).stdout
        self.assertEqual(re.sub(r":\d+", "", decoded.strip()), "Asks.main;Asks.log;copse.Context.id")
        self.assertEqual(self.left_out(), 2, "quiet and twice")

    def test_looks_at_deep_contexts_that_are_new_cost_no_more_than_the_program(self):
        def used(*words):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            self.done("ids", "--encoder", "segment", "--mark", "Deep.mark", *words, "-o", "report.json", "--",
                      *driver.java_command("Deep", 20))
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

        self.done("run", "-o", "graph.json", "--recursion", "full", "--", *driver.java_command("Deep", 1))
        plain = used()
        nodes = self.load()["nodes"]
        selective = used("--selective", "--graph", "graph.json")
        self.assertEqual(self.load()["nodes"], nodes)
        self.assertGreater(len(nodes["calls"]), 60_000)  # of mark(), and of down() above it
        # Whole stacks would have 32 million frames, a quarter of a minute.
        self.assertLess(selective, 2 * plain + 3)
        self.assertIsNone(self.note("did not get as far out"))

    def test_a_graph_that_cannot_be_read_is_refused_in_one_line(self):
        java = self.java(ARGS.homes[0])
        for words in (("--selective",), ("--selective", "--mark", MARKED), ("--selective", "--graph", "g.json")):
            self.assert_one_line(self.copse("ids", "--encoder", "segment", *words, "--", *java), 2, "--selective: ")
        outcome = self.copse("ids", "--encoder", "segment", "--mark", MARKED, "--selective", "--graph", "none.json", "--", *java)
        self.assertIn("none.json", outcome.stderr)
        self.assertNotEqual(outcome.status, 0)
        self.assertFalse(os.path.exists(self.path("report.json")))


driver.main("copse", "context-jar", sources=["Ways.java", ASKS, DEEP], all="every encoder on every JDK")
