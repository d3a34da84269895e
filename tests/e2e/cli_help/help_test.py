#!/usr/bin/env python3
"""copse help has every command in one group, and README the same. Manual pages and completions have every option."""

import re
import shutil
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402

GROUPS = ["Profile", "Look and compare", "Fleet", "Context ids", "Research"]
LONGEST_DESCRIPTION = 70


def groups_in(help_text):
    """{group: {command: description}} of copse help, in its order; what follows an empty line is no group's."""
    groups, group = {}, None
    for line in help_text.splitlines():
        if heading := re.fullmatch(r"(\S.*):", line):
            group = groups.setdefault(heading[1], {})
        elif not line:
            group = None
        elif group is not None:
            name, description = re.fullmatch(r"  (\S+) +(\S.*)", line).groups()
            group[name] = description
    groups.pop("Options")
    return groups


def groups_of_readme():
    """{group: [command]}: of each section that is named like a group, what its table's first cells begin with."""
    groups = {}
    for section in re.split(r"^#+ ", (driver.REPOSITORY / "README.md").read_text(), flags=re.MULTILINE):
        title = section.splitlines()[0] if section else ""
        if title in GROUPS:
            groups[title] = re.findall(r"^\| `copse (\w+)", section, re.MULTILINE)
    return groups


class Help(driver.CommandLineTest):
    def groups_of_help(self):
        return groups_in(self.done("help").stdout)

    def test_says_where_the_program_stands(self):
        for name, program in [("run", " -- COMMAND "), ("record", " -- COMMAND "), ("validate", "[-- COMMAND "),
                              ("compare", "[-- COMMAND "), ("report", " file...")]:
            usage = self.copse("help", name).stdout.splitlines()[1] + " "
            self.assertIn(f" copse {name} ", usage)
            self.assertIn(program, usage)

    def test_has_its_groups_in_order(self):
        self.assertEqual(list(self.groups_of_help()), GROUPS)

    def test_has_every_command_in_one_group(self):
        refusal = self.copse("nosuchcommandatall")
        self.assertEqual(refusal.status, 2)
        known = re.fullmatch(r".*; there are (.*)\n", refusal.stderr)[1].split(", ")
        listed = [name for commands in self.groups_of_help().values() for name in commands]
        self.assertGreater(len(known), 10)
        self.assertEqual(sorted(listed), sorted(known))

    def test_describes_a_command_in_one_short_line(self):
        for commands in self.groups_of_help().values():
            for name, description in commands.items():
                with self.subTest(name):
                    self.assertLessEqual(len(description), LONGEST_DESCRIPTION)
                    explained = self.copse("help", name)
                    self.assertEqual(explained.stdout.splitlines()[0], description)

    def test_ends_with_where_to_go_on(self):
        last = self.copse("help").stdout.splitlines()[-1]
        self.assertIn("copse run -o profile.html -- java -jar app.jar", last)
        self.assertNotIn(last, self.copse("help", "report").stdout, "it is of copse help alone")

    def test_has_the_groups_of_readme(self):
        readme = groups_of_readme()
        self.assertEqual(list(readme), GROUPS)
        for group, commands in self.groups_of_help().items():
            self.assertEqual(list(dict.fromkeys(readme[group])), list(commands), group)


def plain(page):
    """Text of a manual page: without requests, fonts and escapes."""
    text = re.sub(r"^\.(TP|SH|SS|TH|BR|I)( .*)?\n", "", page, flags=re.MULTILINE)
    return re.sub(r"\\f[BIR]", "", text).replace("\\-", "-").replace("\\&", "").replace("\\e", "\\")


COMMANDS_IN_RE = ["record", "recover", "replay", "report"]


