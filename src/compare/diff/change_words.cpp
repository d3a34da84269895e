#include "compare/diff/change_words.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/grouped.h"
#include "base/printable.h"
#include "report/model/measure_view.h"
#include "report/model/per_call.h"
#include "report/text/slice_lists.h"

namespace copse::diff {
namespace {

void add_losses(const std::string& name, const report::ReportModel& about,
                std::vector<std::string>& to) {
  const report::ReportModel::Totals& totals = about.totals;
  if (totals.calls_lost != 0) {
    to.push_back(printable(name) + ": " + counted(totals.calls_lost, "call") +
                 " lost: counts are lower bounds");
  }
  if (totals.evicted_contexts != 0) {
    to.push_back(printable(name) + ": " + grouped(totals.evicted_calls) +
                 " calls are in evicted contexts: counts of others are lower bounds");
  }
  if (totals.merged_methods != 0) {
    to.push_back(printable(name) + ": recursion of " + counted(totals.merged_methods, "method") +
                 " is merged");
  }
}

// Options of a recording that decide which contexts a report has.
struct ContextOption {
  std::string_view key;     // in the report
  std::string_view option;  // of the command
  std::string_view usual;   // value where the option is not given
};
constexpr ContextOption kContextOptions[] = {{"by-thread", "--by-thread", ""},
                                             {"sites", "--no-sites", "true"},
                                             {"jdk", "--jdk", "false"},
                                             {"include", "--include", ""},
                                             {"exclude", "--exclude", ""}};

std::string_view value_of(const report::ReportModel& about, const ContextOption& option) {
  const auto found = about.options.find(std::string(option.key));
  return found == about.options.end() ? option.usual : std::string_view(found->second);
}

// Notes options with which one of the reports was recorded, and not the other. A report from another tool has none.
void add_unlike_options(const Comparison& comparison, std::vector<std::string>& to) {
  const report::ReportModel& before = comparison.old_about;
  const report::ReportModel& now = comparison.both;
  if (before.options.empty() || now.options.empty()) return;
  for (const ContextOption& option : kContextOptions) {
    const std::string_view values[] = {value_of(before, option), value_of(now, option)};
    if (values[0] == values[1]) continue;
    for (const std::size_t side : {0, 1}) {
      if (values[side] == option.usual) continue;
      const bool is_flag = option.usual == "true" || option.usual == "false";
      to.push_back(printable(side == 0 ? comparison.old_name : comparison.new_name) +
                   ": recorded with " + std::string(option.option) +
                   (is_flag ? "" : " " + printable(values[side])) +
                   ", the other not: contexts differ for that reason alone");
    }
  }
}

// Notes on recordings whose contexts differ though the program's may not.
void add_unlike(const Comparison& comparison, std::vector<std::string>& to) {
  const report::ReportModel& before = comparison.old_about;
  const report::ReportModel& now = comparison.both;
  if (before.totals.merged_methods != now.totals.merged_methods) {
    to.push_back(
        "Contexts below merged recursion differ for that reason alone: record both with "
        "--recursion merge, or both with --recursion full");
  }
  add_unlike_options(comparison, to);
}

// Notes that the slower one of two slices was not slow because of its calls.
void add_slow_slice(const Comparison& comparison, std::vector<std::string>& to) {
  const report::ReportModel::OneSlice& before = comparison.old_about.one_slice;
  const report::ReportModel::OneSlice& now = comparison.both.one_slice;
  if (before.text.empty() || now.text.empty() || !comparison.part.empty()) return;
  const NumberColumn& old_calls = comparison.old_values(0);
  const NumberColumn& new_calls = comparison.new_values(0);
  const bool is_now = now.wall_ns > before.wall_ns;
  const report::ReportModel::OneSlice &slow = is_now ? now : before, &fast = is_now ? before : now;
  const NumberColumn &calls = is_now ? new_calls : old_calls,
                     &others = is_now ? old_calls : new_calls;
  if (fast.wall_ns > slow.wall_ns / 2) return;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (calls[i] > others[i]) return;
  }
  const bool is_same = old_calls == new_calls;
  to.push_back(
      "The slice of " + report::in_words(report::Unit::kNanoseconds, slow.wall_ns) +
      (is_same ? " makes the same calls as that of " : " makes no more calls than that of ") +
      report::in_words(report::Unit::kNanoseconds, fast.wall_ns) + ": " +
      report::reasons_besides_calls(slow.wall_ns, slow.cpu_ns) +
      ". The one with the most calls is --slice most-calls.");
}

}  // namespace

