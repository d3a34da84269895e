// What events are about: the class that was allocated, thrown, waited for or parked because of. Contexts
// have each as a child, whose method is none of a class file: its name says it all (docs/formats.md).
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "report/model/report_model.h"

namespace copse::report {

// Refers to the methods.
struct EventObject {
  std::string_view kind;  // "allocation", "exception", "contention", "parked"
  std::string_view class_name;
  std::string_view place;  // of an exception: "demo.Store.find:31"; "": not known
};

// Nothing of a method of a program, and of what stands for threads or contexts.
std::optional<EventObject> event_object_of(const ReportModel::Methods& methods, std::size_t row);

}  // namespace copse::report
