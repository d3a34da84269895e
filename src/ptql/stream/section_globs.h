// Decides which globs of `record --values` select the sections of a class (ptql/plan/static_filter.h): globs that name
// them, such as shop.Stock.synchronized or **.synchronized. A glob of a class selects its methods and objects.
#pragma once

#include <string>
#include <vector>

namespace copse::stream {

// `is_jdk`: the class is one of the JDK's, which only globs that begin with a package select.
bool take_sections(const std::vector<std::string>& globs, const std::string& class_name,
                   bool is_jdk);

}  // namespace copse::stream
