#include "agent/jvm/runtime/virtual_references.h"

#include <atomic>
#include <cstdint>
#include <new>

namespace copse::jvm {

void VirtualReferences::add(JNIEnv* jni, jobject thread, shadowstack::ThreadHeader& header,
                            bool is_listed) {
  const jweak self = jni->NewWeakGlobalRef(thread);
  if (jni->ExceptionCheck()) jni->ExceptionClear();
  if (self == nullptr) return;  // no memory: it is not found
  const std::lock_guard lock(mutex_);
  std::atomic_ref<std::uint64_t>(header.self)
      .store(reinterpret_cast<std::uint64_t>(self), std::memory_order_relaxed);
  if (!is_listed) return;
  try {
    listed_.insert(&header);
  } catch (const std::bad_alloc&) {
    // Nor is it then.
  }
}

void VirtualReferences::drop(JNIEnv* jni, shadowstack::ThreadHeader& header) {
  std::atomic_ref<std::uint64_t> self(header.self);
  if (self.load(std::memory_order_relaxed) == 0) return;
  const std::lock_guard lock(mutex_);
  listed_.erase(&header);
  jni->DeleteWeakGlobalRef(reinterpret_cast<jweak>(self.exchange(0)));
}

void VirtualReferences::clear() {
  const std::lock_guard lock(mutex_);
  listed_.clear();
}

std::vector<const shadowstack::ThreadHeader*> VirtualReferences::all() const {
  const std::lock_guard lock(mutex_);
  return {listed_.begin(), listed_.end()};
}

jobject VirtualReferences::thread_of(JNIEnv* jni, const shadowstack::ThreadHeader& header) const {
  const std::lock_guard lock(mutex_);
  const std::uint64_t self =
      std::atomic_ref<const std::uint64_t>(header.self).load(std::memory_order_relaxed);
  return self == 0 ? nullptr : jni->NewLocalRef(reinterpret_cast<jweak>(self));
}

}  // namespace copse::jvm
