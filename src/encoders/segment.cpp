#include "encoders/segment.h"

#include <algorithm>
#include <limits>

namespace copse::encoders {

namespace {

constexpr std::size_t kFewestRecent = 64;
constexpr std::size_t kMostRecent = 8192;

}  // namespace

SegmentEncoder::SegmentEncoder(SegmentOptions options)
    : recent_(kFewestRecent), nodes_(1), options_(options) {
  nodes_[0].codes = 1;
}

SegmentEncoder::Node& SegmentEncoder::node(MethodId method) {
  if (raw(method) >= nodes_.size()) nodes_.resize(raw(method) + 1);
  return nodes_[raw(method)];
}

std::uint64_t SegmentEncoder::encode_slow(EdgeKey key, std::uint64_t code, Window* known) {
  ++slow_calls_;
  if (known) {
    const Recent& found = recent(known->edge, code);
    if (found.edge == known->edge && found.code == code) return found.issued;
  }
  return search(key, code, known);
}

SegmentEncoder::Recent& SegmentEncoder::recent(std::uint32_t edge, std::uint64_t code) noexcept {
  const std::uint64_t hash = hash_of(code ^ std::uint64_t{edge} << 40);
  return recent_[static_cast<std::size_t>(hash >> 40) & (recent_.size() - 1)];
}

std::uint64_t SegmentEncoder::search(EdgeKey key, std::uint64_t code, Window* known) {
  if (!known) {
    node(std::max(caller_of(key), callee_of(key)));
    edges_.push_back({key, 0, {}});
    try {
      known = &windows_[key];
    } catch (...) {
      edges_.pop_back();
      throw;
    }
    known->edge = static_cast<std::uint32_t>(edges_.size());
  }
  Window& window = *known;
  const Edge& edge = edges_[window.edge - 1];
  if (code >= edge.covered && append(window.edge - 1, code)) {
    show(window, edge.segments.back(), code);
  } else if (const EdgeSegment* segment = segment_of(edge, code)) {
    show(window, *segment, code);
  } else {
    return encode_single(window.edge - 1, code, window);
  }
  const std::uint64_t issued = code + window.shift;
  if (record_count_ > recent_.size() && recent_.size() < kMostRecent) {
    std::vector<Recent>(2 * recent_.size()).swap(recent_);
  }
  recent(window.edge, code) = {code, issued, window.edge};
  return issued;
}

// Covers `code` and what the edge lacks behind it. False when the callee has no room.
bool SegmentEncoder::append(std::uint32_t index, std::uint64_t code) {
  Edge& edge = edges_[index];
  const MethodId caller = caller_of(edge.key);
  Node& callee = nodes_[raw(callee_of(edge.key))];
  std::uint64_t first = edge.covered;
  std::uint64_t end = nodes_[raw(caller)].codes;
  if (end - first > options_.longest) {
    first = code;
    end = std::min(end, first + options_.longest);
  }
  const auto fits = [&](std::uint64_t length) {
    return length <= options_.max_codes && callee.codes <= options_.max_codes - length;
  };
  // ROOT's only code is there from the start.
  const std::uint64_t reserved = caller == kRootMethod ? 0 : options_.reserve;
  if (reserved != 0 && fits(end + reserved - first)) end += reserved;
  const std::uint64_t length = end - first;
  if (!fits(length)) return false;

  const bool extends = options_.extends && first == edge.covered && !edge.segments.empty() &&
                       !callee.issues.empty() && callee.issues.back().edge == index &&
                       !(callee.issues.back().position & kSingle);
  if (extends) {
    edge.segments.back().length += length;
  } else {
    // Room for both first: without memory neither must be there.
    make_room_tightly(callee.issues);
    make_room_tightly(edge.segments);
    append_tightly(callee.issues, Issue{index, static_cast<std::uint32_t>(edge.segments.size())});
    append_tightly(edge.segments, EdgeSegment{first, callee.codes, length});
    ++record_count_;
  }
  edge.covered = end;
  callee.codes += length;
  return true;
}

const SegmentEncoder::EdgeSegment* SegmentEncoder::segment_of(const Edge& edge,
                                                              std::uint64_t code) noexcept {
  const auto after =
      std::upper_bound(edge.segments.begin(), edge.segments.end(), code,
                       [](std::uint64_t c, const EdgeSegment& s) { return c < s.source; });
  if (after == edge.segments.begin()) return nullptr;
  const EdgeSegment& segment = *(after - 1);
  return code - segment.source < segment.length ? &segment : nullptr;
}

std::uint64_t SegmentEncoder::encode_single(std::uint32_t edge, std::uint64_t code,
                                            Window& window) {
  std::uint32_t index = single_table_.empty() ? 0 : single_table_[single_slot(edge, code)];
  if (index == 0) index = add_single(edge, code);
  window.first = code;
  window.length = 1;
  window.shift = singles_[index - 1].base - code;
  return singles_[index - 1].base;
}

std::size_t SegmentEncoder::single_slot(std::uint32_t edge, std::uint64_t code) const noexcept {
  const std::uint64_t hash = hash_of(PairKey{std::uint64_t{edge} + 1, code});
  std::size_t slot = static_cast<std::size_t>(hash >> 32) & (single_table_.size() - 1);
  while (single_table_[slot] != 0) {
    const Single& single = singles_[single_table_[slot] - 1];
    if (single.edge == edge && single.source == code) break;
    slot = (slot + 1) & (single_table_.size() - 1);
  }
  return slot;
}

// One-based index of the new record.
std::uint32_t SegmentEncoder::add_single(std::uint32_t edge, std::uint64_t code) {
  if (3 * (singles_.size() + 1) > 2 * single_table_.size()) grow_single_table();
  Node& callee = nodes_[raw(callee_of(edges_[edge].key))];
  const auto index = static_cast<std::uint32_t>(singles_.size());
  make_room_tightly(singles_);
  make_room_tightly(callee.issues);
  single_table_[single_slot(edge, code)] = index + 1;
  append_tightly(singles_, Single{code, callee.codes, edge});
  append_tightly(callee.issues, Issue{edge, kSingle | index});
  ++callee.codes;
  ++record_count_;
  return index + 1;
}

void SegmentEncoder::grow_single_table() {
  std::vector<std::uint32_t>(std::max<std::size_t>(64, 2 * single_table_.size()))
      .swap(single_table_);
  for (std::uint32_t i = 0; i < singles_.size(); ++i) {
    single_table_[single_slot(singles_[i].edge, singles_[i].source)] = i + 1;
  }
}

// Points the window at the segment, so that it contains `code`.
void SegmentEncoder::show(Window& window, const EdgeSegment& segment, std::uint64_t code) noexcept {
  constexpr std::uint64_t kLongest = std::numeric_limits<std::uint32_t>::max();
  window.shift = segment.base - segment.source;
  window.first = segment.length <= kLongest ? segment.source : code;
  const std::uint64_t left = segment.length - (window.first - segment.source);
  window.length = static_cast<std::uint32_t>(std::min(left, kLongest));
}

void SegmentEncoder::token(const Thread& thread, Token& out) const {
  out.put(thread.frames.back().method);
  out.put(thread.frames.back().code, 8);
}

// Ends for every code a context was given: its caller's was given before. A reserved code that no
// context has leads nowhere, or in circles when the state was damaged.
Result<CallPath> SegmentEncoder::decode(const Token& token) const {
  TokenReader reader(token);
  MethodId method = reader.take_method();
  std::uint64_t code = reader.take(8);
  if (reader.failed() || !reader.at_end()) {
    return Status::error("segment token: not 12 bytes long");
  }
  CallPath path;
  while (true) {
    if (path.size() > kMaxPathSteps) return Status::error("segment token: path does not end");
    if (raw(method) >= nodes_.size() || code >= nodes_[raw(method)].codes) {
      return Status::error("segment token: method " + std::to_string(raw(method)) +
                           " never issued code " + std::to_string(code));
    }
    if (method == kRootMethod) break;
    const std::vector<Issue>& issues = nodes_[raw(method)].issues;
    const auto after =
        std::upper_bound(issues.begin(), issues.end(), code,
                         [&](std::uint64_t c, const Issue& i) { return c < range_of(i).base; });
    const Range range = range_of(*(after - 1));
    code = range.source + (code - range.base);
    path.push_back(edges_[(after - 1)->edge].key);
    method = caller_of(path.back());
  }
  std::reverse(path.begin(), path.end());
  return path;
}

SegmentEncoder::Range SegmentEncoder::range_of(const Issue& issue) const noexcept {
  if (issue.position & kSingle) {
    const Single& single = singles_[issue.position & ~kSingle];
    return {single.source, single.base};
  }
  const EdgeSegment& segment = edges_[issue.edge].segments[issue.position];
  return {segment.source, segment.base};
}

// Per method what it issued, in order of its codes, each with the edge and the caller's first code.
void SegmentEncoder::save_state(StateWriter& out) const {
  out.number(edges_.size());
  for (const Edge& edge : edges_) out.edge(edge.key);
  out.number(nodes_.size());
  for (const Node& node : nodes_) {
    out.number(node.issues.size());
    for (std::size_t i = 0; i < node.issues.size(); ++i) {
      const Range range = range_of(node.issues[i]);
      const bool last = i + 1 == node.issues.size();
      const std::uint64_t end = last ? node.codes : range_of(node.issues[i + 1]).base;
      out.number(node.issues[i].edge);
      out.number(range.source);
      out.number(end - range.base);
    }
  }
}

void SegmentEncoder::load_state(StateReader& in) {
  edges_.resize(in.count(3));
  for (Edge& edge : edges_) edge.key = in.edge();
  nodes_.assign(in.count(1), Node());
  if (nodes_.empty()) in.fail("ROOT is missing");
  for (std::uint32_t method = 0; method < nodes_.size() && in.ok(); ++method) {
    Node& node = nodes_[method];
    node.codes = method == raw(kRootMethod) ? 1 : 0;
    for (std::size_t left = in.count(3); left > 0 && in.ok(); --left) {
      const std::uint64_t edge = in.number_below(edges_.size(), "edge");
      const std::uint64_t source = in.number();
      const std::uint64_t length = in.number_below(kMostCodes, "length");
      if (length == 0 || length > kMostCodes - node.codes) in.fail("there are too many codes");
      if (!in.ok()) break;
      if (raw(callee_of(edges_[edge].key)) != method) in.fail("a range's edge leads elsewhere");
      Edge& in_edge = edges_[edge];
      node.issues.push_back(
          {static_cast<std::uint32_t>(edge), static_cast<std::uint32_t>(in_edge.segments.size())});
      in_edge.segments.push_back({source, node.codes, length});
      node.codes += length;
    }
  }
}

std::uint64_t SegmentEncoder::largest_code() const noexcept {
  std::uint64_t codes = 1;
  for (const Node& node : nodes_) codes = std::max(codes, node.codes);
  return codes - 1;
}

MemoryUse SegmentEncoder::memory() const {
  MemoryUse use;
  use.live_bytes = threads_.bytes();
  threads_.for_each([&](const Thread& t) {
    const std::uint64_t capacity = t.frames.capacity();
    use.live_bytes += capacity * sizeof(Frame::code);
    use.replay_bytes += capacity * (sizeof(Frame) - sizeof(Frame::code));
  });
  use.resident_bytes = windows_.bytes() + allocated_bytes(recent_) + allocated_bytes(edges_) +
                       allocated_bytes(singles_) + allocated_bytes(single_table_);
  for (const Edge& edge : edges_) use.resident_bytes += allocated_bytes(edge.segments);
  use.resident_bytes += allocated_bytes(nodes_);
  for (const Node& node : nodes_) use.decode_only_bytes += allocated_bytes(node.issues);
  return use;
}

}  // namespace copse::encoders
