// Numbers for objects, by JVMTI tags of an environment of its own: no object is kept alive, and the
// tags of nobody else are touched.
//
// A tag is the object's number and, in its lowest bit, whether the stream was told of its allocation.
// Threads: one at a time (ValueEvents has the lock), but for died(), which the JVM calls.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>

#include "base/status.h"

namespace copse::jvm {

class ValueObjects {
 public:
  struct Numbered {
    std::uint64_t number = 0;  // 0: null
    bool told = false;         // of its allocation
  };
  // What is known of the class of an object.
  struct Type {
    std::string name;  // as in Java's sources
    bool is_string = false;
    bool is_told = false;      // objects of it are told of
    std::int64_t number = -1;  // in the stream; -1: not yet
  };

  // `died`: called with the number of an object whose allocation was told of; null: nobody asks. Once.
  Status start(JavaVM* vm, JNIEnv* jni, std::function<void(std::uint64_t)> died);

  // Gives up all numbers: the recording is over, and its program goes on.
  void leave();

  Numbered number(jobject object);
  // The stream was told of its allocation.
  void set_told(jobject object, std::uint64_t number);
  // `make`: of a class that is new, what is to be known beside its name. Valid until the next call.
  Type& type_of(JNIEnv* jni, jobject object, const std::function<void(Type&)>& make);

 private:
  static void JNICALL object_free(jvmtiEnv* jvmti, jlong tag);

  jvmtiEnv* jvmti_ = nullptr;
  std::function<void(std::uint64_t)> died_;  // constant since start()
  jclass string_ = nullptr;                  // global reference
  std::uint64_t next_ = 1;
  std::unordered_map<std::uint64_t, Type> types_;  // by the number of the class as an object
};

}  // namespace copse::jvm
