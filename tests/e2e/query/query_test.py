#!/usr/bin/env python3
"""copse query as its users have it: docs/queries.md, whose answers are those that come; and what it is told wrong."""

import json
import os
import pty
import re
import sqlite3
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
from driver import ARGS, REPOSITORY  # noqa: E402

PAGE = (REPOSITORY / "docs/queries.md").read_text(encoding="utf-8")
# One step of SQLite that takes hours.
ENDLESS_STEP = ("SELECT instr(replace(hex(zeroblob(20000000)), '0', 'a'), "
                "replace(hex(zeroblob(10000000)), '0', 'a') || 'b')")
TRACE = "copse trace text 1\nmethod 1 A f\nmethod 2 A g\n0 start\n0 call 1\n0 call 2\n0 end\n"


def questions():
    """(files, SQL, answer) of the page."""
    found = re.findall(r"`([^`\n]*\.json)`\n\n```sql\n(.*?)```\n\n```text\n(.*?)```", PAGE, re.DOTALL)
    return [(files.split(), sql, answer) for files, sql, answer in found]


class Page(driver.CommandLineTest):
    """The commands of the page, typed in a shell, and then each of its questions."""

    def setUp(self):
        super().setUp()
        home = os.path.realpath(self.path("home"))
        os.makedirs(os.path.join(home, "copse"))
        os.symlink(REPOSITORY / "examples", os.path.join(home, "copse", "examples"))
        folders = [os.path.dirname(driver.tool("java")), os.path.dirname(os.path.realpath(ARGS.copse))]
        self.environment = {**os.environ, "HOME": home, "PATH": os.pathsep.join([*folders, os.environ["PATH"]])}

    def test_gives_the_answers_that_it_shows(self):
        blocks = re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)
        self.assertEqual(len(blocks), 1)
        for line in blocks[0].splitlines():
            self.assertTrue(line.startswith("$ "), line)
            done = subprocess.run(["bash", "-c", line[2:]], cwd=self.folder, env=self.environment,
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, (line, done.stderr))
        asked = questions()
        self.assertEqual(len(asked), PAGE.count("```sql"), "a question without files or answer")
        self.assertGreaterEqual(len(asked), 2)
        for files, sql, answer in asked:
            with self.subTest(sql.splitlines()[0]):
                (self.folder / "question.sql").write_text(sql)
                self.assertEqual(self.done("query", *files, "--file", "question.sql").stdout, answer)

    def test_has_the_columns_that_there_are(self):
        report = self.small_report()
        described = {table: set(re.findall(r"`(\w+)`", columns)) - (set() if table == "slices" else {"cpu_ns", "inclusive_cpu_ns"})
                     for table, columns in re.findall(r"^\| `(\w+)` \|[^|]*\| (.*) \|$", PAGE, re.MULTILINE)}
        view = described.pop("named_contexts") - {"contexts"} | described["contexts"]
        printed = self.done("query", report, "--shell", given=".schema\n").stdout
        real = {table: set(columns.split(", ")) for table, columns in re.findall(r"^(\w+)\((.*)\)$", printed, re.MULTILINE)}
        self.assertEqual(described | {"named_contexts": view}, real)

    def small_report(self):
        (self.folder / "t.trace").write_text(TRACE)
        self.done("replay", "t.trace", "-o", "r.json")
        return "r.json"


