// Replays a numbering (numbering/numbering.h) as in a JVM: a context is one number, made of a piece, a code and a
// method (numbering/context_number.h). A call that the numbering does not map starts a piece, found again in a table by
// the call and its place.
//
//   fast path   the edge's slot holds the mapping it used last: one compare, one multiply-add
//   slow path   a small cache of (edge, code); the table of pieces; the numbering
//
// If the numbering has epochs, a frame of an earlier epoch is translated when it calls next. After 2^24 pieces contexts
// are lost, as in a JVM: their tokens do not decode.
//
// Token: the number, 8 bytes. State: 16 bytes per frame, 22 to 48 per piece, 48 to 96 per edge, and
// the numbering's own. Return discipline: restore.
#pragma once

#include <memory>
#include <vector>

#include "base/flat_map.h"
#include "encoders/numbering/epoch_translations.h"
#include "encoders/numbering/id_piece_list.h"
#include "encoders/numbering/numbering.h"
#include "encoders/numbering/piece_figures.h"
#include "encoders/replay/encoder.h"
#include "encoders/replay/frame_threads.h"

namespace copse::encoders {

struct PieceFrame {
  std::uint64_t at = 0;  // piece and code
  MethodId method{};
};
struct PieceThread {
  std::vector<PieceFrame> frames = {PieceFrame{}};
};

class PieceEncoder : public FrameThreads<PieceThread> {
 public:
  using Frame = PieceFrame;

  explicit PieceEncoder(std::unique_ptr<CodeNumbering> numbering);

  void call(Thread& thread, EdgeKey edge);
  void token(const Thread& thread, Token& out) const;
  Result<CallPath> decode(const Token& token) const;
  MemoryUse memory() const;
  // Collects the thread's context for a numbering with epochs, as a sample of the program's calls.
  void collect(const Thread& thread);
  StackHeight stack_height(const Thread& thread);
  SchemeFacts facts() const { return facts_of(*numbering_, pieces_); }
  void save_state(wire::StateWriter& out) const;
  void load_state(wire::StateReader& in);

  const CodeNumbering& numbering() const noexcept { return *numbering_; }
  const IdPieceList& pieces() const noexcept { return pieces_; }
  std::uint64_t slow_calls() const noexcept { return slow_calls_; }

 private:
  static constexpr std::uint64_t kCodes = kMostIdCodes - 1;  // bits of the code in a frame's number
  static constexpr std::uint64_t kLost = ~std::uint64_t{0};

  // The last mapping that an edge used, in 32 bits, because codes have 16.
  struct Slot {
    std::uint32_t first = 0;
    std::uint32_t length = 0;
    std::uint32_t addition = 0;
    std::uint32_t factor : 31 = 1;
    std::uint32_t starts_pieces : 1 = 0;  // some of the edge's calls do
  };

  // Recent results of edges for codes, direct-mapped.
  struct Recent {
    EdgeKey edge = kNoEdge;
    std::uint32_t code = 0;
    std::uint32_t next = 0;
  };

  std::uint64_t call_slow(Frame& caller, EdgeKey edge);
  std::uint64_t called(std::uint64_t at, EdgeKey edge);
  std::uint64_t started(std::uint64_t at, EdgeKey edge);
  Recent& recent(std::uint64_t code, EdgeKey edge) noexcept;
  std::uint32_t& started_slot(std::uint64_t at, EdgeKey edge) noexcept;
  void grow_started();
  void begin_epoch();

  std::unique_ptr<CodeNumbering> numbering_;
  FlatMap<EdgeKey, Slot> slots_;
  std::vector<Recent> recent_;  // a power of two
  IdPieceList pieces_;
  // Hash table of the epoch's pieces by edge and place of the call: their numbers in the epoch, 0 for a free slot. The
  // size is a power of two; at most two thirds are full.
  std::vector<std::uint32_t> started_;
  EpochTranslations translations_;
  PieceHeights heights_;  // not part of the encoder's memory: made only where figures are asked for
  // Piece and code of the current epoch's first number, and as many as may follow.
  std::uint64_t epoch_first_ = 0;
  std::uint64_t epoch_length_ = kMostIdPieces * kMostIdCodes;
  std::uint64_t slow_calls_ = 0;
};

inline void PieceEncoder::call(Thread& thread, EdgeKey edge) {
  Frame& caller = thread.frames.back();
  const std::uint64_t at = caller.at;
  const auto code = static_cast<std::uint32_t>(at & kCodes);
  const Slot* slot = slots_.find(edge);
  if (slot && code - slot->first < slot->length && at - epoch_first_ < epoch_length_) [[likely]] {
    const std::uint32_t next = code * slot->factor + slot->addition;
    thread.frames.push_back({(at & ~kCodes) | next, callee_of(edge)});
  } else {
    const std::uint64_t next = call_slow(caller, edge);
    thread.frames.push_back({next, callee_of(edge)});
  }
}

}  // namespace copse::encoders
