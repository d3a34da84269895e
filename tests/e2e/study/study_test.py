#!/usr/bin/env python3
"""copse validate and copse compare as a person meets them."""

import json
import pathlib
import random
import re
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
from driver import ARGS, REPOSITORY  # noqa: E402

METHODS, SEED = 30, 11


def write_trace(path, calls, recursive):
    """Two threads of a random program; every site calls one method."""
    dice = random.Random(SEED)

    def callee(caller):
        if recursive and dice.random() < 0.2:
            return dice.randint(1, METHODS)
        return caller + dice.randint(1, 4)

    sites = {m: [callee(m) for _ in range(3)] for m in range(1, METHODS + 1)}
    lines = ["copse trace text 1"]
    lines += [f"method {m} demo.C m{m} ()V C.java app" for m in range(1, METHODS + 1)]
    lines += [f"site {m}@{i} {5 * i} {10 * i}" for m in range(1, METHODS + 1) for i in (1, 2, 3)]
    stacks = {0: [], 1: []}
    while calls > 0:
        thread = dice.randrange(2)
        stack = stacks[thread]
        if not stack:
            lines += [f"{thread} call 1"]
            stack.append(1)
            calls -= 1
        site = dice.randrange(3)
        target = sites[stack[-1]][site]
        if dice.random() < 0.55 and len(stack) < 40 and target <= METHODS:
            lines += [f"{thread} call {target}@{site + 1}"]
            stack.append(target)
            calls -= 1
        else:
            lines += [f"{thread} return"]
            stack.pop()
        if stack and dice.random() < 0.05:
            lines += [f"{thread} mark 1"]
    path.write_text("\n".join(lines) + "\n")


