#!/usr/bin/env python3
"""A file that a command does not read is recognised, and the line says which command takes it."""

import gzip
import os
import shlex
import sys
import zipfile

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402

TRACE = ("# a comment\ncopse trace text 1\nmethod 1 a.F f\nmethod 2 a.G g\n0 start\n0 call 1\n0 call a.G.g\n0 return 2\n"
         "0 end\n")

# A file -> what it is said to be, and a command that takes it ("": none does).
FILES = {
    "r.json": ("a report", "copse report r.json"),
    "page.html": ("a page for a browser", "copse run -o FILE.json"),
    "c.collapsed": ("collapsed text", "copse import c.collapsed"),
    "s.txt": ("a report as text", "copse run -o FILE.json"),
    "t.tree": ("a report as text", "copse run -o FILE.json"),
    "p.speedscope.json": ("a report for other tools", "copse run -o FILE.json"),
    "callgrind.out.1": ("a report for other tools", "copse run -o FILE.json"),
    "rows.csv": ("a report for other tools", "copse run -o FILE.json"),
    "t.trace": ("a trace", "copse replay t.trace"),
    "b.trace": ("a trace", "copse replay b.trace"),
    "e.events": ("an event file", "copse events e.events"),
    "run.ids": ("the id file of a run", "copse decode run.ids NUMBER..."),
    "run-of-old.graph": ("the id file of a run", "copse decode run-of-old.graph NUMBER..."),  # its content decides
    "segment.state": ("the saved state of an encoder", "copse decode segment.state TOKEN..."),
    "segment-of-old.graph": ("a graph file of tokens, as an older copse saved it", "copse validate TRACE --save FOLDER"),
    "calls.graph": ("a call graph", "copse ids --encoder pcce --graph calls.graph"),
    "calls.json": ("a call graph", "copse ids --encoder pcce --graph calls.json"),
    "compared.json": ("a comparison", ""),
    "1.memory": ("the memory of a run that was killed", "copse recover 1.memory"),
    "a.jar": ("a jar", "copse run -- java -jar a.jar"),
    "A.class": ("a class file", "copse graph"),
    "run.jfr": ("a flight recording", "copse join REPORT run.jfr"),
    "r.json.gz": ("compressed", "decompress"),
    "an odd 'name.trace": ("a trace", "copse replay 'an odd '\\''name.trace'"),
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
        for name in ("t.trace", "an odd 'name.trace"):
            self.write(name, TRACE.encode())
        self.done("replay", "t.trace", "-o", "r.json")
        for name in ("page.html", "c.collapsed", "s.txt", "t.tree", "p.speedscope.json", "callgrind.out.1", "rows.csv"):
            if name != "page.html" or not self.copse("report", "r.json", "-o", name).status == 1:
                self.done("report", "r.json", "-o", name)
            else:
                self.write(name, b"<!DOCTYPE HTML>\n<html></html>\n")  # a copse without the viewer
        self.done("validate", "t.trace", "--encoder", "segment", "--save", ".")
        self.done("compare", "t.trace", "--encoder", "walk", "--rounds", "1", "-o", "compared.json")
        with zipfile.ZipFile(self.folder / "a.jar", "w") as jar:
            jar.writestr("META-INF/MANIFEST.MF", "")
        # The first bytes are enough to know these files by.
        self.write("b.trace", b"copse.trace/1\r\n\x1a")
        self.write("e.events", b"copse.event/1\r\n\x1a")
        for name in ("run.ids", "run-of-old.graph"):
            self.write(name, b"copse.ids/1\nSCHM and so on")
        self.write("segment-of-old.graph", b"copse.graph/1\nSCHM")
        for name in ("calls.json", "calls.graph"):
            self.write(name, b'{"schema": "copse.callgraph/1",')
        self.write("1.memory", b"copse.m1" + bytes(100))
        self.write("A.class", b"\xca\xfe\xba\xbe\x00\x00\x00\x41")
        self.write("run.jfr", b"FLR\0\0\2\0\1" + bytes(60))
        self.write("r.json.gz", gzip.compress((self.folder / "r.json").read_bytes()))
        self.assertTrue(set(FILES) <= set(os.listdir(self.folder)))

    def write(self, name, content):
        (self.folder / name).write_bytes(content)

    def assert_refused(self, result, status, *parts):
        self.assertEqual((result.status, result.stdout), (status, ""), result.stderr)
        self.assertRegex(result.stderr, r"\Acopse: [^\n]*\n\Z")
        for part in parts:
            self.assertIn(part, result.stderr)

    def test_every_command_knows_what_it_was_given_instead(self):
        before = sorted(os.listdir(self.folder))
        for command, read in READERS:
            for name, (kind, taker) in FILES.items():
                if name in read:
                    continue
                words = [name if word is None else word for word in command]
                with self.subTest(words):
                    self.assert_refused(self.copse(*words), 1, f"copse: {name}: is {kind}", ", not ", taker)
                    self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_graph_takes_the_report_beside_an_id_file(self):
        self.write("r.ids", (self.folder / "run.ids").read_bytes())
        for command in (["ids", "--encoder", "pcce", "--graph", "r.ids", *RUN], ["compare", "--graph", "r.ids", *RUN],
                        ["validate", "--encoder", "rcce", "--graph", "r.ids", *RUN],
                        ["validate", "t.trace", "--graph", "r.ids"]):
            with self.subTest(command):
                self.assert_refused(self.copse(*command), 1, "copse: r.ids: is the id file of a run, not a report",
                                    "--graph the report beside it, r.json")
        self.assertFalse((self.folder / "ran").exists())

    def test_endings_of_id_files_and_call_graphs_are_their_own(self):
        for ending, kind in ((".ids", "an id file"), (".graph", "a call graph")):
            name = "new" + ending
            for command in (["run", "-o", name, *RUN], ["replay", "t.trace", "-o", name]):
                with self.subTest(command):
                    self.assert_refused(self.copse(*command), 2, f"copse: {name}: its ending is that of {kind}",
                                        "end it in .json")
        self.assert_refused(self.copse("graph", "a.jar", "-o", "new.ids"), 2, "its ending is that of an id file",
                            "end it in .graph")
        self.assertFalse({"ran", "new.ids", "new.graph"} & set(os.listdir(self.folder)))

    def test_an_id_file_of_another_version_is_said_to_be_one(self):
        self.assert_refused(self.copse("decode", "run.ids", "12"), 1,
                            "copse: run.ids: at byte 0: an id file of another version; this copse reads copse.ids/2")

    def test_a_file_alone_has_nothing_to_decode(self):
        for words in (["run.ids"], ["12"]):
            self.assert_refused(self.copse("decode", *words), 2, "no id or token given", "behind the file")
        self.assert_refused(self.copse("decode"), 2, "file is required")

    def test_what_is_suggested_can_be_typed(self):
        said = self.copse("report", "an odd 'name.trace").stderr
        suggested = shlex.split(said[said.index("; copse") + 2:said.rindex(" makes")])
        self.assertEqual(suggested, ["copse", "replay", "an odd 'name.trace"])
        self.done(*suggested[1:])

    def test_an_empty_file_is_empty_to_all(self):
        self.write("empty", b"")
        for command, _ in READERS:
            words = ["empty" if word is None else word for word in command]
            self.assert_refused(self.copse(*words), 1, "copse: empty: is empty")

    def test_what_begins_like_nothing_is_said_by_its_reader(self):
        self.write("x", b"no such thing\n")
        for command, expected in ((["report", "x"], "not valid JSON"), (["replay", "x"], "not a trace"),
                                  (["events", "x"], "not an event file"), (["graph", "x"], "x: ")):
            self.assert_refused(self.copse(*command), 1, expected)

    def test_two_reports_are_not_compared(self):
        self.assert_refused(self.copse("compare", "r.json", "r.json"), 2, "on one trace", "two reports")

    def test_a_command_without_its_divider_is_shown_with_it(self):
        self.assert_refused(self.copse("run", "java", "-jar", "x y.jar"), 2, "copse run -- java -jar 'x y.jar'\n")
        self.assert_refused(self.copse("run", "-o", "a.json", "java", "Main"), 2, "copse run -o a.json -- java Main\n")
        self.assert_refused(self.copse("record", "java", "Main"), 2, "copse record -- java Main\n")
        for option in ("--include", "--exclude"):
            self.assert_refused(self.copse("run", option, "a.**", "java", "-jar", "x.jar"), 2,
                                f"copse run {option} 'a.**' -- java -jar x.jar\n")
        self.assert_refused(self.copse("ids", "--encoder", "pcc", "--mark", "a.b", "java", "Main"), 2, "-- java Main\n")

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
                             ("compare t.trace --rounds -3", "--rounds"), ("attach -3", "-3 is no process id"),
                             ("detach 3x", "3x is no process id")):
            with self.subTest(line):
                self.assert_refused(self.copse(*line.split()), 2, option)
        self.assertFalse((self.folder / "ran").exists())

    def test_words_behind_a_divider_are_arguments(self):
        os.rename(self.folder / "r.json", self.folder / "-r.json")
        self.assertIn("calls", self.copse("report", "--", "-r.json").stdout)
        self.assert_refused(self.copse("events", "./-r.json", "--", "more"), 2, "more: not expected")


driver.main("copse")
