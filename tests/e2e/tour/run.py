#!/usr/bin/env python3
"""The tour does what it says: every command of docs/tour.md, in order, prints what the page shows.

Commands are lines that begin with `$ ` in blocks marked `console`; they run in one shell. Blocks marked
`console first-terminal` are one program with a reader at its keys: `⏎` and `Ctrl+D` are typed, all else is
what it prints. What a page may show otherwise than it comes, and nothing else:

* `...` alone on a line stands for any number of lines;
* in blocks marked `console times`, numbers that are no count of calls (with their blanks and `~`) are any others;
* /home/me stands for the home folder of this test, in which ~/copse is the built repository;
* process 4711 is the program of the first terminal;
* warnings of the JVM about agents that come late (JDK 21 and later) are left out;
* diff ends with status 1 where files differ; all other commands with 0."""

import difflib
import os
import re
import subprocess
import sys
from collections import Counter

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS, REPOSITORY  # noqa: E402

PROCESS_OF_PAGE = "4711"
HOME_OF_PAGE = "/home/me"
FEWEST_COMMANDS = 20
COUNT = r"\b\d{1,3}(?:,\d{3})+\b|\b\d+\.\d %"  # numbers of three digits and less may count anything


def blocks(page):
    """(what the fence says, lines) of each fenced block."""
    found = re.findall(r"^```([^\n]*)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    return [(info.strip(), text.splitlines()) for info, text in found]


def prose(page):
    return re.sub(r"^```.*?^```$", "", page, flags=re.MULTILINE | re.DOTALL)


def commands_of(lines):
    """[command, lines shown] of a console block."""
    commands = []
    for line in lines:
        if line.startswith("$ "):
            commands.append((line[2:], []))
        else:
            commands[-1][1].append(line)
    return commands


def matches(shown, printed):
    """Returns True if the lines are equal, with `...` for any number of them."""
    if not shown:
        return not printed
    if shown[0].strip() == "...":
        return any(matches(shown[1:], printed[skipped:]) for skipped in range(len(printed) + 1))
    return bool(printed) and shown[0] == printed[0] and matches(shown[1:], printed[1:])


def without_times(lines, counts):
    """The lines with N for each number that is none of these counts, and one blank for any."""
    def name(number):
        return number[0] if number[0] in counts and "," in number[0] else "N"
    return [re.sub(r" +", " ", re.sub(r"~?\d[\d,.]*", name, line)).strip() for line in lines]


class Shell:
    """The reader's: remembers its folder and PATH from one command to the next."""

    END = "end of the command's output, status "

    def __init__(self, environment):
        self.process = subprocess.Popen(["bash", "--norc"], env=environment, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def run(self, command):
        """Its status and the lines it printed, on both outputs."""
        self.process.stdin.write(f"{{ {command}\n}} < /dev/null\necho \"{self.END}$?\"\n")
        self.process.stdin.flush()
        lines = []
        for line in self.process.stdout:
            if self.END in line:
                last, status = line.split(self.END)
                return int(status), lines + ([last] if last else [])
            lines.append(line.rstrip("\n"))
        raise AssertionError(f"the shell ended in: {command}\n" + "\n".join(lines))

    def close(self):
        self.process.communicate(timeout=jvm.TIMEOUT_S)


class FirstTerminal:
    def __init__(self, command, folder, environment):
        self.process = subprocess.Popen(["bash", "-c", "exec " + command], cwd=folder, env=environment,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True)

    def press_enter(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def line(self):
        while (line := self.process.stdout.readline()).startswith("WARNING: "):
            pass
        return line.rstrip("\n")

    def end(self):
        """The exit status and what was printed since the last line."""
        rest, _ = self.process.communicate(timeout=jvm.TIMEOUT_S)
        return self.process.returncode, rest

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()


class Reader:
    """Types what the page says; `differs` gets what the page shows and what came instead."""

    def __init__(self, test, home):
        self.test, self.home = test, home
        java = os.path.dirname(driver.tool("java"))
        self.environment = {**os.environ, "HOME": home, "PATH": java + os.pathsep + os.environ["PATH"]}
        self.shell = Shell(self.environment)
        self.terminal = None
        self.printed = []

    def as_on_page(self, text):
        text = text.replace(self.home, HOME_OF_PAGE)
        if self.terminal:
            text = re.sub(rf"\b{self.terminal.process.pid}\b", PROCESS_OF_PAGE, text)
        return text

    def type_commands(self, lines, counts=None):
        """`counts`: in a block of times, those that must be the page's."""
        for command, shown in commands_of(lines):
            typed = command
            if self.terminal:
                typed = re.sub(rf"\b{PROCESS_OF_PAGE}\b", str(self.terminal.process.pid), command)
            status, printed = self.shell.run(typed)
            printed = [self.as_on_page(line) for line in printed]
            self.printed += printed
            with self.test.subTest(command):
                self.test.assertEqual(status, 1 if command.startswith("diff ") else 0, "\n".join(printed))
                if counts is not None:
                    shown, printed = without_times(shown, counts), without_times(printed, counts)
                if not matches(shown, printed):
                    self.test.fail("\n".join(difflib.unified_diff(shown, printed, "docs/tour.md", "printed",
                                                                  lineterm="")))

    def sit_at_first_terminal(self, lines):
        for line in lines:
            if line.startswith("$ "):
                _, folder = self.shell.run("pwd")
                _, path = self.shell.run("echo $PATH")
                self.terminal = FirstTerminal(line[2:], folder[0], {**self.environment, "PATH": path[0]})
            elif line == "⏎":
                self.terminal.press_enter()
            elif line == "Ctrl+D":
                self.test.assertEqual(self.terminal.end(), (0, ""))
            else:
                self.test.assertEqual(self.as_on_page(self.terminal.line()), line)

    def close(self):
        self.shell.close()
        if self.terminal:
            self.terminal.close()


def numbers_of(report):
    """Calls of each method below each of its callers, direct and not; of direct ones their share, too."""
    nodes, of_method, below, direct = report["nodes"], Counter(), Counter(), Counter()
    above = [frozenset()]
    for parent, method, calls in list(zip(nodes["parent"], nodes["method"], nodes["calls"]))[1:]:
        above.append(above[parent] | {nodes["method"][parent]})
        of_method[method] += calls
        direct[nodes["method"][parent], method] += calls
        for caller in above[-1]:
            below[caller, method] += calls
    shares = {f"{100 * calls / of_method[method]:.1f} %" for (_, method), calls in direct.items()}
    return shares | {f"{calls:,}" for calls in below.values()}


class Tour(driver.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.page = (REPOSITORY / "docs/tour.md").read_text(encoding="utf-8")
        self.home = os.path.realpath(self.path("home"))
        os.makedirs(os.path.join(self.home, "copse", "build"))
        os.symlink(REPOSITORY / "examples", os.path.join(self.home, "copse", "examples"))
        os.symlink(os.path.dirname(os.path.realpath(ARGS.copse)), os.path.join(self.home, "copse", "build", "release"))

    def test_prints_what_the_page_shows(self):
        reader = Reader(self, self.home)
        self.addCleanup(reader.close)
        commands = 0
        for info, lines in blocks(self.page):
            if info in ("console", "console times"):
                counts = None if info == "console" else numbers_of(self.load("home/tour/before.json"))
                reader.type_commands(lines, counts)
                commands += len(commands_of(lines))
            elif info == "console first-terminal":
                reader.sit_at_first_terminal(lines)
        self.assertGreaterEqual(commands, FEWEST_COMMANDS)
        self.check_numbers(reader.printed)
        self.check_counts_on_each_jdk()

    def check_numbers(self, printed):
        """Those in the text are counts too: printed above or below it, or to be seen in the page's lists."""
        known = set(re.findall(COUNT, "\n".join(printed)))
        known |= numbers_of(self.load("home/tour/before.json"))
        for number in re.findall(COUNT, prose(self.page).replace("\n", " ")):
            with self.subTest(number):
                self.assertIn(number, known)

    def check_counts_on_each_jdk(self):
        expected = self.done("report", "home/tour/before.json", "--format", "collapsed").stdout
        for home in ARGS.homes[1:]:
            with self.subTest(home):
                classes = driver.compiled(REPOSITORY.glob("examples/tour/shop/*.java"), "other", home)
                self.done("run", "--measure", "calls", "-o", "other.collapsed", "--", *driver.java_command("shop.Main", home=home, classes=classes))
                self.assertEqual((self.folder / "other.collapsed").read_text(), expected)

    def test_shows_java_as_it_is(self):
        sources = [path.read_text(encoding="utf-8") for path in REPOSITORY.glob("examples/tour/**/*.java")]
        shown = [lines for info, lines in blocks(self.page) if info == "java"]
        self.assertTrue(shown)
        for lines in shown:
            self.assertTrue(any("\n".join(lines) in source for source in sources), lines)

    def test_has_no_block_that_nobody_checks(self):
        kinds = {info for info, _ in blocks(self.page)}
        self.assertEqual(kinds, {"console", "console times", "console first-terminal", "java"})
        self.assertEqual(self.page.count("```"), 2 * len(blocks(self.page)))
        self.assertNotRegex(prose(self.page), r"(?m)^    \S", "an indented block")


driver.main("copse", jdks=True)
