#!/usr/bin/env python3
"""The pages that scripts/papers makes of figures, on made-up ones, and the shape of those in reports/papers."""

import copy
import json
import pathlib
import re
import tempfile
import unittest

import scripts

pages = scripts.load("papers_pages.py")
measured = scripts.load("papers_measured.py")
records = scripts.load("papers_record.py")
papers = scripts.load("papers")
study = scripts.load("study")
bench = scripts.load("bench")
measuring = scripts.load("measuring.py")
REPOSITORY = pathlib.Path(scripts.FOLDER).parent
THEIRS = json.loads(pathlib.Path(scripts.FOLDER, "papers.json").read_text())


def encoder(**more):
    return {"precision": {"tokens": 500, "decoded": 500, "wrong": 0, "undecodable": 0, "contexts": 400, "collisions": 0},
            "time": {"call_ns": 2.5, "token_ns": 30.0, "decode_ns": 700.0}, "stack": None, "facts": {}, "epochs": [],
            **more}


def stack(mean, most):
    return {"mean": mean, "max": most, "unexpected_mean": 0, "unexpected_max": 0}


def run(seconds, mib, **more):
    return {"process_s": 2 * seconds, "cpu_s": seconds, "peak_mib": mib, **more}


PROGRAM = {
    "trace": {"recorded_calls": 9_000_000, "stream": {"max_depth": 61, "mean_depth": 29.25, "methods": 2476,
                                                      "edges": 6654},
              "encoders": {name: encoder() for name in ("cct", "uptree", "luce")} | {
                  "breadcrumbs": encoder(precision={"tokens": 500, "decoded": 493, "wrong": 0, "undecodable": 7,
                                                    "given_up": 5}),
                  "pcc32": encoder(precision={"tokens": 500, "decoded": 0, "wrong": 0, "contexts": 400,
                                              "collisions": 3}),
                  "pcce-literal": encoder(stack=stack(1.5, 7), facts={"max_id": 12, "pushes": 70}),
                  "rcce-literal": encoder(stack=stack(0, 0), facts={"pushes": 0}),
                  "luce-literal": encoder(),
                  "deltapath-literal": encoder(stack=stack(1.25, 9), facts={"nodes": 11, "edges": 22,
                                                                      "call_sites": 33, "virtual_call_sites": 4,
                                                                            "back_edges": 5, "max_id": 1_376_396_629, "max_id_seen": 77,
                                                                            "anchors": 1}),
                  "dacce-stack": encoder(stack=stack(1.75, 31), facts={"max_id": 64, "reencodings": 25},
                                         epochs=[{"trigger": "new edges", "edges": 8, "max_id": 5, "ns": 7600}])},
              "withheld": {"deltapath-literal": encoder(stack={**stack(2, 4), "unexpected_mean": 0.5,
                                                               "unexpected_max": 3}, facts={"unexpected_calls": 88})}},
    "runs": {"bare": run(2.0, 100), **{name: run(3.0, 125) for name in ("pcce", "rcce", "deltapath", "dacce", "luce")},
             "pcc": run(2.5, 100), "inline": run(3.0, 110, report_totals={"calls": 90, "calls_lost": 0, "contexts": 7,
                                                                          "merged_methods": 3,
                                                                          "merged_depth_at_least": 47}),
             "parallel": run(5.0, 120, report_totals={"calls": 91, "calls_lost": 0, "contexts": 8}),
             "uptree": run(8.0, 130)},
    "queries": {"bare": run(2.0, 100), **{check: run(2.5, 150, answers=3) for check in measured.CHECKS},
                "string-concats": {"why_not": "over 60 s"}},
}
OURS = {"when": "2026-01-02", "commit": "abc", "machine": "2 cores", "java": "JDK", "command": "scripts/papers fop",
        "load": 3.25, "rounds": 3,
        "events": 500_000, "programs": {"fop": PROGRAM},
        "ablation": {"fop": {"hash-code-consistent": {"": run(2.5, 150, answers=3), "admission": run(5.0, 300,
                                                                      answers=3)}}}}
LONG = {"programs": {"a": {"is_steady": True, "iterations": 12, "runs": {"without": [run(5.0, 100)]}},
                     "b": {"is_steady": False, "iterations": 12, "runs": {"without": [run(5.0, 100)]}}}}
LITERAL = {"tokens": 1000, "wrong": 20, "undecodable": 3}
CHECKS = {name: {step: figures for step in ("literal", "withheld", "validate")}
          for figures, names in ((LITERAL, ("luce-literal", "rcce-literal", "deltapath-literal", "deltapath-literal-kept")),
                                 ({"tokens": 1000, "wrong": 0, "undecodable": 0}, ("luce",))) for name in names}
