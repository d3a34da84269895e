#include "encoders/replay/published_rcce.h"

#include <algorithm>

#include "encoders/numbering/graph_facts.h"

namespace copse::encoders {

PublishedRcceEncoder::PublishedRcceEncoder(const graph::CallGraph& graph,
                                           PublishedRcceOptions options)
    : options_(options), methods_(graph.method_limit()), facts_(graph_facts(graph)) {
  for (const graph::CallGraph::Edge& edge : graph.edges()) {
    Method& callee = methods_[raw(callee_of(edge.key))];
    if (caller_of(edge.key) == kRootMethod) {
      callee.is_entry = true;
    } else {
      callee.in.push_back(edge.key);
    }
  }
  for (const Method& method : methods_) {
    for (std::uint32_t serial = 0; serial < method.in.size(); ++serial) {
      probes_[method.in[serial]] = {static_cast<std::uint32_t>(method.in.size()), serial};
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
  for (const std::uint64_t id : thread.entries) out.put(id, 8);
}

Result<CallPath> PublishedRcceEncoder::decode(const Token& token) const {
  TokenReader reader(token);
  MethodId method = reader.take_method();
  std::uint64_t id = reader.take(8);
  bool was_reset = false;
  while (!reader.at_end()) {
    reader.take(8);
    was_reset = true;
  }
  const auto error = [](const std::string& why) {
    return Status::error(Fault::kMalformed, "published rcce token: " + why);
  };
  if (reader.failed()) return error("truncated");
  const Method unknown;
  CallPath path;
  while (method != kRootMethod) {
    if (path.size() > kMaxUnsoundSteps) return error("path does not end");
    const Method& callee = raw(method) < methods_.size() ? methods_[raw(method)] : unknown;
    const std::uint64_t radix = callee.in.size();
    if (id == 1 && callee.is_entry && !was_reset) {
      path.push_back(entry_edge(method));
    } else if (radix == 1) {
      path.push_back(callee.in.front());
    } else if (radix == 0 || id < radix) {
      return error(id == 1 && was_reset ? "the caller of a restart is unknown"
                                        : "id " + std::to_string(id) + " of method " +
                                              std::to_string(raw(method)) + " was never given out");
    } else {
      path.push_back(callee.in[id % radix]);
      id /= radix;
    }
    method = caller_of(path.back());
  }
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
  use.decode_only_bytes = allocated_bytes(methods_);
  for (const Method& method : methods_) use.decode_only_bytes += allocated_bytes(method.in);
  return use;
}

}  // namespace copse::encoders
