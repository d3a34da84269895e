#include "agent/jvm/values/caller_code.h"

#include <cstdint>
#include <span>

namespace copse::jvm {
namespace {

// More calls than any program asks about; then it begins anew.
constexpr std::size_t kMostCalls = 100'000;

}  // namespace

classfile::ResultUse CallerCode::look_at(jmethodID method, jlocation call) const {
  jint size = 0;
  unsigned char* bytes = nullptr;
  if (jvmti_->GetBytecodes(method, &size, &bytes) != JVMTI_ERROR_NONE) {
    return classfile::ResultUse::kUnknown;
  }
  classfile::InstructionList code;
  const bool is_whole =
      code.decode(std::span<const std::uint8_t>(bytes, static_cast<std::size_t>(size)), {});
  const classfile::ResultUse use = is_whole ? result_use(code, static_cast<std::uint32_t>(call))
                                            : classfile::ResultUse::kUnknown;
  jvmti_->Deallocate(bytes);
  return use;
}

classfile::ResultUse CallerCode::use_of_result(const jvmtiFrameInfo& caller) {
  jlocation first = 0;
  jlocation last = 0;
  if (caller.location < 0 ||
      jvmti_->GetMethodLocation(caller.method, &first, &last) != JVMTI_ERROR_NONE) {
    return classfile::ResultUse::kUnknown;
  }
  if (is_stale_.exchange(false, std::memory_order_relaxed) || known_.size() > kMostCalls) {
    known_.clear();
  }
  const auto [call, is_new] = known_.try_emplace(Call{caller.method, last, caller.location});
  if (is_new) call->second = look_at(caller.method, caller.location);
  return call->second;
}

}  // namespace copse::jvm
