#include "compare/gate/amounts.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/grouped.h"
#include "base/printable.h"
#include "compare/gate/method_pattern.h"
#include "report/model/measure_view.h"
#include "report/model/per_call.h"
#include "report/model/report_stats.h"
#include "report/model/row.h"
#include "report/model/typed_name.h"

namespace copse::gate {
namespace {

using diff::Comparison;
using report::at;
using report::ReportModel;
using Values = NumberColumn;

constexpr const char* kAllMethods = "**";

bool add_bounded(CountSpan& span, std::uint64_t more) noexcept {
  return !__builtin_add_overflow(span.greatest, more, &span.greatest);
}

std::optional<std::size_t> measure_named(const Comparison& comparison, const std::string& name) {
  for (std::size_t i = 0; i < comparison.measures.size(); ++i) {
    if (comparison.measures[i].name == name) return i;
  }
  return std::nullopt;
}

// One of the two reports, as needed for an amount.
struct Side {
  const Comparison& comparison;
  bool is_new;

  const std::string& name() const { return is_new ? comparison.new_name : comparison.old_name; }
  const ReportModel& about() const { return is_new ? comparison.both : comparison.old_about; }
  bool has(std::size_t measure) const {
    const diff::ComparedMeasure& of = comparison.measures[measure];
    return is_new ? of.in_new : of.in_old;
  }
  std::uint64_t lost(std::size_t measure) const {
    const diff::ComparedMeasure& of = comparison.measures[measure];
    return is_new ? of.new_lost : of.old_lost;
  }
  std::uint64_t whole(std::size_t measure) const {
    const diff::ComparedMeasure& of = comparison.measures[measure];
    return is_new ? of.new_whole : of.old_whole;
  }
  const Values& values(std::size_t measure) const {
    return is_new ? comparison.new_values(measure) : comparison.old_values(measure);
  }
  // Returns the measure with the least or greatest values over several runs; std::nullopt for one
  // run, or when not all runs have the measure.
  std::optional<std::size_t> range(const char* which, const std::string& name) const {
    if (about().program.runs <= 1) return std::nullopt;
    const std::optional<std::size_t> found = measure_named(comparison, which + name);
    return found && has(*found) ? found : std::nullopt;
  }
};

class SideAmount {
 public:
  SideAmount(const Side& side, const Term& term, const Scope& scope, std::size_t measure)
      : side_(side), term_(term), scope_(scope), measure_(measure) {}

  Amount made() {
    const std::string& name = side_.comparison.measures[measure_].name;
    const std::optional<std::size_t> least = side_.range(report::kLeast, name);
    const std::optional<std::size_t> greatest = side_.range(report::kGreatest, name);
    amount_.value = counted_in(side_.values(measure_));
    amount_.least = least ? counted_in(side_.values(*least)) : amount_.value;
    most_ = greatest.value_or(measure_);
    amount_.greatest = counted_in(side_.values(most_));
    amount_.possible = amount_.of_runs();
    add_lost();
    add_evicted();
    add_merged();
    add_skipped();
    add_error(name);
    return std::move(amount_);
  }

 private:
  bool is_calls() const { return measure_ == 0; }
  bool is_counted(std::size_t node) const {
    return is_calls() ? scope_.is_meant(node) : scope_.is_inside(node);
  }
  std::uint64_t counted_in(const Values& values) const {
    std::uint64_t sum = 0;
    for (std::size_t node = 0; node < values.size(); ++node) {
      if (is_counted(node)) sum += values[node];
    }
    return sum;
  }
  // Returns the amount that could belong to the term if paths were known: of calls, other calls of
  // the same methods; of another measure, the whole rest.
  std::uint64_t uncounted() const {
    const Values& values = side_.values(most_);
    std::uint64_t sum = 0;
    for (std::size_t node = 0; node < values.size(); ++node) {
      const bool could_be = !is_calls() || scope_.matches(node);
      if (could_be && !is_counted(node)) sum += values[node];
    }
    return sum;
  }

  void add(std::uint64_t more, const std::string& why) {
    if (more == 0) return;
    if (!add_bounded(amount_.possible, more)) amount_.possible.is_bounded = false;
    because(why);
  }
  void because(const std::string& why) {
    if (why.empty()) return;
    amount_.why_unknown += (amount_.why_unknown.empty() ? "" : "; ") + why;
  }
  std::string words_of(std::uint64_t many) const {
    const std::string& name = side_.comparison.measures[measure_].name;
    return is_calls() ? counted(many, "call") : grouped(many) + " of " + printable(name);
  }
  std::string in_report() const { return " in " + printable(side_.name()); }

  void add_lost() {
    const std::uint64_t lost = side_.lost(most_);
    add(lost, words_of(lost) + " lost" + in_report());
  }

