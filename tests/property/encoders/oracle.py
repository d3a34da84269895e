#!/usr/bin/env python3
"""Independent model of the encoders, written for clarity: replays text traces and prints tokens.

Usage: oracle.py FILE

FILE holds programs, each with these lines:
  P name                          a program begins
  M method                        a method the static graph knows
  G caller ordinal callee calls   an edge of the static graph, in its order; caller 0 is ROOT
  S thread | C thread caller ordinal callee | R thread | U thread frames | Q thread | E thread
For every Q and every scheme one line is printed: "name scheme hex-token".
"""
import sys

from oracle_graph import BIT63, ROOT, Graph, edge_number, le, site_number
from oracle_numbers import DiscoveredNumbers, PathNumbers, RadixNumbers, RangeNumbers, SiteNumbers


# --- schemes ---------------------------------------------------------------------------------

class Scheme:
    """Threads are made on start; a thread's state is whatever state() gives."""

    def __init__(self):
        self.threads = {}

    def start(self, t):
        self.threads[t] = self.state()

    def end(self, t):
        del self.threads[t]

    def unwind(self, t, frames):
        for _ in range(frames):
            self.ret(t)

    def collect(self, t):
        """Looks at the context of a call; only a scheme that adapts does."""


class RestoreScheme(Scheme):
    """A frame holds what is needed; returning drops it."""

    def ret(self, t):
        self.threads[t].pop()


