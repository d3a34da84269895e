#include "compare/identity/merge.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/grouped.h"
#include "base/make_room.h"
#include "compare/identity/merged_names.h"
#include "compare/identity/merged_nodes.h"
#include "compare/identity/run_ranges.h"
#include "report/model/report_builder.h"

namespace copse::identity {
namespace {

using report::ReportModel;

constexpr std::size_t kPartNames = 10;
constexpr std::size_t kThreadNames = 10'000;
constexpr std::size_t kNotes = 200;
constexpr const char* kOtherThreads = "other threads: ";
constexpr const char* kMoreNotes = "The merged reports have more notes than these.";
constexpr const char* kNoRanges =
    "The merged reports are not all of as many runs: what contexts had least and most in these was "
    "left out.";

constexpr const char* kNoSlices =
    "The merged reports have slices. Slices are of one run, and left out of the sum.";

Status check_sum(const std::string& what, std::uint64_t a, std::uint64_t b) {
  std::uint64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return {};
  return Status::error(Fault::kLimit, what + ": the sum does not fit 64 bits");
}

std::uint64_t total(const NumberColumn& values) {
  std::uint64_t sum = 0;
  for (const std::uint64_t value : values) sum += value;
  return sum;
}

// Returns an error when the sum of both would be meaningless or does not fit.
Status check_both(const ReportModel& sum, const ReportModel& part) {
  const ReportModel::Totals &a = sum.totals, &b = part.totals;
  if (Status status = check_alike(part, sum, "a report before it"); !status) return status;
  for (const auto& [what, x, y] :
       {std::tuple{"totals.calls_seen", a.calls_seen, b.calls_seen},
        std::tuple{"totals.calls", a.calls, b.calls},
        std::tuple{"totals.calls_lost", a.calls_lost, b.calls_lost},
        std::tuple{"totals.packets", a.packets, b.packets},
        std::tuple{"totals.threads", a.threads, b.threads},
        std::tuple{"totals.evicted_contexts", a.evicted_contexts, b.evicted_contexts}}) {
    if (Status status = check_sum(what, x, y); !status) return status;
  }
  for (const ReportModel::Measure& measure : part.measures) {
    const ReportModel::Measure* same = sum.find_measure(measure.name);
    if (same == nullptr) continue;
    if (Status s = check_sum(measure.name, total(same->values), total(measure.values)); !s)
      return s;
    if (Status s = check_sum(measure.name + " of threads", total(same->of_threads),
                             total(measure.of_threads));
        !s)
      return s;
    if (Status s = check_sum(measure.name + ": lost", same->lost, measure.lost); !s) return s;
  }
  return {};
}

// Returns the sorted union; equal lists stay as they are.
template <typename T>
std::vector<T> united(const std::vector<T>& a, const std::vector<T>& b) {
  if (a == b) return a;
  std::set<T> all(a.begin(), a.end());
  all.insert(b.begin(), b.end());
  return {all.begin(), all.end()};
}

std::vector<std::string> names_of_measures(const ReportModel& model) {
  std::vector<std::string> names;
  for (const ReportModel::Measure& measure : model.measures) names.push_back(measure.name);
  return names;
}

// Drops ranges that one of the reports lacks, as a whole or for a measure. Sums of least and
// greatest values are bounds only when both reports have them. Returns true if some were dropped.
bool drop_ranges_of_some(ReportModel& a, ReportModel& b) {
  if (a.program.runs != b.program.runs) {
    const bool of_a = drop_ranges(a), of_b = drop_ranges(b);
    return of_a || of_b;
  }
  if (a.program.runs <= 1) return false;
  bool any = false;
  for (const std::string& name : united(names_of_measures(a), names_of_measures(b))) {
    const auto lacks_ranges = [&](const ReportModel& model) {
      return model.find_measure(name) != nullptr && !is_range(model, name) &&
             model.find_measure(report::kLeast + name) == nullptr;
    };
    if (!lacks_ranges(a) && !lacks_ranges(b)) continue;
    for (ReportModel* model : {&a, &b}) {
      any = std::erase_if(model->measures,
                          [&](const ReportModel::Measure& measure) {
                            return measure.name == report::kLeast + name ||
                                   measure.name == report::kGreatest + name;
                          }) != 0 ||
            any;
    }
  }
  return any;
}

std::vector<std::string> merged_notes(const ReportModel& a, const ReportModel& b,
                                      bool dropped_ranges) {
  std::vector<std::string> added;
  if (dropped_ranges) added.push_back(kNoRanges);
  if (b.slices.keep != 0) added.push_back(kNoSlices);  // of the sum so far the note is there
  const auto both = [&](const std::string& name) {
    return a.find_measure(name) && b.find_measure(name);
  };
  for (const std::string& name : united(names_of_measures(a), names_of_measures(b))) {
    if (!both(name) && !is_range(a, name) && !is_range(b, name))
      added.push_back("Not all of the merged reports have counted " + name + ".");
  }
  if (a.shown != b.shown) added.push_back("The merged reports are shown by different measures.");
  std::vector<std::string> notes = united(a.notes, b.notes);
  if (!added.empty()) notes = united(notes, added);
  if (notes.size() <= kNotes) return notes;
  std::erase(notes, kMoreNotes);
  std::sort(notes.begin(), notes.end());
  if (notes.size() > kNotes) notes.resize(kNotes);
  notes.push_back(kMoreNotes);
  return notes;
}

ReportModel::Program merged_program(const ReportModel::Program& a, const ReportModel::Program& b) {
  constexpr double kNsPerMs = 1e6;
  ReportModel::Program program = a;
  if (a.command != b.command) program.command.clear();
  if (a.pid != b.pid) program.pid = 0;
  if (a.runtime != b.runtime) program.runtime.clear();
  program.started = std::min(a.started, b.started);
  // In whole ns, which makes the sum independent of the order.
  program.wall_ms =
      (std::round(a.wall_ms * kNsPerMs) + std::round(b.wall_ms * kNsPerMs)) / kNsPerMs;
  program.snapshot = std::max(a.snapshot, b.snapshot);
  if (a.runs != b.runs) program.runs = 1;
  return program;
}

std::map<std::string, std::string> common_options(const ReportModel& a, const ReportModel& b) {
  std::map<std::string, std::string> common;
  for (const auto& option : a.options) {
    const auto other = b.options.find(option.first);
    if (other != b.options.end() && *other == option) common.insert(option);
  }
  return common;
}

ReportModel::Totals merged_totals(const ReportModel::Totals& a, const ReportModel::Totals& b) {
  ReportModel::Totals totals = a;
  totals.calls_seen += b.calls_seen;
  totals.calls_lost += b.calls_lost;
  totals.threads += b.threads;
  totals.packets += b.packets;
  totals.evicted_contexts += b.evicted_contexts;
  totals.merged_methods = std::max(a.merged_methods, b.merged_methods);
  totals.merged_depth_at_least = std::max(a.merged_depth_at_least, b.merged_depth_at_least);
  return totals;
}

// Threads by name; beyond the limit the last names share one row.
class MergedThreads {
 public:
  void add(const ReportModel& part) {
    std::vector<std::optional<std::string>>& names = names_.emplace_back();
    for (const ReportModel::Thread& thread : part.threads) {
      const bool is_of_others = thread.id == 0 && thread.name.starts_with(kOtherThreads);
      names.push_back(is_of_others ? std::nullopt : std::optional(thread.name));
      is_of_others ? add_other(thread) : add(by_name_, thread.name, thread);
    }
  }
  std::vector<ReportModel::Thread> take() {
    std::vector<ReportModel::Thread> merged;
    for (const auto& [name, thread] : by_name_) {
      if (merged.size() < kThreadNames) {
        rows_.emplace(name, merged.size());
        merged.push_back(thread);
      } else {
        add_other(thread);
      }
    }
    count_ = merged.size();
    if (others_.empty()) return merged;
    ++count_;
    ReportModel::Thread others = others_.begin()->second;
    others.id = 0;
    others.name = kOtherThreads + std::to_string(others.threads);
    merged.push_back(others);
    return merged;
  }
  // Returns the sums of a measure by row of take(); empty if a part that has the measure lacks them. `measures`: one
  // per part, in the order of add(); nullptr for a part without the measure.
  std::vector<std::uint64_t> sums(
      std::initializer_list<const ReportModel::Measure*> measures) const {
    std::vector<std::uint64_t> sums(count_);
    auto names = names_.begin();
    for (const ReportModel::Measure* const measure : measures) {
      const std::vector<std::optional<std::string>>& of_part = *names++;
      if (measure == nullptr) continue;
      if (measure->of_threads.size() != of_part.size()) return {};
      for (std::size_t i = 0; i < of_part.size(); ++i) {
        const auto row = of_part[i] ? rows_.find(*of_part[i]) : rows_.end();
        sums[row == rows_.end() ? count_ - 1 : row->second] += measure->of_threads[i];
      }
    }
    return sums;
  }

