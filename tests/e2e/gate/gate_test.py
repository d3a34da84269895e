#!/usr/bin/env python3
"""The gate: rules on two reports, from the command line, and examples/gate as its reader runs it."""

import json
import os
import re
import subprocess
import sys
import textwrap
import xml.etree.ElementTree

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS  # noqa: E402

EXAMPLE = driver.REPOSITORY / "examples" / "gate"

# The schema of Jenkins' JUnit plugin (junit-10.xsd), by element: attributes that must and may be there, and children.
JUNIT = {
    "testsuites": ((), ("name", "time", "tests", "failures", "disabled", "errors"), ("testsuite",)),
    "testsuite": (("name", "tests"), ("failures", "errors", "time", "disabled", "skipped", "timestamp", "hostname", "id",
                                      "package", "file", "log", "url", "version", "group"),
                  ("testsuite", "properties", "testcase", "system-out", "system-err")),
    "testcase": (("name",), ("assertions", "classname", "status", "class", "file", "line", "group", "time"),
                 ("skipped", "error", "failure", "system-out", "system-err", "properties")),
    "failure": ((), ("type", "message"), ()),
    "error": ((), ("type", "message"), ()),
    "system-out": ((), (), ()),
}


def report(calls, lost=0, **more):
    """Main.main calls Handler.get, that Db.query so often, and Log.log where `log` says how often."""
    rows = [(-1, -1, -1, 0), (0, 0, -1, 1), (1, 1, 0, 1), (2, 2, 1, calls)]
    if more.get("log"):
        rows.append((2, 3, 2, more["log"]))
    total = sum(row[3] for row in rows)
    return {
        "schema": "copse.cct/2", "created_by": "test", "options": {}, "threads": [], "metrics": [], "shown": "calls",
        "program": {"command": ["java"], "pid": 1, "runtime": "", "started": "", "wall_ms": 1},
        "totals": {"calls": total, "contexts": len(rows) - 1, "threads": 1, "max_depth": 3, "calls_seen": total + lost,
                   "calls_lost": lost, "packets": 0},
        "methods": {"class": ["a.Main", "a.Handler", "a.Db", "a.Log"], "name": ["main", "get", "query", "log"],
                    "descriptor": ["()V"] * 4, "source": [""] * 4, "loader": ["app"] * 4},
        "sites": {"method": [0, 1, 1], "bci": [1, 2, 3], "line": [10, 20, 21]},
        "nodes": dict(zip(("parent", "method", "site", "calls"), map(list, zip(*rows)))),
        "skipped": [], "notes": [],
    }


SHOP = {
    "Main": "class Main { public static void main(String[] words) { new OrderHandler().get(3); } }",
    "OrderHandler": "class OrderHandler { void get(int n) { for (int i = 0; i < n; i++) Database.query(i); } }",
    "Database": "class Database { static int query(int id) { return id * 2; } }",
}


# Each of two runs of these class files takes one of two branches that look alike.
BRANCHES = """
public class Branches {
    interface Loader { int load(int id); }
    static int helper(int x) { return x + 1; }
    static int fromCache(int id) { return helper(id); }
    static int fromDatabase(int id) { return helper(id); }
    static int load(int id, boolean cache) { return cache ? fromCache(id) : fromDatabase(id); }
    static Loader anonymous(boolean cache) {
        return cache ? new Loader() { public int load(int id) { return helper(id); } }
                     : new Loader() { public int load(int id) { return helper(id + 1); } };
    }
    static Loader lambda(boolean cache) { return cache ? id -> helper(id) : id -> helper(id + 1); }
    public static void main(String[] words) {
        boolean cache = words[0].equals("cache");
        Loader anonymous = anonymous(cache), lambda = lambda(cache);
        for (int i = 0; i < 1000; i++) {
            load(i, cache);
            anonymous.load(i);
            lambda.load(i);
        }
    }
}
"""


