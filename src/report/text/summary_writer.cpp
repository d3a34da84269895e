#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "base/grouped.h"
#include "base/joined_text.h"
#include "base/normal_names.h"
#include "base/printable.h"
#include "base/utf8.h"
#include "report/model/display_names.h"
#include "report/model/event_objects.h"
#include "report/model/measure_view.h"
#include "report/model/other_measures.h"
#include "report/model/per_call.h"
#include "report/model/report_stats.h"
#include "report/model/row.h"
#include "report/model/text_lines.h"
#include "report/model/thread_rows.h"
#include "report/text/rankings.h"
#include "report/text/slice_lists.h"
#include "report/text/text_formats.h"
#include "report/text/text_table.h"

namespace copse::report {
namespace {

constexpr std::string_view kWallClock = "wall_ns";
constexpr std::array<std::string_view, 3> kTimesOfWaits = {"waiting_ns", "parked_ns",
                                                           "sleeping_ns"};

class SummaryWriter {
 public:
  SummaryWriter(const ReportModel& model, const SummaryOptions& options, Output& out)
      : model_(model), options_(options), lines_(out, options.width) {}

  void write() {
    write_program();
    write_totals();
    Rankings(model_, ranked_.view(), stats_, options_.top, options_.callers, lines_).write();
    write_hot_methods_by_calls();
    write_slice_lists(model_, options_.top, lines_);
    write_groups(write_threads());
    write_other_measures();
    write_skipped();
    write_notes();
  }

 private:
  // A thread, or those whose names differ in numbers alone.
  struct Pool {
    ReportModel::Thread thread;
    std::vector<std::size_t> rows;  // of the report's threads
  };
  using Pools = std::vector<Pool>;

  void write_program();
  void write_when();
  void write_totals();
  std::uint64_t waits_of_program() const;
  void write_proof(const MeasureView& view);
  void write_other_measures();
  void write_notes();
  Pools pools() const;
  std::vector<MeasureView> measures_of_threads() const;
  std::uint64_t amount(const Pool& pool, const MeasureView& view) const;
  std::string amount_in_words(const Pool& pool, const MeasureView& view) const;
  std::uint64_t sum_of(const Pool& pool, std::string_view measure) const;
  std::set<std::string> write_threads();
  void write_thread_amounts(const Pools& pools, const std::vector<MeasureView>& measures);
  void write_thread_names(const Pools& pools, bool are_all);
  void write_groups(const std::set<std::string>& told);
  void write_hot_methods_by_calls();
  void write_skipped();

