// Has the JVM load loaded classes again (RetransformClasses), so that they get or lose their probes while the
// program runs. Live frames keep the code that they have.
#pragma once

#include <jvmti.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
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

// Loads the classes again that `wanted` accepts, by loader (nullptr: boot) and internal name. `refused` is
// called with the internal name of each class that the JVM left as it was, and the reason. Called by: a Java
// thread, in the live phase, while class hook events are on. Cost: one or several milliseconds a class, mostly
// while the program stands still, a batch at a time.
RetransformOutcome retransform_loaded_classes(
    jvmtiEnv* jvmti, JNIEnv* jni, const std::function<bool(jobject, std::string_view)>& wanted,
    const std::function<void(std::string_view, std::string_view)>& refused);

// Remembers classes while they are loaded again. A class whose bytes the JVM was reading at the start is in no
// list yet, and its hook event is over. A second look at the list finds such a class: loaded, and not seen.
// Thread-safe.
class SeenClasses {
 public:
  void begin();
  void end();
  // Adds a class by its loader's id and internal name. Returns true if it is new, and between end() and begin().
  bool add(std::uint64_t loader, std::string_view name);

 private:
  std::atomic<bool> is_open_{false};
  std::mutex mutex_;
  std::set<std::pair<std::uint64_t, std::string>> classes_;
};

}  // namespace copse::jvm
