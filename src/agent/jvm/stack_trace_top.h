// Where an exception was made, by the top of its own stack trace, but for Copse's own frames. Asked of the JDK's StackTraceElement
// and not of the exception, whose methods may be the program's.
#pragma once

#include <jni.h>

#include <string>

namespace copse::jvm {

class StackTraceTop {
 public:
  // Once, on a Java thread. In a JDK that does it another way there is no place of any exception.
  void find(JNIEnv* jni);

  // "demo.Store.find:31"; without the line where it is not known; "" of an exception without a stack
  // trace. Since find(); any Java thread, nothing thrown. Cost: the JVM makes an object of each frame in
  // the stack trace, some tenths of a microsecond each.
  std::string of(JNIEnv* jni, jobject exception) const;

 private:
  jobjectArray trace_of(JNIEnv* jni, jobject exception) const;
  std::string place_of(JNIEnv* jni, jobject element) const;

  jclass elements_ = nullptr;    // StackTraceElement: a global reference
  jmethodID made_of_ = nullptr;  // its elements of a backtrace, or of the exception that has it
  bool takes_backtrace_ = false;
  jfieldID backtrace_ = nullptr, depth_ = nullptr;  // of Throwable
  jfieldID class_ = nullptr, method_ = nullptr, line_ = nullptr;
};

}  // namespace copse::jvm
