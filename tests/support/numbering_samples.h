// Helpers of the numbering tests: edges by small numbers, calls, a graph's own names.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>

#include "encoders/numbering/numbering.h"
#include "graph/graph_edges.h"

namespace copse::test {

constexpr EdgeKey edge(unsigned caller, unsigned site, unsigned callee) {
  return edge_key({MethodId{caller}, SiteOrdinal{static_cast<std::uint16_t>(site)}},
                  MethodId{callee});
}

// Returns the callee's code; nullopt where a piece starts.
inline std::optional<std::uint64_t> call(encoders::CodeNumbering& numbering, EdgeKey edge,
                                         std::uint64_t code) {
  const auto mapping = numbering.mapping(edge, code);
  if (!mapping) return std::nullopt;
  EXPECT_LT(code - mapping->first, mapping->length);
  return (*mapping)(code);
}

// Names of a graph with the run's methods and call sites.
class SameNames : public graph::GraphNames {
 public:
  std::optional<MethodId> method(MethodId method) override { return method; }
  std::optional<SiteOrdinal> site(MethodId, SiteOrdinal site) override { return site; }
};

}  // namespace copse::test
