// Which loader a class comes from, and whether code of that loader finds the runtime class.
//
// Loaders are told apart by JVMTI tags, not identity hashes: tags of dead loaders are never met
// again, and nothing here keeps a loader alive or grows with their number.
//
// A loader that does not hand names in java.lang on to its parent cannot run probes. It is asked
// for the class that probes call when its first class with probes is defined, by the JVM's own
// resolution, which remembers the answer. That is where and how the JVM asks it for the super
// class; so no loader is asked at a moment that it would not know, and none twice.
#pragma once

#include <jvmti.h>

#include <atomic>
#include <mutex>
#include <string_view>

#include "agent/jvm/hook/class_hook.h"
#include "agent/jvm/runtime/runtime_class.h"

namespace copse::jvm {

// Returns true if java.lang.reflect.Proxy generated the class. Such a class is the JDK's, whichever loader has
// it. Both names are internal.
bool is_proxy_of_jdk(std::string_view internal_name, std::string_view super_name);

class ClassLoaders {
 public:
  ClassLoaders(jvmtiEnv* jvmti, RuntimeClass& runtime) : jvmti_(jvmti), runtime_(runtime) {}

  // VMInit: finds the platform and the system loader. Until then the platform loader is told by the
  // name of its class, because no method of ClassLoader's may be called.
  void find_builtin(JNIEnv* jni);

  LoaderIdentity identify(JNIEnv* jni, jobject loader);

  // Callable after RuntimeClass::define_probe(). Runs the loader's code, unrecorded, the first
  // time.
  bool finds_probe(JNIEnv* jni, jobject loader);

 private:
  enum class Answer : jlong { kNotAsked = 0, kFinds = 1, kDoesNot = 2 };

  jlong tag_of(jobject loader);
  // Returns true if the JDK made the loader for classes of its own. A program's loader with the same class
  // name is not one of them.
  bool is_of_jdk(JNIEnv* jni, jobject loader, std::string_view class_name) const;
  bool ask(JNIEnv* jni, jobject loader) const;

  jvmtiEnv* const jvmti_;
  RuntimeClass& runtime_;
  std::atomic<jobject> platform_loader_{nullptr};  // global references
  std::atomic<jobject> system_loader_{nullptr};

  std::mutex mutex_;
  jlong next_id_ = 1;  // under mutex_, as the tags are
};

}  // namespace copse::jvm
