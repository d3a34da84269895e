#include "agent/jvm/recordings/slice_natives.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "agent/jvm/hook/method_table.h"
#include "agent/jvm/recordings/current_span.h"
#include "agent/jvm/runtime/native_method.h"
#include "cct/inplace/inline_trees.h"

namespace copse::jvm {
namespace {

constexpr jsize kLongestName = 200;  // in UTF-16 units; the rest is cut
constexpr std::size_t kMostNames = 1000;
constexpr const char* kOtherSlices = "(other slices)";

// Methods that stand for names of slices. A program that makes a name for each slice has one for all behind the first
// ones. Thread-safe.
class SliceNames {
 public:
  void keep_in(MethodTable& methods) noexcept { methods_ = &methods; }

  // Throws std::bad_alloc.
  MethodId method_of(std::string_view name) {
    const std::lock_guard lock(mutex_);
    const auto known = by_name_.find(std::string(name));
    if (known != by_name_.end()) return known->second;
    if (by_name_.size() == kMostNames) return methods_->stand_in(kOtherSlices);
    const MethodId method = methods_->stand_in(name.empty() ? "(unnamed)" : name);
    by_name_.emplace(name, method);
    return method;
  }

 private:
  MethodTable* methods_ = nullptr;  // written before any thread asks
  std::mutex mutex_;
  std::unordered_map<std::string, MethodId> by_name_;  // guarded by mutex_
};

// Never destroyed: threads begin slices until the process is gone.
SliceNames& slice_names() {
  static SliceNames& names = *new SliceNames;
  return names;
}

MethodId method_of_name(JNIEnv* jni, jstring name) noexcept {
  std::array<char, 3 * kLongestName + 1> text{};
  jni->GetStringUTFRegion(name, 0, std::min(jni->GetStringLength(name), kLongestName), text.data());
  try {
    return slice_names().method_of(text.data());
  } catch (const std::exception&) {
    return kNoMethod;
  }
}

void set_span(JNIEnv* jni, jlong header) noexcept {
  if (const std::optional<cct::SpanIds> span = current_span(jni)) {
    cct::InlineTrees::set_span(header_at(header), *span);
  }
}

void JNICALL begin_slice(JNIEnv* jni, jclass, jlong header, jlong frame, jboolean is_virtual) {
  const bool has_begun = cct::InlineTrees::begin_slice(
      header_at(header), static_cast<std::uint64_t>(frame), is_virtual == JNI_FALSE);
  if (has_begun) set_span(jni, header);
}

void JNICALL end_slice(JNIEnv*, jclass, jlong header, jlong frame) {
  cct::InlineTrees::end_slice(header_at(header), static_cast<std::uint64_t>(frame));
}

jlong JNICALL begin_slice_here(JNIEnv* jni, jclass, jlong header, jlong slot, jstring name,
                               jboolean is_virtual) {
  const std::uint64_t slice = cct::InlineTrees::begin_slice_here(
      header_at(header), static_cast<std::uint64_t>(slot), is_virtual == JNI_FALSE,
      [&] { return method_of_name(jni, name); });
  if (slice != 0) set_span(jni, header);
  return static_cast<jlong>(slice);
}

void JNICALL end_slice_here(JNIEnv*, jclass, jlong header, jlong slot, jlong slice) {
  cct::InlineTrees::end_slice_here(header_at(header), static_cast<std::uint64_t>(slot),
                                   static_cast<std::uint64_t>(slice));
}

}  // namespace

void name_slices_in(MethodTable& methods) noexcept { slice_names().keep_in(methods); }

std::vector<JNINativeMethod> slice_natives() {
  return {native<begin_slice>("beginSlice", "(JJZ)V"), native<end_slice>("endSlice", "(JJ)V"),
          native<begin_slice_here>("beginSliceHere", "(JJLjava/lang/String;Z)J"),
          native<end_slice_here>("endSliceHere", "(JJJ)V")};
}

}  // namespace copse::jvm
