#include "encoders/replay/uptree.h"

#include <algorithm>

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
  out.put(node, 4);
}

Result<CallPath> UptreeEncoder::decode(const Token& token) const {
  if (token.size() != 4) return Status::error(Fault::kMalformed, "uptree token: not 4 bytes long");
  auto node = static_cast<std::uint32_t>(TokenReader(token).take(4));
  if (node >= nodes_.size()) {
    return Status::error(Fault::kNotFound, "uptree token: no node " + std::to_string(node));
  }
  CallPath path;
  for (; node != 0; node = nodes_[node].parent) path.push_back(nodes_[node].edge);
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace copse::encoders
