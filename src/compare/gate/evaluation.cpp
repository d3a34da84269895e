#include "compare/gate/evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/grouped.h"
#include "base/printable.h"
#include "compare/diff/change_words.h"
#include "compare/gate/amounts.h"
#include "compare/gate/method_pattern.h"
#include "compare/gate/presence.h"
#include "compare/gate/span.h"
#include "report/model/report_model.h"

namespace copse::gate {
namespace {

using diff::Comparison;
using report::ReportModel;
using report::Unit;

// Standard errors within which a difference of samples may be chance.
constexpr double kBeyondChance = 2;

// A number of one report with its standard error.
struct Estimate {
  double value = 0, error = 0;
};

Estimate estimate_of(const Amount& amount) {
  return {static_cast<double>(amount.value), amount.error};
}
Estimate divided(const Estimate& by, const Estimate& divisor) {
  if (divisor.value == 0) return {0, 0};
  const double value = by.value / divisor.value;
  return {value, std::hypot(by.error, value * divisor.error) / divisor.value};
}
Estimate threshold(const Estimate& before, const Bound& bound) {
  const double number = static_cast<double>(bound.digits) / static_cast<double>(bound.scale);
  switch (bound.kind) {
    case Bound::Kind::kPlain:
      return {number, 0};
    case Bound::Kind::kChange:
      return {before.value + number, before.error};
    case Bound::Kind::kPercent:
      return {before.value * (1 + number / 100), before.error * (1 + number / 100)};
  }
  return before;
}

std::string range_text(Unit unit, std::uint64_t least, std::uint64_t greatest) {
  const std::string from = report::in_words(unit, least);
  return least == greatest ? from : from + " to " + report::in_words(unit, greatest);
}

class Evaluation {
 public:
  Evaluation(const Rule& rule, const Comparison& comparison, std::size_t most_culprits)
      : comparison_(comparison), most_culprits_(most_culprits) {
    outcome_.rule = rule;
  }

  Outcome made() {
    const bool counts_changes = rule().term.what != Term::What::kMeasure;
    Status status = counts_changes ? evaluate_presence() : evaluate_amounts();
    if (!status) cannot_say(status.message());
    if (outcome_.verdict != Verdict::kHolds || !outcome_.notes.empty()) note_options();
    note_names(rule().term);
    if (rule().divisor) note_names(*rule().divisor);
    return std::move(outcome_);
  }

 private:
  const Rule& rule() const { return outcome_.rule; }
  bool is_relative() const { return rule().bound.kind != Bound::Kind::kPlain; }
  // Returns true if growth breaks the rule.
  bool is_upwards() const {
    const Comparator comparator = rule().comparator;
    return comparator == Comparator::kMore || comparator == Comparator::kAtLeast;
  }
  bool is_equality() const {
    const Comparator comparator = rule().comparator;
    return comparator == Comparator::kEqual || comparator == Comparator::kDifferent;
  }

  void cannot_say(const std::string& why) {
    outcome_.verdict = Verdict::kCannotSay;
    outcome_.why = why;
  }
  void note(std::string sentence) { outcome_.notes.push_back(std::move(sentence)); }

  Status evaluate_presence();
  Status evaluate_amounts();
  void judge(Truth by_runs, Truth possible, const std::string& why_unknown);
  bool is_within_chance();
  void note_runs();
  void note_options();
  void note_names(const Term& term);
  std::string words_of_runs() const;
  std::string value_of(const Amounts& amounts, bool now) const;
  std::string quotient_of(bool now) const;
  std::string values() const;
  std::string change() const;
  Result<Amounts> measured(const Term& term, std::optional<Scope>& scope) const;
  Status check_divisor() const;
  Span value_span(bool now, bool possible) const;
  void name_culprits(const Scope& scope);

