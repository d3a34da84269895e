"""Figures, tables and the frame of a page, for the pages of scripts/papers (papers_pages.py)."""

import math

from papers_record import how_long

NOT_MEASURED = "not measured"


def text_of(value, digits=2):
    if value is None:
        return NOT_MEASURED
    if isinstance(value, float):
        return f"{value:,.{digits}f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def table(columns, rows):
    """Columns of names are left, others right."""
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" + "--:|" * (len(columns) - 1)]
    return "\n".join(lines + ["| " + " | ".join(map(text_of, row)) + " |" for row in rows])


def short(number):
    """A large number as papers write it: 1.2e+10."""
    return f"{number:.1e}" if isinstance(number, int) and number >= 10_000_000 else number


def at(data, *path):
    for key in path:
        data = data.get(key) if isinstance(data, dict) else None
    return data


def ratio(run, bare, key):
    """A run's figure by that of the bare run, or why there is none."""
    if run is None or at(bare, key) is None:
        return None
    return run["why_not"] if "why_not" in run else at(run, key) / at(bare, key)


ABOVE_REPLAY = "Times are above that of the replay alone; 0 is one that is not."


def not_negative(ns):
    """A time above that of the bare replay, where noise may make it less."""
    return ns if ns is None else max(ns, 0)


def one_more(number):
    """Entries as a paper counts that has the program's entry on its stack."""
    return None if number is None else number + 1


def encoder(program, name):
    return at(program, "trace", "encoders", name)


def live(program, name, key="process_s"):
    """A run with an engine of trees or an encoder of ids, by the program's run alone."""
    return ratio(at(program, "runs", name), at(program, "runs", "bare"), key)


def geometric(ours, engine, key="cpu_s"):
    found = [live(program, engine, key) for program in ours["programs"].values()]
    numbers = [value for value in found if isinstance(value, float)]
    return math.exp(sum(map(math.log, numbers)) / len(numbers)) if numbers else None


def live_columns(*names):
    """Columns of wall time and processor time for each encoder."""
    return [(f"{name}, {what}", lambda p, name=name, key=key: live(p, name, key)) for name in names
            for what, key in (("wall", "process_s"), ("processor", "cpu_s"))]


def words_of(names):
    return ", ".join(names[:-1]) + " and " + names[-1] if len(names) > 1 else "".join(names) or "none"


def decodes(ours, name):
    """Its tokens of all programs, as a verb: `decodes all 500 tokens`."""
    found = [at(encoder(program, name), "precision") for program in ours["programs"].values()]
    tokens, decoded = (sum(one[key] for one in found if one) for key in ("tokens", "decoded"))
    return f"decodes all {tokens:,} tokens" if tokens == decoded else f"decodes {decoded:,} of {tokens:,} tokens"


def between(values, digits=2):
    """Least and most: `0.89 to 17.47`."""
    return f"{text_of(min(values), digits)} to {text_of(max(values), digits)}" if values else NOT_MEASURED


def extent(ours, take):
    return between([value for value in map(take, ours["programs"].values()) if value is not None])


def by_program(ours, columns):
    """A row for each program: `columns` are (title, function of the program's figures)."""
    return table(["program", *(title for title, _ in columns)],
                 [[name, *(take(program) for _, take in columns)] for name, program in ours["programs"].items()])


def recorded(record, *files):
    def figures(file):
        again = record[file].get("again")
        if again:
            return f"; {', '.join(again['steps'])} again {again['when']}, commit {again['commit']}"
        is_long = "geometric_means" in record[file]
        return f". A program's figure is the {how_long(record, file)}" if is_long else ""

    return "\n".join(f"* `reports/data/{file}.json`: {record[file]['when']}, commit {record[file]['commit']}, "
                     f"`{record[file]['command'].split(' -o ')[0]}`" +
                     figures(file) + "." for file in files if file in record)


def how_measured(ours, record):
    """The machine, the command and the records behind the figures of all pages."""
    again = ours.get("traces")
    traces = f" Their nanoseconds are of this build; all others were made again {again['when']} with commit {again['commit']}." if again else ""
    later = ours.get("memory")
    memory = f" Memory of {later['of']}: {later['when']}, commit {later['commit']}." if later else ""
    runs = f"medians of {ours['rounds']} whole processes" if ours["rounds"] > 1 else "of whole processes"
    return (f"Measured {ours['when']} with the build of commit {ours['commit']}: {ours['machine']}, {ours['java']}, "
            f"load average {ours['load']:.1f} before. Times are {runs} with one iteration, start of the JVM included; "
            f"ratios are to the program alone, run in turns with the others. Figures of traces are of the first "
            f"{ours['events']:,} events of a recording.{traces}{memory}\n\n"
            f"    {ours['command']}\n\n"
            f"On record:\n\n{recorded(record, 'cost', 'cost-packets', 'ids', 'encoders', 'papers-share-fop')}")


def page(theirs, sentences, sections):
    text = [f"# {theirs['title']}, beside its paper", " ".join(sentences), f"Paper: {theirs['reference']}."]
    for title, body in sections:
        text += [f"## {title}", body]
    text += ["[How it was measured](README.md#how-they-were-measured)"]
    return "\n\n".join(text) + "\n"


def their_rows(part, rows="rows"):
    return table(["program", *part["columns"]], [[name, *values] for name, values in part[rows].items()])


def both(where, theirs, ours, how=""):
    return f"Theirs ({where}):\n\n{theirs}\n\nOurs{', ' + how if how else ''}:\n\n{ours}"


def stack_of(name, key):
    return lambda program: at(encoder(program, name), "stack", key)


def sizes(ours, *names):
    """Bytes of tokens, and of tables with what only decoding needs."""
    return by_program(ours, [(f"{name}, {title}", lambda p, name=name, key=key: at(encoder(p, name), "bytes", key))
                             for name in names for title, key in (
                                 ("bytes of a token", "token_mean"), ("bytes of tables", "resident"),
                                 ("bytes for decoding", "decode_only"))])
