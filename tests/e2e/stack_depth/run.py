#!/usr/bin/env python3
"""How deep a program can recurse, in every kind of compiled code: at least as deep as without Copse where
`copse run` starts it and in every thread that it starts itself; in the main thread of a program that
loads the agent on its own, not less than the larger frames cost."""

import os
import sys
import unittest

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS  # noqa: E402

# How often the program recurses: until it is compiled by every compiler, or by the only one there is. Interpreted it comes
# to the same depth every time.
TIMES = 12
TIMES_IN_ONE_TIER = 3
TIMES_INTERPRETED = 1
TIERS = {
    "interpreter": ["-Xint"],
    "C1 alone": ["-XX:TieredStopAtLevel=1"],
    "tier 3": ["-XX:TieredStopAtLevel=3"],
    "default": [],
}
ENGINES = {"in place": "", "packets": "engine=parallel", "ids": "mode=ids,encoder=pcc"}
# Share of the depth without Copse, in the main thread of a program that loads the agent on its own: what
# was measured (docs/decisions/0006-frames-of-recorded-methods.md), less a tenth. A program that warms up has
# frames of every tier and, by the luck of the compilers' timing, another depth each time: it has to come as
# deep as the tier that is allowed least, and in the end, with one compiler alone, as deep as that one's.
LEAST_OF_AGENT_ALONE = {
    "interpreter": {"in place": 0.67, "packets": 0.67, "ids": 0.59},
    "C1 alone": {"in place": 0.32, "packets": 0.28, "ids": 0.28},
    "tier 3": {"in place": 0.32, "packets": 0.28, "ids": 0.28},
}
ENOUGH = 0.95


def depths(outcome):
    """By thread, the depths it came to, in turn."""
    if outcome.status != 0:
        raise AssertionError(outcome)
    lines = [line.split() for line in outcome.stdout.splitlines()]
    return {thread: [int(depth) for depth in reached] for thread, *reached in lines if thread != "refused"}


class Programs:
    """Runs of the program on one JDK."""

    def __init__(self, home):
        self.name = f"JDK {jvm.feature_version(home)}"
        self.home = home
        self.report = os.path.join(ARGS.work, os.path.basename(home) + ".json")

    def program(self, *options):
        in_one_tier = any(option in options for tier in TIERS.values() for option in tier)
        times = TIMES_INTERPRETED if "-Xint" in options else TIMES_IN_ONE_TIER if in_one_tier else TIMES
        return driver.java_command("Depths", str(times), home=self.home, jvm_options=options)

    def bare(self, options):
        return jvm.run(self.program(*options))

    def with_agent(self, options, agent_options):
        agent = ",".join(filter(None, ["quiet", f"out={self.report}", agent_options]))
        return jvm.run(driver.with_agent(self.program(*options), agent))

    def command(self, command, *options, mode="run"):
        return [ARGS.copse, mode, "-q", "-o", self.report, *options, "--", *command]

    def with_copse_run(self, options, agent_options):
        given = dict(option.split("=") for option in agent_options.split(",") if option)
        mode = given.pop("mode", "run")
        words = [word for name, value in given.items() for word in ("--" + name, value)]
        return jvm.run(self.command(self.program(*options), *words, mode=mode))


def least_of_agent_alone(engine, bare):
    """By tier, the depth that the main thread has to come to, from the depths without Copse."""
    return {name: share[engine] * max(bare[name]["main"]) for name, share in LEAST_OF_AGENT_ALONE.items()}


def is_whole(home):
    """True where everything is tried on this JDK, and not only what differs by JDK."""
    return ARGS.all or home == ARGS.homes[0]


def cases():
    """Every JDK and tier, with the depths of every tier without Copse, and on the first JDK every engine in C1's code, whose
    frames grow most; with --all every engine in each."""
    for home in ARGS.homes:
        programs = Programs(home)
        bare = {tier: depths(programs.bare(options)) for tier, options in TIERS.items()}
        for tier in TIERS:
            every = ARGS.all or home == ARGS.homes[0] and tier == "C1 alone"
            for engine in ENGINES if every else ("in place",):
                yield programs, tier, engine, bare


