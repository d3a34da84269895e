#include "import/imported_tree.h"

#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "base/utf8.h"
#include "import/imported_report.h"
#include "report/exports/names.h"
#include "report/model/report_builder.h"
#include "report/model/row.h"

namespace copse::join {
namespace {

using report::at;
using report::ReportModel;

constexpr std::int32_t kNoRow = -1;

// The nodes of the stacks, and two contexts more: ROOT, and the missing outer frames of cut stacks. The roots of the
// stacks are the context outside all others.
class StackContexts : public report::Contexts {
 public:
  StackContexts(const SampledStacks& stacks, ReportModel& model)
      : stacks_(stacks), is_caller_(stacks.frames().size()) {
    see_nodes();
    take_names(model);
  }

  std::uint32_t count() const override { return missing_frames() + 1; }

  std::uint32_t parent(std::uint32_t context) const override {
    if (context == root()) return root();
    if (context == missing_frames()) return has_cut_ ? root() : kLeftOut;
    if (context < SampledStacks::kRoots) return has_none_ ? root() : kLeftOut;
    const std::uint32_t parent = stacks_.nodes()[context].parent;
    if (parent >= SampledStacks::kRoots) return parent;
    return parent == SampledStacks::kCut ? missing_frames() : root();
  }

  Name name(std::uint32_t context) const override {
    if (context == missing_frames()) return {missing_method_, kNoRow};
    if (context < SampledStacks::kRoots) return {outside_method_, kNoRow};
    const auto [parent, frame] = stacks_.nodes()[context];
    return {method_of_frame_[frame], parent < SampledStacks::kRoots
                                         ? kNoRow
                                         : site_of_frame_[stacks_.nodes()[parent].frame]};
  }

 private:
  std::uint32_t root() const { return static_cast<std::uint32_t>(stacks_.nodes().size()); }
  std::uint32_t missing_frames() const { return root() + 1; }

  void see_nodes() {
    const std::vector<SampledStacks::Node>& nodes = stacks_.nodes();
    for (std::size_t node = SampledStacks::kRoots; node < nodes.size(); ++node) {
      const std::uint32_t parent = nodes[node].parent;
      has_cut_ = has_cut_ || parent == SampledStacks::kCut;
      if (parent >= SampledStacks::kRoots) is_caller_[nodes[parent].frame] = true;
    }
    for (std::size_t value = 0; value < stacks_.values().size(); ++value) {
      has_none_ = has_none_ || stacks_.amount(SampledStacks::kWhole, value) != 0 ||
                  stacks_.amount(SampledStacks::kCut, value) != 0;
    }
  }

  // Rows that stand for no method of a program have no unknown call sites.
  bool has_site(std::size_t frame) const {
    const Frame& where = stacks_.frames()[frame];
    return is_caller_[frame] && (where.line >= 0 || where.bci >= 0 || !where.class_name.empty());
  }

  void take_names(ReportModel& model) {
    for (const Frame& frame : stacks_.frames()) {
      method_of_frame_.push_back(
          add_method({valid_utf8(frame.class_name), valid_utf8(frame.method),
                      valid_utf8(frame.descriptor), valid_utf8(frame.source), "", ""},
                     model.methods));
    }
    const auto plain = [&](std::string_view name) {
      return add_method({"", std::string(name), "", "", "", ""}, model.methods);
    };
    if (has_cut_) missing_method_ = plain(kOuterFramesMissing);
    if (has_none_) outside_method_ = plain(report::kOutsideContexts);
    for (std::size_t frame = 0; frame < is_caller_.size(); ++frame) {
      const Frame& where = stacks_.frames()[frame];
      site_of_frame_.push_back(
          has_site(frame) ? add_site(method_of_frame_[frame], where.line, where.bci, model.sites)
                          : kNoRow);
    }
    const report::NewNames now = sort_names(model.methods, model.sites);
    report::renumber(now.method, method_of_frame_);
    report::renumber(now.site, site_of_frame_);
    if (has_cut_) missing_method_ = now.method[at(missing_method_)];
    if (has_none_) outside_method_ = now.method[at(outside_method_)];
  }

  const SampledStacks& stacks_;
  bool has_cut_ = false;                       // outer frames are missing
  bool has_none_ = false;                      // an amount has no frame
  std::vector<bool> is_caller_;                // by frame
  std::vector<std::int32_t> method_of_frame_;  // rows
  std::vector<std::int32_t> site_of_frame_;    // of a call from the frame
  std::int32_t missing_method_ = kNoRow, outside_method_ = kNoRow;
};

}  // namespace

Status ImportedTree::write_into(ReportModel& model) {
  constexpr std::size_t kMostNodes = std::numeric_limits<std::int32_t>::max() - 2;
  if (stacks_.nodes().size() > kMostNodes)
    return Status::error(Fault::kLimit, "has too many contexts");
  report::Rows rows = rows_of(StackContexts(stacks_, model));
  model.nodes = std::move(rows.nodes);
  rows_ = model.nodes.parent.size();
  model.nodes.calls.resize(rows_);
  row_of_ = std::move(rows.row_of);
  return {};
}

NumberColumn ImportedTree::column(std::size_t value) const {
  return by_row(&SampledStacks::amount, value);
}

NumberColumn ImportedTree::samples(std::size_t value) const {
  return by_row(&SampledStacks::samples, value);
}

NumberColumn ImportedTree::by_row(OfNode of_node, std::size_t value) const {
  NumberColumn sums(rows_);
  for (std::uint32_t node = 0; node < stacks_.nodes().size(); ++node) {
    if (const std::uint64_t amount = (stacks_.*of_node)(node, value); amount != 0) {
      sums[at(row_of_[node])] += amount;
    }
  }
  return sums;
}

}  // namespace copse::join
