// Has the JVM load loaded classes again (RetransformClasses), so that they get or lose their probes while the
// program runs. Live frames keep the code that they have.
#pragma once

#include <jvmti.h>

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace copse::jvm {

struct RetransformOutcome {
  std::size_t classes = 0;  // classes that went through the class hook again
  std::size_t refused = 0;
};

// Returns local references to the modifiable classes that `wanted` accepts, by loader (nullptr: boot) and
// internal name. Called by: a Java thread, in the live phase.
std::vector<jclass> loaded_classes_that(
    jvmtiEnv* jvmti, JNIEnv* jni, const std::function<bool(jobject, std::string_view)>& wanted);

// Returns whether the JVM lets agents give the class other bytes: false for arrays, primitive types and hidden
// classes.
bool can_change(jvmtiEnv* jvmti, jclass type);

// Loads the classes again. `refused` is called with the internal name of each class that the JVM left as it was,
// and the reason. Called by: a Java thread, in the live phase, while class hook events are on. Cost: one or several
// milliseconds a class, mostly while the program stands still, a batch at a time.
RetransformOutcome retransform_classes(
    jvmtiEnv* jvmti, std::span<const jclass> classes,
    const std::function<void(std::string_view, std::string_view)>& refused);

// Does the same with the loaded_classes_that() `wanted` accepts.
RetransformOutcome retransform_loaded_classes(
    jvmtiEnv* jvmti, JNIEnv* jni, const std::function<bool(jobject, std::string_view)>& wanted,
    const std::function<void(std::string_view, std::string_view)>& refused);

}  // namespace copse::jvm
