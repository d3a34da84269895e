#include "agent/jvm/hotspot/own_word.h"

#include <atomic>
#include <new>

#include "agent/jvm/jvm_names.h"
#include "agent/jvm/runtime/unrecorded.h"

namespace copse::jvm {
namespace {

// Where words are. Constant while a recording lasts.
struct Looking {
  const JvmState* jvm = nullptr;
  jfieldID holder = nullptr;  // Thread's field with the object; nullptr if it is the thread itself
  jfieldID field = nullptr;   // nullptr if the word is in the header
  std::atomic<std::uint64_t> recording{0};
};
Looking g_looking;

thread_local constinit OwnWord t_own;

// Tells threads of the JDK's own scheduler. On other threads that run virtual ones, ThreadHeader::mounted
// tells, once the virtual thread has a header.
bool is_carrier(jvmtiEnv* jvmti, JNIEnv* jni, jthread thread) {
  return class_name_of(jvmti, jni, thread) == "jdk.internal.misc.CarrierThread";
}

}  // namespace

void OwnWord::start(const JvmState& jvm) noexcept {
  g_looking.jvm = &jvm;
  g_looking.holder = jvm.runtime.fields().word_holder();
  g_looking.field = jvm.runtime.fields().word_field();
  g_looking.recording.fetch_add(1, std::memory_order_release);
}

const OwnWord* OwnWord::remembered(JNIEnv* jni) noexcept {
  OwnWord& own = t_own;
  if (own.recording_ != g_looking.recording.load(std::memory_order_acquire)) {
    try {
      own.remember(jni);
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
  }
  const bool is_itself =
      own.header_ != nullptr && own.header_->mounted == 0 && !Unrecorded::holds();
  return is_itself ? &own : nullptr;
}

// Throws std::bad_alloc. A header without state is shared by threads that found no memory.
void OwnWord::remember(JNIEnv* jni) {
  forget(jni);
  jthread thread = nullptr;
  if (g_looking.jvm->jvmti->GetCurrentThread(&thread) != JVMTI_ERROR_NONE) return;
  const OwnWord found = asked(jni);
  const bool is_one = found.header_ != nullptr && found.header_->state != nullptr &&
                      !g_looking.jvm->virtual_threads.is_one(jni, thread) &&
                      !is_carrier(g_looking.jvm->jvmti, jni, thread);
  if (is_one) {
    header_ = found.header_;
    if (found.owner_ != nullptr) owner_ = jni->NewGlobalRef(found.owner_);
    if (found.owner_ != nullptr && owner_ == nullptr) header_ = nullptr;  // no memory
  }
  // A thread without a header gets one with its first recorded call, so it is looked up again.
  if (found.header_ != nullptr) recording_ = g_looking.recording.load();
  found.release(jni);
  jni->DeleteLocalRef(thread);
}

// Virtual threads have no holder; their word is in the header.
OwnWord OwnWord::asked(JNIEnv* jni) noexcept {
  OwnWord own;
  const JvmState& jvm = *g_looking.jvm;
  jthread thread = nullptr;
  if (jvm.jvmti->GetCurrentThread(&thread) != JVMTI_ERROR_NONE) return own;
  own.header_ = jvm.runtime.header_of(jni, thread);
  if (own.header_ != nullptr && g_looking.field != nullptr) {
    own.owner_ =
        g_looking.holder == nullptr ? thread : jni->GetObjectField(thread, g_looking.holder);
  }
  if (own.owner_ != thread) jni->DeleteLocalRef(thread);
  return own;
}

void OwnWord::forget(JNIEnv* jni) noexcept {
  OwnWord& own = t_own;
  if (own.owner_ != nullptr) jni->DeleteGlobalRef(own.owner_);
  own = OwnWord();
}

std::uint64_t OwnWord::word(JNIEnv* jni) const noexcept {
  return owner_ == nullptr ? header_->word
                           : static_cast<std::uint64_t>(jni->GetLongField(owner_, g_looking.field));
}

void OwnWord::set_word(JNIEnv* jni, std::uint64_t word) const noexcept {
  if (owner_ == nullptr) {
    std::atomic_ref<std::uint64_t>(header_->word).store(word, std::memory_order_relaxed);
  } else {
    jni->SetLongField(owner_, g_looking.field, static_cast<jlong>(word));
  }
}

}  // namespace copse::jvm