std::string measure_in_words(const Comparison& comparison, const std::string& name) {
  const std::string words = report::words_of(comparison.both, name);
  return printable(words.empty() ? name : words);
}

Amounts::Amounts(const Comparison& comparison, std::size_t measure)
    : comparison_(comparison),
      measure_(measure),
      unit_(report::unit_named(comparison.measures[measure].unit)),
      samples_(comparison.samples_of(measure)) {}

Amount Amounts::of(std::uint64_t value, std::uint64_t samples) const {
  if (!samples_) return {value, 0};
  return {value,
          static_cast<double>(value) * report::sampling_error(std::max<std::uint64_t>(1, samples))};
}

Amount Amounts::sum(bool is_new) const {
  const auto total = [&](std::size_t measure) {
    return sum_of(is_new ? comparison_.new_values(measure) : comparison_.old_values(measure));
  };
  return of(total(measure_), samples_ ? total(*samples_) : 0);
}

double error_of(const Amount& before, const Amount& now) {
  return std::hypot(before.error, now.error);
}

std::string in_words(report::Unit unit, const Amount& amount) {
  if (amount.error == 0) return report::in_words(unit, amount.value);
  return report::in_words_with_error(unit, static_cast<double>(amount.value), amount.error);
}

std::string change_in_words(report::Unit unit, double change, double error) {
  const std::string size = report::in_words_with_error(unit, std::abs(change), error);
  return size == "0" || size.starts_with("0 ") ? "0" : (change < 0 ? "-" : "+") + size;
}

std::string change_in_words(report::Unit unit, const Amount& before, const Amount& now) {
  const bool is_less = now.value < before.value;
  const std::uint64_t change = is_less ? before.value - now.value : now.value - before.value;
  const std::string size = in_words(unit, {change, error_of(before, now)});
  return size == "0" || size.starts_with("0 ") ? "0" : (is_less ? "-" : "+") + size;
}

std::string ratio_in_words(const Amount& before, const Amount& now) {
  constexpr double kStandardErrors = 2, kMostPercent = 10;
  if (before.value == now.value) return "";
  const auto old_value = static_cast<double>(before.value), value = static_cast<double>(now.value);
  if (const double error = error_of(before, now);
      error > 0 && std::abs(value - old_value) < kStandardErrors * error) {
    return "within chance";
  }
  if (before.value == 0) return "";
  const double ratio = value / old_value;
  const double error =
      now.value == 0 ? 0 : std::hypot(before.error / old_value, now.error / value);  // relative
  if (ratio >= kMostPercent) return "x " + report::in_digits_with_error(ratio, ratio * error);
  if (now.value != 0 && ratio <= 1 / kMostPercent) {
    return "x 1/" + report::in_digits_with_error(1 / ratio, error / ratio);
  }
  const double percent = 100 * (ratio - 1);
  return (percent < 0 ? "-" : "+") +
         report::in_digits_with_error(std::abs(percent), 100 * ratio * error) + " %";
}