 private:
  using ByName = std::map<std::string, ReportModel::Thread>;

  void add_other(const ReportModel::Thread& thread) { add(others_, "", thread); }
  static void add(ByName& to, const std::string& name, const ReportModel::Thread& thread) {
    const auto [found, is_new] = to.try_emplace(name, thread);
    if (is_new) return;
    ReportModel::Thread& sum = found->second;
    if (sum.id != thread.id) sum.id = 0;
    if (sum.node != thread.node) sum.node = -1;
    sum.calls += thread.calls;
    sum.threads += thread.threads;
  }

  ByName by_name_;
  ByName others_;                            // at most one
  std::map<std::string, std::size_t> rows_;  // by name; other names are those of the last row
  std::vector<std::vector<std::optional<std::string>>>
      names_;              // by part and thread; a row of many has none
  std::size_t count_ = 0;  // rows
};

std::vector<ReportModel::Skipped> merged_skipped(const ReportModel& a, const ReportModel& b) {
  const auto words = [](const ReportModel::Skipped& item) {
    return std::tie(item.class_name, item.method, item.reason);
  };
  std::vector<ReportModel::Skipped> all = a.skipped;
  all.insert(all.end(), b.skipped.begin(), b.skipped.end());
  std::sort(all.begin(), all.end(),
            [&](const auto& x, const auto& y) { return words(x) < words(y); });
  all.erase(std::unique(all.begin(), all.end(),
                        [&](const auto& x, const auto& y) { return words(x) == words(y); }),
            all.end());
  return all;
}

ReportModel::Merged merged_parts(const ReportModel::Merged& a, const ReportModel::Merged& b) {
  ReportModel::Merged parts = a;
  parts.reports += b.reports;
  parts.names.insert(parts.names.end(), b.names.begin(), b.names.end());
  std::sort(parts.names.begin(), parts.names.end());
  if (parts.names.size() > kPartNames) parts.names.resize(kPartNames);
  return parts;
}

NumberColumn* values_of(ReportModel& model, const std::string& name) {
  if (name == report::kCallsMeasure) return &model.nodes.calls;
  ReportModel::Measure* measure = model.find_measure(name);
  return measure == nullptr ? nullptr : &measure->values;
}

// Merges methods, sites and nodes of `parts` into `to`, with columns for its measures. The parts
// keep only facts outside tables; their threads refer to nodes of `to`.
void take_nodes(const std::vector<ReportModel*>& parts, const IdRules& rules, ReportModel& to) {
  const std::vector<const ReportModel*> sources(parts.begin(), parts.end());
  MergedNames names = merged_names(sources, rules);
  MergedNodes merged = merged_nodes(sources, names);
  to.methods = std::move(names.methods);
  to.sites = std::move(names.sites);
  to.nodes = std::move(merged.nodes);
  // Column by column, so few columns exist twice.
  for (ReportModel* part : parts) {
    part->methods = {};
    part->sites = {};
    for (auto* column : {&part->nodes.parent, &part->nodes.method, &part->nodes.site}) {
      give_back(*column);
    }
  }
  const auto take_column = [&](const std::string& name, NumberColumn& sums) {
    sums = NumberColumn(to.nodes.parent.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      NumberColumn* values = values_of(*parts[i], name);
      if (values == nullptr) continue;
      report::add_by_row(*values, merged.row_of[i], sums);
      give_back(*values);
    }
  };
  take_column(report::kCallsMeasure, to.nodes.calls);
  for (ReportModel::Measure& measure : to.measures) take_column(measure.name, measure.values);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    report::move_threads(merged.row_of[i], parts[i]->threads);
  }
}

// Moves the large data out of both reports.
ReportModel merged(ReportModel& a, ReportModel& b, const IdRules& rules) {
  const bool dropped_ranges = drop_ranges_of_some(a, b);
  ReportModel sum;
  sum.created_by = std::max(a.created_by, b.created_by);
  sum.program = merged_program(a.program, b.program);
  sum.options = common_options(a, b);
  sum.totals = merged_totals(a.totals, b.totals);
  sum.merged = merged_parts(a.merged, b.merged);
  for (const std::string& name : united(names_of_measures(a), names_of_measures(b))) {
    const ReportModel::Measure *x = a.find_measure(name), *y = b.find_measure(name);
    sum.measures.push_back({name,
                            (x != nullptr ? x : y)->unit,
                            (x != nullptr ? x->lost : 0) + (y != nullptr ? y->lost : 0),
                            {}});
  }
  sum.shown = a.shown == b.shown ? a.shown : report::kCallsMeasure;
  sum.skipped = merged_skipped(a, b);
  sum.notes = merged_notes(a, b, dropped_ranges);
  take_nodes({&a, &b}, rules, sum);
  measure_tree(sum);
  MergedThreads threads;
  threads.add(a);
  threads.add(b);
  sum.threads = threads.take();
  for (ReportModel::Measure& measure : sum.measures) {
    measure.of_threads = threads.sums({a.find_measure(measure.name), b.find_measure(measure.name)});
  }
  return sum;
}

// Brings one report into the form of sums.
void bring_into_form(ReportModel& part, const std::string& name, const IdRules& rules) {
  ReportModel formed;
  for (const ReportModel::Measure& measure : part.measures) {
    formed.measures.push_back({measure.name, measure.unit, measure.lost, {}, measure.of_threads});
  }
  take_nodes({&part}, rules, formed);
  part.methods = std::move(formed.methods);
  part.sites = std::move(formed.sites);
  part.nodes = std::move(formed.nodes);
  part.measures = std::move(formed.measures);
  if (part.slices.keep != 0) part.notes = united(part.notes, {kNoSlices});
  part.slices = {};
  measure_tree(part);
  if (part.merged.reports == 0) part.merged = {1, {name}, in_words(rules)};
}

}  // namespace

Status Merge::add(ReportModel part, const std::string& name) {
  if (part.merged.reports != 0 && part.merged.rules != in_words(rules_)) {
    return Status::error(Fault::kRefused, "was merged by other rules, " + part.merged.rules +
                                              "; merge it by the same");
  }
  if (!sum_) {
    bring_into_form(part, name, rules_);
    sum_ = std::move(part);
    return {};
  }
  if (Status status = check_both(*sum_, part); !status) return status;
  if (part.merged.reports == 0) part.merged = {1, {name}, in_words(rules_)};
  sum_ = merged(*sum_, part, rules_);
  return {};
}

ReportModel Merge::take() {
  if (sum_->merged.reports == 1) sum_->merged = {};
  return std::move(*sum_);
}

}  // namespace copse::identity
