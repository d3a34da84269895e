#include "report/model/event_objects.h"

#include <algorithm>
#include <array>
#include <set>

#include "report/model/row.h"

namespace copse::report {
namespace {

struct KindOfObject {
  std::string_view beginning;
  std::string_view kind;
};
constexpr std::string_view kException = "exception";
// As the agent spells them (agent/jvm/measures/event_objects.h).
constexpr std::array kKindsOfObjects = {
    KindOfObject{"new ", "allocation"}, KindOfObject{"throw ", kException},
    KindOfObject{"synchronized ", "contention"}, KindOfObject{"park ", "parked"}};
constexpr std::string_view kAt = " at ";

std::vector<bool> objects_of(const ReportModel::Methods& methods) {
  std::vector<bool> is_object(methods.name.size());
  for (std::size_t row = 0; row < is_object.size(); ++row) {
    is_object[row] = event_object_of(methods, row).has_value();
  }
  return is_object;
}

}  // namespace

std::optional<EventObject> event_object_of(const ReportModel::Methods& methods, std::size_t row) {
  if (!methods.class_name[row].empty() || !methods.descriptor[row].empty()) return std::nullopt;
  const std::string_view name = methods.name[row];
  for (const KindOfObject& known : kKindsOfObjects) {
    if (!name.starts_with(known.beginning)) continue;
    EventObject object{known.kind, name.substr(known.beginning.size()), ""};
    if (const std::size_t at = object.class_name.find(kAt);
        known.kind == kException && at != std::string_view::npos) {
      object.place = object.class_name.substr(at + kAt.size());
      object.class_name = object.class_name.substr(0, at);
    }
    return object;
  }
  return std::nullopt;
}

std::string_view word_of(std::string_view kind) noexcept {
  for (const KindOfObject& known : kKindsOfObjects) {
    if (known.kind == kind) return known.beginning.substr(0, known.beginning.size() - 1);
  }
  return {};
}

AmountsAtCallers::AmountsAtCallers(const ReportModel& model, const NumberColumn& values)
    : values_(values) {
  const std::vector<bool> is_object = objects_of(model.methods);
  for (std::size_t row = 1; row < values.size(); ++row) {
    // An event without any caller stays where it is.
    if (!is_object[at(model.nodes.method[row])] || model.nodes.parent[row] == 0) continue;
    if (values[row] == 0) continue;
    if (moved_.empty()) moved_ = values;
    moved_[at(model.nodes.parent[row])] += moved_[row];
    moved_[row] = 0;
  }
}

EventAmounts::EventAmounts(const ReportModel& model, const NumberColumn& values) {
  const std::vector<bool> is_object = objects_of(model.methods);
  bool is_mixed = false;
  for (std::size_t row = 1; row < values.size(); ++row) {
    const std::size_t method = at(model.nodes.method[row]);
    if (values[row] == 0 || !is_object[method]) continue;
    const EventObject object = *event_object_of(model.methods, method);
    by_method_[model.nodes.method[at(model.nodes.parent[row])]][{object.kind, object.class_name}] +=
        values[row];
    total_ += values[row];
    is_mixed = is_mixed || (!kind_.empty() && kind_ != object.kind);
    kind_ = object.kind;
  }
  if (is_mixed) kind_ = "";
}

std::vector<EventAmounts::OfClass> EventAmounts::sorted(const Amounts& amounts) {
  std::vector<OfClass> list;
  for (const auto& [key, amount] : amounts) list.push_back({key.first, key.second, amount});
  std::stable_sort(list.begin(), list.end(),
                   [](const OfClass& a, const OfClass& b) { return a.amount > b.amount; });
  return list;
}

std::vector<EventAmounts::OfClass> EventAmounts::all() const {
  Amounts sums;
  for (const auto& [method, amounts] : by_method_) {
    for (const auto& [key, amount] : amounts) sums[key] += amount;
  }
  return sorted(sums);
}

std::vector<EventAmounts::OfClass> EventAmounts::of_methods(
    const std::vector<std::int32_t>& methods) const {
  Amounts sum;
  for (const std::int32_t method : std::set<std::int32_t>(methods.begin(), methods.end())) {
    const auto found = by_method_.find(method);
    if (found == by_method_.end()) continue;
    for (const auto& [key, amount] : found->second) sum[key] += amount;
  }
  return sorted(sum);
}

std::vector<EventAmounts::OfClass> EventAmounts::of_method(std::int32_t method) const {
  const auto found = by_method_.find(method);
  return found == by_method_.end() ? std::vector<OfClass>() : sorted(found->second);
}

}  // namespace copse::report
