#include "agent/jvm/virtual_threads.h"

#include <utility>

#include "agent/classfile/rewriter.h"
#include "agent/classfile/thread_switch_probes.h"

namespace copse {
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
  classfile::ThreadSwitchProbes probes;
  Result<classfile::Rewritten> rewritten = classfile::rewrite(bytes, probes);
  if (!rewritten.ok() || !rewritten->changed) return {};
  watched_.store(probes.complete() && rewritten->skipped.empty());
  return std::move(rewritten).value().bytes;
}

void VirtualThreads::start(JNIEnv* jni) {
  const jclass found = jni->FindClass("java/lang/VirtualThread");
  if (jni->ExceptionCheck()) jni->ExceptionClear();  // before JDK 21
  if (found != nullptr) class_ = static_cast<jclass>(jni->NewGlobalRef(found));
}

void VirtualThreads::thread_attached(JNIEnv* jni, jobject thread) {
  if (class_ == nullptr || watched_.load() || !jni->IsInstanceOf(thread, class_)) return;
  watch(jni);
}

void VirtualThreads::watch(JNIEnv* jni) {
  const std::lock_guard lock(watch_mutex_);
  if (watched_.load() || class_ == nullptr) return;
  wanted_.store(true);
  const bool changed = jvmti_->RetransformClasses(1, &class_) == JVMTI_ERROR_NONE;
  if (jni->ExceptionCheck()) jni->ExceptionClear();
  if (changed && watched_.load()) return;
  methods_.skipped("java/lang/VirtualThread", "", kKept);
  watched_.store(true);  // once is enough
}

}  // namespace copse
