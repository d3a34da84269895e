#include "compare/diff/changes.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "report/model/report_stats.h"
#include "report/model/row.h"

namespace copse::diff {
namespace {

using report::at;
using Column = NumberColumn;

// Standard errors. An effect with effects above it is one of a few that are looked at, an effect below contexts without
// any is one of as many as there are contexts.
constexpr double kChance = 2, kChanceAmongMany = 4;

struct Ratio {
  std::uint64_t of = 1, by = 1;
  double value() const { return static_cast<double>(of) / static_cast<double>(by); }
  // Returns true if `now` is this ratio times `before`.
  bool gives(std::uint64_t before, std::uint64_t now) const {
    __extension__ using Wide = unsigned __int128;
    return Wide{now} * by == Wide{before} * of;
  }
};

double amount(std::uint64_t value) { return static_cast<double>(value); }

bool is_beyond_chance(double effect, double variance, double errors = kChance) {
  return std::abs(effect) > 0 && std::abs(effect) >= errors * std::sqrt(variance);
}

// Square of the standard error of an amount made of `samples` samples.
double variance_of(double value, std::uint64_t samples) {
  return samples == 0 ? 0 : value * value / amount(samples);
}

class ChangeFinder {
 public:
  ChangeFinder(const Comparison& comparison, std::size_t measure)
      : comparison_(comparison),
        nodes_(comparison.both.nodes),
        old_values_(comparison.old_values(measure)),
        new_values_(comparison.new_values(measure)),
        old_calls_(comparison.old_values(0)),
        new_calls_(comparison.new_values(0)),
        is_calls_(measure == 0) {
    find_samples(measure);
  }

  Changes found() && {
    if (is_sampled_) {
      own_.assign(nodes_.parent.size(), 0);
      own_variance_.assign(nodes_.parent.size(), 0);
    }
    region_of_.assign(nodes_.parent.size(), 0);
    regions_.push_back({});
    look_at_both(0, 0);
    for (std::size_t node = 1; node < nodes_.parent.size(); ++node) look_at(node);
    tell_topmost();
    tell_regions();
    if (is_sampled_) tell_costs();
    Changes changes;
    changes.rest = amount(sum_of(new_values_)) - amount(sum_of(old_values_));
    for (const Change& change : list_) changes.rest -= change.effect;
    if (!is_sampled_) changes.rest = 0;  // except for rounding
    std::sort(list_.begin(), list_.end(), [](const Change& a, const Change& b) {
      const double x = std::abs(a.effect), y = std::abs(b.effect);
      return x != y ? x > y : a.node < b.node;
    });
    changes.list = std::move(list_);
    return changes;
  }

 private:
  void find_samples(std::size_t measure) {
    const std::optional<std::size_t> samples = comparison_.samples_of(measure);
    if (!samples) return;
    is_sampled_ = true;
    old_samples_ = &comparison_.old_values(*samples);
    new_samples_ = &comparison_.new_values(*samples);
  }

  // Contexts with the same ratio of calls, NEW by OLD, as the topmost of them.
  struct Region {
    std::size_t node = 0;
    std::uint32_t parent =
        0;  // region of its contexts without the change; the first region is its own parent
    Ratio ratio;
    // OLD's amount in the region and its child regions, its variance, and the part of the topmost
    // context's difference that no ratio explains.
    double before = 0, variance = 0, own = 0;
  };

  // A context in one report only with a caller in both, and its inclusive amount and samples.
  struct Topmost {
    std::size_t node = 0;
    std::uint64_t amount = 0, samples = 0;
  };

  void look_at(std::size_t node) {
    const std::size_t parent = at(nodes_.parent[node]);
    if (comparison_.in_old(node) && comparison_.in_new(node)) {
      return look_at_both(node, region_of_[parent]);
    }
    look_at_one_side(node, parent);
  }

  // Adds a context in one report only to its topmost ancestor in the same report only.
  void look_at_one_side(std::size_t node, std::size_t parent) {
    if (comparison_.presence[parent] == comparison_.presence[node]) {
      region_of_[node] = region_of_[parent];
    } else {
      region_of_[node] = static_cast<std::uint32_t>(topmost_.size());
      topmost_.push_back({node, 0, 0});
    }
    Topmost& topmost = topmost_[region_of_[node]];
    const bool is_new = comparison_.in_new(node);
    topmost.amount += (is_new ? new_values_ : old_values_)[node];
    if (is_sampled_) topmost.samples += (*(is_new ? new_samples_ : old_samples_))[node];
  }

