"""Large reports of random trees, for the scripts that measure what commands do with them. Seeds are fixed: the same
arguments give the same report."""

import json
import multiprocessing
import random

from measuring import fail

METHODS = 8_000
SITES = 5 * METHODS  # as many of each method
MEAN_DEPTH = 33


def tree(contexts, seed):
    """Pre-order columns. A way down is as likely as a way up at the mean depth; few callees are many contexts'."""
    draw = random.Random(seed)
    columns = {"parent": [-1], "method": [-1], "site": [-1], "calls": [0], "exceptions": [0]}
    path = [0]
    children = {}  # of the rows on the path: those that are there already
    for row in range(1, contexts + 1):
        while len(path) > 1 and draw.random() < len(path) / (2 * MEAN_DEPTH):
            children.pop(path.pop(), None)
        known = children.setdefault(path[-1], set())
        while True:
            method = min(int(draw.paretovariate(0.4)), 10 * METHODS) % METHODS
            caller = columns["method"][path[-1]]
            site = -1 if caller < 0 else caller + METHODS * draw.randrange(SITES // METHODS)
            if (method, site) not in known:
                break
        known.add((method, site))
        for name, value in (("parent", path[-1]), ("method", method), ("site", site), ("calls", draw.randrange(1, 1000)),
                            ("exceptions", 1 if draw.random() < 0.01 else 0)):
            columns[name].append(value)
        path.append(row)
    return columns


def depth_of(parent):
    depths = [0] * len(parent)
    for row in range(1, len(parent)):
        depths[row] = depths[parent[row]] + 1
    return max(depths)


def write_report(path, contexts, seed):
    """Writes a report of METHODS methods and one measure."""
    apart(write_tree, path, contexts, seed)


def write_runs(paths, contexts, seed):
    """Runs of one program: the same contexts, each with other calls."""
    apart(write_trees, paths, contexts, seed)


def apart(function, *arguments):
    """In a process of its own: what the script takes itself would count for the commands that it starts."""
    process = multiprocessing.get_context("fork").Process(target=function, args=arguments)
    process.start()
    process.join()
    if process.exitcode != 0:
        fail("a report could not be made")


def write_tree(path, contexts, seed):
    write_nodes(path, tree(contexts, seed), seed)


def write_trees(paths, contexts, seed):
    nodes = tree(contexts, seed)
    for number, path in enumerate(paths, 1):
        draw = random.Random(f"{seed} {number}")
        nodes["calls"] = [0] + [draw.randrange(1, 1000) for _ in range(contexts)]
        write_nodes(path, nodes, number)


def write_nodes(path, nodes, seed):
    contexts = len(nodes["parent"]) - 1
    calls = sum(nodes["calls"])
    report = {
        "schema": "copse.cct/2", "created_by": "copse (scripts/random_reports.py)",
        "program": {"command": ["java", "Random", str(seed)], "pid": seed, "runtime": "none", "started": "2026-11-23T00:00:00Z",
                    "wall_ms": 1000},
        "options": {}, "totals": {"calls": calls, "contexts": contexts, "threads": 1, "max_depth": depth_of(nodes["parent"]),
                                  "calls_seen": calls, "calls_lost": 0, "packets": 0},
        "methods": {"class": [f"p{m % 100}.Class{m // 10}" for m in range(METHODS)], "name": [f"method{m}" for m in range(METHODS)],
                    "descriptor": ["(I)V"] * METHODS, "source": [f"Class{m // 10}.java" for m in range(METHODS)],
                    "loader": ["app"] * METHODS},
        "sites": {"method": [s % METHODS for s in range(SITES)], "bci": list(range(SITES)), "line": list(range(1, SITES + 1))},
        "threads": [{"id": 1, "name": "main", "node": 1, "calls": calls}],
        "metrics": [{"name": "exceptions", "unit": "events", "lost": 0}], "shown": "calls", "nodes": nodes, "skipped": [], "notes": [],
    }
    with open(path, "w", encoding="utf-8") as file:
        json.dump(report, file, separators=(",", ":"))
