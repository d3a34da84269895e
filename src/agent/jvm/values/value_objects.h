// Numbers for objects, by JVMTI tags of an environment of its own. No object is kept alive, and no tags of
// other agents are touched.
//
// A tag has the object's number, then the number of its type, and in its lowest bit whether the stream has its
// allocation. Reading the tag is most of an event's cost, so each object has only one.
//
// Threads: one at a time (ValueEvents has the lock), except died(), which the JVM calls.
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
  // Facts on the class of an object.
  struct Type {
    std::string name;  // as in Java's sources
    bool is_string = false;
    // The primitive's descriptor and its field, if objects of the class are boxes (java.lang.Integer); else 0.
    char box = 0;
    jfieldID inside = nullptr;
    bool is_told = false;  // whether objects are reported, with these parts:
    bool has_thread_name = false;
    bool has_context = false;
    bool has_near_context = false;
    std::int64_t number = -1;       // number in the stream; -1 if none yet
    ptql::ObjectMethods methods{};  // set if asked for
  };

  // An object of an event.
  struct Seen {
    std::uint64_t number;
    Type* type;
    bool is_told;  // or is to be reported now
  };

  // Starts the environment of tags. `died`: called with the number of a dead object whose allocation was
  // reported; nullptr if not needed. Called once.
  Status start(JavaVM* vm, JNIEnv* jni, std::function<void(std::uint64_t)> died);

  // Drops all numbers: the recording is over, and the program goes on.
  void leave();

  // Returns the number or boolean in a box.
  static ptql::Value inside(JNIEnv* jni, jobject box, const Type& type);

  // Returns the number of an object that is not a recorded value: a thread. 0 for null.
  std::uint64_t number(jobject object);
  // Returns the object's number and type. `make`: fills in a new class's facts besides its name. From now on
  // the object counts as reported if its class is.
  Seen see(JNIEnv* jni, jobject object, const std::function<void(Type&, jclass)>& make);
  // Updates the facts of known classes, because `make` would set other ones now.
  void make_again(const std::function<void(Type&)>& make);

 private:
  static void JNICALL object_free(jvmtiEnv* jvmti, jlong tag);

  jvmtiEnv* jvmti_ = nullptr;
  std::function<void(std::uint64_t)> died_;  // constant since start()
  jclass string_ = nullptr;                  // global reference
  std::uint64_t next_ = 1;
  std::deque<Type> types_;  // by number; number 0 is unused
  std::unordered_map<std::uint64_t, std::uint64_t>
      type_numbers_;  // by the number of the class object

  std::uint64_t type_of(JNIEnv* jni, jobject object,
                        const std::function<void(Type&, jclass)>& make);
};

}  // namespace copse::jvm
