#include "agent/method_filter.h"

#include <utility>

namespace copse::agent {

MethodFilter::MethodFilter(std::vector<std::string> include, std::vector<std::string> exclude)
    : include_(std::move(include)), exclude_(std::move(exclude)) {}

MethodFilter::ClassVerdict MethodFilter::classify(std::string_view class_name) const {
  if (exclude_.name_class(class_name)) return ClassVerdict::kNone;
  const bool class_included = include_.empty() || include_.name_class(class_name);
  if (class_included && exclude_.empty()) return ClassVerdict::kAll;
  return ClassVerdict::kSome;
}

bool MethodFilter::includes_method(std::string_view class_name, std::string_view method) const {
  return (include_.empty() || include_.name_method(class_name, method)) &&
         !exclude_.name_method(class_name, method);
}

}  // namespace copse::agent