std::vector<Total> totals_of(const Comparison& comparison, std::size_t shown) {
  std::vector<Total> totals;
  for (std::size_t i = 0; i < comparison.measures.size(); ++i) {
    const ComparedMeasure& measure = comparison.measures[i];
    const bool is_detail = measure.name == report::samples_of(measure.name) ||
                           measure.name.starts_with(report::kLeast) ||
                           measure.name.starts_with(report::kGreatest);
    if (!measure.in_old || !measure.in_new || (is_detail && i != shown)) continue;
    const Amounts amounts(comparison, i);
    Total total{measure_in_words(comparison, measure.name), amounts.unit(), amounts.sum(false),
                amounts.sum(true), i == shown};
    std::vector<Total> left_out;
    for (const auto& [part, whose] :
         {std::pair{&LeftOut::jvm, "the JVM"}, std::pair{&LeftOut::idle, "idle threads"}}) {
      const std::uint64_t before = measure.old_left_out.*part, now = measure.new_left_out.*part;
      if (before == 0 && now == 0) continue;
      left_out.push_back({total.name + " of " + whose + ", left out",
                          total.unit,
                          {before, 0},
                          {now, 0},
                          false,
                          true});
    }
    // States in which no thread was.
    if (i != shown && left_out.empty() && total.before.value == 0 && total.now.value == 0) continue;
    if (!left_out.empty()) total.name += " of the program";
    totals.push_back(std::move(total));
    totals.insert(totals.end(), left_out.begin(), left_out.end());
  }
  return totals;
}

std::string kind_in_words(const Comparison& comparison, const Change& change, bool of_calls) {
  const bool is_more = change.kind == ChangeKind::kMore;
  switch (change.kind) {
    case ChangeKind::kMore:
    case ChangeKind::kFewer:
      return std::string(is_more ? "more" : "fewer") + (of_calls ? "" : " calls") +
             (change.is_per_caller ? " per caller" : "");
    case ChangeKind::kCost: {
      const auto node = static_cast<std::size_t>(change.node);
      const bool has_calls =
          comparison.old_values(0)[node] != 0 && comparison.new_values(0)[node] != 0;
      return std::string(change.effect > 0 ? "more" : "less") + (has_calls ? " per call" : "");
    }
    default:
      return name_of(change.kind);
  }
}

std::vector<FromTo> amounts_in_words(const Comparison& comparison, const Findings& findings,
                                     const std::vector<Change>& list) {
  const Amounts amounts(comparison, findings.measure);
  std::vector<FromTo> words;
  Inclusive of_changes, samples;
  if (findings.measure != 0) {
    of_changes = amounts_of(comparison, findings.measure, findings.changes, list);
  }
  if (amounts.samples())
    samples = amounts_of(comparison, *amounts.samples(), findings.changes, list);
  const auto in_words_of = [&](std::size_t i, bool is_new) {
    if (findings.measure == 0) {
      const auto node = static_cast<std::size_t>(list[i].node);
      return grouped((is_new ? comparison.new_values(0) : comparison.old_values(0))[node]);
    }
    const std::uint64_t value = (is_new ? of_changes.now : of_changes.before)[i];
    std::uint64_t own = 0;
    if (amounts.samples()) own = (is_new ? samples.now : samples.before)[i];
    return in_words(amounts.unit(), amounts.of(value, own));
  };
  for (std::size_t i = 0; i < list.size(); ++i) {
    words.push_back({in_words_of(i, false), in_words_of(i, true)});
  }
  return words;
}

std::string words_of_root(const Comparison& comparison, std::size_t measure) {
  const bool is_outside = comparison.old_values(measure)[0] != comparison.new_values(measure)[0];
  return is_outside ? "(outside of all contexts)" : "(a little in each of many contexts)";
}

std::vector<std::string> notes_on(const Comparison& comparison, std::size_t shown) {
  std::vector<std::string> notes;
  add_losses(comparison.old_name, comparison.old_about, notes);
  add_losses(comparison.new_name, comparison.both, notes);
  add_unlike(comparison, notes);
  add_slow_slice(comparison, notes);
  for (const ComparedMeasure& measure : comparison.measures) {
    if (measure.in_old == measure.in_new) continue;
    const std::string& lacking = measure.in_old ? comparison.new_name : comparison.old_name;
    std::string note =
        printable(lacking) + ": has no " + measure_in_words(comparison, measure.name);
    if (&measure == &comparison.measures.front()) {
      note += "; contexts are compared by " +
              measure_in_words(comparison, comparison.measures[shown].name);
    }
    notes.push_back(std::move(note));
  }
  return notes;
}

}  // namespace copse::diff
