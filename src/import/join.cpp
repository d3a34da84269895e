#include "import/join.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "base/grouped.h"
#include "import/added_contexts.h"
#include "import/stack_matcher.h"
#include "report/model/per_call.h"
#include "report/model/quantity.h"
#include "report/model/row.h"
#include "report/model/thread_rows.h"

namespace copse::join {
namespace {

using report::ReportModel;

constexpr std::size_t kMostReasons = 10;
// Limit for contexts whose callers' methods are compared.
constexpr std::size_t kMostCompared = 256;

using report::at;

std::string amount_in_words(const std::string& unit, std::uint64_t amount) {
  const report::Unit kind = report::unit_named(unit);
  if (kind != report::Unit::kCount) return report::in_words(kind, amount);
  return counted(amount, unit.ends_with('s') ? unit.substr(0, unit.size() - 1) : unit, unit);
}

class Join {
 public:
  Join(ReportModel& model, const SampledStacks& stacks)
      : model_(model), stacks_(stacks), added_(model) {
    const ReportModel::Nodes& nodes = model_.nodes;
    depth_.resize(nodes.parent.size());
    for (std::size_t row = 1; row < depth_.size(); ++row) {
      depth_[row] = depth_[at(nodes.parent[row])] + 1;
    }
  }

  JoinSums run(std::size_t value, const std::string& name);

 private:
  using NodeId = AddedContexts::NodeId;

  void take(const Match& match, const StackMatcher::Stack& stack);
  NodeId place_of_several(std::span<const std::int32_t> nodes);
  NodeId common_caller(std::int32_t first, std::int32_t last) const;
  void add_to(NodeId node, const StackMatcher::Stack& stack) {
    for (NumberColumn& column : columns_) {
      if (node >= column.size()) column.resize(std::max(node + 1, depth_.size()));
    }
    columns_[kAmounts][node] += stack.amount;
    columns_[kSamples][node] += stack.samples;
  }
  void add_measures(const SampledStacks::Value& value, bool has_samples);
  bool is_evicted(std::int32_t node) const {
    return is_evicted_method(model_.methods, at(model_.nodes.method[at(node)]));
  }
  void add_notes(const SampledStacks::Value& value);