class StackDepth(driver.CommandLineTest):
    def assert_as_deep(self, found, bare, thread):
        self.assertGreaterEqual(min(found[thread]), ENOUGH * max(bare[thread]), (thread, found, bare))

    def test_is_what_it_was_wherever_threads_get_more_stack_and_not_far_less_elsewhere(self):
        for programs, tier, engine, bare in cases():
            with self.subTest(jdk=programs.name, tier=tier, engine=engine):
                found = depths(programs.with_copse_run(TIERS[tier], ENGINES[engine]))
                for thread in bare[tier]:
                    self.assert_as_deep(found, bare[tier], thread)
                found = depths(programs.with_agent(TIERS[tier], ENGINES[engine]))
                self.assert_as_deep(found, bare[tier], "default")
                self.assert_as_deep(found, bare[tier], "explicit")
                least = least_of_agent_alone(engine, bare)
                self.assertGreaterEqual(min(found["main"]), min(least.values()), (found, bare))
                self.assertGreaterEqual(found["main"][-1], least.get(tier, 0), (found, bare))


class Handlers(driver.CommandLineTest):
    """A probe at the start of a handler may find no stack. The handler runs all the same: in all compiled code, with every
    kind of probes."""

    TIERS = [[], ["-XX:TieredStopAtLevel=1"], ["-XX:-TieredCompilation"]]
    # Mode and options of the command, and the program's argument: the first in every tier and on every JDK.
    KINDS = [
        ("run", ["--measure", "calls"], []),
        ("run", ["--measure", "calls,cpu,exceptions"], ["quiet"]),
        ("run", ["--engine", "parallel"], []),
        ("ids", ["--encoder", "pcc"], []),
        ("ids", ["--encoder", "segment"], []),
    ]

    def test_run_in_the_frame_that_overflows(self):
        for home in ARGS.homes:
            for at, (mode, options, arguments) in enumerate(self.KINDS if is_whole(home) else self.KINDS[:1]):
                for tier in self.TIERS if ARGS.all or at == 0 else self.TIERS[:1]:
                    program = driver.java_command("Handlers", *arguments, home=home, jvm_options=tier)
                    with self.subTest(home=home, options=options, tier=tier):
                        outcome = jvm.run([ARGS.copse, mode, "-q", "-o", self.report, "--keep-stack-size", *options, "--", *program])
                        self.assertEqual(outcome.status, 0, outcome)
                        shapes = ["caught"] if arguments else ["caught", "locked", "marked"]
                        self.assertEqual(outcome.stdout.splitlines(), [s + " true 0 0 false" for s in shapes] * 8)


class Returns(driver.CommandLineTest):
    """A probe before a return, or where an exception leaves a method, may find no stack. The value is returned, and the
    exception is thrown, all the same: no exception that the program sees comes from there."""

    TIERS = [*Handlers.TIERS, ["-Xint"]]
    # Mode and options of the command, and the program's argument: the first in every tier, the first two on every JDK.
    KINDS = [
        ("run", ["--measure", "calls"], []),
        ("ids", ["--encoder", "pcc"], []),
        ("run", ["--measure", "calls", "--jdk"], ["quiet"]),
        ("run", ["--measure", "calls,exceptions"], ["quiet"]),
        ("run", ["--engine", "parallel"], []),
        ("run", ["--engine", "uptree"], []),
        ("ids", ["--encoder", "segment"], []),
    ]
    SHAPES = ["int", "boolean", "long", "double", "float", "object", "array", "nothing", "synchronized", "block", "constructor",
              "many", "mark", "overflow"]

    def setUp(self):
        super().setUp()
        with open(os.path.join(sys.path[0], "programs", "Returns.java"), encoding="utf-8") as source:
            self.source = ["", *(line.strip() for line in source)]

    def assert_right(self, outcome, shapes):
        self.assertEqual(outcome.status, 0, outcome)
        found = [line.split() for line in outcome.stdout.splitlines()]
        self.assertEqual([words[:4] for words in found], [[shape, "true", "0", "false"] for shape in shapes] * 8)
        for shape, _, _, _, *lines in found:
            self.assertTrue(lines, shape)
            for line in map(int, lines):
                self.assertIn("(", self.source[line], (shape, line))

    def test_give_the_callers_their_value_in_the_frame_that_overflows(self):
        for home in ARGS.homes:
            for at, (mode, options, arguments) in enumerate(self.KINDS if is_whole(home) else self.KINDS[:2]):
                for tier in self.TIERS if ARGS.all or is_whole(home) and at == 0 else self.TIERS[:1]:
                    program = driver.java_command("Returns", *arguments, home=home, jvm_options=tier)
                    with self.subTest(home=home, options=options, tier=tier):
                        command = [ARGS.copse, mode, "-q", "-o", self.report, "--keep-stack-size", *options, "--", *program]
                        self.assert_right(jvm.run(command), self.SHAPES[:-2] if arguments else self.SHAPES)


