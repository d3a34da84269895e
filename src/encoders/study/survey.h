// First pass over a stream: the truth that every later pass compares with.
//
// Builds the exact context tree, whose nodes stand for true contexts, and the call graph with the count of each edge
// (the graph and the profile of static schemes), and chooses the samples. Keeps the shadow stack beside the tree and
// compares the two, edge by edge, at thousands of places: this checks the truth itself.
#pragma once

#include <cstdint>
#include <vector>

#include "encoders/replay/context_nodes.h"
#include "encoders/study/op_stream.h"
#include "encoders/study/sampler.h"
#include "graph/call_graph.h"

namespace copse::study {

// State of the stream at a position; later passes measure at the same positions.
struct GrowthPoint {
  std::uint64_t position;  // operations
  std::uint64_t calls;
  std::uint64_t contexts;  // distinct contexts so far
};

struct Survey {
  std::uint64_t operations = 0;
  std::uint64_t calls = 0;
  std::uint64_t marks = 0;
  std::uint64_t threads = 0;            // threads that made a call, as in a report
  std::uint64_t most_live_threads = 0;  // of these threads, from their first call on
  std::uint64_t methods = 0;            // called methods
  std::uint64_t max_depth = 0;
  double mean_depth = 0;  // depth of the callee, mean over all calls; thread entries have 1
  std::uint64_t truth_mismatches = 0;  // places where node and shadow stack differ: our defect
  std::uint64_t call_period = 1;
  std::uint64_t mark_period = 1;

  encoders::ContextNodes tree;
  graph::CallGraph graph;
  std::vector<Sample> samples;
  std::vector<GrowthPoint> growth;  // the last point is the stream's end

  std::uint64_t contexts() const noexcept { return tree.size() - 1; }
};

Result<Survey> survey_stream(OpStream& stream, const SampleOptions& options);

}  // namespace copse::study
