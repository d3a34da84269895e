#include "encoders/replay/piece_encoder.h"

#include <algorithm>
#include <string>

namespace copse::encoders {
namespace {

constexpr std::size_t kFewestStarted = 64;
constexpr std::size_t kFewestRecent = 64;
constexpr std::size_t kMostRecent = 8192;

}  // namespace

PieceEncoder::PieceEncoder(std::unique_ptr<CodeNumbering> numbering)
    : numbering_(std::move(numbering)),
      recent_(kFewestRecent),
      pieces_(numbering_->slots() == SlotKind::kEpochMappings),
      started_(kFewestStarted) {}

std::uint64_t PieceEncoder::call_slow(Frame& caller, EdgeKey edge) {
  ++slow_calls_;
  if (caller.at == kLost) return kLost;
  if (caller.at < epoch_first_) {
    caller.at =
        translations_.of(*numbering_, pieces_, context_id(caller.at, caller.method),
                         [this](std::uint64_t from, EdgeKey step) { return called(from, step); });
  }
  const std::uint64_t next = called(caller.at, edge);
  if (numbering_->wants_epoch()) begin_epoch();
  return next;
}

// From a place of the current epoch, or from one that is lost.
std::uint64_t PieceEncoder::called(std::uint64_t at, EdgeKey edge) {
  if (at == kLost) return kLost;
  const std::uint64_t code = at & kCodes;
  if (const Recent& known = recent(code, edge); known.edge == edge && known.code == code) {
    return (at & ~kCodes) | known.next;
  }
  Slot& slot = slots_[edge];
  if (slot.starts_pieces) {
    if (const std::uint32_t piece = started_slot(at, edge)) {
      return (pieces_.root() + piece) * kMostIdCodes;
    }
  }
  const std::optional<CodeNumbering::Mapping> mapping = numbering_->mapping(edge, code);
  if (!mapping) {
    slot.starts_pieces = 1;
    return started(at, edge);
  }
  slot.first = static_cast<std::uint32_t>(mapping->first);
  slot.length = static_cast<std::uint32_t>(std::min(mapping->length, kMostIdCodes));
  slot.addition = static_cast<std::uint32_t>(mapping->addition);
  slot.factor = static_cast<std::uint32_t>(mapping->factor) & 0x7FFF'FFFF;
  if (numbering_->mapping_count() > recent_.size() && recent_.size() < kMostRecent) {
    std::vector<Recent>(2 * recent_.size()).swap(recent_);
  }
  const std::uint64_t next = (*mapping)(code);
  recent(code, edge) = {edge, static_cast<std::uint32_t>(code), static_cast<std::uint32_t>(next)};
  return (at & ~kCodes) | next;
}

PieceEncoder::Recent& PieceEncoder::recent(std::uint64_t code, EdgeKey edge) noexcept {
  const std::uint64_t hash = hash_of(raw(edge) ^ code << 48);
  return recent_[static_cast<std::size_t>(hash >> 40) & (recent_.size() - 1)];
}

// The call is not in the table yet.
std::uint64_t PieceEncoder::started(std::uint64_t at, EdgeKey edge) {
  if (3 * (pieces_.count_in_epoch() + 1) > 2 * started_.size()) grow_started();
  const std::uint64_t piece = pieces_.add({edge, at});
  if (piece == 0) return kLost;
  started_slot(at, edge) = static_cast<std::uint32_t>(piece - pieces_.root());
  return piece * kMostIdCodes;
}

// Where the call's piece is, or would be.
std::uint32_t& PieceEncoder::started_slot(std::uint64_t at, EdgeKey edge) noexcept {
  const std::size_t mask = started_.size() - 1;
  auto i = static_cast<std::size_t>(hash_of(PairKey{raw(edge), at}) >> 32) & mask;
  for (; started_[i] != 0; i = (i + 1) & mask) {
    const IdPieceList::Piece& piece = *pieces_.find(pieces_.root() + started_[i]);
    if (piece.caller == at && piece.edge == edge) break;
  }
  return started_[i];
}

void PieceEncoder::grow_started() {
  std::vector<std::uint32_t>(2 * started_.size()).swap(started_);
  for (std::uint32_t i = 1; i <= pieces_.count_in_epoch(); ++i) {
    const IdPieceList::Piece& piece = *pieces_.find(pieces_.root() + i);
    started_slot(piece.caller, piece.edge) = i;
  }
}

// Frames keep their numbers until they call.
void PieceEncoder::begin_epoch() {
  if (!pieces_.has_room_for_epoch()) return;
  pieces_.make_room_for_epoch();
  numbering_->begin_epoch();
  pieces_.begin_epoch();
  epoch_first_ = pieces_.root() * kMostIdCodes;
  epoch_length_ = kMostIdPieces * kMostIdCodes - epoch_first_;
  slots_.clear();
  std::ranges::fill(recent_, Recent{});
  std::ranges::fill(started_, 0);
  translations_.forget();
}

void PieceEncoder::token(const Thread& thread, Token& out) const {
  const Frame& frame = thread.frames.back();
  out.put(frame.at == kLost ? kLost : context_id(frame.at, frame.method), 8);
}

void PieceEncoder::collect(const Thread& thread) {
  const Frame& frame = thread.frames.back();
  if (numbering_->slots() != SlotKind::kEpochMappings || frame.at == kLost) return;
  const auto last = last_call(*numbering_, pieces_, context_id(frame.at, frame.method));
  if (last) numbering_->note_collected(last->edge);
  if (numbering_->wants_epoch()) begin_epoch();
}

// A lost context has no stack that is known.
StackHeight PieceEncoder::stack_height(const Thread& thread) {
  const Frame& frame = thread.frames.back();
  if (frame.at == kLost) return {};
  const std::uint64_t id = context_id(frame.at, frame.method);
  StackHeight height = heights_.of(*numbering_, pieces_, id_piece(id));
  height.code = id_code(id);
  return height;
}

Result<CallPath> PieceEncoder::decode(const Token& token) const {
  TokenReader reader(token);
  const std::uint64_t id = reader.take(8);
  const std::string name(numbering_->name());
  if (reader.failed() || !reader.at_end()) {
    return Status::error(Fault::kMalformed, name + " token: not 8 bytes long");
  }
  if (id == kLost)
    return Status::error(Fault::kLimit, name + " token: lost, since all pieces were used up");
  Result<CallPath> path = decode_id(*numbering_, pieces_, id);
  if (!path.ok()) return path.status().behind(name + " token: ");
  return path;
}

MemoryUse PieceEncoder::memory() const {
  return {.live_bytes = live_bytes(),
          .resident_bytes = slots_.bytes() + allocated_bytes(recent_) + allocated_bytes(started_) +
                            pieces_.bytes() + translations_.bytes() + numbering_->bytes()};
}

void PieceEncoder::save_state(wire::StateWriter& out) const {
  numbering_->save(out);
  pieces_.save(out);
}

void PieceEncoder::load_state(wire::StateReader& in) {
  numbering_->load(in);
  if (in.ok()) pieces_.load(in);
}

}  // namespace copse::encoders
