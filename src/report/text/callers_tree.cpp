#include "report/text/callers_tree.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include "report/model/row.h"

namespace copse::report {
CallersTree::CallersTree(const ReportModel& model)
    : model_(model), is_inner_(model.nodes.parent.size()) {
  const ReportModel::Nodes& nodes = model_.nodes;
  for (std::size_t node = 1; node < is_inner_.size(); ++node) {
    const std::size_t parent = at(nodes.parent[node]);
    is_inner_[node] =
        parent != 0 && (is_inner_[parent] || nodes.calls[parent] != 0 || view_.of(parent) != 0);
  }
  calls_ = std::accumulate(nodes.calls.begin(), nodes.calls.end(), std::uint64_t{0});
}

double CallersTree::highest_cost() const {
  double highest = 0;
  for (std::size_t node = 1; node < is_inner_.size(); ++node) {
    const std::uint64_t calls = model_.nodes.calls[node];
    if (is_inner_[node] || calls == 0) continue;
    highest = std::max(highest, static_cast<double>(view_.of(node)) / static_cast<double>(calls));
  }
  return highest;
}

std::string CallersTree::cost(const Amounts& amounts) const {
  return per_call_ ? per_call_->text(amounts.shown, amounts.outermost_calls, amounts.samples) : "";
}

void CallersTree::add(Amounts& amounts, std::size_t node) const {
  amounts.calls += model_.nodes.calls[node];
  amounts.shown += view_.of(node);
  if (!is_inner_[node]) amounts.outermost_calls += model_.nodes.calls[node];
  amounts.samples += view_.samples_of(node);
}

// `nodes`: the nodes of the frames, or ROOT. `sites`: the call site of the frame above in each.
std::vector<CallersTree::Frame> CallersTree::grouped_by_frame(const Nodes& ends, const Nodes& nodes,
                                                              const Nodes& sites) const {
  std::vector<Frame> frames;
  std::unordered_map<std::uint64_t, std::size_t> index;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const std::int32_t method = model_.nodes.method[at(nodes[i])];
    const std::uint64_t key = std::uint64_t{static_cast<std::uint32_t>(method)} << 32 |
                              static_cast<std::uint32_t>(sites[i]);
    const auto [found, is_new] = index.try_emplace(key, frames.size());
    if (is_new) {
      frames.emplace_back();
      frames.back().method = method;
      frames.back().site = sites[i];
    }
    Frame& frame = frames[found->second];
    frame.ends.push_back(ends[i]);
    frame.at.push_back(nodes[i]);
    add(frame.amounts, at(ends[i]));
  }
  const auto rank = [](const Frame& frame) {
    return std::tuple(~frame.amounts.shown, ~frame.amounts.calls, frame.method, frame.site);
  };
  std::sort(frames.begin(), frames.end(),
            [&](const Frame& a, const Frame& b) { return rank(a) < rank(b); });
  return frames;
}

std::vector<CallersTree::Frame> CallersTree::tops() const {
  Nodes ends;
  for (std::size_t node = 1; node < is_inner_.size(); ++node) {
    if (model_.nodes.calls[node] != 0 || view_.of(node) != 0) {
      ends.push_back(static_cast<std::int32_t>(node));
    }
  }
  return grouped_by_frame(ends, ends, Nodes(ends.size(), -1));
}

std::vector<CallersTree::Frame> CallersTree::callers(const Frame& frame) const {
  if (frame.method == kNoCaller) return {};
  Nodes nodes, sites;
  for (const std::int32_t node : frame.at) {
    nodes.push_back(model_.nodes.parent[at(node)]);
    sites.push_back(nodes.back() == 0 ? -1 : model_.nodes.site[at(node)]);
  }
  std::vector<Frame> frames = grouped_by_frame(frame.ends, nodes, sites);
  const bool has_caller = std::any_of(
      frames.begin(), frames.end(), [](const Frame& caller) { return caller.method != kNoCaller; });
  if (!has_caller) frames.clear();
  return frames;
}

}  // namespace copse::report
