// Where an exception was made, by the top of its own stack trace. Asked of the JDK, and not of the
// exception, whose methods may be the program's.
#pragma once

#include <jni.h>

#include <string>

namespace copse::jvm {

class StackTraceTop {
 public:
  // Once, on a Java thread. In a JDK that does it another way there is no place of any exception.
  void find(JNIEnv* jni);

  // "demo.Store.find:31"; without the line where it is not known; "" of an exception without a
  // stack trace. Since find(); any Java thread, nothing thrown. Cost: the JVM makes an object of
  // each frame in the stack trace, some tenths of a microsecond each.
  std::string of(JNIEnv* jni, jobject exception) const;
  // Of the JVM's own class for it, or one below. Since find().
  bool is_stack_overflow(JNIEnv* jni, jobject exception) const {
    return stack_overflow_ != nullptr && jni->IsInstanceOf(exception, stack_overflow_);
  }

 private:
  jobjectArray trace_of(JNIEnv* jni, jobject exception) const;
  bool is_own(JNIEnv* jni, jobjectArray trace, jsize index) const;
  jsize first_of_program(JNIEnv* jni, jobject exception, jobjectArray trace) const;

  jclass stack_overflow_ = nullptr;  // StackOverflowError: a global reference, as the next
  jclass elements_ = nullptr;        // StackTraceElement
  jmethodID made_of_ = nullptr;      // its elements of a backtrace, or of the exception that has it
  bool takes_backtrace_ = false;
  jfieldID backtrace_ = nullptr, depth_ = nullptr;  // of Throwable
  jfieldID class_ = nullptr, method_ = nullptr, line_ = nullptr;
};

}  // namespace copse::jvm
