// Which class first declares a method, asked of the JVM once the class is linked, and so all above it.
// The rule is that of ptql/engine/class_outlines.h.
//
// Threads: one at a time. Cost: once per class, its methods and those of all above it are read.
#pragma once

#include <jvmti.h>

#include <string>
#include <unordered_map>

#include "ptql/engine/class_outlines.h"

namespace copse::jvm {

class DeclaringClasses {
 public:
  explicit DeclaringClasses(jvmtiEnv* jvmti) : jvmti_(jvmti) {}

  // As in Java's sources. `type` has the method.
  std::string of(JNIEnv* jni, jclass type, const std::string& method,
                 const std::string& descriptor) const;

 private:
  void add_all(JNIEnv* jni, jclass type, ptql::ClassOutlines& outlines) const;
  ptql::ClassOutline outline(JNIEnv* jni, jclass type) const;

  jvmtiEnv* const jvmti_;
};

}  // namespace copse::jvm
