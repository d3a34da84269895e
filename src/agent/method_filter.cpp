#include "agent/method_filter.h"

#include <string>
#include <utility>

namespace copse::agent {

MethodFilter::MethodFilter(std::vector<std::string> include, std::vector<std::string> exclude)
    : include_(std::move(include)), exclude_(std::move(exclude)) {}

MethodFilter::ClassVerdict MethodFilter::classify(std::string_view class_name) const {
  if (exclude_.matches(class_name)) return ClassVerdict::kNone;
  const bool class_included = include_.empty() || include_.matches(class_name);
  if (class_included && exclude_.empty()) return ClassVerdict::kAll;
  return ClassVerdict::kSome;
}

bool MethodFilter::includes_method(std::string_view class_name, std::string_view method) const {
  const std::string full = std::string(class_name) + "." + std::string(method);
  const auto matches = [&](const GlobList& globs) {
    return globs.matches(class_name) || globs.matches(full);
  };
  return (include_.empty() || matches(include_)) && !matches(exclude_);
}

}  // namespace copse::agent
