"""Results on record for the pages of scripts/papers: geometric means of long runs, published forms of encoders on the
14 streams of scripts/study, javac's queries and RCCE's stack by depth of recursion."""

import re

from measuring import is_steady


def on_record(record, file, configuration):
    """A geometric mean of a long run, in times of the program without Copse; None if not on record."""
    means = record[file]["data"]["geometric_means"] if file in record else {}
    return means.get(configuration, {}).get("steady_ms")


def how_long(record, file):
    """Says which figures of a long run a geometric mean is made of."""
    if file not in record:
        return "not on record"
    programs, counts, steady = record[file]["data"]["programs"], set(), 0
    for program in programs.values():
        without = program["runs"]["without"]
        rounds = len(without)
        counts.update(len(run["iterations_ms"]) for run in without)
        steady += program.get("is_steady", all(is_steady(run["iterations_ms"]) for run in without))
    iterations = str(min(counts)) if len(counts) == 1 else f"{min(counts)} to {max(counts)}"
    runs = "one run" if rounds == 1 else f"{rounds} runs"
    return (f"median of the later half of {iterations} iterations, {runs}; {len(programs) - steady} of {len(programs)} "
            "programs are not steady by the record's own test")


def published(record, name, step="literal"):
    """Tokens of an encoder that were lost on all streams, in words; `step` is `literal` where every method is known,
    `withheld` where a fifth is not, `validate` for the long streams."""
    streams = record["encoders"]["data"]["streams"] if "encoders" in record else []
    found = [stream[step][name] for stream in streams if name in stream.get(step, {})]
    if not found:
        return "not measured"
    wrong, undecodable = (sum(one[key] for one in found) for key in ("wrong", "undecodable"))
    tokens = sum(one["tokens"] for one in found)
    if wrong + undecodable == 0:
        return f"all {tokens:,} tokens decode"
    failed = sum(1 for one in found if one["wrong"] + one["undecodable"])
    kinds = [f"{amount:,} {kind}" for amount, kind in ((wrong, "wrong"), (undecodable, "undecodable")) if amount]
    return f"{' and '.join(kinds)} of {tokens:,} tokens, on {failed} of {len(found)} streams"


def javac_ratios(text):
    """Query -> (time by that without Copse, answers), of reports/ptql.txt."""
    rows = re.findall(r"^ *[\d.]+ s +([\d.]+) +\d+ +(\d*) +[\d,]* *(\S.*)$", text, re.MULTILINE)
    return {what: (float(ratio), int(answers or 0)) for ratio, answers, what in rows}


def depth_rows(text):
    """Rows of the table `depth` of docs/encodings.md, the head first."""
    table = re.search(r"^\| depth \|.*\n(?:\|.*\n)+", text, re.MULTILINE)
    lines = table.group(0).splitlines() if table else []
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if not line.startswith("|---")]
