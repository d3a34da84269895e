// A library in the place of libjvm: a table of functions for java.management, as HotSpot exports it.
#pragma once

#include <jni.h>

namespace copse::jvm::stand_in {

// The version that the table has; 0: none has one.
extern jint table_version;
// Which of its entries runs a command. The others end the process.
extern int command_entry;
// What it prints; null: it throws.
extern const char* printed;
// How often it ran.
extern int commands;

// A function of the library's, for the JVM's interface.
jint JNICALL get_env(JavaVM* vm, void** environment, jint version);

}  // namespace copse::jvm::stand_in
