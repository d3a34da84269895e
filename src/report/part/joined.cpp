#include "report/part/joined.h"

#include <string>
#include <utility>
#include <vector>

#include "report/model/report_builder.h"
#include "report/model/row.h"
#include "report/part/part_model.h"
#include "report/text/text_formats.h"

namespace copse::report {
namespace {

// Contexts. Some are parts of their caller's context.
class Joined : public Contexts {
 public:
  // `frame`: method of a context that joins none and is of a chosen method; -1 means its own.
  Joined(const ReportModel& model, const MethodChoice& choice, std::int32_t frame)
      : nodes_(model.nodes), choice_(choice), frame_(frame), stays_(nodes_.parent.size()) {
    for (std::size_t row = 1; row < stays_.size(); ++row) {
      const auto caller = static_cast<std::uint32_t>(nodes_.parent[row]);
      const bool joins = caller != 0 && is_chosen(row) && (frame < 0 || is_chosen(caller));
      stays_[row] = joins ? stays_[caller] : static_cast<std::uint32_t>(row);
    }
  }

  // Returns the context itself, or its nearest caller that stays.
  std::uint32_t staying(std::uint32_t row) const { return stays_[row]; }

  std::uint32_t count() const override { return static_cast<std::uint32_t>(stays_.size()); }
  std::uint32_t parent(std::uint32_t row) const override {
    if (row == 0) return 0;
    return stays_[row] == row ? stays_[at(nodes_.parent[row])] : kLeftOut;
  }
  // A call site in a frame that is gone, or of one that stands for several methods, is none.
  Name name(std::uint32_t row) const override {
    const auto caller = static_cast<std::uint32_t>(nodes_.parent[row]);
    if (frame_ < 0) return {nodes_.method[row], stays_[caller] == caller ? nodes_.site[row] : -1};
    const bool is_in = is_chosen(row);
    return {is_in ? frame_ : nodes_.method[row],
            is_in || is_chosen(caller) ? -1 : nodes_.site[row]};
  }

 private:
  bool is_chosen(std::size_t row) const { return choice_.has_context(nodes_, row); }

  const ReportModel::Nodes& nodes_;
  const MethodChoice& choice_;
  const std::int32_t frame_;
  std::vector<std::uint32_t> stays_;
};

PartNodes joined(const ReportModel& model, const Joined& contexts, bool with_calls) {
  Rows rows = rows_of(contexts);
  PartNodes part{std::move(rows.nodes), {}};
  const std::size_t count = part.nodes.parent.size();
  std::vector<std::int32_t> row_of = rows.row_of;
  for (std::uint32_t row = 1; row < contexts.count(); ++row) {
    row_of[row] = rows.row_of[contexts.staying(row)];
  }
  const std::vector<std::int32_t>& row_of_calls = with_calls ? row_of : rows.row_of;
  part.nodes.calls = sums_by_row(model.nodes.calls, row_of_calls, count);
  for (const ReportModel::Measure& measure : model.measures) {
    // A comparison has the other report's calls as a measure.
    const bool are_calls = measure.name == kCallsMeasure;
    part.measures.push_back(sums_by_row(measure.values, are_calls ? row_of_calls : row_of, count));
  }
  return part;
}

}  // namespace

ReportModel without_frames(const ReportModel& model, const MethodChoice& choice) {
  return part_of(
      model, joined(model, Joined(model, choice, -1), false),
      "Without the frames of " + in_words(choice) +
          ": what they have is their callers', but for their calls. A thread's first frame stays.");
}

ReportModel folded(const ReportModel& model, const MethodChoice& choice, std::int32_t frame) {
  return part_of(model, joined(model, Joined(model, choice, frame), true),
                 "With " + in_words(choice) +
                     " as one frame wherever one calls another; its calls are all of theirs.");
}

}  // namespace copse::report
