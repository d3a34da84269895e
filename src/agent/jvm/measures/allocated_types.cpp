#include "agent/jvm/measures/allocated_types.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <new>

#include "agent/jvm/hotspot/own_stack.h"
#include "agent/jvm/jvm_names.h"
#include "base/java_type.h"
#include "probes/allocation_host.h"

namespace copse::jvm {
namespace {

constexpr std::size_t kFirstArray = 4;
// By newarray's types; the last: references.
constexpr std::string_view kArrays = "ZCFDBSIJL";
static_assert(kFirstArray + kArrays.size() - 1 == classfile::kReferenceArray);
constexpr std::int32_t kUnknown = 13;
constexpr std::size_t kFirstClass = 16;
constexpr std::size_t kMostTypes = std::size_t{1} << kAllocatedTypeBits;
constexpr jint kLargestAlignment = 256;  // -XX:ObjectAlignmentInBytes

jarray new_array(JNIEnv* jni, char descriptor, jclass object, jint length) {
  switch (descriptor) {
    case 'Z':
      return jni->NewBooleanArray(length);
    case 'C':
      return jni->NewCharArray(length);
    case 'F':
      return jni->NewFloatArray(length);
    case 'D':
      return jni->NewDoubleArray(length);
    case 'B':
      return jni->NewByteArray(length);
    case 'S':
      return jni->NewShortArray(length);
    case 'I':
      return jni->NewIntArray(length);
    case 'J':
      return jni->NewLongArray(length);
    default:
      return jni->NewObjectArray(length, object, nullptr);
  }
}

// 0 when the JVM cannot say.
std::uint64_t size_of_object(jvmtiEnv* jvmti, JNIEnv* jni, jobject object) {
  jlong size = 0;
  const bool known = object != nullptr && jvmti->GetObjectSize(object, &size) == JVMTI_ERROR_NONE;
  if (jni->ExceptionCheck()) jni->ExceptionClear();
  if (object != nullptr) jni->DeleteLocalRef(object);
  return known ? static_cast<std::uint64_t>(size) : 0;
}

}  // namespace

AllocatedTypes::AllocatedTypes(MethodTable& methods) : methods_(methods) {
  void* memory = mmap(nullptr, kMostTypes * sizeof(std::uint64_t), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  sizes_ = static_cast<std::uint64_t*>(memory);
  sizes_[kUnknown] = kKnownSize;
}

Status AllocatedTypes::start(jvmtiEnv* jvmti, JNIEnv* jni) {
  const jclass type = jni->FindClass("java/lang/Class");
  if (type != nullptr) {
    class_class_ = static_cast<jclass>(jni->NewGlobalRef(type));
    for_name_ = jni->GetStaticMethodID(
        class_class_, "forName", "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;");
  }
  if (for_name_ == nullptr) {
    if (jni->ExceptionCheck()) jni->ExceptionClear();
    return Status::error(Fault::kUnsupported, "allocation sizes: java.lang.Class has no forName");
  }
  for (std::size_t i = 0; i < kArrays.size(); ++i) {
    if (Status status = learn_array(jvmti, jni, kFirstArray + i, kArrays[i]); !status) {
      return status;
    }
  }
  return {};
}

// An array's size is its elements behind its header, rounded up to the alignment of objects: the
// longest one of the smallest size ends at a multiple of it, whatever lies before the elements.
Status AllocatedTypes::learn_array(jvmtiEnv* jvmti, JNIEnv* jni, std::size_t number,
                                   char descriptor) {
  const jclass object = jni->FindClass("java/lang/Object");
  const auto size = [&](jint length) {
    return size_of_object(jvmti, jni, new_array(jni, descriptor, object, length));
  };
  const std::uint64_t smallest = size(0);
  const std::uint64_t scale = (size(2 * kLargestAlignment) - size(kLargestAlignment)) /
                              static_cast<std::uint64_t>(kLargestAlignment);
  jint longest = 0;
  while (longest < kLargestAlignment && size(longest + 1) == smallest) ++longest;
  if (smallest == 0 || !std::has_single_bit(scale) || longest == kLargestAlignment) {
    return Status::error(
        Fault::kUnsupported,
        std::string("allocation sizes: the JVM does not say how large arrays are"));
  }
  if (scale == 1) alignment_ = size(longest + 1) - smallest;
  const std::uint64_t base = smallest - static_cast<std::uint64_t>(longest) * scale;
  sizes_[number] = base << kArrayScaleBits | static_cast<std::uint64_t>(std::countr_zero(scale));
  jni->DeleteLocalRef(object);
  return {};
}

std::int32_t AllocatedTypes::number_of(std::uint64_t loader, std::string_view class_name) {
  const std::lock_guard lock(mutex_);
  std::string key = std::to_string(loader) + ' ' + std::string(class_name);
  if (const auto known = numbers_.find(key); known != numbers_.end()) return known->second;
  const std::size_t number = kFirstClass + names_.size();
  if (number >= kMostTypes) {
    methods_.skipped(class_name, "", "more classes than numbers: its objects count no bytes");
    return kUnknown;
  }
  names_.emplace_back(class_name);
  numbers_.emplace(std::move(key), static_cast<std::int32_t>(number));
  return static_cast<std::int32_t>(number);
}

std::string AllocatedTypes::name_of(std::int32_t number) {
  const auto at = static_cast<std::size_t>(number);
  std::string descriptor;
  if (at >= kFirstArray && at < kFirstArray + kArrays.size() - 1) {
    descriptor = {'[', kArrays[at - kFirstArray]};
  } else {
    const std::lock_guard lock(mutex_);
    if (at < kFirstClass || at - kFirstClass >= names_.size()) return {};
    const std::string& name = names_[at - kFirstClass];
    descriptor = name.starts_with('[') ? name : 'L' + name + ';';
  }
  std::string_view rest = descriptor;
  return take_java_type(rest);
}

std::uint64_t AllocatedTypes::learn(jvmtiEnv* jvmti, JNIEnv* jni, std::int32_t number) {
  std::string name;
  {
    const std::lock_guard lock(mutex_);
    name = names_[static_cast<std::size_t>(number) - kFirstClass];
  }
  std::uint64_t size = 0;
  if (const jclass type = find_class(jvmti, jni, name); type != nullptr) {
    size = size_of_object(jvmti, jni, jni->AllocObject(type));
    jni->DeleteLocalRef(type);
  }
  if (size == 0) {
    methods_.skipped(name, "", "the JVM does not tell its size: its objects count no bytes");
  }
  std::atomic_ref<std::uint64_t>(sizes_[number])
      .store(size | kKnownSize, std::memory_order_relaxed);
  return size | kKnownSize;
}

// By the loader of the innermost method that is none of ours. The class is there: an object of it
// was just made.
jclass AllocatedTypes::find_class(jvmtiEnv* jvmti, JNIEnv* jni, const std::string& name) {
  constexpr jint kMostFrames = 8;
  std::array<jvmtiFrameInfo, kMostFrames> frames{};
  jint count = 0;
  if (!OwnStack::can_be_read() ||
      jvmti->GetStackTrace(nullptr, 0, kMostFrames, frames.data(), &count) != JVMTI_ERROR_NONE) {
    return nullptr;
  }
  for (jint i = 0; i < count; ++i) {
    jclass owner = nullptr;
    if (jvmti->GetMethodDeclaringClass(frames[static_cast<std::size_t>(i)].method, &owner) !=
        JVMTI_ERROR_NONE) {
      return nullptr;
    }
    const std::string owner_name = internal_name(jvmti, owner);
    if (owner_name == "copse/CopseNative" || owner_name.starts_with("java/lang/Copse")) {
      jni->DeleteLocalRef(owner);
      continue;
    }
    jobject loader = nullptr;
    const bool found = jvmti->GetClassLoader(owner, &loader) == JVMTI_ERROR_NONE;
    std::string dotted = name;
    std::replace(dotted.begin(), dotted.end(), '/', '.');
    const jstring text = found ? jni->NewStringUTF(dotted.c_str()) : nullptr;
    jobject type = nullptr;
    if (text != nullptr) {
      type = jni->CallStaticObjectMethod(class_class_, for_name_, text, JNI_FALSE, loader);
    }
    if (jni->ExceptionCheck()) {
      jni->ExceptionClear();
      type = nullptr;
    }
    for (const jobject reference :
         {static_cast<jobject>(owner), loader, static_cast<jobject>(text)}) {
      if (reference != nullptr) jni->DeleteLocalRef(reference);
    }
    return static_cast<jclass>(type);
  }
  return nullptr;
}

}  // namespace copse::jvm
