#include "report/model/hottest.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "base/grouped.h"
#include "report/model/measure_view.h"
#include "report/model/report_stats.h"

namespace copse::report {
namespace {

// A logarithm with four steps per power of two.
constexpr std::uint32_t level_of(std::uint64_t inclusive) noexcept {
  if (inclusive < 8) return static_cast<std::uint32_t>(inclusive);
  const auto log = static_cast<std::uint32_t>(std::bit_width(inclusive)) - 1;
  return 8 + (log - 3) * 4 + static_cast<std::uint32_t>(inclusive >> (log - 2) & 3);
}
constexpr std::uint32_t kLevels = level_of(~std::uint64_t{0}) + 1;

class Hottest {
 public:
  Hottest(const ReportModel& model, std::uint64_t most) : from_(model), is_kept_(rows()) {
    to_.created_by = from_.created_by;
    to_.program = from_.program;
    to_.merged = from_.merged;
    to_.options = from_.options;
    to_.totals = from_.totals;
    to_.methods = from_.methods;
    to_.sites = from_.sites;
    to_.threads = from_.threads;
    to_.shown = from_.shown;
    to_.skipped = from_.skipped;
    to_.notes = from_.notes;
    to_.compared = from_.compared;
    evicted_method_ = method_of_evicted();
    choose(most);
  }

  ReportModel made() {
    number();
    add_columns();
    finish();
    return std::move(to_);
  }

 private:
  std::size_t rows() const { return from_.nodes.parent.size(); }
  std::size_t parent(std::size_t row) const {
    return static_cast<std::size_t>(from_.nodes.parent[row]);
  }
  bool is_evicted(std::size_t row) const { return from_.nodes.method[row] == evicted_method_; }

  std::int32_t method_of_evicted() {
    ReportModel::Methods& methods = to_.methods;
    for (std::size_t row = 0; row < methods.name.size(); ++row) {
      if (is_evicted_method(methods, row)) return static_cast<std::int32_t>(row);
    }
    methods.class_name.emplace_back(kEvictedClass);
    methods.name.emplace_back(kEvictedName);
    methods.descriptor.emplace_back();
    methods.source.emplace_back();
    methods.loader.emplace_back();
    methods.stable_class.emplace_back();
    return static_cast<std::int32_t>(methods.name.size() - 1);
  }

  // In a comparison, adds the amounts of both reports: contexts in one report only are kept by the
  // same measure.
  std::vector<std::uint64_t> inclusive_amounts() const {
    const MeasureView shown = shown_measure(from_);
    if (!from_.compared) return inclusive_values(from_.nodes, *shown.values);
    std::vector<std::uint64_t> amounts = *shown.values;
    for (const ReportModel::Measure& measure : from_.measures) {
      if (measure.name != kOldMeasure + shown.name) continue;
      for (std::size_t row = 0; row < rows(); ++row) amounts[row] += measure.values[row];
    }
    return inclusive_values(from_.nodes, amounts);
  }

  // Keeps whole levels, and of the last one the first rows. A caller's level is never below its
  // callee's and its row comes first, so evictions are whole subtrees.
  void choose(std::uint64_t most) {
    const std::vector<std::uint64_t> inclusive = inclusive_amounts();
    std::array<std::uint64_t, kLevels> at{};
    for (std::size_t row = 1; row < rows(); ++row) {
      if (!is_evicted(row)) ++at[level_of(inclusive[row])];
    }
    // Worst case: each kept context, ROOT included, loses callees.
    std::uint64_t fits = most / 2 - 1;
    std::uint64_t too_many = most + 1;
    for (int tries = 0; tries < 7 && too_many - fits > 1; ++tries) {
      const std::uint64_t room = fits + (too_many - fits) / 2;
      keep(inclusive, at, room);
      (kept_ + losers() <= most ? fits : too_many) = room;
    }
    keep(inclusive, at, fits);
    (void)losers();
  }

  void keep(const std::vector<std::uint64_t>& inclusive,
            const std::array<std::uint64_t, kLevels>& at, std::uint64_t room) {
    std::uint32_t level = kLevels;
    while (level > 0 && at[level - 1] <= room) room -= at[--level];
    is_kept_.assign(rows(), false);
    is_kept_[0] = true;
    kept_ = 0;
    for (std::size_t row = 1; row < rows(); ++row) {
      if (is_evicted(row)) continue;
      const std::uint32_t own = level_of(inclusive[row]);
      if (own >= level) {
        is_kept_[row] = true;
      } else if (own + 1 == level && room > 0) {
        is_kept_[row] = true;
        --room;
      }
      kept_ += is_kept_[row] ? 1 : 0;
    }
  }

