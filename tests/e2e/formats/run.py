#!/usr/bin/env python3
"""The ending of a file decides the format, whoever writes the report: an agent at the end of a run, a
snapshot, a dump, a detach, or a command."""

import gzip
import os
import re
import signal
import subprocess
import sys
import time

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS  # noqa: E402

# A thousand calls of step, then waits for a line when asked to.
HELLO = """
public class Hello {
    static int step(int n) { return n + 1; }
    static void steps() { int sum = 0; for (int i = 0; i < 1000; i++) sum = step(sum); }
    public static void main(String[] args) throws Exception {
        if (args.length == 0) { steps(); return; }
        if (args[0].equals("attached")) { ask("ready"); }
        steps();
        ask("waiting");
    }
    static void ask(String text) throws Exception {
        System.out.println(text);
        System.out.flush();
        System.in.read();
    }
}
"""
TRACE = "copse trace text 1\nmethod 1 Hello step\n0 start\n0 call 1\n0 return\n0 call 1\n0 end\n"


def form_of(text):
    """Returns a file's format, by its content alone."""
    if text.startswith("<!doctype html>"):
        return "html"
    if text.startswith("{"):
        return "json"
    if re.search(r"^ +calls +inclusive calls +context", text):
        return "tree"
    if all(re.fullmatch(r"\S.* \d+", line) for line in text.splitlines()):
        return "collapsed"
    return "summary" if re.search(r"^ *proof: [\d,]+ calls .*seen = ", text, re.MULTILINE) else "?"


ENDINGS = {".json": "json", ".html": "html", ".htm": "html", ".collapsed": "collapsed", ".folded": "collapsed",
           ".tree": "tree", ".txt": "summary", ".1": "json", "": "json"}


