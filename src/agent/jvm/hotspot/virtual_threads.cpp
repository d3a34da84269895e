#include "agent/jvm/hotspot/virtual_threads.h"

#include <utility>

#include "classfile/rewriter.h"

namespace copse::jvm {
namespace {

constexpr const char* kKept =
    "virtual threads cannot be watched in this JVM: their memory is kept until the end";

}  // namespace

bool VirtualThreads::is_their_class(jobject loader, const char* internal_name) noexcept {
  return loader == nullptr && internal_name != nullptr &&
         internal_name == classfile::kVirtualThread;
}

std::vector<std::uint8_t> VirtualThreads::rewrite(std::span<const std::uint8_t> bytes) {
  if (!wanted_.load()) return {};
  classfile::ThreadSwitchProbes probes(tells_);
  Result<classfile::Rewritten> rewritten = classfile::rewrite(bytes, probes);
  if (!rewritten.ok() || !rewritten->changed) return {};
  watched_.store(probes.complete() && rewritten->skipped.empty());
  return std::move(rewritten).value().bytes;
}

void VirtualThreads::tell_moves(std::string_view java_class, bool alone) noexcept {
  tells_.moves_to = java_class;
  tells_.switches = !alone;
  wanted_.store(true);
}

void VirtualThreads::start(JNIEnv* jni) {
  // A class that is loaded again between recordings gets no probes back.
  if (!from_the_start_) watched_.store(false);
  if (class_ != nullptr) return;
  const jclass found = jni->FindClass("java/lang/VirtualThread");
  if (jni->ExceptionCheck()) jni->ExceptionClear();  // before JDK 21
  if (found != nullptr) class_ = static_cast<jclass>(jni->NewGlobalRef(found));
}

void VirtualThreads::thread_attached(JNIEnv* jni, jobject thread) {
  if (watched_.load() || !is_one(jni, thread)) return;
  watch(jni);
}

// Does not wait for another thread that is in it: code of other agents runs meanwhile, on this thread, and may
// itself be recorded, or wait for a thread that makes its first recorded call.
void VirtualThreads::watch(JNIEnv* jni) {
  if (watching_.exchange(true)) return;
  wanted_.store(true);
  const bool changed = jvmti_->RetransformClasses(1, &class_) == JVMTI_ERROR_NONE;
  if (jni->ExceptionCheck()) jni->ExceptionClear();
  if (!changed || !watched_.load()) {
    methods_.skipped("java/lang/VirtualThread", "", kKept);
    watched_.store(true);  // once is enough
  }
  watching_.store(false);
}

}  // namespace copse::jvm