class StackTraces(driver.CommandLineTest):
    """A stack may overflow in a probe. The trace has the program's frames alone."""

    # Command and options, and rounds: the probes that all JDKs have, and the others.
    KINDS = [
        (["run", "--measure", "calls,cpu"], 300),
        (["run", "--measure", "calls,alloc=exact,exceptions", "--slice", "Traces.down"], 20),
        (["run", "--engine", "parallel", "--measure", "calls,alloc=exact"], 100),
        (["run", "--engine", "uptree"], 100),
        (["run", "--jdk", "--measure", "calls"], 20),
        (["ids", "--encoder", "segment", "--mark", "Traces.through", "--measure", "alloc=exact"], 100),
        (["ids", "--encoder", "pcc"], 100),
        (["validate", "--encoder", "segment"], 20),
        (["record", "--values", "Traces"], 3),
    ]

    def test_are_those_of_the_program_without_copse(self):
        for home in ARGS.homes:
            for words, rounds in self.KINDS if is_whole(home) else self.KINDS[:1]:
                for tier in TIERS.values() if words == self.KINDS[0][0] else ([],):
                    with self.subTest(home=home, words=words, tier=tier):
                        program = driver.java_command("Traces", rounds, home=home, jvm_options=tier)
                        bare = jvm.run(program)
                        keep = ["--keep-stack-size"] if words[0] != "validate" else []
                        outcome = self.copse(*words, "-q", *keep, "--", *program)
                        self.assertEqual((outcome.status, outcome.stdout), (0, bare.stdout), outcome.stderr)


CASES = 300
# A method that would pass 8,000 bytes with a probe before each return. It calls itself until the stack is full.
LARGE = """
public class NAME {
    static int last, sum;

    static int called(int number) {
        return of(number);
    }

    static int of(int number) {
        return number;
    }

    static int large(int depth) {
        TRIES
        CASES
        int result;
        try {
            result = large(depth + 1);
        } catch (StackOverflowError e) {
            result = last = depth;
        }
        return result;
    }

    public static void main(String[] args) {
        for (int round = 0; round < 8; round++) {
            boolean isRight = large(0) == last && last > 100;
            for (int i = 1; i <= COUNT; i++) sum += large(-i);
            System.out.println(isRight + " " + sum);
        }
    }
}
""".replace("CASES", " ".join(f"if (depth == -{i}) return called({i});" for i in range(1, CASES + 1))).replace("COUNT", str(CASES))
# So many handlers of exceptions that there is no room for probes in them.
TRIES = " ".join(["try { if (depth == -999) of(0); } catch (ArithmeticException e) { sum++; }"] * 16)
LARGE_SOURCES = [LARGE.replace("NAME", "Large").replace("TRIES", ""), LARGE.replace("NAME", "LargeHandlers").replace("TRIES", TRIES)]


class LargeMethods(driver.CommandLineTest):
    """Returns that have one probe in common give their values, also where that finds no stack."""

    def test_are_recorded_compiled_and_right(self):
        expected = [f"true {turn * CASES * (CASES + 1) // 2}" for turn in range(1, 9)]
        for home in ARGS.homes:
            for name, tier in (("Large", []), ("Large", ["-Xint"]), ("LargeHandlers", [])):
                compiled = self.path("compiled.log")  # on standard output, its lines may begin within others
                of_jvm = [f"-Xlog:jit+compilation=debug:file={compiled}:none", *tier]
                program = driver.java_command(name, home=home, jvm_options=of_jvm)
                with self.subTest(home=home, tier=tier, program=name):
                    options = ["-q", "-o", self.path("large.json"), "--keep-stack-size", "--measure", "calls"]
                    outcome = jvm.run([ARGS.copse, "run", *options, "--", *program])
                    self.assertEqual(outcome.status, 0, outcome)
                    self.assertEqual(outcome.stdout.splitlines(), expected)
                    with open(compiled, encoding="utf-8") as file:
                        self.assertEqual(f"{name}::large (" in file.read(), not tier)
                    report = self.load("large.json")
                    self.assertEqual(report["skipped"], [])
                    noted = any("would pass 8,000 bytes" in note for note in report["notes"])
                    self.assertEqual(noted, name == "LargeHandlers", report["notes"])
                    calls = driver.calls_by_method(report)
                    self.assertEqual((calls["called"], calls["of"]), (8 * CASES, 8 * CASES), calls)


