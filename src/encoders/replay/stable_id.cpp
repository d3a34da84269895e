#include "encoders/replay/stable_id.h"

#include <algorithm>
#include <bit>

#include "encoders/scheme/graph_facts.h"

namespace copse::encoders {
namespace {

// The id is a token's first word; in the following words this bit says that an edge follows.
constexpr std::uint64_t kUnknownEdge = std::uint64_t{1} << 63;

struct CanonicalGraph {
  graph::CallGraph graph;          // methods renamed to their rank by key, ROOT stays 0
  std::vector<MethodId> original;  // by rank
};

CanonicalGraph canonical(const graph::CallGraph& graph,
                         const StableIdEncoder::MethodKey& method_key) {
  CanonicalGraph result;
  for (std::uint32_t i = 1; i < graph.method_limit(); ++i) {
    if (graph.contains(MethodId{i})) result.original.push_back(MethodId{i});
  }
  std::sort(result.original.begin(), result.original.end(),
            [&](MethodId a, MethodId b) { return method_key(a) < method_key(b); });
  result.original.insert(result.original.begin(), kRootMethod);
  std::vector<std::uint32_t> rank(graph.method_limit());
  for (std::uint32_t r = 0; r < result.original.size(); ++r) rank[raw(result.original[r])] = r;

  std::vector<EdgeKey> edges;
  for (const graph::CallGraph::Edge& edge : graph.edges()) {
    const CallSite site{MethodId{rank[raw(caller_of(edge.key))]}, site_of(edge.key).ordinal};
    edges.push_back(edge_key(site, MethodId{rank[raw(callee_of(edge.key))]}));
  }
  std::sort(edges.begin(), edges.end());
  for (const EdgeKey edge : edges) result.graph.add(edge);
  return result;
}

}  // namespace

StableIdEncoder::StableIdEncoder(const graph::CallGraph& graph, const MethodKey& method_key)
    : bases_(graph.method_limit()), facts_(graph_facts(graph)) {
  const CanonicalGraph ranked = canonical(graph, method_key);
  NumberingOptions options;
  options.starts = ReservedStarts::kOnePerEdge;
  options.max_paths = (std::uint64_t{1} << 62) / std::bit_ceil(std::uint64_t{graph.method_limit()});
  const PathNumbering numbering = number_paths(ranked.graph, options);

  // ROOT's single context is id 0, the first method's begin at 1.
  std::uint64_t next = 1;
  for (std::uint32_t r = 1; r < ranked.original.size(); ++r) {
    bases_[raw(ranked.original[r])] = next;
    // The last methods may have no edge, and the graph then ends before them.
    next += r < numbering.paths.size() ? numbering.paths[r] : 1;
  }
  for (std::size_t e = 0; e < ranked.graph.edges().size(); ++e) {
    const EdgeKey by_rank = ranked.graph.edges()[e].key;
    const MethodId caller = ranked.original[raw(caller_of(by_rank))];
    const MethodId callee = ranked.original[raw(callee_of(by_rank))];
    const EdgeKey edge = edge_key({caller, site_of(by_rank).ordinal}, callee);
    const std::uint64_t first = bases_[raw(callee)] + numbering.addition[e];
    const bool cut = numbering.cut[e];
    steps_[edge] = {cut ? first : first - bases_[raw(caller)], cut};
    const std::uint64_t width = cut ? 0 : numbering.paths[raw(caller_of(by_rank))];
    ranges_.push_back({first, bases_[raw(caller)], edge, width});
  }
  std::sort(ranges_.begin(), ranges_.end(),
            [](const Range& a, const Range& b) { return a.first < b.first; });
}

SchemeFacts StableIdEncoder::facts() const {
  SchemeFacts facts{facts_, {}};
  const auto cut = std::ranges::count(ranges_, std::uint64_t{0}, &Range::width);
  facts.values.push_back({"cut_edges", static_cast<std::uint64_t>(cut)});
  pushes_.add_to(facts.values);
  return facts;
}

void StableIdEncoder::start(Thread& thread) {
  thread.id = 0;
  thread.saved.clear();
  thread.frames.clear();
}

void StableIdEncoder::push_unknown(Thread& thread, EdgeKey edge) {
  save(thread, edge);
  const std::uint32_t callee = raw(callee_of(edge));
  thread.id = callee < bases_.size() ? bases_[callee] : 0;
}

void StableIdEncoder::unwind(Thread& thread, std::uint32_t count) {
  for (; count > 0; --count) ret(thread);
}

void StableIdEncoder::token(const Thread& thread, Token& out) const {
  out.put(thread.id, 8);
  for (const Saved& saved : thread.saved) {
    out.put(saved.id | (saved.unknown_edge != kNoEdge ? kUnknownEdge : 0), 8);
    if (saved.unknown_edge != kNoEdge) out.put(saved.unknown_edge);
  }
}

// While a piece that an unknown edge began is decoded, its callee's first id can only be its start:
// the encoded graph is acyclic, so the piece holds each method once.
Result<CallPath> StableIdEncoder::decode(const Token& token) const {
  TokenReader reader(token);
  std::uint64_t id = reader.take(8);
  std::vector<Saved> saved;
  while (!reader.at_end()) {
    const std::uint64_t word = reader.take(8);
    saved.push_back({word & ~kUnknownEdge, word & kUnknownEdge ? reader.take_edge() : kNoEdge});
  }
  if (reader.failed()) return Status::error(Fault::kMalformed, "stable token: truncated");

  CallPath path;
  while (id != 0 || !saved.empty()) {
    if (path.size() > kMaxPathSteps)
      return Status::error(Fault::kMalformed, "stable token: path does not end");
    if (!saved.empty() && saved.back().unknown_edge != kNoEdge) {
      const std::uint32_t callee = raw(callee_of(saved.back().unknown_edge));
      if (id == (callee < bases_.size() ? bases_[callee] : 0)) {
        path.push_back(saved.back().unknown_edge);
        id = saved.back().id;
        saved.pop_back();
        continue;
      }
    }
    const auto after =
        std::upper_bound(ranges_.begin(), ranges_.end(), id,
                         [](std::uint64_t wanted, const Range& r) { return wanted < r.first; });
    if (after == ranges_.begin() ||
        id - (after - 1)->first >= std::max<std::uint64_t>((after - 1)->width, 1)) {
      return Status::error(Fault::kNotFound,
                           "stable token: no context has id " + std::to_string(id));
    }
    const Range& range = *(after - 1);
    path.push_back(range.edge);
    if (range.width > 0) {
      id = range.caller_first + (id - range.first);
    } else if (!saved.empty()) {
      id = saved.back().id;
      saved.pop_back();
    } else {
      return Status::error(Fault::kMalformed, "stable token: an entry of its stack is missing");
    }
  }
  std::reverse(path.begin(), path.end());
  return path;
}

MemoryUse StableIdEncoder::memory() const {
  MemoryUse use;
  use.live_bytes = threads_.bytes();
  threads_.for_each([&](const Thread& t) {
    use.live_bytes += allocated_bytes(t.saved);
    use.replay_bytes += allocated_bytes(t.frames);
  });
  use.replay_bytes += steps_.bytes() + allocated_bytes(facts_);
  use.decode_only_bytes = allocated_bytes(ranges_) + allocated_bytes(bases_);
  return use;
}

}  // namespace copse::encoders
