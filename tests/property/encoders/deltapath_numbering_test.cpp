// When a method becomes an anchor, DeltaPath numbers again what depends on it. The result is what the same anchors give when
// they are known from the start, without a restart.
#include "encoders/scheme/deltapath_numbering.h"

#include <gtest/gtest.h>

#include "random_program.h"

namespace copse::encoders {
namespace {

ProgramShape graph_shape() {
  ProgramShape shape;
  shape.max_methods = 40;
  shape.fan_out = 4;
  shape.events = 1;
  return shape;
}

TEST(DeltaPathNumbering, RestartsLeaveWhatTheirAnchorsGiveFromTheStart) {
  std::uint64_t restarts = 0, compared = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const RandomProgram program(seed, graph_shape());
    for (const std::uint64_t limit : {3u, 4u, 8u, 16u, 100u}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", limit " + std::to_string(limit));
      DeltaPathNumberingOptions options;
      options.max_code = limit;
      const DeltaPathNumbering grown = number_sites(program.graph, options);
      restarts += grown.restarts;
      // No option cuts an edge.
      if (grown.pushed != graph::find_back_edges(program.graph)) continue;
      options.forced_anchors = grown.anchors;
      const DeltaPathNumbering known = number_sites(program.graph, options);
      ++compared;
      EXPECT_EQ(known.restarts, 0u);
      EXPECT_EQ(known.anchors, grown.anchors);
      EXPECT_EQ(known.addition, grown.addition);
      EXPECT_EQ(known.territories_of_method, grown.territories_of_method);
      EXPECT_EQ(known.territories_of_edge, grown.territories_of_edge);
      EXPECT_EQ(known.inflated_counts, grown.inflated_counts);
    }
  }
  EXPECT_GT(restarts, 1000u);
  EXPECT_GT(compared, 1000u);
}

}  // namespace
}  // namespace copse::encoders
