// Every encoder's name and what it is: the one table from which replay, comparison, checks and the
// encoders that run in a JVM take them.
//
// A scheme that numbers contexts is a numbering (numbering/numbering.h) in a carrier. In pieces it
// is what `copse ids --encoder NAME` runs; on a stack it is as its paper has it. The other schemes
// have a class of their own, which visit_encoder() (registry.h) makes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "encoders/numbering/numbering.h"
#include "encoders/replay/stack_encoder.h"
#include "graph/call_graph.h"
#include "graph/graph_edges.h"

namespace copse::encoders {

enum class Carrier : std::uint8_t { kNone, kPieces, kStack };

// `graph`: of schemes that need one. Null `names`: it is of this run. `most_codes`: a method's.
using MakeNumbering = std::unique_ptr<CodeNumbering> (*)(graph::CallGraph graph,
                                                         std::unique_ptr<graph::GraphNames> names,
                                                         std::uint64_t most_codes);

struct EncoderInfo {
  std::string_view name;
  // decode() of every token must give expected(); false for hashes, searches and literal variants.
  bool claims_precision;
  bool decodes;      // false: tokens only tell contexts apart
  bool needs_graph;  // numbered before the run from EncoderConfig::graph
  bool is_literal;   // as published, kept to show where it fails
  bool has_codes;    // that EncoderConfig::max_codes bounds
  std::string_view summary;
  Carrier carrier = Carrier::kNone;
  MakeNumbering numbering = nullptr;  // with a carrier
  StackOptions stack = {};
};

// In the order in which tables show them.
std::span<const EncoderInfo> all_encoders() noexcept;
const EncoderInfo* find_encoder(std::string_view name) noexcept;
// Likewise, of those that run in a JVM; null for all others.
const EncoderInfo* find_live_encoder(std::string_view name) noexcept;

}  // namespace copse::encoders
