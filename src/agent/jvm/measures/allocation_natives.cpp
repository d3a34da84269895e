#include "agent/jvm/measures/allocation_natives.h"

#include <atomic>

#include "agent/jvm/runtime/native_method.h"
#include "agent/jvm/runtime/unrecorded.h"

namespace copse::jvm {
namespace {

struct AllocationData {
  // Counts of the last recording, stored before its threads have headers: a thread with a header of that recording
  // also finds its counts.
  std::atomic<ids::AllocationCounts*> counts{nullptr};
  // Plain: written before the natives are bound.
  const RuntimeClass* runtime = nullptr;
  jvmtiEnv* jvmti = nullptr;
  AllocatedTypes* types = nullptr;
};
AllocationData g_allocations;

// By a frame from an earlier recording where the last one counts none.
void JNICALL allocated(JNIEnv*, jclass, jlong header, jlong word, jlong bytes) {
  ids::AllocationCounts* const counts = g_allocations.counts.load();
  if (counts == nullptr) return;
  counts->add(*header_at(header), static_cast<std::uint64_t>(word),
              static_cast<std::uint64_t>(bytes));
}

jlong JNICALL size_of(JNIEnv* jni, jclass, jint type) {
  const Unrecorded unrecorded(*g_allocations.runtime, g_allocations.jvmti, jni);
  return static_cast<jlong>(g_allocations.types->learn(g_allocations.jvmti, jni, type));
}

}  // namespace

std::vector<JNINativeMethod> allocation_natives() {
  return {native<allocated>("allocated", "(JJJ)V"), native<size_of>("sizeOf", "(I)J")};
}

Status start_allocations(RuntimeClass& runtime, jvmtiEnv* jvmti, JNIEnv* jni,
                         ids::AllocationCounts* counts, AllocatedTypes* types,
                         std::uint64_t packet_bytes) {
  g_allocations.counts.store(counts);
  if (counts == nullptr || g_allocations.types != nullptr) return {};
  if (Status status = runtime.define_probe(jni); !status) return status;
  if (Status status = types->start(jvmti, jni); !status) return status;
  g_allocations.runtime = &runtime;
  g_allocations.jvmti = jvmti;
  g_allocations.types = types;
  return runtime.start_class(jni, kAllocationsClass,
                             {types->sizes_address(), types->alignment() - 1, packet_bytes});
}

}  // namespace copse::jvm
