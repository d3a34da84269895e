#!/usr/bin/env python3
"""copse report as a person meets it: formats, terminals, files that are no report; and the schema of reports."""

import json
import os
import pathlib
import pty
import re
import resource
import signal
import stat
import subprocess
import sys
import termios

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS  # noqa: E402

DATA = driver.REPOSITORY / "tests/golden/report/data"
DEMO = str(DATA / "demo.json")
FORMATS = ["summary", "tree", "collapsed", "html", "json", "pprof", "speedscope", "callgrind", "otlp", "rows", "sqlite"]


class Report(driver.CommandLineTest):
    def assertPrints(self, golden, *arguments):
        result = self.copse("report", DEMO, *arguments)
        self.assertEqual((result.status, result.stderr), (0, ""))
        self.assertEqual(result.stdout, (DATA / golden).read_text())

    def test_prints_the_summary_by_default(self):
        self.assertPrints("demo.summary.txt")

    def test_prints_each_format(self):
        self.assertPrints("demo.summary.txt", "--format", "summary")
        self.assertPrints("demo.tree.txt", "--format", "tree", "--min-percent", "0")
        self.assertPrints("demo.pruned.tree.txt", "--format=tree", "--min-percent=1", "--depth=2")
        self.assertPrints("demo.collapsed", "--format", "collapsed")
        self.assertPrints("demo.lines.collapsed", "--format", "collapsed", "--lines")
        self.assertPrints("demo.cut.collapsed", "--format", "collapsed", "--depth", "2")
        self.assertPrints("demo.json", "--format", "json")

    def test_takes_the_format_from_the_ending(self):
        for name, golden in [("a.json", "demo.json"), ("a.collapsed", "demo.collapsed"),
                             ("a.folded", "demo.collapsed"), ("a.txt", "demo.summary.txt")]:
            out = self.folder / name
            result = self.copse("report", DEMO, "-o", str(out))
            self.assertEqual((result.status, result.stdout, result.stderr), (0, "", ""))
            self.assertEqual(out.read_text(), (DATA / golden).read_text())

    def test_keeps_as_many_contexts_as_are_asked_for_and_every_call(self):
        out = self.folder / "few.json"
        self.done("report", DEMO, "--max-contexts", "3", "-o", str(out))
        report = json.loads(out.read_text())
        self.assertEqual((report["totals"]["contexts"], report["totals"]["calls"], sum(report["nodes"]["calls"])), (3, 3018, 3018))
        self.assertEqual(report["totals"]["evicted_contexts"], 7)
        # The written report is a report again, and enough for itself.
        again = self.folder / "again.json"
        self.done("report", str(out), "--max-contexts", "3", "-o", str(again))
        self.assertEqual(again.read_text(), out.read_text())
        self.assertIn("(evicted)", self.copse("report", str(out)).stdout)
        refused = self.copse("report", DEMO, "--max-contexts", "1")
        self.assertEqual(refused.status, 2, refused)

    def test_shows_a_part_of_a_report_in_every_format(self):
        for option, calls, stacks in [
                ("--focus", 3006, ["demo.Main.main:12;demo.Main.work 1000", "demo.Main.main:12;demo.Main.work:21;demo.Log.log 2000",
                                   "demo.Main.main:10;demo.Main.work 2", "demo.Main.main:10;demo.Main.work:20;demo.Main.work 4"]),
                ("--root", 3006, ["demo.Main.work 1002", "demo.Main.work:21;demo.Log.log 2000",
                                  "demo.Main.work:20;demo.Main.work 4"])]:
            with self.subTest(option):
                chosen = [DEMO, option, "demo.Main.work"]
                self.assertEqual(sorted(self.done("report", *chosen, "--format", "collapsed", "--lines").stdout.splitlines()), sorted(stacks))
                self.assertIn(f"proof: {calls + 2:,} calls seen = {calls:,} in nodes + 2 lost", self.done("report", *chosen).stdout)
                self.assertIn(f"({option})", self.done("report", *chosen).stdout)
                self.assertIn(f"{calls:,} 100.0 %", self.done("report", *chosen, "--format", "tree").stdout)
                # As JSON it is a report again, and the page has that one.
                self.done("report", *chosen, "-o", "part.json")
                self.assertEqual(self.load("part.json")["totals"]["calls"], calls)
                self.assertEqual(self.done("report", "part.json").stdout, self.done("report", *chosen).stdout)
                self.done("report", *chosen, "-o", "part.html")
                page = re.sub(r',\n"shown":\[[^]]*\]', "", (self.folder / "part.html").read_text())  # the names that the page shows
                self.assertIn((self.folder / "part.json").read_text().strip().replace("<", "\\u003c"), page)

    def test_shows_who_calls_a_method_and_what_each_way_costs(self):
        timed = str(DATA / "timed.json")
        chosen = ["report", timed, "--callers", "demo.Log.log"]
        self.assertEqual(self.done(*chosen).stdout, (DATA / "timed.callers.summary.txt").read_text())
        self.assertEqual(self.done(*chosen, "--format", "tree", "--min-percent", "0", env=self.unsized()).stdout,
                         (DATA / "timed.callers.tree.txt").read_text())
        self.assertEqual(self.done(*chosen, "--format", "collapsed", "--lines").stdout,
                         "demo.Log.log;demo.Main.work:21;demo.Main.main:12 1650000000\n")
        self.done(*chosen, "-o", "calls.tree")
        self.assert_one_line(self.copse("report", "calls.tree"), 1, "calls.tree: ", stdout="")
        # As JSON it is a report from ROOT on; the callers in it are the same.
        self.done(*chosen, "-o", "calls.json")
        self.assertEqual(self.load("calls.json")["totals"]["calls"], 2008)
        self.assertEqual(self.done("report", "calls.json", "--format", "collapsed", "--lines", "--measure", "calls").stdout,
                         "demo.Log.log 7\ndemo.Main.main:13;demo.Log.log 1\ndemo.Main.main:12;demo.Main.work:21;demo.Log.log 2000\n")
        self.assertEqual(self.done("report", "calls.json", "--callers", "demo.Log", "--format", "tree").stdout,
                         self.done(*chosen, "--format", "tree").stdout)
        self.assertNotIn("Who calls", self.done(*chosen, "--top", "0").stdout)
        self.assert_one_line(self.copse(*chosen, "--root", "demo.Main"), 2, "--callers", "--root", stdout="")

    def test_takes_several_globs_and_the_focus_before_the_root(self):
        def stacks(*arguments):
            return self.done("report", DEMO, *arguments, "--format", "collapsed").stdout
        self.assertEqual(stacks("--root", "demo.Log", "--focus", "demo.Main.work"), "demo.Log.log 2000\n")
        self.assertEqual(stacks("--root", "demo.Main.work", "--root=demo.Log"), "demo.Log.log 8\ndemo.Log.log;demo.Main.main 3\n"
                         + stacks("--root", "demo.Main.work"))

    def test_says_which_glob_matched_nothing_and_writes_nothing(self):
        self.assert_one_line(self.copse("report", DEMO, "--focus", "demo.**", "--root", "Lgo.log", "-o", "part.html"), 1,
                             f"{DEMO}: --root Lgo.log: ", "--root Log.log?", stdout="")
        self.assertEqual(os.listdir(self.folder), [])
        self.assert_one_line(self.copse("report", DEMO, "--focus", ""), 1, f"{DEMO}: --focus '': ", stdout="")

    def test_replaces_a_file_in_one_step_and_keeps_it_private(self):
        out = self.folder / "a.json"
        out.write_text("old")
        self.done("report", DEMO, "-o", str(out))
        self.assertEqual(stat.S_IMODE(out.stat().st_mode), 0o600)
        self.assertEqual(os.listdir(self.folder), ["a.json"])

    def test_keeps_the_old_file_when_the_disk_is_full(self):
        out = self.folder / "a.json"
        out.write_text("old")

        def small_files_only():
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

        result = self.copse("report", DEMO, "-o", str(out), preexec_fn=small_files_only)
        self.assert_one_line(result, 1, out, "File too large", stdout="")
        self.assertEqual(out.read_text(), "old")
        self.assertEqual(os.listdir(self.folder), ["a.json"])

    def test_writes_to_what_is_no_regular_file(self):
        result = self.copse("report", DEMO, "--format", "json", "-o", "/dev/stdout")
        self.assertEqual(result.stdout, (DATA / "demo.json").read_text())

    def test_ends_quietly_when_nobody_reads_on(self):
        deep = self.folder / "deep.json"
        write_chain(deep, 3000)
        command = f"'{ARGS.copse}' report '{deep}' --format collapsed | head -1; echo ${{PIPESTATUS[0]}}"
        result = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=jvm.TIMEOUT_S)
        self.assertEqual(result.stderr, "")
        self.assertEqual(result.stdout.splitlines(), ["p.A.f 1", "0"])

    def test_says_what_is_wrong_with_a_file(self):
        bad = self.folder / "bad.json"
        self.assert_one_line(self.copse("report", bad), 1, f"{bad}: No such file", stdout="")
        bad.write_text("")
        self.assert_one_line(self.copse("report", bad), 1, f"{bad}: ", stdout="")
        bad.write_text('{"schema":"copse.cct/3"}')
        self.assert_one_line(self.copse("report", bad), 1, f"{bad}: ", "copse.cct/3", "copse.cct/2", stdout="")
        bad.write_text(pathlib.Path(DEMO).read_text().replace('"calls":[0,7', '"calls":[0'))
        self.assert_one_line(self.copse("report", bad), 1, f"{bad}: nodes: ", stdout="")

    def test_says_in_one_line_why_any_other_file_is_no_report(self):
        demo = pathlib.Path(DEMO).read_text()
        number = '"calls":[0,7'
        self.assertIn(number, demo)
        folder = self.folder / "folder"
        folder.mkdir()
        for name, content, why in [
                ("cut off", demo[:len(demo) // 2], "JSON"),
                ("followed by more", demo + "{}", "JSON"),
                ("nested in arrays", '{"schema":"copse.cct/2","x":' + "[" * 1_000_000, "JSON"),
                ("a list for an object", '{"schema":"copse.cct/2","nodes":[]}', "nodes: "),
                ("nested in objects", '{"x":' * 1_000_000, "JSON"),
                ("too large a number", demo.replace(number, number[:-1] + "9" * 30), "nodes.calls"),
                ("beyond every number", demo.replace(number, number[:-1] + "1e999"), "1e999"),
                ("negative", demo.replace(number, number[:-1] + "-7"), "-7"),
                ("a fraction", demo.replace(number, number[:-1] + "7.5"), "nodes.calls"),
                ("another schema", json.dumps({"schema": "x" * 10_000}), '"xxx'),
                ("no schema", "{}", "schema"),
                ("an array", "[1, 2]", "byte"),
                ("zeros", "\0" * 1000, "JSON"),
                ("a terminal's commands", "\x1b[2J\x1b]0;title\x07", "JSON")]:
            with self.subTest(name):
                bad = self.folder / "bad.json"
                bad.write_text(content)
                result = self.copse("report", str(bad))
                self.assert_one_line(result, 1, f"{bad}: ", why, stdout="")
                self.assertRegex(result.stderr, r"\A[\x20-\x7e]{1,400}\n\Z")
        self.assert_one_line(self.copse("report", folder), 1, f"{folder}: Is a directory", stdout="")
        self.assert_one_line(self.copse("report", "/dev/null"), 1, "/dev/null", stdout="")

    def test_skips_what_a_later_copse_may_add_however_deep(self):
        more = self.folder / "more.json"
        more.write_text(pathlib.Path(DEMO).read_text().replace('"notes"', '"later":' + "[" * 100_000 + "]" * 100_000 + ',"notes"', 1))
        self.assertEqual(self.copse("report", str(more)).stdout, self.copse("report", DEMO).stdout)

    def test_helps_a_person_who_mistypes(self):
        for words, *values in [
                ([], "copse help"), (["reprot", DEMO], "reprot", "report?"), (["report"], "file", "copse report --help"),
                (["report", DEMO, "--fromat", "tree"], "--fromat", "--format?"),
                (["report", DEMO, "--format", "colapsed"], "--format colapsed", "collapsed?"),
                (["report", DEMO, "--format", "svg"], "--format svg", *FORMATS),
                (["report", DEMO, "-o", "x.svg"], "x.svg", "--format", ".html", ".json", ".pb.gz", ".sqlite"),
                (["report", DEMO, "--top", "5", "--format", "json"], "--top", "json", "summary"),
                (["events", DEMO, "more"], "more", "copse events --help"), (["help", "reports"], "reports", "report?")]:
            with self.subTest(words):
                self.assert_one_line(self.copse(*words), 2, *values, stdout="")

    def test_shows_the_measure_that_a_person_means(self):
        report = json.loads(pathlib.Path(DEMO).read_text())
        for name, unit in [("cpu_ns", "ns"), ("cpu_samples", "events"), ("contended_ns", "ns")]:
            report["metrics"].append({"name": name, "unit": unit, "lost": 0})
            report["nodes"][name] = [0] + [7] * 8
        (self.folder / "measured.json").write_text(json.dumps(report))
        self.assertIn("proof: 56 ns of cpu time seen", self.done("report", "measured.json", "--measure", "cpu").stdout)
        self.assert_one_line(self.copse("report", "measured.json", "--measure", "c"), 1, "measured.json: --measure c: ", "cpu",
                             "locks", stdout="")

    def test_shows_a_part_that_has_nothing_of_the_measure_by_one_that_it_has(self):
        report = json.loads(pathlib.Path(DEMO).read_text())
        for name, unit, value in [("cpu_ns", "ns", 7), ("wall_ns", "ns", 9)]:
            report["metrics"].append({"name": name, "unit": unit, "lost": 0})
            of = "work" if name == "cpu_ns" else "log"
            report["nodes"][name] = [value if method >= 0 and report["methods"]["name"][method] == of else 0
                                     for method in report["nodes"]["method"]]
        report["shown"] = "cpu_ns"
        (self.folder / "measured.json").write_text(json.dumps(report))
        waits = ["report", "measured.json", "--callers", "demo.Log.log"]
        self.assertIn("by wall time", self.done(*waits).stdout)
        self.assertNotIn("by wall time", self.done(*waits, "--measure", "cpu").stdout)

    def test_explains_itself(self):
        self.assertRegex(self.copse("--version").stdout,
                         r"^copse \d+\.\d+\.\d+\ncommit: (unknown|[0-9a-f]{12})\ntested with: JDK .*\npage: .*\nlicence: Apache-2.0\n$")
        self.assertEqual(self.copse("help").stdout, self.copse("--help").stdout)
        self.assertEqual(self.copse("help", "report").stdout, self.copse("report", "--help").stdout)
        self.assertIn("--min-percent", self.copse("help", "report").stdout)

    def test_keeps_a_page_off_the_terminal(self):
        ours, theirs = pty.openpty()
        result = subprocess.run([ARGS.copse, "report", DEMO, "--format", "html"], stdout=theirs,
                                stderr=subprocess.PIPE, text=True, timeout=jvm.TIMEOUT_S)
        os.close(theirs)
        os.close(ours)
        self.assertEqual(result.returncode, 2)
        self.assertIn("-o FILE.html", result.stderr)

    @staticmethod
    def unsized():
        """The environment without the width of lines."""
        return {name: value for name, value in os.environ.items() if name != "COLUMNS"}

    def on_terminal(self, columns, *arguments):
        """The lines that a terminal of so many columns gets."""
        ours, theirs = pty.openpty()
        termios.tcsetwinsize(theirs, (24, columns))
        process = subprocess.Popen([ARGS.copse, "report", *arguments], stdout=theirs, stderr=subprocess.PIPE, env=self.unsized())
        os.close(theirs)
        shown = b""
        try:
            while block := os.read(ours, 65536):
                shown += block
        except OSError:  # the last one who could write has closed it
            pass
        os.close(ours)
        self.assertEqual((process.wait(jvm.TIMEOUT_S), process.stderr.read()), (0, b""))
        process.stderr.close()
        return shown.decode().replace("\r\n", "\n").splitlines()

    def test_fits_its_lines_into_the_terminal(self):
        awkward = str(DATA / "awkward.json")
        self.assertEqual(self.on_terminal(100, awkward), self.copse("report", awkward).stdout.splitlines())
        self.assertEqual(self.on_terminal(0, awkward), self.copse("report", awkward, env=self.unsized()).stdout.splitlines(),
                         "the size is not known")
        for columns in (60, 72, 160):
            lines = self.on_terminal(columns, awkward)
            self.assertLessEqual(max(map(len, lines)), columns)
        self.assertGreater(max(map(len, lines)), 100)
        tree = self.on_terminal(110, awkward, "--format", "tree", "--depth", "3")
        self.assertLessEqual(max(map(len, tree)), 110)
        self.assertTrue(any(" ...gletonProxyFactoryBean.createAnInstanceOfTheConfiguredThing  @10" in line for line in tree), tree)

    def test_cuts_nothing_where_no_terminal_is(self):
        awkward, now = str(DATA / "awkward.json"), str(DATA / "timed.json")
        for arguments in (["report", awkward], ["report", awkward, "--format", "tree"], ["report", awkward, "--callers", "**"],
                          ["diff", now, awkward]):
            whole = self.copse(*arguments, env=self.unsized()).stdout
            behind_commands = "\n".join(whole.splitlines()[3:])
            self.assertIsNone(re.search(r"\.\.\.\w", behind_commands), whole)
            self.assertGreater(max(map(len, whole.splitlines())), 100)
        narrow = self.copse("report", awkward, env={**os.environ, "COLUMNS": "72"}).stdout
        self.assertEqual(self.copse("report", awkward, "--width", "72", env=self.unsized()).stdout, narrow)
        self.done("report", awkward, "--width", "72", "-o", "narrow.txt")
        self.assertEqual((self.folder / "narrow.txt").read_text(), narrow)
        compared = [self.copse("diff", awkward, awkward, *words, env=env).stdout
                    for words, env in ((("--width", "60"), self.unsized()), ((), {**os.environ, "COLUMNS": "60"}))]
        self.assertEqual(compared[0], compared[1])
        self.assert_one_line(self.copse("report", awkward, "--width", "0"), 2, "--width", stdout="")
        self.assertLessEqual(max(map(len, narrow.splitlines())), 72)
        self.assertEqual(self.copse("report", awkward, env={**os.environ, "COLUMNS": "wide"}).stdout,
                         self.copse("report", awkward, env=self.unsized()).stdout)
        self.done("report", awkward, "-o", "whole.txt")
        self.assertEqual((self.folder / "whole.txt").read_text(), self.copse("report", awkward, env=self.unsized()).stdout)

    def test_stands_a_chain_of_100000_calls(self):
        deep = self.folder / "deep.json"
        write_chain(deep, 100_000)
        for arguments in (["--format", "summary"], ["--format", "tree"], ["--format", "json"],
                          ["--format", "collapsed", "--depth", "50"], ["--focus", "p.A"], ["--root", "p.A"],
                          ["--callers", "p.A"], ["--callers", "p.A", "--format", "tree"]):
            result = self.copse("report", str(deep), *arguments)
            self.assertEqual((result.status, result.stderr), (0, ""))


def write_chain(path, levels):
    report = json.loads(pathlib.Path(DEMO).read_text())
    report["methods"] = {key: [value] for key, value in
                         {"class": "p.A", "name": "f", "descriptor": "()V", "source": "", "loader": "app"}.items()}
    report["sites"] = {"method": [0], "bci": [1], "line": [7]}
    report["nodes"] = {"parent": list(range(-1, levels)), "method": [-1] + [0] * levels,
                       "site": [-1, -1] + [0] * (levels - 1), "calls": [0] + [1] * levels}
    report["totals"].update(calls=levels, contexts=levels, max_depth=levels, calls_seen=levels, calls_lost=0)
    report["threads"] = []
    path.write_text(json.dumps(report))


class Schema(driver.CommandLineTest):
    """reports/copse.cct.schema.json describes what is written, and rejects what is not."""

    def setUp(self):
        super().setUp()
        self.validator = self.schema("copse.cct")

    def test_accepts_what_copse_writes(self):
        for name in ("demo.json", "awkward.json", "evicted.json"):
            written = self.copse("report", str(DATA / name), "--format", "json").stdout
            self.assertEqual([error.message for error in self.validator.iter_errors(json.loads(written))], [])
        added = json.loads(self.copse("report", DEMO, DEMO, "--format", "json", "--ids").stdout)
        self.assertEqual([error.message for error in self.validator.iter_errors(added)], [])
        self.assertEqual(added["merged"]["reports"], 2)
        self.assertEqual(len(added["nodes"]["id"]), len(added["nodes"]["calls"]))

    def test_names_every_key_copse_writes(self):
        properties = self.validator.schema["properties"]
        written = json.loads(self.copse("report", DEMO, "--format", "json").stdout)
        self.assertEqual(set(written), set(properties) - {
            "id_rules", "merged", "kinds", "timeline", "encoder", "slice_totals", "slice_methods", "slices", "slice_contexts",
            "slice_calls", "slice_buckets", "slice_measures", "slice_method_amounts", "slice_amounts", "slice_tasks"})
        of_some_reports = {"snapshot", "runs", "calls_of", "evicted_calls", "evicted_contexts", "merged_methods",
                           "merged_depth_at_least", "id", "stable_class"}
        for group in ("program", "totals", "methods", "sites", "nodes"):
            self.assertEqual(set(written[group]), set(properties[group]["properties"]) - of_some_reports)

    def test_has_what_events_were_about_by_kind(self):
        report = json.loads(pathlib.Path(DEMO).read_text())
        for column, text in (("class", ""), ("name", "throw demo.Missing at demo.Main.work:21"), ("descriptor", "")):
            report["methods"][column][0] = text
        (self.folder / "thrown.json").write_text(json.dumps(report))
        written = json.loads(self.done("report", "thrown.json", "--format", "json").stdout)
        self.assertEqual([error.message for error in self.validator.iter_errors(written)], [])
        self.assertEqual(written["kinds"], {"method": [0], "kind": ["exception"], "class": ["demo.Missing"], "place": ["demo.Main.work:21"]})
        self.assertEqual(set(written["kinds"]), set(self.validator.schema["properties"]["kinds"]["properties"]))

    def test_rejects_what_copse_would_not_write(self):
        def broken(change):
            report = json.loads(pathlib.Path(DEMO).read_text())
            change(report)
            return not self.validator.is_valid(report)
        self.assertTrue(broken(lambda r: r.pop("nodes")))
        self.assertTrue(broken(lambda r: r["nodes"]["calls"].append(-1)))
        self.assertTrue(broken(lambda r: r["nodes"]["site"].append("1")))
        self.assertTrue(broken(lambda r: r.update(schema="copse.cct/1")))


driver.main("copse")
