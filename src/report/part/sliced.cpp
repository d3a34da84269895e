#include "report/part/sliced.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/grouped.h"
#include "base/printable.h"
#include "report/model/row.h"
#include "report/model/slices.h"
#include "report/part/part_model.h"
#include "report/text/display_names.h"
#include "report/text/quantity.h"
#include "report/text/slice_lists.h"

namespace copse::report {
namespace {

// Returns the sentence about tasks of other threads; "" if there are none.
std::string about_tasks(const ReportModel& model, std::size_t row) {
  const ReportModel::Slices::Tasks& tasks = model.slices.tasks;
  const DisplayNames names(model.methods);
  std::uint64_t count = 0, calls = 0;
  std::string places;
  for (std::size_t i = 0; i < tasks.of.size(); ++i) {
    if (at(tasks.of[i]) != row) continue;
    count += tasks.tasks[i];
    calls += tasks.calls[i];
    places += (places.empty() ? "" : ", ") +
              printable(names.method(model.nodes.method[at(tasks.node[i])])) + " (" +
              grouped(tasks.tasks[i]) + ")";
  }
  if (count == 0) return "";
  return " " + counted(calls, "call") + " of it are those of " + counted(count, "task") +
         " in other threads, handed over by " + places + ".";
}

// Returns the sentence about a slice that was slow for another reason than its calls; "" for others.
std::string about_slowness(const ReportModel& model, std::size_t row) {
  const ReportModel::Slices& slices = model.slices;
  const ReportModel::Slices::Kept& kept = slices.kept;
  const std::optional<std::size_t> typical = faster_with_as_many_calls(slices, row);
  if (!typical) return "";
  const auto most =
      static_cast<std::size_t>(std::ranges::max_element(kept.calls) - kept.calls.begin());
  std::string text = " It makes no more calls than slice " + std::to_string(kept.id[*typical]) +
                     ", a typical one of " + in_words(Unit::kNanoseconds, kept.wall_ns[*typical]) +
                     ": " + reasons_besides_calls(kept.wall_ns[row], kept.cpu_ns[row]) + ".";
  if (kept.calls[most] > kept.calls[row]) {
    text += " The most calls, " + grouped(kept.calls[most]) + ", are those of slice " +
            std::to_string(kept.id[most]) + " (--slice most-calls).";
  }
  return text;
}

std::string in_one_line(const ReportModel& model, std::size_t row) {
  const ReportModel::Slices::Kept& kept = model.slices.kept;
  const auto time = [](std::uint64_t ns) { return in_words(Unit::kNanoseconds, ns); };
  std::string text = "Slice " + grouped(kept.id[row]) + " of " +
                     printable(DisplayNames(model.methods).method(kept.method[row])) + " (" +
                     printable(kept.kept[row]) + "): " + time(kept.wall_ns[row]);
  if (kept.cpu_ns[row] != 0) text += ", " + time(kept.cpu_ns[row]) + " of CPU time";
  text += ", " + counted(kept.calls[row], "call");
  for (const std::string& amount :
       slice_amounts_in_words(model.slices, model.slices.kept_amounts, row)) {
    text += ", " + amount;
  }
  text += " in thread " + printable(kept.thread[row]) + ", begun " + time(kept.start_ns[row]) +
          " after recording";
  const ReportModel::Span span = span_of(model.slices, row);
  if (!span.trace.empty()) {
    text += ", in trace " + printable(span.trace) + ", span " + printable(span.span);
  }
  return text;
}

std::string about(const ReportModel& model, std::size_t row) {
  const ReportModel::Slices::Kept& kept = model.slices.kept;
  std::string text =
      in_one_line(model, row) + '.' + about_tasks(model, row) + about_slowness(model, row);
  if (kept.calls_left_out[row] != 0) {
    text += " " + counted(kept.calls_left_out[row], "call") +
            " of it are in none of its contexts, which were too many.";
  }
  return text;
}

}  // namespace

Result<ReportModel> sliced(const ReportModel& model, const std::string& which) {
  const Result<std::size_t> row = find_slice(model, which);
  if (!row.ok()) return row.status().behind("--slice " + printable(which) + ": ");
  const ReportModel::Slices& slices = model.slices;
  std::vector<bool> is_kept(model.nodes.parent.size());
  NumberColumn calls(is_kept.size());
  is_kept[0] = true;
  std::size_t next = first_context(slices, *row);
  for (const std::size_t end = next + slices.kept.contexts[*row]; next < end; ++next) {
    const std::int32_t node = slices.contexts.node[next];
    calls[at(node)] = slices.contexts.calls[next];
    for (std::int32_t above = node; !is_kept[at(above)]; above = model.nodes.parent[at(above)]) {
      is_kept[at(above)] = true;
    }
  }
  ReportModel whole = model;
  whole.measures.clear();
  whole.threads.clear();
  whole.slices = {};  // the note on a part would say that they are left out
  whole.shown = kCallsMeasure;
  whole.totals.calls_lost = slices.kept.calls_left_out[*row];
  ReportModel part = part_of(whole, kept_nodes(whole, is_kept, {&calls, {}}), about(model, *row));
  part.totals.threads = 1;
  part.one_slice = {in_one_line(model, *row), slices.kept.wall_ns[*row], slices.kept.cpu_ns[*row],
                    span_of(slices, *row)};
  part.timeline = {};
  part.program.wall_ms = static_cast<double>(slices.kept.wall_ns[*row]) / 1e6;
  return part;
}

}  // namespace copse::report
