// Numbers for objects, by JVMTI tags of an environment of its own: no object is kept alive, and the
// tags of nobody else are touched.
//
// A tag is the object's number, then that of its type, and in its lowest bit whether the stream was told of
// its allocation: a look at the tag is most of what an event costs, and so there is one of each object.
// Threads: one at a time (ValueEvents has the lock), but for died(), which the JVM calls.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <unordered_map>

#include "base/status.h"
#include "ptql/language/value.h"
#include "ptql/plan/static_filter.h"

namespace copse::jvm {

class ValueObjects {
 public:
  // What is known of the class of an object.
  struct Type {
    std::string name;  // as in Java's sources
    bool is_string = false;
    // The primitive's descriptor and its field, if objects of the class are boxes (java.lang.Integer); else 0.
    char box = 0;
    jfieldID inside = nullptr;
    bool is_told = false;  // objects of it are told of, and these of them with it:
    bool has_thread_name = false;
    bool has_context = false;
    bool has_near_context = false;
    std::int64_t number = -1;       // in the stream; -1: not yet
    ptql::ObjectMethods methods{};  // where they are asked for
  };

  // An object that an event has.
  struct Seen {
    std::uint64_t number;
    Type* type;
    bool is_told;  // or is to be told of now
  };

  // `died`: called with the number of an object whose allocation was told of; null: nobody asks. Once.
  Status start(JavaVM* vm, JNIEnv* jni, std::function<void(std::uint64_t)> died);

  // Gives up all numbers: the recording is over, and its program goes on.
  void leave();

  // Returns the number or boolean in a box.
  static ptql::Value inside(JNIEnv* jni, jobject box, const Type& type);

  // Of an object that is no value: a thread. 0: null.
  std::uint64_t number(jobject object);
  // `make`: of a class that is new, what is to be known beside its name. From now on an object counts as
  // told of whose class is.
  Seen see(JNIEnv* jni, jobject object, const std::function<void(Type&, jclass)>& make);
  // What `make` would say of classes that are known has changed.
  void make_again(const std::function<void(Type&)>& make);

 private:
  static void JNICALL object_free(jvmtiEnv* jvmti, jlong tag);

  jvmtiEnv* jvmti_ = nullptr;
  std::function<void(std::uint64_t)> died_;  // constant since start()
  jclass string_ = nullptr;                  // global reference
  std::uint64_t next_ = 1;
  std::deque<Type> types_;  // by number; the first is none
  std::unordered_map<std::uint64_t, std::uint64_t>
      type_numbers_;  // by that of the class as an object

  std::uint64_t type_of(JNIEnv* jni, jobject object,
                        const std::function<void(Type&, jclass)>& make);
};

}  // namespace copse::jvm
