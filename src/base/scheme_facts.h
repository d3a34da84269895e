// Figures of a scheme that its paper's tables have, beyond time and memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace copse::encoders {

// Entries on a thread's stack, of a scheme that keeps one.
struct StackHeight {
  std::uint64_t entries = 0;
  // Entries of calls whose site was not known to make them (DeltaPath); std::nullopt where there is no such kind.
  std::optional<std::uint64_t> unexpected;
};

struct SchemeFact {
  std::string_view name;  // a JSON key, such as "max_id"
  std::uint64_t value = 0;
};

// An epoch of a numbering that is renewed while the program runs (DACCE).
struct EpochFacts {
  std::string_view trigger;  // reason for the renumbering
  std::uint64_t edges = 0;   // of the numbered graph
  std::uint64_t max_id = 0;
};

struct SchemeFacts {
  std::vector<SchemeFact> values;
  std::vector<EpochFacts> epochs;
};

}  // namespace copse::encoders
