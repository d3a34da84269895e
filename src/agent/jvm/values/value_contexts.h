// The context of an event: frames of the running thread's stack, outermost first, as
// shop.Main.main;shop.DB.find.
//
// Frames of the program's own classes are in it, and the method of the event whatever class it is of:
// those of the JDK differ from one JDK to the next. Hidden classes have none. Of a stack deeper than
// 1,024 frames the innermost count, behind "...".
// A near context has the innermost few alone, behind "..." where there are more, and costs by these; where
// none of them is the program's own, more are looked at.
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
    kObject,  // it is a constructor, or whatever first had the object: constructors are left out
  };
  struct Context {
    std::uint32_t number;  // from 0
    bool is_new;
    std::string text;  // where it is new
  };
  // `skip`: innermost frames that are the probe's.
  Context current(JNIEnv* jni, jint skip, Of of);
  // Of so many of the JVM's frames, 1 or more.
  Context near(JNIEnv* jni, jint skip, Of of, std::size_t frames);

  // Returns the frame that called the method behind `skip` frames; nullopt where there is none. `is_walked`: current()
  // or near() walked the stack for the same event, which saves another walk.
  std::optional<jvmtiFrameInfo> caller(jint skip, bool is_walked) const;
  // Returns the context of one frame, of any class; nullopt for frames that contexts leave out.
  std::optional<Context> one_frame(JNIEnv* jni, jmethodID method);

  // Contexts of current() that had more frames than it looks at.
  std::uint64_t cut() const { return cut_; }

  // The class that has the method, a local reference; null where the JVM cannot say.
  jclass class_of(jmethodID method) const;

 private:
  struct Frame {
    std::string text;  // "": never in a context
    bool is_own = false;
    bool is_constructor = false;
    std::uint32_t number = 0;
  };

  // Into `chosen_`, the innermost first. Whether there are more frames than `most`.
  bool choose(JNIEnv* jni, jint skip, Of of, std::size_t most);
  Context chosen_context(bool is_cut);
  const Frame& frame(JNIEnv* jni, jmethodID method);
  Frame look_up(JNIEnv* jni, jmethodID method);

  jvmtiEnv* const jvmti_;
  ClassLoaders& loaders_;
  std::vector<jvmtiFrameInfo> stack_;
  jint depth_ = 0;  // of `stack_`
  std::vector<const Frame*> chosen_;
  bool any_own_ = false;  // of `chosen_`, besides the event's method
  std::uint64_t cut_ = 0;
  std::unordered_map<jmethodID, Frame> frames_;
  std::unordered_map<std::string, std::uint32_t> texts_;    // of frames
  std::unordered_map<std::string, std::uint32_t> numbers_;  // of contexts, by their frames' numbers
};

}  // namespace copse::jvm
