// Calls of packets on their way to the master tree, built by a worker. Not thread-safe.
#pragma once

#include <cstdint>
#include <span>

#include "cct/cct.h"
#include "shadowstack/packet.h"

namespace copse::cct {

class Folder {
 public:
  virtual ~Folder() = default;

  // Notes the packets that the tree takes in `kept`, which must outlive the folder, for readers of
  // a killed process's memory. REQUIRES: no packet was folded. A folder that notes nothing leaves
  // nothing to such readers.
  virtual void keep_in(KeptTree&) noexcept {}

  // Folds 1 to TreeFolder::kLanes packets, in any order.
  virtual void fold(std::span<shadowstack::Packet* const> packets) noexcept = 0;
  // Returns true when it is time for merge_into().
  virtual bool full() const noexcept = 0;
  // Adds everything, lost calls too, to the master and starts anew. REQUIRES: the master is locked.
  // Called by: the folder's user.
  virtual void merge_into(Cct& master) noexcept = 0;
};

}  // namespace copse::cct
