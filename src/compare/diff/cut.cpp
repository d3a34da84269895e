#include "compare/diff/cut.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/joined_text.h"
#include "base/make_room.h"
#include "compare/identity/find_context.h"
#include "report/model/display_names.h"
#include "report/model/idle_waits.h"
#include "report/model/measure_view.h"
#include "report/model/row.h"
#include "report/part/cut.h"
#include "report/part/part_model.h"
#include "report/text/context_lines.h"

namespace copse::diff {
namespace {

using report::at;
using report::ReportModel;
using Column = NumberColumn;

// Characters of a path in a description.
constexpr std::size_t kPathWidth = 300;

// Adds OLD's columns and the presence of contexts as measures of the tree to cut.
void put_columns_beside(Comparison& comparison) {
  std::vector<ReportModel::Measure>& measures = comparison.both.measures;
  for (ComparedMeasure& measure : comparison.measures) {
    measures.push_back({measure.name, measure.unit, 0, std::move(measure.old_values)});
  }
  for (const std::uint8_t side : {Comparison::kInOld, Comparison::kInNew}) {
    Column is_there(comparison.presence.size());
    for (std::size_t node = 0; node < is_there.size(); ++node) {
      is_there[node] = (comparison.presence[node] & side) != 0 ? 1 : 0;
    }
    measures.push_back({"", "contexts", 0, std::move(is_there)});
  }
  give_back(comparison.presence);
}

// Takes the columns back. A caller kept as the path to a context is in the same reports as the
// context.
void take_columns_back(Comparison& comparison) {
  std::vector<ReportModel::Measure>& measures = comparison.both.measures;
  const std::vector<std::int32_t>& parent = comparison.both.nodes.parent;
  comparison.presence.assign(parent.size(), 0);
  for (const std::uint8_t side : {Comparison::kInNew, Comparison::kInOld}) {
    for (std::size_t node = 0; node < parent.size(); ++node) {
      if (measures.back().values[node] != 0) comparison.presence[node] |= side;
    }
    measures.pop_back();
  }
  for (std::size_t node = parent.size(); node-- > 1;) {
    comparison.presence[at(parent[node])] |= comparison.presence[node];
  }
  comparison.presence[0] = Comparison::kInOld | Comparison::kInNew;
  for (std::size_t i = comparison.measures.size(); i-- > 0;) {
    comparison.measures[i].old_values = std::move(measures.back().values);
    measures.pop_back();
  }
}

Status keep_context(ReportModel& both, const std::string& digits, const identity::IdRules& rules,
                    std::vector<std::string>& words) {
  const Result<std::vector<std::int32_t>> rows = identity::find_context(both, digits, rules);
  if (!rows.ok()) return rows.status().behind("--context ");
  std::vector<bool> is_chosen(both.nodes.parent.size());
  for (const std::int32_t row : *rows) is_chosen[at(row)] = true;
  const report::DisplayNames names(both.methods);
  words.push_back("the context " +
                  report::ContextLines(both, names, {rows->front()}).text(0, kPathWidth) +
                  " (--context " + digits + ") and what is below it");
  both = report::focused_on(both, is_chosen, "");
  return {};
}

void add_words(const char* before, const std::vector<std::string>& globs, const char* behind,
               std::vector<std::string>& words) {
  if (globs.empty()) return;
  words.push_back(before + joined_text(globs, " or ") + behind);
}

// Sets the totals of a side to its part of the tree; totals not recorded by context stay.
void set_totals(const Comparison& comparison, bool is_new, ReportModel::Totals& totals) {
  const ReportModel& both = comparison.both;
  const Column& calls = is_new ? comparison.new_values(0) : comparison.old_values(0);
  totals.calls = sum_of(calls);
  totals.calls_seen = totals.calls + totals.calls_lost;
  totals.contexts = totals.max_depth = totals.evicted_calls = 0;
  bool has_evicted = false;
  std::vector<std::uint32_t> depth(both.nodes.parent.size());
  for (std::size_t node = 1; node < depth.size(); ++node) {
    depth[node] = depth[at(both.nodes.parent[node])] + 1;
    if (!(is_new ? comparison.in_new(node) : comparison.in_old(node))) continue;
    ++totals.contexts;
    totals.max_depth = std::max<std::uint64_t>(totals.max_depth, depth[node]);
    if (!is_evicted_method(both.methods, at(both.nodes.method[node]))) continue;
    has_evicted = true;
    totals.evicted_calls += calls[node];
  }
  // The number of contexts evicted below this part is not recorded.
  if (!has_evicted) totals.evicted_contexts = 0;
}

// Facts of NEW that are none of its tree.
struct SetAside {
  std::vector<std::string> notes;
  ReportModel::Totals totals;
};

// Leaves a tree to be changed, whose measures have OLD's columns as well.
SetAside opened(Comparison& comparison) {
  SetAside facts{std::move(comparison.both.notes), comparison.both.totals};
  comparison.both.notes.clear();
  put_columns_beside(comparison);
  return facts;
}

// Makes each side's own facts those of the tree that is left.
void close(Comparison& comparison, SetAside facts) {
  take_columns_back(comparison);
  comparison.both.notes = std::move(facts.notes);
  set_totals(comparison, true, facts.totals);
  comparison.both.totals = std::move(facts.totals);
  set_totals(comparison, false, comparison.old_about.totals);
  for (ReportModel::Thread& thread : comparison.old_about.threads) {
    thread.node = -1;
    thread.calls = 0;
  }
}

}  // namespace

void evict_alike(Comparison& comparison) {
  comparison.evicted_alike = true;
  const ReportModel::Nodes& nodes = comparison.both.nodes;
  const std::size_t rows = nodes.parent.size();
  std::vector<std::int32_t> evicted_below(rows, -1);
  for (std::size_t node = 1; node < rows; ++node) {
    if (comparison.in_old(node) &&
        is_evicted_method(comparison.both.methods, at(nodes.method[node])))
      evicted_below[at(nodes.parent[node])] = static_cast<std::int32_t>(node);
  }
  std::vector<std::int32_t> evicted_at(rows, -1);
  std::vector<bool> is_kept(rows, true);
  bool any = false;
  for (std::size_t node = 1; node < rows; ++node) {
    if (comparison.in_old(node)) continue;
    const std::size_t parent = at(nodes.parent[node]);
    evicted_at[node] = comparison.in_old(parent) ? evicted_below[parent] : evicted_at[parent];
    is_kept[node] = evicted_at[node] < 0;
    any = any || !is_kept[node];
  }
  if (!any) return;
  SetAside facts = opened(comparison);
  ReportModel& both = comparison.both;
  const auto evict = [&](Column& values) {
    for (std::size_t node = 1; node < rows; ++node) {
      if (!is_kept[node]) values[at(evicted_at[node])] += values[node];
    }
  };
  evict(both.nodes.calls);
  for (ReportModel::Measure& measure : both.measures) evict(measure.values);
  both = report::part_of(both, report::kept_nodes(both, is_kept, report::columns_of(both)), "");
  close(comparison, std::move(facts));
}

void leave_out(Comparison& comparison) {
  ReportModel& both = comparison.both;
  const std::size_t notes = both.notes.size();
  const auto sums = [&] {
    std::vector<std::uint64_t> of_measures;
    for (const auto& measure : both.measures) of_measures.push_back(sum_of(measure.values));
    return of_measures;
  };
  const auto swap_sides = [&] {
    for (std::size_t i = 0; i < both.measures.size(); ++i) {
      std::swap(both.measures[i].values, comparison.measures[i + 1].old_values);
    }
  };
  for (const bool is_new : {true, false}) {
    if (!is_new) swap_sides();
    const std::vector<std::uint64_t> all = sums();
    report::take_idle_out(both, {});
    const std::vector<std::uint64_t> busy = sums();
    report::take_jvm_out(both);
    const std::vector<std::uint64_t> left = sums();
    if (!is_new) swap_sides();
    for (std::size_t i = 0; i < all.size(); ++i) {
      ComparedMeasure& measure = comparison.measures[i + 1];
      (is_new ? measure.new_left_out : measure.old_left_out) = {busy[i] - left[i],
                                                                all[i] - busy[i]};
      std::uint64_t& whole = is_new ? measure.new_whole : measure.old_whole;
      whole -= std::min(whole, all[i] - left[i]);
    }
  }
  both.notes.resize(notes);  // of one side, and of a report alone
}

Status cut(Comparison& comparison, const CutOptions& options) {
  if (options.is_whole()) return {};
  SetAside facts = opened(comparison);
  ReportModel& both = comparison.both;
  std::vector<std::string>& words = comparison.part;
  if (!options.context.empty()) {
    if (Status status = keep_context(both, options.context, comparison.rules, words); !status) {
      return status;
    }
  }
  report::PartOptions part = options.part;
  part.find_context = [&](const ReportModel& model, const std::string& digits) {
    return identity::find_context(model, digits, comparison.rules);
  };
  if (Status status = report::cut(both, part); !status) return status;
  add_words("threads ", options.part.threads, " (--thread)", words);
  add_words("contexts through ", options.part.focus, " (--focus)", words);
  add_words("without ", options.part.subtract, " and what they call (--subtract)", words);
  add_words("without the frames of ", options.part.hide, " (--hide)", words);
  add_words("with ", options.part.fold, " as one frame each (--fold)", words);
  add_words("what ", options.part.root, " does, wherever it is called from (--root)", words);
  close(comparison, std::move(facts));
  return {};
}

}  // namespace copse::diff
