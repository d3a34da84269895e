#include "agent/jvm/runtime/thread_fields.h"

#include <atomic>
#include <string>

#include "agent/jvm/jvm_names.h"
#include "agent/jvm/runtime/natives.h"
#include "encoders/ids/id_layout.h"

namespace copse::jvm {

Status ThreadFields::find(JNIEnv* jni) {
  const jclass thread = jni->FindClass("java/lang/Thread");
  id_field_ = thread == nullptr ? nullptr : jni->GetFieldID(thread, "tid", "J");
  if (id_field_ == nullptr) return runtime_failure(jni, "java.lang.Thread has no field tid");
  name_field_ = jni->GetFieldID(thread, "name", "Ljava/lang/String;");
  if (name_field_ == nullptr) return runtime_failure(jni, "java.lang.Thread has no field name");
  if (access_ == HeaderAccess::kTableByThreadId && !table_.reserve()) {
    return Status::error(Fault::kLimit, "runtime class: no address space for the thread table");
  }
  header_field_ = jni->GetFieldID(thread, header_field(), "J");
  if (header_field_ == nullptr) {
    return runtime_failure(jni, "java.lang.Thread has no field " + std::string(header_field()));
  }
  Status status = find_word(jni, thread);
  jni->DeleteLocalRef(thread);
  return status;
}

Status ThreadFields::find_word(JNIEnv* jni, jclass thread) {
  if (word_ == WordPlace::kHeader) return {};
  jclass owner = thread;
  if (word_ == WordPlace::kHoldersStackSize) {
    constexpr const char* kHolder = "java/lang/Thread$FieldHolder";
    holder_field_ = jni->GetFieldID(thread, "holder", "Ljava/lang/Thread$FieldHolder;");
    owner = jni->ExceptionCheck() ? nullptr : jni->FindClass(kHolder);
  }
  if (owner != nullptr) {
    const bool added = word_ == WordPlace::kAddedField;
    word_field_ = jni->GetFieldID(owner, added ? kThreadWordField : "stackSize", "J");
  }
  if (word_field_ == nullptr) {
    return runtime_failure(jni, "java.lang.Thread has no field for the context word");
  }
  return {};
}

std::string ThreadFields::name_of(JNIEnv* jni, jthread thread) const {
  return text_of(jni, thread, name_field_);
}

jobject ThreadFields::owner_of_word(JNIEnv* jni, jthread thread) const {
  if (word_field_ == nullptr) return nullptr;
  return holder_field_ == nullptr ? jni->NewLocalRef(thread)
                                  : jni->GetObjectField(thread, holder_field_);
}

std::uint64_t ThreadFields::word_of(JNIEnv* jni, jthread thread,
                                    const shadowstack::ThreadHeader* header) const {
  const jobject owner = owner_of_word(jni, thread);
  if (owner == nullptr) {
    if (header == nullptr) return ids::kRootNumber;
    return std::atomic_ref<const std::uint64_t>(header->word).load(std::memory_order_relaxed);
  }
  const jlong word = jni->GetLongField(owner, word_field_);
  jni->DeleteLocalRef(owner);
  return static_cast<std::uint64_t>(word);
}

void ThreadFields::set_word(JNIEnv* jni, jthread thread, jlong word) const {
  const jobject owner = owner_of_word(jni, thread);
  if (owner == nullptr) return;
  jni->SetLongField(owner, word_field_, word);
  jni->DeleteLocalRef(owner);
}

shadowstack::ThreadHeader* ThreadFields::header_of(JNIEnv* jni, jthread thread) const {
  if (header_field_ == nullptr) return nullptr;
  const jlong value = jni->GetLongField(thread, header_field_);
  return reinterpret_cast<shadowstack::ThreadHeader*>(access_ == HeaderAccess::kTableByThreadId
                                                          ? *table_.slot(value)
                                                          : static_cast<std::uint64_t>(value));
}

void ThreadFields::set_header(JNIEnv* jni, jthread thread,
                              shadowstack::ThreadHeader* header) const {
  const auto address = reinterpret_cast<std::uint64_t>(header);
  if (access_ == HeaderAccess::kTableByThreadId) {
    *table_.slot(jni->GetLongField(thread, header_field_)) = address;
  } else {
    jni->SetLongField(thread, header_field_, static_cast<jlong>(address));
  }
}

void ThreadFields::forget(JNIEnv* jni, jthread thread) {
  set_header(jni, thread, nullptr);
  set_word(jni, thread, 0);
  if (access_ == HeaderAccess::kTableByThreadId) {
    table_.ended(jni->GetLongField(thread, header_field_));
  }
}

}  // namespace copse::jvm
