#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "base/printable.h"
#include "report/display_names.h"
#include "report/report_stats.h"
#include "report/text_formats.h"

namespace copse {
namespace {

constexpr std::size_t kWidth = 100;
constexpr std::size_t kCallersShown = 6;

class SummaryWriter {
 public:
  SummaryWriter(const ReportModel& model, const SummaryOptions& options, Output& out)
      : model_(model), options_(options), out_(out) {}

  void write() {
    write_program();
    write_totals();
    write_metrics();
    write_notes();
    write_threads();
    write_methods();
    write_contexts();
    write_skipped();
  }

 private:
  void write_program();
  void write_totals();
  void write_metrics();
  void write_notes();
  void write_threads();
  void write_methods();
  void write_contexts();
  void write_context(std::int32_t row);
  void write_skipped();

  void line(std::string_view text) {
    out_.put(text);
    out_.put('\n');
  }
  void wrapped(std::string_view start, const std::string& text);
  void heading(std::string_view text) { line(fmt::format("\n{}", text)); }
  void row_of_four(std::string_view a, std::string_view b, std::string_view c, std::string_view d,
                   const std::string& name);
  std::string frame(std::int32_t row, std::int32_t callee) const;

  const ReportModel& model_;
  const SummaryOptions options_;
  Output& out_;
  const DisplayNames names_{model_.methods};
};

// Breaks at spaces so that a sentence stays within the width; lines after the first are indented as
// far as `start` is long.
void SummaryWriter::wrapped(std::string_view start, const std::string& text) {
  std::string indent(start);
  std::string_view rest = text;
  const std::size_t room = kWidth - start.size();
  while (rest.size() > room) {
    std::size_t cut = rest.rfind(' ', room);
    if (cut == std::string_view::npos || cut == 0) cut = rest.find(' ', 1);
    if (cut == std::string_view::npos) break;
    line(indent + std::string(rest.substr(0, cut)));
    rest.remove_prefix(cut + 1);
    indent.assign(start.size(), ' ');
  }
  line(indent + std::string(rest));
}

void SummaryWriter::write_program() {
  const ReportModel::Program& program = model_.program;
  // Class paths are shortened: what was run stands at the end.
  constexpr std::size_t kWord = 48;
  constexpr std::size_t kRest = 3 * kWidth;
  std::string rest;
  for (std::size_t i = 1; i < program.command.size(); ++i) {
    rest += (rest.empty() ? "" : " ") + fitted(printable(program.command[i]), kWord);
  }
  wrapped("", program.command.empty()
                  ? "(command not known)"
                  : fitted(printable(program.command[0]), kWord) + " " + fitted(rest, kRest));
  const std::string duration = program.wall_ms == 0 ? "recorded for an unknown time"
                               : program.wall_ms < 1000
                                   ? fmt::format("{:.0f} ms recorded", program.wall_ms)
                                   : fmt::format("{:.1f} s recorded", program.wall_ms / 1000);
  wrapped("", fmt::format("{}, process {}, started {}, {}", printable(program.runtime), program.pid,
                          printable(program.started), duration));
}

void SummaryWriter::write_totals() {
  const ReportModel::Totals& t = model_.totals;
  heading("Totals");
  line(fmt::format("  {:<10}{:>23}", "calls", grouped(t.calls)));
  line(fmt::format("  {:<10}{:>23}", "contexts", grouped(t.contexts)));
  line(fmt::format("  {:<10}{:>23}", "methods", grouped(model_.methods.name.size())));
  line(fmt::format("  {:<10}{:>23}", "threads", grouped(t.threads)));
  line(fmt::format("  {:<10}{:>23}", "max depth", grouped(t.max_depth)));
  const bool adds_up = t.calls_seen == t.calls + t.calls_lost;
  line(fmt::format("  proof: {} calls seen {} {} in nodes + {} lost", grouped(t.calls_seen),
                   adds_up ? "=" : "IS NOT", grouped(t.calls), grouped(t.calls_lost)));
  if (t.folded_contexts == 0) return;
  line(fmt::format("  folded: {} of them, {} of all calls, made in {} contexts without room",
                   grouped(t.folded_calls), percent(t.folded_calls, t.calls),
                   grouped(t.folded_contexts)));
}

void SummaryWriter::write_metrics() {
  if (model_.metrics.empty()) return;
  heading("Metrics (by context: copse report FILE --metric NAME)");
  for (const ReportModel::Metric& metric : model_.metrics) {
    const std::uint64_t sum =
        std::accumulate(metric.values.begin(), metric.values.end(), std::uint64_t{0});
    line(fmt::format("{:>17} {:<7} {}{}", grouped(sum), printable(metric.unit),
                     printable(metric.name),
                     metric.lost == 0 ? "" : ", " + grouped(metric.lost) + " more lost"));
  }
}

void SummaryWriter::write_notes() {
  if (model_.notes.empty()) return;
  heading("Notes");
  for (const std::string& note : model_.notes) wrapped("  ", printable(note));
}

void SummaryWriter::row_of_four(std::string_view a, std::string_view b, std::string_view c,
                                std::string_view d, const std::string& name) {
  const std::string columns = fmt::format("{:>17} {:>7} {:>17} {:>7}  ", a, b, c, d);
  line(columns + fitted(name, kWidth - columns.size()));
}

void SummaryWriter::write_threads() {
  if (model_.threads.empty()) return;
  std::vector<const ReportModel::Thread*> threads;
  for (const ReportModel::Thread& thread : model_.threads) threads.push_back(&thread);
  std::stable_sort(threads.begin(), threads.end(),
                   [](const auto* a, const auto* b) { return a->calls > b->calls; });
  threads.resize(std::min(options_.top, threads.size()));
  const std::uint64_t shown =
      std::accumulate(threads.begin(), threads.end(), std::uint64_t{0},
                      [](std::uint64_t sum, const auto* thread) { return sum + thread->threads; });
  const std::uint64_t all = model_.totals.threads;
  heading(shown < all ? fmt::format("Threads ({} of {})", grouped(shown), grouped(all))
                      : "Threads");
  const bool counted = threads.front()->calls != 0;
  const auto columns = [&](const auto& calls, const auto& share, const auto& id) {
    return counted ? fmt::format("{:>17} {:>7} {:>9}  ", calls, share, id)
                   : fmt::format("{:>17}  ", id);
  };
  line(columns("calls", "", "id") + "name");
  for (const ReportModel::Thread* thread : threads) {
    const std::string start = columns(grouped(thread->calls),
                                      percent(thread->calls, model_.totals.calls_seen), thread->id);
    line(start + fitted(printable(thread->name), kWidth - start.size()));
  }
}

void SummaryWriter::write_methods() {
  if (model_.methods.name.empty()) return;
  std::vector<MethodStats> stats = method_stats(model_, inclusive_calls(model_.nodes));
  std::stable_sort(stats.begin(), stats.end(), [](const MethodStats& a, const MethodStats& b) {
    return a.exclusive > b.exclusive;
  });
  heading("Hot methods (inclusive: with all calls below, recursion counted once)");
  row_of_four("calls", "", "inclusive", "", "method");
  for (std::size_t i = 0; i < std::min(options_.top, stats.size()); ++i) {
    const MethodStats& s = stats[i];
    row_of_four(grouped(s.exclusive), percent(s.exclusive, model_.totals.calls),
                grouped(s.inclusive), percent(s.inclusive, model_.totals.calls),
                names_.method(s.method));
  }
}

// The frame of a row while it calls `callee`, a child of it.
std::string SummaryWriter::frame(std::int32_t row, std::int32_t callee) const {
  std::string text = names_.method(model_.nodes.method[static_cast<std::size_t>(row)]);
  const std::int32_t site = model_.nodes.site[static_cast<std::size_t>(callee)];
  const std::int32_t at = site < 0 ? -1 : model_.sites.line[static_cast<std::size_t>(site)];
  return at < 0 ? text : text + ":" + std::to_string(at);
}

void SummaryWriter::write_context(std::int32_t row) {
  const std::uint64_t calls = model_.nodes.calls[static_cast<std::size_t>(row)];
  const std::string columns =
      fmt::format("{:>17} {:>7}  ", grouped(calls), percent(calls, model_.totals.calls));
  const auto print = [&](std::string_view left, const std::string& text, std::uint64_t times) {
    const std::string repeats = times > 1 ? fmt::format("  ({} times)", grouped(times)) : "";
    line(std::string(left) + fitted(text, kWidth - left.size() - repeats.size()) + repeats);
  };
  print(columns, names_.method(model_.nodes.method[static_cast<std::size_t>(row)]), 1);

  const std::string indent(columns.size(), ' ');
  const std::string caller = indent + "from ";
  std::size_t lines = 0;
  std::int32_t callee = row;
  std::int32_t next = model_.nodes.parent[static_cast<std::size_t>(callee)];
  const auto step = [&] {
    callee = next;
    next = model_.nodes.parent[static_cast<std::size_t>(next)];
  };
  while (next > 0) {
    if (lines == kCallersShown) {
      std::uint64_t more = 0;
      while (next > 0) {
        ++more;
        step();
      }
      line(fmt::format("{}     ... {} more", indent, grouped(more)));
      return;
    }
    const std::string text = frame(next, callee);
    std::uint64_t times = 0;
    while (next > 0 && frame(next, callee) == text) {
      ++times;
      step();
    }
    print(caller, text, times);
    ++lines;
  }
}

void SummaryWriter::write_contexts() {
  const std::vector<std::int32_t> rows = hottest_contexts(model_.nodes, options_.top);
  if (rows.empty()) return;
  heading("Hot contexts (calls of exactly this chain)");
  for (const std::int32_t row : rows) write_context(row);
}

void SummaryWriter::write_skipped() {
  if (model_.skipped.empty()) return;
  std::map<std::string, std::uint64_t> by_reason;
  for (const ReportModel::Skipped& skipped : model_.skipped) ++by_reason[skipped.reason];
  std::vector<std::pair<std::string, std::uint64_t>> reasons(by_reason.begin(), by_reason.end());
  std::stable_sort(reasons.begin(), reasons.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  heading("Skipped (not counted, or not completely; \"skipped\" in the JSON lists each)");
  for (const auto& [reason, count] : reasons) {
    wrapped(fmt::format("{:>17}  ", grouped(count)), printable(reason));
  }
}

}  // namespace

void write_summary(const ReportModel& model, const SummaryOptions& options, Output& out) {
  SummaryWriter(model, options, out).write();
}

}  // namespace copse
