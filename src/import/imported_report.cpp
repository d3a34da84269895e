#include "import/imported_report.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "import/imported_tree.h"
#include "report/exports/names.h"
#include "report/exports/pprof_fields.h"
#include "report/model/measure_view.h"
#include "report/model/model_check.h"
#include "report/model/per_call.h"
#include "report/model/report_builder.h"

namespace copse::join {
namespace {

using report::ReportModel;

constexpr std::size_t kMostComments = 100;

std::string unit_of_name(const std::string& measure) {
  for (const std::string unit : {"ns", "bytes", "samples"}) {
    if (measure == unit || measure.ends_with('_' + unit)) return unit;
  }
  return "events";
}

bool is_column(const std::string& name) {
  for (const char* column :
       {"parent", "method", "site", report::kCallsMeasure, report::kIdColumn}) {
    if (name == column) return true;
  }
  return false;
}

bool is_amount(const SampledStacks::Value& value) {
  return value.unit == "ns" || value.unit == "bytes";
}

std::string plain_name_of(const SampledStacks::Value& value) {
  std::string name = value.stem;
  if (const std::string ending = '_' + value.unit; is_amount(value) && !name.ends_with(ending)) {
    name += ending;
  }
  return name.front() >= '0' && name.front() <= '9' ? "imported_" + name : name;
}

class ReportImport {
 public:
  ReportImport(const SampledStacks& stacks, const std::string& name, const std::string& counts_are)
      : stacks_(stacks), tree_(stacks), name_(name), counts_are_(counts_are) {}

  Result<ReportModel> run() {
    if (Status status = tree_.write_into(model_); !status) return status;
    const SampledStacks::Origin& origin = stacks_.origin;
    model_.program.command = {"imported from " + valid_utf8(name_)};
    model_.program.started = origin.started;
    model_.program.wall_ms = origin.wall_ms;
    take_measures();
    note_where_it_is_from();
    take_comments();
    if (Status status = complete(); !status) return status;
    return std::move(model_);
  }

 private:
  void take_measures();
  void take_calls(std::size_t value);
  std::optional<std::size_t> only_amount_of(std::size_t counts) const;
  std::string measure_name_of(std::size_t value) const;
  void take_samples_of(std::size_t value, const std::string& measure);
  bool is_taken(const std::string& name) const;
  void note_where_it_is_from();
  void take_comments();
  bool take_loss(std::string_view comment);
  Status complete();

