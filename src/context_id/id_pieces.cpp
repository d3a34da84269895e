#include "context_id/id_pieces.h"

#include <atomic>

#include "base/make_room.h"

namespace copse {
namespace {

constexpr int kFirstLog = 12;

std::uint64_t caller_of_call(std::uint64_t word) { return word >> kIdCodeShift; }

}  // namespace

IdPieces::~IdPieces() {
  for (const auto& [table, bytes] : tables_) memory_.release(table, bytes);
}

IdPieceSlot* IdPieces::slots() const noexcept {
  return reinterpret_cast<IdPieceSlot*>(published_ & ~std::uint64_t{63});
}

std::uint32_t IdPieces::find(std::uint64_t word, std::uint32_t callee) const noexcept {
  if (published_ == 0) return 0;
  const std::uint64_t mask = slot_count() - 1;
  for (std::uint64_t at = id_piece_index(word, callee, log());; at = (at + 1) & mask) {
    const IdPieceSlot& slot = slots()[at];
    if (slot.key == 0) return 0;
    if (slot.key == ~word && slot.callee == callee) return slot.piece;
  }
}

std::uint32_t IdPieces::add(std::uint64_t word, std::uint32_t callee, encoders::EdgeKey edge) {
  if (pieces_.size() == kMostIdPieces) return 0;
  make_room(pieces_, pieces_.size() + 1);
  if (is_full() && !grow()) return 0;
  const auto piece = static_cast<std::uint32_t>(pieces_.size());
  pieces_.push_back({edge, caller_of_call(word)});
  insert(slots(), log(), {~word, callee, piece});
  return piece;
}

std::uint64_t IdPieces::growth() const noexcept {
  std::uint64_t bytes = 0;
  if (pieces_.size() == pieces_.capacity()) bytes += pieces_.capacity() * sizeof(Piece);
  if (is_full()) bytes += 2 * slot_count() * sizeof(IdPieceSlot);
  return bytes;
}

// Probes may look into the old table for as long as they like.
bool IdPieces::grow() {
  const int log = published_ == 0 ? kFirstLog : this->log() + 1;
  const std::uint64_t bytes = sizeof(IdPieceSlot) << log;
  make_room(tables_, tables_.size() + 1);
  void* const memory = memory_.reserve(bytes, 64);
  if (memory == nullptr) return false;
  if (!memory_.commit(memory, bytes)) {
    memory_.release(memory, bytes);
    return false;
  }
  tables_.emplace_back(memory, bytes);
  bytes_ += bytes;
  auto* const table = static_cast<IdPieceSlot*>(memory);
  for (std::uint64_t i = 0; i < slot_count(); ++i) {
    if (slots()[i].key != 0) insert(table, log, slots()[i]);
  }
  // Release pairs with the probes' acquire: whoever sees the table sees what is in it.
  std::atomic_ref<std::uint64_t>(published_)
      .store(reinterpret_cast<std::uint64_t>(memory) | static_cast<std::uint64_t>(log),
             std::memory_order_release);
  return true;
}

void IdPieces::insert(IdPieceSlot* slots, int log, const IdPieceSlot& slot) noexcept {
  const std::uint64_t mask = (std::uint64_t{1} << log) - 1;
  std::uint64_t at = id_piece_index(~slot.key, slot.callee, log);
  while (slots[at].key != 0) at = (at + 1) & mask;
  slots[at].callee = slot.callee;
  slots[at].piece = slot.piece;
  // Release pairs with the probes' acquire: whoever sees the key sees the rest.
  std::atomic_ref<std::uint64_t>(slots[at].key).store(slot.key, std::memory_order_release);
}

// Each as the distance to the piece it hangs under, the caller's code there, and the edge.
void save_pieces(const std::vector<IdPieces::Piece>& pieces, encoders::StateWriter& out) {
  out.number(pieces.size() - 1);
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    out.number(i - pieces[i].caller / kMostIdCodes);
    out.number(pieces[i].caller % kMostIdCodes);
    out.edge(pieces[i].edge);
  }
}

std::vector<IdPieces::Piece> load_pieces(encoders::StateReader& in) {
  const std::size_t count = in.count(5);
  std::vector<IdPieces::Piece> pieces(1);
  pieces.reserve(count + 1);
  for (std::size_t i = 1; i <= count && in.ok(); ++i) {
    const std::uint64_t up = in.number_below(i + 1, "piece");
    if (up == 0) in.fail("a piece hangs under itself");
    const std::uint64_t code = in.number_below(kMostIdCodes, "code");
    const encoders::EdgeKey edge = in.edge();
    pieces.push_back({edge, (i - up) * kMostIdCodes + code});
  }
  return pieces;
}

}  // namespace copse
