// Diagnostic commands of this JVM, as in jcmd, run from inside: nothing is attached, loaded or printed. libjvm
// exports the table of functions that java.management uses for them.
#pragma once

#include <jni.h>

#include <string>

#include "base/status.h"

namespace copse::jvm {

// Runs the command and returns its output. An error if this JVM takes no commands, or the command throws. A
// command that fails may report that in its output only. REQUIRES: the live phase, and a thread that may run
// Java code.
Result<std::string> run_jvm_command(JavaVM* vm, JNIEnv* jni, const std::string& command);

}  // namespace copse::jvm
