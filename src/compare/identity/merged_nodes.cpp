#include "compare/identity/merged_nodes.h"

#include <algorithm>
#include <utility>

#include "base/grouped.h"
#include "report/model/report_builder.h"
#include "report/model/row.h"

namespace copse::identity {
namespace {

using report::at;
using report::ReportModel;

// The rows of all parts, one part after the other.
class PartContexts : public report::Contexts {
 public:
  PartContexts(const std::vector<const ReportModel*>& parts, const MergedNames& names)
      : parts_(parts), names_(names) {
    for (const ReportModel* part : parts) {
      first_.push_back(count_);
      count_ += static_cast<std::uint32_t>(part->nodes.parent.size());
    }
  }

  std::uint32_t count() const override { return count_; }
  std::uint32_t first(std::size_t part) const { return first_[part]; }

  std::uint32_t parent(std::uint32_t context) const override {
    const std::size_t part = part_of(context);
    const std::int32_t parent = parts_[part]->nodes.parent[context - first_[part]];
    return parent < 0 ? context : first_[part] + static_cast<std::uint32_t>(parent);
  }

  Name name(std::uint32_t context) const override {
    const std::size_t part = part_of(context);
    const ReportModel::Nodes& nodes = parts_[part]->nodes;
    const std::size_t row = context - first_[part];
    const std::int32_t site = nodes.site[row];
    return {names_.method_of[part][at(nodes.method[row])],
            site < 0 ? -1 : names_.site_of[part][at(site)]};
  }

 private:
  std::size_t part_of(std::uint32_t context) const {
    std::size_t part = first_.size() - 1;
    while (first_[part] > context) --part;
    return part;
  }

  const std::vector<const ReportModel*>& parts_;
  const MergedNames& names_;
  std::vector<std::uint32_t> first_;  // by part
  std::uint32_t count_ = 0;
};

std::string whose_calls(const ReportModel& report) {
  return report.totals.calls_of.empty() ? "all calls" : "calls of " + report.totals.calls_of;
}

}  // namespace

Status check_alike(const ReportModel& report, const ReportModel& other_report,
                   const std::string& other) {
  if (report.totals.calls_of != other_report.totals.calls_of) {
    return Status::error(Fault::kRefused, "counts " + whose_calls(report) + ", and " + other +
                                              " counts " + whose_calls(other_report) +
                                              ": they do not compare");
  }
  for (const ReportModel::Measure& measure : report.measures) {
    const ReportModel::Measure* same = other_report.find_measure(measure.name);
    if (same == nullptr || same->unit == measure.unit) continue;
    return Status::error(Fault::kRefused, measure.name + ": is in " + measure.unit + ", and in " +
                                              same->unit + " in " + other +
                                              ": they do not compare");
  }
  constexpr std::uint64_t kMostRows = std::uint64_t{1} << 31;
  if (report.nodes.parent.size() + other_report.nodes.parent.size() > kMostRows) {
    return Status::error(Fault::kLimit, "has too many contexts: with those of " + other +
                                            " there could be more than " + grouped(kMostRows));
  }
  return {};
}

MergedNodes merged_nodes(const std::vector<const ReportModel*>& parts, const MergedNames& names) {
  const PartContexts contexts(parts, names);
  report::Rows rows = rows_of(contexts);
  MergedNodes merged{std::move(rows.nodes), {}};
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const auto begin = rows.row_of.begin() + contexts.first(part);
    merged.row_of.emplace_back(
        begin, begin + static_cast<std::ptrdiff_t>(parts[part]->nodes.parent.size()));
  }
  return merged;
}

}  // namespace copse::identity
