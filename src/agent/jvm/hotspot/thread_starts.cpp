#include "agent/jvm/hotspot/thread_starts.h"

#include <atomic>

#include "agent/jvm/runtime/unrecorded.h"

namespace copse::jvm {
namespace {

std::atomic<ThreadStartSink*> g_start_sink = nullptr;

}  // namespace

void tell_thread_starts_to(ThreadStartSink& sink) noexcept { g_start_sink.store(&sink); }

void thread_starts(JNIEnv* jni, jobject thread) noexcept {
  ThreadStartSink* const sink = g_start_sink.load();
  if (sink != nullptr && !Unrecorded::holds()) sink->starts(jni, thread);
}

}  // namespace copse::jvm
