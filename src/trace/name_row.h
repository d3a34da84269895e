#pragma once

#include "base/ids.h"
#include "base/program_names.h"

namespace copse::trace {

// A method with what a trace has not said of it yet: all, when it is new; else call sites that
// follow those it has.
struct NameRow {
  MethodId id{};
  bool is_new = true;
  MethodName name;  // not new: `sites` alone counts
};

}  // namespace copse::trace
