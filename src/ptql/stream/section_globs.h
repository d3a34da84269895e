// Which globs of `record --values` take the sections of a class (ptql/plan/static_filter.h): those that name
// them, as shop.Stock.synchronized or **.synchronized. A glob of a class takes its methods and objects.
#pragma once

#include <string>
#include <vector>

namespace copse::values {

// `is_jdk`: the class is one of the JDK's, which globs take that begin with a name.
bool take_sections(const std::vector<std::string>& globs, const std::string& class_name,
                   bool is_jdk);

}  // namespace copse::values
