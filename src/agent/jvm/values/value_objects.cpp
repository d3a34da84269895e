#include "agent/jvm/values/value_objects.h"

#include <algorithm>
#include <iterator>
#include <new>
#include <string_view>
#include <utility>

#include "agent/jvm/jvm_names.h"
#include "base/java_type.h"

namespace copse::jvm {
namespace {

constexpr jlong kToldBit = 1;
constexpr int kTypeShift = 1;
constexpr int kTypeBits = 20;
constexpr int kNumberShift = kTypeShift + kTypeBits;
constexpr std::uint64_t kMostTypes = std::uint64_t{1}
                                     << kTypeBits;  // those above are looked up each time

std::uint64_t number_in(jlong tag) { return static_cast<std::uint64_t>(tag) >> kNumberShift; }
std::uint64_t type_in(jlong tag) {
  return (static_cast<std::uint64_t>(tag) >> kTypeShift) & (kMostTypes - 1);
}
jlong tag_of(std::uint64_t number, std::uint64_t type, bool is_told) {
  if (type >= kMostTypes) type = 0;
  return static_cast<jlong>(number << kNumberShift | type << kTypeShift) | (is_told ? kToldBit : 0);
}

using BoxLetter = std::pair<std::string_view, char>;
constexpr BoxLetter kBoxLetters[] = {{"java.lang.Boolean", 'Z'}, {"java.lang.Character", 'C'},
                                     {"java.lang.Byte", 'B'},    {"java.lang.Short", 'S'},
                                     {"java.lang.Integer", 'I'}, {"java.lang.Long", 'J'},
                                     {"java.lang.Float", 'F'},   {"java.lang.Double", 'D'}};

// Fills in the box of a type. The name is enough: only the JVM's own loader defines classes of java.lang. The class is
// initialised, since an object of it exists.
void look_for_box(JNIEnv* jni, jclass of, ValueObjects::Type& type) {
  const auto box = std::ranges::find(kBoxLetters, type.name, &BoxLetter::first);
  if (box == std::end(kBoxLetters)) return;
  const char descriptor[] = {box->second, '\0'};
  type.inside = jni->GetFieldID(of, "value", descriptor);
  if (type.inside == nullptr) {
    jni->ExceptionClear();
    return;
  }
  type.box = box->second;
}

}  // namespace

ptql::Value ValueObjects::inside(JNIEnv* jni, jobject box, const Type& type) {
  using ptql::Value;
  switch (type.box) {
    case 'Z':
      return Value::boolean(jni->GetBooleanField(box, type.inside) == JNI_TRUE);
    case 'C':
      return Value::integer(jni->GetCharField(box, type.inside));
    case 'B':
      return Value::integer(jni->GetByteField(box, type.inside));
    case 'S':
      return Value::integer(jni->GetShortField(box, type.inside));
    case 'I':
      return Value::integer(jni->GetIntField(box, type.inside));
    case 'J':
      return Value::integer(jni->GetLongField(box, type.inside));
    case 'F':
      return Value::real(static_cast<double>(jni->GetFloatField(box, type.inside)));
    case 'D':
      return Value::real(jni->GetDoubleField(box, type.inside));
    default:
      return {};
  }
}

void JNICALL ValueObjects::object_free(jvmtiEnv* jvmti, jlong tag) {
  void* objects = nullptr;
  if ((tag & kToldBit) == 0 || jvmti->GetEnvironmentLocalStorage(&objects) != JVMTI_ERROR_NONE ||
      objects == nullptr) {
    return;  // the recording is over
  }
  try {
    static_cast<const ValueObjects*>(objects)->died_(number_in(tag));
  } catch (const std::bad_alloc&) {
    // The object seems to live on.
  }
}

Status ValueObjects::start(JavaVM* vm, JNIEnv* jni, std::function<void(std::uint64_t)> died) {
  void* environment = nullptr;
  if (vm->GetEnv(&environment, JVMTI_VERSION_11) != JNI_OK) {
    return Status::error(Fault::kUnsupported, "this JVM: has no second JVMTI environment");
  }
  jvmti_ = static_cast<jvmtiEnv*>(environment);
  jvmtiCapabilities capabilities{};
  capabilities.can_tag_objects = 1;
  capabilities.can_generate_object_free_events = died ? 1 : 0;
  if (jvmti_->AddCapabilities(&capabilities) != JVMTI_ERROR_NONE) {
    return Status::error(Fault::kUnsupported, "this JVM: lacks the capabilities to number objects");
  }
  if (died) {
    died_ = std::move(died);
    jvmtiEventCallbacks callbacks{};
    callbacks.ObjectFree = object_free;
    if (jvmti_->SetEnvironmentLocalStorage(this) != JVMTI_ERROR_NONE ||
        jvmti_->SetEventCallbacks(&callbacks, sizeof callbacks) != JVMTI_ERROR_NONE ||
        jvmti_->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_OBJECT_FREE, nullptr) !=
            JVMTI_ERROR_NONE) {
      return Status::error(Fault::kUnsupported, "this JVM: does not tell of the ends of objects");
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

std::uint64_t ValueObjects::number(jobject object) {
  if (object == nullptr) return 0;
  jlong tag = 0;
  jvmti_->GetTag(object, &tag);
  if (tag == 0) {
    tag = tag_of(next_++, 0, false);
    jvmti_->SetTag(object, tag);
  }
  return number_in(tag);
}

ValueObjects::Seen ValueObjects::see(JNIEnv* jni, jobject object,
                                     const std::function<void(Type&, jclass)>& make) {
  jlong tag = 0;
  jvmti_->GetTag(object, &tag);
  const std::uint64_t known_type = type_in(tag);
  const std::uint64_t type = known_type != 0 ? known_type : type_of(jni, object, make);
  Seen seen{tag != 0 ? number_in(tag) : next_++, &types_[type], (tag & kToldBit) != 0};
  const jlong new_tag = tag_of(seen.number, type, seen.type->is_told);
  if (new_tag != tag) jvmti_->SetTag(object, new_tag);
  return seen;
}

void ValueObjects::make_again(const std::function<void(Type&)>& make) {
  for (std::size_t i = 1; i < types_.size(); ++i) make(types_[i]);  // the first is none
}

std::uint64_t ValueObjects::type_of(JNIEnv* jni, jobject object,
                                    const std::function<void(Type&, jclass)>& make) {
  const jclass type = jni->GetObjectClass(object);
  if (types_.empty()) types_.emplace_back();
  const auto [entry, is_new] = type_numbers_.try_emplace(number(type), types_.size());
  if (is_new) {
    Type& made = types_.emplace_back();
    const std::string signature = type_signature(jvmti_, type);
    std::string_view rest = signature;
    made.name = take_java_type(rest);
    made.is_string = jni->IsSameObject(type, string_) == JNI_TRUE;
    look_for_box(jni, type, made);
    make(made, type);
  }
  jni->DeleteLocalRef(type);
  return entry->second;
}

}  // namespace copse::jvm
