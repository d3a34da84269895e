#!/usr/bin/env python3
"""The packages of scripts/package, installed in a system that has a JRE and nothing else: they profile a program, make
its page, and leave no trace when they are removed."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/..")
import compare_trees  # noqa: E402
import driver  # noqa: E402
import fresh_root  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS  # noqa: E402

PROGRAM = """
public class Program {
  static int add(int a, int b) { return a + b; }
  public static void main(String[] args) {
    int sum = 0;
    for (int i = 0; i < 1000; i++) sum = add(sum, i);
    System.out.println(sum);
  }
}
"""
# Profiles the program and looks at what comes out. COPSE: the command; JAVA: a JRE.
TRY = """
set -e
cd /tmp
COPSE --version >version.txt
COPSE run -o direct.html -- JAVA -cp /tmp Program
COPSE run -o r.json -- JAVA -cp /tmp Program >/dev/null
COPSE report r.json -o page.html
COPSE report r.json --format collapsed
rm -f direct.html r.json page.html version.txt
"""


class Packages(driver.CommandLineTest):
    @classmethod
    def setUpClass(cls):
        cls.out = pathlib.Path(ARGS.work, "packages")
        subprocess.run([driver.REPOSITORY / "scripts/package", ARGS.build, cls.out], check=True,
                       stdout=subprocess.DEVNULL)
        cls.names = sorted(os.listdir(cls.out))
        cls.java, package = fresh_root.jre()
        cls.root = fresh_root.FreshRoot(os.path.join(ARGS.work, "root"), [package])

    def file(self, pattern):
        found = [name for name in self.names if re.fullmatch(pattern, name)]
        self.assertEqual(len(found), 1, self.names)
        return self.out / found[0]

    def in_root(self, script, status=0):
        outcome = self.root.run(script)
        self.assertEqual(outcome.returncode, status, outcome.stdout + outcome.stderr)
        return outcome.stdout

    def try_it(self, copse):
        """Tries the command in a program's everyday life."""
        for name in os.listdir(ARGS.classes):
            (self.root.folder / "tmp" / name).write_bytes(pathlib.Path(ARGS.classes, name).read_bytes())
        said = self.in_root(TRY.replace("COPSE", copse).replace("JAVA", self.java))
        self.assertIn("499500", said)
        self.assertRegex(said, r"(?m)Program\.main;Program\.add 1000$")
        self.assertIn("--by-thread", self.in_root(f"{copse} help run"))
        missed = self.root.run(f"{copse} run --engine parallel -- {self.java} -cp /tmp Program")
        self.assertEqual(missed.returncode, 1)
        self.assertIn("libtbb.so.12", missed.stderr)
        missed = self.root.run(f"{copse} import --clickhouse http://localhost:1 -o /tmp/x.json")
        self.assertEqual(missed.returncode, 1)
        self.assertIn("libcurl", missed.stderr)
        (self.root.folder / "tmp/Program.class").unlink()

    def test_sums_are_right(self):
        subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=self.out, check=True)
        listed = [line.split()[1] for line in (self.out / "SHA256SUMS").read_text().splitlines()]
        self.assertEqual(sorted([*listed, "SHA256SUMS"]), self.names)

    def test_debian_package(self):
        before = self.root.files()
        package = self.file(r"copse_[\d.]+_amd64\.deb")
        target = self.root.folder / "tmp/copse.deb"
        target.write_bytes(package.read_bytes())
        self.in_root("dpkg -i /tmp/copse.deb")
        for name in ("bin/copse", "lib/copse/libcopse.so", "lib/copse/libcopse-launch.so", "lib/copse/libcopse-parallel.so",
                     "share/java/copse-context.jar", "share/java/copse-jmh.jar",
                     "share/man/man1/copse.1.gz", "share/man/man1/copse-run.1.gz", "share/doc/copse/copyright",
                     "share/bash-completion/completions/copse", "share/zsh/vendor-completions/_copse",
                     "share/fish/vendor_completions.d/copse.fish"):
            self.assertTrue((self.root.folder / "usr" / name).is_file(), name)
        self.try_it("copse")
        self.in_root("dpkg --purge copse")
        self.assertEqual(self.root.files(), before)

    def test_debian_packages_are_as_debian_wants_them(self):
        if not shutil.which("lintian"):
            self.skipTest("no lintian")
        checked = jvm.run(["lintian", "--allow-root", "--fail-on", "warning", *self.out.glob("*.deb")])
        self.assertEqual((checked.status, checked.stdout), (0, ""))

    def test_archive_in_any_place(self):
        before = self.root.files()
        archive = self.file(r"copse-[\d.]+-linux-x86_64\.tar\.gz")
        place = self.root.folder / "opt/some where"
        place.mkdir(parents=True)
        subprocess.run(["tar", "-C", place, "-xf", archive], check=True)
        inside = f"/opt/some where/{archive.name.removesuffix('.tar.gz')}"
        self.in_root(f"ln -s '{inside}/bin/copse' /usr/local/bin/copse")
        self.try_it(f"'{inside}/bin/copse'")
        self.in_root(f"copse run -o /tmp/r.json -- {self.java} -version")
        self.in_root("rm -r /opt /usr/local/bin/copse")
        self.assertEqual(self.root.files(), before)

    def test_containers_as_documented(self):
        """The steps of the Dockerfile and of docs/containers.md, in a root that stands for each container in turn."""
        before = self.root.files()
        steps = (driver.REPOSITORY / "Dockerfile").read_text()
        recipe = (driver.REPOSITORY / "docs/containers.md").read_text()
        added, = re.findall(r"^ADD build/packages/(\S+) /opt/$", steps, re.MULTILINE)
        archive, = self.out.glob(added)
        (self.root.folder / "opt").mkdir()
        subprocess.run(["tar", "-C", self.root.folder / "opt", "-xf", archive], check=True)
        for script in re.findall(r"^RUN (.*)$", steps, re.MULTILINE):
            self.in_root(script)
        copied = re.search(r"command: (\[.*\])", recipe)[1]
        self.in_root("mkdir /copse /profiles; " + " ".join(json.loads(copied)))
        self.in_root("rm -r /opt /usr/local/bin/copse")  # the program's container has the volume alone
        options = re.search(r"JAVA_TOOL_OPTIONS\n +value: (\S+)", recipe)[1]
        for name in os.listdir(ARGS.classes):
            (self.root.folder / "tmp" / name).write_bytes(pathlib.Path(ARGS.classes, name).read_bytes())
        self.in_root(f"JAVA_TOOL_OPTIONS='{options}' {self.java} -cp /tmp Program")
        report, = (self.root.folder / "profiles").iterdir()
        self.assertRegex(report.name, r"^Program-\d+\.json$")
        self.assertEqual(driver.calls_by_method(compare_trees.load(report))["add"], 1000)
        run = re.search(r"`(/copse/bin/copse run -o \S+)\s+--\s+java", recipe)[1]
        self.in_root(f"{run} -- {self.java} -cp /tmp Program")
        self.in_root("rm -r /copse /profiles /tmp/Program.class")
        self.assertEqual(self.root.files(), before)

    def test_one_file_carries_the_others(self):
        before = self.root.files()
        copse = self.root.folder / "usr/local/bin/copse"
        copse.write_bytes(self.file(r"copse-[\d.]+-linux-x86_64").read_bytes())
        copse.chmod(0o755)
        self.try_it("copse")
        cache = self.root.folder / "root/.cache/copse"
        folder, = cache.iterdir()
        self.assertEqual([path.stat().st_mode & 0o777 for path in (cache, folder)], [0o700, 0o700])
        self.assertEqual(sorted(os.listdir(folder)),
                         ["copse-context.jar", "copse-jmh.jar", "copse-test.jar", "libcopse-launch.so",
                          "libcopse-parallel.so", "libcopse.so"])
        # An agent that was changed is replaced; one that is as it was is left alone.
        agent, jar = folder / "libcopse.so", folder / "copse-context.jar"
        as_made, left = agent.read_bytes(), jar.stat().st_ino
        agent.write_bytes(as_made[:-1] + b"x")
        self.in_root(f"copse run -o /tmp/r.json -- {self.java} -version")
        self.assertEqual(agent.read_bytes(), as_made)
        self.assertEqual(jar.stat().st_ino, left)
        # A folder that others can write to is refused.
        folder.chmod(0o777)
        refused = self.root.run(f"copse run -- {self.java} -version")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("of this user alone", refused.stderr)
        self.in_root("rm -r /root/.cache /usr/local/bin/copse")
        self.assertEqual(self.root.files(), before)

    def test_debug_symbols_are_apart(self):
        for more in ("", "-debug"):
            archive = self.file(rf"copse-[\d.]+-linux-x86_64{more}\.tar\.gz")
            subprocess.run(["tar", "-C", self.folder, "-xf", archive], check=True)
        symbols = {path.parent.name + path.stem for path in self.folder.rglob("*.debug")}
        for name in ("bin/copse", "lib/copse/libcopse.so", "lib/copse/libcopse-launch.so",
                     "lib/copse/libcopse-parallel.so"):
            file, = self.folder.glob(f"*/{name}")
            notes = subprocess.run(["readelf", "-n", file], capture_output=True, text=True, check=True).stdout
            self.assertIn(re.search(r"Build ID: (\w+)", notes)[1], symbols, name)
            sections = subprocess.run(["readelf", "-SW", file], capture_output=True, text=True, check=True).stdout
            self.assertIn(".gnu_debuglink", sections)
            self.assertNotIn(".debug_info", sections)


if __name__ == "__main__":
    made = driver.parser("build")
    made.add_argument("tests", nargs="*")
    driver.begin(made, jdks=True)
    if os.geteuid() != 0 or not fresh_root.jre()[1]:
        print("skipped: a fresh system can be made by root alone, of a JRE that is a Debian package")
        sys.exit(jvm.SKIPPED)
    ARGS.classes = driver.compiled([PROGRAM], home=os.path.dirname(os.path.dirname(fresh_root.jre()[0])))
    driver.unittest.main(argv=[sys.argv[0], *ARGS.tests], verbosity=2)
