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
TRACE_ENCODERS = ["cct", "uptree", "breadcrumbs", "pcc32", "pcce-literal", "rcce-literal", "deltapath-literal", "dacce-stack",
                  "luce", "luce-literal"]
# Figures that the pages have: of an encoder in a comparison, of the stream, of a report.
FIGURES = {
    "stack": ("mean", "max", "unexpected_mean", "unexpected_max"),
    "bytes": ("token_mean", "resident", "decode_only"),
    "time": ("call_ns", "token_ns", "decode_ns"),
    "precision": ("tokens", "decoded", "wrong", "undecodable", "contexts", "collisions", "expected_collisions", "given_up"),
    "facts": ("nodes", "edges", "call_sites", "virtual_call_sites", "back_edges", "max_id", "max_id_seen", "anchors",
              "unexpected_calls", "pushes", "reencodings", "collected", "collected_free"),
}
STREAM = ("methods", "edges", "max_depth", "mean_depth")
TOTALS = ("calls", "calls_lost", "contexts", "merged_methods", "merged_depth_at_least")
LAST_EPOCHS = 3
WITHHELD_ENCODERS = ["deltapath-literal", "deltapath-tracking"]
ENGINES = ["inline", "parallel", "uptree"]
LIVE_ENCODERS = ["pcc", "pcce", "deltapath", "rcce", "dacce", "luce"]
WITH_GRAPH = ["pcce", "deltapath", "rcce"]
CHECKS = ["hash-code-consistent", "equal-objects-different-hash-codes", "different-objects-equal-hash-codes",
          "string-concats", "delayed-close", "compare-to-reflexive", "compare-to-antisymmetric",
          "compare-to-transitive"]
# Parts of the engine to leave out: "" is none. The paper has the two that follow.
ABLATIONS = ["", "admission", "post-dominator,split", "static-filter", "dynamic-filter", "gates", "retention",
             "propagation", "repetition", "index", "join-order"]
LIMIT_S = 30


def say(message):
    print(message, file=sys.stderr, flush=True)


def without_limit(text):
    """A query of a check answers 20 times and is then at rest; the paper's go on."""
    return re.sub(r"\nLIMIT \d+", "", text)


def chosen(keys, figures):
    return {key: figures[key] for key in keys if key in figures}