  void look_at_both(std::size_t node, std::uint32_t region_above) {
    const std::uint32_t index = region_for(node, region_above);
    region_of_[node] = index;
    Region& region = regions_[index];
    const double before = amount(old_values_[node]), now = amount(new_values_[node]);
    const double expected = before * region.ratio.value();
    const bool costs_as_much = region.ratio.gives(old_values_[node], new_values_[node]);
    const double own = costs_as_much ? 0 : now - expected;
    region.before += before;
    if (is_sampled_) {
      region.variance += variance_of(before, (*old_samples_)[node]);
      own_[node] = own;
      own_variance_[node] =
          variance_of(now, (*new_samples_)[node]) + variance_of(expected, (*old_samples_)[node]);
    } else if (region.node == node && node != 0) {
      region.own = own;  // a context has one change
    } else {
      const bool is_first = is_calls_ && old_calls_[node] == 0;
      add(node, is_first ? ChangeKind::kMore : ChangeKind::kCost, own, 0);
    }
  }

  // Returns the region of a context in both reports. The context follows a change above it or keeps
  // its calls, whichever is nearer. Region 0 has the contexts called as often as before.
  std::uint32_t region_for(std::size_t node, std::uint32_t above) {
    const std::uint64_t before = old_calls_[node], now = new_calls_[node];
    if (before == 0 || !comparison_.compares_calls()) return above;
    if (now == before) return 0;
    const Ratio& expected = regions_[above].ratio;
    if (expected.gives(before, now)) return above;
    const double from_expected = std::abs(amount(now) - amount(before) * expected.value());
    const bool follows = from_expected < std::abs(amount(now) - amount(before));
    regions_.push_back({node, follows ? above : 0, {now, before}, 0, 0, 0});
    return static_cast<std::uint32_t>(regions_.size() - 1);
  }

  void tell_regions() {
    for (std::size_t i = regions_.size(); i-- > 1;) {
      const Region& region = regions_[i];
      Region& parent = regions_[region.parent];
      const double change = region.ratio.value() - parent.ratio.value();
      const ChangeKind kind = change > 0 ? ChangeKind::kMore : ChangeKind::kFewer;
      const double own = amount(old_values_[region.node]) * change + region.own;
      const double all = region.before * change + region.own;
      if (!is_sampled_ && own * (all - own) < 0) {  // neither may hide the other
        add(region.node, kind, all - own, 0, region.parent != 0);
        add(region.node, ChangeKind::kCost, own, 0);
      } else {
        add(region.node, kind, all, region.variance * change * change, region.parent != 0);
      }
      parent.before += region.before;
      parent.variance += region.variance;
    }
  }

  void tell_topmost() {
    for (const auto& [node, sum, samples] : topmost_) {
      const bool is_new = comparison_.in_new(node);
      const double effect = is_new ? amount(sum) : -amount(sum);
      add(node, is_new ? ChangeKind::kNew : ChangeKind::kGone, effect,
          variance_of(effect, samples));
    }
  }

  void add(std::size_t node, ChangeKind kind, double effect, double variance,
           bool is_per_caller = false) {
    if (is_sampled_ ? !is_beyond_chance(effect, variance) : effect == 0) return;
    list_.push_back(
        {static_cast<std::int32_t>(node), kind, is_per_caller, effect, std::sqrt(variance)});
  }

  void tell_costs() {
    std::vector<double> effects = own_, variances = own_variance_;
    for (std::size_t node = nodes_.parent.size(); --node > 0;) {
      effects[at(nodes_.parent[node])] += effects[node];
      variances[at(nodes_.parent[node])] += variances[node];
    }
    std::vector<bool> is_told(nodes_.parent.size());
    is_told[0] = true;
    for (std::size_t node = 1; node < nodes_.parent.size(); ++node) {
      is_told[node] =
          is_told[at(nodes_.parent[node])] && is_beyond_chance(effects[node], variances[node]);
    }
    // A difference that is told below a context is not told again there. Opposite ones may cancel out in the callers'
    // sums, so a caller without a difference does not end the search.
    for (std::size_t node = nodes_.parent.size(); --node > 0;) {
      if (!is_told[node]) {
        is_told[node] = is_beyond_chance(own_[node], own_variance_[node], kChanceAmongMany);
      }
      if (is_told[node]) continue;
      own_[at(nodes_.parent[node])] += own_[node];
      own_variance_[at(nodes_.parent[node])] += own_variance_[node];
    }
    for (std::size_t node = 0; node < nodes_.parent.size(); ++node) {
      if (is_told[node]) add(node, ChangeKind::kCost, own_[node], own_variance_[node]);
    }
  }

