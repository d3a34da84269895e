#!/usr/bin/env python3
"""The gate in continuous integration: docs/gate.md as its reader runs it, and the step of action.yml without GitHub."""

import functools
import os
import re
import shutil
import sys

sys.path.insert(1, sys.path[0] + "/..")
import compare_trees  # noqa: E402
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS, REPOSITORY  # noqa: E402

try:
    import yaml
except ImportError:
    yaml = None

PAGE = (REPOSITORY / "docs" / "gate.md").read_text(encoding="utf-8")
SHOP = {
    "Main": "class Main { public static void main(String[] words) { new OrderHandler().get(%s); } }",
    "OrderHandler": "class OrderHandler { void get(int n) { for (int i = 0; i < n; i++) Database.query(i); } }",
    "Database": "class Database { static int query(int id) { return id * 2; } }",
}
# Debian's packages of Maven and its plugins.
REPOSITORY_OF_MAVEN = "/usr/share/maven-repo"
NEEDED_OF_MAVEN = ["junit/junit", "org/apache/maven/surefire/surefire-junit4", "org/codehaus/mojo/exec-maven-plugin",
                   *(f"org/apache/maven/plugins/maven-{name}-plugin"
                     for name in ("compiler", "jar", "resources", "surefire"))]
# Debian's Gradle has no repository.
GRADLES_JARS = [f"/usr/share/java/{name}.jar" for name in ("junit4", "hamcrest-core")]
POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>com.acme</groupId>
  <artifactId>shop</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.source>11</maven.compiler.source>
    <maven.compiler.target>11</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.x</version><scope>test</scope></dependency>
  </dependencies>
  <build><plugins>%s</plugins></build>
