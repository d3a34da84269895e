#!/usr/bin/env python3
"""copse join: what the flight recorder saw of a program, on the tree of its calls."""

import collections
import functools
import gzip
import json
import os
import resource
import shutil
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402

# Most of the time is spin()'s: called at two lines of main, in a lambda, on a thread of its own, by a method that the
# JDK calls, and below more frames than the flight recorder keeps. little() is called often and takes no time.
SPINS = """
import java.util.Arrays;

public class Spins {
    interface Op { long of(long n); }
    static volatile long sink;
    static long spin(long n) { for (int i = 0; i < 20_000; i++) n = n * 31 + (n >>> 7); return n; }
    static long little(long n) { return n + 1; }
    static long deep(int depth, long n) { return depth == 0 ? spin(n) : deep(depth - 1, n) + 1; }
    static int compare(long a, long b) { return Long.compare(spin(a), spin(b)); }
    static void turn(Op op, long n) {
        sink += spin(n);
        sink += spin(n + 1);
        sink += op.of(n);
        sink += deep(100, n);
        Long[] two = {n + 2, n};
        Arrays.sort(two, Spins::compare);
        for (int i = 0; i < 50; i++) sink += little(n);
    }
    public static void main(String[] args) throws Exception {
        int turns = Integer.parseInt(args[0]);
        Thread other = new Thread(() -> { for (int i = 0; i < turns; i++) sink += spin(i); }, "other");
        other.start();
        for (int i = 0; i < turns; i++) turn(n -> spin(n), i);
        other.join();
    }
}
"""
# Another program, with other stacks.
TURNS = """
public class Turns {
    static volatile long sink;
    static long turn(int depth, long n) {
        if (depth > 0) return turn(depth - 1, n) + 1;
        for (int i = 0; i < 1_000_000; i++) n = n * 31 + (n >>> 7);
        return n;
    }
    public static void main(String[] args) {
        for (int i = 0; i < Integer.parseInt(args[0]); i++) sink += turn(7, i);
    }
}
"""
# Enough of the program to have all of its contexts, and enough to be seen by a sampler.
TURNS_COUNTED, TURNS_SAMPLED = 300, 5_000
CALLS_OF_SPIN = 7  # a turn
# Options of JVMs that end before C2 would pay, as the JDK's tool does.
SHORT_LIVED = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]

STACKS = "a.Main.main:5;a.Main.run 30\na.Main.main:6;a.Main.run 4\njava.lang.Thread.run 2\na.Main.main:9;a.Main.run 1\n"
TRACE = ("copse trace text 1\nmethod 1 a.Main main\nmethod 2 a.Main run\nsite 1@1 3 5\nsite 1@2 6 6\n0 call 1\n"
         "0 call 2@1\n0 return 1\n0 call 2@2\n0 return 2\n0 end\n")


def environment_of(home):
    return {**os.environ, "JAVA_HOME": home, "JAVA_TOOL_OPTIONS": " ".join(SHORT_LIVED)}


def sums_of(outcome):
    """Printed sums: name -> amount as printed."""
    return {what.strip(): amount for amount, what in
            (line.split(" % ", 1) for line in outcome.stdout.splitlines() if " % " in line)}


@functools.cache
def recording(home, *options, program="Spins", turns=TURNS_SAMPLED):
    """The file that the flight recorder made of the program."""
    path = os.path.join(driver.ARGS.work, f"{program}-{jvm.feature_version(home)}-{len(options)}.jfr")
    flight = f"-XX:StartFlightRecording=filename={path},settings=profile"
    sampled = jvm.run(driver.java_command(program, turns, home=home, jvm_options=[flight, *options]))
    assert sampled.status == 0, sampled
    return path


