#include <fmt/format.h>

#include <algorithm>

#include "base/grouped.h"
#include "report/model/display_names.h"
#include "report/model/measure_view.h"
#include "report/model/report_stats.h"
#include "report/model/text_lines.h"
#include "report/text/text_formats.h"
#include "report/text/tree_columns.h"

namespace copse::report {
namespace {

// Digits of an id. Two contexts share them in one of six reports of ten million contexts.
constexpr std::size_t kDigitsOfTree = 12;

class TreeWriter {
 public:
  TreeWriter(const ReportModel& model, const TreeOptions& options, Output& out)
      : model_(model), options_(options), out_(out) {}
  void write();

 private:
  // A line to write: a node, or the pruned children of a node.
  struct Line {
    std::int32_t row;
    std::uint32_t depth;
    std::uint64_t pruned_children = 0;
    std::uint64_t pruned = 0;   // amount in the pruned children
    std::uint64_t samples = 0;  // behind it
  };
  struct Child {
    std::int32_t row;
    std::uint64_t inclusive;
  };

  void write_node(const Line& line);
  void write_pruned(const Line& line);
  void push_children(const Line& line);

  const ReportModel& model_;
  const TreeOptions options_;
  Output& out_;
  const DisplayNames names_{model_.methods};
  const ProgramView program_{model_, shown_measure(model_), options_.left_out};
  const MeasureView& view_ = program_.view();
  const NumberColumn inclusive_ = inclusive_values(model_.nodes, *view_.values);
  TreeColumns columns_{model_, view_, inclusive_, options_.width};
  const std::vector<std::uint32_t> rows_ = subtree_rows(model_.nodes);
  std::vector<Line> pending_;
  std::vector<Child> children_;
};

void TreeWriter::write_node(const Line& line) {
  const auto row = static_cast<std::size_t>(line.row);
  const std::int32_t site = model_.nodes.site[row];
  const std::int32_t at = site < 0 ? -1 : model_.sites.line[static_cast<std::size_t>(site)];
  std::string place = at < 0 ? "" : fmt::format("  @{}", at);
  if (options_.ids != nullptr) {
    place += "  " + hex(options_.ids->ids[row]).substr(0, kDigitsOfTree);
  }
  const std::string columns = columns_.of(row);
  const std::size_t room = room_for_name(columns, line.depth, place, options_.width);
  put_tree_line(columns, line.depth, names_.method(model_.nodes.method[row], room), place,
                options_.width, out_);
}

void TreeWriter::write_pruned(const Line& line) {
  out_.put(fmt::format("{}{:{}}... {} more {}\n", columns_.of_rest(line.pruned, line.samples), "",
                       2 * (line.depth - 1), grouped(line.pruned_children),
                       why_pruned(line.depth, options_)));
}

void TreeWriter::push_children(const Line& line) {
  const auto parent = static_cast<std::size_t>(line.row);
  const double threshold = options_.min_percent / 100.0 * static_cast<double>(inclusive_[0]);
  Line pruned{line.row, line.depth + 1};
  children_.clear();
  const std::size_t end = parent + rows_[parent];
  for (std::size_t child = parent + 1; child < end; child += rows_[child]) {
    if (inclusive_[child] == 0) continue;  // of another measure
    if (line.depth >= options_.depth || static_cast<double>(inclusive_[child]) < threshold) {
      ++pruned.pruned_children;
      pruned.pruned += inclusive_[child];
      pruned.samples += columns_.samples(child);
    } else {
      children_.push_back({static_cast<std::int32_t>(child), inclusive_[child]});
    }
  }
  std::sort(children_.begin(), children_.end(), [](const Child& a, const Child& b) {
    return a.inclusive != b.inclusive ? a.inclusive > b.inclusive : a.row < b.row;
  });
  if (pruned.pruned_children > 0) pending_.push_back(pruned);
  for (std::size_t i = children_.size(); i-- > 0;) {
    pending_.push_back({children_[i].row, line.depth + 1});
  }
}

void TreeWriter::write() {
  out_.put(columns_.heading());
  out_.put(kTreeHeading);
  if (options_.ids != nullptr) out_.put(kIdHeading);
  out_.put('\n');
  push_children({0, 0});
  while (!pending_.empty() && !out_.failed()) {
    const Line line = pending_.back();
    pending_.pop_back();
    if (line.pruned_children > 0) {
      write_pruned(line);
    } else {
      write_node(line);
      push_children(line);
    }
  }
  TextLines lines(out_, options_.width);
  columns_.write_legend(lines);
  if (program_.jvm() != 0) {
    lines.heading(fmt::format("Not in the tree: {} of {} (--all shows them).",
                              in_words(view_.unit, program_.jvm()), kThreadsWithoutCalls));
  }
  if (program_.idle() != 0) {
    lines.heading(fmt::format("Not in the tree: {} in waits for work (--all shows them).",
                              in_words(view_.unit, program_.idle())));
  }
}

}  // namespace

void write_tree(const ReportModel& model, const TreeOptions& options, Output& out) {
  TreeWriter(model, options, out).write();
}

}  // namespace copse::report
