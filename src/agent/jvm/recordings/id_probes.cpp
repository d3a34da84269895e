#include "agent/jvm/recordings/id_probes.h"

#include <cstddef>

#include "agent/jvm/hook/native_calls.h"
#include "agent/jvm/measures/allocation_natives.h"
#include "agent/jvm/measures/processor_time.h"
#include "agent/jvm/runtime/native_method.h"
#include "agent/jvm/runtime_bytes.h"
#include "encoders/events/event_threads.h"

namespace copse::jvm {
namespace {

constexpr const char* kIdsClass = "CopseIds";
constexpr ProbeKind::JavaClass kIdClasses[] = {{kIdsClass, kCopseIdsBytes},
                                               {kAllocationsClass, kCopseAllocationsBytes}};
constexpr NativeProbe kNativeIdProbe = native_probe_of<PlainNativeProbe>(kIdsClass);

// Plain: written before the natives are bound.
IdRun g_id_run;

jlong JNICALL encode_call(JNIEnv*, jclass, jlong word, jint callee) {
  return static_cast<jlong>(g_id_run.ids->tables()->enter(static_cast<std::uint64_t>(word),
                                                          static_cast<std::uint32_t>(callee)));
}

void add_id_event(events::EventKind kind, jlong header, std::uint64_t word) {
  g_id_run.ids->add_event(kind, word, {}, events::event_thread_of(header_at(header)));
}

jlong JNICALL id_of_frame(JNIEnv* jni, jclass, jlong header, jlong frame) {
  const std::uint64_t word = word_of_frame(jni, header, frame);
  if (g_id_run.asking_is_event) add_id_event(events::EventKind::kId, header, word);
  return static_cast<jlong>(g_id_run.ids->public_id_of(word));
}

void JNICALL mark_frame(JNIEnv* jni, jclass, jlong header, jlong frame) {
  add_id_event(
      events::EventKind::kMark, header,
      g_id_run.walk != nullptr ? g_id_run.walk->hash() : word_of_frame(jni, header, frame));
}

std::vector<JNINativeMethod> all_id_natives() {
  std::vector<JNINativeMethod> natives = id_natives();
  const std::vector<JNINativeMethod> more = allocation_natives();
  natives.insert(natives.end(), more.begin(), more.end());
  return natives;
}

}  // namespace

constinit const ProbeKind kIdProbes = {.classes = kIdClasses,
                                       .entry_class = kIdsClass,
                                       .natives = all_id_natives,
                                       .native_probe = &kNativeIdProbe,
                                       .word_in_header = offsetof(shadowstack::ThreadHeader, word),
                                       .has_word_in_field = ProcessorTime::lets_words_be_in_fields,
                                       .attaches_late = true};

std::uint64_t word_of_frame(JNIEnv* jni, jlong header, jlong frame) {
  auto word = static_cast<std::uint64_t>(frame);
  if (g_id_run.recorder == nullptr) {
    word = g_id_run.ids->frame_word(header_at(header), word);
  } else if (g_id_run.recorder->is_shared(header_at(header))) {
    word = g_id_run.ids->lost_word();
  }
  if (g_id_run.missing != nullptr) g_id_run.missing->look(jni, *g_id_run.ids, word);
  return word;
}

std::vector<JNINativeMethod> id_natives() {
  return {native<encode_call>("encode", "(JI)J"), native<id_of_frame>("id", "(JJ)J"),
          native<mark_frame>("mark", "(JJ)V")};
}

Status start_id_class(RuntimeClass& runtime, JNIEnv* jni, const IdRun& run,
                      bool asks_for_first_words) {
  g_id_run = run;
  if (Status status = runtime.define_probe(jni); !status) return status;
  const ids::IdTables* const tables = run.ids->tables();
  return runtime.start_class(
      jni, kIdsClass,
      {tables != nullptr ? tables->slots_address() : 0,
       tables != nullptr ? tables->mappings_address() : 0, asks_for_first_words ? 1u : 0u});
}

Status start_id_probes(RuntimeClass& runtime, JNIEnv* jni, const IdRun& run,
                       const RuntimeClass::Threads& threads) {
  const bool asks_for_first_words = threads.timers != nullptr || threads.are_looked_at;
  if (Status status = start_id_class(runtime, jni, run, asks_for_first_words); !status)
    return status;
  return runtime.start_threads(jni, threads);
}

}  // namespace copse::jvm