class OtherForms(driver.CommandLineTest):
    """Forms of the help that are made of the same table."""

    def commands(self):
        return [name for commands in groups_in(self.done("help").stdout).values() for name in commands]

    def options(self, command):
        """[(names, description)] in the help of a command."""
        text = re.sub(r"\n {20,}", "  ", self.done("help", command).stdout)
        return [(found[1].split(","), " ".join(found[2].split())) for found in re.finditer(r"^  (-\S+).*?  +(\S.*)$", text, re.MULTILINE)]

    def test_manual_pages_have_every_option_and_its_description(self):
        for command in self.commands():
            page = plain(self.done("help", command, "--format", "man").stdout)
            options = self.options(command)
            self.assertGreater(len(options), 0, command)
            for names, description in options:
                self.assertIn(", ".join(names), page, command)
                self.assertIn(description, page, command)

    def test_manual_page_of_copse_has_every_command(self):
        page = plain(self.done("help", "--format", "man").stdout)
        for command in self.commands():
            self.assertIn(f"copse-{command}(1)", page)

    def test_manual_pages_are_understood(self):
        if not shutil.which("man"):
            self.skipTest("no man")
        for words in ([], ["run"], ["ptql"]):
            (self.folder / "page.1").write_text(self.done("help", *words, "--format", "man").stdout)
            shown = jvm.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", "page.1"], cwd=self.folder)
            self.assertEqual((shown.status, shown.stderr), (0, ""))

    def complete(self, *words):
        """Words that bash offers in place of the last one."""
        quoted = " ".join(f"'{word}'" for word in words)
        script = (f"source ./script; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _copse; "
                  "printf '%s\\n' \"${COMPREPLY[@]}\"")
        (self.folder / "script").write_text(self.done("help", "--format", "bash").stdout)
        said = jvm.run(["bash", "--norc", "-c", script], cwd=self.folder)
        self.assertEqual((said.status, said.stderr), (0, ""))
        return said.stdout.split()

    def test_bash_completes(self):
        self.assertEqual(self.complete("copse", "va"), ["validate"])
        self.assertEqual(sorted(self.complete("copse", "")), sorted(self.commands()))
        self.assertEqual(sorted(self.complete("copse", "help", "re")), COMMANDS_IN_RE)
        self.assertEqual(self.complete("copse", "run", "--eng"), ["--engine"])
        self.assertEqual(self.complete("copse", "run", "--engine", "p"), ["parallel"])
        self.assertEqual(sorted(self.complete("copse", "events", "--kind", "cpu")), ["cpu", "cpu=corrected", "cpu=native"])
        self.assertEqual(self.complete("copse", "report", "--engine", "p"), [], "another command's option")
        self.assertEqual(self.complete("copse", "run", "--", "--eng"), [], "the program's own option")
        for command in self.commands():
            offered = self.complete("copse", command, "-")
            self.assertLessEqual({name for names, _ in self.options(command) for name in names}, set(offered), command)

    def test_fish_completes(self):
        if not shutil.which("fish"):
            self.skipTest("no fish")
        (self.folder / "script").write_text(self.done("help", "--format", "fish").stdout)
        for line, offered in (("copse va", ["validate"]), ("copse run --eng", ["--engine"]),
                              ("copse help re", COMMANDS_IN_RE), ("copse run --engine p", ["parallel"]), ("copse decode --engi", [])):
            said = jvm.run(["fish", "-c", f"source script; complete -C '{line}'"], cwd=self.folder)
            self.assertEqual(sorted(word.split("\t")[0] for word in said.stdout.splitlines()), offered, said)

    def test_scripts_of_all_shells_are_understood(self):
        for shell in ("bash", "zsh", "fish"):
            script = self.done("help", "--format", shell).stdout
            for command in self.commands():
                for names, _ in self.options(command):
                    long = names[-1].lstrip("-")
                    self.assertRegex(script, rf"(--| -l | -s | -){re.escape(long)}\b", (shell, command))
            if shutil.which(shell):
                (self.folder / "script").write_text(script)
                checked = jvm.run([shell, "-n", "script"], cwd=self.folder)
                self.assertEqual((checked.status, checked.stderr), (0, ""), shell)


driver.main("copse")
