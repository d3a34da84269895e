// The first pass over a stream: what every later pass compares with.
//
// It builds the exact context tree, whose nodes stand for true contexts, the call graph with how
// often each edge was taken (the graph and the profile of static schemes), and chooses the samples.
// The shadow stack is kept beside the tree and the two are compared, edge by edge, at thousands of
// places: the truth itself is checked.
#pragma once

#include <cstdint>
#include <vector>

#include "encoders/replay/context_nodes.h"
#include "encoders/study/op_stream.h"
#include "encoders/study/sampler.h"
#include "graph/call_graph.h"

namespace copse::study {

// How far the stream had come at some position; later passes measure at the same positions.
struct GrowthPoint {
  std::uint64_t position;  // operations
  std::uint64_t calls;
  std::uint64_t contexts;  // distinct ones so far
};

struct Survey {
  std::uint64_t operations = 0;
  std::uint64_t calls = 0;
  std::uint64_t marks = 0;
  std::uint64_t threads = 0;            // that made a call, as in a report
  std::uint64_t most_live_threads = 0;  // of these, from their first call on, at one time
  std::uint64_t methods = 0;            // that were called
  std::uint64_t max_depth = 0;
  double mean_depth = 0;               // of the callee over all calls, thread entries at 1
  std::uint64_t truth_mismatches = 0;  // places where node and shadow stack differ: our defect
  std::uint64_t call_period = 1;
  std::uint64_t mark_period = 1;

  encoders::ContextNodes tree;
  graph::CallGraph graph;
  std::vector<Sample> samples;
  std::vector<GrowthPoint> growth;  // the last one is the stream's end

  std::uint64_t contexts() const noexcept { return tree.size() - 1; }
};

Result<Survey> survey_stream(OpStream& stream, const SampleOptions& options);

}  // namespace copse::study