MEANS = {configuration: {"steady_ms": 1.33} for configuration in (
    "app-deltapath", "app-pcc", "app-pcce", "app-rcce", "app-dacce", "app-luce", "app-parallel", "app-inline")}
HEADING = {"when": "2025-12-31", "commit": "def"}
RECORD = {name: {**HEADING, "command": "scripts/bench", **LONG, "geometric_means": MEANS} for name in ("cost", "cost-packets", "ids")}
RECORD |= {"encoders": {**HEADING, "command": "scripts/study", "streams": [{"checks": CHECKS}] * 2},
           "papers-share-fop": {
               **HEADING, "command": "scripts/papers_sweep share fop", "program": "fop",
               "shares": {"0.1": {"share_of_calls": 0.17, "slowdown": {"segment": 1.06, "luce": 1.08}}}},
           "javac": {"string-concats": (1.27, 0), "hash-code-consistent": (2.14, 20)},
           "depth": [["depth", "5"], ["rcce", "0"]]}


def rows_of(text, title):
    """The cells of our last table of a section, by their first."""
    section = text.split(f"\n## {title}")[1].split("\n## ")[0]
    last = re.findall(r"(?:^\|.*\n)+", section + "\n", re.MULTILINE)[-1]
    return {cells[0]: cells[1:] for cells in ([cell.strip() for cell in line.strip("|\n").split("|")]
                                              for line in last.splitlines())}


