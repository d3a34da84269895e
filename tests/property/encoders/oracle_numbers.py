"""Numberings of the independent model of the encoders (oracle.py): code(edge, code of the caller, methods of the piece),
None where a piece starts."""

from oracle_graph import ROOT, Graph, number_paths


class PathNumbers:
    """PCCE's: one addition per edge."""

    def __init__(self, graph, limit):
        self.addition, self.cut, _ = number_paths(graph, limit, False)

    def code(self, edge, code, _):
        return code + self.addition[edge] if edge in self.addition and edge not in self.cut else None


class SiteNumbers:
    """DeltaPath's: one addition per site; edges into anchors start pieces. `model`: oracle.DeltaPath of the graph."""

    def __init__(self, model):
        self.model = model

    def code(self, edge, code, _):
        known = edge in self.model.graph.calls and edge not in self.model.pushed
        if not known or edge[2] in self.model.anchors:
            return None
        return code + self.model.addition[edge[:2]]


class RadixNumbers:
    """RCCE's: a code is the paper's id less 1."""

    def __init__(self, graph, limit):
        self.limit = limit
        reached = graph.reached()
        self.radix, self.serial = {}, {}
        for method in range(graph.limit()):
            spare = 0 if method in reached else 1
            edges = graph.into(method)
            for k, edge in enumerate(edges):
                self.radix[edge] = len(edges) + spare
                self.serial[edge] = k + spare

    def code(self, edge, code, _):
        if edge not in self.radix:
            return None
        product = (code + 1) * self.radix[edge] + self.serial[edge]
        return product - 1 if product <= self.limit else None


class RangeNumbers:
    """Segment's: ranges of codes, made when a call first needs them."""

    LONGEST, RESERVE = 1 << 12, 4

    def __init__(self, limit):
        self.limit = limit
        self.codes = {}   # method -> codes given out
        self.ranges = {}  # edge -> [(source, base, length)]
        self.cut = set()

    def code(self, edge, code, piece):
        ranges = self.ranges.setdefault(edge, [])
        for source, base, length in ranges:
            if source <= code < source + length:
                return base + code - source
        if edge in self.cut:
            return None
        first = code // self.LONGEST * self.LONGEST
        end = first + self.LONGEST
        for source, _, length in ranges:
            if source + length <= code:
                first = max(first, source + length)
            else:
                end = min(end, source)
        reserve = 0 if edge[0] == ROOT else self.RESERVE
        end = min(end, self.codes.get(edge[0], 1) + reserve, self.limit)
        base = self.codes.get(edge[2], 1)
        if edge[2] in piece or end - first > self.limit - base:
            self.cut.add(edge)
            return None
        ranges.append((first, base, end - first))
        self.codes[edge[2]] = base + end - first
        return base + code - first


class DiscoveredNumbers:
    """DACCE's: PCCE's over the graph met so far, hottest calls first, anew with every epoch."""

    def __init__(self, first_edges, first_pieces, first_heat):
        self.first_edges, self.most_spared, self.most_shifted = first_edges, first_pieces, first_heat
        self.graph = Graph()
        self.heat = {}
        self.epoch = -1
        self.spared = self.noted = self.shifted = 0
        self.begin_epoch()

    def begin_epoch(self):
        self.epoch += 1
        if self.spared >= self.most_spared:
            self.most_spared *= 2
        if self.has_shifted():
            self.most_shifted *= 2
        weighted = Graph()
        for edge in self.graph.edges:
            weighted.add(edge, 1 + self.heat.get(edge, 0))
        self.now = PathNumbers(weighted, 1 << 16)
        self.numbered = set(self.graph.edges)
        self.free = {e[2]: e for e in weighted.edges if e not in self.now.cut and self.now.addition[e] == 0}
        self.spared = self.noted = self.shifted = 0
        self.heat = {edge: heat // 2 for edge, heat in self.heat.items()}

    def code(self, edge, code, piece):
        if edge not in self.graph.calls:
            self.graph.add(edge, 1)
        result = self.now.code(edge, code, piece)
        if result is None and edge not in self.numbered:
            self.spared += 1
        return result

    def collect(self, edge):
        """A collected context ends with the call."""
        self.heat[edge] = self.heat.get(edge, 0) + 1
        if edge not in self.numbered:
            return
        self.noted += 1
        first = self.free.get(edge[2])
        if edge not in self.now.cut and edge != first and self.heat[edge] > 2 * self.heat.get(first, 0) + 8:
            self.shifted += 1

    def has_shifted(self):
        return self.shifted and self.shifted >= self.most_shifted and self.shifted >= self.noted // 16

    def wants_epoch(self):
        fresh = len(self.graph.edges) - len(self.numbered)
        return (fresh >= max(self.first_edges, len(self.graph.edges) // 4) or self.spared >= self.most_spared or
                self.has_shifted())