class Pcc(RestoreScheme):
    def __init__(self, bits):
        super().__init__()
        self.bits = bits

    def state(self):
        return [(0, ROOT)]

    def mix(self, value, site):
        return (3 * value + self.constant(site_number(site))) % (1 << self.bits)

    @staticmethod
    def constant(key):
        if key == 0:
            return 0
        mask = (1 << 64) - 1
        z = key + 0x9E3779B97F4A7C15 & mask
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & mask
        z = (z ^ z >> 27) * 0x94D049BB133111EB & mask
        return z ^ z >> 31

    def call(self, t, edge):
        frames = self.threads[t]
        frames.append((self.mix(frames[-1][0], edge[:2]), edge[2]))

    def token(self, t):
        value, method = self.threads[t][-1]
        return le(self.mix(value, (method, 0)), self.bits // 8)


# --- carriers ----------------------------------------------------------------------------------

class Pieces(RestoreScheme):
    """A frame: its path, ROOT's piece of its epoch, piece, code, and the methods of the piece up to it."""

    def __init__(self, numbers):
        super().__init__()
        self.numbers = numbers
        self.has_epochs = isinstance(numbers, DiscoveredNumbers)
        self.first = 0     # ROOT's piece of the epoch
        self.started = {}  # (edge, piece, code) -> piece, of the epoch

    def root(self):
        return ((), self.first, self.first, 0, (ROOT,))

    def state(self):
        return [self.root()]

    def entered(self, frame, edge):
        path, _, piece, code, methods = frame
        path += (edge,)
        known = self.started.get((edge, piece, code))
        if known is None:
            after = self.numbers.code(edge, code, methods)
            if after is not None:
                return (path, self.first, piece, after, methods + (edge[2],))
            known = self.started[edge, piece, code] = self.first + len(self.started) + 1
        return (path, self.first, known, 0, (edge[2],))

    def call(self, t, edge):
        frames = self.threads[t]
        if frames[-1][1] != self.first:
            frame = self.root()
            for step in frames[-1][0]:
                frame = self.entered(frame, step)
            frames[-1] = frame
        frames.append(self.entered(frames[-1], edge))
        self.renumber()

    def collect(self, t):
        if self.has_epochs:
            self.numbers.collect(self.threads[t][-1][0][-1])
            self.renumber()

    def renumber(self):
        if self.has_epochs and self.numbers.wants_epoch():
            self.numbers.begin_epoch()
            self.first += len(self.started) + 1
            self.started = {}

    def token(self, t):
        path, _, piece, code, _ = self.threads[t][-1]
        return le(piece << 40 | code << 24 | (path[-1][2] if path else ROOT), 8)


class Stack(RestoreScheme):
    """A frame is its path; what a token says follows from it."""

    def __init__(self, numbers):
        super().__init__()
        self.numbers = numbers
        self.has_epochs = isinstance(numbers, DiscoveredNumbers)

    def state(self):
        return [()]

    def walk(self, path, numbers):
        code, entries = 0, []
        for edge in path:
            after = numbers.code(edge, code, ())
            if after is None:
                entries.append((code, edge))
            code = after or 0
        return code, entries

    def call(self, t, edge):
        frames = self.threads[t]
        frames.append(frames[-1] + (edge,))
        if self.has_epochs:
            self.numbers.code(edge, 0, ())
            self.renumber()

    def collect(self, t):
        if self.has_epochs:
            self.numbers.collect(self.threads[t][-1][-1])
            self.renumber()

    def renumber(self):
        if self.numbers.wants_epoch():
            self.numbers.begin_epoch()

    def token(self, t):
        path = self.threads[t][-1]
        numbers = self.numbers.now if self.has_epochs else self.numbers
        code, entries = self.walk(path, numbers)
        text = le(self.numbers.epoch, 4) if self.has_epochs else ""
        text += le(path[-1][2] if path else ROOT, 4) + le(code, 8)
        while entries:
            same = 1
            while same < len(entries) and entries[same] == entries[0]:
                same += 1
            saved, edge = entries[0]
            text += le(saved | (BIT63 if same > 1 else 0), 8) + le(edge_number(edge), 8)
            text += le(same, 4) if same > 1 else ""
            del entries[:same]
        return text


class DeltaPath(Scheme):
    def __init__(self, graph, limit):
        super().__init__()
        self.known = graph.methods
        self.graph, self.limit = graph, limit
        self.pushed = graph.back_edges()
        self.anchors = [ROOT]
        self.number()

    def state(self):
        return {"id": 0, "entries": [], "frames": []}

    def add_unreached(self):
        for method in sorted(self.known):
            if method not in self.anchors and all(
                    e in self.pushed for e in self.graph.into(method)):
                self.anchors.append(method)

    def territories(self):
        self.of_method = {m: set() for m in range(self.graph.limit())}
        self.of_edge = {e: set() for e in self.graph.edges}
        for r in self.anchors:
            seen, todo = {r}, [r]
            while todo:
                method = todo.pop()
                self.of_method[method].add(r)
                if method != r and method in self.anchors:
                    continue
                for edge in self.graph.out_of(method):
                    if edge in self.pushed:
                        continue
                    self.of_edge[edge].add(r)
                    if edge[2] not in seen:
                        seen.add(edge[2])
                        todo.append(edge[2])

    def number(self):
        order = self.graph.order(self.pushed)
        self.add_unreached()
        while True:
            overflow = self.try_number(order)
            if not overflow:
                return
            caller = overflow[0]
            if caller not in self.anchors:
                self.anchors.append(caller)
                continue
            best = None
            for target in self.graph.edges:
                if target[:2] != overflow[:2] or target in self.pushed:
                    continue
                for edge in self.graph.into(target[2]):
                    if edge in self.pushed or edge[0] in self.anchors:
                        continue
                    codes = max([self.icc.get((edge[0], r), 0) for r in self.of_method[edge[0]]],
                                default=0)
                    if best is None or codes >= best[0]:
                        best = (codes, edge[0])
            if best:
                self.anchors.append(best[1])
            else:
                self.pushed.add(overflow)
                order = self.graph.order(self.pushed)
                self.add_unreached()

    def try_number(self, order):
        self.territories()
        self.addition, cav, self.icc = {}, {}, {}
        for method in order:
            for edge in self.graph.into(method):
                site = edge[:2]
                if edge in self.pushed or site in self.addition:
                    continue
                targets = [e for e in self.graph.edges if e[:2] == site and e not in self.pushed]
                start = max([cav.get((e[2], r), 0) for e in targets for r in self.of_edge[e]],
                            default=0)
                overflow = None
                for e in targets:
                    for r in self.of_edge[e]:
                        cav[e[2], r] = self.icc.get((e[0], r), 0) + start
                        if cav[e[2], r] > self.limit:
                            overflow = e
                if overflow:
                    return overflow
                self.addition[site] = start
            if method in self.anchors:
                self.icc[method, method] = 1
            else:
                for r in self.of_method[method]:
                    self.icc[method, r] = cav.get((method, r), 0)
        return None

    def call(self, t, edge):
        z = self.threads[t]
        caller, callee = edge[0], edge[2]
        before, height = z["id"], len(z["entries"])
        record = z["frames"][-1]["record"] if z["frames"] else None
        if caller in self.known:
            record = (edge[:2], before)
            z["id"] += self.addition.get(edge[:2], 0)
        if callee in self.known:
            apparent = (*record[0], callee)
            if apparent not in self.graph.calls or apparent in self.pushed:
                z["entries"].append(("call", record[1], apparent))
                z["id"] = 0
            elif callee in self.anchors:
                z["entries"].append(("anchor", z["id"], callee))
                z["id"] = 0
        z["frames"].append({"method": callee, "id": before, "height": height, "record": record})

    def ret(self, t):
        z = self.threads[t]
        frame = z["frames"].pop()
        z["id"] = frame["id"]
        del z["entries"][frame["height"]:]

    def token(self, t):
        z = self.threads[t]
        code, height, method = z["id"], len(z["entries"]), ROOT
        for frame in reversed(z["frames"]):
            if frame["method"] in self.known:
                method = frame["method"]
                break
            code, height = frame["id"], frame["height"]
        text = le(method, 4) + le(code, 8)
        for kind, saved, what in z["entries"][:height]:
            if kind == "call":
                text += le(saved | BIT63, 8) + le(edge_number(what), 8)
            else:
                text += le(saved, 8) + le(what, 4)
        return text


class Luce(RestoreScheme):
    """Every change makes a version; additions are stored. Counts beyond 2^62 freeze a method."""

    LIMIT = 1 << 62

    def __init__(self, canonical):
        super().__init__()
        self.canonical = canonical
        self.version = 0
        self.into = {}      # method -> edges in order of discovery
        self.counts = {ROOT: 1}
        self.callers = {}   # method -> (value, version it was set in)
        self.additions = {}
        self.widths = {}
        self.shape = {}     # method -> version of the last change of its in-edges
        self.frozen = {}    # method -> restart code

    def state(self):
        return [((0, 0), ROOT, [])]

    def call(self, t, edge):
        frames = self.threads[t]
        at, _, restarts = frames[-1]
        to = self.update(edge, at)
        if to is None:
            code = (self.frozen[edge[2]], self.shape[edge[2]] if self.canonical else self.version)
            frames.append((code, edge[2], restarts + [(at, edge)]))
        else:
            frames.append((to, edge[2], restarts))

    def update(self, edge, at):
        caller, _, callee = edge
        edges = self.into.setdefault(callee, [])
        self.counts.setdefault(callee, 0)
        if callee not in self.frozen:
            wanted = edges if edge in edges else edges + [edge]
            if sum(self.counts[e[0]] for e in wanted) > self.LIMIT:
                self.version += 1
                self.frozen[callee] = self.counts[callee]
                self.counts[callee] += 1
                self.shape[callee] = self.version
        if callee in self.frozen and (edge not in edges or at[0] >= self.widths[edge]):
            return None
        if caller not in self.callers or self.callers[caller][0] != at[1]:
            self.version += 1
            self.callers[caller] = (at[1], self.version)
        if edge not in edges:
            self.version += 1
            edges.append(edge)
            self.shape[callee] = self.version
        if callee not in self.frozen:
            self.renumber(callee, edges)
        version = self.version
        if self.canonical:
            version = max(self.shape[callee], self.callers[caller][1])
        return (at[0] + self.additions[edge], version)

    def renumber(self, method, edges):
        total, changed = 0, {}
        for edge in edges:
            if self.additions.get(edge) != total:
                changed[edge] = total
            self.widths[edge] = self.counts[edge[0]]
            total += self.widths[edge]
        if changed:
            self.version += 1
            self.additions.update(changed)
            self.shape[method] = self.version
        if self.counts[method] != total:
            self.version += 1
            self.counts[method] = total

    def token(self, t):
        (code, version), method, restarts = self.threads[t][-1]
        text = le(method, 4) + le(code, 8) + le(version, 8)
        for at, edge in restarts:
            text += le(at[0], 8) + le(at[1], 8) + le(edge_number(edge), 8)
        return text


def schemes(graph):
    return {
        "pcc32": Pcc(32),
        "pcc64": Pcc(64),
        "pcce": Pieces(PathNumbers(graph, 1 << 16)),
        "pcce-8": Pieces(PathNumbers(graph, 8)),
        "pcce-stack": Stack(PathNumbers(graph, 1 << 62)),
        "pcce-stack-8": Stack(PathNumbers(graph, 8)),
        "rcce": Pieces(RadixNumbers(graph, 1 << 16)),
        "rcce-1000": Pieces(RadixNumbers(graph, 1000)),
        "rcce-stack": Stack(RadixNumbers(graph, 1 << 62)),
        "rcce-stack-1000": Stack(RadixNumbers(graph, 1000)),
        "dacce-4": Pieces(DiscoveredNumbers(4, 8, 5)),
        "dacce-stack-4": Stack(DiscoveredNumbers(4, 8, 5)),
        "deltapath": Pieces(SiteNumbers(DeltaPath(graph, (1 << 16) - 1))),
        "deltapath-8": Pieces(SiteNumbers(DeltaPath(graph, 7))),
        "deltapath-tracking": DeltaPath(graph, 1 << 62),
        "deltapath-tracking-8": DeltaPath(graph, 8),
        "luce-versions": Luce(False),
        "luce-canonical": Luce(True),
        "segment": Pieces(RangeNumbers(1 << 16)),
        "segment-20": Pieces(RangeNumbers(20)),
        "segment-1": Pieces(RangeNumbers(1)),
    }


# --- replay ----------------------------------------------------------------------------------

def replay(name, graph, events):
    models = schemes(graph)
    for kind, thread, *rest in events:
        for scheme, model in models.items():
            if kind == "S":
                model.start(thread)
            elif kind == "C":
                model.call(thread, tuple(rest))
                model.collect(thread)
            elif kind == "R":
                model.ret(thread)
            elif kind == "U":
                model.unwind(thread, rest[0])
            elif kind == "E":
                model.end(thread)
            elif kind == "Q":
                print(name, scheme, model.token(thread))


def main():
    name, graph, events = None, None, []
    with open(sys.argv[1], encoding="utf-8") as lines:
        for line in lines:
            kind, *fields = line.split()
            if kind == "P":
                if name is not None:
                    replay(name, graph, events)
                name, graph, events = fields[0], Graph(), []
                continue
            numbers = [int(field) for field in fields]
            if kind == "M":
                graph.methods.add(numbers[0])
            elif kind == "G":
                graph.add(tuple(numbers[:3]), numbers[3])
            else:
                events.append((kind, *numbers))
    if name is not None:
        replay(name, graph, events)


if __name__ == "__main__":
    main()
