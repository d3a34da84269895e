// One kind of probes: the Java classes that they are, the natives that these call, and what else the agent must
// know to start them. Each kind is a constant beside the recordings that use it (recordings/). Its address tells
// it from other kinds.
#pragma once

#include <jni.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "agent/jvm/hotspot/native_trampoline.h"
#include "agent/options.h"
#include "shadowstack/thread_header.h"

namespace copse::jvm {

// Probes of native methods (hook/native_calls.h).
struct NativeProbe {
  const char* java_class;  // class with beginNative()
  TrampolineCalls calls;
};

struct ProbeKind {
  // A class of java.lang.
  struct JavaClass {
    const char* name;
    std::span<const std::uint8_t> bytes;
    bool is_for_tests = false;  // no probe calls it; unit tests do
  };

  // Classes besides CopseThread and CopseWord, in the order in which they are defined.
  std::span<const JavaClass> classes;
  // Class that every rewritten class calls.
  const char* entry_class;
  // Natives of copse.CopseNative besides those of threads (natives.h).
  std::vector<JNINativeMethod> (*natives)();
  // nullptr: native methods are not recorded.
  const NativeProbe* native_probe = nullptr;
  // True if threads have headers. Without them there is no CopseThread.
  bool has_threads = true;
  // Offset in the header of the word that CopseWord keeps there; nullopt: the probes do without CopseWord.
  std::optional<std::size_t> word_in_header = std::nullopt;
  // Returns whether the options let a field of the thread object have the word. nullptr: the header always has it.
  bool (*has_word_in_field)(JavaVM* vm, const agent::AgentOptions& options) = nullptr;
  // True if a number that is no word is told from words (sampling::WordInObject::must_stand_still).
  bool tells_words = false;
  // True if live threads get their headers with their first recorded call, and not when the recording starts.
  bool attaches_late = false;
  // True if a class that is rewritten again gets no new call sites (method_table.h).
  bool has_fixed_sites = true;
  // True if another recording may follow one that has ended, if headers are found by a table.
  bool can_start_again = false;
  // Called by a thread that has got its header, before its first recorded call; may be nullptr.
  void (*thread_attached)(JNIEnv* jni, jobject thread, shadowstack::ThreadHeader& header,
                          bool is_virtual) noexcept = nullptr;
};

}  // namespace copse::jvm
