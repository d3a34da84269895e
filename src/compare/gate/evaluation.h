// Evaluates a rule: it holds, it is broken, or the reports cannot say.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compare/diff/comparison.h"
#include "compare/gate/rule.h"
#include "report/model/quantity.h"
#include "report/model/report_model.h"

namespace copse::gate {

enum class Verdict {
  kHolds,
  kBroken,     // for every value that the reports leave possible, and beyond chance
  kCannotSay,  // reason in Outcome::why
};

// A context that broke a rule.
struct Culprit {
  std::int32_t node = 0;  // index into comparison.both.nodes
  std::uint64_t before = 0, now = 0;
};

struct Outcome {
  Rule rule;
  Verdict verdict = Verdict::kHolds;
  std::string values;              // "1 in old.json, 101 in new.json: +100"; "" if none
  std::string why;                 // reason for kCannotSay
  std::vector<std::string> notes;  // sentences: the rule holds by chance, or because runs differ
  // For kBroken: culprits with the largest share first, and the number of further ones.
  std::vector<Culprit> culprits;
  std::uint64_t other_culprits = 0;
  report::Unit unit = report::Unit::kCount;  // unit and measure of the culprits' amounts
  std::string measure = report::kCallsMeasure;
};

// Cost: a few passes over the nodes.
// `culprits`: at most so many are named.
Outcome evaluate(const Rule& rule, const diff::Comparison& comparison, std::size_t culprits = 5);

// Returns 0 when all rules hold, 1 when a rule is broken, 2 when none is broken and a rule cannot
// be decided.
int exit_status_of(const std::vector<Outcome>& outcomes);

}  // namespace copse::gate
