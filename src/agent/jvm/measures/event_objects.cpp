#include "agent/jvm/measures/event_objects.h"

#include <algorithm>
#include <span>
#include <string_view>

#include "agent/jvm/jvm_names.h"
#include "base/java_type.h"

namespace copse::jvm {

std::string EventObjects::type_name(jclass type) const {
  const std::string signature = type_signature(jvmti_, type);
  std::string_view rest = signature;
  return take_java_type(rest);
}

// Returns the name of the object's class. For a class as an object, which static synchronized methods lock,
// returns the name of the class itself, with ".class".
std::string EventObjects::class_of(JNIEnv* jni, jobject object) const {
  const jclass type = jni->GetObjectClass(object);
  std::string name = type_name(type);
  jni->DeleteLocalRef(type);
  if (name != "java.lang.Class") return name;
  name = type_name(static_cast<jclass>(object));
  return name.empty() ? name : name + ".class";
}

std::string EventObjects::look_up_place(jmethodID method, jlocation location) const {
  jclass type = nullptr;
  const std::string name = method_name(jvmti_, method);
  if (name.empty() || jvmti_->GetMethodDeclaringClass(method, &type) != JVMTI_ERROR_NONE) return {};
  std::string place = type_name(type) + "." + name;
  if (const jint line = line_at(jvmti_, method, location); line > 0) {
    place += ":" + std::to_string(line);
  }
  return place;
}

std::string EventObjects::place_of(jmethodID method, jlocation location) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = places_.find({method, location}); known != places_.end()) {
      return known->second;
    }
  }
  std::string place = look_up_place(method, location);
  const std::lock_guard lock(mutex_);
  if (places_.size() < kMost) places_.emplace(std::pair(method, location), place);
  return place;
}

MethodId EventObjects::named(const char* what, const std::string& name) {
  if (name.empty()) return kNoMethod;
  std::string text = what + name;
  const std::lock_guard lock(mutex_);
  if (known_.size() >= kMost && !known_.contains(text)) {
    text = what + std::string("(other classes)");
  }
  const auto [entry, is_new] = known_.try_emplace(std::move(text), kNoMethod);
  if (is_new) {
    entry->second = methods_.stand_in(entry->first);
    has_new_name_();
  }
  return entry->second;
}

MethodId EventObjects::allocated(jclass type) { return named("new ", type_name(type)); }

MethodId EventObjects::thrown(JNIEnv* jni, jobject exception, jmethodID method,
                              jlocation location) {
  return thrown_at(jni, exception, method == nullptr ? "" : place_of(method, location));
}

MethodId EventObjects::thrown_at(JNIEnv* jni, jobject exception, const std::string& place) {
  std::string name = class_of(jni, exception);
  if (!name.empty() && !place.empty()) name += " at " + place;
  return named("throw ", name);
}

MethodId EventObjects::waited_for(JNIEnv* jni, jobject monitor) {
  return named("synchronized ", class_of(jni, monitor));
}

MethodId EventObjects::parked(JNIEnv* jni, jobject blocker) {
  return named("park ", class_of(jni, blocker));
}

}  // namespace copse::jvm
