#!/usr/bin/env python3
"""copse run --runs: a command several times, one report with what each context had least and most."""

import glob
import json
import os
import signal
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS  # noqa: E402

# Rolls as often as the file of its argument has lines, then adds one: 1, 2, 3 times in turn.
DICE = """
public class Dice {
    static void roll() { }
    static void last() { }
    static void same() { }
    public static void main(String[] args) throws Exception {
        java.nio.file.Path file = java.nio.file.Path.of(args[0]);
        String before = java.nio.file.Files.exists(file) ? java.nio.file.Files.readString(file) : "";
        java.nio.file.Files.writeString(file, before + "x");
        Thread worker = new Thread(() -> { for (int i = 0; i <= before.length(); i++) roll(); }, "worker");
        worker.start();
        worker.join();
        for (int i = 0; i < 10; i++) same();
        if (before.length() == 2) last();
        System.out.println("run " + (before.length() + 1));
        if (args.length > 1 && args[1].equals("wait") && before.length() == 1) {
            System.out.println("waiting");
            System.out.flush();
            Thread.sleep(1_000_000);
        }
        if (args.length > 1 && args[1].equals("fail") && before.length() > 0) System.exit(40 + before.length());
    }
}
"""


class Runs(driver.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.java = [*driver.java_command("Dice"), self.path("count")]

    def column(self, report, name):
        """By method."""
        nodes = report["nodes"]
        return {report["methods"]["name"][method]: value
                for method, value in zip(nodes["method"], nodes[name]) if method >= 0}

    def test_one_report_is_of_the_first_run_with_the_ranges_of_all(self):
        outcome = self.done("run", "--runs", "3", "-o", self.report, "--", *self.java)
        self.assertEqual(outcome.stdout, "run 1\nrun 2\nrun 3\n")
        report = self.load()
        self.assertEqual(report["program"]["runs"], 3)
        for column, roll, last in (("calls", 1, 0), ("least_calls", 1, 0), ("greatest_calls", 3, 1)):
            values = self.column(report, column)
            self.assertEqual((values["roll"], values["last"], values["same"]), (roll, last, 10), column)
        self.assertRegex(report["notes"][-1], r"^The 3 runs differ in the calls of 2 of 5 contexts, topmost in: .*"
                                              r"Dice.roll <- .* \(1 to 3 calls, thread worker\)")
        self.assertRegex(outcome.stderr, r"(?m)^copse: run 2 of 3: 14 calls in 4 contexts, 0 lost$")
        self.assertRegex(outcome.stderr, r"(?m)^copse: the 3 runs differ in the calls of 2 of 5 contexts")
        self.assertIn("first of 3 runs", self.done("report", self.report).stdout)
        self.assertEqual(self.done("query", self.report, "SELECT runs FROM runs", "--format", "csv").stdout, "runs\n3\n")
        self.check_sums(report)

    def check_sums(self, report):
        """Checks the sums of the report with another one of three runs, and with one of one run."""
        self.done("merge", self.report, self.report, "-o", "twice.json")
        twice = self.load("twice.json")
        self.assertEqual(twice["program"]["runs"], 3)
        for column in ("calls", "least_calls", "greatest_calls"):
            self.assertEqual(self.column(twice, column), {name: 2 * value for name, value in self.column(report, column).items()})
        self.done("run", "-o", "single.json", "--", *self.java)
        self.done("merge", self.report, "single.json", "-o", "mixed.json")
        mixed = self.load("mixed.json")
        self.assertEqual((mixed["program"].get("runs", 1), [m["name"] for m in mixed["metrics"] if m["name"].startswith(("least_", "greatest_"))]), (1, []))
        self.assertIn("The merged reports are not all of as many runs: what contexts had least and most in these was left out.",
                      mixed["notes"])

    def test_the_report_is_in_the_format_and_has_the_name_that_was_asked_for(self):
        self.done("run", "--runs", "2", "-o", "%c-%p.html", "--", *self.java)
        self.assertRegex("".join(os.listdir(self.folder)), r"Dice-\d+\.html")
        self.done("run", "--runs", "2", "--quiet", "-o", "d.tree", "--", *self.java)
        with open(self.path("d.tree"), encoding="utf-8") as tree:
            self.assertIn("Dice.roll", tree.read())
        self.assertEqual(glob.glob(self.path("*.json")), [])

    def test_several_jvms_leave_a_report_each(self):
        script = " ".join(f"'{word}'" for word in self.java)
        self.done("run", "--runs", "2", "-o", "all.json", "--", "sh", "-c", f"{script}; {script}")
        reports = glob.glob(self.path("all*.json"))
        self.assertEqual(len(reports), 2, reports)
        rolled = sorted((self.column(report, "least_calls")["roll"], self.column(report, "greatest_calls")["roll"])
                        for report in map(self.load, reports))
        self.assertEqual(rolled, [(1, 3), (2, 4)])

    def test_the_status_is_the_first_that_is_not_0(self):
        outcome = self.copse("run", "--runs", "3", "-o", self.report, "--", *self.java, "fail")
        self.assertEqual((outcome.status, outcome.stdout), (41, "run 1\nrun 2\nrun 3\n"))
        self.assertEqual(self.load()["program"]["runs"], 3)

    def test_an_interrupt_ends_all_runs_and_keeps_those_that_were_complete(self):
        for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            with self.subTest(number=number):
                if os.path.exists(self.path("count")):
                    os.remove(self.path("count"))
                process = self.start([ARGS.copse, "run", "--runs", "5", "-o", self.report, "--", *self.java, "wait"],
                                     "run 1", "run 2", "waiting")
                if number == signal.SIGINT:
                    os.killpg(process.pid, number)  # as a terminal does
                else:
                    os.kill(process.pid, number)
                stdout, stderr = process.communicate(timeout=jvm.TIMEOUT_S)
                self.assertEqual((process.returncode, stdout), (status, ""), stderr)
                self.assertIn("copse: run 2 of 5 was interrupted, and is not in the report\n", stderr)
                report = self.load()
                self.assertNotIn("runs", report["program"])
                self.assertEqual(self.column(report, "calls")["roll"], 1)

    def test_what_cannot_be_is_said(self):
        self.assert_one_line(self.copse("run", "--runs", "0", "--", *self.java), 2, "--runs 0", stdout="")
        self.assert_one_line(self.copse("run", "--runs", "-3", "--", *self.java), 2, "--runs")
        self.assert_one_line(self.copse("run", "--runs", "2", "--", "no-such-program"), 127, "no-such-program", stdout="")
        self.assert_one_line(self.copse("run", "--runs", "2", "-o", "none/x.json", "--", *self.java), 1,
                             "none/x.json")
        self.assertFalse(os.path.exists(self.path("count")))


# Makes an array for each price, 24 bytes; with an argument, another number of operations in each run.
BENCH = """
public class Bench {
    static final class Order {
        private final int price;
        Order(int price) { this.price = price; }
        int[] prices() { return new int[] {price}; }
    }
    static long total(Order[] orders) {
        long sum = 0;
        for (Order order : orders) sum += order.prices()[0];
        return sum;
    }
    public static void main(String[] args) throws Exception {
        Order[] orders = {new Order(1), new Order(2), new Order(3)};
        int operations = args.length == 0 ? 1000 : 1000 + (int) (ProcessHandle.current().pid() % 100);
        for (int i = 0; i < operations; i++) total(orders);
    }
}
"""


class Measure(driver.CommandLineTest):
    """copse measure: what one operation does."""

    def measured(self, *words):
        self.done("measure", "-q", "-o", "costs.json", *words)
        with open(self.path("costs.json"), encoding="utf-8") as file:
            costs = json.load(file)
        self.assertEqual(costs["schema"], "copse.measure/1")
        program, = costs["programs"]
        return program, {measure["name"]: measure for measure in program["measures"]}

    def test_a_hidden_allocation_is_the_same_to_the_byte_in_each_run(self):
        java = driver.java_command("Bench")
        program, measures = self.measured("--per", "Bench.total", "--", *java)
        self.assertEqual((program["program"], program["operations"]), ("Bench", [1000] * 3))
        for name, each in (("calls", 4), ("allocated_bytes", 72), ("exceptions", 0), ("contentions", 0)):
            self.assertEqual(measures[name]["per_operation"], [each] * 3)
            self.assertEqual(measures[name]["amounts"], [1000 * each] * 3)
        array, = measures["allocated_bytes"]["contexts"]
        self.assertEqual(array, {"path": ["Bench.total", "Bench$Order.prices", "new int[]"], "least": 72000, "greatest": 72000})
        again = self.measured("--per", "Bench.total", "--", *java)
        self.assertEqual(again, (program, measures))

    def test_the_text_says_where_it_comes_from(self):
        said = self.done("measure", "--per", "Bench.total", "--runs", "2", "--", *driver.java_command("Bench"))
        self.assertEqual(said.stderr, "copse: run 1 of 2: Bench\ncopse: run 2 of 2: Bench\n")
        self.assertIn("Bench: 2 runs; outermost calls of Bench.total in each: 1,000\n", said.stdout)
        self.assertRegex(said.stdout, r"(?m)^ +4 +4,000  calls; equal in all runs$")
        self.assertRegex(said.stdout, r"(?m)^ +72  new int\[\] <- Order\.prices <- Bench\.total:\d+$")

    def test_runs_with_more_operations_cost_the_same_for_each(self):
        program, measures = self.measured("--per", "Bench.total", "--runs", "2", "--", *driver.java_command("Bench"), "more")
        for count, calls in zip(program["operations"], measures["calls"]["amounts"]):
            self.assertEqual(calls, 4 * count)
        self.assertEqual(measures["calls"]["per_operation"], [4, 4])

    def test_without_a_method_a_run_is_the_operation(self):
        dice = [*driver.java_command("Dice"), self.path("count")]
        program, measures = self.measured("--", *dice)
        self.assertEqual((program["per"], program["operations"]), ("", [1] * 3))
        calls = measures["calls"]["amounts"]
        self.assertEqual((calls[1] - calls[0], calls[2] - calls[1]), (1, 2))
        ranges = {tuple(context["path"][-1:]): (context["least"], context["greatest"])
                  for context in measures["calls"]["contexts"]}
        self.assertEqual(ranges["Dice.roll",], (1, 3))

    def test_says_what_it_cannot_do(self):
        java = driver.java_command("Bench")
        self.assert_one_line(self.copse("measure", "--runs", "1", "--", *java), 2, "--runs 1", stdout="")
        self.assert_one_line(self.copse("measure", "-o", "a.csv", "--", *java), 2, "a.csv", stdout="")
        self.assert_one_line(self.copse("measure", "-q", "--per", "Bench.totl", "--", *java), 1, "--per Bench.totl", stdout="")
        outcome = self.copse("measure", "--per", "Bench.totl", "--runs", "9", "--", *java)
        self.assertEqual(outcome.stderr.count("run "), 1, "one run shows that nothing matches")
        self.assert_one_line(self.copse("measure", "-q", "--", "true"), 1, "no JVM", stdout="")
        self.assertEqual(self.copse("measure", "-q", "--", "false").status, 1)


driver.main("copse", sources=[DICE, BENCH])
