// The one table of all encoders, with their names and properties. Replay, comparison, checks and the encoders in a JVM
// use it.
//
// A scheme that numbers contexts is a numbering (numbering/numbering.h) in a carrier. In pieces it is what `copse ids
// --encoder NAME` runs; on a stack it is the paper's form. Each other scheme has its own class, which visit_encoder()
// (registry.h) makes.
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

enum class Form : std::uint8_t {
  kOurs,
  kPublished,  // steps are the paper's; docs/encodings.md says what was read into it
  kWeakened    // leaves out a step of ours or of the paper's, to show what it is for
};

// Contexts that decode() must give for every token.
enum class Claim : std::uint8_t {
  kNone,        // hashes and other forms than ours
  kNeverWrong,  // the true context or an error
  kKnownCode,   // the true context without methods that the graph lacks
  kMerged,      // the true context with its recursion merged
  kPrecise
};

enum class Carrier : std::uint8_t { kNone, kPieces, kStack };

// `graph`: for schemes that need one. `names`: nullptr means that the graph is of this run. `most_codes`: per method.
using MakeNumbering = std::unique_ptr<CodeNumbering> (*)(graph::CallGraph graph,
                                                         std::unique_ptr<graph::GraphNames> names,
                                                         std::uint64_t most_codes);

struct EncoderInfo {
  std::string_view name;
  Claim claim;
  bool claims_precision() const noexcept { return claim > Claim::kNeverWrong; }
  bool decodes;      // false: tokens only tell contexts apart
  bool needs_graph;  // numbered before the run from EncoderConfig::graph
  Form form;
  bool has_codes;  // EncoderConfig::max_codes bounds its codes
  std::string_view summary;
  Carrier carrier = Carrier::kNone;
  MakeNumbering numbering = nullptr;  // set if there is a carrier
  StackNames stack = StackNames::kEdges;
};

// Returns the encoders in the order of tables.
std::span<const EncoderInfo> all_encoders() noexcept;
const EncoderInfo* find_encoder(std::string_view name) noexcept;
// Returns an encoder that runs in a JVM; nullptr for all others.
const EncoderInfo* find_live_encoder(std::string_view name) noexcept;

}  // namespace copse::encoders
