#include "encoders/replay/deltapath.h"

#include <algorithm>
#include <numeric>

namespace copse::encoders {

DeltaPathOptions DeltaPathOptions::literal() {
  DeltaPathOptions options;
  options.numbering.breaks_livelock = false;
  options.sid_check = true;
  options.stale_record = true;
  return options;
}

DeltaPathOptions DeltaPathOptions::literal_kept() {
  DeltaPathOptions options = literal();
  options.numbering.clears_on_restart = false;
  return options;
}

DeltaPathEncoder::DeltaPathEncoder(const graph::CallGraph& graph, const DeltaPathOptions& options)
    : options_(options),
      known_(graph.method_limit()),
      numbering_(number_sites(graph, options.numbering)) {
  for (std::uint32_t i = 0; i < graph.method_limit(); ++i) known_[i] = graph.contains(MethodId{i});
  for (std::size_t e = 0; e < graph.edges().size(); ++e) {
    const EdgeKey edge = graph.edges()[e].key;
    std::uint64_t step = numbering_.addition[e];
    sites_[site_key(edge) + 1] = step;
    if (numbering_.pushed[e]) step |= kPushed;
    if (numbering_.is_anchor[raw(callee_of(edge))]) step |= kAnchor;
    steps_[edge] = step;
  }
  if (options.sid_check) build_sids(graph);
  build_in_edges(graph);
  facts_ = deltapath_facts(graph, numbering_);
  // The rest of the numbering is not needed to encode or decode.
  numbering_.addition = {};
  numbering_.pushed = {};
  numbering_.inflated_counts = {};
}

SchemeFacts DeltaPathEncoder::facts() const {
  SchemeFacts facts{facts_, {}};
  facts.values.push_back({"unexpected_calls", unexpected_calls_});
  pushes_.add_to(facts.values);
  return facts;
}

void DeltaPathEncoder::build_sids(const graph::CallGraph& graph) {
  sids_.resize(graph.method_limit());
  std::iota(sids_.begin(), sids_.end(), 0u);
  const auto find = [&](std::uint32_t i) {
    while (sids_[i] != i) i = sids_[i];
    return i;
  };
  for (const graph::CallGraph::Edge& edge : graph.edges()) {
    const std::uint32_t target = raw(callee_of(edge.key));
    std::uint32_t& any_target = site_sids_[site_key(edge.key) + 1];
    if (any_target == 0) any_target = target + 1;
    sids_[find(target)] = find(any_target - 1);
  }
  for (std::uint32_t& sid : sids_) sid = find(sid);
  for (const graph::CallGraph::Edge& edge : graph.edges()) {
    site_sids_[site_key(edge.key) + 1] = sids_[raw(callee_of(edge.key))] + 1;
  }
}

void DeltaPathEncoder::build_in_edges(const graph::CallGraph& graph) {
  const graph::EdgeGroups in(graph, graph::EdgeGroups::By::kCallee);
  for (std::uint32_t i = 0; i < graph.method_limit(); ++i) {
    in_starts_.push_back(static_cast<std::uint32_t>(in_edges_.size()));
    for (const std::uint32_t e : in.of(MethodId{i})) {
      if (!numbering_.pushed[e]) {
        in_edges_.push_back({numbering_.addition[e], graph.edges()[e].key, e});
      }
    }
    std::stable_sort(in_edges_.begin() + in_starts_.back(), in_edges_.end(),
                     [](const InEdge& a, const InEdge& b) { return a.addition > b.addition; });
  }
  in_starts_.push_back(static_cast<std::uint32_t>(in_edges_.size()));
}

void DeltaPathEncoder::start(Thread& thread) {
  thread.id = 0;
  thread.entries.clear();
  thread.frames.assign(1, Frame{});
  thread.last_record = Record();
}

bool DeltaPathEncoder::expects(const Record& record, MethodId callee) const {
  if (!options_.sid_check) {
    return steps_.find(edge_key(site_from_key(record.site), callee)) != nullptr;
  }
  const std::uint32_t* sid = site_sids_.find(record.site + 1);
  return sid && *sid == sids_[raw(callee)] + 1;
}

void DeltaPathEncoder::push(Thread& thread, const Entry& entry) {
  thread.entries.push_back(entry);
  pushes_.pushed(thread.entries.size());
  thread.id = 0;
}

void DeltaPathEncoder::enter_by_push(Thread& thread, EdgeKey edge, std::uint64_t step) {
  if (step & kPushed) {
    push(thread, {thread.id | kCallEdge, edge});
  } else {
    push(thread, {thread.id + (step & ~kFlags), entry_edge(callee_of(edge))});
  }
}

// Caller or callee is unknown code, or the site was not known to have this target.
void DeltaPathEncoder::call_unknown(Thread& thread, EdgeKey edge) {
  const MethodId callee = callee_of(edge);
  const Frame& caller = thread.frames.back();
  const bool callee_known = is_known(callee);
  const bool caller_known = !(caller.height & kUnknownCode);
  const auto height = static_cast<std::uint32_t>(thread.entries.size());
  Frame frame{thread.id, caller.record, callee, height | (callee_known ? 0 : kUnknownCode)};

  if (caller_known) {
    frame.record = {site_key(edge), thread.id};
    thread.last_record = frame.record;
    if (const std::uint64_t* addition = sites_.find(site_key(edge) + 1)) thread.id += *addition;
  } else if (options_.stale_record) {
    frame.record = thread.last_record;
  }
  if (callee_known) {
    const EdgeKey apparent = edge_key(site_from_key(frame.record.site), callee);
    const std::uint64_t* step = steps_.find(apparent);
    if (!expects(frame.record, callee) || (step && (*step & kPushed))) {
      unexpected_calls_ += step == nullptr;
      push(thread, {frame.record.id | kCallEdge, apparent});
    } else if (numbering_.is_anchor[raw(callee)]) {
      push(thread, {thread.id, entry_edge(callee)});
    }
  }
  thread.frames.push_back(frame);
}

DeltaPathEncoder::At DeltaPathEncoder::nearest_known(const Thread& thread) const {
  std::size_t top = thread.frames.size() - 1;
  while (thread.frames[top].height & kUnknownCode) --top;
  if (top + 1 == thread.frames.size()) return {top, thread.id, thread.entries.size()};
  return {top, thread.frames[top + 1].id, thread.frames[top + 1].height & ~kUnknownCode};
}

StackHeight DeltaPathEncoder::stack_height(const Thread& thread) const {
  const At at = nearest_known(thread);
  std::uint64_t unexpected = 0;
  for (std::size_t i = 0; i < at.height; ++i) {
    const Entry& entry = thread.entries[i];
    unexpected += (entry.saved & kCallEdge) && steps_.find(entry.edge) == nullptr;
  }
  return {at.height, unexpected, at.id};
}

void DeltaPathEncoder::token(const Thread& thread, Token& out) const {
  const At at = nearest_known(thread);
  out.put(thread.frames[at.frame].method);
  out.put(at.id, 8);
  for (std::size_t i = 0; i < at.height; ++i) {
    const Entry& entry = thread.entries[i];
    out.put(entry.saved, 8);
    if (entry.saved & kCallEdge) {
      out.put(entry.edge);
    } else {
      out.put(callee_of(entry.edge));
    }
  }
}

// The territory by which a piece that began with the newest entry is decoded: any that contains
// the method this entry names, since code 0 is valid in all of them.
std::uint32_t DeltaPathEncoder::territory_below(const std::vector<Entry>& entries) const {
  const MethodId member = entries.empty() ? kRootMethod : callee_of(entries.back().edge);
  if (!is_known(member)) return kNoTerritory;
  if (numbering_.is_anchor[raw(member)]) {
    const auto& all = numbering_.anchors;
    return static_cast<std::uint32_t>(std::find(all.begin(), all.end(), member) - all.begin());
  }
  const auto& of_method = numbering_.territories_of_method[raw(member)];
  return of_method.empty() ? 0 : of_method.front();
}

// The in-edge whose range holds `id`, among those of one territory.
const DeltaPathEncoder::InEdge* DeltaPathEncoder::in_edge_of(MethodId method, std::uint64_t id,
                                                             std::uint32_t anchor,
                                                             std::size_t& work) const {
  if (raw(method) >= in_starts_.size() - 1 || anchor == kNoTerritory) return nullptr;
  for (std::uint32_t i = in_starts_[raw(method)]; i < in_starts_[raw(method) + 1]; ++i) {
    const InEdge& in = in_edges_[i];
    ++work;
    if (in.addition > id) continue;
    const auto& anchors = numbering_.territories_of_edge[in.edge];
    if (std::binary_search(anchors.begin(), anchors.end(), anchor)) return &in;
  }
  return nullptr;
}

Result<CallPath> DeltaPathEncoder::decode(const Token& token) const {
  TokenReader reader(token);
  MethodId method = reader.take_method();
  std::uint64_t id = reader.take(8);
  std::vector<Entry> entries;
  while (!reader.at_end()) {
    const std::uint64_t saved = reader.take(8);
    entries.push_back(
        {saved, saved & kCallEdge ? reader.take_edge() : entry_edge(reader.take_method())});
  }
  if (reader.failed()) return Status::error(Fault::kMalformed, "deltapath token: truncated");
  if (numbering_.livelock) {
    return Status::error(Fault::kMalformed, "deltapath token: the numbering does not end");
  }

  CallPath path;
  std::size_t work = 0;
  std::uint32_t anchor = territory_below(entries);
  while (method != kRootMethod || id != 0 || !entries.empty()) {
    if (path.size() > kMaxPathSteps || work > kMaxDecodeWork)
      return Status::error(Fault::kMalformed, "deltapath token: path does not end");
    if (!entries.empty() && id == 0 && callee_of(entries.back().edge) == method) {
      const Entry entry = entries.back();
      entries.pop_back();
      work += numbering_.anchors.size();
      anchor = territory_below(entries);
      id = entry.saved & ~kCallEdge;
      if (entry.saved & kCallEdge) {
        path.push_back(entry.edge);
        method = caller_of(entry.edge);
        continue;
      }
    }
    const InEdge* in = in_edge_of(method, id, anchor, work);
    if (!in) {
      return Status::error(Fault::kMalformed, "deltapath token: id " + std::to_string(id) +
                                                  " of method " + std::to_string(raw(method)) +
                                                  " has no range");
    }
    path.push_back(in->key);
    id -= in->addition;
    method = caller_of(in->key);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

CallPath DeltaPathEncoder::expected(const CallPath& truth) const {
  CallPath known;
  CallSite site;
  bool caller_known = true;
  for (const EdgeKey edge : truth) {
    if (caller_known) site = site_of(edge);
    caller_known = is_known(callee_of(edge));
    if (caller_known) known.push_back(edge_key(site, callee_of(edge)));
  }
  return known;
}

MemoryUse DeltaPathEncoder::memory() const {
  constexpr std::uint64_t kLiveFrame = sizeof(Frame::id) + sizeof(Record);
  MemoryUse use;
  use.live_bytes = threads_.bytes();
  threads_.for_each([&](const Thread& t) {
    use.live_bytes += allocated_bytes(t.entries) + t.frames.capacity() * kLiveFrame;
    use.replay_bytes += t.frames.capacity() * (sizeof(Frame) - kLiveFrame);
  });
  // Which targets a site expects must be asked at run time; addition values are operands.
  use.resident_bytes = sites_.bytes() + site_sids_.bytes() + allocated_bytes(sids_);
  use.replay_bytes += steps_.bytes() + allocated_bytes(facts_);
  use.decode_only_bytes = allocated_bytes(known_) + allocated_bytes(in_edges_) +
                          allocated_bytes(in_starts_) + numbering_.bytes();
  return use;
}

}  // namespace copse::encoders
