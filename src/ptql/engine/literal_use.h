// Finds literals that a query compared only with values of other types, so that no comparison held: x.param0 = 5 when
// every argument was a text, or an object without a value.
//
// Cost: one value per record, until a value is found that the literal can be compared with.
// Threads: one at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ptql/plan/plan.h"

namespace copse::ptql {

class LiteralUses {
 public:
  // REQUIRES: `plan` outlives this object.
  explicit LiteralUses(const Plan& plan);

  // Takes the value that the predicate's field has in a record.
  template <typename ValueOf>
  void look_at(std::size_t predicate, const ValueOf& value_of_field) {
    Use& use = uses_[predicate];
    if (use.is_open) look_at(use, value_of_field(use.field));
  }

  // Returns a sentence for each such literal: "x.param0 = 5 held of no record: x.param0 was a text 3 times".
  std::vector<std::string> sentences() const;

 private:
  enum class Seen : std::uint8_t { kNumber, kBoolean, kText, kPlainObject };
  static constexpr std::size_t kSeenKinds = 4;

  struct Use {
    bool is_open = false;  // there is a literal, and no value so far that it can be compared with
    FieldReference field{};
    Seen wanted{};
    std::array<std::uint64_t, kSeenKinds> seen{};  // by kind
  };

  static void look_at(Use& use, const Value& value);

  const Plan& plan_;
  std::vector<Use> uses_;  // by predicate
};

}  // namespace copse::ptql
