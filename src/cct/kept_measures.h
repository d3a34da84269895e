// Measures besides calls, for a reader of a killed process's memory: name, unit and tree of each
// column (measured_contexts.h).
//
// An amount is added to one node of a column by one store. A process killed meanwhile has added all
// of it or nothing.
#pragma once

#include <cstdint>
#include <type_traits>

#include "cct/kept_tree.h"

namespace copse::cct {

struct KeptMeasure {
  static constexpr std::size_t kTextBytes = 32;

  char name[kTextBytes];  // as in the report; ends in 0, like `unit`
  char unit[kTextBytes];
  std::uint64_t scale;  // quantity that an amount of 1 in a node stands for
  KeptTree tree;
};
static_assert(std::is_trivially_copyable_v<KeptMeasure>);

// All columns of a run.
struct KeptMeasures {
  static constexpr std::uint32_t kMost = 32;

  std::uint64_t address;  // of the first KeptMeasure
  std::uint32_t count;
};

}  // namespace copse::cct
