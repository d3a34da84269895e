#!/usr/bin/env python3
"""copse ptql as its users have it: what it explains, answers, and is told wrong."""

import json
import re
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
from driver import ARGS, REPOSITORY  # noqa: E402

PROGRAM = """
public class Shop {
    static class DB implements java.io.Closeable {
        void doTransaction() { new B().y(); }
        public void close() { }
    }
    static class Cached extends DB {
        @Override void doTransaction() { }
        @Override public int hashCode() { return 1; }
    }
    static class B { void y() { sleep(); } void sleep() { } }
}
"""
SLEEPS = ("SELECT tx.startTime, s.startTime FROM MethodInvocation tx, MethodInvocation s "
          "WHERE tx.methodName = 'doTransaction' AND tx.declaringClass = 'Shop$DB' AND s.methodName = 'sleep' "
          "AND tx.thread = s.thread AND tx.startTime < s.startTime AND s.endTime < tx.endTime")
ANY = "SELECT x.startTime FROM MethodInvocation x"


def of_page(page, language, containing):
    """The block of a page of docs/ that has these words."""
    blocks = re.findall(rf"```{language}\n(.*?)```", (REPOSITORY / "docs" / page).read_text(), re.DOTALL)
    return next(block for block in blocks if containing in block)


class Explain(driver.CommandLineTest):
    def methods(self, query):
        """The lines on the methods of the program."""
        text = self.done("ptql", "--explain", query, ARGS.classes).stdout
        return text[text.index("Methods that get probes: "):].splitlines()

    def test_names_the_methods_of_a_class_path_that_get_probes(self):
        lines = self.methods(SLEEPS)
        self.assertEqual(sorted(lines[1:]), ["  Shop$B.sleep()V  s", "  Shop$Cached.doTransaction()V  tx",
                                             "  Shop$DB.doTransaction()V  tx"])
        self.assertRegex(lines[0], r"^Methods that get probes: 3 of \d+ methods in 4 classes$")

    def test_marks_methods_that_a_class_elsewhere_may_declare_first(self):
        query = ANY + " WHERE x.declaringClass = '{}' AND x.methodName = '{}'"
        self.assertEqual(self.methods(query.format("java.io.Closeable", "close"))[1:],
                         ["  Shop$DB.close()V  x  (?)",
                          "  (?) unless a class that is not on this class path is the one that declares it first"])
        self.assertEqual(self.methods(query.format("java.lang.Object", "hashCode"))[1:],
                         ["  Shop$Cached.hashCode()I  x"])

    def test_says_for_what_there_is_no_method_and_which_class_is_meant(self):
        query = ANY + ", MethodInvocation y, MethodInvocation z WHERE x.implementingClass = '{}' AND y.methodName = 'nope' " \
            "AND z.methodName = 'sleep'"
        for typed, meant in [("DB", "Shop$DB"), ("Shop$Cachd", "Shop$Cached")]:
            self.assertEqual(self.methods(query.format(typed))[1:],
                             ["  Shop$B.sleep()V  z", f"  none for x; is the class {meant} meant?", "  none for y"])

    def test_says_what_keeps_a_method_from_being_asked_about(self):
        self.assertEqual(self.methods(ANY + " WHERE x.methodName = 'sleep' AND x.param3 = 1")[1:],
                         ["  none for x; Shop$B.sleep has no param3"])

    def test_says_what_is_done_and_draws_it(self):
        text = self.done("ptql", "--explain", SLEEPS).stdout
        self.assertIn("  post-dominator: s.START; all that an answer needs is known then\n", text)
        drawing = self.done("ptql", "--dot", SLEEPS).stdout
        self.assertTrue(drawing.startswith("digraph timing {\n"), drawing)
        self.assertIn('[label="s.START", peripheries=2]', drawing)

    def test_takes_the_query_of_its_page(self):
        (self.folder / "query.ptql").write_text(of_page("ptql.md", "sql", "doTransaction"))
        self.assertIn("unclosed graph: tx.START < sleep.START, sleep.START < tx.END",
                      self.done("ptql", "--explain", "--file", "query.ptql").stdout)


