// Probes around a native method of the program, called by its trampoline (native_trampoline.h). Each kind of probes has
// functions of its own, since an indirect call would show in the cost of such a method.
#pragma once

#include <jni.h>

#include <array>
#include <atomic>

#include "agent/jvm/hotspot/native_trampoline.h"
#include "agent/jvm/hotspot/own_word.h"
#include "agent/jvm/runtime/probe_kind.h"

namespace copse::jvm {

// State of the probes; constant once is_recording is set (native_probes.cpp).
struct NativeProbeState {
  jclass type = nullptr;
  jmethodID begin = nullptr;        // beginNative()
  bool sets_fields_always = false;  // also while an exception is pending
  std::atomic<bool> is_recording{false};
};
extern NativeProbeState g_native_probes;

// Value of TrampolinedCall::entered for calls that are not recorded.
inline constexpr jlong kNotRecorded = -1;

// Policy for kinds that have nothing but beginNative() and a word around a native method. Other kinds
// derive from it and hide its members.
struct PlainNativeProbe {
  // Result of beginNative() for a call that it did not record.
  static constexpr jlong kUnrecorded = kNotRecorded;
  // Does the work of beginNative() and returns true, or returns false if Java must do it. Called first in a call.
  static bool enter(JNIEnv*, TrampolinedCall&) noexcept { return false; }
  // Does the work of the probes' exit(): restores the words from before the entry.
  static void leave(JNIEnv* jni, const OwnWord& own, const TrampolinedCall& call) noexcept {
    own.set_word(jni, static_cast<std::uint64_t>(call.entered));
  }
};

// A StackOverflowError of the probe goes to the program, as it does from a probe in bytecode.
template <typename Probe>
void* enter_native(JNIEnv* jni, TrampolinedCall* call) {
  const NativeTrampoline& trampoline = *call->trampoline;
  call->entered = kNotRecorded;
  if (!g_native_probes.is_recording.load(std::memory_order_acquire)) return trampoline.function;
  if (Probe::enter(jni, *call)) return trampoline.function;
  std::array<jvalue, 3> arguments{};
  arguments[0].i = trampoline.method;
  arguments[1].j = trampoline.place;
  arguments[2].z = trampoline.is_marked ? JNI_TRUE : JNI_FALSE;
  call->entered =
      jni->CallStaticLongMethodA(g_native_probes.type, g_native_probes.begin, arguments.data());
  // JNI returns 0 if an exception is pending. With -Xcheck:jni the check is due after every call.
  const bool may_have_thrown = call->entered == 0 || !g_native_probes.sets_fields_always;
  if (may_have_thrown && jni->ExceptionCheck()) return nullptr;
  return trampoline.function;
}

// Calls no Java: it cannot be called while an exception is pending, and an exception that is cleared and
// thrown again would be reported by JVMTI a second time.
template <typename Probe>
void leave_native(JNIEnv* jni, TrampolinedCall* call) {
  if (call->entered == kNotRecorded || call->entered == Probe::kUnrecorded) return;
  const bool is_pending = !g_native_probes.sets_fields_always && jni->ExceptionCheck();
  const jthrowable thrown = is_pending ? jni->ExceptionOccurred() : nullptr;
  if (thrown != nullptr) jni->ExceptionClear();
  const OwnWord* const own = OwnWord::remembered(jni);
  const OwnWord found = own == nullptr ? OwnWord::asked(jni) : *own;
  if (found.header() != nullptr) Probe::leave(jni, found, *call);
  if (own == nullptr) found.release(jni);
  if (thrown == nullptr) return;
  jni->Throw(thrown);
  jni->DeleteLocalRef(thrown);
}

// Returns the native probe of a kind. `java_class`: class with beginNative().
template <typename Probe>
constexpr NativeProbe native_probe_of(const char* java_class) noexcept {
  return {java_class, {enter_native<Probe>, leave_native<Probe>}};
}

}  // namespace copse::jvm
