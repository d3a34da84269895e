// What somebody should be told whose options recorded nothing, or less than they say: globs that
// matched nothing, each by itself, and why a run has no calls or events at all.
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

// When recording ends. Classes are asked for by name only when a glob matched nothing; nothing is
// kept for it before. Called by: a Java thread, in the live phase. Cost, when a glob matched
// nothing: a JVMTI call or three for each loaded class.
std::vector<RunDoubt> doubts_about_globs(jvmtiEnv* jvmti, JNIEnv* jni, ClassLoaders& loaders,
                                         const agent::AgentOptions& options, const ClassHook& hook);

// Returns a warning for a program with a debugger (JDWP): the handlers of probes make each exception look caught.
std::vector<RunDoubt> doubts_about_debuggers();

// Of a run that recorded no calls and no events; none where that is what was asked for.
std::vector<RunDoubt> doubts_about_emptiness(const agent::AgentOptions& options,
                                             const ClassHook& hook, bool attached);

}  // namespace copse::jvm
