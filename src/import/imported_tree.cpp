#include "import/imported_tree.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "base/utf8.h"
#include "import/imported_report.h"
#include "report/exports/names.h"
#include "report/model/pre_order.h"

namespace copse::join {
namespace {

constexpr std::int32_t kNoRow = -1;

}  // namespace

using report::ReportModel;

Status ImportedTree::write_into(ReportModel& model) {
  take_methods(model);
  take_sites(model);
  find_contexts();
  if (parents_.size() > kMostContexts) return Status::error(Fault::kLimit, "has too many contexts");
  write_nodes(model);
  return {};
}

std::vector<std::uint64_t> ImportedTree::column(std::size_t value) const {
  return by_row(&SampledStacks::amount, value);
}

std::vector<std::uint64_t> ImportedTree::samples(std::size_t value) const {
  return by_row(&SampledStacks::samples, value);
}

std::vector<std::uint64_t> ImportedTree::by_row(OfNode of_node, std::size_t value) const {
  std::vector<std::uint64_t> rows(parents_.size() + 1);
  for (std::uint32_t node = 0; node < contexts_.size(); ++node) {
    if (const std::uint64_t amount = (stacks_.*of_node)(node, value); amount != 0) {
      rows[row_of_[contexts_[node]]] += amount;
    }
  }
  return rows;
}

void ImportedTree::take_methods(ReportModel& model) {
  std::map<Method, std::optional<std::string>> sources;
  std::vector<decltype(sources)::iterator> of_frame;
  const auto take = [&](const Frame& frame) {
    Method method(valid_utf8(frame.class_name), valid_utf8(frame.method),
                  valid_utf8(frame.descriptor));
    std::string source = valid_utf8(frame.source);
    const auto [found, is_new] = sources.try_emplace(std::move(method), source);
    if (found->second != source) found->second = "";
    return found;
  };
  for (const Frame& frame : stacks_.frames()) of_frame.push_back(take(frame));
  const auto needed = [&](bool is_needed, std::string_view name) {
    Frame frame;
    frame.method = name;
    return is_needed ? take(frame) : sources.end();
  };
  bool has_cut = false, has_none = false;
  const std::vector<SampledStacks::Node>& nodes = stacks_.nodes();
  for (std::size_t node = SampledStacks::kRoots; node < nodes.size(); ++node) {
    has_cut = has_cut || nodes[node].parent == SampledStacks::kCut;
  }
  for (std::size_t value = 0; value < stacks_.values().size(); ++value) {
    has_none = has_none || stacks_.amount(SampledStacks::kWhole, value) != 0 ||
               stacks_.amount(SampledStacks::kCut, value) != 0;
  }
  const auto missing = needed(has_cut, kOuterFramesMissing);
  const auto outside = needed(has_none, report::kOutsideContexts);
  std::map<const Method*, std::int32_t> rows;
  for (const auto& [method, source] : sources) {
    rows[&method] = static_cast<std::int32_t>(model.methods.name.size());
    model.methods.class_name.push_back(std::get<0>(method));
    model.methods.name.push_back(std::get<1>(method));
    model.methods.descriptor.push_back(std::get<2>(method));
    model.methods.source.push_back(*source);
    model.methods.loader.emplace_back();
    model.methods.stable_class.emplace_back();
  }
  for (const auto& found : of_frame) method_of_frame_.push_back(rows.at(&found->first));
  if (has_cut) missing_frames_ = rows.at(&missing->first);
  if (has_none) no_caller_ = rows.at(&outside->first);
}

void ImportedTree::take_sites(ReportModel& model) {
  std::vector<bool> is_caller(stacks_.frames().size());
  const std::vector<SampledStacks::Node>& nodes = stacks_.nodes();
  for (std::size_t node = SampledStacks::kRoots; node < nodes.size(); ++node) {
    const std::uint32_t parent = nodes[node].parent;
    if (parent >= SampledStacks::kRoots) is_caller[nodes[parent].frame] = true;
  }
  // Rows that stand for no method of a program have no unknown call sites.
  const auto has_site = [&](std::size_t frame) {
    const Frame& where = stacks_.frames()[frame];
    return is_caller[frame] && (where.line >= 0 || where.bci >= 0 || !where.class_name.empty());
  };
  std::vector<std::pair<Site, std::size_t>> of_frames;
  for (std::size_t frame = 0; frame < is_caller.size(); ++frame) {
    if (!has_site(frame)) continue;
    const Frame& where = stacks_.frames()[frame];
    of_frames.push_back({Site(method_of_frame_[frame], where.line, where.bci), frame});
  }
  std::sort(of_frames.begin(), of_frames.end());
  site_of_frame_.assign(is_caller.size(), kNoRow);
  ReportModel::Sites& sites = model.sites;
  for (std::size_t i = 0; i < of_frames.size(); ++i) {
    const auto& [site, frame] = of_frames[i];
    if (i == 0 || of_frames[i - 1].first != site) {
      sites.method.push_back(std::get<0>(site));
      sites.line.push_back(std::get<1>(site));
      sites.bci.push_back(std::get<2>(site));
    }
    site_of_frame_[frame] = static_cast<std::int32_t>(sites.method.size()) - 1;
  }
}

std::uint32_t ImportedTree::context(std::uint32_t parent, std::int32_t site, std::int32_t method) {
  const std::uint64_t call =
      static_cast<std::uint64_t>(method) << 32 | static_cast<std::uint32_t>(site + 1);
  // A key must not be 0, which method 0 without a site would give.
  std::uint32_t& id = call_ids_[call + (std::uint64_t{1} << 63)];
  if (id == 0) {
    calls_.push_back(call);
    id = static_cast<std::uint32_t>(calls_.size());
  }
  std::uint32_t& found = context_ids_[std::uint64_t{parent} << 32 | id];
  if (found == 0) {
    parents_.push_back(parent);
    call_of_.push_back(id - 1);
    found = static_cast<std::uint32_t>(parents_.size());
  }
  return found - 1;
}

void ImportedTree::find_contexts() {
  const std::vector<SampledStacks::Node>& nodes = stacks_.nodes();
  contexts_.resize(nodes.size());
  const std::uint32_t cut = missing_frames_ == kNoRow
                                ? report::kBelowRoot
                                : context(report::kBelowRoot, kNoRow, missing_frames_);
  if (no_caller_ != kNoRow) {
    contexts_[SampledStacks::kWhole] = contexts_[SampledStacks::kCut] =
        context(report::kBelowRoot, kNoRow, no_caller_);
  }
  for (std::size_t node = SampledStacks::kRoots; node < nodes.size(); ++node) {
    const auto [parent, frame] = nodes[node];
    const bool is_outermost = parent < SampledStacks::kRoots;
    const std::uint32_t caller = !is_outermost                   ? contexts_[parent]
                                 : parent == SampledStacks::kCut ? cut
                                                                 : report::kBelowRoot;
    const std::int32_t site = is_outermost ? kNoRow : site_of_frame_[nodes[parent].frame];
    contexts_[node] = context(caller, site, method_of_frame_[frame]);
  }
  context_ids_ = {};
}

// Siblings have one caller, so their call sites are in the order of rows.
void ImportedTree::write_nodes(ReportModel& model) {
  std::vector<std::uint32_t> calls_in_order(calls_.size()), place(calls_.size() + 1);
  for (std::uint32_t call = 0; call < calls_in_order.size(); ++call) calls_in_order[call] = call;
  std::sort(calls_in_order.begin(), calls_in_order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return calls_[a] < calls_[b]; });
  std::vector<std::uint32_t> contexts_with(calls_.size()), in_order(parents_.size());
  for (const std::uint32_t call : call_of_) ++contexts_with[call];
  std::uint32_t next = 0;
  for (const std::uint32_t call : calls_in_order) {
    place[call] = std::exchange(next, next + contexts_with[call]);
  }
  for (std::uint32_t i = 0; i < parents_.size(); ++i) in_order[place[call_of_[i]]++] = i;

  ReportModel::Nodes& nodes = model.nodes;
  const auto add = [&](std::int32_t parent, std::int32_t method, std::int32_t site) {
    nodes.parent.push_back(parent);
    nodes.method.push_back(method);
    nodes.site.push_back(site);
  };
  add(-1, -1, -1);
  row_of_.resize(parents_.size());
  for (const auto& [i, parent, depth] : report::pre_order(parents_, in_order)) {
    row_of_[i] = static_cast<std::uint32_t>(nodes.parent.size());
    const std::uint64_t call = calls_[call_of_[i]];
    add(parent, static_cast<std::int32_t>(call >> 32), static_cast<std::int32_t>(call) - 1);
    model.totals.max_depth = std::max<std::uint64_t>(model.totals.max_depth, depth);
  }
  nodes.calls.resize(nodes.parent.size());
  model.totals.contexts = parents_.size();
}

}  // namespace copse::join
