#include "agent/jvm/values/value_objects.h"

#include <string_view>
#include <utility>

#include "agent/jvm/jvm_names.h"
#include "base/java_type.h"

namespace copse::jvm {
namespace {

constexpr jlong kToldBit = 1;

}  // namespace

void JNICALL ValueObjects::object_free(jvmtiEnv* jvmti, jlong tag) {
  void* objects = nullptr;
  if ((tag & kToldBit) == 0 || jvmti->GetEnvironmentLocalStorage(&objects) != JVMTI_ERROR_NONE ||
      objects == nullptr) {
    return;  // the recording is over
  }
  static_cast<const ValueObjects*>(objects)->died_(static_cast<std::uint64_t>(tag >> 1));
}

Status ValueObjects::start(JavaVM* vm, JNIEnv* jni, std::function<void(std::uint64_t)> died) {
  void* environment = nullptr;
  if (vm->GetEnv(&environment, JVMTI_VERSION_11) != JNI_OK) {
    return Status::error("this JVM: has no second JVMTI environment");
  }
  jvmti_ = static_cast<jvmtiEnv*>(environment);
  jvmtiCapabilities capabilities{};
  capabilities.can_tag_objects = 1;
  capabilities.can_generate_object_free_events = died ? 1 : 0;
  if (jvmti_->AddCapabilities(&capabilities) != JVMTI_ERROR_NONE) {
    return Status::error("this JVM: lacks the capabilities to number objects");
  }
  if (died) {
    died_ = std::move(died);
    jvmtiEventCallbacks callbacks{};
    callbacks.ObjectFree = object_free;
    if (jvmti_->SetEnvironmentLocalStorage(this) != JVMTI_ERROR_NONE ||
        jvmti_->SetEventCallbacks(&callbacks, sizeof callbacks) != JVMTI_ERROR_NONE ||
        jvmti_->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_OBJECT_FREE, nullptr) !=
            JVMTI_ERROR_NONE) {
      return Status::error("this JVM: does not tell of the ends of objects");
    }
  }
  const jclass string = jni->FindClass("java/lang/String");
  string_ = static_cast<jclass>(jni->NewGlobalRef(string));
  jni->DeleteLocalRef(string);
  return {};
}

void ValueObjects::leave() {
  if (jvmti_ != nullptr) jvmti_->DisposeEnvironment();
}

ValueObjects::Numbered ValueObjects::number(jobject object) {
  if (object == nullptr) return {};
  jlong tag = 0;
  jvmti_->GetTag(object, &tag);
  if (tag == 0) {
    tag = static_cast<jlong>(next_++ << 1);
    jvmti_->SetTag(object, tag);
  }
  return {static_cast<std::uint64_t>(tag >> 1), (tag & kToldBit) != 0};
}

void ValueObjects::set_told(jobject object, std::uint64_t number) {
  jvmti_->SetTag(object, static_cast<jlong>(number << 1) | kToldBit);
}

ValueObjects::Type& ValueObjects::type_of(JNIEnv* jni, jobject object,
                                          const std::function<void(Type&)>& make) {
  const jclass type = jni->GetObjectClass(object);
  const auto [entry, is_new] = types_.try_emplace(number(type).number);
  if (is_new) {
    const std::string signature = type_signature(jvmti_, type);
    std::string_view rest = signature;
    entry->second.name = take_java_type(rest);
    entry->second.is_string = jni->IsSameObject(type, string_) == JNI_TRUE;
    make(entry->second);
  }
  jni->DeleteLocalRef(type);
  return entry->second;
}

}  // namespace copse::jvm
