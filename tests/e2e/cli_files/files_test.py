#!/usr/bin/env python3
"""A file that a command does not read is recognised, and the line says which command takes it."""

import os
import shlex
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import sample_files  # noqa: E402

# A file -> what the line suggests: a command that takes it ("": none does).
FILES = {
    "r.json": "copse report r.json",
    "page.html": "copse run -o FILE.json",
    "c.collapsed": "copse import c.collapsed",
    "s.txt": "copse run -o FILE.json",
    "t.tree": "copse run -o FILE.json",
    "p.speedscope.json": "copse run -o FILE.json",
    "callgrind.out.1": "copse run -o FILE.json",
    "rows.csv": "copse run -o FILE.json",
    "t.trace": "copse replay t.trace",
    "b.trace": "copse replay b.trace",
    "e.events": "copse events e.events",
    "run.ids": "copse decode run.ids NUMBER...",
    "run-of-old.graph": "copse decode run-of-old.graph NUMBER...",  # its content decides
    "segment.state": "copse decode segment.state TOKEN...",
    "segment-of-old.graph": "copse validate TRACE --save FOLDER",
    "calls.graph": "copse ids --encoder pcce --graph calls.graph",
    "calls.json": "copse ids --encoder pcce --graph calls.json",
    "compared.json": "",
    "1.memory": "copse recover 1.memory",
    "a.jar": "copse run -- java -jar a.jar",
    "A.class": "copse graph",
    "run.jfr": "copse join REPORT run.jfr",
    "r.json.gz": "decompress",
    "an odd 'name.trace": "copse replay 'an odd '\\''name.trace'",
}
RUN = ["--", "touch", "ran"]
# Command with None in the place of its file -> the files it reads.
READERS = [
    (["report", None], {"r.json"}),
    (["replay", None, "-o", "new.json"], {"t.trace", "b.trace", "an odd 'name.trace"}),
    (["replay", None], {"t.trace", "b.trace", "an odd 'name.trace"}),
    (["validate", None], {"t.trace", "b.trace", "an odd 'name.trace"}),
    (["compare", None], {"t.trace", "b.trace", "an odd 'name.trace"}),
    (["events", None], {"e.events"}),
    (["join", None, "c.collapsed", "-o", "new.json"], {"r.json"}),
    (["join", "r.json", None, "-o", "new.json"], {"c.collapsed", "run.jfr", "r.json.gz"}),
    (["import", None, "-o", "new.json"], {"c.collapsed", "run.jfr", "r.json.gz"}),
    (["decode", None, "1"], {"run.ids", "run-of-old.graph", "segment.state"}),
    (["graph", None], {"a.jar"}),
    (["recover", None], {"1.memory"}),
    (["ids", "--encoder", "pcce", "--graph", None, *RUN], {"r.json", "calls.json", "calls.graph"}),
    (["validate", "--encoder", "pcce", "--graph", None, *RUN], {"r.json", "calls.json", "calls.graph"}),
    (["compare", "--graph", None, *RUN], {"r.json", "calls.json", "calls.graph"}),
    (["compare", "t.trace", "--graph", None], {"r.json", "calls.json", "calls.graph"}),
    (["validate", "t.trace", "--graph", None], {"r.json", "calls.json", "calls.graph"}),
]


