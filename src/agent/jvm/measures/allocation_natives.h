// Natives of copse.CopseNative that CopseAllocations calls, and its start. Shared by all probes that count every
// allocation.
#pragma once

#include <jni.h>

#include <cstdint>
#include <vector>

#include "agent/jvm/measures/allocated_types.h"
#include "agent/jvm/runtime/runtime_class.h"
#include "base/status.h"
#include "encoders/ids/allocation_counts.h"

namespace copse::jvm {

inline constexpr const char* kAllocationsClass = "CopseAllocations";

std::vector<JNINativeMethod> allocation_natives();

// Starts counting allocations, or goes on after another recording. Called before the recording's threads have
// headers. `counts`, `types`: nullptr unless all are counted. `types`: the same in all recordings. `packet_bytes`:
// size of a packet; 0 without packets.
Status start_allocations(RuntimeClass& runtime, jvmtiEnv* jvmti, JNIEnv* jni,
                         ids::AllocationCounts* counts, AllocatedTypes* types,
                         std::uint64_t packet_bytes = 0);

}  // namespace copse::jvm
