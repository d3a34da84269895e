// What is measured besides calls, where a reader of a killed process's memory finds it: a column's name,
// unit and tree (measured_contexts.h).
//
// An amount is added to one node of a column, in one place. A process that is killed in the middle of
// that has added it, or not.
#pragma once

#include <cstdint>
#include <type_traits>

#include "cct/inplace/kept_tree.h"

namespace copse::cct {

struct KeptMeasure {
  static constexpr std::size_t kTextBytes = 32;

  char name[kTextBytes];  // as the report has it; ends in 0, as the one below
  char unit[kTextBytes];
  std::uint64_t scale;  // what one of the amounts in its nodes stands for
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