</project>
"""
SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
UNIT_TEST = "public class ShopTest { @org.junit.Test public void gets() { new OrderHandler().get(%d); } }"
RULE = "calls(com.acme.Database.query) under com.acme.OrderHandler.** > +0"


def section(title):
    return re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE)[1]


def commands(title):
    return re.findall(r"^ {4}(\S.*)$", re.sub(r"```.*?```", "", section(title), flags=re.DOTALL), re.MULTILINE)


@functools.cache
def built(queries):
    """Folder with the classes and the jar of a program that makes so many queries."""
    sources = [f"package com.acme;\npublic {body % queries if '%' in body else body}" for body in SHOP.values()]
    classes = driver.compiled(sources, f"{queries}/classes")
    folder = os.path.dirname(classes)
    jvm.run([driver.tool("jar"), "cfe", os.path.join(folder, "tests.jar"), "com.acme.Main", "-C", classes, "."])
    return folder


class Ci(driver.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.write("gate.rules", RULE + "\n")
        self.jar(queries=3)

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")

    def read(self, name):
        return (self.folder / name).read_text(encoding="utf-8")

    def jar(self, queries):
        shutil.copytree(built(queries), self.folder, dirs_exist_ok=True)

    def shell(self, script, **variables):
        path = os.pathsep.join([os.path.dirname(ARGS.copse), os.path.dirname(driver.tool("java")),
                                os.environ["PATH"], str(REPOSITORY)])
        environment = {**os.environ, "PATH": path, "GITHUB_STEP_SUMMARY": self.path("summary.md"),
                       "GITHUB_OUTPUT": self.path("outputs"), **variables}
        return jvm.run(["bash", "-c", script], cwd=self.folder, env=environment)

    def action(self, **inputs):
        return self.shell(str(REPOSITORY / "scripts/action"),
                          **{f"COPSE_{name.upper()}": value for name, value in inputs.items()})

    def baseline(self):
        ended = self.shell("copse run --measure calls -o baseline.json -- java -jar tests.jar")
        self.assertEqual(ended.status, 0, ended)

    def test_commands_for_any_build_server_run_as_they_stand(self):
        first, *_, run, compare = commands("In ten lines")
        without_rules = "copse diff baseline.json new.json -o differences.md"
        for script, status in ((first, 0), (run, 0), (compare, 0)):
            ended = self.shell(script)
            self.assertEqual(ended.status, status, (script, ended))
        self.assertTrue(self.read("differences.md").startswith("No change of calls "))
        self.jar(queries=30)
        for script, status in ((run, 0), (compare, 1), (without_rules, 0)):
            ended = self.shell(script)
            self.assertEqual(ended.status, status, (script, ended))

    def test_a_baseline_as_text_needs_no_rules(self):
        save, check = commands("A baseline as text")
        run = commands("In ten lines")[-2]
        for script, status in ((run, 0), (save, 0), (check, 0)):
            ended = self.shell(script)
            self.assertEqual(ended.status, status, (script, ended))
        self.jar(queries=30)
        self.shell(run)
        ended = self.shell(check)
        self.assertEqual(ended.status, 1, ended)
        self.assertIn("Database.query <- OrderHandler.get:2 <- Main.main:2", ended.stdout)

    def test_an_operation_is_measured_as_it_stands(self):
        command, = commands("What an operation does")
        ended = self.shell(command)
        self.assertEqual(ended.status, 0, ended)
        self.assertRegex(ended.stdout, r"(?m)^ +4 +4  calls; equal in all runs$")

    def test_the_lines_shown_are_those_of_the_example(self):
        example = REPOSITORY / "examples" / "gate"
        jvm.run([str(example / "run"), self.path("work")], env={**os.environ, "COPSE": ARGS.copse, "JAVA_TOOL_OPTIONS": SHORT_LIVED})
        os.replace(self.path("work/after.json"), self.path("after.json"))
        self.write("baseline.json", (example / "baseline.json").read_text(encoding="utf-8"))
        self.copse("diff", "baseline.json", "after.json", "--rules", example / "gate.rules", "-o", "differences.md")
        shown = re.search(r"```\n(calls .*?)```", PAGE, re.DOTALL)[1]
        self.assertEqual(shown, self.read("differences.md"))

    def test_the_step_of_the_action_ends_as_the_gate_does(self):
        self.baseline()
        script, = commands("GitHub Actions")
        script = script.replace("scripts/action", str(REPOSITORY / "scripts/action"))
        for queries, status, words in ((3, 0, "No change of calls "),
                                       (30, 1, f"- **broken** `{RULE}`: `3 in baseline.json, ")):
            with self.subTest(queries=queries):
                self.jar(queries)
                self.write("summary.md", "from a step before\n")
                self.write("outputs", "")
                ended = self.shell(script)
                self.assertEqual(ended.status, status, ended)
                self.assertTrue(self.read("summary.md").startswith("from a step before\n### Copse\n\n"))
                self.assertIn(words, self.read("summary.md"))
                self.assertEqual(self.read("outputs").splitlines(), [
                    "report=copse/new.json", "summary=copse/differences.md", "page=copse/differences.html"])
                self.assertEqual(sorted(os.listdir(self.path("copse"))),
                                 ["differences.html", "differences.md", "gate.xml", "new.json"])

    def test_the_step_takes_a_report_and_needs_no_rules(self):
        self.baseline()
        self.jar(queries=30)
        self.shell("copse run --measure calls -o mine.json -- java -jar tests.jar")
        ended = self.action(report="mine.json")
        self.assertEqual(ended.status, 0, ended)
        self.assertIn("**+27 calls** more, 3 → 30: `Database.query <- ", self.read("summary.md"))
        self.assertTrue((self.folder / "mine.json").is_file())

    def test_the_step_takes_a_baseline_as_text_without_rules(self):
        self.baseline()
        self.copse("baseline", "save", "baseline.json", "-o", "baseline.txt")
        for queries, status, words in ((3, 0, "No change of calls "), (30, 1, "**broken** `more contexts(**)`")):
            with self.subTest(queries=queries):
                self.jar(queries)
                self.write("summary.md", "")
                ended = self.action(command="java -jar tests.jar", baseline="baseline.txt", options="--measure calls")
                self.assertEqual(ended.status, status, ended)
                self.assertIn(words, self.read("summary.md"))
                self.assertEqual(sorted(os.listdir(self.path("copse"))),
                                 ["differences.html", "differences.md", "gate.xml", "new.json"])

    def test_the_step_names_the_report_of_one_of_several_jvms(self):
        self.baseline()
        ended = self.action(command="java -cp classes com.acme.Main; java -jar tests.jar", output="copse/%c.json",
                            report="copse/tests.json", options="--measure calls --include 'com.acme.**'", rules="gate.rules")
        self.assertEqual(ended.status, 0, ended)
        self.assertIn("No change of calls ", self.read("summary.md"))
        ended = self.action(command="java -jar tests.jar", output="copse/%c.json", options="--measure calls")
        self.assertEqual(ended.status, 2, ended)
        self.assertIn("copse/new.json: is not there after the run; there are: ", self.read("summary.md"))

    def test_the_step_says_what_is_missing(self):
        for inputs, status, words in (({}, 2, "needs the input command or report"),
                                      ({"command": "java -jar tests.jar; exit 7"}, 7, None),
                                      ({"command": "java -jar tests.jar"}, 2, "baseline.json: no such file"),
                                      ({"report": "gate.rules", "baseline": "gate.rules"}, 2, "cannot be compared")):
            with self.subTest(words=words):
                self.write("summary.md", "")
                ended = self.action(**inputs)
                self.assertEqual(ended.status, status, ended)
                if words:
                    self.assertIn(words, self.read("summary.md"))
                    self.assertIn(words, ended.stderr)
        self.assertTrue((self.folder / "copse/new.json").is_file(), "the report that may become the baseline")

    def test_the_action_hands_all_its_inputs_to_the_step(self):
        script = (REPOSITORY / "scripts/action").read_text(encoding="utf-8")
        used = set(re.findall(r"\bCOPSE_\w+", script))
        rows = re.findall(r"^\| `(\w+)` \|", section("GitHub Actions"), re.MULTILINE)
        if yaml is None:
            self.skipTest("no python3-yaml")
        action = yaml.safe_load((REPOSITORY / "action.yml").read_text(encoding="utf-8"))
        step, = action["runs"]["steps"]
        self.assertEqual(step["run"], "$GITHUB_ACTION_PATH/scripts/action")
        self.assertEqual(step["env"], {f"COPSE_{name.upper()}": "${{ inputs.%s }}" % name for name in action["inputs"]})
        self.assertEqual(set(step["env"]), used)
        self.assertEqual(list(action["inputs"]), rows)
        self.assertEqual(set(action["outputs"]), set(re.findall(r"\b(report|summary|page)=", script)))
        steps = yaml.safe_load(re.search(r"```yaml\n(.*?)```", section("GitHub Actions"), re.DOTALL)[1])["steps"]
        inputs, = (step["with"] for step in steps if step.get("uses", "").startswith("OWNER/copse@"))
        self.assertLessEqual(set(inputs), set(action["inputs"]))
        self.baseline()
        ended = self.action(**inputs, options=action["inputs"]["options"]["default"])
        self.assertEqual(ended.status, 0, ended)

    def project(self, queries, shop="shop"):
        """Sources and rules of the project, in the folders that Maven and Gradle expect."""
        for kind, name, body in (("main", "OrderHandler", SHOP["OrderHandler"]), ("main", "Database", SHOP["Database"]),
                                 ("test", "ShopTest", UNIT_TEST % queries)):
            (self.folder / f"{shop}/src/{kind}/java/com/acme").mkdir(parents=True, exist_ok=True)
            self.write(f"{shop}/src/{kind}/java/com/acme/{name}.java", f"package com.acme; {body}")
        shutil.copy(self.path("gate.rules"), self.path(shop))

    def maven(self, *words, snippet="", queries=3):
        """The unit test of a project with one, in Debian's Maven without a network."""
        missing = [name for name in NEEDED_OF_MAVEN if not os.path.isdir(os.path.join(REPOSITORY_OF_MAVEN, name))]
        if missing or not shutil.which("mvn"):
            self.skipTest(f"not installed: {', '.join(missing) or 'mvn'} (Debian: maven, junit4, libsurefire-java, "
                          "libexec-maven-plugin-java, libmaven-{compiler,jar,resources}-plugin-java)")
        if not (self.folder / "m2").exists():  # Maven writes into it
            shutil.copytree(REPOSITORY_OF_MAVEN, self.path("m2"), copy_function=os.symlink)
        self.project(queries)
        self.write("shop/pom.xml", POM % snippet)
        return self.shell("cd shop; " + " ".join(words), JAVA_HOME=ARGS.homes[0], MAVEN_ARGS="",
                          MAVEN_OPTS=f"{SHORT_LIVED} -Dmaven.repo.local={self.path('m2')}")

    def test_the_snippet_for_maven_fails_the_build_when_the_tests_do_more(self):
        snippet, = re.findall(r"```xml\n(.*?)```", section("Maven"), re.DOTALL)
        command = re.search(r"`(mvn verify [^`]*)`", section("Maven"))[1]
        command = command.replace("/opt/copse/", f"{os.path.dirname(ARGS.copse)}/").replace("mvn ", "mvn -o -q -B ")
        ended = self.maven(command + " -Dexec.skip", snippet=snippet)
        self.assertEqual(ended.status, 0, ended)
        os.replace(self.path("shop/target/new.json"), self.path("shop/baseline.json"))
        for queries, status in ((3, 0), (4, 1)):
            ended = self.maven(command, snippet=snippet, queries=queries)
            self.assertEqual(ended.status, status, ended)
            self.assertIn(f"3 in baseline.json, {queries} in target/new.json", " ".join(ended.stdout.split()))
            self.assertTrue((self.folder / "shop/target/surefire-reports/TEST-gate.xml").is_file())

    def test_the_jvm_of_mavens_tests_has_a_report_of_that_name(self):
        command, = re.findall(r"`(copse run [^`]* -- mvn test)`", section("Maven"))
        ended = self.maven(command.replace("mvn ", "mvn -o -q -B "))
        self.assertEqual(ended.status, 0, ended)
        self.assertIn("`copse-surefire-shop.json`", section("Maven"))
        calls = driver.calls_by_method(compare_trees.load(self.path("shop/copse-surefire-shop.json")))
        self.assertEqual(calls["query"], 3)

    def test_the_snippet_for_gradle_fails_the_build_when_the_tests_do_more(self):
        missing = [name for name in GRADLES_JARS if not os.path.isfile(name)]
        if missing or not shutil.which("gradle"):
            self.skipTest(f"not installed: {', '.join(missing) or 'gradle'} (Debian: gradle, junit4)")
        snippet, = re.findall(r"```groovy\n(.*?)```", section("Gradle"), re.DOTALL)
        command = re.search(r"`(gradle check [^`]*)`", section("Gradle"))[1]
        command = command.replace("/opt/copse/", f"{os.path.dirname(ARGS.copse)}/").replace("gradle ", "gradle --offline --no-daemon ")
        jars = ", ".join(f"'{jar}'" for jar in GRADLES_JARS)
        # Two projects in one build: Gradle takes as long to begin as for all of its work.
        shops = {"same": 3, "more": 4}
        self.write("settings.gradle", "include 'same', 'more'\n")
        self.write("build.gradle", f"subprojects {{\napply plugin: 'java'\ndependencies {{ testCompile files({jars}) }}\n{snippet}}}\n")
        for shop, queries in shops.items():
            self.project(queries, shop)
        for words, status in ((" -x gate", 0), (" --continue", 1)):
            ended = self.shell(command + words, JAVA_HOME=ARGS.homes[0], GRADLE_USER_HOME=self.path("gradle"),
                               JAVA_TOOL_OPTIONS=SHORT_LIVED)
            self.assertEqual(ended.status, status, ended)
            for shop in shops:
                shutil.copy(self.path("same/build/new.json"), self.path(f"{shop}/baseline.json"))
        for shop, queries in shops.items():
            self.assertRegex(" ".join(ended.stdout.split()), rf"3 in baseline\.json, {queries} in \S*/{shop}/build/new\.json")
            self.assertTrue((self.folder / f"{shop}/build/gate.xml").is_file())
        self.assertEqual(re.findall(r"Execution failed for task '(.*)'", ended.stderr), [":more:gate"])


driver.main("copse", jdks=True)
