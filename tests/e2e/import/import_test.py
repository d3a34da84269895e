#!/usr/bin/env python3
"""copse import FILE: what a report is after it went through another format, and reports of other tools' profiles."""

import gzip
import json
import os
import shutil
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402

DATA = driver.REPOSITORY / "tests/golden/report/data"
SAMPLES = driver.REPOSITORY / "tests/golden/import/data"
TIMED = DATA / "timed.json"


def stacks(text):
    """Collapsed stacks as path -> sum."""
    sums = {}
    for line in text.splitlines():
        path, count = line.rsplit(" ", 1)
        sums[path] = sums.get(path, 0) + int(count)
    return sums


class Import(driver.CommandLineTest):
    def collapsed(self, report, *words):
        return self.done("report", report, "--format", "collapsed", *words).stdout

    def imported(self, name, *words):
        self.done("import", name, "-o", "imported.json", *words)
        return self.load("imported.json")

    def test_a_profile_of_pprof_comes_back_with_its_calls(self):
        for report in (TIMED, DATA / "awkward.json", DATA / "demo.json", DATA / "evicted.json"):
            with self.subTest(report):
                before = json.loads(report.read_text())
                self.done("report", report, "-o", "p.pb.gz")
                after = self.imported("p.pb.gz")
                for name in ["calls"] + [metric["name"] for metric in before.get("metrics", [])]:
                    self.assertEqual(self.collapsed("imported.json", "--lines", "--measure", name),
                                     self.collapsed(report, "--lines", "--measure", name))
                    self.assertEqual(sum(after["nodes"][name]), sum(before["nodes"][name]))
                self.assertEqual(after.get("metrics", []), before.get("metrics", []))
                for total in ("calls", "calls_seen", "calls_lost"):
                    self.assertEqual(after["totals"][total], before["totals"][total])
                self.assertEqual(after["totals"].get("evicted_calls", 0), before["totals"].get("evicted_calls", 0))
                self.assertEqual(after["shown"], before.get("shown", "calls"))
                self.assertIn("Imported from p.pb.gz, a profile of pprof that copse", after["notes"][0])

    def test_threads_come_back_as_by_thread_has_them(self):
        report = json.loads(TIMED.read_text())
        for column, value in {"class": "", "name": "[main]", "descriptor": "", "source": "", "loader": ""}.items():
            report["methods"][column].append(value)
        nodes = report["nodes"]
        nodes["parent"] = [-1, 0] + [parent + 1 for parent in nodes["parent"][1:]]
        for name, column in nodes.items():
            if name != "parent":
                column.insert(1, {"method": 3, "site": -1, "cpu_ns": 5}.get(name, 0))
        for thread in report["threads"]:
            thread["node"] = -1
        report["totals"] |= {"contexts": 9, "max_depth": 4}
        (self.folder / "threads.json").write_text(json.dumps(report))
        self.done("report", "threads.json", "-o", "p.pb.gz")
        self.imported("p.pb.gz")
        for measure in ("calls", "cpu_ns"):
            self.assertEqual(self.collapsed("imported.json", "--lines", "--measure", measure),
                             self.collapsed("threads.json", "--lines", "--measure", measure))

    def test_collapsed_stacks_come_back_line_by_line(self):
        for lines in ([], ["--lines"]):
            with self.subTest(lines):
                (self.folder / "a.collapsed").write_text(self.collapsed(TIMED, "--measure", "calls", *lines))
                self.imported("a.collapsed", "--as", "calls")
                (self.folder / "b.collapsed").write_text(self.collapsed("imported.json", *lines))
                self.assertEqual(stacks((self.folder / "b.collapsed").read_text()),
                                 stacks((self.folder / "a.collapsed").read_text()))
                # Contexts whose lines were equal are one now: from here on every byte stays.
                self.imported("b.collapsed", "--as", "calls")
                self.assertEqual(self.collapsed("imported.json", *lines), (self.folder / "b.collapsed").read_text())
        # No two lines of this report are equal where call sites have their lines.
        self.assertEqual(self.collapsed("imported.json", "--lines"), self.collapsed(TIMED, "--lines", "--measure", "calls"))

    def test_what_go_writes_of_a_profile_is_read(self):
        if not shutil.which("go"):
            self.lack("SKIPPED: go is not installed: apt-get install golang-go")
        self.done("report", TIMED, "-o", "p.pb.gz")
        subprocess.run(["go", "tool", "pprof", "-proto", "-output=go.pb.gz", "p.pb.gz"], cwd=self.folder, check=True,
                       capture_output=True, env=os.environ | {"HOME": str(self.folder), "PPROF_TMPDIR": str(self.folder)})
        self.imported("go.pb.gz")
        for measure in ("calls", "cpu_ns", "cpu_samples"):
            self.assertEqual(self.collapsed("imported.json", "--lines", "--measure", measure),
                             self.collapsed(TIMED, "--lines", "--measure", measure))

    def test_a_report_of_samples_claims_no_calls(self):
        for name, measure in (("samples.collapsed", "samples"), ("samples.pb.gz", "cpu_ns"), ("samples.jfr.json", "samples")):
            with self.subTest(name):
                report = self.imported(SAMPLES / name)
                self.assertEqual(report["totals"]["calls_seen"], 0)
                self.assertEqual(report["shown"], measure)
                self.assertEqual(report["program"]["command"], [f"imported from {name}"])
                summary = self.done("report", "imported.json").stdout
                self.assertTrue(summary.startswith(f"imported from {name}\n"), summary)
                self.assertIn("no calls were counted", summary)
                self.assertNotIn("process 0", summary)
                self.assertNotIn("calls seen", summary)

    def test_every_command_takes_an_import(self):
        self.done("report", TIMED, "-o", "p.pb.gz")
        self.imported("p.pb.gz")
        self.done("merge", "imported.json", "imported.json", "-o", "twice.json")
        self.assertEqual(self.load("twice.json")["totals"]["calls"], 2 * json.loads(TIMED.read_text())["totals"]["calls"])
        rows = self.done("query", "imported.json", "SELECT sum(calls), sum(cpu_ns) FROM contexts", "--format", "csv").stdout
        nodes = json.loads(TIMED.read_text())["nodes"]
        self.assertEqual(rows.split(), ["sum(calls),sum(cpu_ns)", f"{sum(nodes['calls'])},{sum(nodes['cpu_ns'])}"])
        for name in ("i.tree", "i.csv", "i.speedscope.json", "i.callgrind", "i.otlp", "i.sqlite", "again.pb.gz"):
            self.done("report", "imported.json", "-o", name)

    def test_a_file_that_is_none_of_these_is_one_line(self):
        for name, content, said in (
                ("empty", b"", "empty: "),
                ("r.json", TIMED.read_bytes(), "r.json: "),
                ("r.json.gz", gzip.compress(TIMED.read_bytes()), "r.json.gz: "),
                ("half.pb.gz", (SAMPLES / "samples.pb.gz").read_bytes()[:40], "half.pb.gz: "),
                ("text", b"no stack\n", "text: line 1: "),
                ("much", b"a 18446744073709551615\nb 1\n", "much: line 2: "),
                ("random", bytes(range(255, 0, -1)), "random: ")):
            with self.subTest(name):
                (self.folder / name).write_bytes(content)
                self.assert_one_line(self.copse("import", name, "-o", "x.json"), 1, "copse: " + said)
                self.assertFalse((self.folder / "x.json").exists())
        self.assert_one_line(self.copse("import", "none", "-o", "x.json"), 1, "copse: none: ")
        self.assert_one_line(self.copse("import", SAMPLES / "samples.pb.gz", "-o", "x.json", "--as", "calls"), 1,
                             "samples.pb.gz: --as: ")


driver.main("copse")
