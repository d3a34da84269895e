// Turns the tuples that satisfy a query into its answers: projects, removes duplicates, counts, sorts, limits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <unordered_map>
#include <vector>

#include "ptql/language/query.h"

namespace copse::ptql {

// Event that completed an answer; the end of the run when answers are counted or sorted.
struct AnswerEvent {
  std::uint64_t time = 0;         // the stamp
  std::int64_t real_time_ms = 0;  // as in MethodEntry
  // Absent for the end of an object or of the run, and when the source did not report it.
  Value thread{};
  Value thread_name{};
  Value context{};
};

struct Answer {
  std::vector<Value> values;  // by index in Query::selected
  AnswerEvent event;
  // By identifier: the context in which the record began, taken from the first tuple with this answer. A value is
  // absent for NEGATIVE identifiers and when the source did not report it. Empty when answers are counted or sorted.
  std::vector<Value> contexts{};
};

using AnswerSink = std::function<void(const Answer&)>;

class Answers {
 public:
  // REQUIRES: `query` outlives this object.
  Answers(const Query& query, AnswerSink sink);

  // Adds a tuple. `values` are ordered as Query::selected; the values of COUNT(*) are absent.
  void add(std::vector<Value> values, const AnswerEvent& event, std::vector<Value> contexts);
  // Passes on the answers that had to wait for all tuples.
  void finish(const AnswerEvent& event);

  bool done() const noexcept;  // Returns true once LIMIT is reached: further tuples change nothing.
  std::uint64_t given() const noexcept { return given_; }
  std::size_t bytes() const noexcept { return bytes_; }
  // Frees memory; returns false when nothing is kept. See forgotten().
  bool forget_oldest();
  // Number of forgotten rows. A forgotten row may be given again or, when answers are counted or sorted, is missing.
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
  const bool distinct_;  // no two tuples have the same projection
  Rows rows_;            // each with its number of tuples
  std::deque<const std::vector<Value>*> by_age_;
  std::size_t bytes_ = 0;
  std::uint64_t given_ = 0;
  std::uint64_t forgotten_ = 0;
};

}  // namespace copse::ptql
