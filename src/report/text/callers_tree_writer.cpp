#include <fmt/format.h>

#include <utility>

#include "base/grouped.h"
#include "report/model/amount_column.h"
#include "report/model/display_names.h"
#include "report/model/text_lines.h"
#include "report/text/callers_tree.h"
#include "report/text/text_formats.h"
#include "report/text/tree_columns.h"

namespace copse::report {
namespace {

class CallersTreeWriter {
 public:
  CallersTreeWriter(const ReportModel& model, const TreeOptions& options, Output& out)
      : model_(model), options_(options), out_(out) {
    const AmountHeading amount = heading_of(tree_.view());
    const bool is_calls = tree_.view().is_calls();
    if (is_calls || tree_.per_call()) {
      columns_.add(kCallsMeasure, grouped(tree_.calls()).size());
    }
    if (!is_calls) columns_.add("incl. " + amount.exclusive, scale_.text(total()).size());
    columns_.add("", percent(1, 1).size());
    if (!tree_.per_call()) return;
    // With room for a mark.
    columns_.add("incl. " + tree_.per_call()->heading(),
                 1 + in_digits(tree_.highest_cost()).size());
  }

  void write() {
    out_.put(columns_.heading());
    out_.put(kCallersHeading);
    out_.put('\n');
    push(tree_.tops(), 1);
    while (!pending_.empty() && !out_.failed()) {
      const Line line = std::move(pending_.back());
      pending_.pop_back();
      if (line.pruned > 0) {
        write_pruned(line);
      } else {
        write_frame(line);
        push(tree_.callers(line.frame), line.depth + 1);
      }
    }
    write_legend();
  }

 private:
  // A line to write: a frame, or the number of pruned frames with the sum of their amounts.
  struct Line {
    CallersTree::Frame frame;
    std::uint64_t depth;
    std::uint64_t pruned = 0;
  };

  std::uint64_t total() const { return tree_.view().total; }

  void push(std::vector<CallersTree::Frame> frames, std::uint64_t depth) {
    const double threshold = options_.min_percent / 100.0 * static_cast<double>(total());
    std::size_t shown = 0;
    while (depth <= options_.depth && shown < frames.size() &&
           static_cast<double>(frames[shown].amounts.shown) >= threshold) {
      ++shown;
    }
    if (shown < frames.size()) {
      Line rest{{}, depth, frames.size() - shown};
      for (std::size_t i = shown; i < frames.size(); ++i) {
        rest.frame.amounts.calls += frames[i].amounts.calls;
        rest.frame.amounts.shown += frames[i].amounts.shown;
        rest.frame.amounts.samples += frames[i].amounts.samples;
      }
      pending_.push_back(std::move(rest));
    }
    while (shown > 0) pending_.push_back({std::move(frames[--shown]), depth});
  }

  std::string columns(const CallersTree::Amounts& amounts, const std::string& cost) const {
    std::vector<std::string> cells;
    if (tree_.view().is_calls()) cells.push_back(grouped(amounts.calls));
    if (tree_.per_call()) cells.push_back(tree_.per_call()->calls_text(amounts.calls));
    if (!tree_.view().is_calls()) cells.push_back(scale_.text(amounts.shown, amounts.samples));
    cells.push_back(percent(amounts.shown, total(), amounts.samples));
    if (tree_.per_call()) cells.push_back(cost);
    return columns_.line(cells);
  }

  void write_frame(const Line& line) {
    const CallersTree::Frame& frame = line.frame;
    const CallersTree::Amounts& amounts = frame.amounts;
    has_few_samples_ = has_few_samples_ || (tree_.per_call() && amounts.outermost_calls != 0 &&
                                            tree_.per_call()->is_uncertain(amounts.samples));
    const std::int32_t site = frame.site;
    const std::int32_t at = site < 0 ? -1 : model_.sites.line[static_cast<std::size_t>(site)];
    const std::string place = at < 0 ? "" : fmt::format("  @{}", at);
    const std::string cells = columns(amounts, tree_.cost(amounts));
    const std::size_t room = room_for_name(cells, line.depth, place, options_.width);
    const std::string name = frame.method == CallersTree::kNoCaller
                                 ? std::string(kNoRecordedCaller)
                                 : names_.method(frame.method, room);
    put_tree_line(cells, line.depth, name, place, options_.width, out_);
  }

  void write_pruned(const Line& line) {
    out_.put(fmt::format("{}{:{}}... {} more {}\n", columns(line.frame.amounts, ""), "",
                         2 * (line.depth - 1), grouped(line.pruned),
                         why_pruned(line.depth, options_)));
  }

  void write_legend() {
    if (!tree_.per_call()) return;
    TextLines lines(out_, options_.width);
    lines.heading("incl.: inclusive; incl. " + tree_.per_call()->heading() +
                  ": per call that is not below another one");
    if (has_few_samples_) lines.wrapped("", few_samples_in_words());
  }

  const ReportModel& model_;
  const TreeOptions options_;
  Output& out_;
  const DisplayNames names_{model_.methods};
  const CallersTree tree_{model_};
  const ColumnScale scale_{tree_.view().unit, tree_.view().total};
  FixedColumns columns_;
  std::vector<Line> pending_;
  bool has_few_samples_ = false;  // some cost that was written
};

}  // namespace

void write_callers_tree(const ReportModel& model, const TreeOptions& options, Output& out) {
  CallersTreeWriter(model, options, out).write();
}

}  // namespace copse::report