  ReportModel& model_;
  const SampledStacks& stacks_;
  AddedContexts added_;
  std::vector<std::uint32_t> depth_;
  static constexpr std::size_t kAmounts = 0;
  static constexpr std::size_t kSamples = 1;  // samples behind the amounts, if known
  std::array<NumberColumn, 2> columns_;       // by NodeId
  std::uint64_t unmatched_samples_ = 0;
  std::map<std::string, std::uint64_t> reasons_;
  bool has_threads_ = false;  // the report's contexts are below them
  JoinSums sums_;
};

void Join::take(const Match& match, const StackMatcher::Stack& stack) {
  const std::uint64_t amount = stack.amount;
  switch (match.outcome) {
    case Outcome::kContext:
      sums_.in_contexts += amount;
      if (is_evicted(match.nodes.front())) sums_.evicted += amount;
      add_to(at(match.nodes.front()), stack);
      break;
    case Outcome::kAmbiguous:
      sums_.in_contexts += amount;
      sums_.ambiguous += amount;
      add_to(place_of_several(match.nodes), stack);
      break;
    case Outcome::kOutside:
      sums_.outside += amount;
      add_to(added_.child(0, added_.method("", kOutsideName)), stack);
      break;
    case Outcome::kUnmatched:
      sums_.unmatched += amount;
      unmatched_samples_ += stack.samples;
      reasons_[match.why] += amount;
      break;
  }
}

// In pre-order, a common caller of the first and the last row is one of all rows between.
Join::NodeId Join::common_caller(std::int32_t first, std::int32_t last) const {
  while (first != last) {
    std::int32_t& deeper = depth_[at(first)] > depth_[at(last)] ? first : last;
    deeper = model_.nodes.parent[at(deeper)];
  }
  return at(first);
}

// Returns a node below the deepest common caller: a path of the common methods if the contexts
// differ only in call sites or overloads, otherwise one node for "below here".
Join::NodeId Join::place_of_several(std::span<const std::int32_t> nodes) {
  const NodeId top = common_caller(nodes.front(), nodes.back());
  const auto several = [&] { return added_.child(top, added_.method("", kSeveralName)); };
  const auto is_alike = [&](std::int32_t node) {
    return depth_[at(node)] == depth_[at(nodes[0])] && !is_evicted(node);
  };
  if (nodes.size() > kMostCompared || !std::all_of(nodes.begin(), nodes.end(), is_alike)) {
    return several();
  }
  struct Level {
    std::size_t method;  // of the first context
    bool is_of_all;      // the same method, not only its name, in all contexts
  };
  const ReportModel::Methods& methods = model_.methods;
  std::vector<std::int32_t> row(nodes.begin(), nodes.end());
  std::vector<Level> path;  // innermost first
  while (at(row[0]) != top) {
    Level level{at(model_.nodes.method[at(row[0])]), true};
    for (std::int32_t& node : row) {
      const std::size_t method = at(model_.nodes.method[at(node)]);
      if (methods.class_name[method] != methods.class_name[level.method] ||
          methods.name[method] != methods.name[level.method]) {
        return several();
      }
      level.is_of_all = level.is_of_all && method == level.method;
      node = model_.nodes.parent[at(node)];
    }
    path.push_back(level);
  }
  NodeId place = top;
  for (auto level = path.rbegin(); level != path.rend(); ++level) {
    const std::size_t method = level->method;
    place = added_.child(
        place, level->is_of_all ? method
                                : added_.method(methods.class_name[method], methods.name[method]));
  }
  return place;
}

JoinSums Join::run(std::size_t value, const std::string& name) {
  const SampledStacks::Value& samples = stacks_.values()[value];
  sums_.measure = name;
  sums_.unit = samples.unit;
  sums_.samples = samples.total;
  StackMatcher matcher(model_, stacks_);
  matcher.match(value, [&](const Match& match, const StackMatcher::Stack& stack) {
    if (stack.is_cut) sums_.cut += stack.amount;
    take(match, stack);
  });
  sums_.reasons.assign(reasons_.begin(), reasons_.end());
  std::stable_sort(sums_.reasons.begin(), sums_.reasons.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  sums_.reasons.resize(std::min(kMostReasons, sums_.reasons.size()));
  has_threads_ = !report::thread_rows(model_).empty();
  added_.put_into(model_, columns_);
  add_measures(samples, stacks_.has_samples(value));
  model_.shown = name;
  add_notes(samples);
  return std::move(sums_);
}

// Adds the amounts, and the numbers of samples behind them unless that name is taken.
void Join::add_measures(const SampledStacks::Value& value, bool has_samples) {
  model_.measures.push_back(
      {sums_.measure, value.unit, sums_.unmatched, std::move(columns_[kAmounts])});
  const std::string name = report::samples_of(sums_.measure);
  if (!has_samples || name == sums_.measure || !check_measure_name(model_, name)) return;
  model_.measures.push_back({name, "samples", unmatched_samples_, std::move(columns_[kSamples])});
}

void Join::add_notes(const SampledStacks::Value& value) {
  const auto words = [&](std::uint64_t amount) { return amount_in_words(sums_.unit, amount); };
  const auto note = [&](const std::string& text) {
    model_.notes.push_back(sums_.measure + ": " + text);
  };
  note("another profiler's samples of a run without Copse, " + words(sums_.samples) + ": " +
       words(sums_.in_contexts) + " in contexts, " + words(sums_.outside) +
       " outside recorded code, " + words(sums_.unmatched) + " unmatched, which is lost.");
  for (const std::string& text : value.notes) note(text);
  for (const std::string& text : stacks_.origin.notes) note(text);
  if (sums_.ambiguous != 0) {
    note("of several contexts: " + words(sums_.ambiguous) +
         ", in nodes of unknown call sites, without calls, below the callers that these contexts "
         "have in common.");
    if (has_threads_) {
      note(
          "what the samples do not say the thread of, or the report names otherwise, fits the "
          "contexts "
          "of all threads; a report without --by-thread has one context for them.");
    }
  }
  if (sums_.evicted != 0) note("in nodes of evicted contexts: " + words(sums_.evicted) + ".");
  if (sums_.cut != 0) {
    note("of stacks without their outer frames, or without any: " + words(sums_.cut) +
         ", matched by the frames that there are.");
  }
  for (const auto& [why, amount] : sums_.reasons)
    note("unmatched: " + words(amount) + ": " + why + ".");
}

}  // namespace

std::string measure_name(const SampledStacks::Value& value) {
  std::string name = "joined_" + value.stem;
  const std::string ending = "_" + value.unit;
  if ((value.unit == "ns" || value.unit == "bytes") && !name.ends_with(ending)) name += ending;
  return name;
}

Status check_measure_spelling(const std::string& name) {
  const std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789_";
  if (name.empty() || name.find_first_not_of(letters) != std::string::npos || name.front() == '_' ||
      (name.front() >= '0' && name.front() <= '9')) {
    return Status::error(Fault::kUsage,
                         "'" + name + "' is no name of a measure: lower-case words joined by '_'");
  }
  return {};
}

Status check_measure_name(const ReportModel& model, const std::string& name) {
  if (Status status = check_measure_spelling(name); !status) return status;
  const bool is_taken = model.find_measure(name) != nullptr;
  const std::string_view columns[] = {"parent", "method", "site", "calls"};
  if (!is_taken && std::find(std::begin(columns), std::end(columns), name) == std::end(columns)) {
    return {};
  }
  return Status::error(Fault::kRefused, "the report has " + name +
                                            " already; --as NAME gives the samples another name");
}

JoinSums join_samples(ReportModel& model, const SampledStacks& stacks, std::size_t value,
                      const std::string& name) {
  return Join(model, stacks).run(value, name);
}

}  // namespace copse::join
