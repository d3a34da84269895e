// Answers of relational queries, a line each.
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

// Where an answer comes from. Of a text of events nobody knows the process.
struct AnswerSource {
  std::size_t query;  // which of those that were asked
  std::optional<std::uint64_t> pid{};
  bool is_one_of_several = false;  // processes, so that text names it
};

// JSON is a line. Text is a line and, where several records have their places in the code, a further one
// of each, indented. Text names the query where there are several.
std::string answer_lines(const AskedQueries& asked, const AnswerSource& source,
                         const ptql::Answer& answer, AnswerFormat format);

// The sink of engines: writes each answer at once. In text, the title of a check stands before its
// first answer.
class AnswerWriter {
 public:
  // `asked` outlives it.
  AnswerWriter(const AskedQueries& asked, AnswerFormat format, int descriptor)
      : asked_(asked), format_(format), descriptor_(descriptor) {}

  void write(const AnswerSource& source, const ptql::Answer& answer);
  std::uint64_t written() const { return written_; }
  // 0, or the errno of the first write that failed; nothing was written since.
  int error() const { return error_; }

 private:
  const AskedQueries& asked_;
  const AnswerFormat format_;
  const int descriptor_;
  int error_ = 0;
  std::uint64_t written_ = 0;
  std::set<std::string> found_;  // checks, by name
};

// Returns a line for each identifier that a method of the recording, or of the text of events, nearly fits. In a running
// program the agent looks for such methods.
std::vector<std::string> near_misses(const AskedQueries& asked, const ptql::Engines& engines);

// Returns lines for say(): "3 answers from 120 events" of one query, "3 answers to 5 queries: 2 to a.ptql, 1 to query 2" of
// several, and what may be wrong with them.
std::vector<std::string> answers_summary(const AskedQueries& asked, const ptql::Engines& engines);

}  // namespace copse::cli
