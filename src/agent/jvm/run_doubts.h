// Warnings for a run whose options recorded nothing, or less than they name: each glob that matched nothing,
// and why a run has no calls or events at all. Others are about what else is in the JVM.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <string>
#include <vector>

#include "agent/jvm/hook/class_hook.h"
#include "agent/jvm/hook/class_loaders.h"
#include "agent/line/note.h"
#include "agent/options.h"

namespace copse::jvm {

struct RunDoubt {
  agent::Note note;
  std::string sentence;
};

// Returns a warning for each glob that matched nothing. Called when recording ends, by a Java thread in the
// live phase. Asks for class names only if a glob matched nothing, and keeps nothing before that. Cost in that
// case: one to three JVMTI calls for each loaded class.
std::vector<RunDoubt> doubts_about_globs(jvmtiEnv* jvmti, JNIEnv* jni, ClassLoaders& loaders,
                                         const agent::AgentOptions& options, const ClassHook& hook);

// Returns a warning for a program with a debugger (JDWP): the handlers of probes make each exception look caught.
std::vector<RunDoubt> doubts_about_debuggers();

// Returns a warning for class files that are newer than the known ones.
std::vector<RunDoubt> doubts_about_class_files(const ClassHook& hook);

// Returns a note about methods whose handlers have no probe; "" if there are none. It is no warning: sums are exact.
std::string note_about_handlers(const ClassHook& hook);

// Returns why a run recorded no calls and no events; empty if the options ask for none.
std::vector<RunDoubt> doubts_about_emptiness(const agent::AgentOptions& options,
                                             const ClassHook& hook, bool attached);

}  // namespace copse::jvm
