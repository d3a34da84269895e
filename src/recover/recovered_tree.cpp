#include "recover/recovered_tree.h"

#include "cct/inplace/inline_run.h"
#include "recover/inline_recovery.h"
#include "recover/packet_recovery.h"
#include "shadowstack/packets/packet_run.h"

namespace copse::recover {

Result<RecoveredTree> recover_tree(const SharedMemoryFile& memory,
                                   const cct::EngineOptions& options) {
  static_assert(offsetof(cct::InlineRun, magic) == 0 &&
                offsetof(shadowstack::PacketRun, magic) == 0);
  const auto* magic = memory.object<std::uint64_t>(memory.first_address());
  if (magic != nullptr && *magic == shadowstack::PacketRun::kMagic)
    return recover_packets(memory, options);
  return recover_inline_trees(memory);
}

}  // namespace copse::recover
