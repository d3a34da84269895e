#include "report/text/tree_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/grouped.h"
#include "base/utf8.h"
#include "report/model/display_names.h"
#include "report/model/report_stats.h"

namespace copse::report {
namespace {

constexpr std::size_t kShareWidth = 7;
constexpr std::size_t kNarrow = 100;

std::uint64_t most(const NumberColumn& values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

}  // namespace

std::size_t room_for_name(const std::string& columns, std::uint64_t depth, const std::string& place,
                          std::size_t width) {
  constexpr std::size_t kLeastName = 24;
  const std::size_t taken = columns.size() + 2 * (depth - 1) + place.size();
  return std::max(kLeastName, width - std::min(width, taken));
}

void put_tree_line(const std::string& columns, std::uint64_t depth, const std::string& name,
                   const std::string& place, std::size_t width, Output& out) {
  out.put(fmt::format("{}{:{}}{}{}\n", columns, "", 2 * (depth - 1),
                      fitted(name, room_for_name(columns, depth, place, width)), place));
}

std::string why_pruned(std::uint64_t depth, const TreeOptions& options) {
  return depth > options.depth ? fmt::format("deeper than {} levels", options.depth)
                               : fmt::format("below {:g} %", options.min_percent);
}

void FixedColumns::add(std::string heading, std::size_t least_width) {
  widths_.push_back(std::max(characters(heading), least_width));
  headings_.push_back(std::move(heading));
}

std::string FixedColumns::line(const std::vector<std::string>& cells) const {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    line.append(widths_[i] - std::min(widths_[i], characters(cells[i])), ' ');
    line.append(cells[i]).append(1, ' ');
  }
  return line + ' ';
}

TreeColumns::TreeColumns(const ReportModel& model, const MeasureView& view,
                         const NumberColumn& inclusive, std::size_t width)
    : view_(view), inclusive_(inclusive), per_call_(PerCall::of(model, view)) {
  if (view.samples != nullptr) inclusive_samples_ = inclusive_values(model.nodes, *view.samples);
  if (!per_call_) {
    columns_.add(AmountColumn::exclusive(view).heading(), 0);
    columns_.add(AmountColumn::inclusive(view).heading(), 0);
    columns_.add("", kShareWidth);
    return;
  }
  has_exclusive_ = width >= kNarrow;
  const AmountHeading amount = heading_of(view);
  columns_.add(kCallsMeasure, grouped(most(per_call_->calls())).size());
  if (has_exclusive_) columns_.add(amount.exclusive, scale_.text(most(*view.values)).size());
  columns_.add("incl. " + (has_exclusive_ ? amount.in_unit : amount.exclusive),
               scale_.text(view.total).size());
  columns_.add("", kShareWidth);
  columns_.add("incl. " + per_call_->heading(), widest_cost());
}

std::size_t TreeColumns::widest_cost() const {
  const NumberColumn& calls = per_call_->calls();
  std::size_t dearest = 0;
  double cost = 0;
  for (std::size_t node = 1; node < calls.size(); ++node) {
    if (calls[node] == 0) continue;
    const double own = static_cast<double>(inclusive_[node]) / static_cast<double>(calls[node]);
    if (own >= cost) {
      cost = own;
      dearest = node;
    }
  }
  // With room for the mark.
  constexpr std::uint64_t kMany = std::numeric_limits<std::uint64_t>::max();
  const std::size_t mark = per_call_->samples() != nullptr ? 1 : 0;
  return mark + per_call_->text(inclusive_[dearest], calls[dearest], kMany).size();
}

std::uint64_t TreeColumns::samples(std::size_t node) const {
  return inclusive_samples_.empty() ? kExact : inclusive_samples_[node];
}

std::string TreeColumns::cost(std::size_t node) {
  const std::uint64_t calls = per_call_->calls()[node];
  has_few_samples_ = has_few_samples_ || (calls != 0 && per_call_->is_uncertain(samples(node)));
  return per_call_->text(inclusive_[node], calls, samples(node));
}

std::string TreeColumns::line(const std::string& calls, const std::string& exclusive,
                              std::uint64_t inclusive, std::uint64_t samples,
                              const std::string& cost) const {
  std::vector<std::string> cells;
  if (per_call_) cells.push_back(calls);
  if (has_exclusive_) cells.push_back(exclusive);
  cells.push_back(scale_.text(inclusive, samples));
  cells.push_back(percent(inclusive, inclusive_[0], samples));
  if (per_call_) cells.push_back(cost);
  return columns_.line(cells);
}

std::string TreeColumns::of(std::size_t node) {
  return line(per_call_ ? per_call_->calls_text(per_call_->calls()[node]) : "",
              scale_.text(view_.of(node), view_.samples_of(node)), inclusive_[node], samples(node),
              per_call_ ? cost(node) : "");
}

std::string TreeColumns::of_rest(std::uint64_t inclusive, std::uint64_t samples) const {
  return line("", "", inclusive, samples, "");
}

void TreeColumns::write_legend(TextLines& out) const {
  if (!per_call_) return;
  out.heading("incl.: inclusive; incl. " + per_call_->heading() +
              ": per call of exactly this context");
  if (has_few_samples_) out.wrapped("", few_samples_in_words());
}

}  // namespace copse::report
