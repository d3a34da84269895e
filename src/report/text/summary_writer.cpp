#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "base/grouped.h"
#include "base/printable.h"
#include "base/thread_group.h"
#include "report/model/event_objects.h"
#include "report/model/measure_view.h"
#include "report/model/other_measures.h"
#include "report/model/per_call.h"
#include "report/model/report_stats.h"
#include "report/model/row.h"
#include "report/model/thread_rows.h"
#include "report/text/display_names.h"
#include "report/text/rankings.h"
#include "report/text/text_formats.h"
#include "report/text/text_lines.h"

namespace copse::report {
namespace {

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : ", ") + text;
  return all;
}

class SummaryWriter {
 public:
  SummaryWriter(const ReportModel& model, const SummaryOptions& options, Output& out)
      : model_(model), options_(options), lines_(out, options.width) {}

  void write() {
    write_program();
    write_totals();
    write_other_measures();
    write_notes();
    write_threads();
    write_groups();
    Rankings(model_, ranked_.view(), inclusive_, stats_, options_.top, options_.callers, lines_)
        .write();
    write_hot_methods_by_calls();
    write_skipped();
  }

 private:
  using Threads = std::vector<ReportModel::Thread>;

  void write_program();
  void write_when();
  void write_totals();
  void write_proof(const MeasureView& view);
  void write_other_measures();
  void write_notes();
  Threads pools() const;
  void write_threads();
  void write_thread_calls(const Threads& threads);
  void write_thread_names(const Threads& threads, bool are_all);
  void write_groups();
  void write_hot_methods_by_calls();
  void write_skipped();

  const ReportModel& model_;
  const SummaryOptions options_;
  TextLines lines_;
  const MeasureView view_ = shown_measure(model_);
  const std::string words_ = printable(view_.words);
  const MeasureView calls_ = view_of_calls(model_);
  const bool has_calls_beside_ = !view_.is_calls() && calls_.seen != 0;
  const ProgramView ranked_{model_, view_, options_.left_out};
  const std::vector<std::uint64_t> inclusive_ =
      inclusive_values(model_.nodes, *ranked_.view().values);
  const std::vector<std::uint64_t> of_methods_ = at_callers(model_, *ranked_.view().values);
  const std::vector<MethodStats> stats_ = method_stats(model_, of_methods_, inclusive_);
};

void SummaryWriter::write_program() {
  const ReportModel::Program& program = model_.program;
  // Shortens class paths: the main class is at the end.
  constexpr std::size_t kWord = 48;
  const std::size_t most_of_the_rest = 3 * lines_.width();
  std::string rest;
  for (std::size_t i = 1; i < program.command.size(); ++i) {
    rest += (rest.empty() ? "" : " ") + fitted(printable(program.command[i]), kWord);
  }
  std::string command = program.command.empty() ? "(command not known)"
                                                : fitted(printable(program.command[0]), kWord);
  if (!rest.empty()) command += ' ' + fitted(rest, most_of_the_rest);
  lines_.wrapped("", command);
  if (!program.runtime.empty()) lines_.wrapped("", printable(program.runtime));
  write_when();
}

// Writes the known facts; an import may have none.
void SummaryWriter::write_when() {
  const ReportModel::Program& program = model_.program;
  const ReportModel::Merged& merged = model_.merged;
  const bool is_sum = merged.reports != 0;
  const std::string duration =
      program.wall_ms <= 0
          ? "an unknown time"
          : in_words(Unit::kNanoseconds, static_cast<std::uint64_t>(program.wall_ms * 1e6));
  std::vector<std::string> facts;
  if (!is_sum && program.pid != 0) facts.push_back(fmt::format("process {}", program.pid));
  if (!program.started.empty()) {
    facts.push_back((is_sum ? "first started " : "started ") + printable(program.started));
  }
  if (program.wall_ms > 0 || program.pid != 0) {
    facts.push_back("recorded for " + duration + (is_sum ? " in all" : ""));
  }
  if (is_sum) {
    const bool has_more = merged.names.size() < merged.reports;
    const std::string names = joined(merged.names) + (has_more ? ", ..." : "");
    lines_.wrapped("", "sum of " + counted(merged.reports, "report") +
                           (merged.names.empty() ? "" : ": " + printable(names)));
  }
  if (program.runs > 1) {
    lines_.wrapped("", fmt::format("the first of {}, with what contexts have least and most in all",
                                   counted(program.runs, "run")));
  }
  if (!facts.empty()) lines_.wrapped("", joined(facts));
}

