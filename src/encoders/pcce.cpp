#include "encoders/pcce.h"

#include <algorithm>

namespace copse::encoders {

PcceEncoder::PcceEncoder(const CallGraph& graph, PcceOptions options) : options_(options) {
  NumberingOptions numbering_options;
  numbering_options.max_paths = options.max_paths;
  if (!options.reserves_piece_starts) numbering_options.piece_start = PieceStart::kNone;
  PathNumbering numbering = number_paths(graph, numbering_options);
  pruned_ = numbering.pruned;
  for (std::size_t e = 0; e < graph.edges().size(); ++e) {
    const std::uint64_t start = options.reserves_piece_starts ? numbering.addition[e] : 0;
    steps_[graph.edges()[e].key] = numbering.cut[e] ? start | kCut : numbering.addition[e];
  }
  build_ranges(graph, numbering);
  paths_ = std::move(numbering.paths);
}

void PcceEncoder::build_ranges(const CallGraph& graph, const PathNumbering& numbering) {
  const EdgeGroups in(graph, EdgeGroups::By::kCallee);
  range_starts_.reserve(graph.method_limit() + 1);
  for (std::uint32_t method = 0; method < graph.method_limit(); ++method) {
    range_starts_.push_back(static_cast<std::uint32_t>(ranges_.size()));
    bool has_start = !options_.reserves_piece_starts;
    for (const std::uint32_t e : in.of(MethodId{method})) {
      if (!numbering.cut[e]) {
        ranges_.push_back({numbering.addition[e], graph.edges()[e].key});
      } else if (!has_start) {
        ranges_.push_back({numbering.addition[e], kNoEdge});
        has_start = true;
      }
    }
    std::sort(ranges_.begin() + range_starts_.back(), ranges_.end(),
              [](const Range& a, const Range& b) { return a.first < b.first; });
  }
  range_starts_.push_back(static_cast<std::uint32_t>(ranges_.size()));
}

void PcceEncoder::start(Thread& thread) {
  thread.id = 0;
  thread.pieces.clear();
  thread.frames.clear();
}

void PcceEncoder::token(const Thread& thread, Token& out) const {
  out.put(thread.frames.empty() ? kRootMethod : thread.frames.back().method);
  out.put(thread.id, 8);
  for (const Piece& piece : thread.pieces) put_piece(out, piece);
}

std::span<const PcceEncoder::Range> PcceEncoder::ranges(MethodId method) const noexcept {
  if (raw(method) >= range_starts_.size() - 1) return {};
  const std::uint32_t first = range_starts_[raw(method)];
  return {ranges_.data() + first, range_starts_[raw(method) + 1] - first};
}

const PcceEncoder::Range* PcceEncoder::range_of(MethodId method,
                                                std::uint64_t code) const noexcept {
  const auto all = ranges(method);
  const auto after = std::upper_bound(all.begin(), all.end(), code,
                                      [](std::uint64_t c, const Range& r) { return c < r.first; });
  return after == all.begin() ? nullptr : &*(after - 1);
}

Result<CallPath> PcceEncoder::decode(const Token& token) const {
  TokenReader reader(token);
  MethodId method = reader.take_method();
  std::uint64_t id = reader.take(8);
  std::vector<Piece> pieces;
  while (!reader.at_end()) pieces.push_back(take_piece(reader));
  if (reader.failed()) return Status::error("pcce token: truncated");

  CallPath path;
  while (method != kRootMethod || !pieces.empty()) {
    if (path.size() > kMaxPathSteps) return Status::error("pcce token: path does not end");
    const bool at_unknown_edge =
        !pieces.empty() && pieces.back().names_callee() && callee_of(pieces.back().edge) == method;
    const Range* range = at_unknown_edge ? nullptr : range_of(method, id);
    if (range && range->edge != kNoEdge) {
      id -= range->first;
      path.push_back(range->edge);
      method = caller_of(range->edge);
      continue;
    }
    if (pieces.empty() || (!range && id != 0)) {
      return Status::error("pcce token: code " + std::to_string(id) + " of method " +
                           std::to_string(raw(method)) + " has no range");
    }
    const Piece piece = pieces.back();
    pieces.pop_back();
    path.push_back(edge_key(site_of(piece.edge), method));
    method = caller_of(piece.edge);
    id = piece.code();
  }
  if (id != 0) return Status::error("pcce token: code left over at ROOT");
  std::reverse(path.begin(), path.end());
  return path;
}

MemoryUse PcceEncoder::memory() const {
  MemoryUse use;
  use.live_bytes = threads_.bytes();
  threads_.for_each([&](const Thread& t) {
    use.live_bytes += allocated_bytes(t.pieces);
    use.replay_bytes += allocated_bytes(t.frames);
  });
  // The addition values are operands of the program's own instructions.
  use.replay_bytes += steps_.bytes();
  use.decode_only_bytes =
      allocated_bytes(ranges_) + allocated_bytes(range_starts_) + allocated_bytes(paths_);
  return use;
}

}  // namespace copse::encoders