class Files(driver.CommandLineTest):
    def setUp(self):
        super().setUp()
        sample_files.make(self.folder, self.done, self.copse)
        self.assertTrue(set(FILES) <= set(os.listdir(self.folder)))

    def write(self, name, content):
        (self.folder / name).write_bytes(content)

    def assert_refused(self, outcome, status, *values):
        self.assert_one_line(outcome, status, *values, stdout="")

    def test_every_command_knows_what_it_was_given_instead(self):
        before = sorted(os.listdir(self.folder))
        for command, read in READERS:
            for name, taker in FILES.items():
                if name in read:
                    continue
                words = [name if word is None else word for word in command]
                with self.subTest(words):
                    self.assert_refused(self.copse(*words), 1, f"copse: {name}: ", taker)
                    self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_graph_takes_the_report_beside_an_id_file(self):
        self.write("r.ids", (self.folder / "run.ids").read_bytes())
        for command in (["ids", "--encoder", "pcce", "--graph", "r.ids", *RUN], ["compare", "--graph", "r.ids", *RUN],
                        ["validate", "--encoder", "rcce", "--graph", "r.ids", *RUN],
                        ["validate", "t.trace", "--graph", "r.ids"]):
            with self.subTest(command):
                self.assert_refused(self.copse(*command), 1, "copse: r.ids: ", "--graph", "r.json")
        self.assertFalse((self.folder / "ran").exists())

    def test_a_graph_that_cannot_be_read_is_told_before_the_program_starts(self):
        for name in ("none.json", "."):
            for command in (["ids", "--encoder", "pcce", "--graph", name, *RUN], ["compare", "--graph", name, *RUN],
                            ["validate", "--encoder", "rcce", "--graph", name, *RUN],
                            ["validate", "t.trace", "--graph", name]):
                with self.subTest(command):
                    self.assert_refused(self.copse(*command), 1, f"copse: {name}: ", "--graph")
        self.assertFalse((self.folder / "ran").exists())

    def test_a_graph_whose_recursion_is_merged_is_said_to_lack_calls(self):
        report = (self.folder / "r.json").read_bytes()
        for said, methods in ((b'"totals":{"merged_methods":3,', "3 methods"), (b'"totals":{', None)):
            self.write("merged.json", report.replace(b'"totals":{', said))
            outcome = self.done("compare", "t.trace", "--graph", "merged.json", "--encoder", "pcce")
            if methods is None:
                self.assertEqual(outcome.stderr, "")
            else:
                self.assert_one_line(outcome, 0, "--graph: merged.json", methods, "--recursion full", stdout=outcome.stdout)

    def test_endings_of_id_files_and_call_graphs_are_their_own(self):
        for name in ("new.ids", "new.graph"):
            for command in (["run", "-o", name, *RUN], ["replay", "t.trace", "-o", name]):
                with self.subTest(command):
                    self.assert_refused(self.copse(*command), 2, f"copse: {name}: ", ".json")
        self.assert_refused(self.copse("graph", "a.jar", "-o", "new.ids"), 2, "new.ids", ".graph")
        self.assertFalse({"ran", "new.ids", "new.graph"} & set(os.listdir(self.folder)))

    def test_an_id_file_of_another_version_is_said_to_be_one(self):
        self.assert_refused(self.copse("decode", "run.ids", "12"), 1, "copse: run.ids: at byte 0: ", "copse.ids/2")

    def test_a_file_alone_has_nothing_to_decode(self):
        for words in (["run.ids"], ["12"]):
            self.assert_refused(self.copse("decode", *words), 2, "--tokens")
        self.assert_refused(self.copse("decode"), 2, "file is required")

    def test_what_is_suggested_can_be_typed(self):
        said = self.copse("report", "an odd 'name.trace").stderr
        suggested = shlex.split(said[said.index("; copse") + 2:])[:3]
        self.assertEqual(suggested, ["copse", "replay", "an odd 'name.trace"])
        self.done(*suggested[1:])

    def test_an_empty_file_is_empty_to_all(self):
        self.write("empty", b"")
        for command, _ in READERS:
            words = ["empty" if word is None else word for word in command]
            self.assert_refused(self.copse(*words), 1, "copse: empty: ")

    def test_what_begins_like_nothing_is_said_by_its_reader(self):
        self.write("x", b"no such thing\n")
        for command in (["report", "x"], ["replay", "x"], ["events", "x"], ["graph", "x"]):
            self.assert_refused(self.copse(*command), 1, "copse: x: ")

    def test_two_reports_are_not_compared(self):
        self.assert_refused(self.copse("compare", "r.json", "r.json"), 2, "r.json")

    def test_a_command_without_its_divider_is_shown_with_it(self):
        self.assert_refused(self.copse("run", "java", "-jar", "x y.jar"), 2, "copse run -- java -jar 'x y.jar'")
        self.assert_refused(self.copse("run", "-o", "a.json", "java", "Main"), 2, "copse run -o a.json -- java Main")
        self.assert_refused(self.copse("record", "java", "Main"), 2, "copse record -- java Main")
        for option in ("--include", "--exclude"):
            self.assert_refused(self.copse("run", option, "a.**", "java", "-jar", "x.jar"), 2,
                                f"copse run {option} 'a.**' -- java -jar x.jar")
        self.assert_refused(self.copse("ids", "--encoder", "pcc", "--mark", "a.b", "java", "Main"), 2, "-- java Main")

    def test_a_repeatable_option_takes_one_word_at_a_time(self):
        self.assertIn("segment", self.copse("validate", "--encoder", "segment", "--encoder", "pcce", "t.trace").stdout)
        self.assertIn("pcce", self.copse("validate", "--encoder", "segment,pcce", "t.trace").stdout)

    def test_numbers_below_zero_are_refused_where_they_make_no_sense(self):
        for line, option in (("report r.json --top -3", "--top"), ("report r.json --depth -3", "--depth"),
                             ("run --engine parallel:workers=-3 -- touch ran", "--engine"),
                             ("record --packet-slots -8 -- touch ran", "--packet-slots"),
                             ("replay t.trace --engine uptree:every=-3", "--engine"), ("validate t.trace --every -3", "--every"),
                             ("validate t.trace --random 3 --seed -3", "--seed"), ("validate t.trace --events -3", "--events"),
                             ("validate --stack-every -3 -- touch ran", "--stack-every"),
                             ("validate --check-every -3 -- touch ran", "--check-every"),
                             ("compare t.trace --rounds -3", "--rounds"), ("attach -3", "-3"),
                             ("detach 3x", "3x")):
            with self.subTest(line):
                self.assert_refused(self.copse(*line.split()), 2, option)
        self.assertFalse((self.folder / "ran").exists())

    def test_words_behind_a_divider_are_arguments(self):
        os.rename(self.folder / "r.json", self.folder / "-r.json")
        self.assertIn("calls", self.copse("report", "--", "-r.json").stdout)
        self.assert_refused(self.copse("events", "./-r.json", "--", "more"), 2, "more: ")


driver.main("copse")