class Study(driver.CommandLineTest):
    @classmethod
    def setUpClass(cls):
        cls.trace = pathlib.Path(ARGS.work, "trace.txt")
        write_trace(cls.trace, 3000, recursive=True)

    def rows(self, result):
        """By encoder: the words of its row in validate's table."""
        table = result.stdout.split("\n\n")[1].splitlines()[1:]
        return {line.split()[0]: line for line in table}

    def test_names_a_file_that_is_no_trace_once(self):
        path = self.folder / "notes.txt"
        path.write_text("nothing\n")
        outcome = self.copse("validate", path)
        self.assert_one_line(outcome, 1, f"{path}: at byte 0 (line 1): ", "copse trace text 1", stdout="")
        self.assertEqual(outcome.stderr.count(str(path)), 1)

    def test_tokens_saved_beside_their_graph_decode_in_another_process(self):
        folder = self.folder / "saved"
        folder.mkdir()
        result = self.copse("validate", self.trace, "--every", 100, "--save", folder)
        self.assertEqual((result.status, result.stderr), (0, ""))
        said = {}
        for scheme in ("cct", "segment", "pcce", "deltapath", "dacce", "luce"):
            decoded = self.copse("decode", folder / f"{scheme}.state", "--tokens", folder / f"{scheme}.tokens")
            self.assertEqual((decoded.status, decoded.stderr), (0, ""), scheme)
            self.assertIn("demo.C.m1", decoded.stdout)
            said[scheme] = decoded.stdout
        self.assertGreaterEqual(len(said["cct"].splitlines()), 30)
        self.assertEqual(set(said.values()), {said["cct"]})
        self.assertFalse((folder / "pcc64.state").exists())  # it does not decode

    def test_every_precise_encoder_holds_and_published_ones_fail_without_failing_the_command(self):
        result = self.copse("validate", self.trace)
        self.assertEqual((result.status, result.stderr), (0, ""))
        rows = self.rows(result)
        self.assertEqual(len(rows), 32)
        self.assertIn("fails, as known", rows["luce-literal"])
        for name, row in rows.items():
            self.assertNotIn("FAILED", row)
            if " precise " in row:
                self.assertTrue(row.endswith("holds"), row)

    def test_samples_where_it_is_told_to(self):
        one = self.copse("validate", self.trace, "--encoder", "cct", "--every", "100")
        two = self.copse("validate", self.trace, "--encoder", "cct", "--every", "100", "--random", "50",
                         "--seed", "3")
        self.assertIn("one call in 100", one.stdout)
        self.assertIn("50 random places with seed 3", two.stdout)
        tokens = [int(self.rows(r)["cct"].split()[2].replace(",", "")) for r in (one, two)]
        self.assertGreater(tokens[1], tokens[0])
        self.assertEqual(self.copse("validate", self.trace, "--encoder", "cct", "--every", "100",
                                    "--random", "50", "--seed", "3").stdout, two.stdout)

    def test_a_shrunk_failure_fails_when_it_is_replayed(self):
        out = self.folder / "failure.txt"
        result = self.copse("validate", self.trace, "--encoder", "pcce-no-dummy-edge", "--failure", out)
        self.assertEqual((result.status, result.stderr), (0, ""))
        self.assertRegex(result.stdout, rf"pcce-no-dummy-edge still fails after [2-4] calls: {out}\n")
        again = self.copse("validate", out, "--encoder", "pcce-no-dummy-edge", "--encoder", "pcce")
        self.assertIn("fails, as known", self.rows(again)["pcce-no-dummy-edge"])
        self.assertTrue(self.rows(again)["pcce"].endswith("holds"))

    def test_the_graph_may_come_from_a_report_and_methods_may_be_withheld(self):
        trace, report = self.folder / "tree.txt", self.folder / "report.json"
        write_trace(trace, 2000, recursive=False)
        self.done("replay", trace, "-o", report)

        def dictionary(*options):
            result = self.copse("compare", trace, "--encoder", "pcce-stack,rcce-stack", "--format", "json",
                                "--rounds", "1", *options)
            self.assertEqual(result.stderr, "")
            document = json.loads(result.stdout)
            return [(e["name"], e["bytes"]["decode_only"], e["precision"]["share"])
                    for e in document["encoders"]], document["graph"]["source"]

        own, given = dictionary(), dictionary("--graph", report)
        self.assertEqual((own[1], given[1]), ("first pass", "report"))
        self.assertEqual(own[0], given[0])
        withheld = dictionary("--withhold", "0.5")[0]
        self.assertLess(withheld[0][1], own[0][0][1])
        self.assertEqual([share for _, _, share in withheld], [1, 1])
        # A thread's entry is withheld where that is asked for: nothing is known then.
        entries_too = dictionary("--withhold", "1", "--withhold-entries")[0]
        self.assertLess(entries_too[0][1], dictionary("--withhold", "1")[0][0][1])

    def test_compare_writes_json_of_its_schema(self):
        out = self.folder / "compare.json"
        result = self.copse("compare", self.trace, "-o", out, "--rounds", "1")
        self.assertEqual((result.status, result.stdout, result.stderr), (0, "", ""))
        document = json.loads(out.read_text())
        self.schema("copse.compare").validate(document)
        self.assertEqual(document["stream"]["calls"],
                         self.trace.read_text().count(" call "))
        points = len(document["growth"]["calls"])
        for encoder in document["encoders"]:
            self.assertEqual(len(encoder["growth"]["resident_bytes"]), points, encoder["name"])
            time = encoder["time"]
            self.assertAlmostEqual(time["call_ns"] + document["bare_ns"], time["replay_ns"])
            self.assertLessEqual(time["replay_ns_min"], time["replay_ns"])
            self.assertLessEqual(time["replay_ns"], time["replay_ns_max"])
        golden = REPOSITORY / "tests/golden/study/data/comparison.json"
        self.schema("copse.compare").validate(json.loads(golden.read_text()))

    def test_details_have_the_columns_of_the_papers(self):
        options = ("--rounds", "1", "--encoder", "pcce-literal,deltapath-tracking,dacce-stack,pcc32")
        text = self.copse("compare", self.trace, *options).stdout
        self.assertNotIn("Entries on the stack", text)
        self.assertRegex(text, r"(?m)^pcc32 +by chance +100 % ")
        self.assertRegex(text, r"(?m)^pcc32: .* 0 collisions among [\d,]+ contexts with a token, \S+ expected \(birthday bound\)$")
        details = self.copse("compare", self.trace, "--details", *options).stdout
        self.assertIn("Entries on the stack", details)
        self.assertRegex(details, r"(?m)^graph of static schemes: nodes \d+, edges \d+, call sites \d+, "
                                  r"virtual call sites \d+, back edges \d+$")
        self.assertRegex(details, r"(?m)^deltapath-tracking: max id [\d,]+, anchors \d+, .*, unexpected calls 0, "
                                  r"pushes [\d,]+, deepest stack \d+, max id seen [\d,]+$")
        self.assertRegex(details, r"(?m)^pcce-literal: cut edges \d+, max id [\d,]+, pushes [\d,]+, ")
        self.assertRegex(details, r"(?m)^dacce-stack: max id [\d,]+, reencodings \d+, collected [\d,]+, collected free [\d,]+, "
                                  r"pushes [\d,]+, deepest stack \d+, max id seen [\d,]+, numbered in [\d,]+ us\n"
                                  r"  epoch 0, by start: 0 edges, max id 0, took [\d,]+ us$")

    def test_what_is_wrong_is_one_line(self):
        self.assert_one_line(self.copse("validate", self.trace, "--encoder", "lucy"), 2, "--encoder", "lucy", "luce", stdout="")
        self.assert_one_line(self.copse("compare", self.trace, "--format", "jsn"), 2, "--format", "jsn", "json", stdout="")
        for command in ("validate", "compare"):
            self.assert_one_line(self.copse(command, self.folder / "none"), 1, f"{self.folder}/none: ", stdout="")
        damaged = self.folder / "damaged.txt"
        damaged.write_text("copse trace text 1\n0 call 1\n0 return 2\n")
        self.assert_one_line(self.copse("validate", damaged), 1, damaged)

    def test_a_trace_of_nothing_is_no_failure(self):
        empty = self.folder / "empty.txt"
        empty.write_text("copse trace text 1\n")
        for command in ("validate", "compare"):
            self.assertEqual(self.copse(command, empty).status, 0, command)
        rows = re.findall(r"(?m)^(?:walk|pcc32) +(?:precise|by chance) +(\S+)", self.copse("compare", empty).stdout)
        self.assertEqual(rows, ["-", "-"], "of no tokens none is right or wrong")


driver.main("copse")