class StackSizes(driver.CommandLineTest):
    """On the first JDK, in compiled code of one kind."""

    C1 = ["-XX:TieredStopAtLevel=1"]

    @classmethod
    def setUpClass(cls):
        cls.programs = Programs(ARGS.homes[0])

    # Its depths are the same every time: no compiler comes sooner or later.
    INTERPRETER = ["-Xint"]

    def deepest(self, outcome):
        return {thread: max(reached) for thread, reached in depths(outcome).items()}

    def assert_deeper(self, options):
        bare = self.deepest(self.programs.bare(self.C1 + options))
        found = self.deepest(self.programs.with_copse_run(self.C1 + options, ""))
        for thread in bare:
            self.assertGreaterEqual(found[thread], ENOUGH * bare[thread], (options, thread))

    def test_that_the_programs_options_set_are_scaled(self):
        for options in (["-Xss3m"], ["-XX:ThreadStackSize=3000"], ["-Xss600k", "-XX:ThreadStackSize=3000"]):
            self.assert_deeper(options)

    def test_of_a_shell_scripts_program_are_scaled_and_its_own_java_options_stay(self):
        script = 'exec "$0" "$@"'
        env = dict(os.environ, JDK_JAVA_OPTIONS="-Xss3m -Dmine=1")
        shell = ["sh", "-c", script, *self.programs.program(*self.C1)]
        bare = self.deepest(jvm.run(shell, env=env))
        outcome = jvm.run(self.programs.command(shell), env=env)
        found = self.deepest(outcome)
        self.assertIn(" JDK_JAVA_OPTIONS: -Xss3m -Dmine=1\n", outcome.stderr)
        for thread in bare:
            self.assertGreaterEqual(found[thread], ENOUGH * bare[thread], thread)

    def test_stay_as_they_were_when_asked_for(self):
        bare = self.deepest(self.programs.bare(self.INTERPRETER))
        command = self.programs.command(self.programs.program(*self.INTERPRETER), "--keep-stack-size")
        found = self.deepest(jvm.run(command))
        for thread in bare:
            self.assertLess(found[thread], 0.9 * bare[thread], thread)

    def options_of_report(self):
        options = self.load(self.programs.report)["options"]
        return options["stack-scale"], options["main-stack"]

    def test_stand_in_the_reports_options(self):
        self.programs.with_copse_run(self.C1, "")
        self.assertEqual(self.options_of_report(), ("8", str(8 << 20)))
        self.programs.with_agent(self.C1, "")
        self.assertEqual(self.options_of_report(), ("8", "0"))
        self.programs.with_agent(self.C1, "keep-stack-size")
        self.assertEqual(self.options_of_report(), ("1", "0"))

    def test_stay_as_they_were_where_address_space_is_limited(self):
        limited = ["sh", "-c", "ulimit -v 40000000; exec \"$0\" \"$@\""]
        command = self.programs.command(self.programs.program("-Xmx64m", *self.C1))
        outcome = jvm.run([*limited, *command])
        self.assertEqual(outcome.status, 0, outcome)
        self.assertEqual(self.options_of_report(), ("1", "0"))

    def test_that_cannot_be_had_fail_as_they_do_without(self):
        refused = [*self.programs.program(*self.C1), "refuse"]
        bare, found = jvm.run(refused), jvm.run(self.programs.command(refused))
        refusals = [[line for line in outcome.stdout.splitlines() if line.startswith("refused")]
                    for outcome in (bare, found)]
        self.assertEqual(len(refusals[0]), 1, bare)
        self.assertEqual(refusals[0], refusals[1])


def setUpModule():
    """With --table: the table, and no test."""
    if not ARGS.table:
        return
    for home in ARGS.homes:
        programs = Programs(home)
        for tier, options in TIERS.items():
            bare = depths(programs.bare(options))["main"]
            print(f"{programs.name}, {tier}: bare {min(bare):,} to {max(bare):,}")
            for engine, agent_options in ENGINES.items():
                alone = depths(programs.with_agent(options, agent_options))["main"]
                run = depths(programs.with_copse_run(options, agent_options))["main"]
                print(f"    {engine:9}agent alone {min(alone):,} to {max(alone):,}; copse run {min(run):,} to {max(run):,}")
    raise unittest.SkipTest("the table alone")


SOURCES = [f"programs/{name}.java" for name in ("Depths", "Handlers", "Returns", "Traces")]
driver.main("copse", "agent", sources=[*SOURCES, *LARGE_SOURCES], table="print what was reached and test nothing", all="every engine, JDK and tier")
