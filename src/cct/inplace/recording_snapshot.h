// An immutable copy of a recording in progress, for a report. Calls in the tree + calls lost =
// calls seen, whatever the program does meanwhile: the sum is made of the values read.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "cct/context_tree.h"
#include "cct/inplace/laid_slices.h"
#include "cct/measured_contexts.h"
#include "shadowstack/packets/thread_recorder.h"

namespace copse::cct {

struct RecordingSnapshot {
  std::unique_ptr<const ContextTree> tree;
  std::uint64_t calls_seen = 0;
  std::uint64_t calls_lost = 0;
  std::uint64_t calls_without_room = 0;  // lost calls for lack of memory
  std::uint64_t packets = 0;
  unsigned workers = 0;                         // threads that folded the packets
  std::vector<shadowstack::ThreadRow> threads;  // threads that made a call
  std::vector<MeasuredColumn> measured;         // columns over the tree's nodes
  std::optional<LaidSlices> slices = {};
};

}  // namespace copse::cct
