#!/usr/bin/env python3
"""What every command says when it refuses, word for word: tests/golden/wording/COMMAND.txt. Such a file has command
lines behind "$ ", each with what it prints, and its exit status in brackets unless that is 0; FOLDER is where they run.
Other tests check exit statuses and the values that a message names. After a change of words:
wording_test.py --copse COPSE --update."""

import gzip
import json
import os
import shlex
import shutil
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import sample_files  # noqa: E402
from driver import ARGS  # noqa: E402

GOLDEN = driver.REPOSITORY / "tests/golden"
WORDING = GOLDEN / "wording"


def blocks_of(text):
    """The lines of each command line, that first; of what stands before all of them, too."""
    blocks = [[]]
    for line in text.splitlines():
        if line.startswith("$ "):
            blocks.append([])
        blocks[-1].append(line)
    return blocks


class Wording(driver.CommandLineTest):
    maxDiff = None

    def setUp(self):
        super().setUp()
        sample_files.make(self.folder, self.done, self.copse)
        for name in ("demo.json", "timed.json"):
            shutil.copy(GOLDEN / "report/data" / name, self.folder)
        for name in ("old.json", "new.json", "diff.txt"):
            shutil.copy(GOLDEN / "diff/data" / name, self.folder)
        shutil.copy(GOLDEN / "import/data/samples.pb.gz", self.folder)
        demo = (self.folder / "demo.json").read_text()
        self.done("merge", "old.json", "new.json", "--sites", "line", "-o", "lines.json")
        self.done("report", "r.json", "-o", "r.sqlite")
        shutil.copy("/bin/true", self.folder / "true")
        self.write(**{
            "empty": "", "x": "no such thing\n", "script": "", "later.json": '{"schema":"copse.cct/3"}',
            "short.json": demo.replace('"calls":[0,7', '"calls":[0'), "cut.json": demo[:len(demo) // 2],
            "damaged.trace": "copse trace text 1\n0 call 1\n0 return 2\n", "untitled.trace": "nothing\n",
            "empty.rules": "# none\n", "bad.rules": "\ncalls(Db.query > 3\n",
            "stacks.txt": "a.F.f 3\na.F.f;a.G.g 2\n", "bad.txt": "a.Main.main x\n", "bad.json": "{}",
            "much.txt": "a 18446744073709551615\nb 1\n", "nothing.ptql": "-- nothing but a comment\n",
            "two.ptql": "SELECT x.startTime FROM MethodInvocation x;\nSELECT x.time FROM MethodInvocation x",
            "one.ptql": "-- ${dao} = A\nSELECT x.startTime FROM MethodInvocation x",
            "events.txt": "copse ptql events 1\nmethod f class=A name=f void\nenter 1 f thread=#1\nleave 1\n",
            "trace.txt": "copse trace text 1\n", "r.ids": "copse.ids/1\nSCHM and so on"})
        measured = json.loads(demo)
        for name in ("cpu_ns", "contended_ns"):
            measured["metrics"].append({"name": name, "unit": "ns", "lost": 0})
            measured["nodes"][name] = [0] + [7] * 8
        (self.folder / "measured.json").write_text(json.dumps(measured))
        half = bytearray((self.folder / "segment.state").read_bytes())
        (self.folder / "half.state").write_bytes(half[:-1])
        half[20] ^= 0x40
        (self.folder / "damaged.state").write_bytes(half)
        (self.folder / "half.gz").write_bytes(gzip.compress(b"a.F.f 3\n")[:-3])

    def write(self, **texts):
        for name, text in texts.items():
            (self.folder / name).write_text(text)

    def said(self, line):
        """The block of a command line, as it is now. A command that refuses leaves no file."""
        before = sorted(os.listdir(self.folder))
        outcome = self.copse(*shlex.split(line)[2:])
        if outcome.status != 0:
            self.assertEqual(sorted(os.listdir(self.folder)), before, line)
        printed = (outcome.stdout + outcome.stderr).replace(str(self.folder), "FOLDER").splitlines()
        return [line, *printed, *([f"[{outcome.status}]"] if outcome.status else []), ""]

    def test_is_that_of_the_golden_files(self):
        for path in sorted(WORDING.glob("*.txt")):
            before, *blocks = blocks_of(path.read_text())
            now = "\n".join(before + [line for block in blocks for line in self.said(block[0])])
            if ARGS.update:
                path.write_text(now)
            with self.subTest(path.name):
                self.assertEqual(path.read_text(), now)

    def test_has_a_file_for_every_command(self):
        commands = self.copse("nosuchcommandatall").stderr.strip().split("; there are ")[1].split(", ")
        self.assertEqual(sorted(path.stem for path in WORDING.glob("*.txt")), sorted(commands))


driver.main("copse", update="write what is said now into the golden files")
