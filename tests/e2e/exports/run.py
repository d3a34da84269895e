#!/usr/bin/env python3
"""What other tools read of a report: each format's sums are the report's. The tools are the real ones; where one is not
installed, its test says so and is skipped."""

import csv
import gzip
import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS  # noqa: E402

DATA = driver.REPOSITORY / "tests/golden/report/data"
TIMED = DATA / "timed.json"


def by_thread():
    """timed.json as --by-thread has it: main below a node of its thread, which has time of its own."""
    report = json.loads(TIMED.read_text())
    methods, nodes = report["methods"], report["nodes"]
    for column, value in {"class": "", "name": "[main]", "descriptor": "", "source": "", "loader": ""}.items():
        methods[column].append(value)
    for column in nodes.values():
        column.insert(2, 0)
    nodes["parent"] = [p if p < 2 else p + 1 for p in nodes["parent"]]
    nodes["parent"][2], nodes["method"][2], nodes["site"][2], nodes["cpu_ns"][2] = 0, 3, -1, 5
    nodes["parent"][3] = 2
    for thread in report["threads"]:
        thread["node"] = -1
    report["totals"] |= {"contexts": 9, "max_depth": 4}
    return report


def varint(data, at):
    number = shift = 0
    while True:
        number |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            return number, at


def packed(data):
    numbers, at = [], 0
    while at < len(data):
        number, at = varint(data, at)
        numbers.append(number)
    return numbers


def message(data):
    """Number of a field of a protocol buffer -> its values."""
    fields, at = {}, 0
    while at < len(data):
        tag, at = varint(data, at)
        kind, end = tag & 7, at
        if kind == 0:
            value, end = varint(data, at)
        else:
            length = 8
            if kind == 2:
                length, at = varint(data, at)
            else:
                assert kind == 1, kind
            value, end = data[at:at + length], at + length
            assert end <= len(data)
        fields.setdefault(tag >> 3, []).append(value)
        at = end
    return fields