void SummaryWriter::write_totals() {
  const ReportModel::Totals& t = model_.totals;
  lines_.heading("Totals");
  const std::string label = words_ + (view_.is_estimate ? " (estimate)" : "");
  const std::size_t width = std::max<std::size_t>(12, characters(label) + 2);
  const auto total = [&](std::string_view name, std::string_view value,
                         std::string_view more = "") {
    lines_.line(fmt::format("  {:<{}}{:>21}{}", name, width, value, more));
  };
  const std::optional<CountedEvents> events = events_of(model_, view_);
  const bool has_samples = events && events->name == samples_of(view_.name);
  total(label, in_words(view_.unit, view_.total),
        has_samples ? fmt::format("  ({})", counted(events->total, "sample")) : "");
  if (ranked_.jvm() != 0 || ranked_.idle() != 0) {
    total("  program", in_words(view_.unit, ranked_.view().total), "  (percentages are of this)");
  }
  if (ranked_.jvm() != 0) {
    total("  JVM", in_words(view_.unit, ranked_.jvm()),
          "  (" +
              (ranked_.jvm_parts().empty() ? std::string("compilers, collectors, others")
                                           : ranked_.jvm_parts()) +
              ")");
  }
  if (ranked_.idle() != 0) {
    total("  idle", in_words(view_.unit, ranked_.idle()),
          "  (threads that wait for work; --all ranks them)");
  }
  if (has_calls_beside_) total(printable(calls_.words), grouped(calls_.total));
  const auto counts = [&](std::string_view name, std::uint64_t all, std::uint64_t some) {
    total(name, grouped(all),
          has_calls_beside_ ? fmt::format("  ({} with {})", grouped(some), words_) : "");
  };
  const MeasureView& first = has_calls_beside_ ? calls_ : view_;
  counts("contexts", contexts_with(*first.values), contexts_with(*ranked_.view().values));
  counts("methods", methods_with(model_, *first.values), methods_with(model_, of_methods_));
  // A report with calls and without threads is an import, which has no thread counts.
  if (t.threads != 0 || t.calls_seen == 0) total("threads", grouped(t.threads));
  if (view_.is_calls() || has_calls_beside_) total("max depth", grouped(t.max_depth));
  write_proof(view_);
  if (has_calls_beside_) write_proof(calls_);
}

// Writes exact numbers, to the last ns and byte.
void SummaryWriter::write_proof(const MeasureView& view) {
  const bool adds_up = view.seen == view.total + view.lost;
  const std::string words = printable(view.words);
  const std::string of_what = view.unit == Unit::kNanoseconds ? "ns of " + words : words;
  lines_.wrapped("  ", fmt::format("{}{} {} seen {} {} in nodes + {} lost", kSummaryProof,
                                   grouped(view.seen), of_what, adds_up ? "=" : "IS NOT",
                                   grouped(view.total), grouped(view.lost)));
  const ReportModel::Totals& t = model_.totals;
  if (!view.is_calls() || t.evicted_contexts == 0) return;
  lines_.line(fmt::format("  evicted: {} of them, {} of all calls, made in {} without room",
                          grouped(t.evicted_calls), percent(t.evicted_calls, t.calls),
                          counted(t.evicted_contexts, "context")));
}

void SummaryWriter::write_other_measures() {
  const std::vector<OtherMeasure> others = other_measures(model_, view_);
  const bool has_ranges = model_.program.runs > 1;
  if (others.empty() && !has_ranges) return;
  lines_.heading("Also counted (to see where: copse report FILE --measure NAME)");
  if (!others.empty()) lines_.line(fmt::format("{:>15}  {}", "total", "NAME"));
  for (const OtherMeasure& other : others) {
    const MeasureView& view = other.view;
    std::string name = printable(view.name);
    if (view.words != view.name && view.is_calls()) {
      name += " (of " + printable(model_.totals.calls_of) + ")";
    }
    if (view.is_estimate) name += " (estimate)";
    if (other.events && other.events->total != 0) {
      name +=
          fmt::format(", of {} {}", grouped(other.events->total), printable(other.events->name));
    }
    if (view.lost != 0) name += ", " + in_words(view.unit, view.lost) + " more lost";
    lines_.wrapped(
        fmt::format("{:>15}  {}", in_words(view.unit, view.total), other.is_state ? "  " : ""),
        name);
  }
  if (has_ranges) {
    lines_.wrapped(std::string(17, ' '),
                   fmt::format("{0}NAME, {1}NAME: what contexts had least and most in the {2} runs",
                               kLeast, kGreatest, grouped(model_.program.runs)));
  }
}

void SummaryWriter::write_notes() {
  if (model_.notes.empty()) return;
  lines_.heading("Notes");
  for (const std::string& note : model_.notes) lines_.wrapped("  ", printable(note));
}

