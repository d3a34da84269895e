#!/usr/bin/env python3
"""copse diff tells what changed between two builds of a program, once and at its cause; and nothing of two runs of one
build."""

import json
import os
import re
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402

GOLDEN = driver.REPOSITORY / "tests/golden/diff/data"

# BUILDS has a build's text for each /*...*/.
SHOP = """
public class Shop {
    static int total;
    static class Dao {
        int all() { return read(0); }
        int query(int id) { return read(id) + 1; }
        int read(int id) { total++; return id * 2; }
    }
    static class Handler {
        final Dao dao = new Dao();
        int get(int n) {
            /*first*/
            int sum = dao.all();
            /*get*/
            return sum;
        }
        /*more*/
    }
    static void each(int n, java.util.function.IntUnaryOperator what) { for (int i = 0; i < n; i++) what.applyAsInt(i); }
    static void log(int n) { total += n; }
    public static void main(String[] args) throws Exception {
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++) {
            Handler handler = new Handler();
            threads[t] = new Thread(() -> each(250, n -> handler.get(n)), "worker-" + t);
        }
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
    }
}
"""
QUERIES = "for (int id = 0; id < %d; id++) sum += dao.query(id);"
BUILDS = {
    "one": {"get": QUERIES % 1},
    "many": {"get": QUERIES % 101},
    "checked": {"first": "log(n);", "get": QUERIES % 1},
    "split": {"get": "sum += one(0);", "more": "int one(int id) { return dao.query(id); }"},
    "renamed": {"get": (QUERIES % 1).replace("query", "find")},
}


# Threads with other names in each run, and code of all the kinds that compilers and the JVM number.
MADE_UP = """
import java.lang.reflect.*;
import java.util.*;
import java.util.function.*;
public class MadeUp {
    interface Service { int call(int n); }
    static int leaf(int n) { return n + 1; }
    static int work(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += leaf(i); return sum; }
    public static void main(String[] args) throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 3; t++) {
            threads.add(new Thread(() -> work(50), "job-" + UUID.randomUUID()));
            threads.add(new Thread(new Runnable() { public void run() { work(70); } }, "w" + UUID.randomUUID().toString().replace("-", "")));
        }
        for (Thread thread : threads) thread.start();
        for (Thread thread : threads) thread.join();
        Service proxy = (Service) Proxy.newProxyInstance(MadeUp.class.getClassLoader(), new Class<?>[] {Service.class},
            (self, method, words) -> work((Integer) words[0]));
        for (int i = 0; i < 100; i++) proxy.call(i);
        Method method = MadeUp.class.getDeclaredMethod("work", int.class);
        for (int i = 0; i < 100; i++) method.invoke(null, i);
        IntUnaryOperator twice = n -> work(2 * n), reference = MadeUp::work;
        for (int i = 0; i < 10; i++) { twice.applyAsInt(i); reference.applyAsInt(i); }
    }
}
"""


