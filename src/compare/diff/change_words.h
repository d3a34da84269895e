// Words for changes, shared by the text and the Markdown of a comparison.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compare/diff/changes.h"
#include "compare/diff/comparison.h"
#include "compare/diff/findings.h"
#include "report/model/quantity.h"

namespace copse::diff {

// Returns the name of a measure as people read it, "cpu time" for "cpu_ns"; printable.
std::string measure_in_words(const Comparison& comparison, const std::string& name);

// An amount with one standard error, 0 if it is exact.
struct Amount {
  std::uint64_t value = 0;
  double error = 0;
};

// Amounts of one measure, with the errors of its samples.
class Amounts {
 public:
  Amounts(const Comparison& comparison, std::size_t measure);

  report::Unit unit() const { return unit_; }
  bool is_sampled() const { return samples_.has_value(); }
  // Index of the measure of its samples.
  const std::optional<std::size_t>& samples() const { return samples_; }
  // `samples`: none where the measure is exact.
  Amount of(std::uint64_t value, std::uint64_t samples) const;
  Amount sum(bool is_new) const;

 private:
  const Comparison& comparison_;
  std::size_t measure_;
  report::Unit unit_;
  std::optional<std::size_t> samples_;
};

// One standard error of the difference of two such amounts.
double error_of(const Amount& before, const Amount& now);

std::string in_words(report::Unit unit, const Amount& amount);
// "+200,000", "-8 ms"; "0" for none. `error`: one standard error.
std::string change_in_words(report::Unit unit, double change, double error = 0);
std::string change_in_words(report::Unit unit, const Amount& before, const Amount& now);
// "+64.8 %", "x 12,419", "x 1/12.4"; "within chance" for less than two standard errors; "" without a difference, and
// where OLD has nothing.
std::string ratio_in_words(const Amount& before, const Amount& now);

// A row of totals: a measure, or what is left out of one.
struct Total {
  std::string name;  // printable
  report::Unit unit;
  Amount before, now;
  bool is_shown = false;     // the measure by which the contexts are compared
  bool is_left_out = false;  // out of the measure above
};
// The measures that both reports have any of, and the one shown, without numbers of samples and ranges of runs; behind
// each what is left out of it. `shown`: index of the measure shown.
std::vector<Total> totals_of(const Comparison& comparison, std::size_t shown);

// Returns the kind of a change as people read it, "fewer calls per caller". `of_calls`: the measure is calls.
std::string kind_in_words(const Comparison& comparison, const Change& change, bool of_calls);

// Amounts that changed (amounts_of() in changes.h), by change; calls are those of the context itself.
struct FromTo {
  std::string before, now;
};
std::vector<FromTo> amounts_in_words(const Comparison& comparison, const Findings& findings,
                                     const std::vector<Change>& list);

// Returns the name of a change of the root: outside of all contexts, or spread over too many to be told.
std::string words_of_root(const Comparison& comparison, std::size_t measure);

// Returns sentences about losses, merged recursion, and measures in one report only. `shown`: index of the measure by
// which contexts are compared.
std::vector<std::string> notes_on(const Comparison& comparison, std::size_t shown);

}  // namespace copse::diff
