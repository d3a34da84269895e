#!/usr/bin/env python3
"""Class archives and AOT caches: a program that uses one, or makes one, does under Copse what it does without, and its
calls are counted as in any other run."""

import os
import subprocess
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS  # noqa: E402

SHOP = """
import java.util.function.IntUnaryOperator;
public class Shop {
    static int total;
    static { total = Stock.first(); }
    static int price(int n) { return n * 3; }
    int sell(int n) { return price(n) + Stock.take(n); }
    public static void main(String[] args) throws Exception {
        Shop shop = new Shop();
        IntUnaryOperator twice = n -> 2 * shop.sell(n);
        for (int i = 0; i < 1000; i++) total += twice.applyAsInt(i);
        Thread thread = new Thread(() -> total += shop.sell(1));
        thread.start();
        thread.join();
        System.out.println("sold " + total);
    }
}
class Stock {
    static int first() { return 7; }
    static int take(int n) { return n + 1; }
}
"""
FIRST_WITH_AOT = 25


class Archives(driver.CommandLineTest):
    def setUp(self):
        super().setUp()
        self.jar = self.path("shop.jar")
        subprocess.run([driver.tool("jar"), "-c", "-f", self.jar, "-C", ARGS.classes, "."], check=True)

    def java(self, home, *options):
        # The program ends before C2 would pay.
        return [driver.tool("java", home), "-XX:TieredStopAtLevel=1", *options, "-cp", self.jar, "Shop"]

    def assert_counted(self, path=None):
        counts = [self.calls(method, path) for method in ("main", "sell", "price", "first", "take")]
        self.assertEqual(counts, [1, 1001, 1001, 1, 1001])

    def assert_same(self, command, options=()):
        """Output and status under Copse are those without; all calls are counted."""
        bare = jvm.run(command, cwd=self.folder)
        self.assertEqual(bare.status, 0, bare)
        outcome = self.copse("run", *options, "-o", self.report, "--", *command)
        self.assertEqual((outcome.status, outcome.stdout), (bare.status, bare.stdout), outcome)
        self.assert_counted()

    def each_jdk(self, least=0):
        return [home for home in ARGS.homes if jvm.feature_version(home) >= least]

    def made(self, home, kind, name):
        """A cache of the program, made without Copse."""
        path = self.path(f"{jvm.feature_version(home)}-{name}")
        outcome = jvm.run(self.java(home, f"-XX:{kind}={path}"), cwd=self.folder)
        self.assertTrue(os.path.exists(path), outcome)
        return path

    def test_program_of_an_archive_is_counted(self):
        for home in self.each_jdk():
            archive = self.made(home, "ArchiveClassesAtExit", "shop.jsa")
            for options in ([], ["--jdk"]):
                self.assert_same(self.java(home, f"-XX:SharedArchiveFile={archive}"), options)
            self.assert_same(self.java(home, f"-XX:SharedArchiveFile={archive}", "-Xshare:on"), ["--jdk"])

    def test_program_of_an_aot_cache_is_counted(self):
        for home in self.each_jdk(FIRST_WITH_AOT):
            cache = self.made(home, "AOTCacheOutput", "shop.aot")
            for mode, options in (("auto", []), ("on", ["--engine", "parallel"]), ("auto", ["--measure", "cpu,wall,exceptions"]),
                                  ("on", ["--jdk"])):
                self.assert_same(self.java(home, f"-XX:AOTCache={cache}", f"-XX:AOTMode={mode}"), options)

    def assert_in_use(self, outcome):
        loaded = [line for line in outcome.stdout.splitlines() if " Shop source: " in line]
        # The JVM tells of a second one when the class gets its probes.
        self.assertTrue(loaded and loaded[0].endswith("source: shared objects file"), loaded)

    def test_an_aot_cache_stays_in_use(self):
        for home in self.each_jdk(FIRST_WITH_AOT):
            cache = self.made(home, "AOTCacheOutput", "shop.aot")
            self.assert_in_use(self.copse("run", "-o", self.report, "--",
                                          *self.java(home, f"-XX:AOTCache={cache}", "-Xlog:class+load")))

    def test_an_aot_cache_is_made_as_without_copse(self):
        for home in self.each_jdk(FIRST_WITH_AOT):
            making = self.java(home, "-XX:AOTCacheOutput=made.aot")
            launcher = ["sh", "-c", '"$@"', "sh", *making]
            for command in (making, launcher):
                outcome = self.copse("run", "-o", self.report, "--", *command)
                self.assertIn("AOT", outcome.stderr.splitlines()[-1])
                self.assertFalse(os.path.exists(self.report))
                self.assert_in_use(jvm.run(self.java(home, "-XX:AOTCache=made.aot", "-Xlog:class+load"), cwd=self.folder))
                os.remove(self.path("made.aot"))

    def test_an_archive_is_made_without_copse(self):
        for home in self.each_jdk():
            for words in (["-XX:ArchiveClassesAtExit=made.jsa"], ["@made.options"]):
                with open(self.path("made.options"), "w", encoding="utf-8") as file:
                    file.write("-XX:ArchiveClassesAtExit=made.jsa")
                outcome = self.copse("run", "-o", self.report, "--", *self.java(home, *words))
                self.assertIn("sold", outcome.stdout)
                self.assert_one_line(outcome, 0, "-XX:ArchiveClassesAtExit=made.jsa")
                self.assertTrue(os.path.exists(self.path("made.jsa")))
                self.assertFalse(os.path.exists(self.report))
                os.remove(self.path("made.jsa"))
            failed = self.copse("run", "--fail-if-empty", "-o", self.report, "--",
                                *self.java(home, "-XX:ArchiveClassesAtExit=made.jsa"))
            self.assertEqual(failed.status, 1)
            os.remove(self.path("made.jsa"))

    def test_an_archive_that_renews_itself_is_used_as_it_is(self):
        for home in self.each_jdk(19):
            command = self.java(home, "-XX:+AutoCreateSharedArchive", "-XX:SharedArchiveFile=auto.jsa")
            for exists in (False, True):
                outcome = self.copse("run", "-o", self.report, "--", *command)
                self.assertEqual((outcome.status, outcome.stdout), (0, "sold 3998012\n"), outcome)
                self.assert_counted()
                self.assertEqual(os.path.exists(self.path("auto.jsa")), exists)
                if not exists:
                    jvm.run(command, cwd=self.folder)

    def test_a_launcher_whose_jvm_refuses_copse_gets_the_reason(self):
        script = " ".join(f"'{word}'" for word in self.java(ARGS.homes[0], "-XX:ArchiveClassesAtExit=made.jsa"))
        outcome = self.copse("run", "-o", self.report, "--", "sh", "-c", script)
        self.assertIn("-XX:ArchiveClassesAtExit", outcome.stderr.splitlines()[-1])


driver.main("copse", "agent", sources=[SHOP], jdks=True)
