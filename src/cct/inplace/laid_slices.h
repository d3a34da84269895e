// Slices with their contexts as nodes of a tree that has the calls of the whole recording.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "cct/cct.h"
#include "cct/inplace/slices.h"

namespace copse::cct {

struct LaidSlice {
  struct Context {
    NodeIndex node;
    std::uint64_t calls;
  };
  struct Task {  // tasks that were handed over in one context
    NodeIndex at;
    std::uint64_t tasks, calls;
  };
  std::shared_ptr<const Slice> slice;
  std::uint8_t as = 0;            // sum of KeptAs
  std::vector<Context> contexts;  // ascending; contexts that were evicted or merged are one
  std::vector<Task> tasks;
  std::uint64_t calls_left_out = 0;  // in no context
};

struct LaidSlices {
  SlicesSoFar so_far;
  std::vector<LaidSlice> kept;  // by id
};

// Finds the contexts in the tree. Throws std::bad_alloc.
LaidSlices lay_slices(SlicesSoFar slices, const Cct& tree);

}  // namespace copse::cct
