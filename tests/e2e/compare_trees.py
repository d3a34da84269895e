#!/usr/bin/env python3
"""Compares the context trees of two JSON files: a Copse report (schema copse.cct) and the output
of the reference agent, or two reports.

    compare_trees.py EXPECTED ACTUAL [--below CLASS.METHOD] [--no-sites] [--limit N]

Two trees are equal when they hold the same contexts (chains of class, method, descriptor and call
site bci) with the same counts. Methods that either file lists in `skipped` are taken out of both
trees first: what they called then hangs under their caller, at the site it called them from.
--ignore takes out further methods in the same way.
--below compares only what lies under the outermost frames of one method, all its occurrences merged.
A report must prove its totals, whatever it is compared with: calls seen = calls in nodes + calls lost.
Exit status: 0 equal, 1 different, 2 unusable input."""

import argparse
import json
import sys

ROOT = 0


class Contexts:
    """Gives each distinct context one number, the same in every tree."""

    def __init__(self):
        self.ids = {}
        self.of = [None]  # number -> (parent number, frame, bci)

    def intern(self, parent, frame, bci):
        key = (parent, frame, bci)
        number = self.ids.get(key)
        if number is None:
            number = self.ids[key] = len(self.of)
            self.of.append(key)
        return number

    def spell(self, number):
        lines = []
        while number != ROOT:
            parent, (class_name, name, descriptor), bci = self.of[number]
            at = "" if parent == ROOT else f"   [called at bci {bci}]" if bci >= 0 else "   [no call site]"
            lines.append(f"{class_name}.{name}{descriptor}{at}")
            number = parent
        lines.reverse()
        if len(lines) > 24:
            lines[12:-12] = [f"... {len(lines) - 24} frames ..."]
        return "\n".join(f"    {line}" for line in lines)


def skipped_methods(report):
    """Pairs (class, name + descriptor); "" for a whole class."""
    return {(row["class"], row["method"]) for row in report.get("skipped", [])}


def read_counts(report, contexts, skipped, ignore=(), below=None, sites=True):
    """Number of a context -> its calls, and the calls of methods taken out."""
    methods = report["methods"]
    frames = list(zip(methods["class"], methods["name"], methods["descriptor"]))
    left_out = [(c, "") in skipped or (c, n + d) in skipped or f"{c}.{n}" in ignore for c, n, d in frames]
    bcis = report["sites"]["bci"]
    nodes = report["nodes"]
    counts = {}
    ignored_calls = 0
    places = []  # per row: (context it stands for, site its children inherit if it is left out)
    for parent, method, site, calls in zip(nodes["parent"], nodes["method"], nodes["site"], nodes["calls"]):
        if parent < 0:
            places.append((None if below else ROOT, None))
            continue
        context, inherited = places[parent]
        bci = inherited if inherited is not None else bcis[site] if site >= 0 else -1
        frame = frames[method]
        if context is None:
            if f"{frame[0]}.{frame[1]}" != below:
                places.append((None, None))
                continue
            context, bci = ROOT, -1
        if left_out[method]:
            places.append((context, bci))
            ignored_calls += calls
            continue
        if context == ROOT or not sites:
            bci = -1
        number = contexts.intern(context, frame, bci)
        places.append((number, None))
        counts[number] = counts.get(number, 0) + calls
    return counts, ignored_calls


def merged_counts(contexts, counts):
    """With recursion merged: a context whose method is on its path counts at that method's nearest node there."""
    merged = {ROOT: ROOT}

    def place(number):
        parent, frame, bci = contexts.of[number]
        above = merged[parent]
        while above != ROOT and contexts.of[above][1] != frame:
            above = contexts.of[above][0]
        return above if above != ROOT else contexts.intern(merged[parent], frame, bci)

    for number in range(1, len(contexts.of)):  # callers come first
        merged[number] = place(number)
    sums = {}
    for number, calls in counts.items():
        sums[merged[number]] = sums.get(merged[number], 0) + calls
    return sums


def differences(contexts, expected, actual):
    """(context, expected calls, actual calls), contexts nearer to the root first."""
    for number in sorted(expected.keys() | actual.keys()):
        want, got = expected.get(number, 0), actual.get(number, 0)
        if want != got:
            yield number, want, got


def compare(expected_report, actual_report, ignore=(), below=None, sites=True, merged=False, limit=5, out=sys.stdout):
    """Prints the first differences. True when the trees are equal and not empty. `merged`: the second one's recursion."""
    check_proof(expected_report)
    check_proof(actual_report)
    contexts = Contexts()
    skipped = skipped_methods(expected_report) | skipped_methods(actual_report)
    expected, _ = read_counts(expected_report, contexts, skipped, ignore, below, sites)
    actual, ignored = read_counts(actual_report, contexts, skipped, ignore, below, sites)
    if merged:
        expected = merged_counts(contexts, expected)
    if not expected:
        print(f"nothing to compare: no context{' below ' + below if below else ''}", file=out)
        return False
    found = list(differences(contexts, expected, actual))
    if not found:
        left_out = f", {ignored} calls of skipped or ignored methods left out" if ignored else ""
        print(f"equal: {len(expected)} contexts, {sum(expected.values())} calls{left_out}", file=out)
        return True
    print(f"{len(found)} contexts differ (expected {len(expected)} contexts and {sum(expected.values())}"
          f" calls, got {len(actual)} and {sum(actual.values())}); the first:", file=out)
    for number, want, got in found[:limit]:
        print(f"  expected {want} calls, got {got}, of\n{contexts.spell(number)}", file=out)
    return False


def check_proof(report, name="report"):
    """Fails unless calls seen = calls in nodes + calls lost. The reference agent's trees claim no totals."""
    if "totals" not in report:
        return
    totals, in_nodes = report["totals"], sum(report["nodes"]["calls"])
    assert totals["calls"] == in_nodes, f"{name}: totals say {totals['calls']} calls, the nodes {in_nodes}"
    assert totals["calls_seen"] == in_nodes + totals["calls_lost"], \
        f"{name}: {totals['calls_seen']} calls seen, {in_nodes} in nodes, {totals['calls_lost']} lost"
    defects = [note for note in report["notes"] if note.startswith("DEFECT")]
    assert not defects, f"{name}: {defects}"


def load(path):
    """Reads a report and checks its proof. Every test reads reports with this function, so that none forgets the proof."""
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    check_proof(report, path)
    return report


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("expected")
    parser.add_argument("actual")
    parser.add_argument("--below", metavar="CLASS.METHOD")
    parser.add_argument("--ignore", metavar="CLASS.METHOD", action="append", default=[])
    parser.add_argument("--no-sites", action="store_true", help="ignore call sites")
    parser.add_argument("--limit", type=int, default=5, help="differences to print (default 5)")
    args = parser.parse_args()
    try:
        expected, actual = load(args.expected), load(args.actual)
    except (OSError, ValueError, AssertionError) as error:
        print(f"compare_trees: {error}", file=sys.stderr)
        return 2
    same = compare(expected, actual, args.ignore, args.below, not args.no_sites, args.limit)
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
