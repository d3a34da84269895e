"""The call graph of the independent model of the encoders (oracle.py), and PCCE's numbering of its paths."""

ROOT = 0
BIT63 = 1 << 63


# --- bytes -----------------------------------------------------------------------------------

def le(value, size):
    return (value & ((1 << (8 * size)) - 1)).to_bytes(size, "little").hex()


def site_number(site):
    return site[0] << 16 | site[1]


def edge_number(edge):
    caller, ordinal, callee = edge
    return caller << 40 | ordinal << 24 | callee


# --- graphs ----------------------------------------------------------------------------------

class Graph:
    """Edges in the order of their addition, with calls."""

    def __init__(self):
        self.edges = []
        self.calls = {}
        self.methods = {ROOT}

    def add(self, edge, calls):
        if edge not in self.calls:
            self.edges.append(edge)
            self.calls[edge] = 0
        self.calls[edge] += calls
        self.methods |= {edge[0], edge[2]}

    def limit(self):
        return max(self.methods) + 1

    def into(self, method):
        return [e for e in self.edges if e[2] == method]

    def out_of(self, method):
        return [e for e in self.edges if e[0] == method]

    def back_edges(self):
        back, done, on_path = set(), set(), set()

        def visit(method):
            on_path.add(method)
            for edge in self.out_of(method):
                if edge[2] in on_path:
                    back.add(edge)
                elif edge[2] not in done:
                    visit(edge[2])
            on_path.discard(method)
            done.add(method)

        for method in range(self.limit()):
            if method not in done:
                visit(method)
        return back

    def order(self, cut):
        placed, order = set(), []
        while len(order) < self.limit():
            for method in range(self.limit()):
                if method not in placed and all(
                        e in cut or e[0] in placed for e in self.into(method)):
                    order.append(method)
                    placed.add(method)
                    break
        return order

    def reached(self):
        seen, todo = {ROOT}, [ROOT]
        while todo:
            for edge in self.out_of(todo.pop()):
                if edge[2] not in seen:
                    seen.add(edge[2])
                    todo.append(edge[2])
        return seen


def number_paths(graph, limit, reserve):
    """PCCE: (addition by edge, cut edges, codes by method)."""
    cut, addition, paths = graph.back_edges(), {}, {}
    for method in graph.order(cut):
        while True:
            total = 1 if method == ROOT else 0
            kept = [e for e in graph.into(method) if e not in cut]
            for edge in graph.into(method):
                if edge in cut:
                    addition[edge] = total
            if reserve and len(kept) < len(graph.into(method)):
                total += 1
            fits = True
            for edge in sorted(kept, key=lambda e: -graph.calls[e]):
                addition[edge] = total
                total += paths[edge[0]]
                fits = fits and total <= limit
            if fits:
                break
            cut.add(min(kept, key=lambda e: (graph.calls[e], -paths[e[0]])))
        paths[method] = max(total, 1)
    return addition, cut, paths
