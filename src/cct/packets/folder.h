// What a worker builds from packets before it reaches the master tree. One thread at a time.
#pragma once

#include <cstdint>
#include <span>

#include "cct/cct.h"
#include "shadowstack/packets/packet.h"

namespace copse::cct {

class Folder {
 public:
  virtual ~Folder() = default;

  // Where it is noted what the tree takes, for who reads the memory of a killed process; it must
  // outlive the folder. Before the first packet. Of a folder that notes nothing, nothing is left.
  virtual void keep_in(KeptTree&) noexcept {}

  // Takes 1 to TreeFolder::kLanes packets, in any order.
  virtual void fold(std::span<shadowstack::Packet* const> packets) noexcept = 0;
  // It is time for merge_into().
  virtual bool full() const noexcept = 0;
  // Adds everything to the master, lost calls too, and starts anew. Called by: the folder's user,
  // the master locked.
  virtual void merge_into(Cct& master) noexcept = 0;
};

}  // namespace copse::cct
