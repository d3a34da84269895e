// Finds where an exception was made, by the top of its stack trace. Asks the JDK and not the exception, whose
// methods may be the program's.
#pragma once

#include <jni.h>

#include <string>

namespace copse::jvm {

class StackTraceTop {
 public:
  // Looks up the JDK's members. Called once, on a Java thread. In a JDK with other members no exception has a
  // place.
  void find(JNIEnv* jni);

  // Returns "demo.Store.find:31"; without the line if it is unknown; "" for an exception without a stack trace.
  // REQUIRES: find() was called. Any Java thread; throws nothing. Cost: the JVM makes an object of each frame
  // in the stack trace, some tenths of a microsecond each.
  std::string of(JNIEnv* jni, jobject exception) const;
  // Returns whether the exception is a StackOverflowError, or of a subclass. REQUIRES: find() was called.
  bool is_stack_overflow(JNIEnv* jni, jobject exception) const {
    return stack_overflow_ != nullptr && jni->IsInstanceOf(exception, stack_overflow_);
  }

 private:
  jobjectArray trace_of(JNIEnv* jni, jobject exception) const;
  bool is_own(JNIEnv* jni, jobjectArray trace, jsize index) const;
  jsize first_of_program(JNIEnv* jni, jobject exception, jobjectArray trace) const;

  jclass stack_overflow_ = nullptr;  // StackOverflowError; global reference
  jclass elements_ = nullptr;        // StackTraceElement; global reference
  jmethodID made_of_ = nullptr;      // makes elements from a backtrace, or its exception
  bool takes_backtrace_ = false;
  jfieldID backtrace_ = nullptr, depth_ = nullptr;  // of Throwable
  jfieldID class_ = nullptr, method_ = nullptr, line_ = nullptr;
};

}  // namespace copse::jvm
