#include "agent/jvm/stack_check.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace copse {
namespace {

using encoders::CallPath;
using encoders::EdgeKey;

// Deeper stacks are not checked: a walk costs as much as its frames.
constexpr jint kMostFrames = 1 << 14;

std::string in_words(const std::vector<MethodId>& path) {
  std::string text;
  for (const MethodId method : path)
    text += (text.empty() ? "#" : " #") + std::to_string(raw(method));
  return text;
}

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

StackCheck::StackCheck(jvmtiEnv* jvmti, const ContextIds& ids, const MethodTable& methods,
                       LoaderNumber loader_number, std::uint64_t every)
    : jvmti_(jvmti),
      ids_(ids),
      methods_(methods),
      loader_number_(std::move(loader_number)),
      every_(every) {}

void StackCheck::at_mark(JNIEnv* jni, std::uint64_t frame) {
  thread_local std::uint64_t marks = 0;
  if (++marks % every_ != 0) return;
  const std::uint64_t id = ids_.id_of(frame);
  if (id == 0) return;  // lost, and counted as that
  const std::vector<MethodId> truth = stack(jni);
  if (truth.empty()) return;
  const Result<CallPath> context = ids_.tables()->decode(id);
  std::vector<MethodId> path;
  if (context.ok()) {
    for (const EdgeKey edge : *context) path.push_back(encoders::callee_of(edge));
  }
  const std::lock_guard lock(outcome_mutex_);
  ++outcome_.checked;
  if (path == truth) return;
  if (outcome_.wrong++ == 0) {
    outcome_.first_wrong = "id " + std::to_string(id) + " decodes to methods " +
                           (context.ok() ? in_words(path) : "none (" + context.message() + ")") +
                           ", the stack has " + in_words(truth);
  }
}

std::vector<MethodId> StackCheck::stack(JNIEnv* jni) {
  jint depth = 0;
  if (jvmti_->GetFrameCount(nullptr, &depth) != JVMTI_ERROR_NONE || depth > kMostFrames) return {};
  std::vector<jvmtiFrameInfo> frames(static_cast<std::size_t>(depth));
  if (jvmti_->GetStackTrace(nullptr, 0, depth, frames.data(), &depth) != JVMTI_ERROR_NONE) {
    return {};
  }
  std::vector<MethodId> methods;
  for (jint i = depth; i-- > 0;) {
    const MethodId method = method_of(jni, frames[static_cast<std::size_t>(i)].method);
    if (method != kNoMethod) methods.push_back(method);
  }
  return methods;
}

MethodId StackCheck::method_of(JNIEnv* jni, jmethodID method) {
  {
    const std::lock_guard lock(known_mutex_);
    if (const auto known = known_.find(method); known != known_.end()) return known->second;
  }
  const MethodId id = look_up(jni, method);
  const std::lock_guard lock(known_mutex_);
  known_.emplace(method, id);
  return id;
}

MethodId StackCheck::look_up(JNIEnv* jni, jmethodID method) const {
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
  return methods_.find_with_probes(number, internal, name.view(), descriptor.view());
}

StackCheck::Outcome StackCheck::outcome() const {
  const std::lock_guard lock(outcome_mutex_);
  return outcome_;
}

}  // namespace copse
