// Methods whose code is another one in a second build.
#pragma once

#include <set>
#include <string>

#include "base/status.h"

namespace copse::graph {

struct ChangedMethod {
  std::string class_name, name, descriptor;
  friend auto operator<=>(const ChangedMethod&, const ChangedMethod&) = default;
};

// Returns the methods of the classes in OLD that NEW does not have with the same code. Both are class paths. Lines and
// comments are no part of the code. Errors: those of visit_classes(), and malformed classes.
Result<std::set<ChangedMethod>> changed_methods(const std::string& old_path,
                                                const std::string& new_path);

}  // namespace copse::graph