  const SampledStacks& stacks_;
  ImportedTree tree_;
  const std::string name_;
  const std::string counts_are_;
  bool has_calls_ = false;
  ReportModel model_;
};

bool ReportImport::is_taken(const std::string& name) const {
  return is_column(name) || model_.find_measure(name) != nullptr;
}

std::string ReportImport::measure_name_of(std::size_t value) const {
  if (const std::optional<std::size_t> amount = only_amount_of(value)) {
    std::string name = report::samples_of(plain_name_of(stacks_.values()[*amount]));
    if (!is_taken(name)) return name;
  }
  std::string name = plain_name_of(stacks_.values()[value]);
  if (is_column(name)) name = "imported_" + name;
  if (!is_taken(name)) return name;
  const std::string stem = name;
  for (int number = 2; is_taken(name); ++number) name = stem + '_' + std::to_string(number);
  return name;
}

// Returns the only time or size behind these samples, which names them; std::nullopt if there is no
// such value, or for a file of Copse, whose measures have names.
std::optional<std::size_t> ReportImport::only_amount_of(std::size_t counts) const {
  std::optional<std::size_t> only;
  if (stacks_.origin.is_copse || stacks_.values()[counts].stem != "samples") return only;
  for (std::size_t i = 0; i < stacks_.values().size(); ++i) {
    if (!is_amount(stacks_.values()[i]) || !stacks_.has_samples(i)) continue;
    if (only) return std::nullopt;
    only = i;
  }
  for (std::uint32_t node = 0; only && node < stacks_.nodes().size(); ++node) {
    if (stacks_.samples(node, *only) != stacks_.amount(node, counts)) return std::nullopt;
  }
  return only;
}

// Adds the numbers of samples, unless a value of the file has them.
void ReportImport::take_samples_of(std::size_t value, const std::string& measure) {
  const std::string name = report::samples_of(measure);
  const bool has_samples = is_amount(stacks_.values()[value]) && stacks_.has_samples(value);
  if (stacks_.origin.is_copse || !has_samples || is_taken(name)) return;
  for (std::size_t i = 0; i < stacks_.values().size(); ++i) {
    if (only_amount_of(i) == value) return;
  }
  model_.measures.push_back({name, "samples", 0, tree_.samples(value)});
}

void ReportImport::take_calls(std::size_t value) {
  has_calls_ = true;
  model_.nodes.calls = tree_.column(value);
  model_.totals.calls_seen = stacks_.values()[value].total;
}

void ReportImport::take_measures() {
  const std::vector<SampledStacks::Value>& values = stacks_.values();
  const bool has_any =
      std::any_of(values.begin(), values.end(), [](const auto& value) { return value.total != 0; });
  std::string shown;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const SampledStacks::Value& value = values[i];
    const bool is_calls = counts_are_.empty() ? stacks_.origin.is_copse && value.name == "calls"
                                              : counts_are_ == report::kCallsMeasure;
    if (is_calls && !has_calls_) {
      take_calls(i);
      if (i == stacks_.shown) shown = report::kCallsMeasure;
      continue;
    }
    if (has_any && value.total == 0 && !stacks_.origin.is_copse) continue;
    ReportModel::Measure measure;
    measure.name = counts_are_.empty() ? measure_name_of(i) : counts_are_;
    measure.unit = !counts_are_.empty()                                 ? unit_of_name(counts_are_)
                   : stacks_.origin.is_copse && value.unit == "samples" ? "events"
                                                                        : value.unit;
    measure.values = tree_.column(i);
    for (const std::string& note : value.notes) model_.notes.push_back(measure.name + ": " + note);
    if (i == stacks_.shown) shown = measure.name;
    const std::string name = measure.name;
    model_.measures.push_back(std::move(measure));
    take_samples_of(i, name);
  }
  model_.shown = shown.empty() ? report::measure_to_show(model_) : shown;
}

void ReportImport::note_where_it_is_from() {
  const SampledStacks::Origin& origin = stacks_.origin;
  std::string note = "Imported from " + valid_utf8(name_) + ", " + origin.what;
  if (origin.is_copse) note += " that " + valid_utf8(origin.comments.front()) + " wrote";
  if (origin.has_plain_counts && has_calls_) note += " whose counts were said to be calls";
  note += has_calls_ ? ": threads, call sites beyond their lines and what else the format has no "
                       "place for are not known."
                     : ": no calls were counted.";
  model_.notes.insert(model_.notes.begin(), std::move(note));
  const std::vector<std::string>& names = model_.methods.name;
  const auto note_if_there = [&](std::string_view name, const char* what) {
    if (origin.is_copse || std::find(names.begin(), names.end(), name) == names.end()) return;
    model_.notes.push_back("What is in " + std::string(name) + what);
  };
  note_if_there(kOuterFramesMissing,
                " is of stacks that the profiler cut: they do not begin where the thread did.");
  note_if_there(report::kOutsideContexts, " had no stack.");
  note_if_there(kUnnamedFrame, " are frames that the file has no name for.");
  model_.notes.insert(model_.notes.end(), origin.notes.begin(), origin.notes.end());
}

// Parses "calls lost: 1,234" and related comments of the pprof writer.
bool ReportImport::take_loss(std::string_view comment) {
  using namespace report::pprof;
  const std::string_view is_estimate(kIsEstimate), is_lost(kLost), is_of(kCallsOf);
  if (comment.ends_with(is_estimate)) {
    ReportModel::Measure* measure =
        model_.find_measure(comment.substr(0, comment.size() - is_estimate.size()));
    if (measure == nullptr) return false;
    measure->unit += " (estimate)";
    return true;
  }
  if (const std::size_t at = comment.find(is_of); has_calls_ && at != std::string_view::npos &&
                                                  comment.substr(0, at) == report::kCallsMeasure) {
    model_.totals.calls_of = comment.substr(at + is_of.size());
    return true;
  }
  const std::size_t at = comment.find(is_lost);
  if (at == std::string_view::npos) return false;
  const std::string_view name = comment.substr(0, at);
  std::string digits(comment.substr(at + is_lost.size()));
  std::erase(digits, ',');
  std::uint64_t lost = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), lost);
  if (error != std::errc{} || end != digits.data() + digits.size()) return false;
  if (name == report::kCallsMeasure && has_calls_) {
    model_.totals.calls_lost = lost;
    return true;
  }
  ReportModel::Measure* measure = model_.find_measure(name);
  if (measure != nullptr) measure->lost = lost;
  return measure != nullptr;
}

void ReportImport::take_comments() {
  const SampledStacks::Origin& origin = stacks_.origin;
  for (std::size_t i = origin.is_copse ? 1 : 0; i < origin.comments.size(); ++i) {
    const std::string comment = valid_utf8(origin.comments[i]);
    if (origin.is_copse && take_loss(comment)) continue;
    if (i > kMostComments) break;
    model_.notes.push_back(origin.is_copse ? comment : "The profile says: " + comment);
  }
}

Status ReportImport::complete() {
  ReportModel::Totals& totals = model_.totals;
  measure_tree(model_);
  if (__builtin_add_overflow(totals.calls, totals.calls_lost, &totals.calls_seen)) {
    return Status::error(Fault::kLimit, "the sum of calls does not fit 64 bits");
  }
  return report::check_invariants(model_);
}

}  // namespace

Result<ReportModel> imported_report(const SampledStacks& stacks, const std::string& name,
                                    const std::string& counts_are) {
  return ReportImport(stacks, name, counts_are).run();
}

}  // namespace copse::join
