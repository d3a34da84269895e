#!/usr/bin/env python3
"""Anonymous and local classes get other numbers when one is added, removed or moved: copse diff, merge and ids know them
all the same."""

import json
import re
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402

# BUILDS has a build's text for each /*...*/. One call site calls all steps.
STEPS = """
public class Steps {
    static long total;
    static void a(int n) { total += n; }
    static void b(int n) { total += 2 * n; }
    static void c(int n) { total += 3 * n; }
    static void d(int n) { total += 4 * n; }
    interface Step { void run(int n); }
    /*first*/
    static java.util.List<Step> steps() {
        java.util.List<Step> steps = new java.util.ArrayList<>();
        /*before*/
        /*A*/ /*B*/
        class Local implements Step {
            public void run(int n) { c(n); help(n); }
            void help(int n) { d(n); }
        }
        steps.add(new Local());
        /*twins*/
        return steps;
    }
    static void work(java.util.List<Step> steps, int n) { for (Step step : steps) step.run(n); }
    public static void main(String[] args) throws Exception {
        work(steps(), 3);
        Thread thread = new Thread(new Runnable() { public void run() { for (int i = 0; i < 5; i++) c(i); } }, "runner");
        thread.start();
        thread.join();
        /*last*/
    }
}
"""


def step(body):
    return "steps.add(new Step() { public void run(int n) { %s } });\n" % body


A, B, D = step("a(n);"), step("b(n); b(n);"), step("d(n);")
TWIN = step("a(n); b(n); a(n);")
ELSEWHERE = "static void elsewhere(int n) { new Step() { public void run(int m) { d(m); } }.run(n); }"
BUILDS = {
    "base": {"A": A, "B": B},
    "elsewhere": {"A": A, "B": B, "first": ELSEWHERE, "last": "elsewhere(1);"},
    "before": {"A": A, "B": B, "before": D},
    "removed": {"B": B},
    "reordered": {"A": B, "B": A},
    "edited": {"A": step("a(n); if (n < 0) d(n);"), "B": B, "before": D},
    "twins": {"A": A, "B": B, "twins": TWIN + TWIN},
    "twins_before": {"A": A, "B": B, "before": D, "twins": TWIN + TWIN},
}
BY_CALLERS = ["--sites", "none"]


