#!/usr/bin/env python3
"""The command line as a person meets it: launchers, several JVMs, mistakes, signals, formats."""

import glob
import os
import re
import signal
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS  # noqa: E402

HELLO = """
public class Hello {
    static int step(int n) { return n + 1; }
    public static void main(String[] args) throws Exception {
        int sum = 0;
        for (int i = 0; i < 1000; i++) sum = step(sum);
        System.out.println("hello " + sum + " " + String.join("|", args));
        if (args.length > 0 && args[0].equals("wait")) {
            System.out.println("waiting");
            System.out.flush();
            Thread.sleep(1_000_000);
        }
        if (args.length > 0 && args[0].equals("fail")) System.exit(9);
    }
}
"""

# Prints to both streams, and starts a JVM of its own. What it says of the environment is what a child sees.
PARENT = """
public class Parent {
    static void step() {}
    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 10; i++) step();
        System.err.println("to standard error");
        for (String name : new String[] {"LD_PRELOAD", "COPSE_HELD_JAVA_TOOL_OPTIONS", "COPSE_HELD_JDK_JAVA_OPTIONS"}) {
            if (System.getenv(name) != null) System.out.println(name);
        }
        if (args.length == 0) return;
        Process child = new ProcessBuilder(args[0], "-cp", System.getProperty("java.class.path"), "Parent")
            .inheritIO().redirectError(ProcessBuilder.Redirect.DISCARD).start();
        System.exit(child.waitFor() + 3);
    }
}
"""

PRELOADED = """
public class Preloaded {
    static void step() {}
    public static void main(String[] args) {
        for (int i = 0; i < 10; i++) step();
        System.out.println("[" + System.getenv().getOrDefault("LD_PRELOAD", "") + "]");
    }
}
"""

# 2^(D + 1) - 1 calls of walk(), each in a context of its own; D is 20, or the argument.
TREE = """
public class Tree {
    static int walk(int depth) { return depth == 0 ? 1 : walk(depth - 1) + walk(depth - 1) + 1; }
    public static void main(String[] args) { 
        System.out.println(walk(args.length > 0 ? Integer.parseInt(args[0]) : 20));
    }
}
"""

# Each class is initialised by the line of main that names it. A class in whose line an instruction does so is called Instruction...
TRIGGERS = """
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

public class Triggers {
    static int touch(int n) { return n; }
    static class Call { static int n = touch(1); static void call() {} }
    static class CallOfSubclass extends CallInherits { static int n = touch(2); static void call() {} }
    static class CallInherits { static int n = touch(3); }
    static class CallForName { static int n = touch(4); }
    static class CallOfMethod { static int n = touch(5); public static void call() {} }
    static class CallOfConstructor { static int n = touch(6); public CallOfConstructor() {} }
    static class CallOfHandle { static int n = touch(7); static void call() {} }
    static class CallOfLambda { static int n = touch(8); static void call() {} }
    static class InstructionGet { static int n = touch(9); }
    static class InstructionPut { static int n = touch(10); }
    static class InstructionNew { static int n = touch(11); }
    static class InstructionBehindCall { static int n = touch(12); }
    public static void main(String[] args) throws Throwable {
        Call.call();
        CallOfSubclass.call();  // and CallInherits
        Class.forName("Triggers$CallForName");
        CallOfMethod.class.getMethod("call").invoke(null);
        CallOfConstructor.class.getConstructor().newInstance();
        MethodHandles.lookup().findStatic(CallOfHandle.class, "call", MethodType.methodType(void.class)).invokeExact();
        Runnable lambda = () -> CallOfLambda.call();
        lambda.run();
        int sum = InstructionGet.n;
        InstructionPut.n = sum;
        new InstructionNew();
        sum = touch(1) + InstructionBehindCall.n;
    }
}
"""


