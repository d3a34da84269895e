#include "encoders/ids/id_pieces.h"

#include <atomic>
#include <new>

#include "base/make_room.h"

namespace copse::ids {
namespace {

constexpr int kFirstLog = 12;

}  // namespace

IdPieces::~IdPieces() {
  for (const auto& [table, bytes] : tables_) memory_.release(table, bytes);
}

IdPieceSlot* IdPieces::slots() const noexcept {
  return reinterpret_cast<IdPieceSlot*>(published_ & ~kIdPieceLogMask);
}

std::uint64_t IdPieces::find(std::uint64_t word, std::uint32_t callee) const noexcept {
  if (published_ == 0) return 0;
  const std::uint64_t mask = slot_count() - 1;
  for (std::uint64_t at = id_piece_index(word, callee, log());; at = (at + 1) & mask) {
    const IdPieceSlot& slot = slots()[at];
    if (slot.key == 0) return 0;
    if (slot.key == ~word && (slot.frame & encoders::kIdNumberMask) == callee) return slot.frame;
  }
}

std::uint64_t IdPieces::start(std::uint64_t word, std::uint32_t callee, EdgeKey edge) {
  if (is_full() && !grow()) return 0;
  const encoders::IdPieceList::Piece started{edge, word >> encoders::kIdCodeShift};
  const std::uint64_t piece = list_.add(started);
  if (piece == 0) return 0;
  if (journal_ != nullptr) journal_->add_piece(started);
  const std::uint64_t frame = piece << encoders::kIdPieceShift | callee;
  insert(slots(), log(), {~word, frame});
  ++used_;
  return frame;
}

void IdPieces::remember(std::uint64_t word, std::uint64_t frame) {
  const auto callee = static_cast<std::uint32_t>(frame & encoders::kIdNumberMask);
  if (find(word, callee) != 0 || (is_full() && !grow())) return;
  insert(slots(), log(), {~word, frame});
  ++used_;
}

std::uint64_t IdPieces::growth() const noexcept {
  std::uint64_t bytes = 0;
  if (list_.grows()) bytes += list_.bytes();
  if (is_full()) bytes += 2 * slot_count() * sizeof(IdPieceSlot);
  return bytes;
}

void IdPieces::begin_epoch() noexcept {
  list_.begin_epoch();
  if (journal_ != nullptr) journal_->add_piece_epoch();
  try {
    if (make_table(kFirstLog, false)) used_ = 0;
  } catch (const std::bad_alloc&) {
    // The old table stays: what it says of older words is right.
  }
}

bool IdPieces::grow() { return make_table(published_ == 0 ? kFirstLog : log() + 1, true); }

bool IdPieces::make_table(int log, bool with_old) {
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
  for (std::uint64_t i = 0; with_old && i < slot_count(); ++i) {
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
  const auto callee = static_cast<std::uint32_t>(slot.frame & encoders::kIdNumberMask);
  std::uint64_t at = id_piece_index(~slot.key, callee, log);
  while (slots[at].key != 0) at = (at + 1) & mask;
  slots[at].frame = slot.frame;
  // Release pairs with the probes' acquire: whoever sees the key sees the frame.
  std::atomic_ref<std::uint64_t>(slots[at].key).store(slot.key, std::memory_order_release);
}

}  // namespace copse::ids
