// Recovers a killed run with packets: its trees, the packets that are not in them, and the records
// that threads had appended to their packets.
#pragma once

#include "base/status.h"
#include "recover/recovered_tree.h"

namespace copse::recover {

// Recovers the tree as recover_tree() does. REQUIRES: the memory begins with a PacketRun
// (shadowstack/packets/packet_run.h).
Result<RecoveredTree> recover_packets(const SharedMemoryFile& memory,
                                      const cct::EngineOptions& options);

}  // namespace copse::recover
