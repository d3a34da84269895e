#include "agent/jvm/hotspot/bound_functions.h"

#include <sys/uio.h>
#include <unistd.h>

#include "agent/jvm/hotspot/hotspot_flags.h"
#include "agent/jvm/runtime/natives.h"

namespace copse::jvm {
namespace {

// Reads a word of this process's memory; std::nullopt if nothing is mapped there.
std::optional<std::uint64_t> word_at(std::uint64_t address) noexcept {
  std::uint64_t word = 0;
  iovec to{&word, sizeof word};
  iovec from{reinterpret_cast<void*>(address), sizeof word};
  const ssize_t got = ::process_vm_readv(::getpid(), &to, 1, &from, 1, 0);
  return got == static_cast<ssize_t>(sizeof word) ? std::optional(word) : std::nullopt;
}

// A jmethodID is the address of a pointer to the Method.
std::optional<std::uint64_t> function_of(jmethodID method, std::uint64_t record_bytes) noexcept {
  const auto record = word_at(reinterpret_cast<std::uint64_t>(method));
  return record ? word_at(*record + record_bytes) : std::nullopt;
}

jmethodID static_method(JNIEnv* jni, jclass type, const char* name, const char* descriptor) {
  const jmethodID method = jni->GetStaticMethodID(type, name, descriptor);
  if (jni->ExceptionCheck()) jni->ExceptionClear();
  return method;
}

}  // namespace

BoundFunctions::BoundFunctions(JavaVM* vm, JNIEnv* jni, jclass natives) noexcept {
  const std::uint64_t record_bytes = size_of_hotspot_type(vm, "Method");
  const jmethodID unbound = static_method(jni, natives, "unbound", "()V");
  if (record_bytes == 0 || unbound == nullptr) return;
  for (const KnownNative& known : known_natives()) {
    const jmethodID method = static_method(jni, natives, known.name, known.descriptor);
    const bool is_there = method != nullptr && function_of(method, record_bytes) ==
                                                   reinterpret_cast<std::uint64_t>(known.function);
    if (!is_there) return;
  }
  const std::optional<std::uint64_t> nothing = function_of(unbound, record_bytes);
  if (!nothing) return;
  unbound_ = reinterpret_cast<void*>(*nothing);
  record_bytes_ = record_bytes;
}

std::optional<void*> BoundFunctions::of(jmethodID method) const noexcept {
  if (record_bytes_ == 0) return std::nullopt;
  const char* const record = *reinterpret_cast<const char* const*>(method);
  void* const function = *reinterpret_cast<void* const*>(record + record_bytes_);
  return function == unbound_ ? nullptr : function;
}

}  // namespace copse::jvm
