#include "ptql/stream/section_globs.h"

#include <algorithm>

#include "base/glob.h"
#include "ptql/plan/static_filter.h"

namespace copse::stream {

bool take_sections(const std::vector<std::string>& globs, const std::string& class_name,
                   bool is_jdk) {
  const std::string last = "." + std::string(ptql::kSectionName);
  return std::ranges::any_of(globs, [&](const std::string& glob) {
    return glob.ends_with(last) && (!is_jdk || begins_with_package(glob)) &&
           glob_names_method(glob, class_name, ptql::kSectionName);
  });
}

}  // namespace copse::stream
