#include "compare/identity/find_context.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/grouped.h"
#include "compare/identity/stable_ids.h"
#include "report/model/display_names.h"

namespace copse::identity {
namespace {

using report::ReportModel;

// So many digits do not fit another context by chance. Trees show as many.
constexpr std::size_t kDistinctDigits = 12;
constexpr std::string_view kDigits = "0123456789abcdef";

int value_of(char digit) {
  const char small = digit >= 'A' && digit <= 'F' ? static_cast<char>(digit - 'A' + 'a') : digit;
  const std::size_t at = kDigits.find(small);
  return at == kDigits.npos ? -1 : static_cast<int>(at);
}

class Prefix {
 public:
  explicit Prefix(const std::string& digits) {
    for (const char digit : digits) values_.push_back(value_of(digit));
  }
  bool fits(const StableId& id) const {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const int byte = id.bytes[i / 2];
      if (values_[i] != (i % 2 == 0 ? byte >> 4 : byte & 15)) return false;
    }
    return true;
  }

 private:
  std::vector<int> values_;
};

// Rows and ids of the nodes with matching ids.
std::vector<std::pair<StableId, std::int32_t>> found(const ReportModel& model, const Prefix& prefix,
                                                     const IdRules& rules) {
  const std::vector<StableId> ids = stable_ids(model, rules);
  std::vector<std::pair<StableId, std::int32_t>> fitting;
  for (std::size_t row = 1; row < ids.size(); ++row) {
    if (prefix.fits(ids[row])) fitting.emplace_back(ids[row], static_cast<std::int32_t>(row));
  }
  return fitting;
}

// `ids`: ascending, each once.
std::string ambiguous(const ReportModel& model, const std::string& digits,
                      const std::vector<std::pair<StableId, std::int32_t>>& ids) {
  constexpr std::size_t kShown = 3;
  constexpr std::size_t kMoreDigits = 8;
  const report::DisplayNames names(model.methods);
  std::string text = digits + ": " + grouped(ids.size()) + " contexts have ids that begin so: ";
  for (std::size_t i = 0; i < std::min(kShown, ids.size()); ++i) {
    const auto& [id, row] = ids[i];
    text += (i == 0 ? "" : ", ") + hex(id).substr(0, digits.size() + kMoreDigits) + " (" +
            names.method(model.nodes.method[static_cast<std::size_t>(row)]) + ")";
  }
  return text + (ids.size() > kShown ? ", ..." : "") + "; type more digits";
}

}  // namespace

Status check_digits(const std::string& digits) {
  const bool are_digits =
      std::all_of(digits.begin(), digits.end(), [](char digit) { return value_of(digit) >= 0; });
  if (!digits.empty() && are_digits && digits.size() <= StableId::kDigits) return {};
  return Status::error(
      Fault::kUsage,
      digits + ": is no id: an id has 32 hexadecimal digits, and its first ones are enough");
}

Result<std::vector<std::int32_t>> find_context(const ReportModel& model, const std::string& digits,
                                               const IdRules& rules) {
  if (Status status = check_digits(digits); !status) return status;
  std::vector<std::pair<StableId, std::int32_t>> fitting = found(model, Prefix(digits), rules);
  for (const Sites sites : {Sites::kBytecodeIndex, Sites::kLine, Sites::kNone}) {
    for (const Names names : {Names::kNormalised, Names::kExact}) {
      if (fitting.empty() && digits.size() >= kDistinctDigits)
        fitting = found(model, Prefix(digits), {sites, names});
    }
  }
  if (fitting.empty()) {
    return Status::error(Fault::kNotFound, digits + ": no context has an id that begins so");
  }
  std::vector<std::int32_t> rows;
  for (const auto& [id, row] : fitting) rows.push_back(row);
  std::sort(fitting.begin(), fitting.end());
  const auto has_same_id = [](const auto& a, const auto& b) { return a.first == b.first; };
  fitting.erase(std::unique(fitting.begin(), fitting.end(), has_same_id), fitting.end());
  if (fitting.size() > 1) return Status::error(Fault::kNotFound, ambiguous(model, digits, fitting));
  return rows;
}

}  // namespace copse::identity
