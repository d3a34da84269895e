// Folds the packets of a killed process, as its engine would have.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "base/status.h"
#include "cct/cct.h"
#include "cct/packets/engine.h"
#include "cct/packets/tree_folder.h"
#include "cct/packets/uptree_folder.h"
#include "recover/shared_memory.h"
#include "shadowstack/packet.h"

namespace copse::recover {

class RecoveredPackets {
 public:
  // Throws std::bad_alloc, like add(), add_tail() and recovered_chain().
  explicit RecoveredPackets(const cct::EngineOptions& options);

  // Returns the number of the packet's records that make `events` events.
  std::uint64_t records_of_events(const shadowstack::Packet& packet,
                                  std::uint64_t events) const noexcept;

  // Adds the records of a packet of the dead process from `from` on. `records`: all of the
  // packet's. Returns an error if they are not records, or the chain is damaged.
  Status add(const SharedMemoryFile& memory, const shadowstack::Packet& packet,
             std::span<const CallRecord> records, std::uint32_t from);

  // Adds the records that a thread had appended since its last packet. `top`: top of its chain.
  // Sets `first_key`, if it is 0, to the key of the first call without a caller.
  Status add_tail(const SharedMemoryFile& memory, const shadowstack::Packet& rest,
                  const shadowstack::FrameBlock* top, ContextKey& first_key);

  // Moves everything added to `tree`.
  void finish(cct::Cct& tree) noexcept;

 private:
  Status fold(std::span<const CallRecord> records, const shadowstack::FrameChain& start,
              const shadowstack::Packet& like, std::uint64_t first_call);

  const std::uint64_t event_every_;
  const bool is_uptree_;
  cct::Cct tree_;
  const std::shared_ptr<const cct::MergedMethods> merged_;
  cct::TreeFolder folder_;
  cct::UptreeFolder uptree_;
  std::uint64_t sequence_ = 0;
};

// Returns the address that a packet's records had in the dead process.
std::uint64_t records_address(const shadowstack::Packet& packet) noexcept;
// Returns a copy of a chain of the dead process; an error if it is damaged.
Result<shadowstack::FrameChain> recovered_chain(const SharedMemoryFile& memory,
                                                const shadowstack::FrameBlock* top);

}  // namespace copse::recover
