#include "report/part/part_model.h"

#include <algorithm>
#include <utility>

#include "base/grouped.h"
#include "base/printable.h"
#include "report/model/display_names.h"
#include "report/model/measure_view.h"
#include "report/model/quantity.h"
#include "report/model/report_builder.h"
#include "report/model/row.h"

namespace copse::report {
namespace {

// "a.Log, b.Log and 3 more".
std::string listed(const std::vector<std::string>& classes) {
  constexpr std::size_t kMost = 5;
  std::string list;
  for (std::size_t i = 0; i < std::min(kMost, classes.size()); ++i) {
    list += (i == 0 ? "" : ", ") + printable(classes[i]);
  }
  return classes.size() <= kMost ? list
                                 : list + " and " + grouped(classes.size() - kMost) + " more";
}

// New indices of the used ones; -1 for the others.
std::vector<std::int32_t> numbered(const std::vector<bool>& is_used) {
  std::vector<std::int32_t> now(is_used.size(), -1);
  std::int32_t next = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (is_used[i]) now[i] = next++;
  }
  return now;
}

template <typename Column>
Column used_of(const Column& column, const std::vector<bool>& is_used) {
  Column used;
  for (std::size_t i = 0; i < column.size(); ++i) {
    if (is_used[i]) used.push_back(column[i]);
  }
  return used;
}

// Removes methods and sites without a node; keeps the order of the others.
void keep_used_names(const ReportModel& whole, ReportModel& part) {
  std::vector<bool> has_site(whole.sites.method.size());
  std::vector<bool> has_method(whole.methods.name.size());
  for (std::size_t row = 1; row < part.nodes.parent.size(); ++row) {
    has_method[at(part.nodes.method[row])] = true;
    if (part.nodes.site[row] >= 0) has_site[at(part.nodes.site[row])] = true;
  }
  for (std::size_t site = 0; site < has_site.size(); ++site) {
    if (has_site[site]) has_method[at(whole.sites.method[site])] = true;
  }
  part.methods = {used_of(whole.methods.class_name, has_method),
                  used_of(whole.methods.name, has_method),
                  used_of(whole.methods.descriptor, has_method),
                  used_of(whole.methods.source, has_method),
                  used_of(whole.methods.loader, has_method),
                  used_of(whole.methods.stable_class, has_method)};
  part.sites = {used_of(whole.sites.method, has_site), used_of(whole.sites.bci, has_site),
                used_of(whole.sites.line, has_site)};
  const std::vector<std::int32_t> methods = numbered(has_method);
  renumber(methods, part.sites.method);
  renumber(methods, part.nodes.method);
  renumber(numbered(has_site), part.nodes.site);
}

void set_totals(const ReportModel& whole, ReportModel& part) {
  ReportModel::Totals& totals = part.totals;
  totals = whole.totals;
  measure_tree(part);
  totals.calls_seen = totals.calls + totals.calls_lost;
  // The number of contexts evicted below this part is not recorded.
  const auto is_evicted = [&](std::int32_t method) {
    return method >= 0 && is_evicted_method(part.methods, at(method));
  };
  const std::vector<std::int32_t>& methods = part.nodes.method;
  if (std::none_of(methods.begin(), methods.end(), is_evicted)) totals.evicted_contexts = 0;
}

std::string share(const MeasureView& part, const MeasureView& whole) {
  return whole.words + ": " + in_words(whole.unit, part.total, part.total_samples) + " of " +
         in_words(whole.unit, whole.total, whole.total_samples) +
         (whole.total == 0 ? ""
                           : " (" + percent(part.total, whole.total, part.total_samples) + ")");
}

// Returns the shares of calls, if any were counted, and of the shown measure: of what rankings are of, too.
std::string shares(const ReportModel& part, const ReportModel& whole) {
  const std::vector<MeasureView> of_part = measures_on_offer(part);
  std::string text;
  for (const MeasureView& view : measures_on_offer(whole)) {
    if (!view.is_calls() && view.name != whole.shown) continue;
    const auto same = [&](const MeasureView& other) { return other.name == view.name; };
    const auto found = std::find_if(of_part.begin(), of_part.end(), same);
    if (found == of_part.end()) continue;
    const ProgramView of_all(whole, view, {});
    text += (text.empty() ? "" : "; ") + share(ProgramView(part, *found, {}).view(), of_all.view());
  }
  return text;
}

std::string note_of(const ReportModel& part, const ReportModel& whole, const std::string& what) {
  std::string note = what + " This is a part of the report: " + shares(part, whole) + ".";
  const ReportModel::Totals& totals = whole.totals;
  if (totals.evicted_calls > part.totals.evicted_calls) {
    note += " Some of the " + counted(totals.evicted_calls - part.totals.evicted_calls, "call") +
            " of evicted contexts outside it may belong to it.";
  }
  if (part.totals.evicted_contexts != 0) {
    note += " How many contexts were evicted is known of the whole report alone.";
  }
  const bool lost =
      totals.calls_lost != 0 || std::any_of(whole.measures.begin(), whole.measures.end(),
                                            [](const auto& measure) { return measure.lost != 0; });
  if (lost) note += " What was lost is all that the run lost; where it belongs is not known.";
  if (!whole.threads.empty()) note += " Threads are those of the whole run.";
  if (whole.slices.keep != 0) note += " Slices are of the whole run, and left out.";
  return note;
}

}  // namespace