  void add_evicted() {
    const ReportModel& both = side_.comparison.both;
    const Values& values = side_.values(most_);
    std::uint64_t evicted = 0;
    for (std::size_t node = 1; node < values.size(); ++node) {
      if (values[node] == 0 || is_counted(node)) continue;
      if (is_evicted_method(both.methods, at(both.nodes.method[node]))) evicted += values[node];
    }
    add(evicted, words_of(evicted) + " of evicted contexts" + in_report());
  }

  // Merged paths lack methods: contexts below a merged method may belong below others too.
  void add_merged() {
    const std::uint64_t methods = side_.about().totals.merged_methods;
    if (methods == 0 || (is_calls() && !term_.under)) return;
    add(uncounted(), "recursion of " + counted(methods, "method") + " is merged" + in_report());
  }

  void add_skipped() {
    const auto skipped = [&](const Pattern& pattern) {
      return pattern.glob == kAllMethods ? "" : skipped_match(side_.about().skipped, pattern.glob);
    };
    const std::string of = skipped(term_.of), under = term_.under ? skipped(*term_.under) : "";
    if (is_calls() && !of.empty()) amount_.possible.is_bounded = false;
    for (const std::string& method : {of, under}) {
      if (method.empty()) continue;
      if (!is_calls() || method == under) {
        add(uncounted(), "");
      }
      because(method + " is not recorded" + in_report());
    }
  }

  void add_error(const std::string& name) {
    const std::string of_samples = report::samples_of(name);
    const std::optional<std::size_t> samples =
        of_samples.empty() ? std::nullopt : measure_named(side_.comparison, of_samples);
    if (!samples || !side_.has(*samples)) return;
    const std::uint64_t here = counted_in(side_.values(*samples));
    if (here != 0) {
      amount_.error = static_cast<double>(amount_.value) * report::sampling_error(here);
      return;
    }
    // Nothing was seen: uses the amount that one sample stands for.
    double all = 0, of_all = 0;
    for (const std::uint64_t value : side_.values(measure_)) all += static_cast<double>(value);
    for (const std::uint64_t value : side_.values(*samples)) of_all += static_cast<double>(value);
    amount_.error = of_all == 0 ? 0 : all / of_all;
  }

  const Side side_;
  const Term& term_;
  const Scope& scope_;
  const std::size_t measure_;
  std::size_t most_ = 0;  // the column of the greatest values
  Amount amount_;
};

Result<std::size_t> choose_measure(const Comparison& comparison, const std::string& name) {
  const Result<std::string> found =
      report::measure_called(comparison.both, name, report::kEitherReport);
  if (!found.ok()) {
    return Status::error(Fault::kNotFound, printable(name) + ": " + printable(found.message()));
  }
  return *measure_named(comparison, *found);
}

Status check_side(const Side& side, std::size_t measure) {
  const std::string name = printable(side.name());
  if (measure == 0 && side.whole(0) == 0 && side.lost(0) == 0 &&
      side.about().totals.calls_of.empty()) {
    return Status::error(Fault::kNotFound, name + " has no calls at all");
  }
  if (!side.has(measure)) {
    return Status::error(Fault::kNotFound,
                         printable(diff::absent_measure(side.comparison, measure, side.is_new)));
  }
  const std::string& calls_of = side.about().totals.calls_of;
  if (measure != 0 || calls_of.empty()) return {};
  return Status::error(Fault::kNotFound,
                       name + " counts calls of " + printable(calls_of) + " alone");
}

using diff::ReportSlices;
using diff::SliceCalls;
using report::ReportModel;

// Returns whether the glob matches, by item of `slices`.
std::vector<bool> matches(const ReportSlices& slices, const std::string& glob,
                          const std::string SliceCalls::*class_name,
                          const std::string SliceCalls::*method) {
  ReportModel::Methods names;
  for (const SliceCalls& calls : slices.calls) {
    names.class_name.push_back(calls.*class_name);
    names.name.push_back(calls.*method);
  }
  names.descriptor.resize(names.name.size(), "()V");
  return report::TypedName(glob).rows(names);
}

// Returns the item of `slices` with the most calls of the term; nullptr if no slice has any.
Result<const SliceCalls*> most_of(const ReportSlices& slices, const std::string& name,
                                  const Term& term) {
  if (!slices.are_followed) {
    return Status::error(Fault::kNotFound,
                         printable(name) + " has no slices; record it with --slice");
  }
  const std::vector<bool> of =
      matches(slices, term.per_slice->glob, &SliceCalls::of_class, &SliceCalls::of_method);
  if (std::ranges::find(of, true) == of.end() && !term.per_slice->may_be_absent) {
    return Status::error(Fault::kNotFound, "no slice of " + printable(term.per_slice->glob) +
                                               " ended in " + printable(name));
  }
  const std::vector<bool> called =
      matches(slices, term.of.glob, &SliceCalls::class_name, &SliceCalls::method);
  const SliceCalls* most = nullptr;
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < slices.calls.size(); ++i) {
    if (!of[i] || !called[i]) continue;
    const SliceCalls& calls = slices.calls[i];
    const bool is_other = std::ranges::any_of(
        rows, [&](std::size_t row) { return slices.calls[row].of == calls.of; });
    if (is_other) {
      return Status::error(Fault::kUsage, printable(term.of.glob) +
                                              " matches several methods, whose calls in one slice "
                                              "are not known together; name one");
    }
    rows.push_back(i);
    if (most == nullptr || calls.most > most->most) most = &calls;
  }
  return most;
}

}  // namespace

