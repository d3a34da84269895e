#include "agent/jvm/hook/recorded_methods.h"

#include <string_view>
#include <utility>

namespace copse::jvm {
namespace {

// Frees what JVMTI allocated.
class JvmText {
 public:
  explicit JvmText(jvmtiEnv* jvmti) : jvmti_(jvmti) {}
  ~JvmText() { jvmti_->Deallocate(reinterpret_cast<unsigned char*>(text_)); }
  JvmText(const JvmText&) = delete;
  JvmText& operator=(const JvmText&) = delete;

  char** target() noexcept { return &text_; }
  std::string_view view() const noexcept { return text_ == nullptr ? "" : text_; }

 private:
  jvmtiEnv* jvmti_;
  char* text_ = nullptr;
};

}  // namespace

RecordedMethods::RecordedMethods(jvmtiEnv* jvmti, const MethodTable& methods,
                                 LoaderNumber loader_number)
    : jvmti_(jvmti), methods_(methods), loader_number_(std::move(loader_number)) {}

MethodId RecordedMethods::id_of(JNIEnv* jni, jmethodID method) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = known_.find(method); known != known_.end()) return known->second;
  }
  bool is_final = true;
  const MethodId id = look_up(jni, method, is_final);
  const std::lock_guard lock(mutex_);
  if (is_final) known_.emplace(method, id);
  return id;
}

MethodId RecordedMethods::look_up(JNIEnv* jni, jmethodID method, bool& is_final) const {
  jclass type = nullptr;
  jobject loader = nullptr;
  JvmText type_name(jvmti_), name(jvmti_), descriptor(jvmti_);
  if (jvmti_->GetMethodDeclaringClass(method, &type) != JVMTI_ERROR_NONE ||
      jvmti_->GetClassSignature(type, type_name.target(), nullptr) != JVMTI_ERROR_NONE ||
      jvmti_->GetClassLoader(type, &loader) != JVMTI_ERROR_NONE ||
      jvmti_->GetMethodName(method, name.target(), descriptor.target(), nullptr) !=
          JVMTI_ERROR_NONE) {
    return kNoMethod;
  }
  std::string_view internal = type_name.view();  // Lpkg/Name;
  if (internal.size() < 2 || internal.front() != 'L') return kNoMethod;
  internal = internal.substr(1, internal.size() - 2);
  const std::uint64_t number = loader == nullptr ? 0 : loader_number_(jni, loader);
  jni->DeleteLocalRef(type);
  if (loader != nullptr) jni->DeleteLocalRef(loader);
  // Where Copse is attached, a class may get its probes later.
  is_final = loader == nullptr || methods_.knows_class(number, internal);
  return methods_.find_with_probes(number, internal, name.view(), descriptor.view());
}

}  // namespace copse::jvm