def by_name(compared):
    def kept(encoder):
        groups = {group: chosen(keys, encoder[group]) for group, keys in FIGURES.items() if encoder[group]}
        epochs = [chosen(("trigger", "edges", "max_id"), epoch) for epoch in encoder["epochs"][-LAST_EPOCHS:]]
        return groups | ({"epochs": epochs} if epochs else {})

    return {encoder["name"]: kept(encoder) for encoder in compared["encoders"]}


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

    def alternating(self, commands):
        """Medians of whole runs, by name; each command runs once a round, so that all meet the same moments of the
        machine. A command that fails or takes longer than the limit is not run again."""
        outcomes, made = {name: [] for name in commands}, {}
        for _ in range(self.rounds):
            for name in (name for name in commands if name not in made):
                outcome = run_to_end(commands[name], limit_s=LIMIT_S)
                outcomes[name].append(outcome)
                if outcome.too_late or outcome.status != 0:
                    made[name] = {"why_not": f"over {LIMIT_S} s" if outcome.too_late else
                                  f"exit status {outcome.status}"}
        for name in (name for name in commands if name not in made):
            made[name] = {key: statistics.median(o.usage[key] for o in outcomes[name])
                          for key in ("process_s", "cpu_s", "peak_mib")}
            answers = re.search(r"copse: ([\d,]+) answers? ", outcomes[name][-1].errors)
            if answers:
                made[name]["answers"] = int(answers.group(1).replace(",", ""))
        return {name: made[name] for name in commands}

    def trace(self, name):
        said = self.done("record", "-o", self.path("trace"), "--", *self.program(name)).errors
        compared = self.compared(TRACE_ENCODERS, "--rounds", str(self.rounds))
        withheld = self.compared(WITHHELD_ENCODERS, "--rounds", "1", "--withhold", "0.2")
        with contextlib.suppress(FileNotFoundError):
            os.remove(self.path("trace"))
        calls = re.search(r"([\d,]+) calls in", said)
        return {"recorded_calls": int(calls.group(1).replace(",", "")), "stream": chosen(STREAM, compared["stream"]),
                "encoders": by_name(compared), "withheld": by_name(withheld)}

    def compared(self, encoders, *options):
        named = [word for encoder in encoders for word in ("--encoder", encoder)]
        self.done("compare", self.path("trace"), "--events", str(self.events), *options, *named, "-o",
                  self.path("trace.json"))
        return json.loads((self.folder / "trace.json").read_text())

    def runs(self, name):
        """The program alone, with each engine of trees and with each encoder of ids."""
        self.done("run", "--measure", "calls", "-o", self.path("graph.json"), "--", *self.program(name))
        commands = {"bare": self.program(name)}
        for engine in ENGINES:
            commands[engine] = [self.copse, "run", "--measure", "calls", "--engine", engine, "-o",
                                self.path(f"{engine}.json"), "--", *self.program(name)]
        for encoder in LIVE_ENCODERS:
            graph = ["--graph", self.path("graph.json")] if encoder in WITH_GRAPH else []
            commands[encoder] = [self.copse, "ids", "--encoder", encoder, *graph, "-o", self.path("ids.json"), "--",
                                 *self.program(name)]
        made = self.alternating(commands)
        for engine in ENGINES:
            if "why_not" not in made[engine]:
                report = json.loads((self.folder / f"{engine}.json").read_text())
                made[engine]["report_totals"] = chosen(TOTALS, report["totals"])
        return made

    def query(self, check):
        file = self.folder / f"{check}.ptql"
        file.write_text(without_limit(pathlib.Path(ROOT, "checks", f"{check}.ptql").read_text()))
        return str(file)

    def asked(self, name, check, without=""):
        part = ["--without", without] if without else []
        return [self.copse, "ptql", "--file", self.query(check), *part, "--frames", "0", "-o", "/dev/null", "--",
                *self.program(name)]

    def queries(self, name):
        return self.alternating({"bare": self.program(name), **{check: self.asked(name, check) for check in CHECKS}})

    def ablation(self, name, check):
        return self.alternating({part: self.asked(name, check, part) for part in ABLATIONS})


def measure_traces(copse, earlier, save):
    """Records and replays again, for counts. Times stay those of the earlier measurement, and so does the rest."""
    with tempfile.TemporaryDirectory() as folder:
        measuring = Measuring(copse, folder, earlier["events"], rounds=1)
        for name, program in earlier["programs"].items():
            say(f"{name}: trace")
            times = {encoder: figures["time"] for encoder, figures in program["trace"]["encoders"].items()}
            program["trace"] = measuring.trace(name)
            for encoder, figures in program["trace"]["encoders"].items():
                figures["time"] = times.get(encoder)
        save(earlier)


def measure(copse, programs, ablated, events, rounds, save):
    """Hands what is there to `save` after each part, so that a run that is ended early is not lost."""
    made = {"events": events, "rounds": rounds, "programs": {name: {} for name in programs},
            "ablation": {}}
    with tempfile.TemporaryDirectory() as folder:
        measuring = Measuring(copse, folder, events, rounds)
        for part in ("runs", "trace", "queries"):
            for name in programs:
                say(f"{name}: {part}")
                made["programs"][name][part] = getattr(measuring, part)(name)
                save(made)
        for name, _, check in (each.partition(":") for each in ablated):
            say(f"{name}: parts left out of {check}")
            made["ablation"].setdefault(name, {})[check] = measuring.ablation(name, check)
            save(made)
