"""Figures of our programs for scripts/papers: what the encoders of a trace say, and whole runs with encoders, trees and
queries. Every figure is a JSON value, so that pages can be made again without a run."""

import contextlib
import json
import os
import pathlib
import re
import shlex
import statistics
import sys
import tempfile

from measuring import ROOT, run_to_end

# Published forms of the encoders, and what they are compared with.
TRACE_ENCODERS = ["walk", "cct", "uptree", "breadcrumbs", "pcc32", "pcce-literal", "rcce-literal", "deltapath-literal",
                  "dacce-stack", "luce"]
ENGINES = ["inline", "parallel", "uptree"]
CHECKS = ["hash-code-consistent", "equal-objects-different-hash-codes", "different-objects-equal-hash-codes",
          "string-concats", "delayed-close", "compare-to-reflexive", "compare-to-antisymmetric",
          "compare-to-transitive"]
# Parts of the engine to leave out: "" is none. The paper has the first three.
ABLATIONS = ["", "admission", "post-dominator,split", "static-filter", "dynamic-filter", "gates", "retention",
             "propagation", "repetition", "index", "join-order"]
ABLATED = ["hash-code-consistent", "string-concats"]
LIMIT_S = 60


def say(message):
    print(message, file=sys.stderr, flush=True)


def without_limit(text):
    """A query of a check answers 20 times and is then at rest; the paper's go on."""
    return re.sub(r"\nLIMIT \d+", "", text)


class Measuring:
    def __init__(self, copse, folder, events, rounds):
        self.copse, self.folder, self.events, self.rounds = copse, pathlib.Path(folder), events, rounds

    def path(self, name):
        return str(self.folder / name)

    @staticmethod
    def program(name):
        return [os.path.join(ROOT, "workloads/run"), name, "-n", "1"]

    def done(self, *words):
        """The outcome of the command, which has to go well."""
        outcome = run_to_end([self.copse, *words], limit_s=600)
        if outcome.status != 0:
            sys.exit(f"papers: copse {shlex.join(words)}: exit status {outcome.status}\n{outcome.errors}")
        return outcome

    def runs(self, command):
        """Medians of whole runs; None where one takes longer than the limit or fails."""
        outcomes = []
        for _ in range(self.rounds):
            outcome = run_to_end(command, limit_s=LIMIT_S)
            if outcome.too_late or outcome.status != 0:
                return {"why_not": f"over {LIMIT_S} s" if outcome.too_late else f"exit status {outcome.status}"}
            outcomes.append(outcome)
        made = {key: statistics.median(o.usage[key] for o in outcomes) for key in ("process_s", "cpu_s", "peak_mib")}
        answers = re.search(r"copse: ([\d,]+) answers? ", outcomes[-1].errors)
        if answers:
            made["answers"] = int(answers.group(1).replace(",", ""))
        return made

    def trace(self, name):
        said = self.done("record", "-o", self.path("trace"), "--", *self.program(name)).errors
        encoders = [word for encoder in TRACE_ENCODERS for word in ("--encoder", encoder)]
        self.done("compare", self.path("trace"), "--events", str(self.events), "--rounds", str(self.rounds), *encoders,
                  "-o", self.path("trace.json"))
        compared = json.loads((self.folder / "trace.json").read_text())
        for encoder in compared["encoders"]:
            encoder.pop("growth", None)
        with contextlib.suppress(FileNotFoundError):
            os.remove(self.path("trace"))
        calls = re.search(r"([\d,]+) calls in", said)
        return {"recorded_calls": int(calls.group(1).replace(",", "")), "stream": compared["stream"],
                "encoders": {encoder["name"]: encoder for encoder in compared["encoders"]}}

    def live(self, name):
        self.done("run", "--measure", "calls", "-o", self.path("graph.json"), "--", *self.program(name))
        self.done("compare", "--rounds", str(self.rounds), "--graph", self.path("graph.json"), "-o",
                  self.path("live.json"), "--", *self.program(name))
        compared = json.loads((self.folder / "live.json").read_text())["live"]
        return {"bare": compared["bare"], "encoders": {encoder["name"]: encoder for encoder in compared["encoders"]}}

    def trees(self, name):
        made = {"bare": self.runs(self.program(name))}
        for engine in ENGINES:
            made[engine] = self.runs([self.copse, "run", "--measure", "calls", "--engine", engine, "-o",
                                      self.path("tree.json"), "--", *self.program(name)])
            made[engine]["report_totals"] = json.loads((self.folder / "tree.json").read_text()).get("totals")
        return made

    def query(self, check):
        file = self.folder / f"{check}.ptql"
        file.write_text(without_limit(pathlib.Path(ROOT, "checks", f"{check}.ptql").read_text()))
        return str(file)

    def asked(self, name, check, without=""):
        part = ["--without", without] if without else []
        return self.runs([self.copse, "ptql", "--file", self.query(check), *part, "--frames", "0", "-o", "/dev/null",
                          "--", *self.program(name)])

    def queries(self, name):
        return {"bare": self.runs(self.program(name)), **{check: self.asked(name, check) for check in CHECKS}}

    def ablation(self, name):
        return {check: {part: self.asked(name, check, part) for part in ABLATIONS} for check in ABLATED}


def measure(copse, programs, ablated, events, rounds):
    made = {"events": events, "rounds": rounds, "limit_s": LIMIT_S, "programs": {}, "ablation": {}}
    with tempfile.TemporaryDirectory() as folder:
        measuring = Measuring(copse, folder, events, rounds)
        for name in programs:
            made["programs"][name] = {}
            for part in ("trace", "live", "trees", "queries"):
                say(f"{name}: {part}")
                made["programs"][name][part] = getattr(measuring, part)(name)
        for name in ablated:
            say(f"{name}: parts left out of queries")
            made["ablation"][name] = measuring.ablation(name)
    return made
