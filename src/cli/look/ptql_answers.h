// Formats answers of relational queries, one per line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "cli/look/ptql_queries.h"
#include "ptql/engine/engines.h"

namespace copse::cli {

enum class AnswerFormat { kText, kJson };

// Source of an answer. A text of events has no known process.
struct AnswerSource {
  std::size_t query;  // index of the query
  std::optional<std::uint64_t> pid{};
  bool is_one_of_several = false;  // one of several processes, so that text names it
};

// Formats an answer. JSON: one line. Text: one line and, if several records have a place in the code, one more indented
// line for each. Text names the query if there are several.
std::string answer_lines(const AskedQueries& asked, const AnswerSource& source,
                         const ptql::Answer& answer, AnswerFormat format);

// Sink of engines: writes each answer at once. In text, a check's title precedes its first answer.
class AnswerWriter {
 public:
  // REQUIRES: `asked` outlives the writer.
  AnswerWriter(const AskedQueries& asked, AnswerFormat format, int descriptor)
      : asked_(asked), format_(format), descriptor_(descriptor) {}

  void write(const AnswerSource& source, const ptql::Answer& answer);
  std::uint64_t written() const { return written_; }
  // Returns the errno of the first failed write, after which nothing is written; 0 if none failed.
  int error() const { return error_; }

 private:
  const AskedQueries& asked_;
  const AnswerFormat format_;
  const int descriptor_;
  int error_ = 0;
  std::uint64_t written_ = 0;
  std::set<std::string> found_;  // names of the checks with answers
};

// Returns a line for each identifier that a method of the recording, or of the text of events, nearly fits. In a
// running program the agent does this.
std::vector<std::string> near_misses(const AskedQueries& asked, const ptql::Engines& engines);

// Returns lines for say(): "3 answers from 120 events" for one query, "3 answers to 5 queries: 2 to a.ptql, 1 to query
// 2" for several, and possible faults of the answers.
std::vector<std::string> answers_summary(const AskedQueries& asked, const ptql::Engines& engines);

}  // namespace copse::cli
