#include "compare/gate/outcome_text.h"

#include <fmt/format.h>
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

#include "base/grouped.h"
#include "base/printable.h"
#include "report/model/display_names.h"
#include "report/model/quantity.h"
#include "report/model/text_lines.h"
#include "report/text/context_lines.h"
#include "report/text/text_table.h"

namespace copse::gate {

const char* name_of(Verdict verdict) {
  return verdict == Verdict::kHolds    ? "holds"
         : verdict == Verdict::kBroken ? "broken"
                                       : "cannot say";
}

std::string values_or_why(const Outcome& outcome) {
  return outcome.verdict == Verdict::kCannotSay ? outcome.why : outcome.values;
}

std::string in_words(const std::vector<Outcome>& outcomes) {
  const auto number = [&](Verdict verdict) {
    return std::ranges::count(outcomes, verdict, &Outcome::verdict);
  };
  std::string text = counted(outcomes.size(), "rule");
  const char* between = ": ";
  for (const auto& [verdict, words] :
       {std::pair{Verdict::kBroken, "broken"}, std::pair{Verdict::kCannotSay, "cannot say"},
        std::pair{Verdict::kHolds, "hold"}}) {
    const auto many = static_cast<std::uint64_t>(number(verdict));
    if (many == 0) continue;
    const bool is_one = verdict == Verdict::kHolds && many == 1;
    text += between + grouped(many) + " " + words + (is_one ? "s" : "");
    between = ", ";
  }
  return text;
}

std::vector<std::string> culprit_lines(const Outcome& outcome, const diff::Comparison& comparison,
                                       std::size_t width) {
  if (outcome.culprits.empty()) return {};
  report::TextTable table({{"", "old"}, {"", "new"}});
  std::vector<std::int32_t> rows;
  for (const Culprit& culprit : outcome.culprits) {
    const auto node = static_cast<std::size_t>(culprit.node);
    const auto cell = [&](bool there, std::uint64_t amount) {
      return there ? report::in_words(outcome.unit, amount) : std::string("-");
    };
    table.add({cell(comparison.in_old(node), culprit.before),
               cell(comparison.in_new(node), culprit.now)});
    rows.push_back(culprit.node);
  }
  const report::DisplayNames names(comparison.both.methods);
  const report::ContextLines contexts(comparison.both, names, rows);
  std::vector<std::string> lines = {table.lower() + "context"};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::ranges::move(contexts.row(table.row(i), i, width), std::back_inserter(lines));
  }
  if (outcome.other_culprits != 0) {
    lines.push_back("and " + grouped(outcome.other_culprits) + " more");
  }
  return lines;
}

void write_text(const std::vector<Outcome>& outcomes, const diff::Comparison& comparison,
                std::size_t width, report::Output& out) {
  report::TextLines lines(out, width);
  const std::string part = part_in_words(comparison);
  if (!part.empty()) lines.wrapped("only        ", printable(part));
  for (const Outcome& outcome : outcomes) {
    lines.wrapped(fmt::format("{:<11} ", name_of(outcome.verdict)),
                  printable(outcome.rule.text) + ": " + values_or_why(outcome));
    for (const std::string& note : outcome.notes) lines.wrapped(std::string(12, ' '), note);
  }
  for (const Outcome& outcome : outcomes) {
    if (outcome.culprits.empty()) continue;
    lines.heading(printable(outcome.rule.text));
    for (const std::string& line : culprit_lines(outcome, comparison, lines.width() - 2)) {
      lines.line("  " + line);
    }
  }
  lines.line("");
  lines.line(in_words(outcomes));
}

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
