#include "encoders/rcce.h"

#include <algorithm>

namespace copse::encoders {
RcceEncoder::RcceEncoder(const CallGraph& graph, RcceOptions options)
    : options_(options), reserves_zero_(graph.method_limit()), is_entry_(graph.method_limit()) {
  const EdgeGroups in(graph, EdgeGroups::By::kCallee);
  const std::vector<bool> reached = methods_reached_from_root(graph);
  for (std::uint32_t i = 0; i < graph.method_limit(); ++i) {
    in_starts_.push_back(static_cast<std::uint32_t>(in_edges_.size()));
    for (const std::uint32_t e : in.of(MethodId{i})) {
      const EdgeKey edge = graph.edges()[e].key;
      if (caller_of(edge) == kRootMethod) is_entry_[i] = 1;
      if (options.roots_entries || caller_of(edge) != kRootMethod) in_edges_.push_back(edge);
    }
    reserves_zero_[i] = options.skips_single && !reached[i];
    const auto edges = static_cast<std::uint32_t>(in_edges_.size()) - in_starts_.back();
    for (std::uint32_t k = 0; k < edges; ++k) {
      steps_[in_edges_[in_starts_.back() + k]] = {edges + reserves_zero_[i], k + reserves_zero_[i]};
    }
  }
  in_starts_.push_back(static_cast<std::uint32_t>(in_edges_.size()));
}

void RcceEncoder::start(Thread& thread) {
  thread.id = 1;
  thread.pieces.clear();
  thread.frames.clear();
}

void RcceEncoder::unwind(Thread& thread, std::uint32_t count) {
  for (; count > 0; --count) ret(thread);
}

void RcceEncoder::push(Thread& thread, EdgeKey edge, bool known) {
  const bool names_callee = !known && options_.saves_site;
  thread.pieces.push_back({thread.id | (names_callee ? kNamesCallee : 0), edge});
  thread.id = 1;
}

void RcceEncoder::token(const Thread& thread, Token& out) const {
  out.put(thread.frames.empty() ? kRootMethod : thread.frames.back().method);
  out.put(thread.id, 8);
  for (const Piece& piece : thread.pieces) {
    if (options_.saves_site) {
      put_piece(out, piece);
    } else {
      out.put(piece.saved, 8);
    }
  }
}

std::uint32_t RcceEncoder::radix(MethodId method) const noexcept {
  const std::uint32_t i = raw(method);
  if (i >= reserves_zero_.size()) return 0;
  const std::uint32_t edges = in_starts_[i + 1] - in_starts_[i];
  return edges == 0 ? 0 : edges + reserves_zero_[i];
}

// With s >= 2 an id is 1 only right after a restart. With s = 1 the piece names its callee, which
// an unprobed chain cannot reach twice.
bool RcceEncoder::at_piece_start(MethodId method, std::uint64_t id,
                                 const std::vector<Piece>& pieces) const {
  if (id != 1 || pieces.empty()) return false;
  return radix(method) != 1 ||
         (pieces.back().names_callee() && callee_of(pieces.back().edge) == method);
}

Result<CallPath> RcceEncoder::decode(const Token& token) const {
  TokenReader reader(token);
  const MethodId method = reader.take_method();
  const std::uint64_t id = reader.take(8);
  std::vector<Piece> pieces;
  while (!reader.at_end()) {
    pieces.push_back(options_.saves_site ? take_piece(reader) : Piece{reader.take(8), kNoEdge});
  }
  if (reader.failed()) return Status::error("rcce token: truncated");
  return decode_from(method, id, std::move(pieces));
}

Result<CallPath> RcceEncoder::decode_from(MethodId method, std::uint64_t id,
                                          std::vector<Piece> pieces) const {
  CallPath path;
  std::size_t steps_at_same_id = 0;
  const auto follow = [&](EdgeKey edge) {
    path.push_back(edge);
    method = caller_of(edge);
  };
  while (method != kRootMethod) {
    if (path.size() > kMaxPathSteps) return Status::error("rcce token: path does not end");
    // Only unprobed calls leave the id as it is, and no sound context repeats one of them.
    if (++steps_at_same_id > reserves_zero_.size() + 1) {
      return Status::error("rcce token: path does not end");
    }
    const std::uint32_t s = radix(method);
    if (at_piece_start(method, id, pieces)) {
      const Piece piece = pieces.back();
      pieces.pop_back();
      id = piece.code();
      steps_at_same_id = 0;
      if (options_.saves_site) {
        follow(edge_key(site_of(piece.edge), method));
      } else {
        // The literal entry does not say who called: take the first that may have.
        if (s == 0) return Status::error("rcce token: caller of a restart is unknown");
        follow(in_edges_[in_starts_[raw(method)]]);
      }
      continue;
    }
    if (!options_.roots_entries && id == 1 && pieces.empty() && raw(method) < is_entry_.size() &&
        is_entry_[raw(method)]) {
      follow(entry_edge(method));
      continue;
    }
    if (s == 0 || id == 0) {
      return Status::error("rcce token: method " + std::to_string(raw(method)) +
                           " has no in-edge for id " + std::to_string(id));
    }
    const auto serial = static_cast<std::uint32_t>(id % s);
    if (serial < reserves_zero_[raw(method)]) return Status::error("rcce token: unused serial 0");
    const std::uint32_t k = serial - reserves_zero_[raw(method)];
    id /= s;
    if (s > 1) steps_at_same_id = 0;
    follow(in_edges_[in_starts_[raw(method)] + k]);
  }
  if (!pieces.empty() || id != 1) return Status::error("rcce token: code left over at ROOT");
  std::reverse(path.begin(), path.end());
  return path;
}

MemoryUse RcceEncoder::memory() const {
  MemoryUse use;
  use.live_bytes = threads_.bytes();
  threads_.for_each([&](const Thread& t) {
    use.live_bytes += allocated_bytes(t.pieces);
    use.replay_bytes += allocated_bytes(t.frames);
  });
  use.replay_bytes += steps_.bytes();
  use.decode_only_bytes = allocated_bytes(in_edges_) + allocated_bytes(in_starts_) +
                          allocated_bytes(reserves_zero_) + allocated_bytes(is_entry_);
  return use;
}

}  // namespace copse::encoders