class Query(driver.CommandLineTest):
    def setUp(self):
        super().setUp()
        (self.folder / "t.trace").write_text(TRACE)
        self.done("replay", "t.trace", "-o", "r.json")

    def test_writes_each_format_to_standard_output_or_a_file(self):
        sql = "SELECT name, calls, path(id) p, NULL n FROM named_contexts"
        self.assertEqual(self.done("query", "r.json", sql).stdout,
                         "name  calls  p        n\nA.f       1  A.f      NULL\nA.g       1  A.f;A.g  NULL\n")
        self.assertEqual(self.done("query", "r.json", sql, "--format", "csv").stdout,
                         "name,calls,p,n\nA.f,1,A.f,\nA.g,1,A.f;A.g,\n")
        rows = [{"name": "A.f", "calls": 1, "p": "A.f", "n": None}, {"name": "A.g", "calls": 1, "p": "A.f;A.g", "n": None}]
        self.assertEqual(json.loads(self.done("query", "r.json", sql, "--format", "json").stdout), rows)
        self.assertEqual(self.done("query", "r.json", sql, "-o", "out.json").stdout, "")
        self.assertEqual(json.loads((self.folder / "out.json").read_text()), rows)

    def test_leaves_the_old_file_when_a_query_fails(self):
        (self.folder / "out.csv").write_text("old")
        self.assert_one_line(self.copse("query", "r.json", "SELECT nme FROM methods", "-o", "out.csv"), 2, "nme")
        self.assertEqual((self.folder / "out.csv").read_text(), "old")

    def test_says_what_to_type_instead(self):
        for words, status, *said in (
                ((), 2, "copse query"),
                (("r.json",), 2, "r.json", "--shell"),
                (("r.json", "r.json"), 2, "r.json", "--shell"),
                (("SELECT 1",), 2, "query: "),
                (("r.json", ""), 2, "query: "),
                (("no.json", "SELECT 1"), 1, "no.json"),
                (("t.trace", "SELECT 1"), 1, "t.trace", "copse replay"),
                (("r.json", "SELECT 1", "--format", "jsn"), 2, "json?"),
                (("r.json", "SELECT 1", "--timeout", "soon"), 2, "--timeout"),
                (("r.json", "SELECT 1", "--memory", "1M"), 2, "--memory 1M: ", "8M"),
                (("r.json", "SELECT 1", "-o", "r.json"), 2, "r.json: "),
                (("r.json", "--file", "no.sql"), 1, "no.sql"),
                (("r.json", "--shell", "--file", "x.sql"), 2, "--shell", "--file"),
                (("r.json", "--shell", "-o", "x.csv"), 2, "--output", "--shell"),
                (("r.json", "SELECT under(1, 'Zz.f')"), 1, "glob Zz.f: "),
                (("r.json", "ATTACH 'x' AS y"), 2, "query: ")):
            with self.subTest(words):
                self.assert_one_line(self.copse("query", *words), status, *said)

    def test_ends_a_step_that_does_not_end(self):
        self.assert_one_line(self.copse("query", "r.json", ENDLESS_STEP, "--timeout", "100ms"), 1, "100 ms", "--timeout")
        before = sorted(os.listdir(self.folder))
        self.assert_one_line(self.copse("query", "r.json", ENDLESS_STEP, "--timeout", "100ms", "-o", "x.csv"), 1,
                             "100 ms", "--timeout")
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_ends_quietly_when_nobody_reads_on(self):
        endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
        done = subprocess.run(["bash", "-c", 'set -o pipefail; "$0" query r.json "$1" --format csv | head -2', ARGS.copse, endless],
                              cwd=self.folder, capture_output=True, text=True)
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("i\n1\n", "", 0))

    def test_reads_a_script_from_a_pipe(self):
        script = ".tables\n.format csv\nSELECT count(*)\nFROM contexts; SELECT 2 b;\n\nSELECT 3 c"
        printed = self.done("query", "r.json", "--shell", given=script).stdout
        self.assertTrue(printed.startswith("contexts\nmethods\n"), printed)
        self.assertTrue(printed.endswith("named_contexts\nkinds\ncount(*)\n2\n\nb\n2\n\nc\n3\n"), printed)

    def test_ends_a_script_at_its_first_mistake(self):
        for mistake, said in ((".tabels", ".tables?"), (".format x", "table, csv and json"),
                              ("SELECT x;", "x"), (".schema x", ".tables"),
                              (".quit now", ".quit")):
            with self.subTest(mistake):
                outcome = self.copse("query", "r.json", "--shell", given=f"SELECT 1 a;\n{mistake}\nSELECT 2;\n")
                self.assertEqual(outcome.stdout, "a\n1\n")
                self.assert_one_line(outcome, 1, said)

    def test_goes_on_after_a_mistake_on_a_terminal(self):
        ours, its = pty.openpty()
        shell = subprocess.Popen([ARGS.copse, "query", "r.json", "--shell"], cwd=self.folder, stdin=its, stdout=its, stderr=its)
        os.close(its)
        os.write(ours, b"SELECT x;\nSELECT 40 +\n2 AS answer;\n.quit\n")
        printed = b""
        try:
            while more := os.read(ours, 4096):
                printed += more
        except OSError:  # the terminal's other end is closed
            pass
        os.close(ours)
        self.assertEqual(shell.wait(), 0)
        for part in (b"copse> ", b"no such column: x", b"  ...> ", b"answer\r\n    42\r\n"):
            self.assertIn(part, printed)

    def test_makes_a_database_that_other_tools_read(self):
        self.done("report", "r.json", "-o", "r.sqlite")
        self.done("report", "r.json", "--format", "sqlite", "-o", "other")
        for name in ("r.sqlite", "other"):
            database = sqlite3.connect(self.path(name))
            self.addCleanup(database.close)
            rows = database.execute("SELECT name, calls, inclusive_calls FROM named_contexts ORDER BY id").fetchall()
            self.assertEqual(rows, [("A.f", 1, 2), ("A.g", 1, 1)])
        sql = "SELECT name, calls, path(id) FROM named_contexts WHERE under(id, 'A.g')"
        self.assertEqual(self.done("query", "r.sqlite", sql).stdout, self.done("query", "r.json", sql).stdout)
        self.assertEqual(self.done("query", "r.sqlite", "--shell", given=".schema\n").stdout,
                         self.done("query", "r.json", "--shell", given=".schema\n").stdout)
        self.assert_one_line(self.copse("query", "r.sqlite", "DELETE FROM runs"), 2, "query: ")
        self.assert_one_line(self.copse("query", "r.sqlite", "r.json", "SELECT 1"), 1, "r.sqlite: ", "copse query r.sqlite")

    def test_makes_a_database_of_a_part(self):
        self.done("report", "r.json", "--root", "A.g", "-o", "part.sqlite")
        database = sqlite3.connect(self.path("part.sqlite"))
        self.addCleanup(database.close)
        self.assertEqual(database.execute("SELECT name FROM named_contexts").fetchall(), [("A.g",)])

    def test_makes_databases_of_reports_alone(self):
        self.assert_one_line(self.copse("report", "r.json", "--format", "sqlite"), 2, "-o FILE.sqlite")
        self.assert_one_line(self.copse("report", "r.json", "--top", "3", "-o", "x.db"), 2, "--top", "sqlite")
        self.assert_one_line(self.copse("replay", "t.trace", "-o", "x.sqlite"), 2, "x.sqlite: ", "copse report")


driver.main("copse", jdks=True)
