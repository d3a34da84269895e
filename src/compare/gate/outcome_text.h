// Writes outcomes of rules as text and as JUnit XML. The text: one line per rule, then the contexts that broke it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "compare/diff/comparison.h"
#include "compare/gate/evaluation.h"
#include "report/model/output.h"
#include "report/model/report_model.h"

namespace copse::gate {

// "holds", "broken", "cannot say".
const char* name_of(Verdict verdict);
// "1 in old.json, 101 in new.json: +100", or the reason for "cannot say"; printable.
std::string values_or_why(const Outcome& outcome);
// "3 rules: 1 broken, 1 cannot say, 1 holds".
std::string in_words(const std::vector<Outcome>& outcomes);
// Returns a heading, then one line per culprit, at most `width` characters: the amounts in OLD and
// NEW, and the context.
std::vector<std::string> culprit_lines(const Outcome& outcome, const diff::Comparison& comparison,
                                       std::size_t width);

void write_text(const std::vector<Outcome>& outcomes, const diff::Comparison& comparison,
                std::size_t width, report::Output& out);

// Converts outcomes of rules for a comparison's JSON and page.
std::vector<report::ReportModel::Compared::Rule> judged_rules(const std::vector<Outcome>& outcomes);

// Writes outcomes of rules as JUnit XML for build servers: one test case per rule. A broken rule is
// a failure; an undecidable rule is an error.
void write_junit(const std::vector<Outcome>& outcomes, const diff::Comparison& comparison,
                 report::Output& out);

}  // namespace copse::gate
