#!/usr/bin/env python3
"""What fuzzing has found, under HotSpot's verifier: every class file of the corpus that verifies as it
is must verify with probes too. One that does not need not, but must not crash the rewriter.

    verify_found.py --rewriter FILE --work DIR [--mutants N] [--seed S] CORPUS...

CORPUS: folders of class files, or of their hex text (.hex). After a search: scripts/fuzz 240 classfile,
then build/fuzz/found/classfile/corpus. Few of those verify, so --mutants adds N classes in which one to
three bytes differ from a good one: about one in ten still verifies. Skipped (77) without a JDK."""

import argparse
import os
import pathlib
import random
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import jvm  # noqa: E402

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "classverify/java"
EXERCISES = ("locals", "no-locals", "entry")


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
    """Of the classes in `folder` whose version every JVM knows; the version stays."""
    print(f"{count} mutants, seed {seed}")
    dice = random.Random(seed)
    found = [file.read_bytes() for file in sorted(folder.iterdir())]
    good = [data for data in found if len(data) > 100 and 45 <= data[7] <= 61]
    for number in range(count):
        data = bytearray(dice.choice(good))
        for _ in range(dice.randint(1, 3)):
            data[dice.randrange(8, len(data))] = dice.choice((0, 1, dice.randrange(256), 255))
        (folder / f"mutant-{number:06}.class").write_bytes(data)


def verify(home, args, originals):
    """False when a rewritten class is refused whose original is not."""
    work = args.work / os.path.basename(home)
    tools, probe = work / "tools", work / "probe"
    jvm.compile_java(home, [str(SOURCES / "LinkAll.java")], str(tools))
    jvm.compile_java(home, [str(SOURCES / "CopseVerifyProbe.java")], str(probe),
                     ["--patch-module", f"java.base={SOURCES}"])
    well = True
    for exercise in EXERCISES:
        rewritten = work / exercise
        shutil.rmtree(rewritten, ignore_errors=True)
        # Its status says whether any class was refused, which here most may be.
        outcome = jvm.run([args.rewriter, exercise, str(originals), str(rewritten)])
        if outcome.status not in (0, 1):
            print(f"{exercise}: the rewriter ended with {outcome.status}\n{outcome.stderr}")
            return False
        outcome = jvm.run([os.path.join(home, "bin/java"), "--patch-module", f"java.base={probe}", "-cp", str(tools),
                           "LinkAll", "pairs", str(originals), str(rewritten)])
        print(f"{exercise}: {outcome.stdout.strip()}{outcome.stderr}")
        well = well and outcome.status == 0 and " linked 0," not in outcome.stdout
    return well


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rewriter", required=True, type=os.path.abspath)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--mutants", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("corpus", nargs="+")
    args = parser.parse_args()
    homes = jvm.need_jdks()
    originals = args.work / "originals"
    print(f"{collect(args.corpus, originals)} class files")
    if args.mutants:
        java = SOURCES / "Behaviour.java"
        jvm.compile_java(homes[0], [str(java)], str(args.work / "good"), ["--release", "17"])
        for file in (args.work / "good").iterdir():
            shutil.copy(file, originals)
        add_mutants(originals, args.mutants, args.seed)
    return 0 if all([verify(home, args, originals) for home in homes]) else 1


if __name__ == "__main__":
    sys.exit(main())
