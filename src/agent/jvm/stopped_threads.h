// Stops the program's threads for a moment, so that what they counted is that of one moment. While they stand,
// compiled code has stored all counts that it keeps in registers else.
//
// Not stopped: virtual threads on their carriers, threads in native code, which wait when they come back to Java, and
// all threads where another agent (a debugger) alone may stop threads.
//
// While it lives, its thread must call neither JNI nor JVMTI, and take no lock under which others do: a stopped thread
// may hold it.
#pragma once

#include <jvmti.h>

#include <vector>

#include "agent/jvm/local_frame.h"

namespace copse::jvm {

class StoppedThreads {
 public:
  StoppedThreads(jvmtiEnv* jvmti, JNIEnv* jni);
  ~StoppedThreads();
  StoppedThreads(const StoppedThreads&) = delete;
  StoppedThreads& operator=(const StoppedThreads&) = delete;

 private:
  bool stop_others(JNIEnv* jni);

  jvmtiEnv* const jvmti_;
  const LocalFrame frame_;
  std::vector<jthread> stopped_;
  bool may_stop_ = false;
};

}  // namespace copse::jvm
