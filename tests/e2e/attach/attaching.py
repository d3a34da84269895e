"""Shared parts of the tests of attach: a program to attach to, and what its calls must be."""

import os
import subprocess
import zipfile

import driver
import jvm
from driver import ARGS


class Program:
    """A JVM that runs Rounds; copse's own options, if any, start it under copse run."""

    def __init__(self, home, folder, options=(), run=(), command=(), wait=True):
        java = command or driver.java_command("Rounds", home=home, jvm_options=options)
        command = [ARGS.copse, "ids" if "--encoder" in run else "run", *run, "--", *java] if run else java
        self.errors = open(os.path.join(folder, "stderr.txt"), "w+", encoding="utf-8")
        self.process = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self.errors, text=True)
        self.said = []
        if wait:
            self.hear()
        self.pid = jvm.child_of(self.process.pid) if run else self.process.pid

    def hear(self):
        line = self.process.stdout.readline()
        if not line:
            self.process.kill()
            raise AssertionError(f"the program ended: {self.stderr()}")
        self.said.append(line.rstrip("\n"))
        return self.said[-1]

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.hear()

    def end(self):
        """The exit status and all the program said."""
        rest, _ = self.process.communicate("end\n", timeout=jvm.TIMEOUT_S)
        return self.process.returncode, self.said + rest.splitlines()

    def stderr(self):
        self.errors.seek(0)
        return self.errors.read()

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()
        self.errors.close()


# Calls that `steps N` makes: `sum` counts up, and a throw at every third makes step call leaf twice.
def calls_of_steps(count):
    return {"steps": 1, "step": count, "leaf": count + (count + 2) // 3}


def added(*counts):
    total = {}
    for count in counts:
        for name, calls in count.items():
            total[name] = total.get(name, 0) + calls
    return total


def is_snapshot(report):
    return "snapshot" in report["program"]


class AttachTest(driver.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.programs = []

    def tearDown(self):
        for program in self.programs:
            program.close()

    def program(self, home, *options, run=()):
        self.programs.append(Program(home, self.folder, options, run))
        return self.programs[-1]

    def jar(self, name, *attributes):
        """Path of a jar of all classes, whose manifest has these lines."""
        path = self.path(f"{name}.jar")
        with zipfile.ZipFile(path, "w") as jar:
            jar.writestr("META-INF/MANIFEST.MF", "\n".join(["Manifest-Version: 1.0", *attributes, ""]))
            for file in os.listdir(ARGS.classes):
                jar.write(os.path.join(ARGS.classes, file), file)
        return path

    def agent_of(self, name):
        """The jar of a Java agent."""
        return self.jar(name, f"Premain-Class: {name}", "Can-Retransform-Classes: true")

    def done(self, *words):
        outcome = super().done(*words)
        self.assertEqual(outcome.stdout, "")
        return outcome.stderr

    def assert_calls(self, report, expected):
        counts = driver.calls_by_method(report)
        self.assertEqual({name: counts[name] for name in expected}, expected)

    def assert_ends_well(self, program, said):
        self.assertEqual(program.end(), (0, ["ready", *said, "bye"]), program.stderr())
        # From 21 on the JVM itself warns of agents that come late.
        own = [line for line in program.stderr().splitlines() if not line.startswith(("WARNING: ", "copse: "))]
        self.assertEqual(own, [])
