#include "report/exports/stacks.h"

#include <algorithm>
#include <protozero/varint.hpp>
#include <utility>

#include "base/grouped.h"
#include "report/exports/names.h"
#include "report/model/row.h"
#include "report/model/thread_rows.h"

namespace copse::report {
namespace {

constexpr std::size_t kLongestVarint = 10;
// Bytes of a context besides its stack: tags and lengths.
constexpr std::uint64_t kFrameBytes = 16;

std::int32_t line_of_site(const ReportModel& model, std::size_t row) {
  const std::int32_t site = model.nodes.site[row];
  return site < 0 ? 0 : std::max(model.sites.line[at(site)], 0);
}

std::int64_t value_of(const MeasureView& view, std::size_t row) {
  return static_cast<std::int64_t>(view.of(row));
}

std::uint64_t varint_bytes(std::uint64_t number) {
  return static_cast<std::uint64_t>(protozero::length_of_varint(number));
}

// Depths of the rows of a report, one after the other: 0 for ROOT and threads.
class Depths {
 public:
  explicit Depths(const ReportModel& model) : model_(model) {}

  std::size_t next() {
    const std::size_t row = rows_++;
    while (!path_.empty() && path_.back().row != model_.nodes.parent[row]) path_.pop_back();
    const std::size_t above = path_.empty() ? 0 : path_.back().depth;
    const std::size_t depth = row == 0 || thread_of(model_, row) ? 0 : above + 1;
    path_.push_back({static_cast<std::int32_t>(row), depth});
    return depth;
  }

 private:
  struct OnPath {
    std::int32_t row;
    std::size_t depth;
  };
  const ReportModel& model_;
  std::size_t rows_ = 0;  // so far
  std::vector<OnPath> path_;
};

}  // namespace

Stacks::Stacks(const ReportModel& model, std::vector<MeasureView> views, std::uint64_t deepest,
               std::uint64_t most_bytes)
    : model_(model), views_(std::move(views)), deepest_(std::max<std::uint64_t>(deepest, 1)) {
  if (const std::uint64_t fits = depth_that_fits(most_bytes); fits < deepest_) {
    deepest_ = cut_at_ = fits;
  }
}

bool Stacks::has_amount(std::size_t row) const {
  return std::any_of(views_.begin(), views_.end(),
                     [&](const MeasureView& view) { return view.of(row) != 0; });
}

// Returns one number per method and line, whatever the context.
std::uint32_t Stacks::location(std::int32_t method, std::int32_t line) {
  const std::uint64_t key =
      static_cast<std::uint64_t>(method + 2) << 32 | static_cast<std::uint32_t>(line);
  std::uint32_t& id = location_ids_[key];
  if (id == 0) {
    locations_.push_back({method, line});
    id = static_cast<std::uint32_t>(locations_.size());
  }
  return id;
}

// Returns the largest depth at which all stacks together fit, at least 1.
std::uint64_t Stacks::depth_that_fits(std::uint64_t most_bytes) {
  std::vector<std::uint64_t> bytes_at;  // by depth: of the contexts there
  std::vector<std::uint64_t> chain;     // by depth: of the callers of the row open there
  Depths depths(model_);
  for (std::size_t row = 0; row < model_.nodes.parent.size(); ++row) {
    const std::size_t depth = depths.next();
    if (depth == 0) continue;
    if (depth >= bytes_at.size()) {
      bytes_at.resize(depth + 1);
      chain.resize(depth + 1);
    }
    chain[depth] = 0;
    if (depth > 1) {
      const std::int32_t caller = model_.nodes.method[at(model_.nodes.parent[row])];
      chain[depth] = chain[depth - 1] + varint_bytes(location(caller, line_of_site(model_, row)));
    }
    const std::uint64_t leaf = varint_bytes(location(model_.nodes.method[row], 0));
    std::uint64_t values = 0;
    for (const MeasureView& view : views_) values += varint_bytes(view.of(row));
    if (has_amount(row)) bytes_at[depth] += kFrameBytes + chain[depth] + leaf + values;
  }
  std::uint64_t bytes = 0;
  for (std::uint64_t depth = 1; depth < bytes_at.size(); ++depth) {
    bytes += bytes_at[depth];
    if (bytes > most_bytes) return std::max<std::uint64_t>(depth - 1, 1);
  }
  return std::numeric_limits<std::uint64_t>::max();
}

void Stacks::push(std::uint32_t location) {
  if (used_ + kLongestVarint > chain_.size()) {
    std::string larger(2 * chain_.size() + 4096, '\0');
    std::copy(chain_.end() - static_cast<std::ptrdiff_t>(used_), chain_.end(),
              larger.end() - static_cast<std::ptrdiff_t>(used_));
    chain_ = std::move(larger);
  }
  used_ += varint_bytes(location);
  protozero::write_varint(chain_.end() - static_cast<std::ptrdiff_t>(used_), location);
}

void Stacks::for_each(const std::function<void(const Stack&)>& visit) {
  const ReportModel::Nodes& nodes = model_.nodes;
  std::vector<std::size_t> callers(2);  // by depth: bytes of the chain above the row open there
  Stack stack{0, -1, {}, std::vector<std::int64_t>(views_.size())};
  std::int32_t innermost = -1;
  const auto put = [&] {
    if (std::ranges::none_of(stack.values, [](std::int64_t value) { return value != 0; })) return;
    push(location(innermost, 0));
    stack.locations = std::string_view(chain_).substr(chain_.size() - used_);
    visit(stack);
  };
  Depths depths(model_);
  for (std::size_t row = 0; row < nodes.parent.size(); ++row) {
    const std::size_t depth = depths.next();
    if (depth > deepest_) {
      for (std::size_t i = 0; i < views_.size(); ++i) stack.values[i] += value_of(views_[i], row);
      continue;
    }
    put();
    if (row == 0 || nodes.parent[row] == 0) {
      stack.thread = thread_of(model_, row) ? static_cast<std::int32_t>(row) : -1;
    }
    used_ = 0;
    if (depth > 1) {
      used_ = callers[depth - 1];
      push(location(nodes.method[at(nodes.parent[row])], line_of_site(model_, row)));
      callers.resize(std::max<std::size_t>(callers.size(), depth + 1));
      callers[depth] = used_;
    }
    stack.row = row;
    innermost = depth == 0 ? -1 : nodes.method[row];
    for (std::size_t i = 0; i < views_.size(); ++i) stack.values[i] = value_of(views_[i], row);
  }
  put();
}

std::string note_of_cut(std::uint64_t depth) {
  return "Stacks are cut at " + grouped(depth) +
         " frames, so that the file is not too large for readers: deeper contexts count at their "
         "callers there.";
}

Status check_63_bits(const ReportModel& model, const std::string& format) {
  for (const MeasureView& view : measures_on_offer(model)) {
    if (view.total > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      return Status::error(Fault::kLimit,
                           format + ": the sum of " + view.name + " does not fit its 63 bits");
    }
  }
  return {};
}

}  // namespace copse::report
