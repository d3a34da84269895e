// Identifies the loader of a class, and checks that the loader's code finds the runtime class.
//
// Loaders are told apart by JVMTI tags, not identity hashes. Tags of dead loaders are never met again, and
// nothing here keeps a loader alive or grows with the number of loaders.
//
// A loader that does not hand names in java.lang on to its parent cannot run probes. When the first class with
// probes of a loader is defined, the JVM's own resolution asks the loader for the class that probes call, and
// remembers the answer. The JVM asks for a superclass at the same place and in the same way. So no loader is
// asked at a moment that it does not know, and none twice.
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

  // Finds the platform and the system loader, in VMInit. Until then the platform loader is identified by the
  // name of its class, because no method of ClassLoader may be called.
  void find_builtin(JNIEnv* jni);

  LoaderIdentity identify(JNIEnv* jni, jobject loader);

  // Returns whether the loader finds the class that probes call. REQUIRES: RuntimeClass::define_probe() was
  // called. Runs the loader's code, unrecorded, the first time.
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
  jlong next_id_ = 1;  // guarded by mutex_, like the tags
};

}  // namespace copse::jvm