class CliRun(driver.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.java = driver.java_command("Hello")

    def start_waiting(self):
        return self.start([ARGS.copse, "run", "-o", self.report, "--", *self.java, "wait"], "hello 1000 wait", "waiting")

    def test_counts_every_call_and_passes_arguments_through(self):
        outcome = self.copse("run", "-o", self.report, "--", *self.java, "two words", "a,b", "\\")
        self.assertEqual((outcome.status, outcome.stdout), (0, "hello 1000 two words|a,b|\\\n"))
        self.assertEqual(self.calls("step"), 1000)

    def test_exit_status_is_the_commands_own(self):
        self.assertEqual(self.copse("run", "-o", self.report, "--", *self.java, "fail").status, 9)
        self.assertEqual(self.calls("step"), 1000)

    def test_quiet_adds_nothing_but_the_jvms_own_line(self):
        outcome = self.copse("run", "--quiet", "-o", self.report, "--", *self.java)
        lines = [line for line in outcome.stderr.splitlines() if not line.startswith("Picked up JAVA_TOOL_OPTIONS")]
        self.assertEqual(lines, [])

    def test_a_debugger_in_the_jvm_gets_a_note(self):
        debugger = "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,quiet=y,address=127.0.0.1:0"
        for options, noted in (([debugger], True), ([], False)):
            java = [self.java[0], *options, *self.java[1:]]
            outcome = self.copse("run", "-o", self.report, "--", *java)
            self.assertEqual(("JDWP" in outcome.stderr, any("JDWP" in note for note in self.load()["notes"])), (noted, noted))
            self.assertEqual(self.calls("step"), 1000)

    def test_a_program_started_as_a_source_file_gets_a_note_on_its_compiler(self):
        source = self.path("Once.java")
        with open(source, "w", encoding="utf-8") as file:
            file.write("class Once { public static void main(String[] a) { System.out.println(twice(4)); }\n"
                       "  static int twice(int n) { return 2 * n; } }\n")
        for options, noted in (([], True), (["--exclude", "com.sun.tools.**"], False)):
            outcome = self.copse("run", "--measure", "calls", "-o", self.report, *options, "--", self.java[0], source)
            self.assertEqual((outcome.status, outcome.stdout), (0, "8\n"))
            self.assertEqual(any("started as a source file" in note for note in self.load()["notes"]), noted)
            self.assertEqual(self.calls("twice"), 1)

    def script(self, text):
        path = self.path("script")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\n{text}\n")
        os.chmod(path, 0o755)
        return path

    def test_a_java_that_only_prints_its_version_prints_the_same_below_a_script(self):
        java = self.java[0]
        # Many scripts take the first line for the version.
        text = f'"{java}" -version 2>&1; "{java}" -cp . --version'
        for command in ([self.script(text)], ["sh", "-c", text]):
            for own in ({}, {"JAVA_TOOL_OPTIONS": "-Dmine='a b'", "JDK_JAVA_OPTIONS": "-Xss2m -Dmine=1"}):
                with self.subTest(command=command, own=own):
                    env = {**os.environ, **own}
                    bare = jvm.run(command, env=env)
                    outcome = jvm.run([ARGS.copse, "run", "-o", self.report, "--", *command], env=env)
                    self.assertEqual(outcome.stdout, bare.stdout)
                    self.assertEqual("Picked up" in bare.stdout, bool(own))

    def test_a_scripts_program_prints_the_same_as_without_copse_and_its_children_are_recorded(self):
        for home in ARGS.homes:
            java = driver.java_command("Parent", driver.tool("java", home), home=home)
            script = self.script('"$@" 2>&1')
            for own in ({}, {"JAVA_TOOL_OPTIONS": "-Dmine='a b'", "JDK_JAVA_OPTIONS": "-Xss2m -Dmine=1"}):
                with self.subTest(home=home, own=own):
                    for old in glob.glob(self.path("report*.json")):
                        os.unlink(old)
                    env = {**os.environ, **own}
                    bare = jvm.run([script, *java], env=env)
                    outcome = jvm.run([ARGS.copse, "run", "-q", "-o", self.report, "--", script, *java], env=env)
                    self.assertEqual((outcome.status, outcome.stdout, outcome.stderr), (3, bare.stdout, ""))
                    self.assertEqual("Picked up" in bare.stdout, bool(own))
                    reports = glob.glob(self.path("report*.json"))
                    self.assertEqual([self.calls("step", path) for path in reports], [10, 10])

    def test_a_program_below_a_launcher_prints_the_same_as_without_copse(self):
        launchers = (["env"], ["env", "-u", "NOTHING"], ["timeout", "1000"], ["nice"], ["nohup"], ["setsid", "--wait"], ["stdbuf", "-oL"],
                     ["timeout", "1000", "env", "nice"])
        for launcher in launchers:
            for home in ARGS.homes if launcher == ["env"] else ARGS.homes[:1]:
                with self.subTest(launcher=launcher, home=home):
                    java = driver.java_command("Parent", driver.tool("java", home), home=home)
                    for old in glob.glob(self.path("report*.json")):
                        os.unlink(old)
                    bare = jvm.run([*launcher, *java])
                    outcome = jvm.run([ARGS.copse, "run", "-q", "-o", self.report, "--", *launcher, *java])
                    self.assertEqual((outcome.status, outcome.stdout, outcome.stderr), (3, bare.stdout, bare.stderr))
                    reports = glob.glob(self.path("report*.json"))
                    self.assertEqual([self.calls("step", path) for path in reports], [10, 10])

    # A program that comes with a library which must be loaded first, and one for a machine of 32 bits.
    def test_a_native_program_that_takes_no_other_library_is_given_none(self):
        source = self.folder / "native.c"
        source.write_text('#include <stdio.h>\n#include <stdlib.h>\n'
                          'int main(void) { char* set = getenv("LD_PRELOAD"); puts(set ? set : "none"); return 0; }\n')
        for option, is_preloaded in (("-fsanitize=address", False), ("-m32", False), ("-static", True), ("-O1", True)):
            built = subprocess.run(["cc", option, "-o", self.path("native"), source], capture_output=True, text=True)
            if built.returncode != 0:
                continue  # such programs cannot be built here
            with self.subTest(option):
                outcome = self.copse("run", "-q", "-o", self.report, "--", self.path("native"))
                self.assertEqual((outcome.status, outcome.stderr, "libcopse-launch.so" in outcome.stdout), (0, "", is_preloaded))

    def test_the_jdks_library_that_chains_signals_has_nothing_to_complain_of(self):
        library = os.path.join(os.path.dirname(os.path.dirname(self.java[0])), "lib", "libjsig.so")
        env = {**os.environ, "LD_PRELOAD": library}
        bare = jvm.run(self.java, env=env)
        outcome = jvm.run([ARGS.copse, "run", "-q", "-o", self.report, "--", *self.java], env=env)
        self.assertEqual((outcome.status, outcome.stdout, outcome.stderr), (bare.status, bare.stdout, bare.stderr))
        self.assertEqual(self.calls("step"), 1000)

    def test_a_scripts_program_is_recorded_and_sees_its_own_preloaded_libraries(self):
        for own in ("", "libm.so.6"):
            with self.subTest(own=own):
                script = self.script(f'"{self.java[0]}" -version 2>/dev/null\nexec "$@"')
                env = {**os.environ, "LD_PRELOAD": own} if own else os.environ
                words = driver.java_command("Preloaded")
                outcome = jvm.run([ARGS.copse, "run", "-o", self.report, "--", script, *words], env=env)
                self.assertEqual((outcome.status, outcome.stdout), (0, f"[{own}]\n"))
                self.assertEqual(self.calls("step"), 10)

    def test_several_jvms_under_one_command_keep_their_reports(self):
        script = " ".join(f"'{word}'" for word in self.java)
        self.copse("run", "-o", self.report, "--", "sh", "-c", f"{script}; {script} & {script}; wait")
        reports = glob.glob(self.path("report*.json"))
        self.assertEqual(len(reports), 3, os.listdir(self.folder))
        for path in reports:
            self.assertEqual(self.calls("step", path), 1000)

    def test_the_command_of_a_report_is_what_its_user_typed(self):
        trace, events, made = (self.path(name) for name in ("run.trace", "run.events", "made.json"))

        def assert_typed(path=self.report):
            command = self.load(path)["program"]["command"]
            self.assertEqual(command, [*self.java, "-agentlib:mine"])

        java = [*self.java, "-agentlib:mine"]
        self.done("run", "-o", self.report, "--", *java)
        assert_typed()
        self.assertNotIn("agentpath", self.copse("report", self.report).stdout)
        self.done("run", "-o", self.report, "--", "sh", "-c", '"$@"', "sh", *java)
        assert_typed()
        own_option = [java[0], f"-agentpath:{os.path.relpath(ARGS.agent, self.folder)}=out={self.report}", *java[1:]]
        self.assertEqual(jvm.run(own_option, cwd=self.folder).status, 0)
        assert_typed()
        self.done("record", "-o", trace, "--", *java)
        self.done("replay", trace, "-o", made)
        assert_typed(made)
        ids = ("--encoder", "segment", "--mark", "Hello.step", "--event-file", events)
        self.done("ids", *ids, "-o", self.report, "--", *java)
        assert_typed()
        self.done("events", events, "--report", made)
        assert_typed(made)

    def test_the_command_of_a_killed_run_is_what_its_user_typed(self):
        process = self.start_waiting()
        os.kill(jvm.child_of(process.pid), signal.SIGKILL)
        process.communicate(timeout=jvm.TIMEOUT_S)
        self.assertEqual(self.load()["program"]["command"], [*self.java, "wait"])

    def test_files_are_named_by_what_each_jvm_runs(self):
        jar = self.path("my tool.jar")
        subprocess.run([driver.tool("jar"), "-c", "-f", jar, "-e", "Hello", "-C", ARGS.classes, "."],
                       check=True)
        script = " ".join(f"'{word}'" for word in self.java)
        started = self.copse("run", "--", "sh", "-c", f"{script}; '{self.java[0]}' -jar 'my tool.jar'; {script} fail")
        self.assertEqual(started.status, 9)
        names = sorted(name for name in os.listdir(self.folder) if name.endswith(".json"))
        self.assertEqual([re.sub(r"\d+", "N", name) for name in names],
                         ["copse-Hello-N.json", "copse-Hello-N.json", "copse-my_tool-N.json"])
        for name in names:
            self.assertEqual(self.calls("step", name), 1000)
            program = re.match(r"copse-(.*)-\d+\.json", name).group(1)
            self.assertRegex(started.stderr, rf"copse: {program}: 1,001 calls in \d+ contexts, 0 lost: .*/{name}\n")
        self.copse("record", "--", *self.java)
        self.assertEqual(len(glob.glob(self.path("copse-Hello-*.trace"))), 1)

    def test_one_jvm_alone_is_not_named(self):
        said = self.copse("run", "-o", "%c.json", "--", *self.java).stderr
        self.assertIn(f"copse: 1,001 calls in 2 contexts, 0 lost: {self.path('Hello.json')}\n", said)

    def test_a_percent_sign_of_the_working_folder_is_taken_as_it_is(self):
        folder = self.folder / "100%pure"
        folder.mkdir()
        self.done("run", "-o", "r-%%.json", "--", *self.java, cwd=folder)
        self.assertEqual(self.calls("step", "100%pure/r-%.json"), 1000)

    def test_the_users_own_java_tool_options_stay(self):
        env = dict(os.environ, JAVA_TOOL_OPTIONS="-Dmine=1 -Xmx100m")
        outcome = self.copse("run", "-o", self.report, "--", *self.java, env=env)
        self.assertIn("-Dmine=1 -Xmx100m", outcome.stderr)
        self.assertEqual(self.calls("step"), 1000)

    def test_include_and_exclude_choose_methods(self):
        self.copse("run", "--measure", "calls", "-o", self.report, "--include", "Hello.step", "--", *self.java)
        self.assertEqual(self.load()["methods"]["name"], ["step"])
        self.copse("run", "--measure", "calls", "-o", self.report, "--exclude", "Hello.step", "--", *self.java)
        self.assertEqual(self.load()["methods"]["name"], ["main"])

    def test_the_probes_build_the_tree_unless_an_option_needs_packets(self):
        for options, engine in ((), "inline"), (["--recursion", "merge"], "inline"), (["--engine", "parallel:workers=3"], "parallel"), \
                (["--engine", "uptree"], "uptree"):
            self.copse("run", "-o", self.report, *options, "--", *self.java)
            report = self.load()
            self.assertEqual((report["options"]["engine"], self.calls("step")), (engine, 1000), options)

    def test_recursion_that_makes_a_million_contexts_is_merged_unless_told_otherwise(self):
        calls = 2 ** 21 - 1
        for options in ([], ["--engine", "parallel"], ["--engine", "uptree"]):
            with self.subTest(options=options):
                outcome = self.copse("run", "--measure", "calls", "-o", self.report, *options, "--", *driver.java_command("Tree"))
                self.assertEqual(outcome.stdout, f"{calls}\n")
                report = self.load()
                totals = report["totals"]
                self.assertEqual((self.calls("walk"), totals["contexts"]), (calls, 2))
                merged = [note for note in report["notes"] if "its cycles (Tree.walk at least 21 deep)" in note]
                self.assertEqual((totals["merged_methods"], totals["merged_depth_at_least"], len(merged)), (1, 21, 1))
        outcome = self.done("run", "--measure", "calls", "-o", "full.txt", "--recursion", "full", "--", *driver.java_command("Tree"))
        self.assertIn(f"copse: {calls + 1:,} calls in {calls + 1:,} contexts, 0 lost: ", outcome.stderr)
        self.assertNotIn("its cycles", (self.folder / "full.txt").read_text())
        self.done("run", "--recursion", "merge", "-o", self.report, "--", *driver.java_command("Tree", "9"))
        self.assertNotIn("merged_depth_at_least", self.load()["totals"])

    def test_a_report_has_as_many_contexts_as_were_asked_for(self):
        calls = 2 ** 10 - 1
        tree = driver.java_command("Tree", "9")
        self.done("run", "--measure", "calls", "-o", "all.json", "--", *tree)
        self.done("report", "all.json", "--max-contexts", 100, "-o", "reduced.json")
        few = self.load("reduced.json")
        contexts = few["totals"]["contexts"]
        self.assertTrue(90 <= contexts <= 100, contexts)
        self.done("record", "-o", "run.trace", "--", *tree)
        for command in (["run", "--measure", "calls", "--", *tree], ["run", "--measure", "calls", "--engine", "parallel", "--", *tree], ["replay", "run.trace"]):
            with self.subTest(command=command):
                said = self.done(command[0], "--max-contexts", 100, "-o", self.report, *command[1:]).stderr
                self.assertIn(f"copse: {calls + 1:,} calls in {contexts} contexts, 0 lost: {self.report}\n", said)
                report = self.load()
                self.assertEqual((report["nodes"], report["totals"]["evicted_calls"]),
                                 (few["nodes"], few["totals"]["evicted_calls"]))
                self.assertEqual(report["notes"][-1], few["notes"][-1])
        ids = ["--encoder", "segment", "--mark", "Tree.walk"]
        self.done("ids", *ids, "--max-contexts", 100, "-o", self.report, "--", *tree)
        report = self.load()
        self.assertEqual((report["totals"]["contexts"], report["totals"]["calls"]), (contexts, calls))

    def test_output_with_spaces_and_commas(self):
        path = self.path("a, b.json")
        self.copse("run", "-o", path, "--", *self.java)
        self.assertEqual(self.calls("step", path), 1000)

    def test_a_terminated_program_leaves_its_report(self):
        process = self.start_waiting()
        os.killpg(process.pid, signal.SIGTERM)
        process.communicate(timeout=jvm.TIMEOUT_S)
        self.assertNotEqual(process.returncode, 0)
        self.assertEqual(self.calls("step"), 1000)

    def test_a_signal_is_passed_on_whenever_it_comes_and_to_nobody_else(self):
        strays = self.folder / "strays"
        for moment, command, status in (("before", ["sleep", "1000"], 143), ("after", ["sleep", "1000"], 143), ("taken", ["true"], 0)):
            with self.subTest(moment):
                env = {**os.environ, "LD_PRELOAD": ARGS.signals, "COPSE_TEST_SIGNAL": moment, "COPSE_TEST_STRAYS": str(strays)}
                self.assertEqual(self.copse("run", "-q", "-o", self.report, "--", *command, env=env).status, status)
                self.assertFalse(strays.exists())

    def test_a_commands_status_is_seen_where_ended_processes_are_forgotten(self):
        command = ["sh", "-c", "grep SigIgn /proc/self/status; exit 7"]
        forgets = {"preexec_fn": lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN)}
        bare = jvm.run(command, **forgets)
        outcome = self.copse("run", "-q", "-o", self.report, "--", *command, **forgets)
        self.assertEqual((outcome.status, outcome.stdout), (7, bare.stdout))

    def test_mistakes_get_one_line_that_says_what_to_do(self):
        self.assert_one_line(self.copse("rnu"), 2, "rnu", "run")
        self.assert_one_line(self.copse("run"), 2, "COMMAND")
        self.assert_one_line(self.copse("run", "--enigne", "uptree", "--", *self.java), 2, "--engine")
        self.assert_one_line(self.copse("run", "--engine", "parallel:workers=many", "--", *self.java), 2, "many")
        self.assert_one_line(self.copse("run", "--engine", "parallel:packet=100", "--", *self.java), 2, "power of two")
        self.assert_one_line(self.copse("run", "--engine", "inline:workers=3", "--", *self.java), 2, "workers")
        self.assert_one_line(self.copse("run", "--jdk=false", "--", *self.java), 2, "--jdk")
        self.assert_one_line(self.copse("run", "--memory", "64M", "--memory", "1G", "--", *self.java), 2, "--memory")
        self.assert_one_line(self.copse("ids", "--encoder", "luxe", "--", *self.java), 2, "luxe", "luce")
        self.assert_one_line(self.copse("run", "--", "no-such-command"), 127, "no-such-command")
        self.assert_one_line(self.copse("report", "absent.json"), 1, "absent.json")
        self.assert_one_line(self.copse("run", "-o", "absent/x.json", "--", *self.java), 1, "absent/x.json")

    def test_wrong_agent_options_keep_the_jvm_from_starting(self):
        outcome = jvm.run(driver.with_agent(self.java, "engine=steam"))
        self.assertNotEqual(outcome.status, 0)
        self.assertNotIn("hello", outcome.stdout)
        self.assertEqual([line for line in outcome.stderr.splitlines() if line.startswith("copse: ")],
                         [line for line in outcome.stderr.splitlines() if "steam" in line])

    def test_a_program_that_is_no_jvm_runs_and_is_said_to_have_no_report(self):
        outcome = self.copse("run", "-o", self.report, "--", "sh", "-c", "echo out; exit 4")
        self.assertEqual((outcome.status, outcome.stdout), (4, "out\n"))
        self.assertIn("no report", outcome.stderr)

    def test_class_initialisers_have_the_site_of_the_call_that_sets_them_off(self):
        """Those that other instructions set off have none."""
        lines = TRIGGERS.splitlines()
        body = lines[next(at for at, line in enumerate(lines) if "void main" in line):]
        expected = {}
        for name in re.findall(r"static class (\w+)", TRIGGERS):
            line, = (line for line in body if re.search(rf"\b{name}\b", line))
            expected["Triggers$" + name] = None if name.startswith("Instruction") else lines.index(line) + 1
        for home in ARGS.homes:
            for engine in ("inline", "parallel"):
                with self.subTest(home=home, engine=engine):
                    self.done("run", "-q", "--engine", engine, "-o", self.report, "--", *driver.java_command("Triggers", home=home))
                    report = self.load()
                    methods, nodes = report["methods"], report["nodes"]
                    found = {methods["class"][method]: report["sites"]["line"][site] if site >= 0 else None
                             for method, site in zip(nodes["method"], nodes["site"]) if methods["name"][method] == "<clinit>"}
                    self.assertEqual(found, expected)

    def test_every_format_comes_out_of_one_report(self):
        self.copse("run", "-o", self.report, "--", *self.java)
        for form, expected in (("summary", "Hello.step"), ("tree", "Hello.step"), ("collapsed", "Hello.main"),
                               ("json", "copse.cct/2"), ("html", "<html")):
            outcome = self.done("report", self.report, "--format", form)
            self.assertIn(expected, outcome.stdout)


driver.main("agent", "copse", "signals", sources=[HELLO, PARENT, PRELOADED, TREE, TRIGGERS])
