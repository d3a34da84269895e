#!/usr/bin/env python3
"""copse validate -- COMMAND: every encoder's ids in packets, against the calls there and the JVM's stack."""

import functools
import os
import pty
import re
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS  # noqa: E402
from tally import checked, unanswered  # noqa: E402

FIGURES = re.compile(
    r"copse: ([\d,]+) entr(?:y|ies) checked, ([\d,]+) of them without an id; ([\d,]+) different ids?, "
    r"wrong ([\d,]+) at once and ([\d,]+) at the end, ([\d,]+) collisions?"
    r"(?:, ([\d,]+) entr(?:y|ies) without frames of methods that have no probes)?"
    r"(?:; ([\d,]+) ids? checked against the JVM's own stack, ([\d,]+) wrong)?"
    r"(?:; ([\d,]+) starts? of (?:a thread|threads) checked too, ([\d,]+) of them without an id)?: (.*)")
NAMES = ("entries", "without", "ids", "wrong", "wrong_at_end", "collisions", "lacking", "stacks",
         "stacks_wrong", "starts", "starts_without")
# A command in the place of a JVM that tells of what its agent found.
AGENT = r"""
import os, re, sys
manifest = re.search("manifest=([^\", ]*)", os.environ["JAVA_TOOL_OPTIONS"])[1]
with open(manifest, "a") as file:
    file.write(sys.argv[1].replace("|", "\t") + "\n")
sys.exit(int(sys.argv[2]))
"""


@functools.cache
def output_without_copse(home, *program):
    return jvm.run(driver.java_command(*program, home=home)).stdout


