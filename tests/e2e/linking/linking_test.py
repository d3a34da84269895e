#!/usr/bin/env python3
"""The agent and the command need glibc 2.31 or later and no other library, export what must be, and are small.
Without the libraries that are loaded on demand, whatever needs them says so in one line."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS  # noqa: E402

# Parts of glibc; since 2.34 all but the first three are empty.
GLIBC = {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2", "libdl.so.2", "libpthread.so.0", "librt.so.1"}
OLDEST_GLIBC = (2, 31)
MOST_BYTES = {"agent": 4_000_000, "copse": 6_000_000, "launch": 20_000}
HELLO = "public class Hello { public static void main(String[] args) { System.out.println(\"hello\"); } }"


def output_of(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def needed(file):
    return set(re.findall(r"\(NEEDED\).*\[(.*)\]", output_of("readelf", "-dW", file)))


def exported(file):
    return sorted(line.split()[-1].split("@")[0] for line in
                  output_of("nm", "-D", "--defined-only", file).splitlines())


def glibc_versions(file):
    """{(2, 17): [function]} of the functions of glibc that a file needs."""
    versions = {}
    for line in output_of("objdump", "-TwC", file).splitlines():
        if found := re.search(r"\*UND\*.*[( ]GLIBC_([\d.]+)\)? +(\S+)$", line):
            versions.setdefault(tuple(map(int, found[1].split("."))), []).append(found[2])
    return versions


class Files(driver.CommandLineTest):
    def test_need_nothing_but_glibc(self):
        for file in (ARGS.agent, ARGS.copse):
            self.assertLessEqual(needed(file), GLIBC, file)
        # Every process of a script loads it.
        self.assertEqual(needed(ARGS.launch), {"libc.so.6"})

    def test_need_no_later_glibc(self):
        for file in (ARGS.agent, ARGS.copse, ARGS.launch):
            versions = glibc_versions(file)
            self.assertGreater(len(versions), 2 if file != ARGS.launch else 0, file)
            late = {version: names for version, names in versions.items() if version > OLDEST_GLIBC}
            self.assertEqual(late, {}, f"{file}: list them in cmake/old_glibc.c")

    def test_readme_names_the_oldest_glibc(self):
        readme = (driver.REPOSITORY / "README.md").read_text()
        self.assertEqual(re.findall(r"glibc ([\d.]+) or later", readme), [".".join(map(str, OLDEST_GLIBC))])

    def test_export_what_is_called_from_outside(self):
        self.assertEqual(exported(ARGS.agent), ["Agent_OnAttach", "Agent_OnLoad"])
        self.assertEqual(exported(ARGS.parallel), ["copse_pool_functions_1"])
        self.assertEqual(exported(ARGS.launch), [])
        # Data of glibc, which every program has; nothing of Copse or its packages.
        self.assertLessEqual(set(exported(ARGS.copse)), {"stdin", "stdout", "stderr", "environ", "_environ", "__environ"})

    def test_are_small(self):
        if not ARGS.sizes:
            self.skipTest("not optimised")
        for name, most in MOST_BYTES.items():
            stripped = self.path(name)
            subprocess.run(["objcopy", "--strip-all", getattr(ARGS, name), stripped], check=True)
            self.assertLess(os.path.getsize(stripped), most, name)


class OnMusl(driver.CommandLineTest):
    """musl takes libc.so.6 and its like for itself. The loader of glibc, which the agent needs too, keeps it from
    running against a library that it was not made for."""

    def test_agent_is_refused_by_the_loader(self):
        loader = "/lib/ld-musl-x86_64.so.1"
        if not os.path.exists(loader) or os.geteuid() != 0:
            self.skipTest("no musl, or not root")
        (self.folder / "lib").mkdir()
        for file in (loader, ARGS.agent):
            shutil.copy(file, self.folder / "lib")
        listed = jvm.run(["chroot", self.folder, loader, "--list", "/lib/libcopse.so"])
        first = listed.stderr.splitlines()[0]
        self.assertIn("ld-linux-x86-64.so.2", first)
        self.assertIn("needed by /lib/libcopse.so", first)
        self.assertGreater(listed.status, 0)


    LOADER = b"/lib64/ld-linux-x86-64.so.2\0"

    def java_of_musl(self, home, folder):
        """A JDK whose java asks for a loader that is musl's by its name."""
        loader = f"{folder}/ld-musl-1".encode() + b"\0"
        os.symlink(self.LOADER[:-1], loader[:-1])
        program = pathlib.Path(home, "bin/java").read_bytes()
        if self.LOADER not in program or len(loader) > len(self.LOADER):
            self.skipTest("no java of glibc's on x86-64, or a long path of temporary files")
        jdk = pathlib.Path(folder, "jdk")
        (jdk / "bin").mkdir(parents=True)
        os.symlink(pathlib.Path(home, "lib"), jdk / "lib")
        java = jdk / "bin/java"
        java.write_bytes(program.replace(self.LOADER, loader.ljust(len(self.LOADER), b"\0")))
        java.chmod(0o755)
        return str(java)

    def test_java_of_musl_runs_without_copse(self):
        for home in ARGS.homes:
            with self.subTest(home=home), tempfile.TemporaryDirectory(prefix="", dir="/tmp") as folder:
                java = self.java_of_musl(home, folder)
                hello = [java, "-cp", ARGS.classes, "Hello"]
                bare = jvm.run(hello)
                self.assertEqual(bare.status, 0, bare)
                outcome = self.copse("run", "-o", "r.json", "--", *hello)
                self.assertEqual((outcome.status, outcome.stdout), (0, bare.stdout), outcome)
                self.assertEqual(len(outcome.stderr.splitlines()), 1, outcome)
                self.assertIn(java + ": runs without Copse: it is linked to the C library musl", outcome.stderr)
                self.assertFalse(os.path.exists(self.path("r.json")))
                self.assertEqual(self.copse("run", "--fail-if-empty", "--", *hello).status, 1)


