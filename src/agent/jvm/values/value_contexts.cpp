#include "agent/jvm/values/value_contexts.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "agent/jvm/jvm_names.h"

namespace copse::jvm {
namespace {

// Number of the JVM's innermost frames that are looked at. Without a limit the cost of a deep recursion would
// be quadratic.
constexpr std::size_t kMostFrames = 1024;
// Number of frames that are looked at for a near context if none of its frames is the program's.
constexpr std::size_t kMoreFrames = 64;
constexpr const char* kLeftOut = "...";

}  // namespace

jclass ValueContexts::class_of(jmethodID method) const {
  jclass type = nullptr;
  return jvmti_->GetMethodDeclaringClass(method, &type) == JVMTI_ERROR_NONE ? type : nullptr;
}

ValueContexts::Frame ValueContexts::look_up(JNIEnv* jni, jmethodID method) {
  const jclass type = class_of(method);
  if (type == nullptr) return {};
  Frame frame;
  const std::string name = internal_name(jvmti_, type);
  const std::string simple = method_name(jvmti_, method);
  jobject loader = nullptr;
  const bool is_hidden = name.find('.') != std::string::npos;
  if (!is_hidden && !name.empty() && jvmti_->GetClassLoader(type, &loader) == JVMTI_ERROR_NONE) {
    frame.text = dotted(name) + "." + simple;
    const jclass super = jni->GetSuperclass(type);
    const bool is_proxy = super != nullptr && is_proxy_of_jdk(name, internal_name(jvmti_, super));
    if (super != nullptr) jni->DeleteLocalRef(super);
    frame.is_own = !is_proxy && !loaders_.identify(jni, loader).is_jdk;
    frame.is_constructor = simple == "<init>";
    frame.number =
        texts_.try_emplace(frame.text, static_cast<std::uint32_t>(texts_.size())).first->second;
    if (loader != nullptr) jni->DeleteLocalRef(loader);
  }
  jni->DeleteLocalRef(type);
  return frame;
}

const ValueContexts::Frame& ValueContexts::frame(JNIEnv* jni, jmethodID method) {
  const auto known = frames_.find(method);
  if (known != frames_.end()) return known->second;
  return frames_.emplace(method, look_up(jni, method)).first->second;
}

bool ValueContexts::choose(JNIEnv* jni, jint skip, Of of, std::size_t most) {
  stack_.resize(most + 1);
  jint depth = 0;
  if (jvmti_->GetStackTrace(nullptr, skip, static_cast<jint>(stack_.size()), stack_.data(),
                            &depth) != JVMTI_ERROR_NONE) {
    depth = 0;
  }
  depth_ = depth;
  const bool is_cut = static_cast<std::size_t>(depth) > most;
  if (is_cut) depth = static_cast<jint>(most);
  chosen_.clear();
  any_own_ = false;
  bool is_innermost = true;
  for (jint i = 0; i < depth; ++i) {
    const Frame& at = frame(jni, stack_[static_cast<std::size_t>(i)].method);
    if (is_innermost && of == Of::kObject && at.is_constructor) continue;
    const bool is_events = is_innermost && of == Of::kMethod;
    is_innermost = false;
    if (at.text.empty() || !(at.is_own || is_events)) continue;
    any_own_ |= !is_events;
    chosen_.push_back(&at);
  }
  return is_cut;
}

ValueContexts::Context ValueContexts::chosen_context(bool is_cut) {
  std::string key(is_cut ? kLeftOut : "");
  for (const Frame* at : chosen_) {
    key.append(reinterpret_cast<const char*>(&at->number), sizeof at->number);
  }
  const auto [entry, is_new] =
      numbers_.try_emplace(std::move(key), static_cast<std::uint32_t>(numbers_.size()));
  Context context{entry->second, is_new, {}};
  if (!is_new) return context;
  if (is_cut) context.text = kLeftOut;
  for (auto at = chosen_.rbegin(); at != chosen_.rend(); ++at) {
    if (!context.text.empty()) context.text += ';';
    context.text += (*at)->text;
  }
  return context;
}

ValueContexts::Context ValueContexts::current(JNIEnv* jni, jint skip, Of of) {
  const bool is_cut = choose(jni, skip, of, kMostFrames);
  if (is_cut) ++cut_;
  return chosen_context(is_cut);
}

std::optional<jvmtiFrameInfo> ValueContexts::caller(jint skip, bool is_walked) const {
  if (is_walked) return depth_ > 1 ? std::optional(stack_[1]) : std::nullopt;
  jvmtiFrameInfo found{};
  jint count = 0;
  if (jvmti_->GetStackTrace(nullptr, skip + 1, 1, &found, &count) != JVMTI_ERROR_NONE ||
      count != 1) {
    return std::nullopt;
  }
  return found;
}

std::optional<ValueContexts::Context> ValueContexts::one_frame(JNIEnv* jni, jmethodID method) {
  const Frame& at = frame(jni, method);
  if (at.text.empty()) return std::nullopt;
  chosen_ = {&at};
  return chosen_context(false);
}

ValueContexts::Context ValueContexts::near(JNIEnv* jni, jint skip, Of of, std::size_t frames) {
  bool is_cut = choose(jni, skip, of, frames);
  if (is_cut && !any_own_ && frames < kMoreFrames) is_cut = choose(jni, skip, of, kMoreFrames);
  return chosen_context(is_cut);
}

}  // namespace copse::jvm