class Diff(driver.CommandLineTest):
    classes = {}

    @classmethod
    def setUpClass(cls):
        for build, parts in BUILDS.items():
            source = SHOP.replace("int query(", "int find(") if build == "renamed" else SHOP
            source = re.sub(r"/\*(\w+)\*/", lambda place: parts.get(place[1], ""), source)
            cls.classes[build] = driver.compiled([source], build)

    def run_of(self, build, name=None, *words):
        name = name or f"{build}.json"
        self.done("run", "-o", name, *words, "--", *driver.java_command("Shop", classes=self.classes[build]))
        return name

    def diff_of(self, old, new, *words):
        found = json.loads(self.done("diff", old, new, "--format", "json", *words).stdout)
        self.schema("copse.diff").validate(found)
        return found

    def changes(self, found):
        return [(change["kind"], change["path"][-1], change["effect"]) for change in found["changes"]["list"]]

    def test_is_empty_for_two_runs_of_one_build(self):
        one, again = self.run_of("many", "1.json"), self.run_of("many", "2.json")
        self.assertIn("\nNo change of calls.\n", self.done("diff", one, again).stdout)
        found = self.diff_of(one, again)
        contexts = found["contexts"]
        self.assertEqual((contexts["new"], contexts["gone"], contexts["more"], contexts["fewer"]), (0, 0, 0, 0))
        self.assertGreater(contexts["equal"], 10)
        self.assertEqual([found[key]["count"] for key in ("changes", "methods", "packages")], [0] * 3)
        self.assertEqual((found["renamed"], found["perhaps_renamed"]), ([], []))

    def test_is_empty_whatever_names_a_run_makes_up(self):
        classes = driver.compiled([MADE_UP], "made_up")
        for how in ([], ["--by-thread", "group"], ["--by-thread", "each"]):
            with self.subTest(how):
                for name in ("1.json", "2.json"):
                    self.done("run", "-o", name, "--measure", "calls", *how, "--", *driver.java_command("MadeUp", classes=classes))
                found = self.diff_of("1.json", "2.json")
                contexts = found["contexts"]
                self.assertEqual((contexts["new"], contexts["gone"], contexts["more"], contexts["fewer"]), (0, 0, 0, 0))
                self.assertGreater(contexts["equal"], 10)

    def test_tells_a_call_that_is_made_more_often_at_its_cause(self):
        one, many = self.run_of("one"), self.run_of("many")
        found = self.diff_of(one, many)
        self.assertEqual(self.changes(found), [("more", "Shop$Dao.query", 200_000)])
        change = found["changes"]["list"][0]
        self.assertEqual((change["old_calls"], change["new_calls"]), (1_000, 101_000))
        self.assertEqual(change["path"][-2], "Shop$Handler.get:14")
        calls = found["measures"][0]
        self.assertEqual(calls["new"] - calls["old"], 200_000)
        text = self.done("diff", one, many).stdout
        self.assertRegex(text, r"\n\+200,000  more +1,000 +101,000 +1 +101  Dao.query <- Handler.get:14")
        same = self.done("report", many, "--measure", "calls", "--format", "collapsed", "--context", change["id"]).stdout
        self.assertTrue(same.splitlines()[0].endswith("Shop$Handler.get;Shop$Dao.query 101000"), same)

    def test_tells_no_more_than_the_call_that_was_added(self):
        found = self.diff_of(self.run_of("one"), self.run_of("checked"))
        self.assertEqual(self.changes(found), [("new", "Shop.log", 1_000)])
        by_sites = self.diff_of("one.json", "checked.json", "--sites", "bci")
        self.assertGreater(by_sites["changes"]["count"], 1)  # all that is called behind the call

    def test_takes_no_method_for_another_one_but_by_the_word_of_its_user(self):
        found = self.diff_of(self.run_of("one"), self.run_of("renamed"))
        self.assertEqual(self.changes(found), [("new", "Shop$Dao.find", 2_000), ("gone", "Shop$Dao.query", -2_000)])
        option = "--renamed 'Shop$Dao.query=Shop$Dao.find'"
        self.assertEqual(found["perhaps_renamed"], [{"from": "Shop$Dao.query", "to": "Shop$Dao.find", "option": option}])
        text = self.done("diff", "one.json", "renamed.json").stdout
        self.assertEqual(text.splitlines()[-1], f"perhaps renamed: Shop$Dao.query -> Shop$Dao.find ({option})")
        words = ["--renamed", "Shop$Dao.query=Shop$Dao.find"]
        said = self.diff_of("one.json", "renamed.json", *words)
        self.assertEqual((self.changes(said), said["perhaps_renamed"]), ([], []))
        self.assertEqual(said["renamed"], [{"from": "Shop$Dao.query", "to": "Shop$Dao.find"}])
        self.assertIn("  Shop$Dao.query is now Shop$Dao.find\n", self.done("diff", "one.json", "renamed.json", *words).stdout)
        rule = ["--fail-if", "calls(Dao.find) > +0"]
        self.assertEqual(self.copse("diff", "one.json", "renamed.json", *rule).status, 1)
        self.done("diff", "one.json", "renamed.json", *rule, *words)
        self.done("baseline", "save", "one.json", "-o", "one.txt")
        self.assertEqual(self.copse("baseline", "check", "one.txt", "renamed.json").status, 1)
        self.done("baseline", "check", "one.txt", "renamed.json", *words)
        self.assert_one_line(self.copse("baseline", "check", "one.txt", "renamed.json", "--renamed", "Dao.query=Dao.load"), 2,
                             "--renamed Dao.query=Dao.load: ", "renamed.json")

    def test_tells_calls_that_a_method_of_its_own_makes_now(self):
        found = self.diff_of(self.run_of("one"), self.run_of("split"))
        self.assertEqual(self.changes(found), [("new", "Shop$Handler.one", 3_000), ("gone", "Shop$Dao.query", -2_000)])

    def test_finds_contexts_by_the_ids_of_the_report_too(self):
        one, many = self.run_of("one"), self.run_of("many")
        nodes = json.loads(self.done("report", many, "--format", "json", "--ids").stdout)
        methods = nodes["methods"]["name"]
        row = next(i for i, method in enumerate(nodes["nodes"]["method"]) if method >= 0 and methods[method] == "query")
        found = self.diff_of(one, many, "--context", nodes["nodes"]["id"][row][:12])
        self.assertEqual(self.changes(found), [("more", "Shop$Dao.query", 200_000)])

    def test_of_a_run_with_its_sum_is_the_other_run(self):
        one, many = self.run_of("one"), self.run_of("many")
        self.done("merge", one, many, "-o", "sum.json")
        calls = self.diff_of(one, "sum.json")["measures"][0]
        self.assertEqual(calls["new"] - calls["old"], self.load(many)["totals"]["calls"])

    def test_compares_by_any_measure_that_both_have(self):
        one = self.run_of("one", "one.json", "--measure", "calls,cpu")
        many = self.run_of("many", "many.json", "--measure", "calls,cpu,exceptions")
        text = self.done("diff", one, many, "--measure", "cpu").stdout
        self.assertIn("cpu time of the program\n", text)
        self.assertIn("one.json: has no exceptions\n", text)
        self.assert_one_line(self.copse("diff", one, many, "--measure", "exceptions"), 1, "exceptions", "one.json")
        self.assert_one_line(self.copse("diff", one, many, "--measure", "memory"), 1, "memory")

    def test_is_cut_to_a_part_on_both_sides(self):
        # `checked` has one call more.
        old, new = self.run_of("many", "old.json", "--by-thread", "each"), self.run_of("checked", "new.json", "--by-thread", "each")
        def calls(*words):
            found = self.diff_of(old, new, *words)
            measure = found["measures"][0]
            self.assertEqual((measure["old_whole"], measure["new_whole"]),
                             tuple(self.load(file)["totals"]["calls"] for file in (old, new)))
            self.assertEqual(found["old"]["calls_seen"], measure["old"])
            return found, (measure["old"], measure["new"])
        found, totals = calls("--focus", "Shop$Dao.query")
        self.assertEqual(totals, (202_000, 2_000))
        self.assertEqual(self.changes(found), [("fewer", "Shop$Dao.query", -50_000)] * 4)
        self.assertEqual(found["part"], ["contexts through Shop$Dao.query (--focus)"])
        change = found["changes"]["list"][0]
        self.assertEqual(calls("--context", change["id"])[1], (50_500, 500))
        self.assertEqual(calls("--thread", "worker-2", "--root", "Shop$Dao")[1], (51_000, 1_000))
        self.assertEqual(self.changes(calls("--root", "Shop$Dao.query")[0]), [("fewer", "Shop$Dao.query", -200_000)])
        text = self.done("diff", old, new, "--focus", "Shop.log").stdout
        self.assertIn("only contexts through Shop.log (--focus): 0 of ", text)
        self.assertRegex(text, r"\n  contexts: 4 new, 0 gone, ")
        self.done("diff", old, new, "--focus", "Shop$Dao.all", "-o", "part.html")
        self.assertIn('"notes":["Only contexts through Shop$Dao.all (--focus). ', (self.folder / "part.html").read_text().replace("\n", ""))
        rule = ("--fail-if", "calls(Shop$Dao.**) != +0")
        self.assertEqual(self.copse("diff", old, new, *rule).status, 1)
        gate = self.done("diff", old, new, "--focus", "Shop$Dao.all", *rule)
        self.assertTrue(gate.stdout.startswith("only        contexts through Shop$Dao.all (--focus)\nholds "), gate.stdout)
        outside = self.copse("diff", old, new, "--focus", "Shop$Dao.all", "--fail-if", "calls(Shop.log) > 0")
        self.assertEqual(outside.status, 2)
        self.assertIn("Shop.log matches nothing in this part of either report", outside.stdout)
        self.assert_one_line(self.copse("diff", old, new, "--focus", "Shop$Dao.al"), 1, "--focus 'Shop$Dao.all'?")
        self.assert_one_line(self.copse("diff", old, new, "--context", "0" * 32), 1, "--context", "0" * 32)
        self.assert_one_line(self.copse("diff", old, new, "--context", "zz"), 2, "--context zz: ")

    def test_makes_a_page_of_both(self):
        self.done("diff", self.run_of("one"), self.run_of("many"), "-o", "diff.html")
        page = (self.folder / "diff.html").read_text()
        for part in ('"compared":{"old":"one.json","new":"many.json"', '"name":"old_calls"'):
            self.assertTrue(part in page.replace("\n", ""), part)

    def test_is_ten_lines_of_markdown_by_the_ending(self):
        one, again, many = self.run_of("one"), self.run_of("one", "again"), self.run_of("many")
        self.done("diff", one, many, "-o", "diff.md")
        totals, blank, *changes = (self.folder / "diff.md").read_text().splitlines()
        self.assertRegex(totals, r"^calls [\d,]+ → [\d,]+ \(\+")
        self.assertIn("`one.json` → `many.json`", totals)
        self.assertTrue(any("`Dao.query <- Handler.get:" in line for line in changes), changes)
        self.assertLessEqual(len(changes), 9)
        same, = self.done("diff", one, again, "--measure", "calls", "--format", "md").stdout.splitlines()
        self.assertRegex(same, "^No change of calls ")

    def test_is_that_of_the_golden_files(self):
        for file, words in [("diff.txt", []), ("diff.json", ["--format", "json"]), ("diff.md", ["--format", "markdown"])]:
            with self.subTest(file):
                text = self.copse("diff", "old.json", "new.json", *words, cwd=GOLDEN).stdout
                self.assertEqual(text, (GOLDEN / file).read_text())

    def test_refuses_what_it_cannot_do_in_one_line(self):
        old, new = GOLDEN / "old.json", GOLDEN / "new.json"
        (self.folder / "broken.json").write_text('{"schema": "copse.cct/2", "nodes": {')
        for words, status, why in [([old], 2, "new"),
                                   ([old, "none.json"], 1, "none.json"),
                                   ([old, "broken.json"], 1, "broken.json: "),
                                   ([old, GOLDEN / "diff.txt"], 1, "diff.txt"),
                                   ([old, new, "--format", "jsn"], 2, "json?"),
                                   ([old, new, "-o", "diff.csv"], 2, "diff.csv"),
                                   ([old, new, "-o", "no/diff.txt"], 1, "no/diff.txt"),
                                   ([old, new, "--sites", "x"], 2, "bci, line, none"),
                                   ([old, new, "--top", "-1"], 2, "--top")]:
            with self.subTest(why):
                self.assert_one_line(self.copse("diff", *words), status, why)
        (self.folder / "mine.json").write_text(old.read_text())
        self.assert_one_line(self.copse("diff", "mine.json", new, "-o", "mine.json"), 2, "mine.json")
        self.assertEqual((self.folder / "mine.json").read_text(), old.read_text())
        self.done("merge", old, new, "--sites", "line", "-o", "lines.json")
        self.assert_one_line(self.copse("diff", "lines.json", new, "--sites", "bci"), 1, "lines.json: ", "--sites")
        self.done("diff", "lines.json", new, "--sites", "line")
        self.done("diff", "lines.json", new)
        self.assertEqual(sorted(os.listdir(self.folder)), ["broken.json", "lines.json", "mine.json"])


driver.main("copse", jdks=True)
