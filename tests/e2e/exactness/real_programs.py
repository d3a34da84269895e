#!/usr/bin/env python3
"""Compares Copse with the reference agent on real programs, one iteration each. Takes minutes per
program, for the reference agent costs a microsecond and more per call; so it is run on demand.

    real_programs.py --agent LIB --oracle LIB [--runner CMD] [--jvm-option OPTION]... PROGRAM...

A runner takes `NAME -n ITERATIONS -- JVM-OPTION...`; workloads/run is one. Where two runs of a program
differ by themselves (timeouts, identity hashes, races), so will these."""

import argparse
import io
import os
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
sys.path.insert(0, os.path.dirname(HERE))
import compare_trees  # noqa: E402

# Without --jvm-option: equal identity hashes, for they decide how hash tables of objects without
# hashCode() collide. (Jython does not start with them.)
SAME_HASHES = ["-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=2"]
VARIANTS = {"1 worker, 8-record packets": "engine=parallel:workers=1:packet=8", "4 workers": "engine=parallel:workers=4",
            "uptree": "engine=uptree", "in-line": "engine=inline", "context ids": "mode=ids,encoder=segment,mark=**"}


def run(args, program, agent):
    """Status of one iteration under an agent, None when it took too long."""
    command = [*args.runner, program, "-n", "1", "--", *args.jvm_option, agent]
    try:
        return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=args.timeout).returncode
    except subprocess.TimeoutExpired:
        return None


def check(args, program, folder):
    """Prints a line per variant; returns the number of failures."""
    path = os.path.join(folder, "oracle.json")
    status = run(args, program, f"-agentpath:{args.oracle}=out={path}")
    if status != 0:
        print(f"{program}: FAILED under the reference agent: {'too slow' if status is None else status}", flush=True)
        return 1
    oracle = compare_trees.load(path)
    failures = 0
    for name, options in VARIANTS.items():
        path = os.path.join(folder, "report.json")
        status = run(args, program, f"-agentpath:{args.agent}=out={path},quiet,{options}")
        out = io.StringIO()
        same = status == 0 and compare_trees.compare(oracle, compare_trees.load(path), args.ignore, limit=args.limit, out=out)
        failures += not same
        print(f"{program}: {name}: {'' if same else f'FAILED (exit status {status}): '}{out.getvalue().strip()}", flush=True)
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agent", required=True, type=os.path.abspath)
    parser.add_argument("--oracle", required=True, type=os.path.abspath)
    parser.add_argument("--runner", default=[os.path.join(ROOT, "workloads/run")], type=shlex.split)
    parser.add_argument("--jvm-option", action="append", help="repeatable; -Xmx2g for none (default: %s)" % " ".join(SAME_HASHES))
    parser.add_argument("--ignore", action="append", default=[], metavar="CLASS.METHOD",
                        help="do not compare calls of this method, e.g. one that recurses until the stack is full")
    parser.add_argument("--timeout", type=int, default=1800, help="seconds per run (default 1800)")
    parser.add_argument("--limit", type=int, default=3, help="differences to print per variant (default 3)")
    parser.add_argument("programs", nargs="+")
    args = parser.parse_args()
    args.jvm_option = args.jvm_option or SAME_HASHES
    with tempfile.TemporaryDirectory() as folder:
        failures = sum(check(args, program, folder) for program in args.programs)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
