#include "encoders/replay/published_rcce.h"

#include <algorithm>

#include "encoders/scheme/graph_facts.h"

namespace copse::encoders {

PublishedRcceEncoder::PublishedRcceEncoder(const graph::CallGraph& graph,
                                           PublishedRcceOptions options)
    : options_(options), in_(graph.method_limit()), facts_(graph_facts(graph)) {
  for (const graph::CallGraph::Edge& edge : graph.edges()) {
    in_[raw(callee_of(edge.key))].push_back(edge.key);
  }
  for (const InEdges& in : in_) {
    for (std::uint32_t serial = 0; serial < in.size(); ++serial) {
      probes_[in[serial]] = {static_cast<std::uint32_t>(in.size()), serial};
    }
  }
}

SchemeFacts PublishedRcceEncoder::facts() const {
  SchemeFacts facts{facts_, {}};
  pushes_.add_to(facts.values);
  return facts;
}

void PublishedRcceEncoder::token(const Thread& thread, Token& out) const {
  out.put(thread.frames.empty() ? kRootMethod : callee_of(thread.frames.back()));
  out.put(thread.id, 8);
  for (const Entry& entry : thread.entries) {
    out.put(entry.id, 8);
    if (options_.names_callers) out.put(entry.caller);
  }
}

Result<CallPath> PublishedRcceEncoder::decode(const Token& token) const {
  TokenReader reader(token);
  MethodId method = reader.take_method();
  std::uint64_t id = reader.take(8);
  std::vector<Entry> entries;
  while (!reader.at_end()) {
    const std::uint64_t entry_id = reader.take(8);
    entries.push_back({entry_id, options_.names_callers ? reader.take_method() : kRootMethod});
  }
  const auto error = [](const std::string& why) {
    return Status::error(Fault::kMalformed, "published rcce token: " + why);
  };
  if (reader.failed()) return error("truncated");
  const InEdges none;
  CallPath path;
  while (method != kRootMethod) {
    if (path.size() > kMaxUnsoundSteps) return error("path does not end");
    const InEdges& in = raw(method) < in_.size() ? in_[raw(method)] : none;
    if (in.size() == 1) {
      path.push_back(in.front());
    } else if (id == 1 && !entries.empty()) {
      if (!options_.names_callers) return error("the caller of a restart is unknown");
      const MethodId caller = entries.back().caller;
      const auto is_from_caller = [&](EdgeKey edge) { return caller_of(edge) == caller; };
      const auto found = std::ranges::find_if(in, is_from_caller);
      if (found == in.end() || std::any_of(found + 1, in.end(), is_from_caller)) {
        return error(std::string(found == in.end() ? "no call leads" : "several calls lead") +
                     " from method " + std::to_string(raw(caller)) + " to " +
                     std::to_string(raw(method)));
      }
      path.push_back(*found);
      id = entries.back().id;
      entries.pop_back();
    } else if (in.empty() || id < in.size()) {
      return error("id " + std::to_string(id) + " of method " + std::to_string(raw(method)) +
                   " was never given out");
    } else {
      path.push_back(in[id % in.size()]);
      id /= in.size();
    }
    method = caller_of(path.back());
  }
  if (id != 1 || !entries.empty()) return error("id or entries left over at ROOT");
  std::reverse(path.begin(), path.end());
  return path;
}

MemoryUse PublishedRcceEncoder::memory() const {
  MemoryUse use;
  use.live_bytes = threads_.bytes();
  threads_.for_each([&](const Thread& t) {
    use.live_bytes += allocated_bytes(t.entries);
    use.replay_bytes += allocated_bytes(t.frames);
  });
  use.replay_bytes += probes_.bytes() + allocated_bytes(facts_);
  use.decode_only_bytes = allocated_bytes(in_);
  for (const InEdges& in : in_) use.decode_only_bytes += allocated_bytes(in);
  return use;
}

}  // namespace copse::encoders
