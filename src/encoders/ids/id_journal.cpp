#include "encoders/ids/id_journal.h"

#include <algorithm>
#include <atomic>

namespace copse::ids {
namespace {

constexpr std::uint64_t kMostWords = 0xFFFF;  // behind the first of a change
constexpr std::uint64_t kLeastWords = std::uint64_t{1} << 13;
constexpr std::uint64_t kMostJournalWords = std::uint64_t{1} << 32;

}  // namespace

IdJournal::IdJournal(shadowstack::MemorySource& memory, std::uint64_t most_bytes,
                     IdRun::Journal& run) noexcept
    : words_(memory,
             std::clamp(most_bytes / sizeof(std::uint64_t), kLeastWords, kMostJournalWords)),
      run_(run) {
  run_ = {};
  run_.address = reinterpret_cast<std::uint64_t>(words_.data());
}

void IdJournal::add(const encoders::NumberingChange& change) noexcept {
  // A later change means nothing without the ones before.
  const std::uint64_t words = run_.words + 1 + change.words.size();
  if (run_.lost != 0 || change.words.size() > kMostWords || change.small >= encoders::kMostSmall ||
      !words_.ensure(words)) {
    ++run_.lost;
    return;
  }
  std::uint64_t* const at = words_.data() + run_.words;
  at[0] = std::uint64_t{change.kind} << kKindShift |
          std::uint64_t{change.words.size()} << kLengthShift | change.small;
  std::copy(change.words.begin(), change.words.end(), at + 1);
  // Release: who reads the number finds the change whole.
  std::atomic_ref<std::uint64_t>(run_.words).store(words, std::memory_order_release);
  // After the words: a process that is killed in between has written the change and not lost it.
  std::atomic_ref<std::uint64_t>(run_.changes).store(run_.changes + 1, std::memory_order_release);
}

void IdJournal::add_piece(const encoders::IdPieceList::Piece& piece) noexcept {
  add_word(kPiece, piece.caller, raw(piece.edge));
}

void IdJournal::add_piece_epoch() noexcept { add({kPieceEpoch, 0, {}}); }

namespace {

bool replay_piece(const encoders::NumberingChange& change, MethodId last,
                  encoders::IdPieceList& pieces) {
  if (change.words.size() != 1 || !encoders::is_edge_up_to(change.words[0], last)) return false;
  const std::uint64_t caller = change.small / encoders::kMostIdCodes;
  // An earlier one of the epoch, or ROOT's.
  if (pieces.epoch_of(caller) != pieces.epoch() || pieces.find(caller) == nullptr) return false;
  return pieces.add({EdgeKey{change.words[0]}, change.small}) != 0;
}

bool replay_piece_epoch(const encoders::NumberingChange& change, encoders::IdPieceList& pieces) {
  if (!change.words.empty() || !pieces.has_room_for_epoch()) return false;
  pieces.make_room_for_epoch();
  pieces.begin_epoch();
  return true;
}

}  // namespace

ReplayedJournal replay_journal(std::span<const std::uint64_t> words, MethodId last,
                               encoders::CodeNumbering& numbering, encoders::IdPieceList& pieces) {
  ReplayedJournal replayed;
  while (!words.empty()) {
    const std::uint64_t first = words[0];
    const auto kind = static_cast<std::uint8_t>(first >> IdJournal::kKindShift);
    const std::size_t count = first >> IdJournal::kLengthShift & kMostWords;
    if (count >= words.size()) {
      replayed.status = Status::error(Fault::kMalformed, "its last change is not whole");
      return replayed;
    }
    const encoders::NumberingChange change{kind, first & (encoders::kMostSmall - 1),
                                           words.subspan(1, count)};
    bool made = false;
    if (kind == IdJournal::kPiece) {
      made = replay_piece(change, last, pieces);
    } else if (kind == IdJournal::kPieceEpoch) {
      made = replay_piece_epoch(change, pieces);
    } else if (kind < encoders::kMostChangeKinds) {
      made = numbering.replay(change, last);
    }
    if (!made) {
      replayed.status = Status::error(
          Fault::kMalformed, "change " + std::to_string(replayed.changes) + " does not follow");
      return replayed;
    }
    ++replayed.changes;
    words = words.subspan(1 + count);
  }
  return replayed;
}

}  // namespace copse::ids
