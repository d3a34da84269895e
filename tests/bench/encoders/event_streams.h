// The call streams that benchmarks replay: two generated ones, and recorded ones from files of raw
// little-endian CallRecords of one thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "graph/call_graph.h"

namespace copse::encoders {

struct EventStream {
  std::string name;
  std::vector<EdgeKey> events;  // kNoEdge: a return
  graph::CallGraph graph;
  std::uint64_t calls = 0;
};

// 1,500 methods with recursion, at most 100 frames deep; each method runs its sites in order, and
// what happens below depth 10 follows from one of a limited number of inputs, so whole subtrees
// recur, as they do in programs.
EventStream model_stream(std::uint64_t calls);
// A walk over 3,000 methods and some 20,000 edges whose frequencies fall as in Zipf's law; leaves
// dominate, depth is about 15 to 40, and most sites have one target.
EventStream zipf_stream(std::uint64_t calls);
Result<EventStream> read_stream(const std::string& path, std::uint64_t most_calls);

}  // namespace copse::encoders
