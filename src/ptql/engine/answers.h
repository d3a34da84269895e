// Turns the tuples that satisfy a query into its answers: projects, removes duplicates, combines, sorts, limits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ptql/engine/combined_values.h"
#include "ptql/language/query.h"

namespace copse::ptql {

// Event that completed an answer; the end of the run when answers are combined or sorted.
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
  // absent for NEGATIVE identifiers and when the source did not report it. Empty when answers are combined or sorted.
  std::vector<Value> contexts{};
};

using AnswerSink = std::function<void(const Answer&)>;

class Answers {
 public:
  // REQUIRES: `query` outlives this object.
  Answers(const Query& query, AnswerSink sink);

  // Adds a tuple. `values` are ordered as Query::selected; the value of COUNT(*) is absent.
  void add(std::vector<Value> values, const AnswerEvent& event, std::vector<Value> contexts);
  // Passes on the answers that had to wait for all tuples.
  void finish(const AnswerEvent& event);

  bool done() const noexcept;  // Returns true once LIMIT is reached: further tuples change nothing.
  std::uint64_t given() const noexcept { return given_; }
  std::size_t bytes() const noexcept { return bytes_; }
  // Frees memory; returns false when nothing is kept. See forgotten().
  bool forget_oldest();
  // Number of forgotten rows. A forgotten row may be given again or, when answers are combined or sorted, is missing.
  std::uint64_t forgotten() const noexcept { return forgotten_; }
  // Returns a sentence for each aggregate that left out values because they were no numbers.
  std::vector<std::string> left_out() const;

 private:
  struct RowHash {
    std::size_t operator()(const std::vector<Value>& row) const noexcept;
  };
  struct RowEqual {
    bool operator()(const std::vector<Value>& left, const std::vector<Value>& right) const noexcept;
  };
  struct Group {
    std::int64_t tuples = 0;
    std::vector<CombinedValues> combined;  // in the order of combined_
  };
  using Rows = std::unordered_map<std::vector<Value>, Group, RowHash, RowEqual>;

  void combine(Group& group, const std::vector<Value>& values);
  bool is_wanted(const Group& group, const std::vector<Value>& values) const;
  std::size_t bytes_of(const Rows::value_type& row) const;

  void give(std::vector<Value> values, const AnswerEvent& event, std::vector<Value> contexts);
  bool before(const std::vector<Value>& left, const std::vector<Value>& right) const;

  const Query& query_;
  const AnswerSink sink_;
  const bool waits_;
  const bool distinct_;  // no two tuples have the same projection
  std::vector<std::size_t>
      combined_;  // items of SUM, MIN, MAX and AVG, as indexes into Query::selected
  std::vector<std::uint64_t> left_out_;  // by item of combined_: values that were no numbers
  Rows rows_;                            // by the values that are not combined
  std::deque<const std::vector<Value>*> by_age_;
  std::size_t bytes_ = 0;
  std::uint64_t given_ = 0;
  std::uint64_t forgotten_ = 0;
};

}  // namespace copse::ptql