class Formats(driver.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.java = driver.java_command("Hello")

    def wait_until(self, happened):
        deadline = time.monotonic() + jvm.TIMEOUT_S
        while not happened():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)

    def text(self, name):
        return (self.folder / name).read_text(encoding="utf-8")

    def report_in(self, name):
        """The report that a JSON file or a page holds; its counts prove themselves."""
        text = self.text(name)
        if form_of(text) == "html":
            inside = re.search(r'<script type="application/json" id="report">(.*?)</script>', text, re.DOTALL)
            text = inside.group(1)
        (self.folder / "inside.json").write_text(text, encoding="utf-8")
        return self.load("inside.json")

    def assert_has_steps(self, name, calls=1000):
        form = form_of(self.text(name))
        if form in ("json", "html"):
            self.assertEqual(driver.calls_by_method(self.report_in(name))["step"], calls)
        else:
            self.assertRegex(self.text(name), r"Hello\.step")
        return form

    def test_a_run_writes_the_format_that_the_ending_stands_for(self):
        for ending, form in ENDINGS.items():
            with self.subTest(ending):
                self.done("run", "-o", "report" + ending, "--", *self.java)
                self.assertEqual(self.assert_has_steps("report" + ending), form)
                self.assertEqual(os.stat(self.path("report" + ending)).st_mode & 0o777, 0o600)

    def test_an_ending_of_no_format_is_refused_before_the_program_starts(self):
        outcome = self.copse("run", "-o", "report.svg", "--", *self.java)
        self.assertEqual((outcome.status, outcome.stdout), (2, ""), outcome)
        self.assertFalse(os.path.exists(self.path("report.svg")))

    def test_a_run_writes_what_copse_report_makes_of_its_json(self):
        self.done("run", "--measure", "calls", "-o", "a.json", "--", *self.java)
        self.done("run", "--measure", "calls", "-o", "a.collapsed", "--", *self.java)
        self.done("report", "a.json", "-o", "b.collapsed")
        self.assertEqual(self.text("a.collapsed"), self.text("b.collapsed"))

    def test_a_run_writes_what_other_tools_read(self):
        self.done("run", "--measure", "calls", "-o", "a.json", "--", *self.java)
        self.done("report", "a.json", "-o", "b.csv")
        self.done("run", "--measure", "calls", "-o", "a.csv", "--", *self.java)
        self.assertEqual(self.text("a.csv"), self.text("b.csv"))
        for name, inside in (("a.speedscope.json", b"speedscope.app"), ("callgrind.out.a", b"events: calls\n"), ("a.pb.gz", b"Hello.step")):
            self.done("run", "--measure", "calls", "-o", name, "--", *self.java)
            written = (self.folder / name).read_bytes()
            self.assertIn(inside, gzip.decompress(written) if name.endswith(".gz") else written)

    def test_an_agent_alone_writes_it_too(self):
        for engine in ("inline", "parallel"):
            for ending in (".html", ".tree"):
                name = engine + ending
                done = jvm.run([self.java[0], f"-agentpath:{ARGS.agent}=out={self.path(name)},engine={engine}",
                                *self.java[1:]])
                self.assertEqual(done.status, 0, done)
                self.assertEqual(self.assert_has_steps(name), ENDINGS[ending])

    def test_ids_of_events_are_written_in_any_format_and_keep_their_id_file(self):
        options = ["ids", "--encoder", "segment", "--mark", "Hello.step"]
        for ending in (".html", ".collapsed", ".txt"):
            self.done(*options, "-o", "ids" + ending, "--", *self.java)
            self.assertEqual(self.assert_has_steps("ids" + ending), ENDINGS[ending])
            self.assertTrue(os.path.exists(self.path("ids.ids")))
            os.remove(self.path("ids.ids"))
        # Without a call to show, text formats show the first measure there is.
        self.done("ids", "--encoder", "segment", "--measure", "alloc=exact", "-o", "a.collapsed", "--", *self.java)
        self.done("ids", "--encoder", "segment", "--measure", "alloc=exact", "-o", "a.json", "--", *self.java)
        self.assertEqual(self.text("a.collapsed"), self.copse("report", "a.json", "--format", "collapsed").stdout)

    def test_attach_dump_and_detach_write_it(self):
        process = self.start([*self.java, "attached"], "ready")
        self.done("attach", "-o", "end.html", process.pid)
        process.stdin.write("\n")
        process.stdin.flush()
        self.assertEqual(process.stdout.readline(), "waiting\n")
        for ending, form in ENDINGS.items():
            self.done("dump", "-o", "now" + ending, process.pid)
            self.assertEqual(self.assert_has_steps("now" + ending), form)
        self.done("detach", process.pid)
        self.assertEqual(self.assert_has_steps("end.html"), "html")

    def test_snapshots_are_in_the_format_of_the_report(self):
        process = self.start([ARGS.copse, "run", "-o", "r.html", "--snapshot", "50ms", "--", *self.java, "wait"], "waiting")
        self.wait_until(lambda: os.path.exists(self.path("r.html")) and
                        "step" in self.report_in("r.html")["methods"]["name"])
        self.assertEqual(self.report_in("r.html")["program"].get("snapshot", 0) > 0, True)
        process.communicate("\n", timeout=jvm.TIMEOUT_S)
        self.assertEqual(self.assert_has_steps("r.html"), "html")
        self.assertNotIn("snapshot", self.report_in("r.html")["program"])

    def test_a_killed_jvm_has_its_report_written_in_it(self):
        process = self.start([ARGS.copse, "run", "-o", "killed.html", "--", *self.java, "wait"], "waiting")
        os.kill(jvm.child_of(process.pid), signal.SIGKILL)
        process.communicate(timeout=jvm.TIMEOUT_S)
        self.assertEqual(self.assert_has_steps("killed.html"), "html")

    def test_recover_writes_it(self):
        os.mkdir(self.path("kept"), 0o700)
        for output, name in (([], "first.tree"), (["-o", "second.html"], "second.html")):
            options = f"out={self.path('first.tree')},keep={self.path('kept')}"
            process = self.start([self.java[0], f"-agentpath:{ARGS.agent}={options}", *self.java[1:], "wait"], "waiting")
            process.kill()
            process.communicate(timeout=jvm.TIMEOUT_S)
            self.done("recover", "kept", *output)
            self.assertEqual(self.assert_has_steps(name), ENDINGS[os.path.splitext(name)[1]])

    def test_commands_that_make_reports_write_it(self):
        (self.folder / "t.trace").write_text(TRACE)
        self.done("ids", "--encoder", "segment", "--mark", "Hello.step", "--event-file", "run.events", "--", *self.java)
        for ending, form in ENDINGS.items():
            self.done("replay", "t.trace", "-o", "replayed" + ending)
            self.assertEqual(self.assert_has_steps("replayed" + ending, 2), form)
            self.done("events", "run.events", "--report", "events" + ending)
            self.assertEqual(self.assert_has_steps("events" + ending), form)

    def test_the_advice_fits_what_was_written_and_replaces_nothing(self):
        said = self.done("run", "-o", "a.html", "--", *self.java).stderr
        self.assertIn(f"copse: to look at it, open it in a browser: {self.path('a.html')}\n", said)
        self.assertNotIn("copse report", said)
        for name in ("b.json", "c", "d.1"):
            said = self.done("run", "-o", name, "--", *self.java).stderr
            advice = re.search(r"to look at it: copse (report .*)\n", said).group(1).split()
            self.assertEqual(advice, ["report", self.path(name), "-o", os.path.splitext(self.path(name))[0] + ".html"])
            self.done(*advice)
            self.assertEqual(self.assert_has_steps(name), "json")
            self.assertEqual(self.assert_has_steps(os.path.splitext(name)[0] + ".html"), "html")
        said = self.done("run", "-o", "e.collapsed", "--", *self.java).stderr
        self.assertNotIn("to look at it", said)

    def test_advice_can_be_pasted_into_a_shell(self):
        odd = "it's $HOME `id` \"-x\";&"
        os.mkdir(self.path(odd))
        paste = lambda line: subprocess.run(["sh", "-c", line.replace("copse ", f"'{ARGS.copse}' ", 1)], text=True,
                                            cwd=self.folder, capture_output=True, timeout=jvm.TIMEOUT_S)
        advice = lambda said, kind: re.search(rf"copse: {kind}: (copse .*)\n", said).group(1)
        report = os.path.join(odd, "-a.json")
        said = self.done("ids", "--encoder", "segment", "--mark", "Hello.step", "--event-file", os.path.join(odd, "-e"),
                         "-o", report, "--", *self.java).stderr
        self.assertEqual(paste(advice(said, "to look at it")).returncode, 0)
        self.assertEqual(self.assert_has_steps(os.path.join(odd, "-a.html")), "html")
        decode = advice(said, "to read ids").replace("NUMBER...", "1")
        self.assertIn("?", paste(decode).stdout)
        said = self.done("record", "-o", os.path.join(odd, "-t.trace"), "--", *self.java).stderr
        self.assertEqual(paste(advice(said, "to get its report")).returncode, 0)
        self.assertEqual(self.assert_has_steps(os.path.join(odd, "-t.json")), "json")
        killed = os.path.join(odd, "-k")
        for command, what, answer in (
                (["ids", "--encoder", "segment", "--mark", "Hello.step", "--event-file"], "events", "1 thread with events"),
                (["record", "-o"], "calls", "cut off, it has no end"), (["record", "--values", "Hello", "-o"], "values", "1 answer")):
            process = self.start([ARGS.copse, *command, killed, "--", *self.java, "wait"], "waiting")
            self.wait_until(lambda: os.path.getsize(self.path(killed)) > 16)
            os.kill(jvm.child_of(process.pid), signal.SIGKILL)
            said = process.communicate(timeout=jvm.TIMEOUT_S)[1]
            line = advice(said, f"killed JVM: its {what} up to the last block").replace("QUERY", "'SELECT COUNT(*) FROM MethodInvocation x'")
            outcome = paste(line)
            self.assertIn(answer, outcome.stdout + outcome.stderr)
            os.remove(self.path(killed))

    def test_what_is_no_report_does_not_take_its_ending(self):
        trace = self.folder / "t.trace"
        trace.write_text(TRACE)
        for ending in (".json", ".html", ".htm", ".collapsed", ".folded", ".tree", ".txt", ".csv", ".pb.gz"):
            name = "x" + ending
            commands = [(["record", "-o", name, "--", "touch", "ran"], ".trace"),
                        (["ids", "--encoder", "segment", "--mark", "A.b", "--event-file", name, "--", "touch", "ran"],
                         ".events")]
            if ending != ".json":
                commands.append((["graph", ARGS.classes, "-o", name], ".graph"))
            if ending != ".txt":
                commands.append((["validate", trace, "--failure", name], ".txt"))
            if ending not in (".txt", ".json"):
                commands.append((["compare", trace, "-o", name], ".json"))
            for command, right in commands:
                with self.subTest(command):
                    self.assert_one_line(self.copse(*command), 2, name, "end it in ", right)
                    self.assertEqual([n for n in os.listdir(self.folder) if n != "t.trace"], [])
            for option in (f"mode=trace,out={self.path(name)}", f"mode=ids,encoder=segment,mark=A.b,event-file={self.path(name)}"):
                outcome = jvm.run(driver.with_agent(self.java, option))
                self.assertNotEqual(outcome.status, 0)
                self.assertIn("end it in ", outcome.stderr)
        self.done("graph", ARGS.classes, "-o", "graph.json")


driver.main("agent", "copse", sources=[HELLO])
