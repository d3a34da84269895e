#!/usr/bin/env python3
"""Stable ids are those of docs/report-schema.md, computed again in Python; equal in two runs and on every JDK; and an
added lambda changes its own alone."""

import contextlib
import itertools
import json
import os
import pathlib
import random
import sqlite3
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import numbered_class  # noqa: E402
import stable_ids  # noqa: E402
from driver import ARGS  # noqa: E402

# Lambdas, a proxy, reflection, a switch over an enum. JDK 17 calls by reflection through a class of its own from the 16th
# time on, which is one frame more than there is on later ones. What /*more*/ stands for comes first in the class.
SHAPES = """
public class Shapes {
    enum Kind { A, B }
    interface Greeter { int greet(int n); }
    static int total;
    /*more*/
    static void work(int n) { total += n; }
    static void each(int[] list, java.util.function.IntConsumer what) { for (int n : list) what.accept(n); }
    static int pick(Kind kind) { switch (kind) { case A: return 1; default: return 2; } }
    public static void reflected() { work(7); }
    public static void main(String[] args) throws Exception {
        /*call*/
        each(new int[] {1, 2, 3}, n -> work(n));
        each(new int[] {4, 5}, n -> { work(n); work(n); });
        Greeter greeter = (Greeter) java.lang.reflect.Proxy.newProxyInstance(Shapes.class.getClassLoader(),
            new Class<?>[] {Greeter.class}, (self, method, words) -> { work(1); return 5; });
        for (int i = 0; i < 20; i++) greeter.greet(i);
        for (int i = 0; i < 10; i++) Shapes.class.getMethod("reflected").invoke(null);
        pick(Kind.A);
        Thread thread = new Thread(() -> work(3), "worker");
        thread.start();
        thread.join();
    }
}
"""
# Numbered classes of every kind that javac makes, with all that the hash of their code is of.
NUMBERED = """
public class Numbered {
    enum Kind { A, B }
    static long total;
    static Object field = new Object() { @Override public String toString() { return "field" + total; } };
    static void local(long[] numbers) {
        class Local { class Inner { void add() { total += numbers.length; } } }
        new Local().new Inner().add();
    }
    static void local(String text) { class Local { void add() { total += text.length(); } } new Local().add(); }
    public static void main(String[] args) throws Exception {
        local(new long[] {1, 2});
        local("text");
        Runnable[] all = {
            new Runnable() { public void run() { switch (Kind.values()[1]) { case A: total++; break; default: total += 2; } } },
            new Runnable() { public void run() { long[][] many = new long[2][3]; total += many.length + 70_000 + (long) 1e9; } },
            new Runnable() { public void run() { Object one = total; if (one instanceof Long) total += "s\u00e9".length(); } },
            new Runnable() { public void run() { Runnable inner = () -> { total += 300; }; inner.run(); } },
            new Runnable() { public void run() { new Object() { void deep() { total -= 5.5f; } }.deep(); } },
            new Runnable() { public void run() { synchronized (this) { for (int i = 0; i < 3; i++) total += i * 2L; } } },
            () -> new Runnable() { public void run() { total ^= Integer.MAX_VALUE; } }.run(),
        };
        for (Runnable one : all) one.run();
        switch (total > 3 ? "big" : "small") { case "big": total++; break; case "small": break; }
        total += field.toString().length();
    }
}
"""
RULES = list(itertools.product(["bci", "line", "none"], ["normalised", "exact"]))