class Validate(driver.CommandLineTest):
    def java(self, home, program, *arguments, jvm_options=()):
        return driver.java_command(program, *arguments, home=home, jvm_options=jvm_options)

    def figures(self, outcome):
        found = FIGURES.search(outcome.stderr)
        self.assertTrue(found, outcome.stderr)
        return {name: int((text or "0").replace(",", "")) for name, text in zip(NAMES, found.groups())}

    def validate(self, home, *options, program=("Awkward",), encoder="segment", jvm_options=()):
        """A run that finds nothing wrong; its figures."""
        outcome = self.copse("validate", "--encoder", encoder, "-o", self.report, *options, "--",
                             *self.java(home, *program, jvm_options=jvm_options))
        self.assertEqual((outcome.status, outcome.stdout), (0, output_without_copse(home, *program)), outcome.stderr)
        figures = self.figures(outcome)
        self.said = outcome.stderr
        self.assertEqual((figures["wrong"], figures["wrong_at_end"], figures["stacks_wrong"]), (0, 0, 0), outcome.stderr)
        report = self.load()
        self.assertEqual(report["totals"]["calls_lost"], 0)
        self.assertEqual(sum(thread["calls"] for thread in report["threads"]), report["totals"]["calls_seen"],
                         "id words are no calls")
        checked(figures["entries"], "ids of running programs against the calls recorded beside them")
        unanswered(figures["without"], "ids of running programs against the calls recorded beside them")
        checked(figures["stacks"], "ids of running programs against the JVM's own stacks")
        checked(figures["starts"], "contexts of threads' starts against the calls recorded beside them")
        return figures

    def graph_of(self, home, *options, program=("Awkward",)):
        path = self.path(os.path.basename(home) + ".json")
        self.done("run", *options, "-o", path, "--", *self.java(home, *program))
        self.assertGreater(self.load(path)["totals"]["contexts"], 20)
        return path

    def test_every_id_of_encoders_that_learn_is_its_context(self):
        for home, encoder in driver.crossed(ARGS.homes, ("segment", "dacce", "luce")):
            with self.subTest(home=home, encoder=encoder):
                figures = self.validate(home, "--stack-every", "400", encoder=encoder)
                self.assertGreater(figures["entries"], 10_000)
                self.assertGreater(figures["stacks"], 100)
                self.assertEqual((figures["without"], figures["collisions"]), (0, 0))
                self.assertEqual((figures["starts"], figures["starts_without"]), (4, 0))
                self.assert_columns(encoder, self.load()["encoder"])

    def assert_columns(self, encoder, made):
        """Columns of the encoder's paper."""
        facts = made["facts"]
        if encoder == "dacce":
            for epoch in made["epochs"]:
                self.assertGreater(epoch.pop("ns"), 0)
            self.assertEqual(made["epochs"][0], {"trigger": "start", "edges": 0, "max_id": 0})
            self.assertEqual(facts["reencodings"], len(made["epochs"]) - 1)
            self.assertIsNone(made["stack"]["unexpected_max"])
        if encoder == "luce":
            self.assertGreater(facts["versions"], 0)
            self.assertGreaterEqual(facts["log_entries"], facts["versions"])
            self.assertEqual(facts["native_contexts"], 0)

    def test_every_id_may_be_compared_with_the_stack(self):
        for home in ARGS.homes:
            # Without the deep recursion, whose stacks take long to walk.
            figures = self.validate(home, "--stack-every", "1", "--exclude", "Awkward.dig*")
            self.assertGreater(figures["stacks"], 10_000)
            self.assertEqual(figures["stacks"], figures["entries"])

    def test_every_id_of_encoders_with_a_graph_is_its_context(self):
        graphs = {home: self.graph_of(home) for home in ARGS.homes}
        for home, encoder in driver.crossed(ARGS.homes, ("pcce", "deltapath", "rcce")):
            with self.subTest(home=home, encoder=encoder):
                figures = self.validate(home, "--graph", graphs[home], encoder=encoder)
                self.assertEqual([figures[name] for name in ("without", "starts", "starts_without")], [0, 4, 0])

    def calls_by_edge(self, path):
        """Caller, place of the call and callee -> calls, without those of ROOT and of rows that are no methods."""
        report = self.load(path)
        names = list(zip(report["methods"]["class"], report["methods"]["name"], report["methods"]["descriptor"]))
        nodes, sites = report["nodes"], report["sites"]
        calls = {}
        for parent, method, site, count in zip(nodes["parent"], nodes["method"], nodes["site"], nodes["calls"]):
            if parent <= 0 or not (names[nodes["method"][parent]][2] and names[method][2]):
                continue
            edge = (names[nodes["method"][parent]], sites["bci"][site] if site >= 0 else None, names[method])
            calls[edge] = calls.get(edge, 0) + count
        return calls

    # The graph lacks a method in the middle of every recursion.
    def test_every_id_is_its_context_where_the_graph_lacks_calls_and_the_report_has_the_columns_of_the_papers(self):
        graphs = {home: self.graph_of(home, "--exclude", "Awkward.other") for home in ARGS.homes}
        for home, encoder in driver.crossed(ARGS.homes, ("deltapath", "pcce", "rcce")):
            known = self.calls_by_edge(graphs[home])
            with self.subTest(home=home, encoder=encoder):
                figures = self.validate(home, "--graph", graphs[home], encoder=encoder)
                self.assertEqual(figures["without"], 0)
                made = self.load()["encoder"]
                facts = made["facts"]
                unknown = {edge: calls for edge, calls in self.calls_by_edge(self.report).items() if edge not in known}
                self.assertGreater(len(unknown), 0)
                self.assertEqual(made["name"], encoder)
                self.assertEqual(made["tokens"], figures["entries"])
                self.assertEqual(facts["unexpected_edges"], len(unknown))
                self.assertEqual(facts["unexpected_calls"], sum(unknown.values()))
                self.assertEqual(facts["edges"], len(known))
                self.assertGreaterEqual(facts["breakpoints"], facts["unexpected_paths"])
                self.assertGreater(made["stack"]["unexpected_max"], 0)
                self.assertLessEqual(made["stack"]["unexpected_mean"], made["stack"]["mean"])
                self.assertEqual(made["stack"]["max"], facts["deepest_stack"], "every entry was checked")

    def test_a_graph_of_another_program_is_said_and_no_id_is_wrong(self):
        graph = self.graph_of(ARGS.homes[0], program=("Askers", "1", "10"))
        outcome = self.done("validate", "--encoder", "pcce", "--graph", graph, "--", *self.java(ARGS.homes[0], "Awkward"))
        self.assertRegex(outcome.stderr, r"\.json: has 0 of the \d+ calls .*: of another program\?")

    def test_hashes_are_compared_and_collide_or_not(self):
        for home in ARGS.homes:
            figures = self.validate(home, encoder="pcc")
            self.assertGreater(figures["ids"], 100)
            self.assertEqual(figures["stacks"], 0)
            self.assertRegex(self.said, rf"copse: pcc: a hash, .* 0 collisions among {figures['ids']:,} contexts\b.*, [\d.e-]+ expected")

    def test_id_words_may_lie_in_two_packets(self):
        self.assertGreater(self.validate(ARGS.homes[-1], "--packet-slots", "8")["entries"], 10_000)

    def test_the_jdks_own_contexts_are_ids_too(self):
        for home in ARGS.homes:
            figures = self.validate(home, "--jdk")
            self.assertGreater(figures["entries"], 100_000)
            self.assertEqual(figures["stacks"], 0, "only the program's own methods are known on a stack")
            self.validate(home, "--jdk", program=("Askers", "3", "100"))

    def test_a_recorded_loader_may_be_asked_in_the_middle_of_a_probe(self):
        # Compiled code tells the JVM of each so many entries of a method that was inlined, of a probe too.
        for home, log_of_entries, encoder in ((ARGS.homes[0], 4, "segment"), (ARGS.homes[-1], 7, "luce")):
            with self.subTest(home=home, encoder=encoder, log_of_entries=log_of_entries):
                figures = self.validate(home, "--stack-every", "1", program=("Askers", "10", "200"), encoder=encoder,
                                        jvm_options=[f"-XX:Tier23InlineeNotifyFreqLog={log_of_entries}"])
                self.assertGreater(figures["stacks"], 200_000)
                self.assertLess(figures["entries"] - figures["stacks"], 1_000, "entries that could not be compared")

    def test_virtual_threads_have_ids_of_their_own(self):
        homes = [home for home in ARGS.homes if jvm.feature_version(home) >= 21]
        for home in homes:
            for encoder in ("segment", "dacce") if ARGS.all else ("dacce",):
                figures = self.validate(home, program=("Awkward", "virtual"), encoder=encoder)
                self.assertGreater(figures["entries"], 100_000)
                # Carriers, which the JDK starts in whatever context needs one, are further threads.
                self.assertGreaterEqual(figures["starts"], 12)
                self.assertEqual(figures["starts_without"], 0)
        if not homes:
            self.lack("no JDK with virtual threads")

    # The time of a command is bounded (jvm.TIMEOUT_S): where each id took as many steps as it has frames, it would be hours.
    def test_a_recursion_takes_time_in_proportion_to_its_depth(self):
        home, deep = ARGS.homes[0], ("Deep", "150000" if ARGS.all else "75000")
        graph = self.graph_of(home, program=("Deep", "300"))
        # Without --all one of each kind: with pieces, with a graph that is learned, with a graph from before.
        for encoder in ("segment", "dacce", "luce", "pcc", "pcce", "deltapath", "rcce") if ARGS.all else ("segment", "luce", "pcce"):
            with self.subTest(encoder=encoder):
                options = ["--graph", graph] if encoder in ("pcce", "deltapath", "rcce") else []
                figures = self.validate(home, *options, program=deep, encoder=encoder)
                self.assertGreater(figures["entries"], 225_000)
                self.assertEqual(figures["ids"], figures["entries"], "of other call sites: other contexts")
        if not ARGS.all:
            return
        self.done("record", "-o", "deep.trace", "--", *self.java(home, *deep))
        text = self.done("validate", "deep.trace").stdout
        self.assertRegex(text, r"\n\d+ tokens: one call in \d,\d+\n")
        self.assertNotIn("broken", text)

    def test_marks_say_where_ids_are_checked_and_every_how_often(self):
        home = ARGS.homes[0]
        all_marked = self.validate(home, "--mark", "Awkward.sorted")["entries"]
        self.assertEqual(all_marked, 4 * 300)
        every_seventh = self.validate(home, "--mark", "Awkward.sorted", "--check-every", "7")
        self.assertEqual(every_seventh["entries"], 4 * -(-300 // 7), "the first of each thread, and each seventh")

    def test_one_mismatch_is_a_failure_with_the_command_to_run_again(self):
        for line, what in (("validated|r.json|10|0|0|5|1|0|0|0|0|0|0", "wrong 1 at once and 0 at the end"),
                           ("validated|r.json|10|0|0|5|0|1|0|0|0|0|0", "wrong 0 at once and 1 at the end"),
                           ("validated|r.json|10|0|0|5|0|0|0|3|1|0|0", "3 ids checked against the JVM's own stack, 1 wrong")):
            command = [sys.executable, "-c", AGENT, line, "0"]
            outcome = self.copse("validate", "--encoder", "dacce", "--check-every", "3", "--", *command)
            self.assertEqual(outcome.status, 1, outcome)
            self.assertIn(what, outcome.stderr)
            self.assertIn("dacce is wrong; again: copse validate --encoder dacce --check-every 3 -- ", outcome.stderr)
        outcome = self.copse("validate", "--", sys.executable, "-c", AGENT, "wrong|thread main: id 7", "0")
        self.assertIn("copse: wrong: thread main: id 7", outcome.stderr)

    def test_a_check_at_the_end_shows_its_progress_on_a_terminal(self):
        # The agent's stand-in is in the check until a line comes.
        waits = AGENT.replace("sys.exit", "sys.stdin.readline()\nsys.exit")
        terminal, side_of_copse = pty.openpty()
        process = self.start([ARGS.copse, "validate", "--", sys.executable, "-c", waits, "checking|r.json", "0"],
                             stderr=side_of_copse)
        os.close(side_of_copse)
        shown = ""
        while "checking the ids of r.json ... 2 s" not in shown:
            shown += os.read(terminal, 1000).decode()
        process.stdin.write("\n")
        process.stdin.flush()
        self.assertEqual(process.wait(), 1, "nothing was compared")
        os.close(terminal)

    def test_the_commands_own_failure_is_said_and_is_not_ours(self):
        line = "validated|r.json|10|0|0|5|0|0|0|0|0|0|0"
        outcome = self.done("validate", "--", sys.executable, "-c", AGENT, line, "3")
        self.assertIn("the command's own exit status was 3", outcome.stderr)

    def test_quiet_says_nothing_but_what_is_wrong(self):
        line = "validated|r.json|10|0|0|5|{}|0|0|0|0|0|0"
        outcome = self.done("validate", "-q", "--", sys.executable, "-c", AGENT, line.format(0), "3")
        self.assertEqual(outcome.stderr, "")
        outcome = self.copse("validate", "-q", "--", sys.executable, "-c", AGENT, line.format(1), "0")
        self.assert_one_line(outcome, 1, "segment is wrong; again: copse validate ")

    def test_collisions_are_counted_and_no_failure(self):
        line = "validated|r.json|10|0|0|5|0|0|2|0|0|0|0"
        outcome = self.done("validate", "--encoder", "pcc", "--", sys.executable, "-c", AGENT, line, "0")
        self.assertIn("2 collisions", outcome.stderr)

    def test_a_check_of_nothing_is_no_success(self):
        java = self.java(ARGS.homes[0], "Awkward")
        outcome = self.copse("validate", "--mark", "no.such.Method", "--", *java)
        self.assertEqual(outcome.status, 1)
        self.assertIn("copse: validate: no id was compared", outcome.stderr)

    def test_mistakes_get_one_line_that_says_what_to_do(self):
        java = ["--", *self.java(ARGS.homes[0], "Awkward")]
        self.assert_one_line(self.copse("validate", "--encoder", "breadcrumbs", *java), 2, "breadcrumbs", "trace")
        self.assert_one_line(self.copse("validate", "--encoder", "pcce", *java), 2, "pcce", "graph")
        self.assert_one_line(self.copse("validate", "--check-every", "0", *java), 2, "check-every")
        self.assert_one_line(self.copse("validate", "--every", "7", *java), 2, "--every", "TRACE")
        self.assert_one_line(self.copse("validate", "x.trace", *java), 2, "validate")
        self.assert_one_line(self.copse("validate", "x.trace", "--jdk"), 2, "--jdk", "COMMAND")
        self.assert_one_line(self.copse("validate"), 2, "COMMAND")


driver.main("copse", "context-jar", sources=["programs/Awkward.java", "programs/Askers.java", "programs/Deep.java"],
            all="every encoder on every JDK and in a deep recursion")
