#!/usr/bin/env python3
"""Where files go: paths that cannot be written are said before the program runs, what is written is
private, whole or not there at all, and odd paths are taken as they are."""

import os
import pathlib
import re
import resource
import shutil
import signal
import stat
import subprocess
import sys
import threading

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS  # noqa: E402

HELLO = """
public class Hello {
    static int step(int n) { return n + 1; }
    public static void main(String[] args) throws java.io.IOException {
        int sum = 0;
        for (int i = 0; i < 1000; i++) sum = step(sum);
        System.out.println("hello " + sum);
        if (args.length > 0) System.in.read();
    }
}
"""
TRACE = "copse trace text 1\nmethod 1 A f\n0 start\n0 call 1\n0 call 1\n0 end\n"
OLD = '{"old": "report"}'


def small_files_only():
    resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


class OutputPaths(driver.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.java = driver.java_command("Hello")

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return self.path(name)

    def state_of(self, name):
        """Another one after any write: a file that is replaced is another file."""
        state = os.stat(self.path(name))
        return state.st_ino, state.st_size, state.st_mtime_ns

    def unwritable(self):
        """Path without its ending -> what is wrong with it, in the words of the message."""
        for ending in (".json", ".trace", ".txt"):
            os.makedirs(self.path("folder" + ending), exist_ok=True)
        self.write("file", "")
        return {"absent/x": "no such folder", "folder": "is a folder", "file/x": "no such folder",
                "n" * 300: "File name too long", "a\nb": "line break", "/proc/copse": "/proc/copse."}

    def test_every_command_says_before_the_work_that_it_cannot_write(self):
        trace = self.write("t.txt", TRACE)
        self.done("replay", trace, "-o", "good.json")
        for bad, why in self.unwritable().items():
            json, other, text = bad + ".json", bad + ".trace", bad + ".txt"
            for command in (["run", "-o", json, "--", "touch", "ran"], ["record", "-o", other, "--", "touch", "ran"],
                            ["replay", trace, "-o", json], ["report", "good.json", "--format", "json", "-o", json],
                            ["compare", trace, "-o", json], ["validate", trace, "--failure", text]):
                with self.subTest(command=command):
                    self.assert_one_line(self.copse(*command), 1, why)
                    self.assertFalse(os.path.exists(self.path("ran")))
        self.assert_one_line(self.copse("validate", trace, "--save", "absent"), 2, "absent")
        self.assert_one_line(self.copse("validate", trace, "--save", "/proc"), 1, "/proc/")

    def test_what_a_command_reads_is_never_what_it_writes(self):
        trace = self.write("t.trace", TRACE)
        self.done("replay", trace, "-o", "r.json")
        self.copse("ids", "--encoder", "segment", "--mark", "Hello.step", "--event-file", "run.events", "--", *self.java)
        subprocess.run([driver.tool("jar"), "-c", "-f", self.path("h.jar"), "-C", ARGS.classes, "."], check=True)
        kept = self.path("kept")
        os.makedirs(kept)
        started = self.start([*driver.with_agent(self.java, f"out={self.path('x.json')},keep={kept}"), "wait"], "hello 1000")
        started.kill()
        started.communicate()
        memory, names = (os.path.join("kept", f"{started.pid}.{ending}") for ending in ("memory", "names"))
        values, query = "run.values", "SELECT x.methodName FROM MethodInvocation x WHERE x.methodName = 'step'"
        self.done("record", "--values", "Hello", "-o", values, "--", *self.java)
        self.write("q.ptql", query)
        self.write("rules.md", "calls(**) > +0")
        run = ["--", "touch", "ran"]
        pcce = ["--encoder", "pcce", "--graph"]
        events = ["--encoder", "segment", "--mark", "A.b", "--event-file"]
        # Pairs of a file that the command reads, or writes besides its output, and the command with None for its output.
        cases = [("r.json", ["report", "r.json", "--format", "html", "-o", None]), (trace, ["replay", trace, "-o", None]),
                 ("h.jar", ["graph", f"nowhere.jar:{ARGS.classes}:h.jar", "-o", None]),
                 (trace, ["compare", trace, "-o", None]), ("r.json", ["compare", trace, "--graph", "r.json", "-o", None]),
                 ("r.json", ["compare", "--graph", "r.json", "-o", None, *run]),
                 (trace, ["validate", trace, "--failure", None]),
                 ("r.json", ["validate", *pcce, "r.json", trace, "--failure", None]),
                 ("r.json", ["validate", *pcce, "r.json", "-o", None, *run]), ("r.json", ["ids", *pcce, "r.json", "-o", None, *run]),
                 ("run.events", ["events", "run.events", "--report", None]),
                 (values, ["ptql", query, values, "-o", None]), ("q.ptql", ["ptql", "--file", "q.ptql", values, "-o", None]),
                 ("q.ptql", ["ptql", "--file", "q.ptql", "-o", None, *run]),
                 ("rules.md", ["diff", "r.json", "r.json", "--rules", "rules.md", "-o", None, "--format", "text"]),
                 ("rules.md", ["diff", "r.json", "r.json", "--rules", "rules.md", "--junit", None]),
                 (memory, ["recover", memory, "-o", None]), (names, ["recover", memory, "-o", None]),
                 ("both", ["ids", *events, "both", "-o", None, *run]),
                 ("w.ids", ["ids", *events, None, "-o", "w.json", *run])]
        for read, command in cases:
            name = os.path.basename(read)
            here = os.path.join(os.path.dirname(read), name)
            os.makedirs(self.path("deep"), exist_ok=True)
            outputs = [read, os.path.join("deep", "..", here) if not os.path.isabs(here) else here]
            if os.path.exists(self.path(read)):
                for link, make in (("soft", os.symlink), ("hard", os.link)):
                    if os.path.lexists(self.path(link)):
                        os.remove(self.path(link))
                    make(self.path(read), self.path(link))
                    outputs.append(link)
                before = self.state_of(read)
            else:
                before = None
            for output in outputs:
                words = [output if word is None else word for word in command]
                with self.subTest(words):
                    outcome = self.copse(*words)
                    self.assert_one_line(outcome, 2, output)
                    self.assertFalse(os.path.exists(self.path("ran")))
                    if before is None:
                        self.assertFalse(os.path.exists(self.path(read)))
                        continue
                    self.assertEqual(self.state_of(read), before)
        self.assert_one_line(self.copse("graph", ARGS.classes, "-o", os.path.join(ARGS.classes, "Hello.class")), 2,
                             "Hello.class")
        self.assert_one_line(self.copse("validate", *pcce, self.path("pcce.state"), trace, "--save", self.folder), 2,
                             "pcce.state")

    def test_text_that_does_not_fit_onto_standard_output_is_a_failure(self):
        self.done("record", "--values", "Hello", "-o", "run.values", "--", *self.java)
        query = "SELECT x.methodName FROM MethodInvocation x WHERE x.methodName = 'step'"
        for words in (["help"], ["help", "run", "--format", "man"], ["--version"], ["report", "--help"], ["ptql", query, "run.values"]):
            with self.subTest(words), open("/dev/full", "w", encoding="utf-8") as full:
                ended = subprocess.run([ARGS.copse, *words], stdout=full, stderr=subprocess.PIPE, cwd=self.folder, text=True,
                                       timeout=jvm.TIMEOUT_S)
                self.assertEqual(ended.returncode, 1)
                self.assertIn("copse: standard output: No space left on device\n", ended.stderr)

    def test_an_agent_alone_keeps_its_files_apart_too(self):
        report = self.path("r.json")
        self.done("replay", self.write("t.trace", TRACE), "-o", report)
        before = self.state_of(report)
        for option in (f"mode=ids,encoder=pcce,graph={report},out={report}",
                       f"mode=ids,encoder=segment,mark=A.b,event-file={self.path('x-%p')},out={self.path('x-%p')}",
                       f"mode=ids,encoder=segment,mark=A.b,event-file={self.path('y.ids')},out={self.path('y.json')}"):
            with self.subTest(option):
                outcome = jvm.run(driver.with_agent(self.java, option))
                self.assertNotEqual(outcome.status, 0)
                self.assertNotIn("hello", outcome.stdout)
                self.assertIn(self.folder.name, outcome.stderr)
        self.assertEqual(self.state_of(report), before)

    def test_an_agent_alone_takes_no_id_file_for_a_graph(self):
        self.done("ids", "--encoder", "segment", "-o", "ids.json", "--", *self.java)
        outcome = jvm.run(driver.with_agent(self.java, f"mode=ids,encoder=pcce,graph={self.path('ids.ids')},out={self.path('new.json')}"))
        self.assertNotEqual(outcome.status, 0)
        self.assertNotIn("hello", outcome.stdout)
        self.assertIn(f"copse: {self.path('ids.ids')}: ", outcome.stderr)

    def test_the_jvm_does_not_start_under_an_agent_that_cannot_write(self):
        os.makedirs(self.path("ids.ids"))
        os.mkfifo(self.path("fifo"))
        options = ["out=" + self.path("absent/x.json"), "mode=trace,out=" + self.path("absent/x.trace"),
                   "mode=trace,out=" + self.path("fifo"), "mode=ids,encoder=segment,out=" + self.path("ids.json")]
        for option in options:
            with self.subTest(option):
                outcome = jvm.run(driver.with_agent(self.java, option))
                self.assertNotEqual(outcome.status, 0)
                self.assertNotIn("hello", outcome.stdout)
                lines = [line for line in outcome.stderr.splitlines() if line.startswith("copse: ")]
                self.assertEqual(len(lines), 1, outcome.stderr)

    def test_what_is_written_is_its_owners_alone(self):
        trace = self.write("t.txt", TRACE)
        os.makedirs(self.path("saved"))
        before = os.umask(0)
        try:
            self.copse("ids", "--encoder", "segment", "-o", "ids.json", "--", *self.java)
            self.copse("record", "-o", "r.trace", "--", *self.java)
            self.copse("replay", "r.trace")
            self.copse("report", "r.json", "-o", "r.html")
            self.copse("compare", trace, "-o", "c.json")
            self.copse("validate", trace, "--save", "saved")
        finally:
            os.umask(before)
        os.remove(trace)
        found = [os.path.join(folder, name) for folder, _, names in os.walk(self.folder) for name in names]
        names = {os.path.basename(path) for path in found}
        self.assertLessEqual({"ids.json", "ids.ids", "r.trace", "r.json", "r.html", "c.json", "segment.state",
                              "segment.tokens"}, names)
        for path in found:
            self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600, path)

    def test_a_full_disk_leaves_the_old_report_and_nothing_else(self):
        report = self.write("r.json", OLD)
        id_file = self.write("r.ids", OLD)
        for option in ("", "engine=parallel,", "mode=ids,encoder=segment,mark=Hello.*,"):
            done = subprocess.run([self.java[0], "-XX:-UsePerfData", f"-agentpath:{ARGS.agent}={option}out={report}", *self.java[1:]],
                                  cwd=self.folder, capture_output=True, text=True, timeout=jvm.TIMEOUT_S,
                                  preexec_fn=small_files_only)
            self.assertEqual((done.returncode, done.stdout), (0, "hello 1000\n"), done.stderr)
            self.assertIn("File too large", done.stderr)
            for path in (report, id_file):
                self.assertEqual(pathlib.Path(path).read_text(), OLD)
            self.assertEqual(sorted(os.listdir(self.folder)), ["r.ids", "r.json"])

    def test_a_link_in_the_reports_place_is_replaced_not_followed(self):
        precious = self.write("precious", "precious")
        for target in (precious, self.path("nowhere")):
            os.symlink(target, self.path("r.json"))
            self.copse("run", "-o", "r.json", "--", *self.java)
            self.assertFalse(os.path.islink(self.path("r.json")))
            self.assertEqual(self.calls("step", "r.json"), 1000)
            os.remove(self.path("r.json"))
        self.assertFalse(os.path.lexists(self.path("nowhere")))
        self.assertEqual((self.folder / "precious").read_text(), "precious")

    def test_a_fifo_gets_the_report_and_holds_up_nobody(self):
        fifo = self.path("fifo")
        os.mkfifo(fifo)
        outcome = self.copse("run", "-o", fifo, "--", *self.java)
        self.assertEqual((outcome.status, outcome.stdout), (1, "hello 1000\n"))
        kept = re.search(r"no process reads from it; .*copse recover (\S+)", outcome.stderr)[1]
        self.done("recover", "-o", "recovered.json", kept)
        self.assertEqual(self.calls("step", "recovered.json"), 1000)
        copy = self.path("copy.json")
        reader = threading.Thread(target=copy_of, args=(fifo, copy))
        reader.start()
        outcome = self.copse("run", "-o", fifo, "--", *self.java)
        reader.join()
        self.assertEqual(outcome.stdout, "hello 1000\n")
        self.assertEqual(self.calls("step", copy), 1000)
        self.assertTrue(stat.S_ISFIFO(os.stat(fifo).st_mode))

    def test_standard_output_is_appended_to_and_its_link_stays(self):
        before = os.readlink("/dev/stdout")
        trace = self.write("t.txt", TRACE)
        self.copse("replay", trace, "-o", "r.json")
        with open(self.path("out"), "w", encoding="utf-8") as out:
            out.write("first\n")
            out.flush()
            done = subprocess.run([ARGS.copse, "report", self.path("r.json"), "--format", "collapsed", "-o", "/dev/stdout"],
                                  stdout=out, timeout=jvm.TIMEOUT_S)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(os.readlink("/dev/stdout"), before)
        self.assertEqual((self.folder / "out").read_text(), "first\nA.f 1\nA.f;A.f 1\n")

    def test_letters_behind_a_percent_sign_and_long_names_are_taken_as_they_are(self):
        for given, expected in (("100%%-%x%.json", "100%-%x%.json"), ("n" * 250 + ".json", "n" * 250 + ".json")):
            self.done("run", "-o", given, "--", *self.java)
            self.assertEqual(self.calls("step", expected), 1000)

    def test_the_jvm_of_a_build_tools_tests_is_named_after_its_folder(self):
        jar = self.path("surefirebooter1.jar")
        self.assertEqual(jvm.run([driver.tool("jar"), "cfe", jar, "Hello", "-C", ARGS.classes, "."]).status, 0)
        (self.folder / "shop").mkdir()
        self.done("run", "-o", self.path("%c.json"), "--", driver.tool("java"), "-jar", jar, cwd=self.folder / "shop")
        self.assertEqual(self.calls("step", "surefire-shop.json"), 1000)

    def test_no_message_passes_control_characters_to_a_terminal(self):
        name = "\x1b]0;title\x07\x1b[31m\u009b2J.json"
        for command in (["report", name], ["replay", name, "-o", "x.json"], ["run", "-o", name + "/x", "--", "true"],
                        ["run", "--", name], ["decode", name, "00"], [name]):
            with self.subTest(command=command):
                outcome = self.copse(*command)
                self.assertNotEqual(outcome.status, 0)
                self.assertFalse(any(ord(c) < 0x20 or 0x7f <= ord(c) < 0xa0 for c in outcome.stderr.rstrip("\n")),
                                 repr(outcome.stderr))