class Gate(driver.CommandLineTest):
    def setUp(self):
        super().setUp()
        for name, model in (("old.json", report(1)), ("same.json", report(1)), ("slow.json", report(101)),
                            ("lossy.json", report(1, lost=7))):
            self.write(name, json.dumps(model))

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def judged(self, new, *rules, more=()):
        words = [word for rule in rules for word in ("--fail-if", rule)]
        return self.copse("diff", "old.json", new, *words, *more)

    def junit(self, name="gate.xml"):
        """Its root, of the structure that readers know; and counts that are those of its elements."""
        root = xml.etree.ElementTree.parse(self.path(name)).getroot()
        for element in root.iter():
            must, may, children = JUNIT[element.tag]
            self.assertLessEqual(set(must), set(element.keys()), element.tag)
            self.assertLessEqual(set(element.keys()), {*must, *may}, element.tag)
            self.assertLessEqual({child.tag for child in element}, set(children), element.tag)
        for suite in (root, *root.iter("testsuite")):
            for attribute, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
                self.assertEqual(int(suite.get(attribute)), len(list(suite.iter(tag))))
        return root

    def test_a_rule_that_holds_is_status_0(self):
        outcome = self.judged("same.json", "calls(Db.query) under Handler.get > +0")
        self.assertEqual((outcome.status, outcome.stderr), (0, ""))
        self.assertEqual(outcome.stdout,
                         "holds       calls(Db.query) under Handler.get > +0: 1 in old.json, 1 in same.json: no change\n"
                         "\n1 rule: 1 holds\n")

    def test_a_broken_rule_is_status_1_and_tells_the_contexts(self):
        outcome = self.judged("slow.json", "calls(Db.query) under Handler.get > +0", "new contexts(**)")
        self.assertEqual((outcome.status, outcome.stderr), (1, ""))
        self.assertEqual(outcome.stdout,
                         "broken      calls(Db.query) under Handler.get > +0: 1 in old.json, 101 in slow.json: +100, x 101\n"
                         "holds       new contexts(**): 0 new contexts\n"
                         "\ncalls(Db.query) under Handler.get > +0\n"
                         "  old  new  context\n"
                         "    1  101  Db.query <- Handler.get:20 <- Main.main:10\n"
                         "\n2 rules: 1 broken, 1 holds\n")

    def test_takes_no_branch_for_another_one_that_looks_like_it(self):
        classes = driver.compiled([BRANCHES], "branches")
        for way in ("cache", "db"):
            self.done("run", "--measure", "calls", "-o", f"{way}.json", "--",
                      *driver.java_command("Branches", way, classes=classes))
        for rule, found in (("calls(Branches.fromDatabase) > +0", "0 in cache.json, 1,000 in db.json"),
                            ("new methods(Branches.fromDatabase)", "1 new method"),
                            ("new contexts(Branches.helper) under Branches.fromDatabase", "1 new context"),
                            ("gone methods(Branches.fromCache)", "1 gone method"),
                            ("calls(Branches$2.load) > +0", "0 in cache.json, 1,000 in db.json"),
                            ("gone methods(Branches$1.load)", "1 gone method")):
            outcome = self.copse("diff", "cache.json", "db.json", "--fail-if", rule)
            self.assertEqual(outcome.status, 1, outcome)
            self.assertIn(f"broken      {rule}: {found}", outcome.stdout)
        # Lambdas of one method are one, which has none of their numbers.
        self.assertEqual(self.copse("diff", "cache.json", "db.json", "--fail-if", "calls(Branches.lambda$lambda$1) > +0").status, 2)
        text = self.done("diff", "cache.json", "db.json").stdout
        for name in ("Branches.fromCache", "Branches.fromDatabase", "Branches$1.load", "Branches$2.load"):
            self.assertIn(name, text)
        self.done("baseline", "save", "cache.json", "-o", "cache.txt")
        self.assertEqual(self.copse("baseline", "check", "cache.txt", "db.json").status, 1)

    def test_what_nobody_can_say_is_status_2_unless_a_rule_is_broken(self):
        unknown = "calls(a.Dbb.query) > 0"
        outcome = self.judged("same.json", unknown, "calls(Db.query) > 1")
        self.assertEqual(outcome.status, 2)
        self.assertIn("cannot say  calls(a.Dbb.query) > 0: a.Dbb.query matches nothing in either report", outcome.stdout)
        self.assertIn("did you mean a.Db.query?", " ".join(outcome.stdout.split()))
        self.assertEqual(self.judged("slow.json", unknown, "calls(Db.query) > 1").status, 1)
        self.assertEqual(self.judged("same.json", "calls(a.Dbb.query?) > 0").status, 0)
        outcome = self.judged("lossy.json", "calls(Db.query) > 5")
        self.assertEqual(outcome.status, 2)
        self.assertIn("7 calls lost in lossy.json", outcome.stdout)

    def test_a_baseline_is_broken_by_one_more_call(self):
        self.copse("baseline", "save", "old.json", "-o", "baseline.txt")
        self.assertEqual((self.folder / "baseline.txt").read_text(encoding="utf-8").split("\n\n")[1],
                         "       calls\n           1  a.Main.main()\n           1    a.Handler.get()\n"
                         "           1      a.Db.query()\n")
        for new, status in (("same.json", 0), ("slow.json", 1), ("lossy.json", 2)):
            for words in (["baseline", "check"], ["diff", "--fail-if", "more contexts(**)"]):
                with self.subTest(new=new, words=words):
                    self.assertEqual(self.copse(*words, "baseline.txt", new).status, status)
        outcome = self.copse("baseline", "check", "baseline.txt", "slow.json", "--junit", "gate.xml", "-o", "diff.md")
        self.assertEqual(outcome.status, 1)
        self.assertIn("    1  101  Db.query <- Handler.get:20 <- Main.main:10\n", outcome.stdout)
        self.junit()
        self.assertIn("**broken** `more contexts(**)`", (self.folder / "diff.md").read_text(encoding="utf-8"))
        outcome = self.copse("baseline", "check", "baseline.txt", "slow.json", "--fail-if", "calls(Db.query) > 101")
        self.assertEqual(outcome.status, 0, outcome)
        self.assertEqual(self.copse("diff", "baseline.txt", "slow.json").status, 0)

    def test_rules_of_files_come_after_those_that_were_typed(self):
        self.write("one.rules", "# comment\ncalls(Db.query) > 100   # many\n\nnew methods(Log)\n")
        self.write("two.rules", "calls(**) > 1000")
        outcome = self.copse("diff", "old.json", "slow.json", "--rules", "one.rules", "--rules", "two.rules", "--fail-if",
                             "calls(Main.main) > 1")
        self.assertEqual(outcome.status, 1, outcome)
        self.assertEqual(re.findall(r"^(\S+) +(.*?): ", outcome.stdout, re.MULTILINE)[:4],
                         [("holds", "calls(Main.main) > 1"), ("broken", "calls(Db.query) > 100"),
                          ("holds", "new methods(Log)"), ("holds", "calls(**) > 1000")])

    def test_a_rule_with_a_mistake_is_shown_with_a_caret(self):
        self.write("bad.rules", "\ncalls(Db.query > 3\n")
        for outcome, place, rule, column in (
                (self.judged("no-such.json", "calls(Db.query) => +0"), "--fail-if: column 17: ", "calls(Db.query) => +0", 17),
                (self.copse("diff", "old.json", "slow.json", "--rules", "bad.rules"), "bad.rules:2: column 6: ",
                 "calls(Db.query > 3", 6)):
            said, *shown = outcome.stderr.splitlines()
            self.assertEqual((outcome.status, outcome.stdout, shown), (2, "", ["  " + rule, " " * (column + 1) + "^"]))
            self.assertIn(place, said)

    def test_whatever_goes_wrong_is_status_2(self):
        self.write("empty.rules", "# none\n")
        rule = ("--fail-if", "calls(**) > 0")
        for words, *said in (
                (("old.json", "none.json", *rule), "none.json"),
                (("old.json", "empty.rules", *rule), "empty.rules"),
                (("old.json", "slow.json", "--rules", "none.rules"), "none.rules"),
                (("old.json", "slow.json", "--rules", "empty.rules"), "empty.rules"),
                (("old.json", "slow.json", "--junit", "x.xml"), "--junit", "--fail-if", "--rules"),
                (("old.json", "slow.json", *rule, "--junit", "none/x.xml"), "none/x.xml"),
                (("old.json", "slow.json", *rule, "--junit", "old.json"), "old.json"),
                (("old.json", "slow.json", *rule, "--format", "json"), "--format"),
                (("old.json", "slow.json", *rule, "--measure", "calls"), "--measure"),
                (("old.json", "slow.json", *rule, "-o", "-"), "--output -:")):
            with self.subTest(words=words):
                self.assert_one_line(self.copse("diff", *words), 2, *said)
        with open(self.path("old.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file), report(1))

    def test_top_bounds_the_contexts_that_are_named_and_not_those_that_are_judged(self):
        rule = ("--fail-if", "calls(**) > 0")
        told = {top: self.copse("diff", "old.json", "slow.json", *rule, "--top", top) for top in ("0", "1", "1000")}
        for top, outcome in told.items():
            with self.subTest(top=top):
                self.assertEqual((outcome.status, outcome.stderr), (1, ""))
        said = {top: outcome.stdout.splitlines() for top, outcome in told.items()}
        self.assertEqual({lines[0] for lines in said.values()}, {said["1"][0]})
        contexts = len(said["1000"]) - len(said["0"]) - 3  # heading, columns and an empty line
        self.assertGreater(contexts, 1)
        self.assertIn(f"  and {contexts - 1} more", said["1"])
        self.assertEqual(len(said["1"]), len(said["0"]) + 3 + 2)

    def test_differences_go_to_a_file_beside_the_gate(self):
        outcome = self.judged("slow.json", "calls(Db.query) > +0", more=("-o", "differences.json", "--top", "3"))
        self.assertEqual(outcome.status, 1)
        self.assertIn("1 rule: 1 broken", outcome.stdout)
        with open(self.path("differences.json"), encoding="utf-8") as file:
            rule, = json.load(file)["rules"]
        context, = rule["contexts"]["list"]
        self.assertEqual((rule["rule"], rule["outcome"], rule["found"], rule["measure"], rule["contexts"]["count"]),
                         ("calls(Db.query) > +0", "broken", "1 in old.json, 101 in slow.json: +100, x 101", "calls", 1))
        self.assertEqual((context["old"], context["new"], context["path"]), (1, 101, ["a.Main.main:10", "a.Handler.get:20", "a.Db.query"]))
        tree = self.done("report", "slow.json", "--format", "collapsed", "--context", context["id"]).stdout
        self.assertEqual(tree, "a.Main.main;a.Handler.get;a.Db.query 101\n")
        self.judged("slow.json", "calls(Db.query) > +0", "new contexts(**)", more=("-o", "differences.md"))
        with open(self.path("differences.md"), encoding="utf-8") as file:
            lines = file.read().splitlines()
        self.assertEqual(lines[2:4], [
            "- **broken** `calls(Db.query) > +0`: `1 in old.json, 101 in slow.json: +100, x 101`, in "
            "`Db.query <- Handler.get:20 <- Main.main:10`",
            "- 1 rule holds: `new contexts(**)`"])
        self.judged("slow.json", "calls(Db.query) > +0", "calls(Dbb.query) > 0", more=("-o", "differences.html"))
        with open(self.path("differences.html"), encoding="utf-8") as file:
            page = file.read().replace("\n", "")
        self.assertIn('"rules":[{"rule":"calls(Db.query) > +0","outcome":"broken",', page)
        self.assertIn('"rule":"calls(Dbb.query) > 0","outcome":"cannot say",', page)

    def test_outcomes_that_cannot_be_written_are_status_2_and_a_broken_rule_stays_1(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            for new, status in (("same.json", 2), ("slow.json", 1)):
                ended = subprocess.run([ARGS.copse, "diff", "old.json", new, "--fail-if", "calls(Db.query) > 1"],
                                       stdout=full, stderr=subprocess.PIPE, cwd=self.folder, text=True, timeout=jvm.TIMEOUT_S)
                self.assertEqual((ended.returncode, "No space left on device" in ended.stderr), (status, True))

    def test_junit_has_a_case_for_each_rule(self):
        self.judged("slow.json", "calls(Db.query) > +0", "calls(Dbb.query) > 0", "calls(Db.query) > 500 ",
                    more=("--junit", "gate.xml"))
        root = self.junit()
        cases = {case.get("name"): case for case in root.iter("testcase")}
        self.assertEqual(list(cases), ["calls(Db.query) > +0", "calls(Dbb.query) > 0", "calls(Db.query) > 500"])
        broken = cases["calls(Db.query) > +0"].find("failure")
        self.assertEqual(broken.get("message"), "1 in old.json, 101 in slow.json: +100, x 101")
        self.assertIn("Db.query <- Handler.get:20 <- Main.main:10", broken.text)
        self.assertIn("matches nothing", cases["calls(Dbb.query) > 0"].find("error").get("message"))
        self.assertEqual([child.tag for child in cases["calls(Db.query) > 500"]], ["system-out"])

    def test_names_cannot_break_out_of_the_xml_or_the_terminal(self):
        model = report(101)
        model["methods"]["name"][2] = "query<\"&\u0007\u202e]]>\ufffe"
        for name, calls in (("old.json", 1), ("odd.json", 101)):
            self.write(name, json.dumps({**model, "nodes": report(calls)["nodes"], "totals": report(calls)["totals"]}))
        outcome = self.judged("odd.json", "calls(a.Db.**) > +0", more=("--junit", "gate.xml"))
        self.assertEqual(outcome.status, 1)
        self.assertNotRegex(outcome.stdout, "[\x07\u202e]")
        self.assertIn("query<\"&\\u0007\\u202e]]>", "".join(self.junit().find(".//failure").itertext()))

    def test_runs_that_differ_break_no_rule_within_what_they_differ_by(self):
        def with_runs(least, greatest):
            model = report(greatest)
            model["program"]["runs"] = 5
            model["metrics"] = [{"name": f"{which}_calls", "unit": "calls", "lost": 0} for which in ("least", "greatest")]
            model["nodes"]["least_calls"] = [0, 1, 1, least]
            model["nodes"]["greatest_calls"] = [0, 1, 1, greatest]
            return json.dumps(model)
        self.write("old.json", with_runs(3, 5))
        self.write("near.json", with_runs(4, 6))
        self.write("far.json", with_runs(6, 9))
        outcome = self.judged("near.json", "calls(Db.query) > +0")
        self.assertEqual(outcome.status, 0)
        self.assertIn("3 to 5 in old.json, 4 to 6 in near.json", outcome.stdout)
        self.assertIn("within what the 5 runs of old.json and the 5 runs of near.json differ by", " ".join(outcome.stdout.split()))
        self.assertEqual(self.judged("far.json", "calls(Db.query) > +0").status, 1)

    def test_the_example_shows_what_its_readme_shows_and_has_the_baseline_of_its_sources(self):
        ended = jvm.run([str(EXAMPLE / "run"), self.path("work")],
                        env={**os.environ, "COPSE": ARGS.copse, "JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"})
        said = [line for line in ended.stderr.splitlines() if not line.startswith("Picked up JAVA_TOOL_OPTIONS: ")]
        self.assertEqual((ended.status, said), (0, []), ended)
        readme = (EXAMPLE / "README.md").read_text(encoding="utf-8")
        shown = re.search(r"```\n(== the shop as it was.*?)```", readme, re.DOTALL)[1]
        self.assertEqual(ended.stdout.rstrip(), shown.rstrip())
        self.junit("work/after.xml")
        rules = {line.split("#")[0].strip() for line in (EXAMPLE / "gate.rules").read_text(encoding="utf-8").splitlines()}
        self.assertEqual({case.get("name") for case in self.junit("work/before.xml").iter("testcase")}, rules - {""})
        self.done("diff", str(EXAMPLE / "baseline.json"), "work/before.json", "--fail-if", "calls(**) != +0",
                  "--fail-if", "new contexts(**)", "--fail-if", "gone contexts(**)")

    def test_the_documentation_runs_as_it_stands(self):
        text = (driver.REPOSITORY / "docs" / "gate.md").read_text(encoding="utf-8")
        jvm.compile_java(ARGS.homes[0], self.sources(SHOP), self.path("classes"))
        jvm.run([driver.tool("jar"), "cfe", self.path("tests.jar"), "com.acme.Main", "-C", self.path("classes"), "."])
        lines = re.search(r"## In ten lines\n\n((?: {4}.*\n|\n)+)", text)[1]
        environment = {**os.environ, "PATH": os.pathsep.join(
            [os.path.dirname(ARGS.copse), os.path.dirname(driver.tool("java")), os.environ["PATH"]])}
        shell = lambda script: jvm.run(["bash", "-ec", script], cwd=self.folder, env=environment)  # noqa: E731
        ended = shell(textwrap.dedent(lines))
        self.assertEqual(ended.status, 0, ended)
        self.assertTrue(ended.stdout.endswith("2 rules: 2 hold\n"), ended)
        self.junit("gate.xml")

    def sources(self, classes):
        for name, body in classes.items():
            self.write(f"{name}.java", f"package com.acme; {body}")
        return [self.path(f"{name}.java") for name in classes]

    def test_rules_in_the_documentation_are_rules(self):
        text = (driver.REPOSITORY / "docs" / "gate.md").read_text(encoding="utf-8")
        words = re.findall(r"`([^`\n]+)`", text) + re.findall(r"^ {4}(\S.*)", text, re.MULTILINE)
        rules = [word for word in words if re.match(r"(\w+|(new|gone) \w+)\(", word)]
        complete = [rule for rule in rules if re.search(r"[<>=] ?[-+\d]|^(new|gone) \w+\([^XY]*\)$", rule)]
        self.assertGreater(len(complete), 4, rules)
        for rule in complete:
            outcome = self.judged("same.json", rule)
            self.assertNotIn("column", outcome.stderr, rule)


driver.main("copse", jdks=True)
