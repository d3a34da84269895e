// From the tuples that satisfy a query to its answers: projected, each once, counted, sorted, as
// many as wanted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <unordered_map>
#include <vector>

#include "ptql/language/query.h"

namespace copse::ptql {

// The event that completed an answer; the run's end, where answers are counted or sorted.
struct AnswerEvent {
  std::uint64_t time = 0;         // the stamp
  std::int64_t real_time_ms = 0;  // as in MethodEntry
  // Absent when it was the end of an object, or of the run; and what the source did not tell.
  Value thread{};
  Value thread_name{};
  Value context{};
};

struct Answer {
  std::vector<Value> values;  // by Query::selected
  AnswerEvent event;
  // By identifier: where the record began, of the first tuple that gave this answer. Absent where the
  // source did not tell, and of NEGATIVE identifiers. Empty where answers are counted or sorted.
  std::vector<Value> contexts{};
};

using AnswerSink = std::function<void(const Answer&)>;

class Answers {
 public:
  // `query` outlives it.
  Answers(const Query& query, AnswerSink sink);

  // A tuple's values by Query::selected; those of COUNT(*) are absent.
  void add(std::vector<Value> values, const AnswerEvent& event, std::vector<Value> contexts);
  // Gives out what had to wait for all tuples.
  void finish(const AnswerEvent& event);

  bool done() const noexcept;  // LIMIT is reached: no tuple makes a difference any more
  std::uint64_t given() const noexcept { return given_; }
  std::size_t bytes() const noexcept { return bytes_; }
  // Makes room; false when nothing is kept. See forgotten().
  bool forget_oldest();
  // Rows that were forgotten: one of them may be given again or, where answers are counted or
  // sorted, is missing.
  std::uint64_t forgotten() const noexcept { return forgotten_; }

 private:
  struct RowHash {
    std::size_t operator()(const std::vector<Value>& row) const noexcept;
  };
  struct RowEqual {
    bool operator()(const std::vector<Value>& left, const std::vector<Value>& right) const noexcept;
  };
  using Rows = std::unordered_map<std::vector<Value>, std::int64_t, RowHash, RowEqual>;

  void give(std::vector<Value> values, const AnswerEvent& event, std::vector<Value> contexts);
  bool before(const std::vector<Value>& left, const std::vector<Value>& right) const;

  const Query& query_;
  const AnswerSink sink_;
  const bool waits_;
  const bool distinct_;  // no two tuples have one projection
  Rows rows_;            // with the number of their tuples
  std::deque<const std::vector<Value>*> by_age_;
  std::size_t bytes_ = 0;
  std::uint64_t given_ = 0;
  std::uint64_t forgotten_ = 0;
};

}  // namespace copse::ptql
