#include "recover/recovered_ids.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "encoders/ids/id_journal.h"
#include "encoders/ids/id_run.h"
#include "encoders/replay/encoder_info.h"
#include "recover/recovered_tree.h"

namespace copse::recover {
namespace {

using ids::EventRow;
using ids::IdRun;

// Returns as many of `count` objects at an address as are there.
template <typename T>
std::span<const T> objects_at(const SharedMemoryFile& memory, std::uint64_t address,
                              std::uint64_t count) {
  constexpr std::uint64_t kMost = ~std::uint64_t{0} / sizeof(T);
  if (address % alignof(T) != 0) return {};
  const auto bytes = memory.at(address, std::min(count, kMost) * sizeof(T));
  return {reinterpret_cast<const T*>(bytes.data), bytes.size / sizeof(T)};
}

Status read_journal(const SharedMemoryFile& memory, const IdRun& run, std::string_view encoder,
                    MethodId last, RecoveredIds& ids) {
  const encoders::EncoderInfo* const scheme = encoders::find_live_encoder(encoder);
  if (scheme == nullptr) return {};
  ids.numbering = scheme->numbering({}, nullptr, encoders::kMostIdCodes);
  ids.pieces = encoders::IdPieceList(ids.numbering->slots() == encoders::SlotKind::kEpochMappings);
  const IdRun::Journal& journal = run.journal;
  const auto words = objects_at<std::uint64_t>(memory, journal.address, journal.words);
  const ids::ReplayedJournal replayed =
      ids::replay_journal(words, last, *ids.numbering, ids.pieces);
  if (words.size() == journal.words && !replayed.status.ok()) {
    return replayed.status.behind("the memory of the run: the journal of its ids: ");
  }
  ids.changes_lost = journal.lost + journal.changes - std::min(journal.changes, replayed.changes);
  return {};
}

Status read_events(const SharedMemoryFile& memory, const IdRun& run, RecoveredIds& ids) {
  const auto there = objects_at<EventRow>(memory, run.sums.address, run.sums.rows);
  if (there.size() != run.sums.rows && memory.is_whole()) {
    return damaged_run("its events are not all there");
  }
  std::vector<EventRow> rows(there.begin(), there.end());
  if (const IdRun::Adding& note = run.adding; note.adding != 0 && note.row < rows.size()) {
    rows[note.row].count = note.count;
    rows[note.row].weight = note.weight;
  }
  std::uint64_t all = 0;
  for (const EventRow& row : rows) {
    if (row.kind >= events::kEventKinds) return damaged_run("an event is of no kind");
    if (row.count >= kMostCalls || (all += row.count) >= kMostCalls) {
      return damaged_run("there are more events than can be");
    }
  }
  ids.events = ids::recorded_events(rows);
  return {};
}

}  // namespace

bool is_of_ids(const SharedMemoryFile& memory) {
  static_assert(offsetof(IdRun, magic) == 0);
  const auto* magic = memory.object<std::uint64_t>(memory.first_address());
  return magic != nullptr && *magic == IdRun::kMagic;
}

Result<RecoveredIds> recover_ids(const SharedMemoryFile& memory, std::string_view encoder,
                                 MethodId last) {
  const auto* run = memory.object<IdRun>(memory.first_address());
  if (run == nullptr || run->magic != IdRun::kMagic) {
    return damaged_run("is not that of a run with context ids");
  }
  RecoveredIds ids;
  ids.key = ids::RunKey(run->key);
  ids.entries_lost = run->entries_lost;
  for (std::size_t place = 0; place < ids.outside.size(); ++place) {
    ids.outside[place] = MethodId{run->outside[place]};
    if (ids.outside[place] > last) return damaged_run("a place outside contexts is of no method");
  }
  if (Status status = read_journal(memory, *run, encoder, last, ids); !status) return status;
  if (Status status = read_events(memory, *run, ids); !status) return status;
  for (const ids::ThreadOrigin& origin :
       objects_at<ids::ThreadOrigin>(memory, run->origins.address, run->origins.rows)) {
    ids.origins.add(origin);
  }
  auto threads = read_kept_threads(memory, run->threads);
  if (!threads.ok()) return threads.status();
  ids.threads = std::move(threads).value();
  gather_all_threads(ids.threads);
  return ids;
}

}  // namespace copse::recover
