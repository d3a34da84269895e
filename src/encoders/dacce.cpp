#include "encoders/dacce.h"

#include <algorithm>
#include <limits>

#include "encoders/path_numbering.h"

namespace copse::encoders {
namespace {

constexpr std::uint64_t kHasRepeats = std::uint64_t{1} << 63;
constexpr std::uint32_t kSamplesPerCheck = 64;

}  // namespace

DacceOptions DacceOptions::period(std::uint32_t new_edges) {
  DacceOptions options;
  options.first_period = new_edges;
  options.fixed_period = true;
  return options;
}

DacceOptions DacceOptions::never() {
  DacceOptions options = period(std::numeric_limits<std::uint32_t>::max());
  options.stack_period = std::numeric_limits<std::uint64_t>::max();
  return options;
}

DacceEncoder::DacceEncoder(const CallGraph& known, DacceOptions options)
    : options_(options), until_sample_(options.sample_period) {
  for (const CallGraph::Edge& edge : known.edges()) {
    graph_.add(edge.key, edge.calls);
    steps_[edge.key].edge = static_cast<std::uint32_t>(graph_.edges().size());
  }
  re_encode();
}

void DacceEncoder::start(Thread& thread) {
  thread.id = 0;
  thread.helper.clear();
  thread.frames.clear();
}

void DacceEncoder::unwind(Thread& thread, std::uint32_t count) {
  for (; count > 0; --count) ret(thread);
}

void DacceEncoder::call_slow(Thread& thread, EdgeKey edge) {
  Step& step = steps_[edge];
  if (step.edge == 0) {
    graph_.add(edge, 0);
    step.edge = static_cast<std::uint32_t>(graph_.edges().size());
    ++new_edges_;
    if (caller_of(edge) == kRootMethod) {
      re_encode();
      if (const Step& entry = steps_[edge]; entry.addition != kNotEncoded) {
        thread.id += entry.addition;
        thread.frames.push_back({edge, entry.addition});
        return;
      }
    }
  } else if (!step.is_cut) {
    ++avoidable_pushes_;
  }
  push(thread, edge);
  thread.frames.push_back({edge, kPop});
  const std::uint64_t period =
      options_.fixed_period
          ? options_.first_period
          : std::max<std::uint64_t>(options_.first_period, graph_.edges().size() / 4);
  if (new_edges_ >= period || avoidable_pushes_ >= options_.stack_period) re_encode();
}

void DacceEncoder::push(Thread& thread, EdgeKey edge) {
  if (options_.counts_repeats && !thread.helper.empty() && thread.helper.back().edge == edge &&
      thread.helper.back().saved == thread.id) {
    ++thread.helper.back().repeats;
  } else {
    thread.helper.push_back({thread.id, edge, 1});
  }
  thread.id = max_id() + 1;
}

void DacceEncoder::sample(const Thread& thread) {
  until_sample_ = options_.sample_period;
  for (const Frame& frame : thread.frames) graph_.add(frame.edge, 1);
  if (++samples_ % kSamplesPerCheck == 0 && hot_paths_changed()) re_encode();
}

// Heat that the zero additions would cover after re-encoding, and do not now.
bool DacceEncoder::hot_paths_changed() const {
  struct Heat {
    std::uint64_t hottest = 0;
    std::uint64_t of_zero = 0;
  };
  std::vector<Heat> heat(graph_.method_limit());
  std::uint64_t total = 0;
  for (const CallGraph::Edge& edge : graph_.edges()) {
    const Step* step = steps_.find(edge.key);
    Heat& callee = heat[raw(callee_of(edge.key))];
    total += edge.calls;
    if (step->is_cut) continue;
    callee.hottest = std::max(callee.hottest, edge.calls);
    if (step->addition == 0) callee.of_zero = edge.calls;
  }
  std::uint64_t misplaced = 0;
  for (const Heat& callee : heat) misplaced += callee.hottest - callee.of_zero;
  return misplaced > total / 4;
}

bool DacceEncoder::is_before(const InEdge& a, const InEdge& b) noexcept {
  const MethodId x = callee_of(a.key), y = callee_of(b.key);
  return x != y ? x < y : a.addition < b.addition;
}

void DacceEncoder::re_encode() {
  NumberingOptions numbering_options;
  numbering_options.max_paths = options_.max_id + 1;
  numbering_options.piece_start = PieceStart::kNone;
  const PathNumbering numbering = number_paths(graph_, numbering_options);

  Dictionary dictionary;
  dictionary.max_id = *std::max_element(numbering.paths.begin(), numbering.paths.end()) - 1;
  for (std::size_t e = 0; e < graph_.edges().size(); ++e) {
    Step& step = steps_[graph_.edges()[e].key];
    step.is_cut = numbering.cut[e];
    step.addition = numbering.cut[e] ? kNotEncoded : numbering.addition[e];
    if (!numbering.cut[e]) dictionary.in_edges.push_back({graph_.edges()[e].key, step.addition});
  }
  std::sort(dictionary.in_edges.begin(), dictionary.in_edges.end(), is_before);
  dictionary.in_edges.shrink_to_fit();
  dictionaries_.push_back(std::move(dictionary));
  new_edges_ = 0;
  avoidable_pushes_ = 0;
  threads_.for_each([&](Thread& thread) { replay(thread); });
}

void DacceEncoder::replay(Thread& thread) {
  thread.id = 0;
  thread.helper.clear();
  for (Frame& frame : thread.frames) {
    const Step* step = steps_.find(frame.edge);
    if (step->addition != kNotEncoded) {
      thread.id += step->addition;
      frame.undo = step->addition;
    } else {
      push(thread, frame.edge);
      frame.undo = kPop;
    }
  }
}

void DacceEncoder::token(const Thread& thread, Token& out) const {
  out.put(time_stamp(), 4);
  out.put(thread.frames.empty() ? kRootMethod : callee_of(thread.frames.back().edge));
  out.put(thread.id, 8);
  for (const HelperEntry& entry : thread.helper) {
    out.put(entry.saved | (entry.repeats > 1 ? kHasRepeats : 0), 8);
    out.put(entry.edge);
    if (entry.repeats > 1) out.put(entry.repeats, 4);
  }
}

const DacceEncoder::InEdge* DacceEncoder::in_edge_of(const Dictionary& dictionary, MethodId method,
                                                     std::uint64_t id) const {
  const auto after =
      std::upper_bound(dictionary.in_edges.begin(), dictionary.in_edges.end(), id,
                       [&](std::uint64_t wanted, const InEdge& in) {
                         const MethodId callee = callee_of(in.key);
                         return callee != method ? method < callee : wanted < in.addition;
                       });
  if (after == dictionary.in_edges.begin() || callee_of((after - 1)->key) != method) {
    return nullptr;
  }
  return &*(after - 1);
}

Result<CallPath> DacceEncoder::decode(const Token& token) const {
  TokenReader reader(token);
  const std::uint64_t stamp = reader.take(4);
  MethodId method = reader.take_method();
  std::uint64_t id = reader.take(8);
  std::vector<HelperEntry> helper;
  while (!reader.at_end()) {
    const std::uint64_t saved = reader.take(8);
    const EdgeKey edge = reader.take_edge();
    const std::uint64_t repeats = saved & kHasRepeats ? reader.take(4) : 1;
    helper.push_back({saved & ~kHasRepeats, edge, static_cast<std::uint32_t>(repeats)});
  }
  if (reader.failed()) return Status::error("dacce token: truncated");
  if (stamp >= dictionaries_.size()) {
    return Status::error("dacce token: no dictionary for time stamp " + std::to_string(stamp));
  }
  const Dictionary& dictionary = dictionaries_[stamp];

  CallPath path;
  while (method != kRootMethod || !helper.empty()) {
    if (path.size() > kMaxPathSteps) return Status::error("dacce token: path does not end");
    const bool on_stack = id > dictionary.max_id;
    const std::uint64_t offset = on_stack ? dictionary.max_id + 1 : 0;
    if (on_stack == helper.empty()) {
      return Status::error("dacce token: id does not fit the helper stack");
    }
    if (id == offset && on_stack && callee_of(helper.back().edge) == method) {
      HelperEntry& top = helper.back();
      path.push_back(top.edge);
      method = caller_of(top.edge);
      id = top.saved;
      if (top.repeats-- <= 1) helper.pop_back();
      continue;
    }
    const InEdge* in = in_edge_of(dictionary, method, id - offset);
    if (!in) {
      return Status::error("dacce token: id " + std::to_string(id) + " of method " +
                           std::to_string(raw(method)) + " has no range");
    }
    path.push_back(in->key);
    method = caller_of(in->key);
    id -= in->addition;
  }
  if (id != 0) return Status::error("dacce token: code left over at ROOT");
  std::reverse(path.begin(), path.end());
  return path;
}

// Edges once, then each dictionary as indices into them.
void DacceEncoder::save_state(StateWriter& out) const {
  out.number(graph_.edges().size());
  for (const CallGraph::Edge& edge : graph_.edges()) out.edge(edge.key);
  out.number(dictionaries_.size());
  for (const Dictionary& dictionary : dictionaries_) {
    out.number(dictionary.max_id);
    out.number(dictionary.in_edges.size());
    for (const InEdge& in : dictionary.in_edges) {
      out.number(static_cast<std::uint64_t>(graph_.find(in.key)));
      out.number(in.addition);
    }
  }
}

void DacceEncoder::load_state(StateReader& in) {
  std::vector<EdgeKey> edges(in.count(3));
  for (EdgeKey& edge : edges) edge = in.edge();
  dictionaries_.clear();
  for (std::size_t left = in.count(2); left > 0 && in.ok(); --left) {
    Dictionary dictionary;
    dictionary.max_id = in.number_below(kHasRepeats, "largest id");
    for (std::size_t entries = in.count(2); entries > 0 && in.ok(); --entries) {
      const std::uint64_t edge = in.number_below(edges.size(), "edge");
      if (!in.ok()) break;
      const InEdge next{edges[edge], in.number()};
      if (!dictionary.in_edges.empty() && is_before(next, dictionary.in_edges.back())) {
        in.fail("a dictionary is not in order");
      }
      dictionary.in_edges.push_back(next);
    }
    dictionaries_.push_back(std::move(dictionary));
  }
}

MemoryUse DacceEncoder::memory() const {
  MemoryUse use;
  use.live_bytes = threads_.bytes();
  threads_.for_each([&](const Thread& t) {
    use.live_bytes += allocated_bytes(t.helper);
    use.replay_bytes += allocated_bytes(t.frames);
  });
  use.resident_bytes = steps_.bytes() + graph_.bytes();
  use.decode_only_bytes = allocated_bytes(dictionaries_);
  for (const Dictionary& dictionary : dictionaries_) {
    use.decode_only_bytes += allocated_bytes(dictionary.in_edges);
  }
  return use;
}

}  // namespace copse::encoders
