// A recording so far, taken while it goes on: what a report needs of it, and nothing that changes
// any more. Calls in the tree + calls lost = calls seen, whatever the program did meanwhile: the
// sum is made of what was read.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cct/context_tree.h"
#include "cct/measured_contexts.h"
#include "shadowstack/packets/thread_recorder.h"

namespace copse::cct {

struct RecordingSnapshot {
  std::unique_ptr<const ContextTree> tree;
  std::uint64_t calls_seen = 0;
  std::uint64_t calls_lost = 0;
  std::uint64_t calls_without_room = 0;  // of these, for lack of memory
  std::uint64_t packets = 0;
  unsigned workers = 0;                         // that folded them
  std::vector<shadowstack::ThreadRow> threads;  // that made a call
  std::vector<MeasuredColumn> measured;         // of the tree's nodes
};

}  // namespace copse::cct
