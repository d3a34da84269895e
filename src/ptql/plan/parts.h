// Parts of a plan that can be left out, to measure what each is worth. Answers are the same without them; only when an
// answer comes, what it costs, and which answers a LIMIT takes may differ.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace copse::ptql {

enum class Part : std::uint8_t {
  kStaticFilter,  // names decide before the run which methods of the program get probes
  kDynamicFilter,  // predicates on one record are tested when they are known, not when records are joined
  kGates,  // invocations that are too early for any answer are not sent by a running program
  kPostDominator,  // answers come at an event, not at the end of the run
  kSplit,          // a query without a post-dominator becomes several that have one
  kAdmission,      // a record without support does not enter its table
  kRetention,      // a record without support leaves at its END
  kPropagation,    // a record leaves when the last record that supports it has left
  kRefutation,     // a record leaves when a NEGATIVE record rules it out
  kRepetition,     // a record does not enter when an earlier one has its values
  kIndex,          // tables are looked up by the fields that must be equal
  kJoinOrder,      // joins begin with the table that has the fewest records
};

// In the order of Part.
inline constexpr std::array<std::string_view, 12> kPartNames = {
    "static-filter", "dynamic-filter", "gates",      "post-dominator", "split", "admission",
    "retention",     "propagation",    "refutation", "repetition",     "index", "join-order"};

// Set of parts, as bits.
using PartSet = std::uint32_t;
inline constexpr PartSet kAllParts = (PartSet{1} << kPartNames.size()) - 1;
constexpr PartSet set_of(Part part) { return PartSet{1} << static_cast<unsigned>(part); }

constexpr std::optional<Part> find_part(std::string_view name) {
  for (std::size_t i = 0; i < kPartNames.size(); ++i) {
    if (kPartNames[i] == name) return static_cast<Part>(i);
  }
  return std::nullopt;
}

}  // namespace copse::ptql