  const Comparison& comparison_;
  const std::size_t most_culprits_;
  Outcome outcome_;
  Amounts amounts_;
  std::optional<Amounts> divisor_;
};

void Evaluation::note_names(const Term& term) {
  for (const Pattern* pattern : {&term.of, term.under ? &*term.under : nullptr,
                                 term.per_slice ? &*term.per_slice : nullptr}) {
    if (pattern == nullptr) continue;
    std::string sentence = classes_in_words(comparison_, *pattern);
    if (!sentence.empty()) note(std::move(sentence));
  }
}

Status Evaluation::evaluate_presence() {
  const Result<Scope> scope = Scope::of(comparison_, rule().term);
  if (!scope.ok()) return scope.status();
  if (rule().term.what == Term::What::kMoreContexts) {
    const diff::ComparedMeasure& calls = comparison_.measures[0];
    for (const auto& [whole, name] : {std::pair{calls.old_whole, comparison_.old_name},
                                      std::pair{calls.new_whole, comparison_.new_name}}) {
      if (whole == 0)
        return Status::error(Fault::kNotFound, printable(name) + " has no calls at all");
    }
  }
  Presence presence = presence_of(comparison_, rule().term, *scope);
  std::string what = words_of(rule().term);
  if (presence.value == 1 && presence.of_runs.least == 1) what.pop_back();
  outcome_.values = range_text(Unit::kCount, presence.of_runs.least, presence.value) + " " + what;
  const Span bound = threshold(Span{}, rule().bound);
  judge(compare(span_of(presence.of_runs), rule().comparator, bound),
        compare(span_of(presence.possible), rule().comparator, bound), presence.why_unknown);
  if (outcome_.verdict != Verdict::kBroken) return {};
  const std::size_t shown = std::min(presence.nodes.size(), most_culprits_);
  outcome_.other_culprits = presence.nodes.size() - shown;
  presence.nodes.resize(shown);
  for (const std::int32_t node : presence.nodes) {
    const auto row = static_cast<std::size_t>(node);
    outcome_.culprits.push_back(
        {node, comparison_.old_values(0)[row], comparison_.new_values(0)[row]});
  }
  return {};
}

Result<Amounts> Evaluation::measured(const Term& term, std::optional<Scope>& scope) const {
  if (term.per_slice) return slice_amounts_of(comparison_, term, is_relative());
  Result<Scope> found = Scope::of(comparison_, term);
  if (!found.ok()) return found.status();
  scope = std::move(*found);
  return amounts_of(comparison_, term, *scope, is_relative());
}

Status Evaluation::evaluate_amounts() {
  std::optional<Scope> scope, scope_of_divisor;
  Result<Amounts> amounts = measured(rule().term, scope);
  if (!amounts.ok()) return amounts.status();
  amounts_ = std::move(*amounts);
  outcome_.unit = amounts_.unit;
  outcome_.measure = amounts_.name;
  if (rule().divisor) {
    Result<Amounts> divisor = measured(*rule().divisor, scope_of_divisor);
    if (!divisor.ok()) return divisor.status();
    divisor_ = std::move(*divisor);
    if (Status status = check_divisor(); !status) return status;
  }
  outcome_.values = values();
  if (is_equality() && (amounts_.is_sampled || (divisor_ && divisor_->is_sampled))) {
    return Status::error(Fault::kUsage,
                         std::string(symbol_of(rule().comparator)) + " is of exact numbers, and " +
                             printable(amounts_.is_sampled ? amounts_.name : divisor_->name) +
                             " is an estimate; write > or <");
  }
  std::string why_unknown;
  const auto add_why = [&](const Amount& amount) {
    if (amount.why_unknown.empty()) return;
    why_unknown += (why_unknown.empty() ? "" : "; ") + amount.why_unknown;
  };
  for (const Amounts* of : {&amounts_, divisor_ ? &*divisor_ : nullptr}) {
    if (of == nullptr) continue;
    add_why(of->now);
    if (is_relative()) add_why(of->before);
  }
  const auto truth = [&](bool possible) {
    const Span before = is_relative() ? value_span(false, possible) : Span{};
    return compare(value_span(true, possible), rule().comparator, threshold(before, rule().bound));
  };
  judge(truth(false), truth(true), why_unknown);
  if (outcome_.verdict == Verdict::kBroken && is_within_chance()) {
    outcome_.verdict = Verdict::kHolds;
  }
  if (outcome_.verdict != Verdict::kBroken) return {};
  if (scope) {
    name_culprits(*scope);
  } else if (const std::uint64_t slice = slice_with_most(comparison_, rule().term); slice != 0) {
    note("The slice with the most is " + std::to_string(slice) + ", if it was kept: copse report " +
         printable(comparison_.new_name) + " --slice " + std::to_string(slice) + ".");
  }
  return {};
}

Status Evaluation::check_divisor() const {
  const auto lacks = [&](const Amount& amount, const Amount& of, bool any) {
    return of.possible.is_bounded && of.possible.greatest == 0 &&
           (any || amount.possible.least == 0);
  };
  const auto error = [&](const std::string& name) {
    return Status::error(Fault::kNotFound, "there is none of " + words_of(*rule().divisor) + "(" +
                                               printable(rule().divisor->of.glob) +
                                               ") to divide by in " + printable(name));
  };
  if (lacks(amounts_.now, divisor_->now, false)) return error(comparison_.new_name);
  if (is_relative() && lacks(amounts_.before, divisor_->before, true)) {
    return error(comparison_.old_name);
  }
  return {};
}

Span Evaluation::value_span(bool now, bool possible) const {
  const auto span = [&](const Amounts& amounts) {
    const Amount& amount = now ? amounts.now : amounts.before;
    return possible ? amount.possible : amount.of_runs();
  };
  const CountSpan count = span(amounts_);
  if (!divisor_) return span_of(count);
  const CountSpan by = span(*divisor_);
  // The divisor is 0, and so may the count be: any value is possible.
  if (by.greatest == 0 && by.is_bounded && count.least == 0) return {{}, kInfinite};
  return span_of(count, by);
}

void Evaluation::judge(Truth by_runs, Truth possible, const std::string& why_unknown) {
  if (possible == Truth::kDepends && !why_unknown.empty()) {
    cannot_say("it depends on what is not known: " + why_unknown);
    return;
  }
  outcome_.verdict = possible == Truth::kYes ? Verdict::kBroken : Verdict::kHolds;
  if (by_runs == Truth::kDepends) note_runs();
}

std::string Evaluation::words_of_runs() const {
  const std::uint64_t before = comparison_.old_about.program.runs,
                      now = comparison_.both.program.runs;
  if (before > 1 && now > 1) {
    return fmt::format("the {} of {} and the {} of {} differ by", counted(before, "run"),
                       printable(comparison_.old_name), counted(now, "run"),
                       printable(comparison_.new_name));
  }
  return before > 1 ? fmt::format("the {} of {} differ by", counted(before, "run"),
                                  printable(comparison_.old_name))
                    : fmt::format("the {} of {} differ by", counted(now, "run"),
                                  printable(comparison_.new_name));
}

void Evaluation::note_runs() {
  note("It may be broken or hold, within what " + words_of_runs() + ".");
}

// Returns true if the difference to the bound is within the error of samples, and then adds a note.
bool Evaluation::is_within_chance() {
  const auto estimate = [&](bool now) {
    const Estimate of = estimate_of(now ? amounts_.now : amounts_.before);
    return divisor_ ? divided(of, estimate_of(now ? divisor_->now : divisor_->before)) : of;
  };
  const Estimate now = estimate(true),
                 bound = threshold(is_relative() ? estimate(false) : Estimate{}, rule().bound);
  const double error = std::hypot(now.error, bound.error);
  if (error == 0) return false;
  const double difference = std::abs(now.value - bound.value);
  const bool is_chance = difference <= kBeyondChance * error;
  note(fmt::format(
      "Samples: the difference to the bound is {} standard errors, {} the {} that may be chance.",
      report::in_digits(difference / error), is_chance ? "within" : "beyond",
      report::in_digits(kBeyondChance)));
  return is_chance;
}

// Notes options that differ: they decide which methods a report can have.
void Evaluation::note_options() {
  const auto setting = [](const ReportModel& about, const char* option) {
    const auto found = about.options.find(option);
    return found == about.options.end() ? std::string() : found->second;
  };
  for (const char* option : {"include", "exclude", "jdk", "by-thread"}) {
    const std::string before = setting(comparison_.old_about, option),
                      now = setting(comparison_.both, option);
    if (before == now) continue;
    note(fmt::format(
        "The reports were recorded with different options: {} is '{}' in {} and '{}' in {}.",
        option, printable(before), printable(comparison_.old_name), printable(now),
        printable(comparison_.new_name)));
  }
}

std::string Evaluation::value_of(const Amounts& amounts, bool now) const {
  const Amount& amount = now ? amounts.now : amounts.before;
  return range_text(amounts.unit, amount.least, amount.greatest);
}

std::string Evaluation::quotient_of(bool now) const {
  const Amount& of = now ? amounts_.now : amounts_.before;
  const Amount& by = now ? divisor_->now : divisor_->before;
  const std::string parts = value_of(amounts_, now) + " by " + value_of(*divisor_, now);
  if (by.value == 0) return parts;
  return report::in_digits(static_cast<double>(of.value) / static_cast<double>(by.value)) + " (" +
         parts + ")";
}

// "1 in old.json, 101 in new.json: +100"; without OLD where it need not have the measure.
std::string Evaluation::values() const {
  const auto value = [&](bool now) {
    return divisor_ ? quotient_of(now) : value_of(amounts_, now);
  };
  const std::string now = value(true) + " in " + printable(comparison_.new_name);
  if (!is_relative()) return now;
  return value(false) + " in " + printable(comparison_.old_name) + ", " + now + change();
}

std::string Evaluation::change() const {
  if (divisor_) return "";
  const diff::Amount before{amounts_.before.value, amounts_.before.error};
  const diff::Amount now{amounts_.now.value, amounts_.now.error};
  if (before.value == now.value) return ": no change";
  const std::string ratio = diff::ratio_in_words(before, now);
  return ": " + diff::change_in_words(amounts_.unit, before, now) +
         (ratio.empty() ? "" : ", " + ratio);
}

void Evaluation::name_culprits(const Scope& scope) {
  std::vector<Part> parts = parts_of(comparison_, amounts_, scope);
  const auto difference = [](const Part& part) {
    return static_cast<Wide>(part.now) - static_cast<Wide>(part.before);
  };
  // Share of a context: its amount, or its increase or decrease.
  const auto share = [&](const Part& part) -> Wide {
    if (is_equality() && is_relative()) return std::max(difference(part), -difference(part));
    if (!is_upwards() && !is_equality()) return -difference(part);
    return is_relative() ? difference(part) : Wide{part.now};
  };
  std::erase_if(parts, [&](const Part& part) { return share(part) <= 0; });
  std::stable_sort(parts.begin(), parts.end(),
                   [&](const Part& a, const Part& b) { return share(a) > share(b); });
  const std::size_t shown = std::min(parts.size(), most_culprits_);
  outcome_.other_culprits = parts.size() - shown;
  for (std::size_t i = 0; i < shown; ++i) {
    outcome_.culprits.push_back({parts[i].node, parts[i].before, parts[i].now});
  }
}

}  // namespace

Outcome evaluate(const Rule& rule, const Comparison& comparison, std::size_t culprits) {
  return Evaluation(rule, comparison, culprits).made();
}

int exit_status_of(const std::vector<Outcome>& outcomes) {
  const auto has = [&](Verdict verdict) {
    return std::any_of(outcomes.begin(), outcomes.end(),
                       [&](const Outcome& outcome) { return outcome.verdict == verdict; });
  };
  return has(Verdict::kBroken) ? 1 : has(Verdict::kCannotSay) ? 2 : 0;
}

}  // namespace copse::gate
