"""The table of scripts/peers: what its runs amount to, and how that is shown."""

import statistics

from measuring import geometric_mean, later_half_ms
from peer_rows import BARE, ROWS, bare_of

LOOP = "nested"
NESTED = 10  # calls of an outer call, NestedCalls.DEPTH
RATIOS = ("steady_x", "same_work_x", "process_x", "cpu_x")


def difference(calls, ours):
    """Between two counts by method: how many methods, how many calls, and the methods with most of them."""
    by_method = {name: calls.get(name, 0) - ours.get(name, 0) for name in set(calls) | set(ours)}
    differ = sorted((name for name in by_method if by_method[name]), key=lambda name: (-abs(by_method[name]), name))
    return {"methods": len(differ), "calls": sum(abs(by_method[name]) for name in differ),
            "largest": {name: by_method[name] for name in differ[:10]}}


def figures(rounds, bare):
    """Figures of one row. A key is missing where the figure could not be measured."""
    done = min(len(one["iterations_ms"]) for one in rounds)
    whole = all(not one["ended_early"] and len(one["iterations_ms"]) == len(of["iterations_ms"]) for one, of in zip(rounds, bare))

    def median_ratio(taken, taken_bare=None):
        return statistics.median(taken(one) / max((taken_bare or taken)(of), 1e-9) for one, of in zip(rounds, bare))

    found = {"iterations": done, "peak_mib": statistics.median(one["peak_mib"] for one in rounds)}
    if done:
        found["ms"] = statistics.median(later_half_ms(one["iterations_ms"][:done]) for one in rounds)
        found["same_work_x"] = median_ratio(lambda one: sum(one["iterations_ms"][:done]))
    elif all(one["is_late"] for one in rounds):
        found["at_least_x"] = median_ratio(lambda one: one["process_s"],
                                           lambda of: of["process_s"] - sum(of["iterations_ms"][1:]) / 1000)
    if whole:
        found["process_s"] = statistics.median(one["process_s"] for one in rounds)
        found["steady_x"] = median_ratio(lambda one: later_half_ms(one["iterations_ms"]))
        found["process_x"] = median_ratio(lambda one: one["process_s"])
        found["cpu_x"] = median_ratio(lambda one: one["cpu_s"])
    return found


def geometric_means(programs):
    """Row -> measure -> the mean, and how many of the programs have it. MooBench's loop is not one of them."""
    figures_of = [result["figures"] for name, result in programs.items() if name != LOOP]
    means = {}
    for row in {name: None for one in figures_of for name in one}:
        means[row] = {}
        for ratio in RATIOS:
            values = [one[row][ratio] for one in figures_of if ratio in one[row]]
            if values:
                means[row][ratio] = {"mean": geometric_mean(values), "programs": len(values)}
    return means


def shown(found, name, width, digits=2):
    return f"{found[name]:{width}.{digits}f}" if name in found else " " * (width - 1) + "-"


def same_work(found):
    return f"{'>' + format(found['at_least_x'], '.1f'):>9}" if "at_least_x" in found else shown(found, "same_work_x", 9)


def told_calls(run):
    """The sum, and how it differs from Copse's."""
    if "calls" not in run:
        return f"{'-':>14}"
    text = f"{run['calls']:14}"
    if "from_copse" in run:
        differs = run["from_copse"]
        text += "  equal" if not differs["methods"] else f"  {differs['methods']} methods differ by {differs['calls']}"
    return text


def format_program(data, program, result):
    lines = []
    for name, found in result["figures"].items():
        runs = result["runs"][name]
        notes = list(dict.fromkeys(run["ended_early"] for run in runs if run["ended_early"]))
        if name == BARE and not result["is_steady"]:
            notes.append("not steady by the middle")
        lines.append(f"{program if name == BARE else '':11} {name:18} {found['iterations']:4} {shown(found, 'ms', 10, 1)} "
                     f"{shown(found, 'steady_x', 7)} {same_work(found)} {shown(found, 'process_s', 7)} "
                     f"{shown(found, 'process_x', 6)} {shown(found, 'cpu_x', 6)} {found['peak_mib']:6.0f} "
                     f"{told_calls(runs[-1])}{''.join('  ' + note for note in notes)}".rstrip())
    return lines


def format_loop(data):
    """Nanoseconds of an outer call, and what each of the nested calls adds."""
    lines = ["", f"MooBench's loop: an outer call makes {NESTED} nested ones, the innermost of {data['method_time_ns']} ns",
             f"{'':18} {'ns a call':>10} {'added, per nested call':>23}"]
    found = data["programs"][LOOP]["figures"]
    for row in (row for row in ROWS if row.name in found and "ms" in found[row.name]):
        ns, bare_ns = (found[name]["ms"] * 1e6 / data["calls"] for name in (row.name, bare_of(row)))
        added = "" if row.name == bare_of(row) else f"{(ns - bare_ns) / NESTED:23.2f}"
        lines.append(f"{row.name:18} {ns:10.1f} {added}".rstrip())
    return lines


def told_mean(ratio, found, programs):
    of_some = "" if found["programs"] == programs else f" ({found['programs']})"
    return f"{ratio.removesuffix('_x').replace('_', ' ')} {found['mean']:.2f}{of_some}"


def format_text(data):
    lines = [data["command"], f"{data['when']}, {data['machine']}"]
    lines += [f"{'rows of JDK ' + key if key else 'other rows'}: {java}" for key, java in data["java"].items()] + [""]
    lines += [f"{row.name:18} gives {row.gives:22} exact: {row.exact}".rstrip() if row.exact else f"{row.name:18} no profiler"
              for row in ROWS if row.name in data["rows"]]
    lines += [f"{name:18} left out: {why}" for name, why in data["left_out"].items()]
    header = f"{'program':11} {'row':18} {'done':>4} {'ms':>10} {'x':>7} {'same work':>9} {'process':>7} {'x':>6} {'cpu x':>6} " \
             f"{'MiB':>6} {'calls':>14}  compared with Copse's"
    lines += ["", header, "-" * len(header)]
    for program, result in data["programs"].items():
        lines += format_program(data, program, result)
    if data["geometric_means"]:
        lines += ["", "geometric means over the programs without the loop; in brackets over how many, where not all"]
        count = sum(program != LOOP for program in data["programs"])
        for row, means in data["geometric_means"].items():
            lines.append(f"{row:18} {'  '.join(told_mean(ratio, means[ratio], count) for ratio in RATIOS if ratio in means) or '-'}")
    if LOOP in data["programs"]:
        lines += format_loop(data)
    return "\n".join(lines) + "\n"
