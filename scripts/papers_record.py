"""Results on record (reports/data) for the pages of scripts/papers: geometric means of long runs, published forms of encoders on the
14 streams of scripts/study, javac's queries and RCCE's stack by depth of recursion."""

import re


def on_record(record, file, configuration):
    """A geometric mean of a long run, in times of the program without Copse; None if not on record."""
    means = record[file]["geometric_means"] if file in record else {}
    return means.get(configuration, {}).get("steady_ms")


def how_long(record, file):
    """Says which figures of a long run a geometric mean is made of."""
    if file not in record:
        return "not on record"
    programs = record[file]["programs"]
    counts = {program["iterations"] for program in programs.values()}
    rounds = max(len(program["runs"]["without"]) for program in programs.values())
    steady = sum(program["is_steady"] for program in programs.values())
    iterations = str(min(counts)) if len(counts) == 1 else f"{min(counts)} to {max(counts)}"
    runs = "one run" if rounds == 1 else f"{rounds} runs"
    return (f"median of the later half of {iterations} iterations, {runs}; {len(programs) - steady} of {len(programs)} "
            "programs are not steady by the record's own test")


def streams_of(record):
    """The streams of scripts/study."""
    return record["encoders"]["streams"] if "encoders" in record else []


def checked(record, step, name):
    """An encoder's figures of one step, of each stream that has it."""
    return [checks[step] for stream in streams_of(record) if step in (checks := stream["checks"].get(name, {}))]


def published(record, name, step="literal"):
    """Tokens of an encoder that were lost on all streams, in words; `step` is `literal` where every method is known,
    `withheld` where a fifth is not, `validate` for the long streams."""
    found = checked(record, step, name)
    if not found:
        return "not measured"
    wrong, undecodable = (sum(one[key] for one in found) for key in ("wrong", "undecodable"))
    tokens = sum(one["tokens"] for one in found)
    if wrong + undecodable == 0:
        return f"all {tokens:,} tokens decode"
    failed = sum(1 for one in found if one["wrong"] + one["undecodable"])
    kinds = [f"{amount:,} {kind}" for amount, kind in ((wrong, "wrong"), (undecodable, "undecodable")) if amount]
    return f"{' and '.join(kinds)} of {tokens:,} tokens, on {failed} of {len(found)} streams"


def collisions(record, name):
    return sum(one["collisions"] for one in checked(record, "validate", name))


def chance(record):
    """Collisions that a hash of 32 bits is expected to have on the long streams: n^2 / 2^33, where n is at most the contexts."""
    return round(sum(min(checks["validate"]["tokens"], stream["stream"]["contexts"]) ** 2 / 2 ** 33
                     for stream in streams_of(record) if "validate" in (checks := stream["checks"].get("pcc32", {}))))


def withheld_of(record, name):
    """Tokens lost where methods that threads enter are known, and where they are withheld as others are."""
    known, withheld = (published(record, name, step) for step in ("withheld", "withheld-entries"))
    return known if known == withheld else f"{known}, with those that threads enter known, and else {withheld}"


def differing(record):
    """Most tokens by which an encoder's fate differs on a stream where methods that threads enter are withheld, too."""
    differences = [max((abs(checks["withheld"][key] - checks["withheld-entries"][key]) for checks in stream["checks"].values()
                        for key in ("wrong", "undecodable") if {"withheld", "withheld-entries"} <= set(checks)), default=0)
                   for stream in streams_of(record)]
    return sorted(filter(None, differences))


def beyond_word(record):
    """Says what is known of ids of Luce as published that do not fit into 64 bits."""
    rows = checked(record, "literal", "luce-literal")
    beyond = [row["given_up"] for row in rows if "given_up" in row]
    if not beyond or len(beyond) < len(rows):
        return ("Some ids do not fit into 64 bits; the paper sets no size. Of those that fit, some decode wrongly and some not at "
                "all, which is not counted apart: methods that call themselves.")
    wrong, undecodable = (sum(row[key] for row in rows) for key in ("wrong", "undecodable"))
    return (f"{sum(beyond):,} ids do not fit into 64 bits; the paper sets no size, and how many would be wrong in a larger word is "
            f"not measured. Of those that fit, {wrong:,} decode wrongly and {undecodable - sum(beyond):,} not at all: "
            "methods that call themselves.")


def deltapath_verdict(record):
    known = published(record, "deltapath-literal")
    return ("known graph: " + ("holds" if known.startswith("all ") else "fails as published where ids pass the word") +
            "; unknown code: fails as published; holds repaired")


def tokens_of(record, step, name):
    return f"{sum(one['tokens'] for one in checked(record, step, name)):,}"


def javac_ratios(text):
    """Query -> (time by that without Copse, answers), of reports/ptql.txt."""
    rows = re.findall(r"^ *[\d.]+ s +([\d.]+) +\d+ +(\d*) +[\d,]* *(\S.*)$", text, re.MULTILINE)
    return {what: (float(ratio), int(answers or 0)) for ratio, answers, what in rows}


def depth_rows(text):
    """Rows of the table `depth` of docs/encodings.md, the head first."""
    table = re.search(r"^\| depth \|.*\n(?:\|.*\n)+", text, re.MULTILINE)
    lines = table.group(0).splitlines() if table else []
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if not line.startswith("|---")]
