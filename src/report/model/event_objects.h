// Objects of events: the class that was allocated, thrown, waited for or the reason of a park. Each
// object is a child node of its context; the child's method is in no class file, and its name has
// the facts (docs/report-schema.md).
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

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

}  // namespace copse::report