class Exports(driver.CommandLineTest):
    def need(self, command, package):
        if not shutil.which(command):
            self.lack(f"SKIPPED: {command} is not installed: apt-get install {package}")

    def setUp(self):
        super().setUp()
        (self.folder / "threads.json").write_text(json.dumps(by_thread()))

    def sums(self, report):
        nodes = json.loads((self.folder / report).read_text())["nodes"]
        return [sum(nodes[name]) for name in ("calls", "cpu_ns", "cpu_samples")]

    def pprof(self, *words):
        done = subprocess.run(["go", "tool", "pprof", *words], capture_output=True, text=True, cwd=self.folder,
                              env=os.environ | {"HOME": str(self.folder), "PPROF_TMPDIR": str(self.folder)}, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_pprof_has_every_context_and_measure(self):
        self.need("go", "golang-go")
        self.done("report", TIMED, "-o", "p.pb.gz")
        raw = self.pprof("-raw", "p.pb.gz")
        self.assertIn("calls/count cpu/nanoseconds[dflt] cpu_samples/count\n", raw)
        samples = re.findall(r"^ +(\d+) +(\d+) +(\d+): ([\d ]+)$", raw, re.MULTILINE)
        self.assertEqual([sum(int(sample[i]) for sample in samples) for i in range(3)], self.sums(TIMED))
        places = dict(re.findall(r"^ +(\d+): 0x0 M=1 (\S+ \S+:\d+) s=", raw, re.MULTILINE))
        self.assertIn(("2000", ["demo.Log.log demo/Log.java:0", "demo.Main.work demo/Main.java:21", "demo.Main.main demo/Main.java:12"]),
                      [(sample[0], [places[number] for number in sample[3].split()]) for sample in samples])
        self.assertIn("s=0(demo.Main.work(I)I)", raw)
        top = self.pprof("-top", "-sample_index=calls", "p.pb.gz")
        self.assertRegex(top, r"(?m)^ +1006 33\.33% +\S+ +3006 99\.60%  demo\.Main\.work$")

    def test_threads_are_labels_in_pprof(self):
        self.need("go", "golang-go")
        self.done("report", "threads.json", "-o", "p.pprof")
        tags = self.pprof("-tags", "-sample_index=calls", "p.pprof")
        self.assertRegex(tags, r"thread: Total 3011\b")
        raw = self.pprof("-raw", "p.pprof")
        self.assertNotIn("[main]", raw.split("Locations")[1])
        self.assertRegex(raw, r"(?m)^ +0 +5 +0: \d+ *\n +thread:\[main\]$")
        self.assertIn("(no recorded caller)", raw)

    def test_deeper_calls_count_at_the_last_frame_that_is_kept(self):
        self.need("go", "golang-go")
        self.done("report", TIMED, "-o", "p.pb.gz", "--depth", "2")
        samples = re.findall(r"^ +(\d+) +\d+ +\d+: ([\d ]+)$", self.pprof("-raw", "p.pb.gz"), re.MULTILINE)
        self.assertEqual(sum(int(calls) for calls, _ in samples), 3018)
        self.assertEqual(max(len(stack.split()) for _, stack in samples), 2)

    def test_callgrind_annotate_adds_up_the_same(self):
        self.need("callgrind_annotate", "valgrind")
        self.done("report", TIMED, "-o", "callgrind.out.1")
        def shown(*words):
            done = subprocess.run(["callgrind_annotate", "--auto=no", "--threshold=100", "--show-percs=no", *words, "callgrind.out.1"], cwd=self.folder,
                                  capture_output=True, text=True, check=True)
            self.assertEqual(done.stderr, "")
            return {name: [int(n.replace(",", "")) for n in numbers.split()]
                    for numbers, name in re.findall(r"^ *((?:[\d,]+ +){3})(\S.*)$", done.stdout, re.MULTILINE)}
        calls, cpu, samples = self.sums(TIMED)
        own = shown("--inclusive=no")
        self.assertEqual(own["PROGRAM TOTALS"], [cpu, calls, samples])
        self.assertEqual(own["demo/Main.java:demo.Main.work"], [809000000, 1006, 81])
        # As copse report has it: recursion does not count twice.
        self.assertEqual(shown("--inclusive=yes")["demo/Main.java:demo.Main.work"], [2459000000, 3006, 246])
        self.assertEqual(shown("--inclusive=yes")["demo/Log.java:demo.Log.log"], [1650000000, 2011, 165])

    def test_rows_are_read_by_any_reader_of_csv(self):
        self.done("report", DATA / "awkward.json", "--paths", "-o", "rows.csv")
        report = json.loads((DATA / "awkward.json").read_text())
        with open(self.path("rows.csv"), newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        nodes, methods = report["nodes"], report["methods"]
        self.assertEqual([int(row["calls"]) for row in rows], nodes["calls"][1:])
        self.assertEqual([int(row["parent"]) for row in rows], nodes["parent"][1:])
        self.assertEqual([row["class"] for row in rows], [methods["class"][m] for m in nodes["method"][1:]])
        self.assertEqual([row["method"] for row in rows], [methods["name"][m] for m in nodes["method"][1:]])
        self.assertEqual([row["row"] for row in rows], [str(n) for n in range(1, len(nodes["calls"]))])
        depths = {"0": 0}
        for row in rows:
            depths[row["row"]] = depths[row["parent"]] + 1
        self.assertEqual([int(row["depth"]) for row in rows], [depths[row["row"]] for row in rows])
        self.assertTrue(rows[0]["path"].endswith(rows[0]["method"]))
        self.assertTrue((self.folder / "rows.csv").read_bytes().endswith(b"\r\n"))

    def test_speedscope_takes_what_its_schema_says_and_opens_what_it_closes(self):
        self.done("report", "threads.json", "-o", "p.speedscope.json")
        file = json.loads((self.folder / "p.speedscope.json").read_text())
        names = [frame["name"] for frame in file["shared"]["frames"]]
        ends, profiles = {}, {profile["name"]: profile for profile in file["profiles"]}
        for name, profile in profiles.items():
            open_frames, own, at = [], {}, 0
            for event in profile["events"]:
                if open_frames:
                    own[open_frames[-1]] = own.get(open_frames[-1], 0) + event["at"] - at
                at = event["at"]
                if event["type"] == "O":
                    open_frames.append(names[event["frame"]])
                else:
                    self.assertEqual(open_frames.pop(), names[event["frame"]])
            self.assertEqual((open_frames, at), ([], profile["endValue"]))
            ends[name] = own
        self.assertEqual(sorted(profiles), ["calls", "calls [main]", "cpu_ns [main]", "cpu_samples [main]"])
        self.assertEqual(ends["calls [main]"], {"demo.Main.main": 4, "demo.Log.log": 2001, "demo.Main.work": 1006})
        self.assertEqual(ends["cpu_ns [main]"]["(no recorded caller)"], 5)
        self.assertEqual(sum(ends["cpu_ns [main]"].values()), self.sums("threads.json")[1])
        self.assertEqual(profiles["cpu_ns [main]"]["unit"], "nanoseconds")
        self.assertEqual(file["profiles"][file["activeProfileIndex"]]["name"], "cpu_ns [main]")

    def test_speedscope_opens_on_the_thread_that_did_most(self):
        report = by_thread()
        methods, nodes = report["methods"], report["nodes"]
        for column, value in {"class": "", "name": "[worker]", "descriptor": "", "source": "", "loader": ""}.items():
            methods[column].append(value)
        for name, column in nodes.items():
            column.append({"parent": 0, "method": len(methods["name"]) - 1, "site": -1, "cpu_ns": 10**12}.get(name, 0))
        report["totals"]["contexts"] += 1
        (self.folder / "workers.json").write_text(json.dumps(report))
        self.done("report", "workers.json", "-o", "p.speedscope.json")
        file = json.loads((self.folder / "p.speedscope.json").read_text())
        names = [profile["name"] for profile in file["profiles"]]
        self.assertEqual(names[file["activeProfileIndex"]], "cpu_ns [worker]")
        self.assertLess(names.index("cpu_ns [main]"), names.index("cpu_ns [worker]"))

    def test_speedscope_shows_the_sums(self):
        self.need("node", "nodejs")
        self.need("chromium", "chromium")
        if not os.path.isdir(os.path.join(ARGS.modules, "node_modules", "speedscope")):
            self.lack("SKIPPED: speedscope is not installed: build the viewer (COPSE_BUILD_VIEWER=ON)")
        self.done("report", TIMED, "-o", "p.speedscope.json")
        shown = subprocess.run(["node", os.path.join(driver.HERE, "speedscope.mjs"), ARGS.modules, shutil.which("chromium"),
                                self.path("p.speedscope.json"), self.folder], capture_output=True, text=True, timeout=jvm.TIMEOUT_S, check=False)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn("cpu_ns (2/3)", shown.stdout)
        rows = re.findall(r"([\d.]+m?s) \(.*?%\)\s+([\d.]+m?s) \(.*?%\)\s+(demo\S+)", shown.stdout)
        self.assertEqual(sorted(rows), [("1.65s", "1.65s", "demo.Log.log"), ("2.46s", "809.00ms", "demo.Main.work"),
                                        ("2.48s", "20.00ms", "demo.Main.main")])

    def test_otlp_is_decoded_by_the_published_fields(self):
        for report, threads in (("threads.json", {"", "main"}), (TIMED, {""})):
            self.done("report", report, "-o", "p.otlp")
            data = message((self.folder / "p.otlp").read_bytes())
            dictionary = message(data[2][0])
            texts = [text.decode() for text in dictionary[5]]
            functions = [texts[message(function).get(1, [0])[0]] for function in dictionary[3]]
            locations = [message(location) for location in dictionary[2]]
            stacks = [packed(message(stack).get(1, [b""])[0]) for stack in dictionary[7]]
            attributes = [message(attribute) for attribute in dictionary[6]]
            for table in (1, 4):
                self.assertEqual(len(dictionary[table]), 1)
            self.assertEqual((texts[0], locations[0], stacks[0], attributes[0]), ("", {}, [], {}))
            def frame(number):
                line = message(locations[number][3][0])
                return functions[line[1][0]] + ":" + str(line.get(2, [0])[0])
            scope = message(message(data[1][0])[2][0])
            measures, contexts, names = {}, {}, set()
            for profile in map(message, scope[2]):
                kind = message(profile[1][0])
                name = texts[kind[1][0]] + "/" + texts[kind[2][0]]
                for sample in map(message, profile[2]):
                    value, = packed(sample[4][0])
                    measures[name] = measures.get(name, 0) + value
                    contexts[name, tuple(map(frame, stacks[sample[1][0]]))] = value
                    names.add(message(attributes[packed(sample[2][0])[0]][2][0])[1][0].decode() if 2 in sample else "")
            calls, cpu, samples = self.sums(report)
            self.assertEqual(measures, {"calls/count": calls, "cpu_ns/nanoseconds": cpu, "cpu_samples/count": samples})
            self.assertEqual(contexts["calls/count", ("demo.Log.log:0", "demo.Main.work:21", "demo.Main.main:12")], 2000)
            self.assertEqual(names, threads)

    def test_the_ending_decides(self):
        for name, beginning in {"a.speedscope.json": b'{\n"$schema":"https://www.speedscope.app', "a.csv": b"row,parent,depth,",
                                "callgrind.out.77": b"# callgrind format", "a.callgrind": b"# callgrind format",
                                "a.pb.gz": b"\x1f\x8b", "a.pprof": b"\x1f\x8b", "callgrind.out.json": b'{\n"schema"'}.items():
            with self.subTest(name):
                self.done("report", TIMED, "-o", name)
                self.assertTrue((self.folder / name).read_bytes().startswith(beginning))
        self.assertGreater(len(gzip.decompress((self.folder / "a.pb.gz").read_bytes())), 100)


if __name__ == "__main__":
    driver.main("copse", "modules")
