#!/usr/bin/env python3
"""copse compare -- COMMAND, on a small Java program."""

import json
import os
import sys
import time

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402

INLINE = ["segment", "pcce", "deltapath", "rcce", "dacce", "luce", "pcc"]  # besides stack-walk, which needs --mark
NEED_GRAPH = ["pcce", "deltapath", "rcce"]

PROGRAM = """
import java.lang.management.ManagementFactory;

public class Work {
    static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

    public static void main(String[] arguments) throws Exception {
        System.out.println("noise " + fibonacci(18) + " " + System.in.read());
        System.err.println("message");
        String options = ManagementFactory.getRuntimeMXBean().getInputArguments().toString();
        if (arguments[0].equals("exit")) System.exit(Integer.parseInt(arguments[1]));
        if (options.contains("encoder=" + arguments[1])) System.exit(3);
    }
}
"""


class Live(driver.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.java = driver.java_command("Work")
        self.temporary = self.folder / "temporary"
        self.temporary.mkdir()
        self.trace = self.folder / "trace.txt"
        self.trace.write_text("copse trace text 1\n0 call 1\n0 call 2@1\n0 return 2\n")

    def compare(self, *arguments):
        """Whatever it does, it leaves no file behind."""
        result = self.copse("compare", *arguments, env=dict(os.environ, TMPDIR=str(self.temporary)))
        self.assertEqual(list(self.temporary.iterdir()), [])
        return result

    def live(self, *arguments, status=0):
        result = self.compare("--format", "json", "--rounds", "1", *arguments)
        self.assertEqual(result.status, status, result.stderr)
        document = json.loads(result.stdout)
        self.check_schema(document)
        return document, {row["name"]: row for row in document["live"]["encoders"]}

    def check_schema(self, document):
        self.schema("copse.compare").validate(document)

    def test_every_inline_encoder_has_its_row_and_the_programs_output_none(self):
        result = self.compare("--rounds", "2", "--", *self.java, "exit", "0")
        self.assertEqual(result.status, 0, result.stderr)
        self.assertNotIn("noise", result.stdout + result.stderr)
        # One that does not count; bare and those that need no graph, twice.
        self.assertEqual(result.stderr, "message\n" * (1 + 2 * (1 + len(INLINE) - len(NEED_GRAPH))))
        rows = [line.split()[0] for line in result.stdout.split("\n\n")[1].splitlines()[1:]]
        self.assertEqual(rows, ["bare"] + [name for name in INLINE if name not in NEED_GRAPH])
        for name in NEED_GRAPH:
            self.assertIn(f"\n{name}: left out: needs --graph", result.stdout)
        self.assertIn("\nstack-walk: left out: needs --mark", result.stdout)

    def test_a_graph_brings_in_the_encoders_that_need_one(self):
        graph = self.folder / "graph.json"
        self.done("run", "-q", "-o", graph, "--", *self.java, "exit", "0")
        began = time.monotonic()
        document, rows = self.live("--encoder", "rcce,luce,pcc", "--graph", graph, "--", *self.java, "exit", "0")
        passed = time.monotonic() - began
        self.assertEqual(list(rows), ["rcce", "luce", "pcc"])
        self.assertNotIn("stream", document)
        bare = document["live"]["bare"]
        for row in rows.values():
            self.assertAlmostEqual(row["slowdown"], row["wall_s"] / bare["wall_s"])
            self.assertAlmostEqual(row["memory"], row["peak_bytes"] / bare["peak_bytes"])
            self.assertGreater(row["peak_bytes"], 10 << 20)
            self.assertLess(row["wall_s"], passed)

    def test_every_encoder_has_the_columns_of_its_paper(self):
        graph = self.folder / "graph.json"
        self.done("run", "-q", "-o", graph, "--", *self.java, "exit", "0")
        _, rows = self.live("--graph", graph, "--", *self.java, "exit", "0")
        for name in INLINE:
            (made,) = rows[name]["jvms"]
            self.assertEqual((made["tokens"], made["stack"]), (0, None), "no id was asked for")
            facts = made["facts"]
            if name != "pcc":
                # fibonacci(18) is 18 deep: each call from itself begins a piece, or RCCE's code is full once. DACCE's first
                # epoch knows no call, not even those of main and by main.
                self.assertEqual(facts["deepest_stack"], {"rcce": 1, "dacce": 19}.get(name, 17), name)
            if name in NEED_GRAPH:
                self.assertEqual((facts["nodes"], facts["call_sites"], facts["virtual_call_sites"]), (2, 3, 0))
                self.assertEqual((facts["edges"], facts["unexpected_edges"]), (3, 0))
        text = self.compare("--rounds", "1", "--details", "--encoder", "luce", "--", *self.java, "exit", "0").stdout
        self.assertRegex(text, r"\nluce: max id \d+, versions \d+, log entries \d+, breakpoints")

    def test_at_marks_every_encoder_is_asked_and_the_stack_walked(self):
        graph = self.folder / "graph.json"
        for home in driver.ARGS.homes:
            java = driver.java_command("Work", home=home)
            self.done("run", "-q", "-o", graph, "--", *java, "exit", "0")
            _, rows = self.live("--graph", graph, "--mark", "Work.fibonacci", "--", *java, "exit", "0")
            self.assertEqual(list(rows), [*INLINE, "stack-walk"])
            for name, row in rows.items():
                (made,) = row["jvms"]
                if name == "pcc":
                    continue
                # fibonacci(18) makes 2 F(19) - 1 calls.
                self.assertEqual(made["tokens"], 8361, name)
                if name == "segment":
                    self.assertEqual(made["stack"]["max"], 17)
                if name == "stack-walk":
                    # From main and fibonacci(18) down to fibonacci(1), and the probe's own frames.
                    self.assertGreaterEqual(made["stack"]["max"], 19)
                    self.assertLess(made["stack"]["max"], 25)
                    self.assertGreater(made["stack"]["mean"], rows["segment"]["jvms"][0]["stack"]["mean"])

    def test_a_walk_finds_as_many_stacks_as_there_are_contexts(self):
        for home in driver.ARGS.homes:
            java = driver.java_command("Work", home=home)
            self.done("ids", "--mark", "Work.fibonacci", "-o", "ids.json", "--", *java, "exit", "0")
            contexts = self.load("ids.json")["totals"]["contexts"]
            self.done("ids", "--encoder", "stack-walk", "--mark", "Work.fibonacci", "-o", "walk.json", "--", *java, "exit", "0")
            report = self.load("walk.json")
            self.assertEqual(report["totals"]["calls_seen"], 8361)
            (note,) = [note for note in report["notes"] if "hash values" in note]
            # Contexts of the report are those on the way, too.
            self.assertIn(f"{contexts - 1:,} different ones at events", note)

    def test_beside_a_trace_there_are_both(self):
        options = (self.trace, "--encoder", "cct,segment", "--", *self.java, "exit", "0")
        document, rows = self.live(*options)
        self.assertEqual([encoder["name"] for encoder in document["encoders"]], ["cct", "segment"])
        self.assertEqual(list(rows), ["segment"])
        text = self.compare("--rounds", "1", *options).stdout
        header = next(line for line in text.splitlines() if "ns/call" in line)
        self.assertTrue(header.endswith("slowdown"))
        self.assertTrue(next(line for line in text.splitlines() if line.startswith("cct ")).endswith(" -"))

    def test_a_program_that_exits_otherwise_under_an_encoder_is_a_failure(self):
        _, rows = self.live("--encoder", "segment,luce", "--", *self.java, "not-with", "luce", status=1)
        self.assertEqual(rows["luce"], {"name": "luce", "failure": "exit status 3, bare 0"})
        self.assertIn("slowdown", rows["segment"])

    def test_an_exit_status_of_its_own_is_none(self):
        document, rows = self.live("--encoder", "segment", "--", *self.java, "exit", "7")
        self.assertEqual(document["live"]["bare"]["exit_statuses"], [7])
        self.assertEqual(rows["segment"]["exit_statuses"], [7])

    def test_a_launcher_hands_the_encoder_on(self):
        script = 'exec "$0" "$@"'
        _, rows = self.live("--encoder", "segment,dacce", "--", "sh", "-c", script, *self.java, "exit", "0")
        self.assertTrue(all("slowdown" in row for row in rows.values()), rows)

    def test_a_command_without_a_jvm_is_a_failure(self):
        _, rows = self.live("--encoder", "segment", "--", "true", status=1)
        self.assertEqual(rows["segment"]["failure"], "no JVM kept ids to its end")

    def test_what_is_wrong_is_one_line(self):
        def refused(arguments, status, *values):
            self.assert_one_line(self.compare(*arguments), status, *values, stdout="")

        refused([], 2, "TRACE", "COMMAND")
        refused(["--encoder", "cct", "--", "true"], 2, "--encoder", "cct")
        refused([self.trace, "--encoder", "pcc", "--", "true"], 2, "--encoder", "pcc64")
        refused(["--withhold", "0.5", "--", "true"], 2, "--withhold", "TRACE")
        refused(["--encoder", "lucy", "--", "true"], 2, "--encoder", "lucy")
        refused(["--", "/none/such"], 1, "/none/such: No such file")
        here = self.folder / "here"
        refused(["--encoder", "segment", "--", "sh", "-c", f"test -e {here} && exit 1; touch {here}"], 1, "0", "1")
        refused(["--encoder", "segment", "--", "sh", "-c", "kill -TERM $$"], 1, "command")


driver.main("copse", sources=[PROGRAM])