class Answers(driver.CommandLineTest):
    def setUp(self):
        super().setUp()
        (self.folder / "run.txt").write_text(of_page("binary-formats.md", "", "copse ptql events 1"))

    def test_gives_an_answer_a_line_as_text_or_json(self):
        query = ("SELECT r.startTime, r.receiver, r.result FROM MethodInvocation c, MethodInvocation r "
                 "WHERE c.methodName = 'close' AND r.declaringClass = 'java.io.InputStream' "
                 "AND c.receiver = r.receiver AND c.endTime < r.startTime")
        text = self.done("ptql", query, "run.txt")
        self.assertEqual(text.stdout, "at 5, 12.500 s, thread 1, in shop.Main.main;shop.Stream.read: "
                                      "r.startTime = 4, r.receiver = object 7, r.result = -1\n")
        self.assertEqual(text.stderr, "copse: 1 answer from 4 events\n")
        answer = json.loads(self.done("ptql", "--format", "json", query, "run.txt").stdout)
        self.assertEqual(answer, {"query": "query 1", "time": 5, "realTime": 12500, "thread": 1,
                                  "context": "shop.Main.main;shop.Stream.read",
                                  "contexts": {"r": "shop.Main.main;shop.Stream.read"},
                                  "values": {"r.startTime": 4, "r.receiver": {"object": 7}, "r.result": -1}})

    def test_answers_several_queries_from_one_reading(self):
        (self.folder / "two.ptql").write_text(
            "-- ${method} = close\n"
            "SELECT x.startTime FROM MethodInvocation x WHERE x.methodName = '${method}';\n"
            "SELECT o.dynamicType FROM ObjectAllocation o;\n")
        asked = ["ptql", ANY, ANY + " WHERE x.methodName = 'none'", "--file", "two.ptql", "run.txt"]
        text = self.done(*asked)
        self.assertEqual(text.stdout.splitlines(), [
            "two.ptql:2: at 1, 0.000 s, thread 1: o.dynamicType = 'shop.Stream'",
            "query 1: at 2, 0.000 s, thread 1 'main': x.startTime = 2",
            "two.ptql:1: at 2, 0.000 s, thread 1 'main': x.startTime = 2",
            "query 1: at 4, 12.500 s, thread 1, in shop.Main.main;shop.Stream.read: x.startTime = 4"])
        self.assertEqual(text.stderr, "copse: 4 answers to 4 queries: 2 to query 1, 1 to two.ptql:1, 1 to two.ptql:2\n")
        lines = self.done(*asked, "--format", "json", "--define", "method=read").stdout.splitlines()
        self.assertEqual([(answer["query"], answer["time"]) for answer in map(json.loads, lines)],
                         [("two.ptql:2", 1), ("query 1", 2), ("query 1", 4), ("two.ptql:1", 4)])
        self.assertEqual(json.loads(lines[1])["threadName"], "main")

    def test_splits_queries_of_the_command_line(self):
        outcome = self.done("ptql", ANY + " LIMIT 1; " + ANY + " WHERE x.methodName = 'read' -- the last; one\n", "run.txt")
        self.assertEqual(outcome.stderr, "copse: 2 answers to 2 queries: 1 to query 1, 1 to query 2\n")
        outcome = self.copse("ptql", ANY + ";\n SELECT x.tim FROM MethodInvocation x", "run.txt")
        self.assertEqual((outcome.stderr.splitlines()[1:], outcome.status),
                         (["   SELECT x.tim FROM MethodInvocation x", "            ^"], 2))

    def test_says_that_there_is_no_query(self):
        for text in ("-- nothing but a comment\n", " \n\n"):
            (self.folder / "nothing.ptql").write_text(text)
            self.assert_one_line(self.copse("ptql", "--file", "nothing.ptql", "run.txt"), 2, "nothing.ptql: ", stdout="")

    def test_says_which_predicates_contradict_each_other(self):
        outcome = self.done("ptql", ANY + ", MethodInvocation y WHERE x.endTime < y.startTime AND y.endTime < x.startTime",
                            "run.txt")
        self.assertRegex(outcome.stderr, r"\Acopse: query 1: .*x\.endTime < y\.startTime, y\.endTime < x\.startTime\n"
                                         r"copse: 0 .* 0 .*\n\Z")

    def test_says_which_predicate_is_probably_not_meant(self):
        meant = "x.implementingClass GLOB 'shop.*' "
        query = ANY + " WHERE x.implementingClass = 'shop.*'"
        for words in ([query, "run.txt"], ["--explain", query]):
            outcome = self.done("ptql", *words)
            self.assertIn("query 1: x.implementingClass = 'shop.*' ", outcome.stderr.splitlines()[0])
            self.assertIn(meant, outcome.stderr.splitlines()[0])
        self.assertNotIn(meant, self.done("ptql", query.replace("=", "GLOB"), "run.txt").stderr)

    def test_says_which_method_is_nearly_asked_about(self):
        for asked, why in (("x.param7 = 1 AND x.methodName = 'read'", "shop.Stream.read .*param7"),
                           ("x.result = 1 AND x.methodName = 'close'", "shop.Stream.close .*result"),
                           ("x.methodName = 'read' AND x.parameters = 2", "shop.Stream.read .*0 parameters")):
            outcome = self.done("ptql", f"{ANY} WHERE {asked}", "run.txt")
            self.assertRegex(outcome.stderr, f"(?m)^copse: query 1: .* x .*{why}$")
        self.assertNotIn("asks about", self.done("ptql", ANY + " WHERE x.methodName = 'write' AND x.param7 = 1",
                                                 "run.txt").stderr)

    def test_asks_the_checks_of_the_library(self):
        listed = self.done("ptql", "--list-checks").stdout.splitlines()
        names = [line.split()[0] for line in listed]
        self.assertEqual(names, sorted(path.stem for path in (REPOSITORY / "checks").glob("*.ptql")))
        twice = REPOSITORY / "tests/golden/ptql/checks/initialised-twice.events"
        text = self.done("ptql", "--checks", str(twice))
        self.assertEqual([line.split(":")[0] for line in text.stdout.splitlines()], ["initialised-twice"] * 3)
        self.assertIn("initialised-twice: An object is initialised twice\n", text.stdout)
        self.assertRegex(text.stderr, r"^copse: 2 answers to \d+ queries: 2 to initialised-twice\n$")
        asked = ["ptql", "--check", "initialised-twice,lock-order", str(twice), "--format", "json"]
        for answer in map(json.loads, self.done(*asked).stdout.splitlines()):
            self.assertEqual((answer["query"], answer["title"]), ("initialised-twice", "An object is initialised twice"))
        self.assertEqual(self.done(*asked, "--define", "init=start").stdout, "")
        self.assertRegex(self.done("ptql", "--explain", "--check", "lock-order").stdout,
                         r"^lock-order\nTwo threads take two locks in opposite orders\nMeans: One thread takes lock a")

    def test_explains_several_queries(self):
        text = self.done("ptql", "--explain", ANY, ANY + " LIMIT 1").stdout
        self.assertTrue(text.startswith("query 1\n\n"), text)
        self.assertIn("\n\nquery 2\n\n", text)

    def test_says_when_memory_was_short(self):
        lines = ["copse ptql events 1", "method f class=A name=f void"]
        lines += [f"enter {i} f thread=#1" for i in range(20000)]
        (self.folder / "deep.txt").write_text("\n".join(lines) + "\n")
        outcome = self.done("ptql", "--memory", "1M", ANY + ", MethodInvocation y WHERE x.endTime < y.startTime",
                            "deep.txt")
        self.assertRegex(outcome.stderr, r"memory was short: [\d,]+ records, the oldest, dropped")
        pairs = ANY + ", MethodInvocation y WHERE x.endTime < y.startTime"
        (self.folder / "three.ptql").write_text(f"{pairs};\n{pairs} LIMIT 5;\n{pairs} LIMIT 6;\n")
        outcome = self.done("ptql", "--memory", "1M", "--file", "three.ptql", pairs, "deep.txt")
        lines = [line.split("; memory was short")[0] for line in outcome.stderr.splitlines() if "; memory was short" in line]
        self.assertEqual(lines, ["copse: query 1", "copse: three.ptql:1", "copse: three.ptql:2", "copse: three.ptql:3"])

    def test_ends_quietly_when_nobody_reads_on(self):
        lines = ["copse ptql events 1", "method f class=A name=f void"]
        lines += [line for i in range(20000) for line in (f"enter {i} f thread=#1", f"leave {i}")]
        (self.folder / "long.txt").write_text("\n".join(lines) + "\n")
        piped = subprocess.run(["bash", "-c", f"'{ARGS.copse}' ptql '{ANY}' long.txt | head -1; exit ${{PIPESTATUS[0]}}"],
                               cwd=self.folder, capture_output=True, text=True)
        self.assertEqual((piped.returncode, piped.stderr), (0, ""))

    def test_refuses_a_file_that_is_no_text_of_events(self):
        (self.folder / "trace.txt").write_text("copse trace text 1\n")
        self.assert_one_line(self.copse("ptql", ANY, "trace.txt"), 1, "trace.txt: ", "copse record --values", stdout="")
        self.assert_one_line(self.copse("ptql", ANY, "nothing.txt"), 1, "nothing.txt: ", stdout="")


