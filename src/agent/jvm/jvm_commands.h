// Diagnostic commands of this JVM, those that jcmd has, given from inside: nothing is attached, loaded
// or printed. libjvm exports the table of functions that java.management uses for them.
#pragma once

#include <jni.h>

#include <string>

#include "base/status.h"

namespace copse::jvm {

// What the command prints. An error where this JVM takes none, or the command throws; a command that
// fails may also only print that. Live phase; a thread that may run Java code.
Result<std::string> run_jvm_command(JavaVM* vm, JNIEnv* jni, const std::string& command);

}  // namespace copse::jvm
