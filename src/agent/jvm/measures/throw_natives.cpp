#include "agent/jvm/measures/throw_natives.h"

#include <atomic>
#include <exception>

#include "agent/jvm/measures/probed_throws.h"
#include "agent/jvm/runtime/native_method.h"
#include "agent/jvm/runtime/unrecorded.h"

namespace copse::jvm {
namespace {

std::atomic<ProbedThrows*> g_throws{nullptr};

// Nothing of ours reaches the program, and what runs on our account is not counted. Without memory
// the exception is lost.
template <typename Body>
void counted_throw(Body body) noexcept {
  ProbedThrows* const throws = g_throws.load();
  if (throws == nullptr || Unrecorded::holds()) return;
  try {
    body(*throws);
  } catch (const std::exception&) {
    throws->lose();
  }
}

void JNICALL arrives(JNIEnv* jni, jclass, jthread thread, jobject exception, jint method, jint line,
                     jboolean is_caught, jboolean is_leaf) {
  counted_throw([&](ProbedThrows& throws) {
    throws.arrives(jni, {.thread = thread,
                         .exception = exception,
                         .method = MethodId{static_cast<std::uint32_t>(method)},
                         .line = line,
                         .is_caught = is_caught == JNI_TRUE,
                         .in_leaf = is_leaf == JNI_TRUE});
  });
}

}  // namespace

void count_throws_with(ProbedThrows* throws) noexcept { g_throws.store(throws); }

std::vector<JNINativeMethod> throw_natives() {
  return {
      native<arrives>("arrives", "(Ljava/lang/Thread;Ljava/lang/Throwable;IIZZ)V"),
  };
}

}  // namespace copse::jvm
