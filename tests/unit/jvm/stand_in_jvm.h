// A library in the place of libjvm: a table of functions for java.management, as HotSpot exports it.
#pragma once

#include <jni.h>

namespace copse::jvm::stand_in {

// The version that has a table; 0: none.
extern jint table_version;
// Index of its entry that runs a command. The others end the process.
extern int command_entry;
// Text that the entry prints; nullptr: it throws.
extern const char* printed;
// Number of commands run.
extern int commands;

// Function of the library for the JVM's interface.
jint JNICALL get_env(JavaVM* vm, void** environment, jint version);

}  // namespace copse::jvm::stand_in
