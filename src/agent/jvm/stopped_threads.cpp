#include "agent/jvm/stopped_threads.h"

#include <span>

namespace copse::jvm {
namespace {

jvmtiCapabilities may_stop() noexcept {
  jvmtiCapabilities capabilities{};
  capabilities.can_suspend = 1;
  return capabilities;
}

}  // namespace

StoppedThreads::StoppedThreads(jvmtiEnv* jvmti, JNIEnv* jni) : jvmti_(jvmti), frame_(jni) {
  const jvmtiCapabilities capabilities = may_stop();
  may_stop_ = jvmti->AddCapabilities(&capabilities) == JVMTI_ERROR_NONE;
  // Threads that are not stopped yet may start others.
  constexpr int kMostRounds = 8;
  for (int round = 0; may_stop_ && round < kMostRounds; ++round) {
    if (!stop_others(jni)) break;
  }
}

// Returns whether it stopped any.
bool StoppedThreads::stop_others(JNIEnv* jni) {
  jthread self = nullptr;
  jthread* threads = nullptr;
  jint count = 0;
  if (jvmti_->GetCurrentThread(&self) != JVMTI_ERROR_NONE ||
      jvmti_->GetAllThreads(&count, &threads) != JVMTI_ERROR_NONE) {
    return false;
  }
  std::vector<jthread> others;
  for (jthread thread : std::span(threads, static_cast<std::size_t>(count))) {
    if (!jni->IsSameObject(thread, self)) others.push_back(thread);
  }
  jvmti_->Deallocate(reinterpret_cast<unsigned char*>(threads));
  std::vector<jvmtiError> results(others.size());
  stopped_.reserve(stopped_.size() + others.size());
  if (others.empty() || jvmti_->SuspendThreadList(static_cast<jint>(others.size()), others.data(),
                                                  results.data()) != JVMTI_ERROR_NONE) {
    return false;
  }
  const std::size_t before = stopped_.size();
  // Others have ended, or are stopped already, by whomever.
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (results[i] == JVMTI_ERROR_NONE) stopped_.push_back(others[i]);
  }
  return stopped_.size() > before;
}

StoppedThreads::~StoppedThreads() {
  for (const jthread thread : stopped_) jvmti_->ResumeThread(thread);
  const jvmtiCapabilities capabilities = may_stop();
  if (may_stop_) jvmti_->RelinquishCapabilities(&capabilities);
}

}  // namespace copse::jvm
