#!/usr/bin/env python3
"""What copse import and copse join read: every format under any name, packed or not, from standard input; and that
nothing is left of it, whatever happens."""

import bz2
import contextlib
import gzip
import json
import lzma
import os
import resource
import select
import shutil
import signal
import subprocess
import sys
import threading

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402

DATA = driver.REPOSITORY / "tests/golden/import/data"
RECORDING = b"FLR\0\0\2\0\1" + bytes(100_000)  # for the tool below; more than a pipe holds
SAMPLES = {"collapsed": (DATA / "samples.collapsed").read_bytes(), "json": (DATA / "samples.jfr.json").read_bytes(),
           "pprof": gzip.decompress((DATA / "samples.pb.gz").read_bytes()), "jfr": RECORDING}
METADATA = '// id: 109\n@Name("jdk.ExecutionSample")\nclass ExecutionSample {\n}\n'

# Stands for the JDK's `jfr`. It takes what that takes: a file whose name ends in .jfr. It notes the access rights of
# the file and its folder, and prints the same for each recording.
TOOL = """#!/bin/sh
for path; do :; done
case $path in *.jfr) ;; *) echo "jfr $1: filename must end with '.jfr'" >&2; exit 1;; esac
[ "$(head -c 3 "$path")" = FLR ] || { echo "jfr $1: could not read recording at $path." >&2; exit 1; }
stat -L -c '%a %s' "$path" > "$TOLD/rights"
stat -L -c %a "$(dirname "$path")" >> "$TOLD/rights"
case $1 in metadata) cat "$TOLD/metadata";; *) cat "$path" >> "$TOLD/read"; stat -L -c %s "$path" >> "$TOLD/sizes"; cat "$TOLD/printed"; exec 1>&-; eval "$AFTERWARDS";; esac
"""