  // Marks the kept contexts that lose callees and returns their number.
  std::uint64_t losers() {
    loses_.assign(rows(), false);
    std::uint64_t losers = 0;
    for (std::size_t row = 1; row < rows(); ++row) {
      if (is_kept_[row] || !is_kept_[parent(row)] || loses_[parent(row)]) continue;
      loses_[parent(row)] = true;
      ++losers;
    }
    return losers;
  }

  // Assigns new rows. An evicted context gets the row of its node of evicted contexts, which is the
  // first callee of its caller.
  void number() {
    now_.resize(rows());
    std::int32_t next = 0;
    for (std::size_t row = 0; row < rows(); ++row) {
      if (!is_kept_[row]) {
        now_[row] = is_kept_[parent(row)] ? now_[parent(row)] + 1 : now_[parent(row)];
        continue;
      }
      now_[row] = next++;
      to_.nodes.parent.push_back(row == 0 ? -1 : now_[parent(row)]);
      to_.nodes.method.push_back(from_.nodes.method[row]);
      to_.nodes.site.push_back(from_.nodes.site[row]);
      if (!loses_[row]) continue;
      to_.nodes.parent.push_back(now_[row]);
      to_.nodes.method.push_back(evicted_method_);
      to_.nodes.site.push_back(-1);
      ++next;
    }
  }

  void add_columns() {
    to_.nodes.calls = sums(from_.nodes.calls);
    for (const ReportModel::Measure& measure : from_.measures) {
      to_.measures.push_back({measure.name, measure.unit, measure.lost, sums(measure.values)});
    }
  }
  std::vector<std::uint64_t> sums(const std::vector<std::uint64_t>& values) const {
    std::vector<std::uint64_t> sums(to_.nodes.parent.size());
    for (std::size_t row = 0; row < rows(); ++row) {
      sums[static_cast<std::size_t>(now_[row])] += values[row];
    }
    return sums;
  }

  void finish() {
    std::uint64_t calls = 0;
    std::uint64_t contexts = 0;
    for (std::size_t row = 1; row < rows(); ++row) {
      if (is_kept_[row]) continue;
      calls += from_.nodes.calls[row];
      contexts += is_evicted(row) ? 0 : 1;
    }
    ReportModel::Totals& totals = to_.totals;
    const std::uint64_t newly = calls - std::min(calls, totals.evicted_calls);
    totals.evicted_calls = calls;
    totals.evicted_contexts += contexts;
    if (!to_.compared) measure_tree(totals);
    for (ReportModel::Thread& thread : to_.threads) move(thread.node);
    if (to_.compared) move_nodes(*to_.compared);
    to_.notes.push_back("Left out: the " + grouped(contexts) + " coldest of " +
                        counted(rows() - 1, "context") + ", with " + counted(newly, "call") +
                        ". Nodes named (evicted) hold these calls" +
                        (to_.compared ? "." : "; --max-contexts says how many contexts to keep."));
  }

  // A comparison keeps the totals of its reports, each of its own tree.
  void measure_tree(ReportModel::Totals& totals) const {
    totals.contexts = to_.nodes.parent.size() - 1;
    std::vector<std::uint32_t> depth(to_.nodes.parent.size());
    totals.max_depth = 0;
    for (std::size_t row = 1; row < depth.size(); ++row) {
      depth[row] = depth[static_cast<std::size_t>(to_.nodes.parent[row])] + 1;
      totals.max_depth = std::max<std::uint64_t>(totals.max_depth, depth[row]);
    }
  }

  void move(std::int64_t& node) const {
    if (node < 0) return;
    const auto row = static_cast<std::size_t>(node);
    node = is_kept_[row] ? now_[row] : -1;
  }
  void move_nodes(ReportModel::Compared& compared) const {
    for (ReportModel::Thread& thread : compared.old_threads) move(thread.node);
    for (ReportModel::Compared::Rule& rule : compared.rules) {
      for (ReportModel::Compared::Rule::Context& context : rule.contexts) move(context.node);
    }
  }

  const ReportModel& from_;
  ReportModel to_;
  std::int32_t evicted_method_ = 0;
  std::vector<bool> is_kept_;
  std::vector<bool> loses_;
  std::uint64_t kept_ = 0;
  std::vector<std::int32_t> now_;
};

}  // namespace

ReportModel hottest(const ReportModel& model, std::uint64_t most) {
  return Hottest(model, most).made();
}

void keep_hottest(ReportModel& model, std::uint64_t most) {
  if (model.totals.contexts > most) model = hottest(model, most);
}

}  // namespace copse::report
