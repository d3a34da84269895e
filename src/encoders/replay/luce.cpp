#include "encoders/replay/luce.h"

#include <algorithm>

namespace copse::encoders {
void LuceEncoder::start(Thread& thread) {
  thread.frames.assign(1, Frame{});
  thread.restarts.clear();
  thread.pending = Pending();
}

void LuceEncoder::entered(Thread& thread, MethodId callee) {
  const Pending from = thread.pending;
  Frame frame;
  frame.edge = edge_key(from.site, callee);
  frame.restarts = thread.frames.back().restarts;
  if (!graph_.update(frame.edge, from.at, frame.at)) {
    thread.restarts.resize(frame.restarts);
    thread.restarts.push_back({from.at, frame.edge});
    ++frame.restarts;
    pushes_.pushed(frame.restarts);
  }
  thread.frames.push_back(frame);
}

void LuceEncoder::unwind(Thread& thread, std::uint32_t count) {
  const std::size_t left = thread.frames.size() - count;
  if (options_.restores_pending) {
    thread.pending = {site_of(thread.frames[left].edge), thread.frames[left - 1].at};
  }
  thread.frames.resize(left);
}

void LuceEncoder::token(const Thread& thread, Token& out) const {
  const Frame& frame = thread.frames.back();
  out.put(callee_of(frame.edge));
  out.put(frame.at.code, 8);
  out.put(frame.at.version, 8);
  for (std::uint32_t i = 0; i < frame.restarts; ++i) {
    const Restart& restart = thread.restarts[i];
    out.put(restart.at.code, 8);
    out.put(restart.at.version, 8);
    out.put(restart.edge);
  }
}

Result<CallPath> LuceEncoder::decode(const Token& token) const {
  TokenReader reader(token);
  MethodId method = reader.take_method();
  const auto take_code = [&] {
    const std::uint64_t code = reader.take(8);
    return LuceGraph::Code{code, reader.take(8)};
  };
  LuceGraph::Code at = take_code();
  std::vector<Restart> restarts;
  while (!reader.at_end()) {
    const LuceGraph::Code caller = take_code();
    restarts.push_back({caller, reader.take_edge()});
  }
  if (reader.failed()) return Status::error(Fault::kMalformed, "luce token: truncated");
  if (at.code == LuceGraph::kBeyondWord) {
    return Status::error(Fault::kLimit, "luce token: its code does not fit into 64 bits");
  }

  // Versions fall from step to step, except where caller versions change within one.
  const std::size_t longest =
      options_.bump == LuceBump::kNeverForCallerVersion ? kMaxUnsoundSteps : kMaxPathSteps;
  CallPath path;
  std::size_t work = 0;
  while (method != kRootMethod) {
    work += graph_.in_degree(method);
    if (path.size() > longest || work > kMaxDecodeWork)
      return Status::error(Fault::kMalformed, "luce token: path does not end");
    LuceGraph::Step step;
    if (!graph_.previous(method, at, step)) {
      return Status::error(Fault::kMalformed, "luce token: code " + std::to_string(at.code) +
                                                  " of method " + std::to_string(raw(method)) +
                                                  " was not given out in version " +
                                                  std::to_string(at.version));
    }
    if (step.edge == kNoEdge) {
      if (restarts.empty() || callee_of(restarts.back().edge) != method) {
        return Status::error(Fault::kMalformed, "luce token: restart without its caller");
      }
      path.push_back(restarts.back().edge);
      at = restarts.back().at;
      restarts.pop_back();
    } else {
      path.push_back(step.edge);
      at = {at.code - step.addition, graph_.caller_version(caller_of(step.edge), at.version)};
    }
    method = caller_of(path.back());
  }
  if (at.code != 0 || !restarts.empty()) {
    return Status::error(Fault::kMalformed, "luce token: code left over at ROOT");
  }
  std::reverse(path.begin(), path.end());
  return path;
}

SchemeFacts LuceEncoder::facts() const {
  SchemeFacts facts;
  if (graph_.largest_code() != LuceGraph::kBeyondWord) {
    facts.values.push_back({"max_id", graph_.largest_code()});
  }
  facts.values.push_back({"versions", graph_.version()});
  facts.values.push_back({"log_entries", graph_.log_entries()});
  facts.values.push_back({"frozen_methods", graph_.frozen_methods()});
  pushes_.add_to(facts.values);
  return facts;
}

MemoryUse LuceEncoder::memory() const {
  MemoryUse use;
  use.live_bytes = threads_.bytes();
  threads_.for_each([&](const Thread& t) {
    use.live_bytes += allocated_bytes(t.frames) + allocated_bytes(t.restarts);
  });
  use.resident_bytes = graph_.graph_bytes();
  use.decode_only_bytes = graph_.log_bytes();
  return use;
}

}  // namespace copse::encoders
