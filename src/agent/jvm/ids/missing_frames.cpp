#include "agent/jvm/ids/missing_frames.h"

#include <algorithm>
#include <bit>
#include <exception>
#include <utility>

#include "agent/jvm/hotspot/own_stack.h"
#include "base/flat_map.h"
#include "encoders/ids/id_tables.h"
#include "encoders/numbering/context_number.h"

namespace copse::jvm {
namespace {

// Frames that are asked for at once; then twice as many as before. Frames further in are walked again each time.
constexpr std::size_t kFirstFrames = 8;

}  // namespace

void MissingFrames::look(JNIEnv* jni, const ids::ContextIds& ids, std::uint64_t word) noexcept {
  try {
    const std::uint64_t id = ids.id_of(word);
    if (!is_time_to_look(id)) return;
    const std::vector<MethodId> methods = missing(jni, ids.tables(), id);
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
  if (credit_.load(std::memory_order_relaxed) < kMostCredit) {
    credit_.fetch_add(kCreditOfUse, std::memory_order_relaxed);
  }
  const std::lock_guard lock(mutex_);
  return std::has_single_bit(++uses_[id]);
}

bool MissingFrames::is_time_to_pass(std::uint64_t id) {
  const std::lock_guard lock(mutex_);
  Passed& passed = passed_[hash_of(id) >> (64 - kPassedBits)];
  if (passed.id != id) passed = {id, 0};
  return std::has_single_bit(++passed.checks);
}

// Each method once. `tables`: nullptr for hashes, which do not tell contexts further out.
std::vector<MethodId> MissingFrames::missing(JNIEnv* jni, const ids::IdTables* tables,
                                             std::uint64_t id) {
  std::vector<MethodId> found;
  if (!OwnStack::can_be_read()) return found;
  std::uint64_t context = id;  // of the next frame with probes; 0 if unknown
  std::vector<jvmtiFrameInfo> frames(kFirstFrames);
  checks_.fetch_add(1, std::memory_order_relaxed);
  for (jint from = 0;; frames.resize(static_cast<std::size_t>(from))) {
    if (credit_.load(std::memory_order_relaxed) <= 0) {
      cut_.fetch_add(1, std::memory_order_relaxed);
      return found;
    }
    const auto most = static_cast<jint>(frames.size());
    jint count = 0;
    if (jvmti_->GetStackTrace(nullptr, from, most, frames.data(), &count) != JVMTI_ERROR_NONE) {
      return found;
    }
    credit_.fetch_sub(count, std::memory_order_relaxed);
    for (jint i = 0; i < count; ++i) {
      const jmethodID frame = frames[static_cast<std::size_t>(i)].method;
      const MethodId method = methods_.id_of(jni, frame);
      if (method == kNoMethod) continue;
      if (is_missing(frame, method) != false) {
        if (std::find(found.begin(), found.end(), method) == found.end()) found.push_back(method);
      } else if (context != 0 && method == encoders::id_method(context)) {
        if (context != id && !is_time_to_pass(context)) return found;
        const auto last = tables == nullptr ? std::nullopt : tables->last_call(context);
        context = last ? last->caller : 0;
      }
    }
    from += count;
    if (count < most) return found;
  }
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
  Outcome outcome = found_;
  outcome.checks = checks_.load(std::memory_order_relaxed);
  outcome.cut = cut_.load(std::memory_order_relaxed);
  return outcome;
}

}  // namespace copse::jvm
