#!/usr/bin/env python3
"""copse-test.jar: the calls of a piece of code, counted in the program itself and by the extension for JUnit 5."""

import functools
import json
import os
import re
import shutil
import signal
import sqlite3
import sys
import unittest
from random import Random

sys.path[1:1] = [sys.path[0] + "/..", sys.path[0] + "/../identity"]
import driver  # noqa: E402
import jvm  # noqa: E402
import stable_ids  # noqa: E402
from driver import ARGS  # noqa: E402

EXAMPLE = driver.REPOSITORY / "examples/unit-test"
JUNIT = [f"/usr/share/java/{name}.jar"
         for name in re.search(r"for name in ([^;]*);", (EXAMPLE / "run").read_text())[1].replace("\\\n", "").split()]
PROGRAMS = [f"programs/{name}.java" for name in ("Rounds", "Ends", "Patterns", "TextVerdict", "NormalNamesOf")]
# The oracle's own calls, and lambdas, are in no context.
ONLY_ROUNDS = "include=Rounds.**,exclude=Rounds.lambda$**,exclude=Rounds.main,exclude=Rounds.start"
SEED = 20261123
# Options for the example's compiler and JVM, which end before C2 would pay.
SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


def of_acme(name, *sources):
    """Folder with the classes of these sources, which are tests of JUnit and what they test."""
    return driver.compiled(sources, name, options=["-cp", os.pathsep.join([ARGS.test_jar, *JUNIT])])


def changes_of(said):
    """The lines of JUnit's output that say what a baseline has not."""
    return set(re.findall(r"^ +((?:new|more|fewer|gone): .*)$", said, re.MULTILINE))


def outcomes_in(said):
    """Result of each test in JUnit's output: None, or the beginning of its failure."""
    return {name: None if how == "✔" else text for name, how, text in
            re.findall(r"[├└]─ ((?:\w+\(\)|repetition \d of 2)) ([✔✘])(?: (.*))?$", said, re.MULTILINE)}


@functools.cache
def example(home):
    """How the example ended as its reader runs it, and the folder with its classes and its report."""
    out = os.path.join(ARGS.work, f"example-{jvm.feature_version(home)}")
    shutil.rmtree(out, ignore_errors=True)
    environment = {"BUILD": os.path.dirname(ARGS.test_jar), "JAVA_HOME": home, "OUT": out, "JAVA_TOOL_OPTIONS": SHORT_LIVED}
    return jvm.run([str(EXAMPLE / "run")], env=os.environ | environment), out


