#include "agent/jvm/stack_check.h"

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

}  // namespace

StackCheck::StackCheck(jvmtiEnv* jvmti, const ContextIds& ids, RecordedMethods& methods,
                       std::uint64_t every)
    : jvmti_(jvmti), ids_(ids), methods_(methods), every_(every) {}

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
    const MethodId method = methods_.id_of(jni, frames[static_cast<std::size_t>(i)].method);
    if (method != kNoMethod) methods.push_back(method);
  }
  return methods;
}

StackCheck::Outcome StackCheck::outcome() const {
  const std::lock_guard lock(outcome_mutex_);
  return outcome_;
}

}  // namespace copse
