#include "import/stack_matcher.h"

#include <algorithm>
#include <utility>

#include "base/grouped.h"
#include "base/normal_names.h"
#include "base/printable.h"
#include "import/added_contexts.h"
#include "report/model/report_stats.h"
#include "report/model/row.h"
#include "report/model/thread_rows.h"

namespace copse::join {
namespace {

using Known = ReportNames::Known;

using report::at;

std::string name_of(const Frame& frame) { return printable(frame.class_name + "." + frame.method); }

bool contains(const std::vector<std::int32_t>& rows, std::int32_t row) {
  return std::binary_search(rows.begin(), rows.end(), row);
}

}  // namespace

StackMatcher::StackMatcher(const report::ReportModel& model, const SampledStacks& stacks)
    : model_(model),
      stacks_(stacks),
      names_(model),
      threads_(report::thread_rows(model)),
      subtree_rows_(report::subtree_rows(model.nodes)),
      answers_(stacks.frames().size()),
      is_answered_(stacks.frames().size()) {
  find_evicted();
  if (model.totals.merged_methods != 0) find_recursion();
  find_leaves();
}

void StackMatcher::find_evicted() {
  const report::ReportModel::Nodes& nodes = model_.nodes;
  is_evicted_.resize(model_.methods.name.size());
  for (std::size_t row = 0; row < is_evicted_.size(); ++row) {
    is_evicted_[row] = is_evicted_method(model_.methods, row);
  }
  if (std::find(is_evicted_.begin(), is_evicted_.end(), true) == is_evicted_.end()) return;
  evicted_child_.assign(nodes.parent.size(), -1);
  for (std::size_t row = 1; row < nodes.parent.size(); ++row) {
    if (is_evicted_[at(nodes.method[row])]) {
      evicted_child_[at(nodes.parent[row])] = static_cast<std::int32_t>(row);
    }
  }
}

// Merged recursion leaves no path with a method twice.
void StackMatcher::find_recursion() {
  const report::ReportModel::Nodes& nodes = model_.nodes;
  may_be_merged_.assign(model_.methods.name.size(), true);
  std::vector<std::uint32_t> on_path(model_.methods.name.size());
  for (std::size_t row = 1; row < nodes.parent.size(); ++row) {
    for (auto open = static_cast<std::int32_t>(row - 1); open != nodes.parent[row];
         open = nodes.parent[at(open)]) {
      --on_path[at(nodes.method[at(open)])];
    }
    const std::size_t method = at(nodes.method[row]);
    if (++on_path[method] == 2) may_be_merged_[method] = false;
  }
}

void StackMatcher::find_leaves() {
  const report::ReportModel::Nodes& nodes = model_.nodes;
  has_children_.resize(model_.methods.name.size());
  for (std::size_t row = 1; row < nodes.parent.size(); ++row) {
    if (nodes.parent[row] != 0) has_children_[at(nodes.method[at(nodes.parent[row])])] = true;
  }
}

ReportNames::Answer& StackMatcher::answer_for(FrameId frame) {
  if (!is_answered_[frame]) {
    answers_[frame] = names_.methods_of(stacks_.frames()[frame]);
    is_answered_[frame] = true;
  }
  return answers_[frame];
}

// Depth first, so that the contexts of one stack are all that is kept.
void StackMatcher::match(std::size_t value, const Visit& visit) {
  const std::vector<SampledStacks::Node>& nodes = stacks_.nodes();
  constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::vector<std::uint32_t> first_child(nodes.size(), kNone), next_sibling(nodes.size(), kNone);
  for (auto node = static_cast<std::uint32_t>(nodes.size()); node-- > SampledStacks::kRoots;) {
    next_sibling[node] = std::exchange(first_child[nodes[node].parent], node);
  }
  for (const std::uint32_t root : {SampledStacks::kWhole, SampledStacks::kCut}) {
    candidates_.assign(threads_.begin(), threads_.end());
    if (threads_.empty()) candidates_.assign(1, 0);
    std::vector<Step> steps(1);
    steps[0].is_cut = root == SampledStacks::kCut;
    steps[0].end = candidates_.size();
    std::uint32_t node = root;
    while (true) {
      if (const std::uint64_t amount = stacks_.amount(node, value); amount != 0) {
        visit(match_of(steps.back()),
              {root == SampledStacks::kCut, amount, stacks_.samples(node, value)});
      }
      std::uint32_t next = first_child[node];
      for (; next == kNone && node != root; node = nodes[node].parent) {
        next = next_sibling[node];
        steps.pop_back();
        candidates_.resize(steps.back().end);
      }
      if (next == kNone) break;
      node = next;
      steps.push_back(step(steps.back(), nodes[node].frame));
    }
  }
}

// Keeps all threads when the thread is unknown.
StackMatcher::Step StackMatcher::step_to_thread(const Step& from, const std::string& name) {
  Step to = from;
  const std::string_view bare = std::string_view(name).substr(1, name.size() - 2);
  const std::string group = thread_group(bare);
  to.first = candidates_.size();
  for (const std::size_t row : threads_) {
    const std::string_view thread = *report::thread_of(model_, row);
    if (thread == bare || thread == group) candidates_.push_back(static_cast<std::int32_t>(row));
  }
  to.end = candidates_.size();
  return to.first == to.end ? from : to;
}

StackMatcher::Step StackMatcher::step(const Step& from, FrameId frame) {
  if (is_thread(stacks_.frames()[frame]))
    return step_to_thread(from, stacks_.frames()[frame].method);
  const ReportNames::Answer& answer = answer_for(frame);
  Step to = from;
  if (answer.known == Known::kNo || from.state == Step::State::kDead) return to;
  if (answer.known == Known::kNotCalled && !from.is_begun && names_.may_lack_outer_frames()) {
    return to;
  }
  const Frame* const caller =
      from.caller < 0 ? nullptr : &stacks_.frames()[static_cast<FrameId>(from.caller)];
  to.is_begun = true;
  to.caller = frame;
  if (from.state == Step::State::kNativeLeaf) {
    to.state = Step::State::kDead;
    to.why = why_not(from, frame, answer);
    return to;
  }
  to.first = candidates_.size();
  if (from.is_cut && !from.is_begun) {
    begin_cut(from, answer);
  } else {
    for (std::size_t i = from.first; i < from.end; ++i) follow(candidates_[i], caller, answer);
  }
  const auto first = candidates_.begin() + static_cast<std::ptrdiff_t>(to.first);
  std::sort(first, candidates_.end());
  candidates_.erase(std::unique(first, candidates_.end()), candidates_.end());
  to.end = candidates_.size();
  if (to.end - to.first > kMostCandidates) {
    candidates_.resize(to.first);
    to.end = to.first;
    to.state = Step::State::kDead;
    to.why = "more than " + grouped(kMostCandidates) + " contexts end like its stack";
  } else if (to.end == to.first && is_native_leaf(answer) && from.is_begun) {
    to = from;
    to.state = Step::State::kNativeLeaf;
  } else if (to.end == to.first) {
    to.state = Step::State::kDead;
    to.why = why_not(from, frame, answer);
  }
  return to;
}

// A stack without its outer frames can begin at any context of its first method below its thread or
// ROOT.
void StackMatcher::begin_cut(const Step& from, const ReportNames::Answer& answer) {
  if (nodes_of_.empty()) {
    nodes_of_.resize(model_.methods.name.size());
    for (std::size_t row = 1; row < model_.nodes.method.size(); ++row) {
      if (is_added_context(model_, row)) continue;
      nodes_of_[at(model_.nodes.method[row])].push_back(static_cast<std::int32_t>(row));
    }
  }
  for (std::size_t i = from.first; i < from.end; ++i) {
    const std::int32_t top = candidates_[i];
    const std::int32_t end = top + static_cast<std::int32_t>(subtree_rows_[at(top)]);
    for (const std::int32_t method : answer.methods) {
      const std::vector<std::int32_t>& rows = nodes_of_[at(method)];
      candidates_.insert(candidates_.end(), std::upper_bound(rows.begin(), rows.end(), top),
                         std::lower_bound(rows.begin(), rows.end(), end));
    }
  }
}

// Follows a call from one context to its possible callees.
void StackMatcher::follow(std::int32_t node, const Frame* caller,
                          const ReportNames::Answer& answer) {
  if (node != 0 && is_evicted_[at(model_.nodes.method[at(node)])]) {
    candidates_.push_back(node);  // holds all calls below its parent without a node of their own
  } else if (!push_children(node, caller, answer) && !push_merged(node, answer)) {
    push_evicted(node);
  }
}

bool StackMatcher::fits_site(std::int32_t child, const Frame& caller, bool by_bci) const {
  const std::int32_t site = model_.nodes.site[at(child)];
  if (site < 0) return !by_bci;
  const std::int32_t line = model_.sites.line[at(site)];
  if (caller.line >= 0 && line >= 0 && caller.line != line) return false;
  return !by_bci || (caller.bci >= 0 && caller.bci == model_.sites.bci[at(site)]);
}

bool StackMatcher::push_children(std::int32_t node, const Frame* caller,
                                 const ReportNames::Answer& answer) {
  const std::size_t first = candidates_.size();
  const std::size_t end = at(node) + subtree_rows_[at(node)];
  for (std::size_t row = at(node) + 1; row < end; row += subtree_rows_[row]) {
    const auto child = static_cast<std::int32_t>(row);
    if (!contains(answer.methods, model_.nodes.method[row])) continue;
    if (is_added_context(model_, row)) continue;  // of samples that were joined before
    if (caller == nullptr || fits_site(child, *caller, false)) candidates_.push_back(child);
  }
  if (candidates_.size() - first > 1 && caller != nullptr) {
    // Two calls in one line are told apart by their bytecode indices.
    const auto begin = candidates_.begin() + static_cast<std::ptrdiff_t>(first);
    const auto by_bci = [&](std::int32_t child) { return fits_site(child, *caller, true); };
    if (std::any_of(begin, candidates_.end(), by_bci)) {
      candidates_.erase(std::stable_partition(begin, candidates_.end(), by_bci), candidates_.end());
    }
  }
  return candidates_.size() != first;
}

// A call of a method whose recursion is merged counts at its nearest node on the path.
bool StackMatcher::push_merged(std::int32_t node, const ReportNames::Answer& answer) {
  if (may_be_merged_.empty()) return false;
  for (; node > 0; node = model_.nodes.parent[at(node)]) {
    const std::int32_t method = model_.nodes.method[at(node)];
    if (!may_be_merged_[at(method)] || !contains(answer.methods, method)) continue;
    candidates_.push_back(node);
    return true;
  }
  return false;
}

// A context without a node may be among the contexts evicted below its nearest caller that lost
// some.
void StackMatcher::push_evicted(std::int32_t node) {
  if (evicted_child_.empty()) return;
  for (; node >= 0; node = model_.nodes.parent[at(node)]) {
    if (evicted_child_[at(node)] < 0) continue;
    candidates_.push_back(evicted_child_[at(node)]);
    return;
  }
}

// Natives and intrinsics of the JDK are counted at their call sites, but not for all callers.
bool StackMatcher::is_native_leaf(const ReportNames::Answer& answer) const {
  return answer.known == Known::kYes &&
         std::all_of(answer.methods.begin(), answer.methods.end(), [&](std::int32_t method) {
           return model_.methods.loader[at(method)] == "boot" && !has_children_[at(method)];
         });
}

std::string StackMatcher::why_not(const Step& from, FrameId frame,
                                  const ReportNames::Answer& answer) const {
  const std::string callee = name_of(stacks_.frames()[frame]);
  if (answer.known == Known::kNotCalled) return callee + ": the report has no call of it";
  if (from.caller < 0) return callee + ": no thread of the report begins with it";
  const Frame& caller = stacks_.frames()[static_cast<FrameId>(from.caller)];
  std::string place = name_of(caller);
  if (caller.line >= 0) place += ":" + std::to_string(caller.line);
  return callee + ": the report has no call of it from " + place + " in this context";
}

Match StackMatcher::match_of(const Step& step) const {
  Match match;
  if (step.state == Step::State::kDead) {
    match.why = step.why;
  } else if (!step.is_begun && step.is_cut) {
    match.why = "no stack, or none of its frames recorded before it is cut";
  } else if (!step.is_begun) {
    match.outcome = Outcome::kOutside;
  } else {
    match.nodes = std::span(candidates_).subspan(step.first, step.end - step.first);
    match.outcome = match.nodes.size() == 1 ? Outcome::kContext : Outcome::kAmbiguous;
  }
  return match;
}

}  // namespace copse::join
