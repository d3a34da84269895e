#include "compare/gate/judged_rules.h"

#include <utility>

#include "compare/gate/outcome_text.h"

namespace copse::gate {

using JudgedRule = report::ReportModel::Compared::Rule;

std::vector<JudgedRule> judged_rules(const std::vector<Outcome>& outcomes) {
  std::vector<JudgedRule> rules;
  for (const Outcome& outcome : outcomes) {
    JudgedRule rule;
    rule.text = outcome.rule.text;
    rule.outcome = name_of(outcome.verdict);
    rule.found = values_or_why(outcome);
    rule.notes = outcome.notes;
    rule.measure = outcome.measure;
    for (const Culprit& culprit : outcome.culprits) {
      rule.contexts.push_back({culprit.node, culprit.before, culprit.now});
    }
    rule.other_contexts = outcome.other_culprits;
    rules.push_back(std::move(rule));
  }
  return rules;
}

}  // namespace copse::gate
