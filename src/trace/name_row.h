#pragma once

#include "base/ids.h"
#include "base/program_names.h"

namespace copse::trace {

// The facts about a method that a trace does not have yet: all facts of a new method, else the call
// sites that follow the known ones.
struct NameRow {
  MethodId id{};
  bool is_new = true;
  MethodName name;  // not new: `sites` alone is valid
};

}  // namespace copse::trace
