#include "report/model/hottest.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "base/grouped.h"
#include "report/model/measure_view.h"
#include "report/model/report_builder.h"
#include "report/model/report_stats.h"
#include "report/model/row.h"
#include "report/model/slices.h"

namespace copse::report {
namespace {

// A logarithm with four steps per power of two.
constexpr std::uint32_t level_of(std::uint64_t inclusive) noexcept {
  if (inclusive < 8) return static_cast<std::uint32_t>(inclusive);
  const auto log = static_cast<std::uint32_t>(std::bit_width(inclusive)) - 1;
  return 8 + (log - 3) * 4 + static_cast<std::uint32_t>(inclusive >> (log - 2) & 3);
}
constexpr std::uint32_t kLevels = level_of(~std::uint64_t{0}) + 1;

// The kept contexts, and all others as nodes of evicted contexts below the innermost kept ancestor.
class Kept : public Contexts {
 public:
  static constexpr Name kEvicted = {-1, -1};

  Kept(const ReportModel& model, const std::vector<bool>& is_kept)
      : nodes_(model.nodes), is_kept_(is_kept) {
    kept_parent_.resize(is_kept.size());
    for (std::size_t row = 1; row < is_kept.size(); ++row) {
      const std::size_t parent = at(nodes_.parent[row]);
      kept_parent_[row] =
          is_kept[parent] ? static_cast<std::uint32_t>(parent) : kept_parent_[parent];
    }
  }

  std::uint32_t count() const override { return static_cast<std::uint32_t>(is_kept_.size()); }
  std::uint32_t parent(std::uint32_t row) const override { return kept_parent_[row]; }
  Name name(std::uint32_t row) const override {
    return is_kept_[row] ? Name{nodes_.method[row], nodes_.site[row]} : kEvicted;
  }

 private:
  const ReportModel::Nodes& nodes_;
  const std::vector<bool>& is_kept_;
  std::vector<std::uint32_t> kept_parent_;
};

class Hottest {
 public:
  Hottest(const ReportModel& model, std::uint64_t most) : from_(model), is_kept_(rows()) {
    to_.about() = from_.about();
    to_.totals = from_.totals;
    to_.methods = from_.methods;
    to_.sites = from_.sites;
    to_.threads = from_.threads;
    to_.compared = from_.compared;
    evicted_method_ = method_of_evicted();
    choose(most);
  }

  ReportModel made() {
    Rows laid_out = rows_of(Kept(from_, is_kept_));
    to_.nodes = std::move(laid_out.nodes);
    const std::size_t count = to_.nodes.parent.size();
    std::replace(to_.nodes.method.begin() + 1, to_.nodes.method.end(), Kept::kEvicted.method,
                 evicted_method_);
    to_.nodes.calls = sums_by_row(from_.nodes.calls, laid_out.row_of, count);
    for (const ReportModel::Measure& measure : from_.measures) {
      to_.measures.push_back({measure.name, measure.unit, measure.lost,
                              sums_by_row(measure.values, laid_out.row_of, count),
                              measure.of_threads});
    }
    to_.slices = from_.slices;
    move_slices(laid_out.row_of, to_.slices);
    // An evicted context has no node of its own.
    for (std::size_t row = 1; row < rows(); ++row) {
      if (!is_kept_[row]) laid_out.row_of[row] = -1;
    }
    move_threads(laid_out.row_of, to_.threads);
    if (to_.compared) move_nodes(laid_out.row_of, *to_.compared);
    finish();
    return std::move(to_);
  }

 private:
  std::size_t rows() const { return from_.nodes.parent.size(); }
  std::size_t parent(std::size_t row) const { return at(from_.nodes.parent[row]); }
  bool is_evicted(std::size_t row) const { return from_.nodes.method[row] == evicted_method_; }

  std::int32_t method_of_evicted() {
    ReportModel::Methods& methods = to_.methods;
    for (std::size_t row = 0; row < methods.name.size(); ++row) {
      if (is_evicted_method(methods, row)) return static_cast<std::int32_t>(row);
    }
    return add_method({kEvictedClass, kEvictedName, "", "", "", ""}, methods);
  }

  // In a comparison, adds the amounts of both reports: contexts in one report only are kept by the
  // same measure.
  NumberColumn inclusive_amounts() const {
    const MeasureView shown = shown_measure(from_);
    if (!from_.compared) return inclusive_values(from_.nodes, *shown.values);
    NumberColumn amounts = *shown.values;
    for (const ReportModel::Measure& measure : from_.measures) {
      if (measure.name != kOldMeasure + shown.name) continue;
      for (std::size_t row = 0; row < rows(); ++row) amounts[row] += measure.values[row];
    }
    return inclusive_values(from_.nodes, amounts);
  }

  // Keeps whole levels, and of the last one the first rows. A caller's level is never below its
  // callee's and its row comes first, so evictions are whole subtrees.
  void choose(std::uint64_t most) {
    const NumberColumn inclusive = inclusive_amounts();
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

  void keep(const NumberColumn& inclusive, const std::array<std::uint64_t, kLevels>& at,
            std::uint64_t room) {
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

  void finish() {
    std::uint64_t contexts = 0;
    for (std::size_t row = 1; row < rows(); ++row) {
      contexts += is_kept_[row] || is_evicted(row) ? 0 : 1;
    }
    ReportModel::Totals& totals = to_.totals;
    const ReportModel::Totals before = totals;
    measure_tree(to_);
    const std::uint64_t newly = totals.evicted_calls - before.evicted_calls;
    // A comparison keeps the totals of its reports, each of its own tree.
    if (to_.compared) {
      totals.contexts = before.contexts;
      totals.max_depth = before.max_depth;
      totals.calls = before.calls;
    }
    totals.evicted_contexts += contexts;
    to_.notes.push_back("Left out: the " + grouped(contexts) + " coldest of " +
                        counted(rows() - 1, "context") + ", with " + counted(newly, "call") +
                        ". Nodes named (evicted) hold these calls" +
                        (to_.compared ? "." : "; --max-contexts says how many contexts to keep."));
  }

  static void move_nodes(const std::vector<std::int32_t>& now, ReportModel::Compared& compared) {
    move_threads(now, compared.old_threads);
    for (ReportModel::Compared::Rule& rule : compared.rules) {
      for (ReportModel::Compared::Rule::Context& context : rule.contexts) {
        if (context.node >= 0) context.node = now[static_cast<std::size_t>(context.node)];
      }
    }
  }

  const ReportModel& from_;
  ReportModel to_;
  std::int32_t evicted_method_ = 0;
  std::vector<bool> is_kept_;
  std::vector<bool> loses_;
  std::uint64_t kept_ = 0;
};

}  // namespace

ReportModel hottest(const ReportModel& model, std::uint64_t most) {
  return Hottest(model, most).made();
}

void keep_hottest(ReportModel& model, std::uint64_t most) {
  if (model.totals.contexts > most) model = hottest(model, most);
}

}  // namespace copse::report
