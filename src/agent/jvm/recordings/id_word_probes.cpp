#include "agent/jvm/recordings/id_word_probes.h"

#include <cstddef>
#include <vector>

#include "agent/jvm/hook/native_calls.h"
#include "agent/jvm/runtime/native_method.h"
#include "agent/jvm/runtime_bytes.h"

namespace copse::jvm {
namespace {

constexpr const char* kBothClass = "CopseIdWords";
constexpr ProbeKind::JavaClass kBothClasses[] = {{"CopseProbe", kRecordProbeBytes},
                                                 {"CopseIds", kCopseIdsBytes},
                                                 {kBothClass, kCopseIdWordsBytes}};

// Plain: written before the natives are bound.
StackCheck* g_stacks = nullptr;

void JNICALL compare_with_stack(JNIEnv* jni, jclass, jlong header, jlong frame) {
  g_stacks->compare(jni, word_of_frame(jni, header, frame));
}

std::vector<JNINativeMethod> id_word_natives() {
  std::vector<JNINativeMethod> natives = {native<compare_with_stack>("compareWithStack", "(JJ)V")};
  for (const auto& more : {packet_natives(), id_natives()}) {
    natives.insert(natives.end(), more.begin(), more.end());
  }
  return natives;
}

struct NativeBothProbe : PlainNativeProbe {
  // Only notes the id word: Java enters.
  static bool enter(JNIEnv* jni, TrampolinedCall& call) noexcept {
    const shadowstack::ThreadHeader* const header = OwnWord::asked(jni).header();
    call.before = header == nullptr ? 0 : static_cast<jlong>(header->id_word);
    return false;
  }
  static void leave(JNIEnv* jni, const OwnWord& own, const TrampolinedCall& call) noexcept {
    PlainNativeProbe::leave(jni, own, call);
    own.header()->id_word = static_cast<std::uint64_t>(call.before);
  }
};

constexpr NativeProbe kNativeBothProbe = native_probe_of<NativeBothProbe>(kBothClass);

}  // namespace

constinit const ProbeKind kIdWordProbes = {
    .classes = kBothClasses,
    .entry_class = "CopseProbe",
    .natives = id_word_natives,
    .native_probe = &kNativeBothProbe,
    .word_in_header = offsetof(shadowstack::ThreadHeader, id_word)};

Status start_id_word_probes(RuntimeClass& runtime, JNIEnv* jni, const IdWordRun& run) {
  g_stacks = run.stacks;
  if (Status status = start_packet_class(runtime, jni, run.packets); !status) return status;
  if (Status status = start_id_class(runtime, jni, run.ids, false); !status) return status;
  const std::uint64_t stack_every = run.stacks != nullptr ? run.stack_every : 0;
  if (Status status = runtime.start_class(jni, kBothClass,
                                          {run.packets.packet_bytes, run.check_every, stack_every});
      !status) {
    return status;
  }
  return runtime.start_threads(jni, {.recorder = run.packets.recorder});
}

}  // namespace copse::jvm
