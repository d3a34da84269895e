// Probes that keep context ids (runtime/id).
#pragma once

#include <jni.h>

#include <cstdint>
#include <vector>

#include "agent/jvm/ids/missing_frames.h"
#include "agent/jvm/ids/stack_walk.h"
#include "agent/jvm/runtime/runtime_class.h"
#include "base/status.h"
#include "encoders/ids/context_ids.h"
#include "shadowstack/packets/recorder.h"

namespace copse::jvm {

extern const ProbeKind kIdProbes;

// Data of the probes; outlives the JVM.
struct IdRun {
  ids::ContextIds* ids = nullptr;
  // Recorder of the threads' packets; nullptr without packets.
  const shadowstack::Recorder* recorder = nullptr;
  MissingFrames* missing = nullptr;  // nullptr if all methods have probes
  StackWalk* walk = nullptr;         // walks at marks instead of using words; nullptr otherwise
  bool asking_is_event = false;      // whether a call of copse.Context.id() is an event
};

// Starts the probes.
Status start_id_probes(RuntimeClass& runtime, JNIEnv* jni, const IdRun& run,
                       const RuntimeClass::Threads& threads);

// Parts for other kinds of probes that keep ids. start_id_class() starts CopseIds; `asks_for_first_words`:
// true if threads that live already get their header with their first call.
Status start_id_class(RuntimeClass& runtime, JNIEnv* jni, const IdRun& run,
                      bool asks_for_first_words);
std::vector<JNINativeMethod> id_natives();
// Returns the word of a frame where its id is used; lost_word() if threads share the header.
std::uint64_t word_of_frame(JNIEnv* jni, jlong header, jlong frame);

}  // namespace copse::jvm