class Pages(unittest.TestCase):
    def setUp(self):
        self.pages = pages.all_pages(OURS, THEIRS, RECORD)

    def test_have_our_figures_in_the_columns_of_the_paper(self):
        self.assertEqual(rows_of(self.pages["deltapath"], "Table 1")["fop"], ["11", "22", "33", "4", "5", "1.4e+09",
                                                                            "1"])
        self.assertEqual(rows_of(self.pages["deltapath"], "Table 2")["fop"], ["61", "29.25", "397", "400", "10",
                                                                      "2.25", "0", "0", "77"])
        self.assertEqual(rows_of(self.pages["deltapath"], "Table 2: unexpected")["fop"],
                         ["3", "0.50", "88", *["not measured"] * 3])
        self.assertEqual(rows_of(self.pages["luce"], "Are ids right?")["fop"],
                         ["500", "500", "0", "0", "500", "500", "0", "0"])
        self.assertEqual(rows_of(self.pages["luce"], "Figure 5")["10%"], ["17%", "1.06", "1.08"])
        self.assertEqual(rows_of(self.pages["dacce"], "Benchmarks")["fop"], ["2,476", "6,654", "64", "1.75", "25",
                                                                      "2,250,000"])
        self.assertEqual(rows_of(self.pages["breadcrumbs"], "Decoding")["fop"], ["500", "493", "0", "7", "5", "700.00",
                                                                         "700.00"])
        self.assertIn("| fop | new edges | 8 | 5 |\n", self.pages["dacce"])
        self.assertIn("times (theirs 2 to 110), and 1.75 to 1.75 entries are on it in the mean (theirs 0.00 to 6.01).",
                      self.pages["dacce"])
        self.assertEqual(rows_of(self.pages["rcce"], "Figures 8(b)")["fop"], ["7", "0", "1.50", "0", "70", "0",
                                                                                      "61"])
        self.assertNotIn("recursion is merged and lacks", self.pages["luce"])
        self.assertIn("; that of fop is a report whose recursion is merged", self.pages["rcce"])
        overview = rows_of(self.pages["luce"], "Table 1: ways to have the context")
        self.assertEqual([overview[name] for name in ("CCT: inline", "parallel CCT: parallel", "PCCE: pcce",
                                                      "Breadcrumbs")],
                         [["1.50, 1.50"], ["2.50, 2.50"], ["1.50, 1.50"], ["no live form"]])
        self.assertEqual(rows_of(self.pages["luce"], "The same, long runs on record"), {
            "run": ["inline", "parallel", "uptree", "pcc", "pcce", "deltapath", "dacce", "luce"], "---": ["--:"] * 8,
            "`ids.json`, 2025-12-31, 2 programs": ["1.33", "1.33", "", *["1.33"] * 5],
            "`cost-packets.json`, 2025-12-31, 2 programs": ["1.33", "1.33", "", *["1.33"] * 5],
            "`cost.json`, 2025-12-31, 2 programs": ["1.33", "1.33", "", *["1.33"] * 5]})
        self.assertEqual(rows_of(self.pages["binder"], "Overhead")["fop"],
                         ["1.50", "2.50", "1.50", "2.50", "1.10", "1.20"])
        self.assertIn("| fop | inline | 90 | 0 | 7 | 3 methods, from depth 47 |\n| fop | parallel | 91 | 0 | 8 | no |",
                      self.pages["binder"])
        self.assertEqual(rows_of(self.pages["rcce"], "Figure 9")["rcce"], ["0"])
        self.assertEqual(rows_of(self.pages["uptrees"], "Events that are rare")["fop"], ["2.50", "2.50", "30.00",
                                                                      "30.00"])

    def test_do_without_a_record_that_is_not_there(self):
        without = {name: made for name, made in RECORD.items() if name != "papers-share-fop"}
        self.assertIn("beside other encoders: not measured.\n", pages.all_pages(OURS, THEIRS, without)["luce"])

    def test_have_the_ablation_and_what_did_not_end(self):
        self.assertEqual(rows_of(self.pages["ptql"], "Table 2")["string-concats"], ["over 60 s"])
        self.assertEqual(rows_of(self.pages["ptql"], "Table 3")["delayed-close"], ["1.50"])
        text = self.pages["ptql"]
        self.assertIn("| without | fop, s | fop, memory |\n|---|--:|--:|\n| nothing | 2.50 | 1.00 |\n| admission | 5.00 | "
                      "2.00 |\n", text)
        self.assertIn("here it is so for hash-code-consistent on fop (3).", text)

    def test_leave_out_queries_that_stopped(self):
        text = self.pages["ptql"]
        self.assertIn("On javac (another machine, javac, sources and query), string-concats takes 1.27 times the time (theirs 160.40).", text)
        self.assertIn("| hash-code-consistent | 2.23 | 2.14 | 20, then at rest |", text)
        self.assertIn("queries that ran to their end: 1.27 to 1.27 times the time", self.pages["README"])

    def test_have_no_time_below_zero(self):
        ours = copy.deepcopy(OURS)
        ours["programs"]["fop"]["trace"]["encoders"]["uptree"]["time"]["call_ns"] = -0.7
        made = pages.all_pages(ours, THEIRS, RECORD)["uptrees"]
        self.assertEqual(rows_of(made, "Events that are rare")["fop"], ["0", "2.50", "30.00", "30.00"])

    def test_count_the_cells_of_the_report(self):
        self.assertIn("76 of 96 are 0.90 to 1.10, and 3 did not end", self.pages["ptql"])

    def test_say_what_published_forms_lose(self):
        self.assertIn("40 wrong and 6 undecodable of 2,000 tokens, on 2 of 2 streams", self.pages["luce"])
        self.assertIn("`luce`: all decode; 1.33 times the time on record", self.pages["README"])
        self.assertIn("| 40 wrong and 6 undecodable | `luce`", self.pages["README"])
        self.assertEqual(len(re.findall(r"^\| \[", self.pages["README"], re.MULTILINE)), len(pages.PAGES))

    def test_count_ids_without_room_apart_where_the_study_did(self):
        self.assertIn("some not at all, which is not counted apart: methods", self.pages["luce"])
        counted = copy.deepcopy(RECORD)
        for stream in counted["encoders"]["streams"]:
            stream["checks"]["luce-literal"]["literal"]["given_up"] = 2
        made = pages.all_pages(OURS, THEIRS, counted)["luce"]
        self.assertIn("4 ids do not fit into 64 bits;", made)
        self.assertIn("Of those that fit, 40 decode wrongly and 2 not at all: methods that call themselves.", made)

    def test_have_the_papers_figures_and_their_places(self):
        self.assertIn("| 483.xalancbmk | 2,170 | 7,321 | 1422838 | 6.01 | 27 | 25,341,805 |", self.pages["dacce"])
        self.assertIn("Theirs (Table 2; wall time)", self.pages["ptql"])
        self.assertIn("| DaCapo | -6.4 %, -2.1 %, +0.5 % |", self.pages["rcce"])

    def test_say_when_and_how_they_were_measured(self):
        for name in pages.PAGES:
            self.assertIn("(README.md#how-they-were-measured)", self.pages[name])
        self.assertIn("Measured 2026-01-02 with the build of commit abc: 2 cores, JDK, load average 3.2 before. "
                      "Times are medians of 3 whole processes with one iteration", self.pages["README"])
        self.assertIn("* `reports/data/ids.json`: 2025-12-31, commit def, `scripts/bench`. A program's figure is the median "
                      "of the later half of 12 iterations, one run; 1 of 2 programs are not steady", self.pages["README"])

    def test_say_what_was_not_measured(self):
        ours = copy.deepcopy(OURS)
        del ours["programs"]["fop"]["runs"], ours["programs"]["fop"]["trace"]["encoders"]["deltapath-literal"]
        made = pages.all_pages(ours, THEIRS, {})
        self.assertEqual(set(rows_of(made["deltapath"], "Table 1")["fop"]), {"not measured"})
        self.assertEqual(rows_of(made["luce"], "Table 1: ways to have the context")["DACCE: dacce"], ["not measured"])

    def test_of_the_repository_are_those_that_the_script_makes(self):
        folder = REPOSITORY / "reports/papers"
        self.assertEqual({path.stem for path in folder.glob("*.md")}, {"README", *pages.PAGES})
        ours = json.loads(papers.MEASURED.read_text())
        for name, text in pages.all_pages(ours, THEIRS, papers.records()).items():
            self.assertEqual((folder / f"{name}.md").read_text(), text, name)

    def test_and_tables_are_those_of_the_data_with_a_row_a_line(self):
        made_by = {"cost": bench, "cost-packets": bench, "ids": bench, "encoders": study}
        self.assertEqual({path.stem for path in papers.DATA.iterdir()}, {"papers", "papers-share-fop", *made_by})
        for path in papers.DATA.iterdir():
            data = json.loads(path.read_text())
            self.assertEqual(path.read_text(), measuring.json_rows(data) + "\n", path)
            if path.stem in made_by:
                table = (REPOSITORY / f"reports/{path.stem}.txt").read_text()
                self.assertEqual(table, made_by[path.stem].format_text(data), path)


