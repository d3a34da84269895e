// What a run with packets leaves when it is killed: its trees, the packets that are not in them,
// and what threads had appended to theirs.
#pragma once

#include "base/status.h"
#include "recover/recovered_tree.h"

namespace copse::recover {

// Of memory that begins with a PacketRun (shadowstack/packets/packet_run.h); else as recover_tree().
Result<RecoveredTree> recover_packets(const SharedMemoryFile& memory,
                                      const cct::EngineOptions& options);

}  // namespace copse::recover
