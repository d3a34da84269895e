#include "agent/jvm/measures/sampled_allocations.h"

#include <algorithm>

#include "agent/jvm/jvm_events.h"
#include "agent/jvm/runtime/unrecorded.h"

namespace copse::jvm {
namespace {

// Bytes a thread allocates between two samples, on average.
constexpr jint kSamplingInterval = 512 * 1024;

// The JVM samples bytes, not objects: an object larger than the interval is always met, one that is
// smaller stands for an interval's worth.
void JNICALL SampledObjectAlloc(jvmtiEnv*, JNIEnv* jni, jthread thread, jobject, jclass type,
                                jlong bytes) {
  if (Unrecorded::holds()) return;
  count_event("allocation", [&](JvmEvents& events) {
    const JvmEvents::Where where = events.where(jni, thread);
    EventObjects* const objects = events.sink().objects();
    events.sink().add(events::EventKind::kAllocation, where.word, where.header,
                      static_cast<std::uint64_t>(std::max<jlong>(bytes, kSamplingInterval)),
                      objects == nullptr ? kNoMethod : objects->allocated(type));
  });
}

constexpr jvmtiEvent kReportedSamples[] = {JVMTI_EVENT_SAMPLED_OBJECT_ALLOC};

Status set_sampling_interval(jvmtiEnv* jvmti) {
  if (jvmti->SetHeapSamplingInterval(kSamplingInterval) == JVMTI_ERROR_NONE) return {};
  return Status::error(Fault::kUnsupported, "this JVM: refuses to sample allocations");
}

}  // namespace

constinit const JvmEvent kSampledAllocations = {
    .kind = events::EventKind::kAllocation,
    .events = kReportedSamples,
    .need =
        [](jvmtiCapabilities& capabilities) {
          capabilities.can_generate_sampled_object_alloc_events = 1;
        },
    .set_callbacks =
        [](jvmtiEventCallbacks& callbacks) { callbacks.SampledObjectAlloc = SampledObjectAlloc; },
    .prepare = set_sampling_interval};

}  // namespace copse::jvm