Result<Amounts> amounts_of(const Comparison& comparison, const Term& term, const Scope& scope,
                           bool needs_old) {
  const Result<std::size_t> measure = choose_measure(comparison, term.measure);
  if (!measure.ok()) return measure.status();
  const Side before{comparison, false}, now{comparison, true};
  if (Status status = check_side(now, *measure); !status) return status;
  if (needs_old) {
    if (Status status = check_side(before, *measure); !status) return status;
  }
  Amounts amounts;
  amounts.name = comparison.measures[*measure].name;
  amounts.unit = report::unit_named(comparison.measures[*measure].unit);
  amounts.is_sampled = !report::samples_of(amounts.name).empty() &&
                       measure_named(comparison, report::samples_of(amounts.name));
  amounts.now = SideAmount(now, term, scope, *measure).made();
  amounts.before = SideAmount(before, term, scope, *measure).made();
  return amounts;
}

std::vector<Part> parts_of(const Comparison& comparison, const Amounts& amounts,
                           const Scope& scope) {
  const ReportModel::Nodes& nodes = comparison.both.nodes;
  const std::size_t measure = *measure_named(comparison, amounts.name);
  Values before = comparison.old_values(measure), now = comparison.new_values(measure);
  if (measure != 0) {
    before = report::inclusive_values(nodes, before);
    now = report::inclusive_values(nodes, now);
  }
  std::vector<Part> parts;
  for (std::size_t node = 1; node < nodes.parent.size(); ++node) {
    if (!scope.is_meant(node) || (before[node] == 0 && now[node] == 0)) continue;
    if (measure != 0 && scope.is_inside(at(nodes.parent[node]))) continue;
    parts.push_back({static_cast<std::int32_t>(node), before[node], now[node]});
  }
  return parts;
}

using report::at;

Result<Scope> Scope::of(const diff::Comparison& comparison, const Term& term) {
  Result<std::vector<bool>> methods = matching_methods(comparison, term.of);
  if (!methods.ok()) return methods.status();
  std::vector<bool> outer;
  if (term.under) {
    Result<std::vector<bool>> matching = matching_methods(comparison, *term.under);
    if (!matching.ok()) return matching.status();
    outer = std::move(*matching);
  }
  const report::ReportModel::Nodes& nodes = comparison.both.nodes;
  Scope scope;
  scope.bits_.resize(nodes.parent.size());
  // kBelow: a method of `under` is the context's own or further out; set for all contexts without
  // `under`.
  scope.bits_[0] = term.under ? 0 : kBelow;
  for (std::size_t node = 1; node < nodes.parent.size(); ++node) {
    const std::uint8_t above = scope.bits_[at(nodes.parent[node])];
    const std::size_t method = at(nodes.method[node]);
    std::uint8_t bits = above & (kBelow | kInside);
    if ((*methods)[method]) bits |= kMatches;
    if ((*methods)[method] && (above & kBelow) != 0) bits |= kMeant | kInside;
    if (term.under && outer[method]) bits |= kBelow;
    scope.bits_[node] = bits;
  }
  return scope;
}

Result<Amounts> slice_amounts_of(const diff::Comparison& comparison, const Term& term,
                                 bool needs_old) {
  if (const auto found = matching_methods(comparison, term.of); !found.ok()) return found.status();
  Amounts amounts;
  amounts.name = report::kCallsMeasure;
  for (const bool is_new : {true, false}) {
    if (!is_new && !needs_old) continue;
    const ReportSlices& slices = is_new ? comparison.new_slices : comparison.old_slices;
    const std::string& name = is_new ? comparison.new_name : comparison.old_name;
    const Result<const SliceCalls*> most = most_of(slices, name, term);
    if (!most.ok()) return most.status();
    Amount& amount = is_new ? amounts.now : amounts.before;
    amount.value = amount.least = amount.greatest = *most == nullptr ? 0 : (*most)->most;
    amount.possible = amount.of_runs();
    if (slices.not_whole == 0) continue;
    amount.possible.is_bounded = false;
    amount.why_unknown =
        counted(slices.not_whole, "slice") + " not followed to the end in " + printable(name);
  }
  return amounts;
}

std::uint64_t slice_with_most(const diff::Comparison& comparison, const Term& term) {
  const Result<const SliceCalls*> most = most_of(comparison.new_slices, comparison.new_name, term);
  return most.ok() && *most != nullptr ? (*most)->slice : 0;
}

}  // namespace copse::gate
