// Method names as a section of a state or id file: every distinct text once, methods as indices.
#pragma once

#include <vector>

#include "base/program_names.h"
#include "base/wire/state_io.h"

namespace copse::encoders {

// Element 0 is ROOT's and not stored.
void save_method_names(const std::vector<MethodName>& methods, wire::StateWriter& out);
std::vector<MethodName> load_method_names(wire::StateReader& in);

}  // namespace copse::encoders
