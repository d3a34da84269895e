// Answers of a relational query, a line each.
#pragma once

#include <string>

#include "ptql/answers.h"
#include "ptql/engine.h"
#include "ptql/query.h"

namespace copse::cli {

enum class AnswerFormat { kText, kJson };

// With its line feed.
std::string answer_line(const ptql::Query& query, const ptql::Answer& answer, AnswerFormat format);

// "3 answers from 120 events", and what may be wrong with them.
std::string answers_summary(const ptql::EngineTotals& totals, bool sums);

}  // namespace copse::cli