def copy_of(source, target):
    with open(source, "rb") as read, open(target, "wb") as written:
        shutil.copyfileobj(read, written)


class BesideEachOther(driver.CommandLineTest):
    """Two commands at once that were given the same file. The second one ends first."""

    def two(self, *words, kill=False):
        """The messages of the two, each a text."""
        java = driver.java_command("Hello")
        first = self.start([ARGS.copse, *words, "--", *java, "wait"], "hello 1000")
        second = self.done(*words, "--", *java).stderr
        if kill:
            os.kill(jvm.child_of(first.pid), signal.SIGKILL)
        said = first.communicate("x", jvm.TIMEOUT_S)[1]
        self.assertEqual(first.returncode, 137 if kill else 0, said)
        return said, second

    def files(self, pattern):
        """Name of the file without a process id, and of the one with it."""
        names = sorted(path.name for path in self.folder.glob(pattern))
        plain = [name for name in names if not re.search(r"-\d+\.", name)]
        self.assertEqual((len(names), len(plain)), (2, 1), names)
        return plain[0], (set(names) - set(plain)).pop()

    def clean(self):
        for path in self.folder.iterdir():
            path.unlink()

    def test_have_both_their_reports(self):
        ids = ["ids", "--encoder", "segment", "--mark", "Hello.step"]
        for words in (["run"], ["run", "--engine", "parallel"], ["run", "--snapshot", "20ms"], ["run", "--runs", "2"], ids):
            for has_old in (False, True):
                with self.subTest(words=words, has_old=has_old):
                    self.clean()
                    if has_old:
                        (self.folder / "same.json").write_text(OLD)
                    first, second = self.two(*words, "-o", "same.json")
                    plain, other = self.files("same*.json")
                    # The first writes again and again while the second runs.
                    yielding, staying = (second, first) if "--snapshot" in words else (first, second)
                    self.assertIn(other, yielding)
                    self.assertNotIn(other, staying)
                    for name in (plain, other):
                        self.assertEqual(self.calls("step", name), 1000)
                    if words == ids:
                        self.assertEqual(self.files("same*.ids")[1], other.replace(".json", ".ids"))
                    # One after the other they replace the file.
                    said = self.done(*words, "-o", "same.json", "--", *driver.java_command("Hello")).stderr
                    self.assertNotRegex(said, r"same-\d+")
                    self.files("same*.json")

    def test_have_both_their_reports_when_one_is_killed(self):
        first, _ = self.two("run", "-o", "same.json", kill=True)
        plain, other = self.files("same*.json")
        self.assertIn(other, first)
        for name in (plain, other):
            self.assertEqual(self.calls("step", name), 1000)

    # These files are written from the start on.
    def test_have_both_their_traces_and_events(self):
        ids = ["ids", "--encoder", "segment", "--mark", "Hello.step"]
        for words, pattern in ((["record", "-o", "same.trace"], "same*.trace"), ([*ids, "-o", "r%p.json", "--event-file", "same.events"], "same*.events"),
                               (["record", "--values", "Hello.step", "-o", "same.values"], "same*.values")):
            with self.subTest(words=words):
                self.clean()
                _, second = self.two(*words)
                names = self.files(pattern)
                self.assertIn(names[1], second)
                for name in names:
                    if name.endswith(".trace"):
                        self.done("replay", name, "-o", "replayed.json")
                        self.assertEqual(self.calls("step", "replayed.json"), 1000)
                    elif name.endswith(".events"):
                        self.assertIn("1,000", self.done("events", name).stdout)
                    else:
                        query = "SELECT m.param0 FROM MethodInvocation m WHERE m.methodName = 'step'"
                        self.assertEqual(self.done("ptql", query, name).stdout.count("\n"), 1000)


driver.main("agent", "copse", sources=[HELLO])
