#!/usr/bin/env python3
"""What fuzzing has found, under HotSpot's verifier: every class file of the corpus that verifies as it
is must verify with probes too. One that does not need not, but must not crash the rewriter.

CORPUS: folders of class files, or of their hex text (.hex). After a search: scripts/fuzz 240 classfile,
then build/fuzz/found/classfile/corpus. Few of those verify, so --mutants adds N classes in which one to
three bytes differ from a good one: about one in ten still verifies. Skipped (77) without a JDK."""

import pathlib
import random
import shutil
import sys

sys.path.insert(1, sys.path[0] + "/..")
import driver  # noqa: E402
import jvm  # noqa: E402
from driver import ARGS  # noqa: E402

SOURCES = driver.REPOSITORY / "tests/classverify/java"
EXERCISES = ("locals", "no-locals", "entry", "values")


def bytes_of(file):
    data = file.read_bytes()
    if file.suffix != ".hex":
        return data
    return bytes.fromhex("".join(line.split("#")[0] for line in data.decode().splitlines()))


def collect(corpora, folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    count = 0
    for corpus in corpora:
        for file in sorted(pathlib.Path(corpus).iterdir()):
            (folder / f"{count:06}-{file.stem[:40]}.class").write_bytes(bytes_of(file))
            count += 1
    return count


def add_mutants(folder, count, seed):
    """Adds mutants of the classes in `folder` whose version every JVM knows; the version stays."""
    print(f"{count} mutants, seed {seed}")
    dice = random.Random(seed)
    found = [file.read_bytes() for file in sorted(folder.iterdir())]
    good = [data for data in found if len(data) > 100 and 45 <= data[7] <= 61]
    for number in range(count):
        data = bytearray(dice.choice(good))
        for _ in range(dice.randint(1, 3)):
            data[dice.randrange(8, len(data))] = dice.choice((0, 1, dice.randrange(256), 255))
        (folder / f"mutant-{number:06}.class").write_bytes(data)


def compile_tools(folder):
    """Compiles what links the classes, and the probes that these call."""
    jvm.compile_java(ARGS.homes[0], [str(SOURCES / "LinkAll.java")], str(folder / "tools"))
    jvm.compile_java(ARGS.homes[0], [str(SOURCES / f"{name}.java") for name in ("CopseVerifyProbe", "CopseValues")], str(folder / "probe"),
                     ["--patch-module", f"java.base={SOURCES}"])


def rewrite(originals, folder):
    """False when the rewriter does not come to its end. Its status says whether any class was refused, which here most may be."""
    for exercise in EXERCISES:
        shutil.rmtree(folder / exercise, ignore_errors=True)
        outcome = jvm.run([ARGS.rewriter, exercise, str(originals), str(folder / exercise)])
        if outcome.status not in (0, 1):
            print(f"{exercise}: the rewriter ended with {outcome.status}\n{outcome.stderr}")
            return False
    return True


def verify(home, originals, folder):
    """False when a rewritten class is refused whose original is not."""
    outcome = jvm.run([driver.tool("java", home), "-XX:TieredStopAtLevel=1", "--patch-module", f"java.base={folder / 'probe'}", "-cp",
                       str(folder / "tools"), "LinkAll", "pairs", str(originals), *(str(folder / name) for name in EXERCISES)])
    print(f"{outcome.stdout.strip()}{outcome.stderr}")
    return outcome.status == 0


def main():
    parser = driver.parser("rewriter")
    parser.add_argument("--mutants", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("corpus", nargs="+")
    driver.begin(parser, jdks=True)
    folder = pathlib.Path(ARGS.work)
    originals, good = folder / "originals", folder / "good"
    print(f"{collect(ARGS.corpus, originals)} class files")
    if ARGS.mutants:
        driver.compiled([SOURCES / "Behaviour.java"], "good", options=["--release", "17"])
        for file in good.iterdir():
            shutil.copy(file, originals)
        add_mutants(originals, ARGS.mutants, ARGS.seed)
    compile_tools(folder)
    return 0 if rewrite(originals, folder) and all([verify(home, originals, folder) for home in ARGS.homes]) else 1


sys.exit(main())