  const ReportModel& model_;
  const SummaryOptions options_;
  TextLines lines_;
  const MeasureView view_ = shown_measure(model_);
  const std::string words_ = printable(view_.words);
  const MeasureView calls_ = view_of_calls(model_);
  const bool has_calls_beside_ = !view_.is_calls() && calls_.seen != 0;
  // Methods whose callers are asked for have all that is theirs.
  const ProgramView ranked_{model_, view_,
                            options_.callers ? LeftOut{true, {}} : options_.left_out};
  const AmountsAtCallers of_methods_{model_, *ranked_.view().values};
  const std::vector<MethodStats> stats_ = method_stats(model_, of_methods_.values());
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
    const std::string names = joined_text(merged.names) + (has_more ? ", ..." : "");
    lines_.wrapped("", "sum of " + counted(merged.reports, "report") +
                           (merged.names.empty() ? "" : ": " + printable(names)));
  }
  if (program.runs > 1) {
    lines_.wrapped("", fmt::format("the first of {}, with what contexts have least and most in all",
                                   counted(program.runs, "run")));
  }
  if (!facts.empty()) lines_.wrapped("", joined_text(facts));
}

void SummaryWriter::write_totals() {
  const ReportModel::Totals& t = model_.totals;
  lines_.heading("Totals");
  const std::string label = words_ + (view_.is_estimate ? " (estimate)" : "");
  const std::size_t width = std::max<std::size_t>(12, characters(label) + 2);
  const auto total = [&](std::string_view name, std::string_view value,
                         const std::string& more = "") {
    const std::string amount = fmt::format("  {:<{}}{:>21}", name, width, value);
    more.empty() ? lines_.line(amount) : lines_.wrapped(amount + "  ", more);
  };
  const std::optional<CountedEvents> events = events_of(model_, view_);
  const bool has_samples = events && events->name == samples_of(view_.name);
  total(label, in_words(view_.unit, view_.total, view_.total_samples),
        has_samples ? fmt::format("({})", counted(events->total, "sample")) : "");
  const bool leaves_out = ranked_.jvm() != 0 || ranked_.idle() != 0;
  if (leaves_out) {
    total("  program", in_words(view_.unit, ranked_.view().total, ranked_.view().total_samples),
          "(percentages are of this)");
  }
  if (const std::uint64_t waits = waits_of_program(); waits != 0) {
    total(leaves_out ? "    waits" : "  waits",
          in_words(view_.unit, waits, ranked_.view().total_samples),
          "(--idle METHOD leaves those of a method out)");
  }
  if (ranked_.jvm() != 0) {
    total("  JVM", in_words(view_.unit, ranked_.jvm()),
          "(" +
              (ranked_.jvm_parts().empty() ? std::string("compilers, collectors, others")
                                           : ranked_.jvm_parts()) +
              ")");
  }
  if (ranked_.idle() != 0) {
    total("  idle", in_words(view_.unit, ranked_.idle(), view_.total_samples),
          "(threads that wait for work; --all ranks them)");
  }
  if (has_calls_beside_) total(printable(calls_.words), grouped(calls_.total));
  const auto counts = [&](std::string_view name, std::uint64_t all, std::uint64_t some) {
    total(name, grouped(all),
          has_calls_beside_ ? fmt::format("called, {} with {}", grouped(some), words_) : "");
  };
  const MeasureView& first = has_calls_beside_ ? calls_ : view_;
  counts("contexts", contexts_with(*first.values), contexts_with(*ranked_.view().values));
  counts("methods", methods_with(model_, *first.values),
         methods_with(model_, of_methods_.values()));
  // A report with calls and without threads is an import, which has no thread counts.
  if (t.threads != 0 || t.calls_seen == 0) total("threads", grouped(t.threads));
  if (view_.is_calls() || has_calls_beside_) total("max depth", grouped(t.max_depth));
  if (!model_.notes.empty()) total("notes", grouped(model_.notes.size()), "(at the end)");
  write_proof(view_);
  if (has_calls_beside_) write_proof(calls_);
}

// Returns the wall-clock time that the program's threads wait, park and sleep; 0 for other measures.
std::uint64_t SummaryWriter::waits_of_program() const {
  std::uint64_t waits = 0;
  if (view_.name != kWallClock || options_.callers || options_.left_out.nothing) return waits;
  for (const OtherMeasure& other : other_measures(model_, view_)) {
    if (std::ranges::find(kTimesOfWaits, other.view.name) == kTimesOfWaits.end()) continue;
    waits += ProgramView(model_, other.view, options_.left_out).view().total;
  }
  return waits;
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
    std::string name = printable(measure_word(model_, view.name));
    if (view.words != view.name && view.is_calls()) {
      name += " (of " + printable(model_.totals.calls_of) + ")";
    }
    if (view.is_estimate) name += " (estimate)";
    if (other.events && other.events->total != 0) {
      const bool are_samples = other.events->name == samples_of(view.name);
      name += ", of " + (are_samples
                             ? counted(other.events->total, "sample")
                             : grouped(other.events->total) + " " + printable(other.events->name));
    }
    if (view.lost != 0) name += ", " + in_words(view.unit, view.lost) + " more lost";
    lines_.wrapped(fmt::format("{:>15}  {}", in_words(view.unit, view.total, view.total_samples),
                               other.is_state ? "  " : ""),
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

SummaryWriter::Pools SummaryWriter::pools() const {
  Pools pools;
  std::map<std::string, std::size_t> by_group;
  // Names that --thread takes: of groups, or of threads.
  std::set<std::string_view> chosen_by;
  for (const std::size_t row : thread_rows(model_)) chosen_by.insert(*thread_of(model_, row));
  for (std::size_t row = 0; row < model_.threads.size(); ++row) {
    const ReportModel::Thread& thread = model_.threads[row];
    const auto [found, is_new] = by_group.try_emplace(thread_group(thread.name), pools.size());
    if (is_new) {
      pools.push_back({thread, {row}});
      if (chosen_by.contains(found->first)) pools.back().thread.name = found->first;
      continue;
    }
    Pool& pool = pools[found->second];
    pool.rows.push_back(row);
    pool.thread.calls += thread.calls;
    pool.thread.threads += thread.threads;
    if (pool.thread.name != thread.name) pool.thread.name = found->first;
  }
  return pools;
}

// Returns the measures that are known of threads: the shown one first, the times of states last.
std::vector<MeasureView> SummaryWriter::measures_of_threads() const {
  const auto is_known = [this](const MeasureView& view) {
    if (view.is_calls()) {
      return std::ranges::any_of(model_.threads,
                                 [](const auto& thread) { return thread.calls != 0; });
    }
    const std::vector<std::uint64_t>& amounts = model_.find_measure(view.name)->of_threads;
    return std::ranges::any_of(amounts, [](std::uint64_t amount) { return amount != 0; });
  };
  std::vector<MeasureView> measures, states;
  if (is_known(view_)) measures.push_back(view_);
  for (OtherMeasure& other : other_measures(model_, view_)) {
    if (is_known(other.view)) (other.is_state ? states : measures).push_back(std::move(other.view));
  }
  std::ranges::move(states, std::back_inserter(measures));
  return measures;
}

std::uint64_t SummaryWriter::amount(const Pool& pool, const MeasureView& view) const {
  return view.is_calls() ? pool.thread.calls : sum_of(pool, view.name);
}

std::uint64_t SummaryWriter::sum_of(const Pool& pool, std::string_view measure) const {
  const std::vector<std::uint64_t>& amounts = model_.find_measure(measure)->of_threads;
  if (amounts.empty()) return 0;
  return std::accumulate(pool.rows.begin(), pool.rows.end(), std::uint64_t{0},
                         [&](std::uint64_t sum, std::size_t row) { return sum + amounts[row]; });
}

std::string SummaryWriter::amount_in_words(const Pool& pool, const MeasureView& view) const {
  const std::uint64_t samples =
      view.samples == nullptr ? kExact : sum_of(pool, samples_of(view.name));
  const std::uint64_t amount_of_pool = amount(pool, view);
  return amount_of_pool == 0 ? "0" : in_words(view.unit, amount_of_pool, samples);
}

// Returns the names of threads and groups whose amounts it has told.
std::set<std::string> SummaryWriter::write_threads() {
  Pools shown = pools();
  const bool are_all = shown.size() <= options_.top;
  const std::vector<MeasureView> measures = measures_of_threads();
  if (!measures.empty()) {
    std::ranges::stable_sort(shown, std::greater<>(),
                             [&](const Pool& pool) { return amount(pool, measures.front()); });
  }
  shown.resize(std::min(options_.top, shown.size()));
  if (shown.empty()) return {};
  const std::uint64_t threads = std::accumulate(
      shown.begin(), shown.end(), std::uint64_t{0},
      [](std::uint64_t sum, const Pool& pool) { return sum + pool.thread.threads; });
  const std::string some =
      are_all ? "" : fmt::format(" ({} of {})", grouped(threads), grouped(model_.totals.threads));
  lines_.heading((measures.empty() ? "Threads seen" : "Threads") + some);
  measures.empty() ? write_thread_names(shown, are_all) : write_thread_amounts(shown, measures);
  std::set<std::string> told;
  if (measures.empty() || measures.front().name != view_.name) return told;
  for (const Pool& pool : shown) told.insert(pool.thread.name);
  return told;
}

void SummaryWriter::write_thread_amounts(const Pools& pools,
                                         const std::vector<MeasureView>& measures) {
  constexpr std::size_t kRoomForName = 32, kFixed = 35;
  std::size_t names = 0;
  for (const Pool& pool : pools) names = std::max(names, characters(printable(pool.thread.name)));
  names = std::min(names, kRoomForName);
  const MeasureView& first = measures.front();
  // Threads without recorded calls are not in the table.
  const std::uint64_t all = first.seen - (first.name == view_.name ? ranked_.jvm() : 0);
  std::vector<TextTable::Heading> headings;
  for (std::size_t i = 1; i < measures.size(); ++i)
    headings.push_back({"", printable(measures[i].heading)});
  TextTable others(headings);
  for (const Pool& pool : pools) {
    std::vector<std::string> cells;
    for (std::size_t i = 1; i < measures.size(); ++i) {
      cells.push_back(amount_in_words(pool, measures[i]));
    }
    others.add(std::move(cells));
  }
  for (std::size_t i = headings.size(); i-- > 0;) {
    others.make_room({i}, kFixed + names, lines_.width());
  }
  const auto columns = [](const std::string& amount, const std::string& share,
                          const std::string& threads) {
    return fmt::format("{:>15} {:>7} {:>9}  ", amount, share, threads);
  };
  lines_.line(columns(printable(first.is_calls() ? first.heading : first.words), "", "threads") +
              others.lower() + "name");
  for (std::size_t i = 0; i < pools.size(); ++i) {
    const std::uint64_t most = amount(pools[i], first);
    lines_.row(columns(amount_in_words(pools[i], first), percent(most, all),
                       grouped(pools[i].thread.threads)) +
                   others.row(i),
               printable(pools[i].thread.name));
  }
  const TextTable::LeftOut left_out = others.left_out();
  lines_.left_out(left_out.columns, left_out.width + left_out.room);
}

// Writes thread names without counts, for a report that does not count by thread.
void SummaryWriter::write_thread_names(const Pools& pools, bool are_all) {
  std::string names;
  for (const Pool& pool : pools) {
    names += (names.empty() ? "" : ", ") + fitted(printable(pool.thread.name), 40);
  }
  lines_.wrapped("  ", names + (are_all ? "" : ", ..."));
}

// For a run with --by-thread: writes the shown measure's amount for each thread or group, unless the table of threads has
// told all of them; there amounts are of all the threads did, here without waits for work.
void SummaryWriter::write_groups(const std::set<std::string>& told) {
  if (view_.is_calls()) return;
  std::vector<std::int32_t> rows;
  for (std::size_t row = 1; row < model_.nodes.parent.size(); ++row) {
    if (thread_of(model_, row)) rows.push_back(static_cast<std::int32_t>(row));
  }
  if (rows.empty()) return;
  const NumberColumn amounts = inclusive_at(model_.nodes, *ranked_.view().values, rows);
  std::vector<std::size_t> order(rows.size());  // indices into rows
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return amounts[i]; });
  order.resize(std::min(options_.top, rows.size()));
  const auto name = [&](std::size_t i) { return std::string(*thread_of(model_, at(rows[i]))); };
  if (ranked_.idle() == 0 &&
      std::ranges::all_of(order, [&](std::size_t i) { return told.contains(name(i)); })) {
    return;
  }
  const NumberColumn calls = inclusive_at(model_.nodes, *calls_.values, rows);
  NumberColumn samples(rows.size());
  if (view_.samples != nullptr) samples = inclusive_at(model_.nodes, *view_.samples, rows);
  lines_.heading(
      "Threads by " + words_ +
      (ranked_.idle() == 0 ? "" : ", without time in which they waited for work") +
      (order.size() == rows.size() ? "" : fmt::format(" ({} of {})", order.size(), rows.size())));
  lines_.line(fmt::format("{:>15} {:>7} {:>15}  {}", words_, "", "calls", "name"));
  for (const std::size_t i : order) {
    lines_.row(
        fmt::format("{:>15} {:>7} {:>15}  ", in_words(view_.unit, amounts[i], samples[i]),
                    percent(amounts[i], ranked_.view().total, samples[i]), grouped(calls[i])),
        printable(name(i)));
  }
}

void SummaryWriter::write_hot_methods_by_calls() {
  if (!options_.calls_too || !has_calls_beside_ || options_.callers) return;
  const std::vector<MethodStats> stats = method_stats(model_, *calls_.values);
  Rankings(model_, calls_, stats, options_.top, false, lines_).write_methods();
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