class WithoutLibraries(driver.CommandLineTest):
    """The command and its agent in a folder of their own."""

    def setUp(self):
        super().setUp()
        for file in (ARGS.copse, ARGS.agent):
            shutil.copy(file, self.folder)
        self.command = ["java", "-cp", ARGS.classes, "Hello"]

    def copse(self, *words, **more):
        return jvm.run([self.path("copse"), *words], **{"cwd": self.folder} | more)

    def test_default_engine_runs(self):
        outcome = self.done("run", "-o", "r.json", "--", *self.command)
        self.assertIn("hello", outcome.stdout)

    def test_workers_are_missed_before_the_program_starts(self):
        for words in (["run", "--engine", "parallel"], ["run", "--engine", "uptree"], ["validate"]):
            outcome = self.copse(*words, "--", *self.command)
            self.assert_one_line(outcome, 1, "libcopse-parallel.so", "oneTBB", words[-1], stdout="")

    def test_workers_are_missed_when_the_agent_loads(self):
        outcome = jvm.run([driver.tool("java"), f"-agentpath:{self.path('libcopse.so')}=engine=parallel",
                           *self.command[1:]])
        self.assertEqual(outcome.status, 1)
        self.assertNotIn("hello", outcome.stdout)
        said = [line for line in outcome.stderr.splitlines() if line.startswith("copse: ")]
        self.assertEqual(len(said), 1, outcome)
        self.assertIn("libcopse-parallel.so", said[0])

    def test_workers_are_found_beside_the_agent(self):
        shutil.copy(ARGS.parallel, self.folder)
        self.done("run", "--engine", "parallel", "-o", "r.json", "--", *self.command)
        self.assertEqual(self.calls("main", "r.json"), 1)

    def test_replay_does_without_workers(self):
        self.done("record", "-o", "r.trace", "--", *self.command)
        self.done("replay", "r.trace", "-o", "r.json")
        self.assertEqual(self.calls("main", "r.json"), 1)


if __name__ == "__main__":
    made = driver.parser("copse", "agent", "launch", "parallel", sizes="compare sizes")
    made.add_argument("tests", nargs="*")
    driver.begin(made, jdks=True)
    ARGS.classes = driver.compiled([HELLO])
    driver.unittest.main(argv=[sys.argv[0], *ARGS.tests], verbosity=2)
