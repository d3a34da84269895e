// What becomes of a rule: it holds, it is broken, or the reports cannot say.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compare/diff/comparison.h"
#include "compare/gate/rule.h"
#include "report/model/report_model.h"
#include "report/text/quantity.h"

namespace copse::gate {

enum class Verdict {
  kHolds,
  kBroken,     // for every value that the reports leave possible, and beyond chance
  kCannotSay,  // `why`
};

// A context that broke a rule.
struct Culprit {
  std::int32_t node = 0;  // of comparison.both
  std::uint64_t before = 0, now = 0;
};

struct Outcome {
  Rule rule;
  Verdict verdict = Verdict::kHolds;
  std::string values;  // "1 in old.json, 101 in new.json: +100"; "" where there are none
  std::string why;     // of kCannotSay
  std::vector<std::string> notes;  // sentences: it holds by chance, or because runs differ
  // Of kBroken: those with the largest share first; and how many there are besides.
  std::vector<Culprit> culprits;
  std::uint64_t other_culprits = 0;
  report::Unit unit = report::Unit::kCount;  // of the culprits' numbers, amounts of this measure
  std::string measure = report::kCallsMeasure;
};

// Cost: some passes over the nodes.
Outcome evaluate(const Rule& rule, const diff::Comparison& comparison);

// 0: all hold; 1: one is broken; 2: none is, and one cannot be said.
int exit_status_of(const std::vector<Outcome>& outcomes);

}  // namespace copse::gate