Columns columns_of(const ReportModel& whole) {
  Columns columns{&whole.nodes.calls, {}};
  for (const ReportModel::Measure& measure : whole.measures) {
    columns.measures.push_back(&measure.values);
  }
  return columns;
}

PartNodes kept_nodes(const ReportModel& whole, const std::vector<bool>& is_kept,
                     const Columns& columns) {
  PartNodes part;
  part.nodes.method = used_of(whole.nodes.method, is_kept);
  part.nodes.site = used_of(whole.nodes.site, is_kept);
  part.nodes.calls = used_of(*columns.calls, is_kept);
  part.nodes.parent = used_of(whole.nodes.parent, is_kept);
  renumber(numbered(is_kept), part.nodes.parent);
  for (const auto* values : columns.measures) part.measures.push_back(used_of(*values, is_kept));
  return part;
}

ReportModel part_of(const ReportModel& whole, PartNodes nodes, const std::string& what) {
  ReportModel part;
  part.about() = whole.about();
  part.nodes = std::move(nodes.nodes);
  for (std::size_t i = 0; i < whole.measures.size(); ++i) {
    const ReportModel::Measure& measure = whole.measures[i];
    part.measures.push_back(
        {measure.name, measure.unit, measure.lost, std::move(nodes.measures[i])});
  }
  keep_used_names(whole, part);
  set_totals(whole, part);
  part.threads = whole.threads;
  for (ReportModel::Thread& thread : part.threads) {
    thread.node = -1;
    thread.calls = 0;
  }
  // The description of the part comes first.
  part.notes.insert(part.notes.begin(), note_of(part, whole, what));
  return part;
}

std::string in_words(const MethodChoice& choice) {
  std::string globs;
  std::string contexts;
  for (std::size_t i = 0; i < choice.globs.size(); ++i) {
    if (!choice.contexts.empty() && choice.globs[i].starts_with('@')) {
      contexts += (contexts.empty() ? "the context " : " or the context ") + choice.globs[i];
      continue;
    }
    globs += (globs.empty() ? "methods that match " : " or ") + choice.globs[i];
    // A name without its package may be that of several classes.
    if (i < choice.classes.size() && choice.classes[i].size() > 1) {
      globs += " (of " + listed(choice.classes[i]) + ")";
    }
  }
  const char* and_also = globs.empty() || contexts.empty() ? "" : " or ";
  return globs + and_also + contexts + " (" + choice.option + ")";
}

}  // namespace copse::report
