#!/usr/bin/env python3
"""copse help has every command in one group, and README the same."""

import re
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402

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


driver.main("copse")
