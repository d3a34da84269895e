#include "report/model/amount_column.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/printable.h"
#include "base/utf8.h"
#include "report/model/display_names.h"

namespace copse::report {
namespace {

constexpr std::size_t kLeastWidth = 15;
constexpr std::size_t kMostHeading = 24;  // of measures with names of a stranger's choice

}  // namespace

AmountHeading heading_of(const MeasureView& view) {
  const std::string suffix(ColumnScale(view.unit, view.total).suffix());
  const auto shown = [](const std::string& text) { return fitted(printable(text), kMostHeading); };
  if (suffix.empty()) return {shown(view.heading), shown(view.heading)};
  return {shown(view.heading + " " + suffix), suffix};
}

AmountColumn::AmountColumn(const MeasureView& view, const std::string& before_unit,
                           const std::string& of_count)
    : scale_(view.unit, view.total),
      heading_(view.unit == Unit::kCount ? of_count
                                         : before_unit + " " + std::string(scale_.suffix())) {
  heading_ = fitted(printable(heading_), kMostHeading);
  width_ = std::max({kLeastWidth, characters(heading_), scale_.text(view.total).size()});
}

AmountColumn AmountColumn::exclusive(const MeasureView& view) {
  return {view, view.heading, view.heading};
}

AmountColumn AmountColumn::inclusive(const MeasureView& view) {
  return {view, "inclusive", "inclusive " + view.heading};
}

std::string AmountColumn::padded(const std::string& text) const {
  return fmt::format("{:>{}}", text, width_);
}

}  // namespace copse::report
