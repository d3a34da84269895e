// Tells from bytecode whether a caller ignores the result of a call.
#pragma once

#include <cstdint>

#include "classfile/instruction_list.h"

namespace copse::classfile {

enum class ResultUse : std::uint8_t {
  kUnknown,  // not a call
  kUsed,
  kIgnored,  // popped, or stored into a variable that is not read before its next store
};

// Returns the use of the result of the call at `bci`. The code was decoded without its exception handlers; a variable
// that a handler may read counts as used.
// Cost: linear in the code where the result is stored.
ResultUse result_use(const InstructionList& code, std::uint32_t bci);

}  // namespace copse::classfile