class Read(driver.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.made("home/bin/jfr", TOOL.encode()).chmod(0o755)
        self.made("told/metadata", METADATA.encode())
        self.made("told/printed", SAMPLES["json"])
        self.made("passing/.keep", b"").unlink()
        self.environment = os.environ | {"JAVA_HOME": self.path("home"), "TOLD": self.path("told"),
                                         "TMPDIR": self.path("passing"), "AFTERWARDS": ":"}

    def tearDown(self):
        self.assertEqual(os.listdir(self.path("passing")), [], "files are left")

    def made(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return path

    def command(self, command, name):
        """The command that reads the file, and writes out.json."""
        return [driver.ARGS.copse, *(["import"] if command == "import" else ["join", DATA / "report.json"]), name, "-o", "out.json"]

    def ran(self, command, name, stdin=subprocess.DEVNULL, **more):
        done = subprocess.run(self.command(command, name), cwd=self.folder, env=self.environment, capture_output=True,
                              timeout=jvm.TIMEOUT_S, check=False, **({"input": stdin} if isinstance(stdin, bytes) else {"stdin": stdin}), **more)
        return jvm.Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())

    def nodes(self, command, name, **more):
        """Nodes of the report that the command writes."""
        outcome = self.ran(command, name, **more)
        self.assertEqual(outcome.status, 0, outcome)
        nodes = self.load("out.json")["nodes"]
        os.remove(self.path("out.json"))
        return nodes

    def ways(self, content):
        """Names under which the content can be read, with what standard input is then."""
        for name in ("plain.jfr", "plain", "plain.JFR", "with blank.txt", "deep/er/recording.bin", "a.jfr.gz", "gz", "-x.jfr", "-x"):
            packed = name.endswith("gz")
            self.made(name, gzip.compress(content) if packed else content)
            yield "./" + name if name.startswith("-") else name, {}
        # Several files packed one behind the other are one.
        self.made("joined.gz", gzip.compress(content[:3]) + gzip.compress(content[3:]))
        yield "joined.gz", {}
        os.symlink("plain", self.path("link"))
        os.symlink("plain", self.path("link.jfr"))
        yield "link", {}
        yield "link.jfr", {}
        for path in ("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"):
            for bytes_given in (content, gzip.compress(content)):
                yield path, {"stdin": bytes_given}
        for path in ("-", "/dev/stdin"):
            for name in ("plain", "plain.jfr", "gz"):
                with open(self.path(name), "rb") as file:
                    yield path, {"stdin": file}
        with open(self.path("plain"), "rb") as file:
            os.remove(self.path("plain"))  # standard input has no name any more
            yield "-", {"stdin": file}
            file.seek(0)
            yield "/dev/stdin", {"stdin": file}
        for bytes_given in (content, gzip.compress(content)):
            os.mkfifo(self.path("fifo"))
            writer = threading.Thread(target=(self.folder / "fifo").write_bytes, args=(bytes_given,))
            writer.start()
            yield "fifo", {}
            writer.join()
            os.remove(self.path("fifo"))

    def test_any_format_is_told_by_its_content(self):
        for format_name, content in SAMPLES.items():
            expected = {}
            self.made("expected." + format_name, content)
            for command in ("import", "join"):
                expected[command] = self.nodes(command, "expected." + format_name)
            for command in ("import", "join"):
                for name, more in self.ways(content):
                    with self.subTest(format=format_name, command=command, name=name):
                        self.assertEqual(self.nodes(command, name, **more), expected[command])
                for made in os.listdir(self.folder):
                    if not os.path.isdir(self.path(made)):
                        os.remove(self.path(made))
                shutil.rmtree(self.path("deep"), ignore_errors=True)
                self.made("expected." + format_name, content)

    def test_a_copy_is_for_its_owner_alone(self):
        self.made("run.gz", gzip.compress(RECORDING))
        umask = os.umask(0)
        try:
            self.nodes("import", "run.gz")
        finally:
            os.umask(umask)
        self.assertEqual((self.folder / "told/rights").read_text(), f"600 {len(RECORDING)}\n700\n")

    def test_a_file_that_has_a_place_is_not_copied(self):
        self.made("recording", RECORDING).chmod(0o444)

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))

        self.nodes("import", "recording", preexec_fn=limit)
        self.assertEqual((self.folder / "told/rights").read_text(), f"444 {len(RECORDING)}\n700\n")

    def test_each_chunk_of_a_recording_is_read_by_itself(self):
        def chunk(size, said):
            return b"FLR\0\0\2\0\1" + said.to_bytes(8, "big") + bytes(size - 16)

        once = self.nodes("import", self.made("run.jfr", RECORDING))
        # The last one does not tell its size, like that of a JVM that was killed.
        sizes = (68, 65_530, 200_000, 100)
        whole = b"".join(chunk(size, size) for size in sizes[:-1]) + chunk(sizes[-1], 0)
        for name, content, stdin in (("run.jfr", whole, None), ("run", whole, None), ("run.gz", gzip.compress(whole), None),
                                     ("-", b"", whole)):
            with self.subTest(name):
                self.made(name, content)
                for told in ("read", "sizes"):
                    self.made(f"told/{told}", b"")
                nodes = self.nodes("import", name, stdin=stdin or subprocess.DEVNULL)
                self.assertEqual((self.folder / "told/sizes").read_text().split(), [str(size) for size in sizes])
                self.assertEqual((self.folder / "told/read").read_bytes(), whole)
                self.assertEqual(nodes["cpu_samples"], [len(sizes) * count for count in once["cpu_samples"]])

    def test_messages_name_the_file_that_was_given(self):
        self.made("broken.gz", gzip.compress(RECORDING)[:-3])
        self.made("told/metadata", b"")
        for command in ("import", "join"):
            self.assert_one_line(self.ran(command, "broken.gz"), 1, "copse: broken.gz: ")
            self.assert_one_line(self.ran(command, "-", stdin=gzip.compress(RECORDING)[:-3]), 1, "copse: standard input: ")
            self.assert_one_line(self.ran(command, "-", stdin=b""), 1, "copse: standard input: ")
            self.assert_one_line(self.ran(command, "-", stdin=b"no stack\n"), 1, "copse: standard input: line 1: ")
            self.assert_one_line(self.ran(command, ".", stdin=b""), 1, "copse: .: Is a directory")
            closed = self.ran(command, "-", stdin=None, preexec_fn=lambda: os.close(0))
            self.assert_one_line(closed, 1, "copse: standard input: ")
        # Messages of the tool about a copy are about the file.
        self.made("home/bin/jfr", TOOL.replace("= FLR", "= none").encode()).chmod(0o755)
        for name, stdin in (("run.gz", None), ("-", RECORDING), ("run", None), ("run.jfr", None)):
            self.made("run.gz", gzip.compress(RECORDING))
            self.made("run.jfr", RECORDING)
            self.made("run", RECORDING)
            said = "standard input" if name == "-" else name
            outcome = self.ran("import", name, stdin=stdin or subprocess.DEVNULL)
            self.assert_one_line(outcome, 1, f"copse: {said}: ", f"could not read recording at {said}.")
            self.assertNotIn("passing", outcome.stderr)

    def test_a_copy_that_cannot_be_made_is_one_line(self):
        self.made("run.gz", gzip.compress(RECORDING))

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))

        for command in ("import", "join"):
            self.assert_one_line(self.ran(command, "run.gz", preexec_fn=limit), 1, "copse: run.gz: ", "File too large", "TMPDIR")
            self.assertEqual(os.listdir(self.path("passing")), [])
        self.environment["TMPDIR"] = self.path("none")
        self.assertEqual(self.ran("import", "run.gz").status, 0, "another folder is taken")

    @contextlib.contextmanager
    def held(self, process):
        """The FIFO that the tool of this command holds open, once it does."""
        alive = os.open(self.path("alive"), os.O_RDONLY | os.O_NONBLOCK)
        ready = select.select([alive, process.stderr], [], [], jvm.TIMEOUT_S)[0]
        self.assertEqual(ready, [alive], "the command said something, or ended")
        os.set_blocking(alive, True)
        with open(alive, "rb") as file:
            self.assertEqual(file.readline(), b"\n")
            yield file

    def test_a_signal_leaves_nothing_behind(self):
        self.made("run.gz", gzip.compress(RECORDING))
        self.made("run", RECORDING)
        self.made("run.jfr", RECORDING)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
            for command, name in (("import", "run.gz"), ("join", "run"), ("import", "run.jfr"), ("join", "-")):
                with self.subTest(number=number, name=name):
                    os.mkfifo(self.path("alive"))
                    # The tool holds the FIFO open as long as it lives, and says that it does.
                    self.environment["AFTERWARDS"] = "exec 3> alive; echo >&3; exec tail -f /dev/null >/dev/null"
                    with open(self.path("run"), "rb") as recording:
                        process = subprocess.Popen(self.command(command, name), cwd=self.folder, env=self.environment,
                                                   stdin=recording, stderr=subprocess.PIPE, start_new_session=True)
                        self.addCleanup(driver.end_all_of, process)
                        with self.held(process) as alive:
                            self.assertEqual(len(os.listdir(self.path("passing"))), 0 if name == "run.jfr" else 1)
                            process.send_signal(number)
                            self.assertEqual(process.wait(jvm.TIMEOUT_S), -number)
                            self.assertEqual(os.listdir(self.path("passing")), [])
                            self.assertEqual(alive.read(), b"", "the tool ends too")
                    self.assertEqual(process.stderr.read(), b"")
                    os.remove(self.path("alive"))
        self.assertFalse((self.folder / "out.json").exists())

    def test_a_signal_that_is_ignored_stays_so(self):
        self.made("run.gz", gzip.compress(RECORDING))
        os.mkfifo(self.path("alive"))
        os.mkfifo(self.path("go"))
        self.environment["AFTERWARDS"] = "exec 3> alive; echo >&3; read line < go"
        process = subprocess.Popen(self.command("import", "run.gz"), cwd=self.folder, env=self.environment, start_new_session=True,
                                   stderr=subprocess.PIPE, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        self.addCleanup(driver.end_all_of, process)
        with self.held(process):
            process.send_signal(signal.SIGHUP)
            (self.folder / "go").write_text("\n")
            self.assertEqual(process.wait(jvm.TIMEOUT_S), 0)

    def test_what_copse_cannot_unpack_is_one_line_with_a_remedy(self):
        text = SAMPLES["collapsed"]
        packed = {"bz2": (bz2.compress(text), "bzip2"), "xz": (lzma.compress(text), "xz"),
                  "lzma": (lzma.compress(text, format=lzma.FORMAT_ALONE), "lzma"),
                  "zst": (b"\x28\xb5\x2f\xfd\x20\x04\x21\x00\x00text\x9b\x1b\xb6\x5e", "zstd"),
                  "lz4": (b"\x04\x22\x4d\x18\x64\x40\xa7\x04\x00\x00\x80text\x00\x00\x00\x00", "lz4"),
                  "gz": (gzip.compress(bz2.compress(text)), "bzip2")}
        for ending, (content, tool) in packed.items():
            self.made("samples." + ending, content)
            for command in ("import", "join"):
                for name, stdin in (("samples." + ending, subprocess.DEVNULL), ("-", content)):
                    with self.subTest(ending=ending, command=command, name=name):
                        outcome = self.ran(command, name, stdin=stdin)
                        self.assert_one_line(outcome, 1, tool)
                        self.assertNotIn("exception", outcome.stderr)

    def test_both_commands_say_what_does_not_count_and_what_is_lacking(self):
        recording = json.loads(SAMPLES["json"])
        sleeping = json.loads(json.dumps(recording["recording"]["events"][1]))
        sleeping["values"]["state"] = "STATE_SLEEPING"
        recording["recording"]["events"] += [sleeping] * 7
        self.made("told/printed", json.dumps(recording).encode())
        self.made("run.jfr", RECORDING)
        for command in ("import", "join"):
            outcome = self.ran(command, "run.jfr")
            self.assertEqual(outcome.status, 0, outcome)
            self.assertIn("7 samples of threads that did not run (STATE_SLEEPING 7)", outcome.stdout + outcome.stderr)
        report = self.load("out.json")
        self.assertTrue([note for note in report["notes"] if "STATE_SLEEPING 7" in note], report["notes"])


driver.main("copse")
