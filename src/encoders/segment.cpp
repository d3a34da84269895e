#include "encoders/segment.h"

#include <algorithm>
#include <limits>

namespace copse::encoders {

SegmentEncoder::SegmentEncoder(SegmentOptions options) : nodes_(1), options_(options) {
  nodes_[0].codes = 1;
}

SegmentEncoder::Node& SegmentEncoder::node(MethodId method) {
  if (raw(method) >= nodes_.size()) nodes_.resize(raw(method) + 1);
  return nodes_[raw(method)];
}

std::uint64_t SegmentEncoder::encode_slow(EdgeKey key, std::uint64_t code, Window* known) {
  ++slow_calls_;
  if (!known) {
    edges_.push_back({key, 0, {}});
    known = &windows_[key];
    known->edge = static_cast<std::uint32_t>(edges_.size());
  }
  Window& window = *known;
  Edge& edge = edges_[window.edge - 1];
  if (code < edge.covered) {
    const auto after =
        std::upper_bound(edge.segments.begin(), edge.segments.end(), code,
                         [](std::uint64_t c, const EdgeSegment& s) { return c < s.source; });
    show(window, edge, static_cast<std::size_t>(after - edge.segments.begin()) - 1, code);
    return code + window.shift;
  }
  const std::uint64_t length = node(caller_of(key)).codes - edge.covered;
  Node& callee = node(callee_of(key));
  if (length > options_.max_codes || callee.codes > options_.max_codes - length) {
    return encode_single(window.edge - 1, code, window);
  }
  append_tightly(callee.segments, NodeSegment{callee.codes, window.edge - 1,
                                              static_cast<std::uint32_t>(edge.segments.size())});
  append_tightly(edge.segments, EdgeSegment{edge.covered, callee.codes});
  ++record_count_;
  edge.covered += length;
  callee.codes += length;
  show(window, edge, edge.segments.size() - 1, code);
  return code + window.shift;
}

std::uint64_t SegmentEncoder::encode_single(std::uint32_t edge, std::uint64_t code,
                                            Window& window) {
  std::uint32_t index = single_table_.empty() ? 0 : single_table_[single_slot(edge, code)];
  if (index == 0) index = add_single(edge, code);
  const Single& single = singles_[index - 1];
  const std::uint64_t issued =
      nodes_[raw(callee_of(edges_[edge].key))].segments[single.position].base;
  window.first = code;
  window.length = 1;
  window.shift = issued - code;
  return issued;
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
  Node& callee = node(callee_of(edges_[edge].key));
  const auto index = static_cast<std::uint32_t>(singles_.size());
  const auto position = static_cast<std::uint32_t>(callee.segments.size());
  single_table_[single_slot(edge, code)] = index + 1;
  append_tightly(singles_, Single{code, edge, position});
  append_tightly(callee.segments, NodeSegment{callee.codes, edge, kSingle | index});
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

// Points the window at segment `position`, so that it contains `code`.
void SegmentEncoder::show(Window& window, const Edge& edge, std::size_t position,
                          std::uint64_t code) {
  constexpr std::uint64_t kLongest = std::numeric_limits<std::uint32_t>::max();
  const EdgeSegment& segment = edge.segments[position];
  const std::uint64_t end =
      position + 1 < edge.segments.size() ? edge.segments[position + 1].source : edge.covered;
  window.shift = segment.base - segment.source;
  window.first = end - segment.source <= kLongest ? segment.source : code;
  window.length = static_cast<std::uint32_t>(std::min(end - window.first, kLongest));
}

void SegmentEncoder::token(const Thread& thread, Token& out) const {
  out.put(thread.frames.back().method);
  out.put(thread.frames.back().code, 8);
}

// Terminates for every issued code: a segment's source codes were issued before it was made.
Result<CallPath> SegmentEncoder::decode(const Token& token) const {
  TokenReader reader(token);
  MethodId method = reader.take_method();
  std::uint64_t code = reader.take(8);
  if (reader.failed() || !reader.at_end()) {
    return Status::error("segment token: not 12 bytes long");
  }
  if (raw(method) >= nodes_.size() || code >= nodes_[raw(method)].codes) {
    return Status::error("segment token: method " + std::to_string(raw(method)) +
                         " never issued code " + std::to_string(code));
  }
  CallPath path;
  while (method != kRootMethod) {
    const std::vector<NodeSegment>& segments = nodes_[raw(method)].segments;
    const auto after =
        std::upper_bound(segments.begin(), segments.end(), code,
                         [](std::uint64_t c, const NodeSegment& s) { return c < s.base; });
    const NodeSegment& found = *(after - 1);
    const Edge& edge = edges_[found.edge];
    const std::uint64_t source = found.position & kSingle
                                     ? singles_[found.position & ~kSingle].source
                                     : edge.segments[found.position].source;
    code = source + (code - found.base);
    path.push_back(edge.key);
    method = caller_of(edge.key);
  }
  std::reverse(path.begin(), path.end());
  return path;
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
  use.resident_bytes = windows_.bytes() + allocated_bytes(edges_) + allocated_bytes(singles_) +
                       allocated_bytes(single_table_);
  for (const Edge& edge : edges_) use.resident_bytes += allocated_bytes(edge.segments);
  use.resident_bytes += allocated_bytes(nodes_);
  for (const Node& node : nodes_) use.decode_only_bytes += allocated_bytes(node.segments);
  return use;
}

}  // namespace copse::encoders
