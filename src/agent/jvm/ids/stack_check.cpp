#include "agent/jvm/ids/stack_check.h"

#include <utility>

#include "agent/jvm/ids/missing_frames.h"
#include "probes/id_word_probes.h"

namespace copse::jvm {
namespace {

std::vector<MethodId> methods_of(const CallPath& path) {
  std::vector<MethodId> methods;
  for (const EdgeKey edge : path) methods.push_back(callee_of(edge));
  return methods;
}

}  // namespace

StackCheck::StackCheck(jvmtiEnv* jvmti, const ids::ContextIds& ids, RecordedMethods& methods,
                       const MissingFrames* missing)
    : jvmti_(jvmti), ids_(ids), methods_(methods), missing_(missing) {}

void StackCheck::compare(JNIEnv* jni, std::uint64_t frame) {
  const std::uint64_t id = ids_.id_of(frame);
  if (id == 0) return;  // lost, and counted as that
  std::vector<MethodId> truth = stack(jni);
  if (truth.empty()) return;
  Result<CallPath> context = ids_.tables()->decode(id);
  const std::lock_guard lock(outcome_mutex_);
  ++outcome_.compared;
  if (context.ok() && methods_of(*context) == truth) return;
  if (outcome_.wrong++ == 0) outcome_.first_wrong = {id, std::move(context), std::move(truth)};
}

std::vector<MethodId> StackCheck::stack(JNIEnv* jni) {
  jint depth = 0;
  if (jvmti_->GetFrameCount(nullptr, &depth) != JVMTI_ERROR_NONE) return {};
  std::vector<jvmtiFrameInfo> frames(static_cast<std::size_t>(depth));
  if (jvmti_->GetStackTrace(nullptr, 0, depth, frames.data(), &depth) != JVMTI_ERROR_NONE) {
    return {};
  }
  std::vector<MethodId> methods;
  bool last_is_known = true;
  for (jint i = depth; i-- > 0;) {
    const jvmtiFrameInfo& frame = frames[static_cast<std::size_t>(i)];
    const MethodId method = methods_.id_of(jni, frame.method);
    if (method == kNoMethod) continue;
    if (missing_ != nullptr) {
      const std::optional<bool> is_missing = missing_->is_missing(frame.method, method);
      if (!is_missing) return {};
      if (*is_missing) continue;
    }
    const std::optional<bool> recorded = is_recorded(frame, method);
    if (recorded == false) continue;
    if (!last_is_known) return {};  // the frame that asks is: it stands at its id word
    last_is_known = recorded.has_value();
    methods.push_back(method);
  }
  return methods;
}

// The JVM itself makes frames call code, above all the class loader's, at any point: in the middle of the
// entry's probes, and in methods whose own code calls nothing and that have no id.
std::optional<bool> StackCheck::is_recorded(const jvmtiFrameInfo& frame, MethodId method) const {
  if (!ids_.has_place(method)) return false;
  if (frame.location < 0 || frame.location > classfile::kLastEntryCallOfWide) return true;
  if (frame.location <= classfile::kLastResolvingCall) return false;
  if (frame.location <= classfile::kLastEntryCall) return std::nullopt;
  jint locals = 0;
  if (jvmti_->GetMaxLocals(frame.method, &locals) != JVMTI_ERROR_NONE) return std::nullopt;
  constexpr jint kOneByte = 256;
  return locals > kOneByte ? std::nullopt : std::optional(true);
}

StackCheck::Outcome StackCheck::outcome() const {
  const std::lock_guard lock(outcome_mutex_);
  return outcome_;
}

}  // namespace copse::jvm