class Wrong(driver.CommandLineTest):
    def test_shows_the_place_in_a_query(self):
        shown = of_page("ptql.md", "console", "startTme")
        query = "SELECT x.startTime\nFROM MethodInvocation x, MethodInvocation y\nWHERE x.startTme < y.startTime"
        outcome = self.copse("ptql", "--explain", query)
        self.assertEqual((outcome.stderr, outcome.status), (shown, 2))

    def test_refuses_what_has_no_effect(self):
        for words, *values in [
                (["--explain", "--dot", ANY], "--dot", "--explain"),
                (["--explain", "--format", "text", ANY], "--format", "--explain"),
                (["--dot", "--memory", "1G", ANY], "--memory", "--dot"),
                (["--dot", ANY, "x.jar"], "x.jar", "--dot"),
                (["--explain", "--output", "x", ANY], "--output", "--explain"),
                (["--explain", "--stop", ANY], "--stop", "--explain"),
                (["--dot", "--attach", "1", "-d", "1s", ANY], "--attach", "--dot"),
                (["--explain", ANY, "--", "java"], "-- java", "--explain"),
                (["--attach", "1", "-d", "1s", ANY, "--", "java"], "--attach"),
                ([ANY, "a.txt", "--", "java"], "a.txt"),
                (["--stop", ANY, "a.txt"], "--stop", "-- COMMAND"),
                (["--attach", "1", "-d", "x", ANY], "--duration: x"),
                (["-o", "x", ANY, "a.txt"], "--output"),
                ([ANY], "-- java", "--explain"),
                ([ANY, "a.txt", "b.txt"], "ptql"),
                (["--format", "jsn", ANY, "a.txt"], "--format jsn: ", "json?"),
                (["--memory", "x", ANY, "a.txt"], "--memory: x:"),
                (["--check", "lock-oder", "a.txt"], "--check lock-oder: ", "lock-order?")]:
            with self.subTest(words):
                self.assert_one_line(self.copse("ptql", *words), 2, *values)

    def test_shows_the_place_in_a_file_of_queries(self):
        (self.folder / "two.ptql").write_text(ANY + ";\nSELECT x.time FROM MethodInvocation x")
        outcome = self.copse("ptql", "--explain", "--file", "two.ptql")
        self.assertEqual((outcome.stderr.splitlines()[1:], outcome.status),
                         (["  SELECT x.time FROM MethodInvocation x", "           ^"], 2))
        self.assertRegex(outcome.stderr, r"^copse: two.ptql: line 2, column 10: .* time\b")

    def test_refuses_values_of_names_that_no_query_has(self):
        (self.folder / "one.ptql").write_text("-- ${dao} = A\n" + ANY)
        for words, *values in [(["--define", "dao"], "--define dao: ", "NAME=VALUE"),
                               (["--define", "doa=B"], "--define doa: ", "${doa}", "dao?")]:
            with self.subTest(words):
                self.assert_one_line(self.copse("ptql", "--file", "one.ptql", "run.txt", *words), 2, *values)

    def test_asks_for_a_query(self):
        self.assert_one_line(self.copse("ptql"), 2, "copse ptql --explain")
        self.assert_one_line(self.copse("ptql", "--file", "none.ptql", "--explain"), 1, "none.ptql: ", stdout="")
        self.assert_one_line(self.copse("ptql", "--explain", ANY, "none.jar"), 1, "none.jar")


driver.main("copse", sources=[PROGRAM])
