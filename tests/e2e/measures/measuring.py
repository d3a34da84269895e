"""Shared parts of the tests of measures: runs under Copse, and amounts of their reports."""

import collections
import math

import driver

# The default interval, and one that gives a sample at every tick of the kernel's.
SAMPLE_NS = 10_000_000
OFTEN = ("--measure", "cpu:interval=1ms")
TICK_NS = 4_000_000
# Rounds of ShortThreads.
ROUNDS = 3


OTHER_THREADS = "(threads without recorded calls)"


def by_context(report, measure):
    """Path of each context, `main;burn` -> what it has of the measure, exclusively. Parts of OTHER_THREADS are in it."""
    names, nodes = report["methods"]["name"], report["nodes"]
    paths, amounts = [], collections.Counter()
    for parent, method, amount in zip(nodes["parent"], nodes["method"], nodes[measure]):
        above = paths[parent] if parent >= 0 else ""
        paths.append(";".join(filter(None, (above, names[method]))) if method >= 0 else "")
        amounts[OTHER_THREADS if paths[-1].startswith(OTHER_THREADS) else paths[-1]] += amount
    return amounts


def by_method(report, measure):
    amounts = collections.Counter()
    for path, amount in by_context(report, measure).items():
        amounts[path.rpartition(";")[2]] += amount
    return amounts


class MeasuresTest(driver.CommandLineTest):
    def profile(self, program, *arguments, options=("--measure", "cpu"), home=None, jvm_options=()):
        """The program's output and the report."""
        command = driver.java_command(program, *arguments, home=home, jvm_options=jvm_options)
        outcome = self.done("ids" if "--encoder" in options else "run", "-q", *options, "-o", self.report, "--", *command)
        return outcome.stdout, self.load()

    def assert_few_lost(self, report):
        """No event, and few samples: what waits to be read has bounded room, which a starved reader lets run full."""
        for measure in report["metrics"]:
            exact = measure["name"] in ("exceptions", "allocations", "allocated_bytes", "contended_ns", "contentions")
            all_of_it = by_context(report, measure["name"]).total() + measure["lost"]
            self.assertLessEqual(measure["lost"], 0 if exact else 0.02 * all_of_it, measure["name"])

    def assert_sampled(self, amount, expected, *context, sample_ns=SAMPLE_NS):
        """Within four standard deviations of what samples of an expected time would give, and a tenth of it."""
        deviation = math.sqrt(max(expected, sample_ns) * sample_ns)
        self.assertLess(abs(amount - expected), 4 * deviation + 0.1 * expected, (amount, expected, *context))

    def assert_threads_add_up(self, report):
        """Rows of threads have all amounts but those of threads without recorded calls."""
        for measure in report["metrics"]:
            name, contexts = measure["name"], by_context(report, measure["name"])
            outside = sum(amount for path, amount in contexts.items() if path.startswith("(no recorded caller)"))
            # Divided among threads and among contexts by samples, each to the ns.
            rounded = len(contexts) if name in ("cpu_corrected_ns", "cpu_native_ns") else name == "cpu_ns"
            self.assertEqual(len(measure["threads"]), len(report["threads"]))
            rest = contexts.total() + measure["lost"] - contexts[OTHER_THREADS] - sum(measure["threads"])
            self.assertLessEqual(-rounded, rest, name)
            self.assertLessEqual(rest, outside + rounded, name)
