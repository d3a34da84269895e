#!/usr/bin/env python3
"""Copse beside class loaders that do as they like, and classes that come in every way there is: hidden,
spun at run time, from modules, from signed and multi-release jars."""

import functools
import os
import subprocess
import zipfile

import beside  # finds the modules beside its folder
import driver
from beside import BesideTest, compiled, per_jdk, program
from driver import ARGS

NO_PROBES = "its class loader does not find java.lang.CopseProbe"


@functools.lru_cache(None)
def classes():
    return compiled(map(program, ("Modern", "OddLoaders", "SystemLoader", "Unloading")), "classes")


def run_tool(name, *words):
    command = [driver.tool(name), *(f"-J{option}" for option in beside.SHORT_LIVED), *words]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def signed_multi_release_jar(jar, keys):
    """Modern from a signed jar that has a class for newer releases."""
    folder, password = classes(), "changeit"
    with zipfile.ZipFile(jar, "w") as out:
        out.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\nMain-Class: Modern\nMulti-Release: true\n")
        for name in sorted(name for name in os.listdir(folder) if name.startswith("Modern")):
            out.write(os.path.join(folder, name), name)
        out.write(os.path.join(folder, "Modern.class"), "META-INF/versions/17/Modern.class")
    run_tool("keytool", "-genkeypair", "-keystore", keys, "-storepass", password, "-alias", "test",
             "-keyalg", "EC", "-dname", "CN=test")
    run_tool("jarsigner", "-keystore", keys, "-storepass", password, jar, "test")
    return jar


def modular_program():
    """Arguments that run Modern as the main class of a module."""
    sources = os.path.join(ARGS.work, "module-source")
    os.makedirs(sources, exist_ok=True)
    with open(program("Modern"), encoding="utf-8") as file, \
            open(os.path.join(sources, "Modern.java"), "w", encoding="utf-8") as moved:
        moved.write("package beside;\n" + file.read())
    with open(os.path.join(sources, "module-info.java"), "w", encoding="utf-8") as file:
        file.write("module beside.modern { }\n")
    folder = compiled([os.path.join(sources, name) for name in ("Modern.java", "module-info.java")], "module")
    return ["-p", folder, "-m", "beside.modern/beside.Modern"]


# A heap that is all there from the start, and little of the JIT's, so that memory is the agent's.
STEADY = ["-XX:+UseSerialGC", "-Xms24m", "-Xmx24m", "-XX:+AlwaysPreTouch", "-XX:TieredStopAtLevel=1"]


class Loaders(BesideTest):
    trees = {}  # by JDK and program

    def check(self, home, main, engines=("engine=inline",), like=None, ignore=(), sites=True):
        """`like`: a program that makes the same calls, when the oracle has been asked about that one."""
        bare = self.bare(home, main)
        self.assertEqual(bare.status, 0, bare.stderr)
        expected = self.expected(home, tuple(like or main))
        for engine in engines:
            with self.subTest(engine=engine):
                run = self.with_agent(home, main, engine)
                self.assert_same_behaviour(run, bare)
                report = run.report
                self.assert_same_tree(expected, report, ignore, sites)
        return report

    def expected(self, home, main):
        if (home, main) not in self.trees:
            self.trees[home, main] = self.oracle(home, main).report
        return self.trees[home, main]

    @per_jdk
    def test_a_loader_that_refuses_our_class_gets_none_of_its_classes_changed(self, home):
        # The Threaded loader answers us too on a thread of its own, and that thread's calls are counted.
        report = self.check(home, ["-cp", classes(), "OddLoaders"],
                            ignore=["OddLoaders$Threaded.lambda$other$0"], sites=False)
        self.assertEqual([(row["class"], row["method"], row["reason"]) for row in report["skipped"]],
                         [("OddLoaders$Guest", "", NO_PROBES)])
        self.assertGreater(self.calls_by_method(report)["OddLoaders$Plugin.applyAsInt(I)I"], 250)

    @per_jdk
    def test_a_loader_is_asked_for_one_class_of_ours_once_whatever_is_measured(self, home):
        main = ["-cp", classes(), "OddLoaders", "asked"]
        asked = self.bare(home, main, beside.VERIFY).stdout.splitlines()
        for options, name in (("measure=calls,measure=alloc=exact,measure=exceptions,measure=cpu", "CopseProbe"),
                              ("engine=parallel,measure=calls,measure=alloc,measure=exceptions", "CopseProbe"),
                              ("mode=ids,encoder=segment,measure=alloc=exact,measure=exceptions", "CopseIds")):
            with self.subTest(options=options):
                more = self.with_agent(home, main, options).stdout.splitlines()
                more.remove(f"asked for java.lang.{name}")
                self.assertEqual(more, asked)

    def test_threads_that_define_one_class_at_a_time_get_one_with_every_probe(self):
        report = self.check(beside.homes()[0], ["-cp", classes(), "OddLoaders", "race"])
        self.assertEqual(report["skipped"], [])

    @per_jdk
    def test_the_system_loader_may_be_the_programs_own(self, home):
        main = ["-Xlog:cds=off", "-Djava.system.class.loader=SystemLoader", "-cp", classes(),
                "Modern"]
        # Calls of the loader before the JVM was there are not recorded; the oracle sees more or fewer of them.
        self.check(home, main, ignore=[f"SystemLoader.{name}" for name in ("<init>", "loadClass", "own")])

    @per_jdk
    def test_classes_of_every_making_are_counted(self, home):
        self.check(home, ["-cp", classes(), "Modern"], ("engine=inline", "mode=ids,encoder=segment,mark=**"))

    def test_a_module_needs_nothing_to_be_recorded(self):
        self.check(beside.homes()[-1], modular_program())

    def test_a_signed_jar_stays_signed(self):
        jar = signed_multi_release_jar(self.path("signed.jar"), self.path("keys"))
        self.check(beside.homes()[0], ["-jar", jar], like=["-cp", classes(), "Modern"],
                   ignore=["jdk.internal.reflect.GeneratedConstructorAccessor1.newInstance"])  # the JDK's, for the signature

    def test_a_loader_per_request_is_counted_as_one(self):
        home, main = beside.homes()[-1], ["-cp", classes(), "Unloading", "100"]
        run = self.with_agent(home, main)
        self.assertEqual((run.status, run.stdout), (0, self.bare(home, main).stdout))
        self.assert_same_tree(self.oracle(home, main).report, run.report)

    def test_dropped_loaders_leave_nothing_behind(self):
        rounds = 20000 if ARGS.all else 2500
        home, main = beside.homes()[0], ["-cp", classes(), "Unloading", str(rounds)]
        unloaded, bare_kib = map(int, self.bare(home, main, STEADY).stderr.split())
        run = self.with_agent(home, main, "engine=inline", STEADY)
        self.assert_proof(run.report)
        still_unloaded, kib = map(int, run.stderr.split())
        self.assertGreater(unloaded, rounds)
        self.assertLess(abs(unloaded - still_unloaded), rounds // 20)
        print(f"{rounds} loaders: {kib - bare_kib} KiB more than without Copse", flush=True)
        self.assertLess(kib - bare_kib, 7 * 1024)


beside.main(all="20,000 loaders instead of 2,500")