class FlightRecording(driver.CommandLineTest):
    def record(self, home, *options):
        self.count(home)
        shutil.copy(recording(home, *options), self.path("run.jfr"))

    def count(self, home, *words):
        counted = driver.java_command("Spins", TURNS_COUNTED, home=home, jvm_options=SHORT_LIVED)
        self.done("run", "-q", "-o", "calls.json", *words, "--", *counted)

    def joined(self, home, *words, name="joined_cpu_ns"):
        outcome = self.done("join", "calls.json", "run.jfr", "-o", "joined.json", *words, env=environment_of(home))
        report = self.load("joined.json")
        measure = next(measure for measure in report["metrics"] if measure["name"] == name)
        self.assertEqual(report["shown"], name)
        return report, measure, outcome

    def check(self, report, measure, outcome):
        names, nodes = report["methods"]["name"], report["nodes"]
        values = nodes[measure["name"]]
        of_method = {}
        for method, value in zip(nodes["method"], values):
            of_method[names[method] if method >= 0 else ""] = of_method.get(names[method] if method >= 0 else "", 0) + value
        total = sum(values)
        self.assertGreater(total, 200_000_000, outcome)
        of_program = total - of_method.get("(no recorded caller)", 0) + measure["lost"]
        self.assertGreater(of_program - measure["lost"], 0.95 * of_program, outcome)
        self.assertGreater(of_method["spin"], 0.8 * of_program, of_method)
        spins = {row for row, method in enumerate(nodes["method"]) if method >= 0 and names[method] == "spin" and values[row]}
        # Both lines of turn(), the lambda, the thread, below deep() and below compare().
        self.assertGreaterEqual(len(spins), 5, outcome)
        calls = sum(nodes["calls"][row] for row in range(len(values))
                    if nodes["method"][row] >= 0 and names[nodes["method"][row]] == "spin")
        self.assertEqual(calls, CALLS_OF_SPIN * TURNS_COUNTED)

    def test_of_a_run_without_copse_lies_on_the_calls_of_one_with_it(self):
        names = ("recording", "run.jfr.gz", "-", "/dev/stdin")
        homes = driver.ARGS.homes
        for at, home in enumerate(homes):
            with self.subTest(home):
                self.record(home)
                report, measure, outcome = self.joined(home)
                self.assertEqual(measure["unit"], "ns")
                self.check(report, measure, outcome)
                self.assertIn("-XX:FlightRecorderOptions=stackdepth=1024", outcome.stdout, "deep() is deeper than 64")
                self.check_names(home, report, names[at::len(homes)])

    def check_names(self, home, expected, names):
        """The JDK's tool takes files that end in .jfr alone."""
        recording = (self.folder / "run.jfr").read_bytes()
        (self.folder / "recording").write_bytes(recording)
        (self.folder / "run.jfr.gz").write_bytes(gzip.compress(recording, 1))
        (self.folder / "passing").mkdir(exist_ok=True)
        environment = environment_of(home) | {"TMPDIR": self.path("passing")}
        for name in names:
            with self.subTest(name), open(self.path("run.jfr.gz"), "rb") as stdin:
                done = subprocess.run([driver.ARGS.copse, "join", "calls.json", name, "-o", "any.json"], cwd=self.folder, env=environment,
                                      stdin=stdin, capture_output=True, timeout=jvm.TIMEOUT_S, check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(self.load("any.json")["nodes"], expected["nodes"])
                self.assertEqual(os.listdir(self.path("passing")), [])

    def test_finds_contexts_below_their_threads(self):
        home = driver.ARGS.homes[-1]
        self.record(home)
        _, plain, _ = self.joined(home)
        for way in ("group", "each"):
            with self.subTest(way):
                self.count(home, "--by-thread", way)
                report, measure, outcome = self.joined(home)
                self.assertLessEqual(measure["lost"], 1.05 * plain["lost"] + 20_000_000, outcome)
                names, nodes = report["methods"]["name"], report["nodes"]
                # Threads have names in the recording, and so none of the samples is of several of them.
                of_several = sum(value for method, value in zip(nodes["method"], nodes[measure["name"]])
                                 if method >= 0 and names[method] == "(one of several contexts)")
                self.assertLess(of_several, 0.05 * sum(nodes[measure["name"]]), outcome)
                # Beside the time stands what it is of.
                samples = nodes["joined_cpu_samples"]
                self.assertGreater(sum(samples), 20)
                self.assertEqual([value > 0 for value in nodes[measure["name"]]], [count > 0 for count in samples])

    def test_with_deeper_stacks_has_none_that_is_cut(self):
        home = driver.ARGS.homes[0]
        self.record(home, "-XX:FlightRecorderOptions=stackdepth=1024")
        report, measure, outcome = self.joined(home)
        self.check(report, measure, outcome)
        self.assertNotIn("stackdepth", outcome.stdout)
        self.assert_one_line(self.copse("join", "calls.json", "run.jfr", "-o", "no.json", "--period", "1ms",
                                        env=environment_of(home)), 1, "--period")
        # The flight recording as the JDK's tool prints it is read too. The JSON does not have the period.
        printed = jvm.run([driver.tool("jfr"), f"-J{SHORT_LIVED[0]}", "print", "--json", "--stack-depth", "2048", "--events",
                           "jdk.ExecutionSample,jdk.ActiveSetting", self.path("run.jfr")])
        (self.folder / "printed.json").write_text(printed.stdout)
        self.done("join", "joined.json", "printed.json", "-o", "twice.json")
        both = self.load("twice.json")
        samples = both["nodes"]["joined_samples"]
        self.assertEqual([10_000_000 * count for count in samples], both["nodes"]["joined_cpu_ns"])

    def test_recordings_one_behind_the_other_are_read_each_by_itself(self):
        """The numbers that stacks and methods have in one are those of others in the next."""
        def amounts():
            """Samples of each context, by the names on its path."""
            report = self.load("any.json")
            methods = list(zip(report["methods"]["class"], report["methods"]["name"]))
            paths, sums = [()], collections.Counter()
            for row, (parent, method) in enumerate(zip(report["nodes"]["parent"], report["nodes"]["method"])):
                if row != 0:
                    paths.append(paths[parent] + (methods[method],))
                    sums[paths[row]] += report["nodes"]["cpu_samples"][row]
            return +sums

        each = []
        for home, program, turns in ((driver.ARGS.homes[0], "Spins", TURNS_SAMPLED), (driver.ARGS.homes[-1], "Turns", 400)):
            shutil.copy(recording(home, program=program, turns=turns), self.path("run.jfr"))
            each.append((self.folder / "run.jfr").read_bytes())
            self.done("import", "run.jfr", "-o", "any.json", env=environment_of(driver.ARGS.homes[-1]))
            each.append(amounts())
        first, amounts_of_first, second, amounts_of_second = each
        self.assertTrue([path for path in amounts_of_second if ("Turns", "turn") in path])
        for name, content in (("both.jfr", first + second), ("both.gz", gzip.compress(second + first, 1))):
            with self.subTest(name):
                (self.folder / name).write_bytes(content)
                self.done("import", name, "-o", "any.json", env=environment_of(driver.ARGS.homes[-1]))
                self.assertEqual(amounts(), amounts_of_first + amounts_of_second)

    def test_needs_the_tool_of_a_jdk(self):
        self.write_report()
        (self.folder / "run.jfr").write_bytes(b"FLR\0" + bytes(60))
        nothing = {"PATH": self.path("nothing")}
        self.assert_one_line(self.copse("join", "r.json", "run.jfr", "-o", "j.json", env=nothing), 1, "run.jfr: ",
                             "jfr: No such file", "PATH", "JAVA_HOME", stdout="")
        tool = {**os.environ, "JAVA_HOME": driver.ARGS.homes[0]}
        self.assert_one_line(self.copse("join", "r.json", "run.jfr", "-o", "j.json", env=tool), 1, "run.jfr: ", "jfr")
        self.assertFalse((self.folder / "j.json").exists())

    def write_report(self):
        (self.folder / "t.trace").write_text(TRACE)
        self.done("replay", "t.trace", "-o", "r.json")


class Join(driver.CommandLineTest):
    def setUp(self):
        super().setUp()
        (self.folder / "t.trace").write_text(TRACE)
        self.done("replay", "t.trace", "-o", "r.json")
        (self.folder / "s.txt").write_text(STACKS)

    def test_says_where_the_samples_went(self):
        outcome = self.done("join", "r.json", "s.txt", "-o", "j.json")
        self.assertEqual(outcome.stdout,
                         "             37 100.0 %  in all: joined_samples\n"
                         "             34  91.9 %  in contexts\n"
                         "              2   5.4 %  outside recorded code\n"
                         "              1   2.7 %  unmatched\n"
                         "              1   2.7 %    a.Main.run: the report has no call of it from a.Main.main:9 in this "
                         "context\n"
                         "to look at it: copse report j.json\n")
        self.assertEqual(self.done("report", "j.json", "--format", "collapsed", "--lines").stdout,
                         "(no recorded caller) 2\na.Main.main:5;a.Main.run 30\na.Main.main:6;a.Main.run 4\n")
        self.assertIn("37 joined samples seen = 36 in nodes + 1 lost", self.done("report", "j.json").stdout)

    def test_reads_what_is_compressed(self):
        (self.folder / "s.gz").write_bytes(gzip.compress(STACKS.encode()))
        self.assertEqual(self.done("join", "r.json", "s.gz", "-o", "j.json").stdout,
                         self.done("join", "r.json", "s.txt", "-o", "j.json").stdout)

    def test_of_a_report_with_its_own_text_gives_every_value_back(self):
        self.done("report", "r.json", "--lines", "-o", "r.collapsed")
        self.done("join", "r.json", "r.collapsed", "-o", "j.json")
        nodes = self.load("j.json")["nodes"]
        self.assertEqual(nodes["joined_samples"], nodes["calls"])

    def test_can_be_done_again_under_another_name(self):
        self.done("join", "r.json", "s.txt", "-o", "j.json")
        self.assert_one_line(self.copse("join", "j.json", "s.txt", "-o", "k.json"), 1, "j.json: ", "joined_samples", "--as",
                             stdout="")
        self.done("join", "j.json", "s.txt", "-o", "k.json", "--as", "again")
        nodes = self.load("k.json")["nodes"]
        self.assertEqual(nodes["joined_samples"], nodes["again"])

    def test_takes_samples_for_the_time_that_it_is_told(self):
        outcome = self.done("join", "r.json", "s.txt", "-o", "j.json", "--period", "10ms")
        self.assertIn("370 ms 100.0 %  in all: joined_sampled_ns\n", outcome.stdout)
        self.assertIn("37 samples, each taken for 10,000,000 ns, as asked: an estimate.\n", outcome.stdout)
        self.assertEqual(sorted(self.load("j.json")["nodes"]["joined_sampled_ns"]),
                         [0, 0, 20_000_000, 40_000_000, 300_000_000])

    def test_writes_other_formats(self):
        self.done("join", "r.json", "s.txt", "-o", "j.tree")
        self.assertIn("a.Main.run", (self.folder / "j.tree").read_text())

    def test_refuses_what_it_cannot_do_and_leaves_files_alone(self):
        (self.folder / "bad.txt").write_text("a.Main.main x\n")
        (self.folder / "bad.json").write_text("{}")
        before = {name: (self.folder / name).read_bytes() for name in os.listdir(self.folder)}
        for words, status, parts in [
                (["r.json", "s.txt", "-o", "r.json"], 2, ["r.json"]),
                (["r.json", "s.txt", "-o", "s.txt"], 2, ["s.txt"]),
                (["r.json", "s.txt", "-o", "j.ids"], 2, ["j.ids", ".json"]),
                (["r.json", "s.txt", "-o", "none/j.json"], 1, ["none/j.json: "]),
                (["r.json", "s.txt"], 2, ["--output"]),
                (["r.json", "none.txt", "-o", "j.json"], 1, ["none.txt"]),
                (["s.txt", "s.txt", "-o", "j.json"], 1, ["s.txt"]),
                (["r.json", "r.json", "-o", "j.json"], 1, ["r.json"]),
                (["r.json", "bad.txt", "-o", "j.json"], 1, ["bad.txt: line 1: "]),
                (["r.json", "bad.json", "-o", "j.json"], 1, ["bad.json"]),
                (["r.json", "s.txt", "-o", "j.json", "--as", "calls"], 1, ["calls"]),
                (["r.json", "s.txt", "-o", "j.json", "--as", "Not One"], 2, ["Not One"]),
                (["r.json", "s.txt", "-o", "j.json", "--period", "10"], 2, ["--period 10: "]),
                (["r.json", "s.txt", "-o", "j.json", "--value", "cpu"], 1, ["--value cpu: ", "samples"])]:
            with self.subTest(words):
                self.assert_one_line(self.copse("join", *words), status, *parts)
                self.assertEqual({name: (self.folder / name).read_bytes() for name in os.listdir(self.folder)}, before)

    def test_reads_a_long_recording_in_little_memory(self):
        frames = [{"method": {"type": {"name": "a/Main", "classLoader": {"name": "app", "type": {"name": "x" * 200}}},
                              "name": name, "descriptor": "()V"}, "lineNumber": line, "bytecodeIndex": line - 2}
                  for name, line in [("run", 8), ("main", 5)]]
        event = json.dumps({"type": "jdk.ExecutionSample",
                            "values": {"stackTrace": {"truncated": False, "frames": frames}}})
        count = 60_000_000 // len(event)
        with open(self.path("long.json"), "w", encoding="utf-8") as file:
            file.write('{"recording": {"events": [' + event)
            for _ in range(count - 1):
                file.write("," + event)
            file.write("]}}")

        def limit():
            resource.setrlimit(resource.RLIMIT_DATA, (24 << 20, 24 << 20))

        outcome = self.done("join", "r.json", "long.json", "-o", "j.json", preexec_fn=limit)
        self.assertEqual(sums_of(outcome)["in contexts"].split()[0], f"{count:,}")


driver.main("copse", sources=[SPINS, TURNS])
