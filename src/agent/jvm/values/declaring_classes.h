// Finds the class that first declares a method. The JVM is asked once the class is linked; then its
// superclasses and interfaces are linked too. The rule is that of ptql/engine/class_outlines.h.
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

  // Returns the class's name as in Java sources. REQUIRES: `type` has the method.
  std::string of(JNIEnv* jni, jclass type, const std::string& method,
                 const std::string& descriptor) const;

 private:
  void add_all(JNIEnv* jni, jclass type, ptql::ClassOutlines& outlines) const;
  classfile::ClassSummary outline(JNIEnv* jni, jclass type) const;

  jvmtiEnv* const jvmti_;
};

}  // namespace copse::jvm
