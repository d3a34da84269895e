// Every throw that the JVM reports (Exception). A `finally` or synchronized block, which javac compiles to a handler
// that throws again, counts each exception that passes through it again.
#pragma once

#include "agent/jvm/measures/jvm_event.h"

namespace copse::jvm {

extern const JvmEvent kExceptions;

}  // namespace copse::jvm
