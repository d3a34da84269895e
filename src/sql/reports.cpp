#include "sql/reports.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "compare/identity/stable_ids.h"

namespace copse::sql {
namespace {

using report::ReportModel;

template <typename Count>
std::vector<std::size_t> counts(const std::vector<Reports::File>& files, Count count) {
  std::vector<std::size_t> all;
  for (const Reports::File& file : files) all.push_back(count(*file.model));
  return all;
}

// SQL's integers end at 2^63 - 1. No sum over contexts is above these totals.
Status check_amounts(const Reports::File& file) {
  const auto check = [&](std::uint64_t amount, const std::string& what) {
    if (amount <= std::uint64_t{std::numeric_limits<std::int64_t>::max()}) return Status();
    return Status::error(Fault::kLimit, file.name + ": has " + std::to_string(amount) + " " + what +
                                            "; a query counts to 9223372036854775807");
  };
  const ReportModel::Totals& totals = file.model->totals;
  for (const auto& [amount, what] : {std::pair{totals.calls, "calls"},
                                     {totals.calls_seen, "calls seen"},
                                     {totals.calls_lost, "calls lost"},
                                     {totals.evicted_contexts, "evicted contexts"},
                                     {totals.threads, "threads"},
                                     {totals.max_depth, "levels"},
                                     {totals.merged_methods, "merged methods"},
                                     {totals.merged_depth_at_least, "calls below one another"}}) {
    if (Status status = check(amount, what); !status) return status;
  }
  for (const ReportModel::Thread& thread : file.model->threads) {
    if (Status status = check(std::max(thread.calls, thread.threads), "calls of a thread");
        !status) {
      return status;
    }
  }
  for (const ReportModel::Measure& measure : file.model->measures) {
    std::uint64_t sum = 0;
    for (const std::uint64_t value : measure.values) sum += value;
    std::uint64_t of_threads = 0;
    for (const std::uint64_t value : measure.of_threads) of_threads += value;
    if (Status status = check(std::max({sum, of_threads, measure.lost}), "of " + measure.name);
        !status) {
      return status;
    }
  }
  return {};
}

std::optional<identity::IdRules> rules_of(const ReportModel& model) {
  if (model.merged.reports == 0) return identity::IdRules();
  return identity::rules_in_words(model.merged.rules);
}

int value_of_digit(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

}  // namespace

std::optional<StableId> stable_id_of(std::string_view digits) {
  if (digits.size() != StableId::kDigits) return std::nullopt;
  StableId id;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const int value = value_of_digit(digits[i]);
    if (value < 0) return std::nullopt;
    id.bytes[i / 2] = static_cast<std::uint8_t>(id.bytes[i / 2] << 4 | value);
  }
  return id;
}

Result<Reports> Reports::make(std::vector<File> files) {
  std::uint64_t contexts = 0;
  for (const File& file : files) {
    if (Status status = check_amounts(file); !status) return status;
    if (!rules_of(*file.model)) {
      return Status::error(Fault::kRefused,
                           file.name + ": was merged by rules that this copse does not know: " +
                               file.model->merged.rules);
    }
    contexts += file.model->nodes.parent.size();
  }
  if (contexts > std::numeric_limits<std::uint32_t>::max()) {
    return Status::error(Fault::kLimit, "the reports have " + std::to_string(contexts) +
                                            " contexts; a query takes 4,294,967,295");
  }
  return Reports(std::move(files));
}

Reports::Reports(std::vector<File> files)
    : files_(std::move(files)),
      contexts_(counts(files_, [](const ReportModel& m) { return m.nodes.parent.size() - 1; })),
      methods_(counts(files_, [](const ReportModel& m) { return m.methods.name.size(); })),
      sites_(counts(files_, [](const ReportModel& m) { return m.sites.method.size(); })) {
  for (const File& file : files_) {
    for (const ReportModel::Measure& measure : file.model->measures) {
      if (std::find(measures_.begin(), measures_.end(), measure.name) == measures_.end()) {
        measures_.push_back(measure.name);
      }
    }
  }
  inclusive_.resize(measures_.size());
  for (const File& file : files_) {
    auto& of_report = values_.emplace_back(measures_.size(), nullptr);
    for (const ReportModel::Measure& measure : file.model->measures) {
      const auto at = std::find(measures_.begin(), measures_.end(), measure.name);
      of_report[static_cast<std::size_t>(at - measures_.begin())] = &measure.values;
    }
  }
}

const std::vector<std::uint32_t>& Reports::subtrees() const {
  if (!subtrees_) {
    std::vector<std::uint32_t> rows(contexts_.count(), 1);
    for (std::size_t report = 0; report < size(); ++report) {
      const std::vector<std::int32_t>& parent = model(report).nodes.parent;
      const std::size_t before = contexts_.first(report) - 1;  // of node 1: wraps, and back
      for (std::size_t node = parent.size(); node-- > 1;) {
        const auto above = static_cast<std::size_t>(parent[node]);
        if (above != 0) rows[before + above] += rows[before + node];
      }
    }
    subtrees_ = std::move(rows);
  }
  return *subtrees_;
}

const std::vector<std::uint32_t>& Reports::depths() const {
  if (!depths_) {
    std::vector<std::uint32_t> depths(contexts_.count(), 1);
    for (std::size_t report = 0; report < size(); ++report) {
      const std::vector<std::int32_t>& parent = model(report).nodes.parent;
      const std::size_t before = contexts_.first(report) - 1;
      for (std::size_t node = 1; node < parent.size(); ++node) {
        const auto above = static_cast<std::size_t>(parent[node]);
        if (above != 0) depths[before + node] = depths[before + above] + 1;
      }
    }
    depths_ = std::move(depths);
  }
  return *depths_;
}

template <typename ValuesOf>
NumberColumn Reports::inclusive_of(ValuesOf values_of) const {
  NumberColumn sums;
  for (std::size_t report = 0; report < size(); ++report) {
    const ReportModel::Nodes& nodes = model(report).nodes;
    const NumberColumn* values = values_of(report);
    if (values == nullptr) {
      sums.resize(contexts_.first(report + 1));
      continue;
    }
    std::for_each(values->begin() + 1, values->end(),
                  [&](std::uint64_t value) { sums.push_back(value); });
    const std::size_t before = contexts_.first(report) - 1;
    for (std::size_t node = nodes.parent.size(); node-- > 1;) {
      const auto above = static_cast<std::size_t>(nodes.parent[node]);
      if (above != 0) sums[before + above] += sums[before + node];
    }
  }
  return sums;
}

const NumberColumn& Reports::inclusive_calls() const {
  if (!inclusive_calls_) {
    inclusive_calls_ =
        inclusive_of([this](std::size_t report) { return &model(report).nodes.calls; });
  }
  return *inclusive_calls_;
}

const NumberColumn& Reports::inclusive(std::size_t measure) const {
  if (!inclusive_[measure]) {
    inclusive_[measure] =
        inclusive_of([this, measure](std::size_t report) { return values(report, measure); });
  }
  return *inclusive_[measure];
}

const std::vector<StableId>& Reports::stable_ids() const {
  if (!stable_ids_) {
    std::vector<StableId> all;
    all.reserve(contexts_.count());
    for (std::size_t report = 0; report < size(); ++report) {
      if (const std::vector<StableId>* ids = files_[report].ids; ids != nullptr) {
        all.insert(all.end(), ids->begin(), ids->end());
        continue;
      }
      const std::vector<StableId> ids =
          identity::stable_ids(model(report), *rules_of(model(report)));
      all.insert(all.end(), ids.begin() + 1, ids.end());
    }
    stable_ids_ = std::move(all);
  }
  return *stable_ids_;
}

std::span<const std::uint32_t> Reports::rows_of_stable_id(std::string_view digits) const {
  const std::optional<StableId> found = stable_id_of(digits);
  if (!found) return {};
  const StableId& id = *found;
  const std::vector<StableId>& ids = stable_ids();
  if (!by_stable_id_) {
    std::vector<std::uint32_t> rows(ids.size());
    std::iota(rows.begin(), rows.end(), 0U);
    std::sort(rows.begin(), rows.end(), [&ids](std::uint32_t a, std::uint32_t b) {
      return ids[a] != ids[b] ? ids[a] < ids[b] : a < b;
    });
    by_stable_id_ = std::move(rows);
  }
  const auto first = std::partition_point(by_stable_id_->begin(), by_stable_id_->end(),
                                          [&](std::uint32_t row) { return ids[row] < id; });
  const auto last = std::partition_point(first, by_stable_id_->end(),
                                         [&](std::uint32_t row) { return ids[row] == id; });
  return {first, last};
}

}  // namespace copse::sql
