// The ids and events of a run whose process was killed.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/status.h"
#include "encoders/events/outside.h"
#include "encoders/ids/event_sums.h"
#include "encoders/ids/run_key.h"
#include "encoders/ids/thread_origins.h"
#include "encoders/numbering/id_piece_list.h"
#include "encoders/numbering/numbering.h"
#include "recover/shared_memory.h"
#include "shadowstack/thread_rows.h"

namespace copse::recover {

struct RecoveredIds {
  ids::RunKey key{0};
  std::unique_ptr<encoders::CodeNumbering> numbering;  // nullptr for hashes
  encoders::IdPieceList pieces{false};
  // Changes of the tables that are not in the memory; ids that need them do not decode.
  std::uint64_t changes_lost = 0;
  std::uint64_t entries_lost = 0;                               // calls without an id
  std::array<ids::RecordedEvents, events::kEventKinds> events;  // by kind
  events::OutsideMethods outside{};
  ids::ThreadOrigins origins;
  std::vector<shadowstack::ThreadRow> threads;  // as ThreadRecorder::threads(); long names cut off
};

// Returns true if the memory is of a run with context ids.
bool is_of_ids(const SharedMemoryFile& memory);

// Reads the ids and events. `encoder`: the run's. `last`: the last method that it may have. Returns
// an error if the memory contradicts itself. Changes and events that had no room in the memory
// (SharedMemoryFile::is_whole()) are missing; such changes are counted. Throws std::bad_alloc.
Result<RecoveredIds> recover_ids(const SharedMemoryFile& memory, std::string_view encoder,
                                 MethodId last);

}  // namespace copse::recover