class StableIds(driver.CommandLineTest):
    def with_ids(self, file, sites="bci", names="normalised", *words):
        text = self.done("report", file, "--format", "json", "--ids", "--sites", sites, "--names", names, *words).stdout
        return json.loads(text)

    def run_report(self, name, *words, **where):
        self.done("run", "--measure", "calls", "-o", name, *words, "--", *driver.java_command("Shapes", **where))
        return name

    def test_are_those_of_the_format(self):
        golden = driver.REPOSITORY / "tests/golden/report/data"
        files = [golden / f"{name}.json" for name in ("demo", "awkward", "evicted", "timed")]
        files.append(self.run_report("run.json", "--by-thread", "group"))
        for file, (sites, names) in itertools.product(files, RULES):
            with self.subTest(file=str(file), sites=sites, names=names):
                report = self.with_ids(file, sites, names)
                self.assertEqual(report["id_rules"], f"copse.context/1 sites={sites} names={names}")
                self.assertEqual(report["nodes"]["id"], stable_ids.ids_of(report, sites, names))

    def test_of_odd_names_are_those_of_the_format(self):
        seed = random.randrange(1 << 32)
        print("seed", seed)
        dice = random.Random(seed)
        pieces = ["$", "/", ".", "0x", "12", "af", "_", "$$Lambda", "$Proxy", "jdk.proxy", "com.sun.proxy.", "lambda$",
                  "access$", "CGLIB", "CGLIB$$", "$ByteBuddy$", "$auxiliary$", "_$$_jvst", "$lambda-", "$lambda$",
                  "$anonfun$", "$original$", "$accessor$", "RUBY$", ":",
                  ".GeneratedMethodAccessor", "L", ";", "\n", "\u00e9", "x", "*"]
        with open(driver.REPOSITORY / "tests/golden/report/data/demo.json", encoding="utf-8") as file:
            report = json.load(file)
        count = 4000
        odd = ["".join(dice.choices(pieces, k=dice.randrange(7))) for _ in range(3 * count)]
        report["methods"] = {"class": odd[:count], "name": odd[count:2 * count], "descriptor": odd[2 * count:],
                             "source": [""] * count, "loader": [""] * count,
                             "stable_class": [dice.choice(["", "a$*~f~0", "b~~", "$*~<init>~12"]) for _ in range(count)]}
        for row in range(0, count, 8):
            report["methods"]["name"][row] = "<clinit>"
        report["sites"] = {"method": [], "bci": [], "line": []}
        report["nodes"] = {"parent": [-1] + [0] * count, "method": list(range(-1, count)), "site": [-1] * (count + 1),
                           "calls": [0] + [1] * count}
        report["threads"] = []
        report["totals"] |= {"calls": count, "calls_seen": count, "calls_lost": 0, "contexts": count}
        with open(self.path("odd.json"), "w", encoding="utf-8") as file:
            json.dump(report, file)
        written = self.with_ids("odd.json")
        for row, (found, expected) in enumerate(zip(written["nodes"]["id"], stable_ids.ids_of(report))):
            words = [report["methods"][column][row - 1] for column in ("class", "name", "descriptor")]
            self.assertEqual(found, expected, words)

    def calls_by_id(self, file):
        """Contexts that have one id are added."""
        nodes, calls = self.with_ids(file)["nodes"], {}
        for one, count in zip(nodes["id"], nodes["calls"]):
            calls[one] = calls.get(one, 0) + count
        return calls

    def test_know_numbered_classes_by_the_names_of_the_format(self):
        classes = driver.compiled([NUMBERED], "numbered")
        self.done("run", "--measure", "calls", "-o", "numbered.json", "--",
                  *driver.java_command("Numbered", classes=classes))
        methods = self.load("numbered.json")["methods"]
        found = dict(zip(methods["class"], methods["stable_class"]))
        expected = {}
        for file in pathlib.Path(classes).glob("*.class"):
            of_file = numbered_class.ClassFile(file.read_bytes())
            expected[of_file.name] = of_file.stable_name()
        self.assertEqual({name: expected[name] for name in found}, found)
        self.assertGreater(len([name for name in found.values() if name]), 10)
        self.assertEqual(found["Numbered"], "")
        self.assertRegex(found["Numbered$1Local"], r"\ANumbered\$\*Local~local~[0-9a-f]{12}\Z")
        self.assertNotEqual(found["Numbered$1Local"], found["Numbered$2Local"])
        report = self.with_ids("numbered.json")
        self.assertEqual(report["nodes"]["id"], stable_ids.ids_of(report))

    def test_are_equal_in_two_runs_and_on_every_jdk(self):
        runs = [self.calls_by_id(self.run_report(f"{i}.json", home=home))
                for i, home in enumerate([ARGS.homes[0], *ARGS.homes])]
        self.assertGreater(len(runs[0]), 10)
        for other in runs[1:]:
            self.assertEqual(runs[0], other)

    def test_of_a_program_with_a_lambda_more_are_the_old_ones_and_its_own(self):
        more = SHAPES.replace("/*more*/", "static void first() { each(new int[] {9}, n -> work(n)); }")
        old = self.calls_by_id(self.run_report("old.json"))
        # Called from another thread, so that main's call sites stay where they are.
        classes = driver.compiled([more.replace("public class Shapes {", "public class Shapes {\n    static "
                                   "{ Thread t = new Thread(Shapes::first); t.start(); }")], name="more")
        new = self.calls_by_id(self.run_report("new.json", classes=classes))
        self.assertEqual({one: calls for one, calls in new.items() if one in old}, old)
        self.assertGreater(len(new), len(old))

    def test_choose_a_context_in_a_report(self):
        golden = driver.REPOSITORY / "tests/golden/report/data/demo.json"
        report = self.with_ids(golden)
        log = report["nodes"]["id"][8]
        part = self.with_ids(golden, "bci", "normalised", "--context", log[:10])
        self.assertEqual(part["nodes"]["calls"], [0, 0, 0, 2000])
        self.assertEqual(part["nodes"]["id"][-1], log)
        self.assertIn("The context Log.log <- Main.work:21 <- Main.main:12", part["notes"][0])
        tree = self.done("report", golden, "--format", "tree", "--ids").stdout
        self.assertIn(f"demo.Log.log  @21  {log[:12]}\n", tree)

    def test_that_are_none_get_one_line(self):
        golden = driver.REPOSITORY / "tests/golden/report/data/demo.json"
        for words, status, why in [(["--context", "zz"], 2, "--context zz: "),
                                   (["--context", "ffffffff"], 1, "--context ffffffff: "),
                                   (["--context", "0"], 1, "--context 0: "),
                                   (["--sites", "bci"], 2, "--sites"),
                                   (["--ids", "--sites", "many"], 2, "bci, line, none"),
                                   (["--ids"], 2, "--ids"),
                                   (["--ids", "--format", "html", "-o", "x.html"], 2, "html"),
                                   (["--ids", "--format", "tree", "--callers", "**.Log"], 2, "--callers")]:
            with self.subTest(words):
                self.assert_one_line(self.copse("report", golden, *words), status, why)

    def test_add_runs_up(self):
        runs = [self.run_report(f"{i}.json") for i in range(3)]
        self.done("merge", *runs, "-o", "all.json")
        self.done("merge", *runs[:2], "-o", "two.json")
        self.done("merge", runs[2], "two.json", "-o", "again.json")
        texts = [(self.folder / name).read_text() for name in ("all.json", "again.json")]
        self.assertEqual(texts[0], texts[1])
        self.assertEqual(self.done("report", *runs[::-1], "--format", "json").stdout, texts[0])
        one = self.calls_by_id(runs[0])
        self.assertEqual(self.calls_by_id("all.json"), {context: 3 * calls for context, calls in one.items()})
        report = self.load("all.json")
        self.assertEqual(report["merged"]["reports"], 3)
        self.assertIn("sum of 3 reports: 0.json, 1.json, 2.json\n", self.done("report", "all.json").stdout)
        self.assertEqual(report["program"]["command"], self.load(runs[0])["program"]["command"])
        by_line = ["--sites", "line"]
        self.done("merge", *runs[:2], *by_line, "-o", "lines.json")
        self.assert_one_line(self.copse("report", "lines.json", "--format", "json", "--ids"), 1, "lines.json: ", "--sites")
        self.done("report", "lines.json", "--format", "json", "--ids", *by_line)
        self.done("merge", runs[0], "--names", "exact", "-o", "one.json")
        self.assertEqual((self.folder / "one.json").read_text(),
                         self.done("report", runs[0], "--format", "json").stdout)
        # Contexts that have one id by the rules are one, also of a single report; a sum stays what it is.
        by_callers = ["--sites", "none"]
        self.assertGreater(self.repeated_ids(runs[0], *by_callers), 0)
        self.done("merge", runs[0], *by_callers, "-o", "alone.json")
        self.assertEqual(self.repeated_ids("alone.json", *by_callers), 0)
        self.assertEqual(self.load("alone.json")["totals"]["calls"], self.load(runs[0])["totals"]["calls"])
        self.done("merge", "lines.json", "-o", "again.json")
        self.assertEqual((self.folder / "again.json").read_text(), (self.folder / "lines.json").read_text())
        self.done("report", *runs, "-o", "all.sqlite")
        with contextlib.closing(sqlite3.connect(self.folder / "all.sqlite")) as database:
            self.assertEqual(database.execute("SELECT file FROM runs").fetchall(), [(", ".join(runs),)])

    def repeated_ids(self, name, *rules):
        ids = json.loads(self.done("report", name, "--format", "json", "--ids", *rules).stdout)["nodes"]["id"]
        return len(ids) - len(set(ids))

    def test_of_reports_that_do_not_add_up_leave_nothing(self):
        golden = driver.REPOSITORY / "tests/golden/report/data"
        with open(self.path("broken.json"), "w", encoding="utf-8") as file:
            file.write('{"schema": "copse.cct/2", "nodes": {')
        for files, words, status, why in [([golden / "demo.json", "broken.json"], [], 1, "broken.json: "),
                                          ([golden / "demo.json", "none.json"], [], 1, "none.json"),
                                          ([golden / "demo.json"], ["--sites", "x"], 2, "bci, line, none")]:
            with self.subTest(why):
                self.assert_one_line(self.copse("merge", *files, "-o", "sum.json", *words), status, why)
                self.assertFalse(os.path.exists(self.path("sum.json")))
        self.assert_one_line(self.copse("merge", golden / "demo.json"), 2, "--output")
        self.assert_one_line(self.copse("merge", "broken.json", "-o", "broken.json"), 2, "broken.json")

    def test_of_a_file_are_not_believed(self):
        golden = driver.REPOSITORY / "tests/golden/report/data/demo.json"
        report = self.with_ids(golden)
        ids = report["nodes"]["id"]
        report["nodes"]["id"] = ids[::-1]
        with open(self.path("liar.json"), "w", encoding="utf-8") as file:
            json.dump(report, file)
        self.assertEqual(self.with_ids("liar.json")["nodes"]["id"], ids)


driver.main("copse", sources=[SHAPES], also=(21,))