  const Comparison& comparison_;
  const report::ReportModel::Nodes& nodes_;
  const Column &old_values_, &new_values_, &old_calls_, &new_calls_;
  const bool is_calls_;
  bool is_sampled_ = false;
  const Column *old_samples_ = nullptr, *new_samples_ = nullptr;
  // By node: index into regions_, or into topmost_ for a context in one report only.
  std::vector<std::uint32_t> region_of_;
  std::vector<Region> regions_;  // the first: called as often as before
  std::vector<Topmost> topmost_;
  std::vector<double> own_, own_variance_;
  std::vector<Change> list_;
};

}  // namespace

const char* name_of(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::kNew:
      return "new";
    case ChangeKind::kGone:
      return "gone";
    case ChangeKind::kMore:
      return "more";
    case ChangeKind::kFewer:
      return "fewer";
    case ChangeKind::kCost:
      break;
  }
  return "cost";
}

Changes find_changes(const Comparison& comparison, std::size_t measure) {
  return ChangeFinder(comparison, measure).found();
}

Inclusive inclusive_at(const Comparison& comparison, std::size_t measure,
                       const std::vector<Change>& list) {
  std::vector<std::int32_t> rows;
  for (const Change& change : list) rows.push_back(change.node);
  const report::ReportModel::Nodes& nodes = comparison.both.nodes;
  return {report::inclusive_at(nodes, comparison.old_values(measure), rows),
          report::inclusive_at(nodes, comparison.new_values(measure), rows)};
}

Inclusive amounts_of(const Comparison& comparison, std::size_t measure, const Changes& all,
                     const std::vector<Change>& list) {
  Inclusive amounts = inclusive_at(comparison, measure, list);
  const report::ReportModel::Nodes& nodes = comparison.both.nodes;
  const Column &before = comparison.old_values(measure), &now = comparison.new_values(measure);
  std::vector<bool> is_told(nodes.parent.size());
  bool is_sampled = false;
  for (const Change& change : all.list) {
    if (change.kind != ChangeKind::kCost) continue;
    is_told[at(change.node)] = true;
    is_sampled = is_sampled || change.error != 0;
  }
  // The cost of an exact measure is that of the context itself.
  std::unordered_map<std::int32_t, std::pair<std::uint64_t, std::uint64_t>> told;
  std::vector<std::int32_t> told_at(is_sampled ? nodes.parent.size() : 0);
  for (std::size_t node = 0; node < told_at.size(); ++node) {
    const bool is_own = is_told[node] || node == 0;
    told_at[node] = is_own ? static_cast<std::int32_t>(node) : told_at[at(nodes.parent[node])];
    if (before[node] == 0 && now[node] == 0) continue;
    auto& [of_old, of_new] = told[told_at[node]];
    of_old += before[node];
    of_new += now[node];
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].kind != ChangeKind::kCost) continue;
    const std::int32_t node = list[i].node;
    const auto& [of_old, of_new] =
        is_sampled ? told[node]
                   : std::pair<std::uint64_t, std::uint64_t>{before[at(node)], now[at(node)]};
    amounts.before[i] = of_old;
    amounts.now[i] = of_new;
  }
  return amounts;
}

ContextCounts count_contexts(const Comparison& comparison, std::size_t measure) {
  ContextCounts counts;
  const std::size_t by = comparison.compares_calls() ? 0 : measure;
  const Column &before = comparison.old_values(by), &now = comparison.new_values(by);
  for (std::size_t node = 1; node < comparison.presence.size(); ++node) {
    if (before[node] == 0 && now[node] == 0) continue;
    if (!comparison.in_old(node)) {
      ++counts.only_new;
    } else if (!comparison.in_new(node)) {
      ++counts.only_old;
    } else {
      ++(now[node] > before[node]   ? counts.more
         : now[node] < before[node] ? counts.fewer
                                    : counts.equal);
    }
  }
  return counts;
}

}  // namespace copse::diff
