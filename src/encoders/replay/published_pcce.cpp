#include "encoders/replay/published_pcce.h"

#include <algorithm>

#include "encoders/scheme/graph_facts.h"
#include "encoders/scheme/path_numbering.h"

namespace copse::encoders {

PublishedPcceEncoder::PublishedPcceEncoder(const graph::CallGraph& graph, std::uint64_t most_codes)
    : methods_(std::max<std::size_t>(graph.method_limit(), 1)) {
  const PathNumbering numbering =
      number_paths(graph, {.max_paths = most_codes, .starts = ReservedStarts::kOnePerMethod});
  for (std::size_t e = 0; e < graph.edges().size(); ++e) {
    const EdgeKey edge = graph.edges()[e].key;
    const std::uint64_t addition = numbering.addition[e];
    Method& callee = methods_[raw(callee_of(edge))];
    if (!numbering.cut[e]) {
      additions_[edge] = addition;
      callee.in.push_back({addition, edge});
    } else if (std::ranges::find(callee.in, kNoEdge, &InEdge::edge) == callee.in.end()) {
      callee.start = addition;
      callee.in.push_back({addition, kNoEdge});
    }
  }
  std::uint64_t max_id = 0;
  for (const std::uint64_t paths : numbering.paths) max_id = std::max(max_id, paths - 1);
  facts_ = graph_facts(graph);
  facts_.push_back(
      {"cut_edges", static_cast<std::uint64_t>(std::ranges::count(numbering.cut, true))});
  facts_.push_back({"max_id", max_id});
  for (Method& method : methods_) std::ranges::sort(method.in, {}, &InEdge::addition);
}

SchemeFacts PublishedPcceEncoder::facts() const {
  SchemeFacts facts{facts_, {}};
  pushes_.add_to(facts.values);
  return facts;
}

void PublishedPcceEncoder::token(const Thread& thread, Token& out) const {
  out.put(thread.frames.empty() ? kRootMethod : callee_of(thread.frames.back()));
  out.put(thread.id, 8);
  for (const Entry& entry : thread.entries) {
    out.put(entry.id, 8);
    out.put_site(entry.site);
  }
}

Result<CallPath> PublishedPcceEncoder::decode(const Token& token) const {
  TokenReader reader(token);
  MethodId method = reader.take_method();
  std::uint64_t id = reader.take(8);
  std::vector<Entry> entries;
  while (!reader.at_end()) {
    const std::uint64_t entry_id = reader.take(8);
    entries.push_back({entry_id, reader.take_site()});
  }
  const auto error = [](const std::string& why) {
    return Status::error(Fault::kMalformed, "published pcce token: " + why);
  };
  if (reader.failed()) return error("truncated");
  const Method unknown;
  CallPath path;
  while (method != kRootMethod) {
    if (path.size() > kMaxPathSteps) return error("path does not end");
    const std::vector<InEdge>& in = knows(method) ? methods_[raw(method)].in : unknown.in;
    const auto after = std::ranges::upper_bound(in, id, {}, &InEdge::addition);
    if (after == in.begin()) {
      return error("no call led to method " + std::to_string(raw(method)) + " with id " +
                   std::to_string(id));
    }
    const InEdge& last = *(after - 1);
    if (last.edge != kNoEdge) {
      path.push_back(last.edge);
      id -= last.addition;
    } else {
      if (entries.empty()) return error("a restart without an entry");
      path.push_back(edge_key(entries.back().site, method));
      id = entries.back().id;
      entries.pop_back();
    }
    method = caller_of(path.back());
  }
  if (id != 0 || !entries.empty()) return error("id or entries left over at ROOT");
  std::reverse(path.begin(), path.end());
  return path;
}

MemoryUse PublishedPcceEncoder::memory() const {
  MemoryUse use;
  use.live_bytes = threads_.bytes();
  threads_.for_each([&](const Thread& t) {
    use.live_bytes += allocated_bytes(t.entries);
    use.replay_bytes += allocated_bytes(t.frames);
  });
  use.replay_bytes += additions_.bytes() + allocated_bytes(facts_);
  use.decode_only_bytes = allocated_bytes(methods_);
  for (const Method& method : methods_) use.decode_only_bytes += allocated_bytes(method.in);
  return use;
}

}  // namespace copse::encoders
