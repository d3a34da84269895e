#include "agent/jvm/ids/missing_frames.h"

#include <algorithm>
#include <bit>
#include <exception>

namespace copse::jvm {

void MissingFrames::look(JNIEnv* jni, std::uint64_t id) noexcept {
  try {
    if (!is_time_to_look(id)) return;
    const std::vector<MethodId> methods = missing(jni);
    if (methods.empty()) return;
    remember(id, methods);
    LateProbes::Classes classes;
    for (const MethodId method : methods) classes.merge(selection_.add_target(method));
    if (!classes.empty()) late_.want(std::move(classes));
  } catch (const std::exception&) {
    // No memory: the next look may have some.
  }
}

bool MissingFrames::is_time_to_look(std::uint64_t id) {
  const std::lock_guard lock(mutex_);
  return std::has_single_bit(++uses_[id]);
}

// Each method once.
std::vector<MethodId> MissingFrames::missing(JNIEnv* jni) {
  jint depth = 0;
  if (jvmti_->GetFrameCount(nullptr, &depth) != JVMTI_ERROR_NONE) return {};
  std::vector<jvmtiFrameInfo> frames(static_cast<std::size_t>(depth));
  if (jvmti_->GetStackTrace(nullptr, 0, depth, frames.data(), &depth) != JVMTI_ERROR_NONE) {
    return {};
  }
  std::vector<MethodId> found;
  for (jint i = 0; i < depth; ++i) {
    const jmethodID frame = frames[static_cast<std::size_t>(i)].method;
    const MethodId method = methods_.id_of(jni, frame);
    if (method == kNoMethod || is_missing(frame, method) == false) continue;
    if (std::find(found.begin(), found.end(), method) == found.end()) found.push_back(method);
  }
  return found;
}

std::optional<bool> MissingFrames::is_missing(jmethodID frame, MethodId method) const {
  switch (selection_.state(method)) {
    case ProbeSelection::State::kGiven:
      return false;
    case ProbeSelection::State::kLeftOut:
      return true;
    case ProbeSelection::State::kComing:
      return std::nullopt;
    case ProbeSelection::State::kLate:
      break;
  }
  // With probes a method has other bytecodes, so its older frames run an obsolete version.
  jboolean is_obsolete = JNI_FALSE;
  return jvmti_->IsMethodObsolete(frame, &is_obsolete) == JVMTI_ERROR_NONE && is_obsolete != 0;
}

void MissingFrames::remember(std::uint64_t id, const std::vector<MethodId>& methods) {
  const std::lock_guard lock(mutex_);
  found_.ids.insert(id);
  for (const MethodId method : methods) {
    const bool is_new =
        std::find(found_.methods.begin(), found_.methods.end(), method) == found_.methods.end();
    if (is_new) found_.methods.push_back(method);
  }
}

MissingFrames::Outcome MissingFrames::outcome() const {
  const std::lock_guard lock(mutex_);
  return found_;
}

}  // namespace copse::jvm