// Returns the threads of the report, those whose names differ in numbers alone as one row.
SummaryWriter::Threads SummaryWriter::pools() const {
  Threads threads;
  std::map<std::string, std::size_t> by_group;
  for (const ReportModel::Thread& thread : model_.threads) {
    const auto [found, is_new] = by_group.try_emplace(thread_group(thread.name), threads.size());
    if (is_new) {
      threads.push_back(thread);
      continue;
    }
    ReportModel::Thread& pool = threads[found->second];
    pool.calls += thread.calls;
    pool.threads += thread.threads;
    if (pool.name != thread.name) pool.name = found->first;
  }
  std::stable_sort(threads.begin(), threads.end(),
                   [](const auto& a, const auto& b) { return a.calls > b.calls; });
  return threads;
}

void SummaryWriter::write_threads() {
  Threads threads = pools();
  if (threads.empty()) return;
  const bool are_all = threads.size() <= options_.top;
  threads.resize(std::min(options_.top, threads.size()));
  if (threads.empty()) return;
  const std::uint64_t shown =
      std::accumulate(threads.begin(), threads.end(), std::uint64_t{0},
                      [](std::uint64_t sum, const auto& thread) { return sum + thread.threads; });
  const std::uint64_t all = model_.totals.threads;
  const bool counted = threads.front().calls != 0;
  const std::string some = are_all ? "" : fmt::format(" ({} of {})", grouped(shown), grouped(all));
  lines_.heading((counted ? "Threads" : "Threads seen") + some);
  counted ? write_thread_calls(threads) : write_thread_names(threads, are_all);
}

void SummaryWriter::write_thread_calls(const Threads& threads) {
  lines_.line(fmt::format("{:>15} {:>7} {:>9}  {}", "calls", "", "threads", "name"));
  for (const ReportModel::Thread& thread : threads) {
    lines_.row(fmt::format("{:>15} {:>7} {:>9}  ", grouped(thread.calls),
                           percent(thread.calls, model_.totals.calls_seen), thread.threads),
               printable(thread.name));
  }
}

// Writes thread names without counts, for a report that does not count by thread.
void SummaryWriter::write_thread_names(const Threads& threads, bool are_all) {
  std::string names;
  for (const ReportModel::Thread& thread : threads) {
    names += (names.empty() ? "" : ", ") + fitted(printable(thread.name), 40);
  }
  lines_.wrapped("  ", names + (are_all ? "" : ", ..."));
}

// For a run with --by-thread: writes the shown measure's amount for each thread or group.
void SummaryWriter::write_groups() {
  if (view_.is_calls()) return;
  std::vector<std::int32_t> rows;
  for (std::size_t row = 1; row < model_.nodes.parent.size(); ++row) {
    if (thread_of(model_, row)) rows.push_back(static_cast<std::int32_t>(row));
  }
  if (rows.empty()) return;
  const auto more = [&](std::int32_t a, std::int32_t b) {
    return inclusive_[at(a)] > inclusive_[at(b)];
  };
  std::stable_sort(rows.begin(), rows.end(), more);
  const std::size_t all = rows.size();
  rows.resize(std::min(options_.top, rows.size()));
  const std::vector<std::uint64_t> calls = inclusive_at(model_.nodes, *calls_.values, rows);
  lines_.heading("Threads by " + words_ +
                 (rows.size() == all ? "" : fmt::format(" ({} of {})", rows.size(), all)));
  lines_.line(fmt::format("{:>15} {:>7} {:>15}  {}", words_, "", "calls", "name"));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::uint64_t amount = inclusive_[at(rows[i])];
    lines_.row(fmt::format("{:>15} {:>7} {:>15}  ", in_words(view_.unit, amount),
                           percent(amount, ranked_.view().total), grouped(calls[i])),
               printable(*thread_of(model_, at(rows[i]))));
  }
}

void SummaryWriter::write_hot_methods_by_calls() {
  if (!options_.calls_too || !has_calls_beside_ || options_.callers) return;
  const std::vector<std::uint64_t> inclusive = inclusive_values(model_.nodes, *calls_.values);
  const std::vector<MethodStats> stats = method_stats(model_, *calls_.values, inclusive);
  Rankings(model_, calls_, inclusive, stats, options_.top, false, lines_).write_methods();
}

void SummaryWriter::write_skipped() {
  if (model_.skipped.empty()) return;
  std::map<std::string, std::uint64_t> by_reason;
  for (const ReportModel::Skipped& skipped : model_.skipped) ++by_reason[skipped.reason];
  std::vector<std::pair<std::string, std::uint64_t>> reasons(by_reason.begin(), by_reason.end());
  std::stable_sort(reasons.begin(), reasons.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  lines_.heading("Skipped (not counted, or not completely; \"skipped\" in the JSON lists each)");
  for (const auto& [reason, count] : reasons) {
    lines_.wrapped(fmt::format("{:>15}  ", grouped(count)), printable(reason));
  }
}

}  // namespace

void write_summary(const ReportModel& model, const SummaryOptions& options, Output& out) {
  SummaryWriter(model, options, out).write();
}

}  // namespace copse::report
