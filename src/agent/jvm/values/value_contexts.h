// Context of an event: frames of the running thread's stack, outermost first, as in
// shop.Main.main;shop.DB.find.
//
// A context has frames of the program's own classes, and the method of the event whatever its class. Frames of
// the JDK are left out, because they differ from one JDK to the next. Hidden classes have no frames. For a
// stack deeper than 1,024 frames only the innermost 1,024 are looked at, behind "...".
//
// A near context has only the innermost few frames, behind "..." if there are more, and costs by their number.
// If none of them is the program's own, more are looked at.
//
// Threads: one at a time. Cost: the JVM walks the stack; a context met before costs a hash of it.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "agent/jvm/hook/class_loaders.h"

namespace copse::jvm {

class ValueContexts {
 public:
  ValueContexts(jvmtiEnv* jvmti, ClassLoaders& loaders) : jvmti_(jvmti), loaders_(loaders) {}

  enum class Of {
    kMethod,  // the innermost frame is the event's method
    kObject,  // the innermost frames may be constructors, which are left out
  };
  struct Context {
    std::uint32_t number;  // from 0
    bool is_new;
    std::string text;  // set if is_new
  };
  // Returns the context of the running thread. `skip`: number of innermost frames that are the probe's.
  Context current(JNIEnv* jni, jint skip, Of of);
  // Returns a near context of at most `frames` of the JVM's frames, 1 or more.
  Context near(JNIEnv* jni, jint skip, Of of, std::size_t frames);

  // Returns the frame that called the method behind `skip` frames; std::nullopt if there is none. `is_walked`:
  // current() or near() walked the stack for the same event, which saves another walk.
  std::optional<jvmtiFrameInfo> caller(jint skip, bool is_walked) const;
  // Returns the context of one frame, of any class; std::nullopt for frames that contexts leave out.
  std::optional<Context> one_frame(JNIEnv* jni, jmethodID method);

  // Number of contexts of current() that had more frames than it looks at.
  std::uint64_t cut() const { return cut_; }

  // Returns the class that has the method, a local reference; nullptr if the JVM cannot say.
  jclass class_of(jmethodID method) const;

 private:
  struct Frame {
    std::string text;  // "" if never in a context
    bool is_own = false;
    bool is_constructor = false;
    std::uint32_t number = 0;
  };

  // Fills `chosen_`, innermost first. Returns whether there are more frames than `most`.
  bool choose(JNIEnv* jni, jint skip, Of of, std::size_t most);
  Context chosen_context(bool is_cut);
  const Frame& frame(JNIEnv* jni, jmethodID method);
  Frame look_up(JNIEnv* jni, jmethodID method);

  jvmtiEnv* const jvmti_;
  ClassLoaders& loaders_;
  std::vector<jvmtiFrameInfo> stack_;
  jint depth_ = 0;  // number of frames in `stack_`
  std::vector<const Frame*> chosen_;
  bool any_own_ = false;  // whether `chosen_` has a program's frame besides the event's method
  std::uint64_t cut_ = 0;
  std::unordered_map<jmethodID, Frame> frames_;
  std::unordered_map<std::string, std::uint32_t> texts_;    // numbers of frames, by text
  std::unordered_map<std::string, std::uint32_t> numbers_;  // of contexts, by frame numbers
};

}  // namespace copse::jvm
