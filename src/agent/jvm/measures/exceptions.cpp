#include "agent/jvm/measures/exceptions.h"

#include <atomic>

#include "agent/jvm/jvm_events.h"
#include "agent/jvm/runtime/unrecorded.h"

namespace copse::jvm {
namespace {

struct Throw {
  jobject exception;
  jmethodID method;
  jlocation location;
};

// A probe that ends a frame throws the exception again, and says so in the header.
bool is_thrown_again(shadowstack::ThreadHeader* header) noexcept {
  if (header == nullptr) return false;
  std::atomic_ref<std::uint64_t> rethrows(header->rethrows);
  if (rethrows.load(std::memory_order_relaxed) == 0) return false;
  rethrows.store(0, std::memory_order_relaxed);
  return true;
}

void count_throw(JvmEvents& events, JNIEnv* jni, jthread thread, const Throw& what) {
  const JvmEvents::Where where = events.where(jni, thread);
  if (is_thrown_again(where.header)) return;
  EventObjects* const objects = events.sink().objects();
  const MethodId object = objects == nullptr
                              ? kNoMethod
                              : objects->thrown(jni, what.exception, what.method, what.location);
  events.sink().add(events::EventKind::kException, where.word, where.header, 0, object);
}

void JNICALL Exception(jvmtiEnv*, JNIEnv* jni, jthread thread, jmethodID method, jlocation location,
                       jobject exception, jmethodID, jlocation) {
  if (Unrecorded::holds()) return;
  count_event("exception", [&](JvmEvents& events) {
    count_throw(events, jni, thread, {exception, method, location});
  });
}

constexpr jvmtiEvent kReported[] = {JVMTI_EVENT_EXCEPTION};

}  // namespace

constinit const JvmEvent kExceptions = {
    .kind = events::EventKind::kException,
    .events = kReported,
    .need =
        [](jvmtiCapabilities& capabilities) {
          capabilities.can_generate_exception_events = 1;
          capabilities.can_get_line_numbers = 1;
        },
    .set_callbacks = [](jvmtiEventCallbacks& callbacks) { callbacks.Exception = Exception; }};

}  // namespace copse::jvm