class Records(unittest.TestCase):
    def test_have_the_queries_of_javac(self):
        self.assertEqual(records.javac_ratios("   2.53 s     1.00      287                          no Copse\n"
                                              "   5.42 s     2.14      285         20    2,384,446  "
                                              "hash-code-consistent\n"),
                         {"no Copse": (1.0, 0), "hash-code-consistent": (2.14, 20)})

    def test_have_the_table_by_depth(self):
        self.assertEqual(records.depth_rows("a\n| depth | 5 |\n|---|--:|\n| rcce | 0 |\n\n| b |\n"),
                         [["depth", "5"], ["rcce", "0"]])


class Runs(unittest.TestCase):
    def test_take_turns_and_stop_where_one_fails(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "said")
            commands = {name: ["sh", "-c", f"echo {name} >> {file}; echo 'copse: 7 answers ' >&2; exit {status}"]
                        for name, status in (("a", 0), ("b", 3))}
            made = measured.Measuring("copse", folder, 1, 2).alternating(commands)
            self.assertEqual(file.read_text().split(), ["a", "b", "a"])
        self.assertEqual((list(made), made["a"]["answers"], made["b"]), (["a", "b"], 7, {"why_not": "exit status 3"}))


class Validation(unittest.TestCase):
    def test_counts_tokens_at_a_limit_apart(self):
        rows = study.validation_rows("head\n\nencoder  tokens  decoded  wrong  undecodable  collisions\n"
                                     "luce-literal  26,148  25,914  77  157  0\nwalk  9  9  0  0  0\n\n"
                                     "luce-literal: 77 wrong\nluce-literal: gave up decoding 1,049 tokens, each at a limit: of the work\n")
        self.assertEqual((rows["luce-literal"]["undecodable"], rows["luce-literal"]["given_up"]), (157, 1049))
        self.assertNotIn("given_up", rows["walk"])


class StepsDoneAgain(unittest.TestCase):
    def test_replace_those_of_an_earlier_study(self):
        earlier = {"program": "fop", "failures": ["old"], "bare_ns": 1, "checks": {"luce": {"literal": "old", "validate": "old"}}}
        again = {"program": "fop", "failures": [], "checks": {"luce": {"literal": "new"}, "pcc32": {}}}
        self.assertEqual(study.joined(earlier, again), {"program": "fop", "failures": ["old"], "bare_ns": 1, "checks": {
            "luce": {"literal": "new", "validate": "old"}, "pcc32": {}}})
        self.assertEqual(study.joined(earlier, {"program": "fop", "failures": ["not recorded"], "checks": {}})["checks"], earlier["checks"])
        self.assertEqual(study.joined(None, again), again)


class Queries(unittest.TestCase):
    def test_go_on_behind_their_twentieth_answer(self):
        self.assertEqual(measured.without_limit("SELECT a\nLIMIT 20;\nSELECT b\nLIMIT 20;\n"), "SELECT a;\nSELECT b;\n")


if __name__ == "__main__":
    unittest.main()