class NumberedClasses(driver.CommandLineTest):
    classes = {}

    @classmethod
    def setUpClass(cls):
        for build, parts in BUILDS.items():
            source = re.sub(r"/\*(\w+)\*/", lambda place: parts.get(place[1], ""), STEPS)
            cls.classes[build] = driver.compiled([source], build)

    def run_of(self, build):
        name = f"{build}.json"
        self.done("run", "--measure", "calls", "-o", name, "--",
                  *driver.java_command("Steps", classes=self.classes[build]))
        return name

    def diff_of(self, old, new, *words):
        return json.loads(self.done("diff", old, new, "--format", "json", *words).stdout)

    def changes(self, found):
        return sorted((change["kind"], change["path"][-1]) for change in found["changes"]["list"])

    def renamed(self, found):
        return [(one["from"], one["to"]) for one in found["renamed"]]

    def calls_by_id(self, name, *rules):
        nodes = json.loads(self.done("report", name, "--format", "json", "--ids", *rules).stdout)["nodes"]
        calls = {}
        for one, count in zip(nodes["id"], nodes["calls"]):
            calls[one] = calls.get(one, 0) + count
        return calls

    def sum_of(self, *names, rules=()):
        self.done("merge", *names, "-o", "sum.json", *rules)
        return self.load("sum.json")["totals"]["contexts"]

    def test_are_nothing_new_where_the_build_is_the_same(self):
        one = self.run_of("twins")
        self.done("run", "--measure", "calls", "-o", "again.json", "--",
                  *driver.java_command("Steps", classes=self.classes["twins"]))
        found = self.diff_of(one, "again.json")
        self.assertEqual((self.changes(found), found["renamed"]), ([], []))

    def test_are_the_old_ones_beside_one_of_another_method(self):
        base, new = self.run_of("base"), self.run_of("elsewhere")
        found = self.diff_of(base, new)
        self.assertEqual(self.changes(found), [("new", "Steps.elsewhere")])
        self.assertEqual(self.renamed(found), [("Steps$1", "Steps$2"), ("Steps$2", "Steps$3"), ("Steps$3", "Steps$4")])
        old_ids, new_ids = self.calls_by_id(base), self.calls_by_id(new)
        self.assertEqual({one: new_ids.get(one) for one in old_ids}, old_ids)
        contexts = self.load(base)["totals"]["contexts"]
        # elsewhere(), the constructor, run() and d()
        self.assertEqual(self.load(new)["totals"]["contexts"], contexts + 4)
        self.assertEqual(self.sum_of(base, new), contexts + 4)
        calls = {one: old_ids.get(one, 0) + count for one, count in new_ids.items()}
        self.assertEqual(self.calls_by_id("sum.json"), calls)

    def test_are_the_old_ones_behind_one_of_the_same_method(self):
        base, new = self.run_of("base"), self.run_of("before")
        found = self.diff_of(base, new)
        self.assertEqual(self.changes(found), [("new", "Steps$1.<init>"), ("new", "Steps$1.run")])
        old_ids, new_ids = self.calls_by_id(base, *BY_CALLERS), self.calls_by_id(new, *BY_CALLERS)
        self.assertEqual({one: new_ids.get(one) for one in old_ids}, old_ids)
        self.assertEqual(len(new_ids), len(old_ids) + 3)
        self.assertEqual(self.sum_of(base, new, rules=BY_CALLERS) + 1, len(new_ids))

    def test_are_the_old_ones_without_one_of_them(self):
        found = self.diff_of(self.run_of("base"), self.run_of("removed"))
        self.assertEqual(self.changes(found), [("gone", "Steps$1.<init>"), ("gone", "Steps$1.run")])
        self.assertEqual(self.renamed(found), [("Steps$2", "Steps$1"), ("Steps$3", "Steps$2")])

    def test_are_the_same_in_another_order(self):
        base, new = self.run_of("base"), self.run_of("reordered")
        found = self.diff_of(base, new)
        self.assertEqual((self.renamed(found), self.changes(found)), ([("Steps$1", "Steps$2"), ("Steps$2", "Steps$1")], []))
        self.assertEqual(self.calls_by_id(base, *BY_CALLERS), self.calls_by_id(new, *BY_CALLERS))

    def test_whose_code_and_number_changed_are_others(self):
        found = self.diff_of(self.run_of("base"), self.run_of("edited"))
        self.assertEqual(self.changes(found), [("gone", "Steps$1.<init>"), ("gone", "Steps$1.run")]
                         + [("new", f"Steps${number}.{name}") for number in (1, 2) for name in ("<init>", "run")])
        said = self.diff_of("base.json", "edited.json", "--renamed", "Steps$1=Steps$2")
        self.assertEqual(self.changes(said), [("new", "Steps$1.<init>"), ("new", "Steps$1.run")])

    def test_that_are_alike_are_one_where_numbers_moved(self):
        base, new = self.run_of("twins"), self.run_of("twins_before")
        found = self.diff_of(base, new)
        self.assertEqual(self.changes(found), [("new", "Steps$1.<init>"), ("new", "Steps$1.run")])
        self.assertEqual(self.renamed(found)[:2], [("Steps$1", "Steps$2"), ("Steps$2", "Steps$3")])
        self.assertIn("  Steps$1 is now Steps$2\n", self.done("diff", base, new).stdout)
        for rule, status in (("calls(Steps$*.run) > +1", 0), ("calls(Steps$4.run) > +0", 2)):
            self.assertEqual(self.copse("diff", base, new, "--fail-if", rule).status, status, rule)

    def test_have_the_numbers_of_the_report_in_a_trace_and_what_comes_of_it(self):
        base = self.run_of("base")
        self.done("record", "-o", "run.trace", "--", *driver.java_command("Steps", classes=self.classes["base"]))
        self.done("replay", "run.trace", "-o", "replayed.json")
        self.assertEqual(self.calls_by_id("replayed.json"), self.calls_by_id(base))
        self.assertTrue(any(self.load("replayed.json")["methods"]["stable_class"]))
        # Without the column a number is all that is known.
        report = self.load(base)
        del report["methods"]["stable_class"]
        (self.folder / "older.json").write_text(json.dumps(report))
        found = self.diff_of("older.json", self.run_of("elsewhere"))
        self.assertEqual(found["renamed"], [])


driver.main("copse", jdks=True)