class TestJar(driver.CommandLineTest):
    def run_java(self, home, options, program, *arguments, jvm_options=()):
        class_path = os.pathsep.join([ARGS.classes, ARGS.test_jar])
        agent = [f"-agentpath:{ARGS.agent}=quiet,{options}"] if options is not None else []
        return jvm.run([driver.tool("java", home), *agent, *jvm_options, "-cp", class_path, program, *arguments], cwd=self.folder)

    def printed(self, *arguments, **more):
        """Output of a program that must print nothing on standard error."""
        outcome = self.run_java(*arguments, **more)
        self.assertEqual((outcome.status, outcome.stderr), (0, ""), outcome)
        return outcome.stdout.splitlines()

    def versions(self):
        return {home: jvm.feature_version(home) for home in ARGS.homes}.items()

    def test_recordings_have_what_the_program_says_and_leave_the_report_as_it_is(self):
        print("seed", SEED)
        kinds = [(home, kind) for home, version in self.versions() for kind in ["platform", "virtual"] if kind == "platform" or version >= 21]
        for (home, kind), options in driver.crossed(kinds, ["measure=cpu", "measure=calls,memory=1M", "measure=calls,by-thread=group",
                                                            "measure=calls,jdk"]):
            with self.subTest(home=home, kind=kind, options=options):
                self.check_rounds(home, kind, "recursion=full," + options)

    def check_rounds(self, home, kind, options):
        """The same calls with and without recordings: two reports, equal to the last context."""
        said = []
        for mode in ["recorded", "plain"]:
            said += self.printed(home, f"{options},{ONLY_ROUNDS},out={mode}.json", "Rounds", str(SEED), "6000" if ARGS.all else "2000", mode, kind)
        self.assertEqual(said[0], said[1])
        parts, calls = re.fullmatch(r"parts (\d+) caught \d+ calls (\d+)", said[0]).groups()
        self.assertGreater(int(parts), 100)
        recorded, plain = self.load("recorded.json"), self.load("plain.json")
        self.assertEqual(recorded["totals"]["calls_seen"], plain["totals"]["calls_seen"])
        self.assertEqual(recorded["totals"]["calls_lost"], 0)
        self.assertGreaterEqual(recorded["totals"]["calls_seen"], int(calls))
        if "measure=cpu" not in options:  # where samples fall is another matter
            for part in ["methods", "sites", "nodes"]:
                self.assertTrue(recorded[part] == plain[part], f"{part} differ")
        self.assertEqual(sum(row["calls"] for row in recorded["threads"]), recorded["totals"]["calls_seen"])

    def test_a_recording_may_be_the_first_that_a_thread_does(self):
        for home, version in self.versions():
            with self.subTest(jdk=version):
                options = "include=Ends.work,out=report.json"
                self.assertEqual(self.printed(home, options, "Ends", "plain"), ["true", "10"])
                self.assertEqual(self.calls("work"), 10)

    def test_where_recursion_is_merged_callers_are_not_asked_for(self):
        said = self.printed(ARGS.homes[0], "recursion=merge,out=report.json", "Ends", "merged")
        self.assertEqual(said[:-1], ["10 1"])
        self.assertRegex(said[-1], r'^copse: pattern "Ends\.work under Ends\.work": .* recursion=full$')

    def test_a_stack_that_overflows_in_recordings_leaves_no_trace(self):
        for home, version in self.versions():
            with self.subTest(jdk=version):
                said = self.printed(home, "recursion=full,out=report.json", "Ends", "overflow", jvm_options=["-Xss600k"])
                self.assertEqual(said[:-1], ["caught"] * 6)
                self.assertEqual(self.calls("work"), 75)
                deep = self.calls("deeper") + self.calls("recordDeeper")
                self.assertGreaterEqual(deep, int(said[-1].split()[1]))

    def test_a_jvm_that_ends_in_a_recording_leaves_its_calls(self):
        for how, status in [("exit", 3), ("halt", 4)]:
            with self.subTest(how=how):
                outcome = self.run_java(ARGS.homes[0], "out=report.json", "Ends", how)
                self.assertEqual((outcome.status, outcome.stdout, outcome.stderr), (status, "", ""))
                self.assertEqual(self.calls("work"), 10)

    def test_a_jvm_that_is_killed_in_a_recording_leaves_its_calls(self):
        class_path = os.pathsep.join([ARGS.classes, ARGS.test_jar])
        program = self.start([ARGS.copse, "run", "-o", "report.json", "--", driver.tool("java"), "-cp", class_path, "Ends",
                              "wait"])
        pid = int(re.fullmatch(r"ready (\d+)\n", program.stdout.readline()).group(1))
        os.kill(pid, signal.SIGKILL)
        program.communicate()
        self.assertEqual(self.calls("work"), 10)
        paths = {path for path in self.paths() if path.endswith("Ends.work")}
        self.assertIn("Ends.main > Ends.lambda$main$2 > Ends.work", paths)

    def paths(self):
        """Paths of the report's contexts."""
        report = self.load()
        names = [f"{c}.{n}" for c, n in zip(report["methods"]["class"], report["methods"]["name"])]
        paths = [""]
        for parent, method in list(zip(report["nodes"]["parent"], report["nodes"]["method"]))[1:]:
            paths.append((paths[parent] + " > " if parent else "") + names[method])
        return paths

    def test_a_recording_outlives_that_of_the_run_with_one_line(self):
        class_path = os.pathsep.join([ARGS.classes, ARGS.test_jar])
        program = self.start([driver.tool("java"), "-cp", class_path, f"-agentpath:{ARGS.agent}=quiet,out=report.json",
                              "Ends", "detach"], "ready")
        self.done("detach", program.pid)
        out, error = program.communicate("\n")
        ended = "copse: Copse does not record this JVM any more, or has no memory for another recording"
        self.assertEqual(out.splitlines(), ["copse: the recording of this JVM has ended meanwhile", ended])
        self.assertEqual(self.calls("work"), 10)
        self.assertEqual(program.returncode, 0, error)

    def test_what_cannot_be_recorded_says_why(self):
        outcome = self.run_java(ARGS.homes[0], None, "Ends", "plain")
        self.assertIn(f"add -agentpath:{ARGS.agent} ", outcome.stderr)
        self.assertEqual((outcome.stdout, outcome.status), ("false\n", 1))
        for options in ["engine=parallel", "mode=ids,encoder=segment"]:
            with self.subTest(options=options):
                outcome = self.run_java(ARGS.homes[0], options + ",out=report.json", "Ends", "plain")
                self.assertIn("options engine, encoder", outcome.stderr)

    def test_patterns_count_or_say_what_was_meant(self):
        expected = {
            "Patterns$Disk.seek": "4",
            "Patterns$Disk": "6",
            "**.seek": "4",
            "Disk.seek": 'copse: pattern "Disk.seek": matches no method that was recorded so far; of a class that may not be '
                         "loaded yet, write the package too",
            "Patterns$Disk.seek under Patterns.other": "2",
            "Patterns$Disk.seek under Patterns$Disk.find under Patterns.other": "2",
            "Patterns$Disk.seek under Patterns.other under Patterns$Disk.find": "0",
            "Patterns$Disk.seek under Patterns$Disk.seek": "0",
            "Patterns$Disk.sek": 'copse: pattern "Patterns$Disk.sek": matches no method that was recorded so far; did you mean '
                                 "Patterns$Disk.seek?; of a class that may not be loaded yet, write the package too",
            "java.util.ArrayList.add": 'copse: pattern "java.util.ArrayList.add": the method is not recorded: the agent\'s '
                                       "options include and exclude leave it out, or it is one of the JDK, which only the "
                                       "option jdk records",
            "java.util.List.add": 'copse: pattern "java.util.List.add": is abstract: calls are those of the methods that '
                                  "implement it",
            "java.util.Lost.add": 'copse: pattern "java.util.Lost.add": there is no such class or method',
            "a over b": 'copse: pattern "a over b": expected GLOB, or GLOB under GLOB; found "over"',
            "Patterns.work()": 'copse: pattern "Patterns.work()": methods are written package.Class.method, without '
                               'parameters; found "Patterns.work()"',
            "": 'copse: pattern "": a glob of methods is missing',
            "Patterns$Disk.flush": "0",
            "Patterns$Disk.finalize": 'copse: pattern "Patterns$Disk.finalize": is not counted, or not completely: empty '
                                      "finalizer: left empty, its calls are not counted",
        }
        for home, version in self.versions():
            with self.subTest(jdk=version):
                said = self.printed(home, "out=report.json", "Patterns", *expected)
                self.assertEqual(dict(zip(expected, said)), expected)
                self.assertEqual(said[-2], "2")
                self.assertTrue(said[-1].startswith("[] [1 call: Patterns.lambda$main$1"), said[-1])
                self.assertIn("Patterns.lambda$main$1 > Patterns.other", said[-1])

    def test_a_saved_recording_is_a_report(self):
        self.printed(ARGS.homes[0], "out=report.json", "Patterns")
        saved = self.load("saved.json")
        self.assertEqual(saved["totals"]["calls"], driver.calls_by_method(saved).total())
        tree = self.done("report", "saved.json", "--format", "tree", "-o", "-").stdout
        self.assertRegex(tree, r"\n +1 +1 +\S+ % +Patterns\$Disk\.seek  @\d+\n")
        # As Copse itself would write it: what it reads and writes again is the same.
        self.done("report", "saved.json", "-o", "again.json")
        again = self.load("again.json")
        for part in ["totals", "methods", "sites", "nodes"]:
            self.assertEqual(saved[part], again[part], part)
        self.schema("copse.cct").validate(saved)

    # --- JUnit, by the example.

    def junit(self, classes, *options, agent=True):
        """Runs the tests of these classes as the example does, in the test's folder."""
        recorded = [f"-agentpath:{ARGS.agent}=include=com.acme.**,out=report.json,quiet"] if agent else []
        class_path = os.pathsep.join([classes, ARGS.test_jar, *JUNIT])
        return jvm.run([driver.tool("java"), *SHORT_LIVED.split(), *recorded, *options, "-cp", class_path,
                        "org.junit.platform.console.ConsoleLauncher", "--disable-banner", "--disable-ansi-colors", "--details", "tree",
                        "--select-package", "com.acme"], cwd=self.folder)

    def with_handler(self, text):
        """Folder with the classes of the example with this text of Handler."""
        (self.folder / "Handler.java").write_text(text)
        return of_acme("changed", EXAMPLE / "main/com/acme/Dao.java", self.folder / "Handler.java", *EXAMPLE.glob("test/com/acme/*"))

    def test_the_example_has_three_tests_that_pass_and_one_that_says_who_called(self):
        for home, version in self.versions():
            with self.subTest(jdk=version):
                outcome, out = example(home)
                self.assertEqual(outcome.status, 1, outcome)
                self.assertIn("[         3 tests successful      ]", outcome.stdout)
                self.assertIn("[         1 tests failed          ]", outcome.stdout)
                self.assertIn("""\
    => org.opentest4j.AssertionFailedError: 11 calls of com.acme.Dao.query, expected at most 1 (@N: called at line N of the \
frame above):
            com.acme.HandlerTest.aListTakesOneQuery
              com.acme.Handler.list  @25
         1      com.acme.Dao.query  @18
                com.acme.Handler.get  @18
        10        com.acme.Dao.query  @12
""", outcome.stdout)
                # The run's own report has the queries of all tests: 1 + 11 + 11 + 1.
                self.assertEqual(self.calls("query", os.path.join(out, "report.json")), 24)

    def test_without_the_agent_its_tests_are_skipped_and_say_what_to_add(self):
        outcome = self.junit(f"{example(ARGS.homes[0])[1]}/classes", agent=False)
        self.assertEqual(outcome.status, 0, outcome)
        self.assertIn("[         4 tests aborted         ]", outcome.stdout)
        line = f"Copse does not record this JVM: add -agentpath:{ARGS.agent} to its options, or run the tests under copse run"
        self.assertEqual(outcome.stdout.count(line), 4)

    def test_a_test_says_what_its_baseline_has_not(self):
        shutil.copytree(EXAMPLE / "baselines", self.folder / "baselines")
        text = (EXAMPLE / "main/com/acme/Handler.java").read_text()
        one = 'dao.query("select order", id)'
        # A line more above, and an added lambda, are no change.
        text = text.replace("    String get", "    // A comment.\n    Runnable any = () -> {};\n\n    String get")
        text = text.replace(one, f'{one} + dao.query("again", id) + audit(id)')
        text = text.replace("    /** All", "    int audit(int id) { return dao.query(\"audit\", id); }\n    /** All")
        said = self.junit(self.with_handler(text)).stdout
        self.assertIn("anOrderCallsWhatItDidBefore() ✘ the test calls what its baseline baselines/an_order.json has not:\n", said)
        get = "com.acme.HandlerTest.anOrderCallsWhatItDidBefore > com.acme.Handler.get"
        self.assertEqual(changes_of(said), {f"more: 1 before, now 2 calls: {get} > com.acme.Dao.query",
                                            f"new: 1 call: {get} > com.acme.Handler.audit",
                                            f"new: 1 call: {get} > com.acme.Handler.audit > com.acme.Dao.query"})

    def test_the_extension_counts_the_test_alone_and_says_what_was_expected(self):
        """By tests whose names say how they end, with baselines of both formats."""
        classes = of_acme("extension", *EXAMPLE.glob("main/com/acme/*"), "programs/ExtensionTest.java")

        def outcomes(*words):
            """Result of each test, and what its baseline has not."""
            said = self.junit(classes, *words).stdout
            return outcomes_in(said), changes_of(said)

        def failing(calls):
            """The baselines that do not hold when each test makes so many calls, and what they have not."""
            said, changes = outcomes(*(f"-D{name}={calls}" for name in ("same", "more", "any")))
            return {name for name, text in said.items() if text and re.match("baseline|textOf", name)}, changes

        expected = {
            "failsAtLeastOne()": "0 calls of Handler.get, expected at least 1",
            "failsByTheClass()": "4 calls of com.acme.Dao.query, expected at most 3 (@N: called at line N of the frame above):",
            "failsByItself()": "its own failure",
            "failsInAllThreads()": "2 calls of Dao.query in all threads, expected exactly 1 (@N: called at line N of the frame "
                                   "above):",
            "failsWithoutBounds()": 'copse: @ExpectCalls(of = "Dao.query"): needs exactly, or atLeast and atMost, or one of '
                                    "them",
            "failsByATypo()": 'copse: pattern "Dao.qery": matches no method that was recorded so far; did you mean '
                              "com.acme.Dao.query?; of a class that may not be loaded yet, write the package too",
        }
        written, _ = outcomes("-Dcopse.baseline=write")
        self.assertEqual({name: text for name, text in written.items() if text is not None}, expected)
        self.assertEqual(len(written), 20)  # with the container of two

        for name in ["same", "more", "any"]:
            self.done("baseline", "save", f"{name}OfText.baseline", "-o", f"{name}.txt")
            shutil.copy(self.path(f"{name}.txt"), self.path(f"{name}OfText.baseline"))
        os.remove(self.path("missing.json"))
        (self.folder / "broken.json").write_text("{")
        said, changes = outcomes()
        self.assertEqual({name: text for name, text in said.items() if text is not None}, expected | {
            "missingBaseline()": "there is no baseline missing.json; to write it, run the test with -Dcopse.baseline=write",
            "brokenBaseline()": "copse: broken.json: no JSON: expected '\"' at character 1"})
        self.assertEqual(changes, set())

        same, more = {"baselineOfTheSame()", "textOfTheSame()"}, {"baselineOfNoMore()", "textOfNoMore()"}
        for calls, broken, change in ((3, same | more, "more: 2 before, now 3 calls"), (1, same, "fewer: 2 before, now 1 call"),
                                      (0, same, "gone: 2 calls")):
            with self.subTest(calls=calls):
                names, changes = failing(calls)
                self.assertEqual(names, broken)
                for name in ("baselineOfTheSame", "textOfTheSame"):
                    self.assertIn(f"{change}: com.acme.ExtensionTest.{name} > com.acme.Handler.get", changes)

        # A text is replaced by a text.
        self.assertEqual(outcomes("-Dcopse.baseline=write")[0], written)
        self.assertEqual((self.folder / "sameOfText.baseline").read_bytes(), (self.folder / "same.txt").read_bytes())

    def test_expectations_are_inherited_as_annotations_of_junit_are(self):
        classes = of_acme("inherited", *EXAMPLE.glob("main/com/acme/*"), "programs/InheritedTest.java")
        said = self.junit(classes).stdout

        def failures(test):
            """The bounds that the test has broken, in the order of its output."""
            begin = said.index(f" {test} ✘ ")
            end = re.compile("[✔✘]").search(said, begin + len(test) + 3)
            return re.findall(r"4 calls of Dao\.query, expected ([^(]*) \(|(there is no baseline)", said[begin:end and end.start()])

        def bounds(*most):
            return [(f"at most {count}", "") for count in most]

        by_types = bounds(1, 2, 3)
        five = [("exactly 5", "")]
        expected = {
            "failsByTheSuperclassAndTheInterface()": by_types,
            "failsByTheTypesAlone()": by_types,
            "failsByItsMethod()": five + by_types,
            "failsInANestedClassOfTheSuperclass()": by_types,
            "failsByTheEnclosingClassesToo()": bounds(0) + by_types,
            "repetition 1 of 2": bounds(0) + by_types,
            "repetition 2 of 2": bounds(0) + by_types,
            "failsByTheAnnotationOfTheClass()": bounds(1),
            "failsByABaselineAsWell()": bounds(1) + [("", "there is no baseline")],
            "failsByTheAnnotationOfTheMethod()": bounds(1),
        }
        outcomes = outcomes_in(said)
        self.assertEqual({name for name, text in outcomes.items() if text is None},
                         {"passesSinceItIsNotNested()", "passesDynamically()", "eachTime()", "dynamic()"})  # the last two are containers
        self.assertEqual(outcomes.pop("failsDynamically()"), "1 call of Dao.query, expected exactly 4 (@N: called at line N of the frame "
                                                             "above):")
        self.assertEqual({name: failures(name) for name, text in outcomes.items() if text is not None}, expected)

    def recording_of(self, tree):
        """A report as save() writes it, of contexts by their paths."""
        methods = sorted({path[-1] for path in tree})
        paths = sorted(tree)
        rows = {(): 0} | {path: row + 1 for row, path in enumerate(paths)}
        calls = [0] + [tree[path] for path in paths]
        totals = {"calls": sum(calls), "contexts": len(paths), "threads": 0, "max_depth": max(map(len, paths)), "calls_seen": sum(calls),
                  "calls_lost": 0, "packets": 0}
        return {"schema": "copse.cct/2", "created_by": "copse-test.jar",
                "program": {"command": [], "pid": 1, "runtime": "", "started": "2026-01-01T00:00:00Z", "wall_ms": 0},
                "options": {"recording": "thread"}, "totals": totals,
                "methods": dict(zip(("class", "name", "descriptor"), map(list, zip(*methods)))) |
                {"source": [""] * len(methods), "loader": [""] * len(methods)},
                "sites": {"method": [], "bci": [], "line": []}, "threads": [], "metrics": [], "shown": "calls",
                "nodes": {"parent": [-1] + [rows[path[:-1]] for path in paths],
                          "method": [-1] + [methods.index(path[-1]) for path in paths],
                          "site": [-1] * len(calls), "calls": calls}, "skipped": [], "notes": []}

    def test_a_baseline_as_text_has_the_verdict_of_the_command(self):
        print("seed", SEED)
        random = Random(SEED)
        methods = [("a.B", "f", "()V"), ("a.B", "f", "(I[JLjava/lang/String;)[[La/C;"), ("a.C", "g (x)", "()I"), ("Top", "<init>", "(Z)V"),
                   ("a.C$1", "run", "()V"), ("a.D$$Lambda$14/0x00", "get", "()Ljava/lang/Object;"), ("a.C", "lambda$f$3", "(La/C$2;)V")]
        pairs, verdicts = [], []
        for turn in range(40):
            was = {}
            for _ in range(random.randint(2, 12)):
                path = random.choice([(), *was]) + (random.choice(methods),)
                was[path] = random.randint(1, 2000)
            now = dict(was)
            for _ in range(random.randint(0, 2)):
                path = random.choice([(), *now]) + (random.choice(methods),)
                now[path] = max(1, now.get(path, 0) + random.choice([-3, -1, 1]))
            names = [self.folder / f"{turn}-{name}" for name in ("was.json", "now.json", "was.txt")]
            for name, tree in zip(names, (was, now)):
                name.write_text(json.dumps(self.recording_of(tree)))
            options = random.choice([[], ["--max-contexts", str(random.randint(2, 6))], ["--focus", "a.C"], ["--focus", "B.f"]])
            saved = self.copse("baseline", "save", str(names[0]), *options, "-o", str(names[2]))
            if saved.status != 0 and "--focus" in options:
                continue  # it has no such method
            self.assertEqual(saved.status, 0, saved)
            pairs.append(f"{names[2]}\t{names[1]}\n")
            verdicts.append(self.copse("baseline", "check", str(names[2]), str(names[1])))
        said = jvm.run([driver.tool("java"), "-cp", os.pathsep.join([ARGS.classes, ARGS.test_jar]), "copse.test.TextVerdict"],
                       given="".join(pairs))
        self.assertEqual(said.stderr, "")
        for pair, line, verdict in zip(pairs, said.stdout.splitlines(), verdicts, strict=True):
            self.assertEqual(bool(line), verdict.status != 0, (pair, line, verdict))
        self.assertGreater(len(pairs), 20)
        self.assertEqual({verdict.status for verdict in verdicts} - {2}, {0, 1})

    def test_names_are_normalised_by_the_rules_of_stable_ids(self):
        print("seed", SEED)
        random = Random(SEED)
        parts = ["a.B", "$1", "$$Lambda$", "0x1f", "/12", "+0x0a", ".$Proxy", "com.sun.proxy.$Proxy", "jdk.proxy2.$Proxy", "$",
                 "CGLIB$$", "_$$_jvst", "_$$_javassist_", "$ByteBuddy$", "lambda$", "access$", "$lambda-", "$lambda$", "$anonfun$",
                 "$accessor$", "$original$", "RUBY$", ":", ".GeneratedMethodAccessor", "a1", "7", "f", "CGLIB$", "."]
        rows = []
        for _ in range(3000):
            class_name, name = ("".join(random.choices(parts, k=random.randint(1, 4))) for _ in range(2))
            name = "<clinit>" if random.random() < 0.1 else name
            rows.append((class_name, name, f"(IL{class_name.replace('.', '/')};)V"))
        command = [driver.tool("java"), "-Dfile.encoding=UTF-8", "-cp", os.pathsep.join([ARGS.classes, ARGS.test_jar]),
                   "copse.test.NormalNamesOf"]
        said = jvm.run(command, given="".join("\t".join(row) + "\n" for row in rows))
        self.assertEqual(said.stderr, "")
        for row, line in zip(rows, said.stdout.splitlines(), strict=True):
            normal = (stable_ids.normal_class(row[0], row[1]), stable_ids.normal_method(row[1]),
                      stable_ids.normal_descriptor(row[2]))
            self.assertEqual(tuple(line.split("\t")), normal, row)

    def test_a_report_of_a_whole_run_is_a_baseline_too(self):
        _, out = example(ARGS.homes[0])
        (self.folder / "baselines").mkdir()
        shutil.copy(f"{out}/report.json", self.folder / "baselines/an_order.json")
        self.assertIn("anOrderCallsWhatItDidBefore() ✔", self.junit(f"{out}/classes").stdout)

    def test_a_recording_of_each_test_tells_which_tests_cross_a_method(self):
        shutil.copytree(EXAMPLE / "baselines", self.folder / "baselines")
        before = f"{example(ARGS.homes[0])[1]}/classes"
        words = [f"-Dcopse.tests={self.path('tests')}", "-Djunit.jupiter.extensions.autodetection.enabled=true"]
        for _ in range(2):  # the second one replaces the recordings of the first
            self.assertIn("[         3 tests successful      ]", self.junit(before, *words).stdout)
        self.assertEqual(len(os.listdir(self.path("tests"))), 4)

        rows = self.ranked_tests
        test = "com.acme.HandlerTest."
        lists = [("11", test + "aListAsksForEachOrder"), ("11", test + "aListTakesOneQuery")]
        orders = [("1", test + "anOrderCallsWhatItDidBefore"), ("1", test + "anOrderTakesOneQuery")]
        self.assertEqual(rows("--of", "Dao.query")[1], lists + orders)
        under = [("10", name) for _, name in lists]
        self.assertEqual(rows("--of", "Dao.query", "--under", "Handler.list")[1], lists)
        self.assertEqual(rows("--of", "Handler.get", "--under", "Handler.list")[1], under)
        # Names are of different tests: a recording need not have each of them.
        self.assertEqual(rows("--of", "Dao.query", "--of", "Handler.list")[1], [("12", name) for _, name in lists] + orders)
        self.assertEqual(rows("--of", "Dao.query", "--under", "Handler.list", "--under", "Handler.get")[1], lists + orders)
        for names in (("Dao.query", "Dao.qury"), ("Dao.qury",)):
            of = [word for name in names for word in ("--of", name)]
            self.assert_one_line(self.copse("tests", "tests", *of), 1, "--of Dao.qury", stdout="")
        self.assert_one_line(self.copse("tests", "tests"), 2, "--of", stdout="")
        self.assert_one_line(self.copse("tests", ".", "--of", "Dao.query"), 1, "is of no test", stdout="")

        self.assertEqual(rows("--changed", before, before)[0].splitlines()[0], "0 methods changed; 0 tests crossed some of them.")
        text = (EXAMPLE / "main/com/acme/Handler.java").read_text()
        # A comment and a method more change lines and constants, and no code.
        after = self.with_handler(text.replace("    /** All", '    String none() { return "no order"; }\n\n    /** All')
                                  .replace('"select count"', '"select sum"'))
        said, ranked = rows("--changed", before, after)
        self.assertEqual(said.splitlines()[0], "1 method changed; 2 tests crossed some of them.")
        self.assertEqual(ranked, [("1", "1", name) for _, name in lists])
        self.assertIn("A ranking, no proof", said)

        self.done("tests", "tests", "-o", "tests.sqlite")
        with sqlite3.connect(self.path("tests.sqlite")) as database:
            found = database.execute("SELECT r.file, sum(c.calls) FROM named_contexts AS c JOIN runs AS r ON r.report = c.report"
                                     " WHERE c.class = 'com.acme.Dao' GROUP BY 1 ORDER BY 2 DESC, 1").fetchall()
        self.assertEqual([(str(calls), name) for name, calls in found], lists + orders)
        for question in (("--of", "Dao.query"), ("--of", "Handler.get", "--under", "Handler.list"),
                         ("--changed", before, after)):
            self.assertEqual(self.done("tests", "tests.sqlite", *question).stdout, self.done("tests", "tests", *question).stdout)
        self.done("report", "report.json", "-o", "report.sqlite")
        self.assert_one_line(self.copse("tests", "report.sqlite", "--of", "Dao.query"), 1, "is of no test", stdout="")
        with sqlite3.connect(self.path("other.sqlite")) as database:
            database.execute("CREATE TABLE runs(file)")
        self.assert_one_line(self.copse("tests", "other.sqlite", "--of", "Dao.query"), 1, "of this version", stdout="")

    def ranked_tests(self, *question):
        """Answer of `copse tests`, and the rows of its table."""
        said = self.done("tests", "tests", *question).stdout
        return said, [tuple(row.split()) for row in re.findall(r"^ +(\d.*)$", said, re.MULTILINE)]

    def test_calls_of_tests_that_run_at_the_same_time_are_told_apart_or_marked(self):
        classes = of_acme("parallel", *EXAMPLE.glob("main/com/acme/*"), "programs/ParallelTest.java")
        parallel = "-Djunit.jupiter.execution.parallel."
        said = self.junit(classes, f"-Dcopse.tests={self.path('tests')}", "-Djunit.jupiter.extensions.autodetection.enabled=true",
                          parallel + "enabled=true", parallel + "mode.default=concurrent", parallel + "config.strategy=fixed",
                          parallel + "config.fixed.parallelism=4").stdout
        self.assertIn("[         3 tests successful      ]", said)
        test = "com.acme.ParallelTest."
        asks, other, nothing = test + "asks", test + "asksOnAnotherThread", test + "asksNothing"
        expected = [("2", "11", asks), ("1", "11", nothing), ("1", "11", other)]
        text, rows = self.ranked_tests("--of", "Dao.query")
        self.assertEqual(rows, expected)
        for one, *beside in ((asks, nothing, other), (nothing, asks, other), (other, asks, nothing)):
            self.assertIn(f"{one} ran beside {', '.join(beside)}.", " ".join(text.split()))
        self.assertEqual(self.ranked_tests("--of", "Handler.list")[1], [("0", "1", name) for name in (asks, nothing, other)])
        self.assertEqual(self.ranked_tests("--of", "Dao.query", "--under", "ParallelTest.asks")[1], [("1", asks)])

        text = (EXAMPLE / "main/com/acme/Handler.java").read_text()
        (self.folder / "Handler.java").write_text(text.replace('"select count"', '"select sum"'))
        after = of_acme("changed", EXAMPLE / "main/com/acme/Dao.java", self.folder / "Handler.java", "programs/ParallelTest.java")
        said, ranked = self.ranked_tests("--changed", classes, after)
        self.assertEqual(said.splitlines()[0], "1 method changed; 0 tests crossed some of them, and perhaps 3 more.")
        self.assertEqual(ranked, [("0", "0", "1", name) for name in (asks, nothing, other)])
        self.done("tests", "tests", "-o", "tests.sqlite")
        self.assertEqual(self.done("tests", "tests.sqlite", "--of", "Dao.query").stdout, self.done("tests", "tests", "--of", "Dao.query").stdout)

    def test_calls_of_all_threads_are_those_of_a_test_that_runs_alone(self):
        classes = of_acme("extension", *EXAMPLE.glob("main/com/acme/*"), "programs/ExtensionTest.java")
        said = outcomes_in(self.junit(classes, "-Djunit.jupiter.execution.parallel.enabled=true").stdout)
        self.assertIsNone(said["passesAlone()"])
        for name in ("passesInAllThreads()", "failsInAllThreads()"):
            self.assertEqual(said[name], "copse: allThreads = true: JUnit runs other tests at the same time, whose calls would count; "
                                         "annotate the test class with @Isolated")

    def test_the_test_under_copse_run_needs_no_option(self):
        environment = os.environ | {"BUILD": os.path.dirname(ARGS.test_jar), "OUT": self.path("out"), "AGENT": "",
                                    "JAVA_TOOL_OPTIONS": SHORT_LIVED}
        outcome = self.copse("run", "--include", "com.acme.**", "-o", "%c.json", "--", EXAMPLE / "run", env=environment)
        self.assertEqual(outcome.status, 1)
        self.assertIn("[         3 tests successful      ]", outcome.stdout)


if __name__ == "__main__":
    made = driver.parser("copse", "agent", "test-jar", all="every option on every JDK, with every kind of threads")
    made.add_argument("tests", nargs="*", help="CLASS.test_...; default: all")
    driver.begin(made, jdks=True)
    ARGS.classes = driver.compiled(PROGRAMS, options=["-cp", ARGS.test_jar, "--release", "17", "-Xlint:-removal"])
    unittest.main(argv=[sys.argv[0], *ARGS.tests], testRunner=unittest.TextTestRunner(verbosity=2, resultclass=driver.TimedResult))
