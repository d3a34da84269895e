#include "agent/jvm/runtime/unrecorded.h"

#include "agent/jvm/runtime/runtime_class.h"

namespace copse::jvm {
namespace {

// The running thread's probes find no header, and get none.
thread_local bool t_unrecorded = false;

}  // namespace

Unrecorded::Unrecorded(const RuntimeClass& runtime, jvmtiEnv* jvmti, JNIEnv* jni)
    : runtime_(runtime), jni_(jni), was_unrecorded_(t_unrecorded) {
  t_unrecorded = true;
  const ThreadFields& fields = runtime.fields();
  jthread thread = nullptr;
  if (!fields.are_found() || jvmti->GetCurrentThread(&thread) != JVMTI_ERROR_NONE) return;
  header_ = fields.header_of(jni, thread);
  if (header_ == nullptr) {
    jni->DeleteLocalRef(thread);
    return;
  }
  thread_ = thread;
  word_ = static_cast<jlong>(fields.word_of(jni, thread, header_));
  fields.set_header(jni, thread, nullptr);
  fields.set_word(jni, thread, 0);
}

bool Unrecorded::holds() noexcept { return t_unrecorded; }

Unrecorded::~Unrecorded() {
  t_unrecorded = was_unrecorded_;
  if (thread_ == nullptr) return;
  runtime_.fields().set_header(jni_, thread_, header_);
  runtime_.fields().set_word(jni_, thread_, word_);
  jni_->DeleteLocalRef(thread_);
}

}  // namespace copse::jvm
