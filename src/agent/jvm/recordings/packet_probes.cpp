#include "agent/jvm/recordings/packet_probes.h"

#include <new>
#include <span>

#include "agent/jvm/hook/native_calls.h"
#include "agent/jvm/measures/allocation_natives.h"
#include "agent/jvm/measures/throw_natives.h"
#include "agent/jvm/runtime/native_method.h"
#include "agent/jvm/runtime_bytes.h"

namespace copse::jvm {
namespace {

constexpr const char* kRecordClass = "CopseProbe";
constexpr ProbeKind::JavaClass kPacketClasses[] = {{kAllocationsClass, kCopseAllocationsBytes},
                                                   {kRecordClass, kRecordProbeBytes},
                                                   {"CopseThrows", kCopseThrowsBytes}};
constexpr NativeProbe kNativePacketProbe = native_probe_of<PlainNativeProbe>(kRecordClass);

// Plain: written before the natives are bound.
shadowstack::Recorder* g_recorder = nullptr;

void JNICALL next_packet(JNIEnv*, jclass, jlong header) {
  g_recorder->next_packet(header_at(header));
}

// Plain, as g_recorder.
const MethodTable* g_packet_methods = nullptr;

// The path is that of a callee of the constructor whose frame ends. It is found from the thread's last one, because an
// exception may end very many constructors, one after the other.
jlong JNICALL word_behind_constructors(JNIEnv*, jclass, jlong header, jlong frame) {
  thread_local shadowstack::Recorder::KnownPath last;
  const shadowstack::ThreadHeader& thread = *header_at(header);
  const std::uint64_t below = (static_cast<std::uint64_t>(frame) & ~kKeyMask) + kDepthOne;
  const auto no_leaf = [](MethodId, SiteOrdinal, MethodId) { return false; };
  try {
    if (g_recorder->path_of(thread, shadowstack::place_of(thread, below), no_leaf, last) !=
        shadowstack::Recorder::Path::kKnown) {
      return frame;
    }
  } catch (const std::bad_alloc&) {
    last = {};
    return frame;
  }
  const std::span<const ContextKey> path = std::span(last.frames).first(last.length);
  std::size_t at = path.size();
  while (at > 1 && g_packet_methods->constructs(method_of(path[at - 2]), site_of(path[at - 1]),
                                                method_of(path[at - 1]))) {
    --at;
  }
  if (at == path.size()) return frame;
  return static_cast<jlong>(
      call_record(static_cast<std::uint32_t>(at - 1), site_of(path[at - 1]), kNoMethod));
}

std::vector<JNINativeMethod> all_packet_natives() {
  std::vector<JNINativeMethod> natives = packet_natives();
  for (const auto& more : {allocation_natives(), throw_natives()}) {
    natives.insert(natives.end(), more.begin(), more.end());
  }
  return natives;
}

}  // namespace

constinit const ProbeKind kPacketProbes = {.classes = kPacketClasses,
                                           .entry_class = kRecordClass,
                                           .natives = all_packet_natives,
                                           .native_probe = &kNativePacketProbe,
                                           .has_fixed_sites = false};

std::vector<JNINativeMethod> packet_natives() {
  return {native<next_packet>("nextPacket", "(J)V"),
          native<word_behind_constructors>("wordBehindConstructors", "(JJ)J")};
}

Status start_packet_class(RuntimeClass& runtime, JNIEnv* jni, const PacketRun& run) {
  g_recorder = &run.recorder;
  g_packet_methods = &run.methods;
  if (Status status = runtime.define_probe(jni); !status) return status;
  return runtime.start_class(jni, kRecordClass, {run.packet_bytes, run.words_are_read ? 1u : 0u});
}

Status start_packet_probes(RuntimeClass& runtime, JNIEnv* jni, const PacketRun& run,
                           const RuntimeClass::Threads& threads) {
  if (Status status = start_packet_class(runtime, jni, run); !status) return status;
  return runtime.start_threads(jni, threads);
}

}  // namespace copse::jvm
