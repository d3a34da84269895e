#include "encoders/uptree.h"

#include <algorithm>

#include "base/flat_map.h"

namespace copse::encoders {

void UptreeEncoder::token(Thread& thread, Token& out) {
  std::size_t first = thread.frames.size();
  while (first > 0 && thread.frames[first - 1].node == 0) --first;
  std::uint32_t node = first == 0 ? 0 : thread.frames[first - 1].node;
  for (std::size_t i = first; i < thread.frames.size(); ++i) {
    nodes_.push_back({thread.frames[i].edge, node});
    node = static_cast<std::uint32_t>(nodes_.size() - 1);
    thread.frames[i].node = node;
  }
  nodes_made_ += thread.frames.size() - first;
  out.put(node, 4);
}

Result<CallPath> UptreeEncoder::decode(const Token& token) const {
  if (token.size() != 4) return Status::error("uptree token: not 4 bytes long");
  auto node = static_cast<std::uint32_t>(TokenReader(token).take(4));
  if (node >= nodes_.size()) {
    return Status::error("uptree token: no node " + std::to_string(node));
  }
  CallPath path;
  for (; node != 0; node = nodes_[node].parent) path.push_back(nodes_[node].edge);
  std::reverse(path.begin(), path.end());
  return path;
}

void UptreeEncoder::collect(std::vector<Token>& live) {
  const std::vector<std::uint32_t> forward = merge_and_compact(mark(live));
  threads_.for_each([&](Thread& thread) {
    for (Frame& frame : thread.frames) frame.node = forward[frame.node];
  });
  for (Token& token : live) {
    const std::uint64_t node = TokenReader(token).take(4);
    token.clear();
    token.put(node < forward.size() ? forward[node] : 0, 4);
  }
}

std::vector<bool> UptreeEncoder::mark(const std::vector<Token>& live) const {
  std::vector<bool> marked(nodes_.size());
  marked[0] = true;
  const auto mark_chain = [&](std::uint64_t node) {
    if (node >= nodes_.size()) return;
    for (; !marked[node]; node = nodes_[node].parent) marked[node] = true;
  };
  for (const Token& token : live) mark_chain(TokenReader(token).take(4));
  threads_.for_each([&](const Thread& thread) {
    for (const Frame& frame : thread.frames) mark_chain(frame.node);
  });
  return marked;
}

std::vector<std::uint32_t> UptreeEncoder::merge_and_compact(const std::vector<bool>& marked) {
  std::vector<std::uint32_t> forward(nodes_.size());
  FlatMap<PairKey, std::uint32_t> canonical;
  std::uint32_t kept = 1;
  for (std::uint32_t i = 1; i < nodes_.size(); ++i) {
    if (!marked[i]) continue;
    const std::uint32_t parent = forward[nodes_[i].parent];
    std::uint32_t& first = canonical[{raw(nodes_[i].edge), parent}];
    if (first == 0) {
      first = kept++;
      nodes_[first] = {nodes_[i].edge, parent};
    }
    forward[i] = first;
  }
  nodes_.resize(kept);
  nodes_.shrink_to_fit();
  return forward;
}

MemoryUse UptreeEncoder::memory() const {
  MemoryUse use;
  use.live_bytes = threads_.bytes();
  threads_.for_each([&](const Thread& t) { use.live_bytes += allocated_bytes(t.frames); });
  use.resident_bytes = allocated_bytes(nodes_);
  return use;
}

}  // namespace copse::encoders
