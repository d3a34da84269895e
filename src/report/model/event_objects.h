// Objects of events: the class that was allocated, thrown, waited for or the reason of a park. Each
// object is a child node of its context; the child's method is in no class file, and its name has
// the facts (docs/report-schema.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/number_column.h"
#include "report/model/report_model.h"

namespace copse::report {

// Refers to ReportModel::Methods.
struct EventObject {
  std::string_view kind;  // "allocation", "exception", "contention", "parked"
  std::string_view class_name;
  std::string_view place;  // of an exception: "demo.Store.find:31"; "" means unknown
};

// Returns std::nullopt for a method of the program and for a row that stands for threads or
// contexts.
std::optional<EventObject> event_object_of(const ReportModel::Methods& methods, std::size_t row);

// Returns the first word of the name of such an object: "new", "throw", "synchronized", "park".
std::string_view word_of(std::string_view kind) noexcept;

// Amounts with those of each event's object at its caller, whose event it is.
class AmountsAtCallers {
 public:
  // REQUIRES: `values` outlives this object. Cost: linear in the nodes; a copy of the column if there is such an amount.
  AmountsAtCallers(const ReportModel& model, const NumberColumn& values);
  const NumberColumn& values() const noexcept { return moved_.empty() ? values_ : moved_; }

 private:
  const NumberColumn& values_;
  NumberColumn moved_;  // empty: no amount moves
};

// Amounts of events by the class of their objects.
class EventAmounts {
 public:
  struct OfClass {
    std::string_view kind;
    std::string_view class_name;
    std::uint64_t amount = 0;
  };
  // Refers to the report. `values`: one per node. Cost: linear in the nodes.
  EventAmounts(const ReportModel& model, const NumberColumn& values);

  // Kind of all events with an amount; "" if there are several, or none.
  std::string_view kind() const noexcept { return kind_; }
  std::uint64_t total() const noexcept { return total_; }
  // Largest amount first, then by name.
  std::vector<OfClass> all() const;
  std::vector<OfClass> of_method(std::int32_t method) const;  // of events in the method's own code
  std::vector<OfClass> of_methods(const std::vector<std::int32_t>& methods) const;

 private:
  using Key = std::pair<std::string_view, std::string_view>;  // kind, class
  using Amounts = std::map<Key, std::uint64_t>;
  static std::vector<OfClass> sorted(const Amounts& amounts);

  std::unordered_map<std::int32_t, Amounts> by_method_;
  std::string_view kind_;
  std::uint64_t total_ = 0;
};

}  // namespace copse::report
