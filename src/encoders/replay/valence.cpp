#include "encoders/replay/valence.h"

#include <algorithm>

namespace copse::encoders {

ValenceEncoder::ValenceEncoder(const graph::CallGraph& graph) : methods_(graph.method_limit()) {
  const graph::EdgeGroups in(graph, graph::EdgeGroups::By::kCallee);
  const std::vector<bool> reached = graph::methods_reached_from_root(graph);
  for (std::uint32_t i = 0; i < graph.method_limit(); ++i) {
    InEdges& method = methods_[i];
    method.first = static_cast<std::uint32_t>(in_edges_.size());
    method.count = static_cast<std::uint32_t>(in.of(MethodId{i}).size());
    method.reserved = reached[i] ? 0 : 1;
    if (method.count == 0) continue;
    method.width = static_cast<std::uint32_t>(std::bit_width(method.count + method.reserved - 1));
    for (const std::uint32_t e : in.of(MethodId{i})) {
      const auto k = static_cast<std::uint32_t>(in_edges_.size()) - method.first;
      in_edges_.push_back(graph.edges()[e].key);
      steps_[in_edges_.back()] = {k + method.reserved, method.width};
    }
  }
}

void ValenceEncoder::token(const Thread& thread, Token& out) const {
  const Frame& frame = thread.frames.back();
  out.put(frame.method);
  out.put(frame.bits, 4);
  for (std::uint32_t bit = 0; bit < frame.bits; bit += 8) {
    std::uint64_t byte = thread.words[bit / 64] >> (bit % 64) & 0xFF;
    if (frame.bits - bit < 8) byte &= (std::uint64_t{1} << (frame.bits - bit)) - 1;
    out.put(byte, 1);
  }
  for (std::uint32_t i = 0; i < frame.unknown; ++i) {
    out.put(thread.unknown[i].bits, 4);
    out.put(thread.unknown[i].edge);
  }
}

Result<CallPath> ValenceEncoder::decode(const Token& token) const {
  TokenReader reader(token);
  MethodId method = reader.take_method();
  auto length = static_cast<std::uint32_t>(reader.take(4));
  if (length / 8 > token.size())
    return Status::error(Fault::kMalformed, "valence token: truncated");
  std::vector<std::uint8_t> bytes;
  for (std::uint32_t i = 0; i < length; i += 8) {
    bytes.push_back(static_cast<std::uint8_t>(reader.take(1)));
  }
  std::vector<UnknownEdge> unknown;
  while (!reader.at_end()) {
    const auto bits = static_cast<std::uint32_t>(reader.take(4));
    unknown.push_back({reader.take_edge(), bits});
  }
  if (reader.failed()) return Status::error(Fault::kMalformed, "valence token: truncated");

  CallPath path;
  std::size_t zero_bit_steps = 0;
  while (method != kRootMethod) {
    if (path.size() > kMaxPathSteps)
      return Status::error(Fault::kMalformed, "valence token: path does not end");
    if (!unknown.empty() && unknown.back().bits == length &&
        callee_of(unknown.back().edge) == method) {
      path.push_back(unknown.back().edge);
      unknown.pop_back();
      method = caller_of(path.back());
      zero_bit_steps = 0;
      continue;
    }
    const InEdges in = raw(method) < methods_.size() ? methods_[raw(method)] : InEdges{};
    if (in.count == 0 || in.width > length || (++zero_bit_steps > methods_.size() + 1)) {
      return Status::error(Fault::kMalformed, "valence token: no in-edge of method " +
                                                  std::to_string(raw(method)) + " fits");
    }
    std::uint32_t serial = 0;
    for (std::uint32_t i = 0; i < in.width; ++i) {
      const std::uint32_t bit = length - in.width + i;
      serial |= static_cast<std::uint32_t>(bytes[bit / 8] >> (bit % 8) & 1) << i;
    }
    length -= in.width;
    if (in.width > 0) zero_bit_steps = 0;
    if (serial < in.reserved || serial - in.reserved >= in.count) {
      return Status::error(Fault::kMalformed,
                           "valence token: unused serial " + std::to_string(serial));
    }
    path.push_back(in_edges_[in.first + serial - in.reserved]);
    method = caller_of(path.back());
  }
  if (length != 0 || !unknown.empty()) {
    return Status::error(Fault::kMalformed, "valence token: code left over at ROOT");
  }
  std::reverse(path.begin(), path.end());
  return path;
}

MemoryUse ValenceEncoder::memory() const {
  MemoryUse use;
  use.live_bytes = threads_.bytes();
  threads_.for_each([&](const Thread& t) {
    const std::uint64_t frames = allocated_bytes(t.frames);
    use.replay_bytes += frames / sizeof(Frame) * sizeof(Frame::method);
    use.live_bytes += frames - frames / sizeof(Frame) * sizeof(Frame::method) +
                      allocated_bytes(t.words) + allocated_bytes(t.unknown);
  });
  use.replay_bytes += steps_.bytes();
  use.decode_only_bytes = allocated_bytes(in_edges_) + allocated_bytes(methods_);
  return use;
}

}  // namespace copse::encoders
