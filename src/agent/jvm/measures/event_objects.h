// Objects of events, as stand-in methods that the program does not have. In contexts they are below the frame
// of the event.
//
//   new byte[]                                            of that class was allocated
//   throw demo.Missing at demo.Store.find:31              of that class was thrown, and there
//   synchronized demo.Store                               a monitor of that class was waited for
//   park java.util.concurrent.locks.ReentrantLock$Sync    a thread was parked because of one
//   java.util.concurrent.LinkedBlockingQueue.take         a thread waited for work in that method of the JDK
//
// Threads: any; one mutex, held for a look-up.
#pragma once

#include <jvmti.h>

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "agent/jvm/hook/method_table.h"
#include "base/ids.h"

namespace copse::jvm {

class EventObjects {
 public:
  // Largest number of names. Further objects are "new (other classes)" and so on.
  static constexpr std::size_t kMost = 100'000;

  // `has_new_name`: called before a new name is returned.
  EventObjects(jvmtiEnv* jvmti, MethodTable& methods, std::function<void()> has_new_name)
      : jvmti_(jvmti), methods_(methods), has_new_name_(std::move(has_new_name)) {}

  // Each returns kNoMethod if the JVM does not say, or ids are used up. Throws std::bad_alloc. Cost: one or two
  // questions to the JVM, about a microsecond.
  MethodId allocated(jclass type);
  MethodId allocated(const std::string& type_name) { return named("new ", type_name); }
  MethodId thrown(JNIEnv* jni, jobject exception, jmethodID method, jlocation location);
  // `place`: "demo.Store.find:31"; "" if unknown.
  MethodId thrown_at(JNIEnv* jni, jobject exception, const std::string& place);
  MethodId waited_for(JNIEnv* jni, jobject monitor);
  MethodId parked(JNIEnv* jni, jobject blocker);
  MethodId waited_in(jmethodID method) { return named("", place_of(method, kNoLine)); }
  // Returns "demo.Store.find:31"; the line may be kNoLine, or unknown. "" if the JVM does not say.
  std::string place_of(jmethodID method, jlocation location);
  static constexpr jlocation kNoLine = -1;

 private:
  std::string class_of(JNIEnv* jni, jobject object) const;
  std::string type_name(jclass type) const;
  std::string look_up_place(jmethodID method, jlocation location) const;
  MethodId named(const char* what, const std::string& name);

  jvmtiEnv* const jvmti_;
  MethodTable& methods_;
  const std::function<void()> has_new_name_;
  std::mutex mutex_;  // guards the members below
  std::unordered_map<std::string, MethodId> known_;
  std::map<std::pair<jmethodID, jlocation>, std::string> places_;  // places of throws
};

}  // namespace copse::jvm
