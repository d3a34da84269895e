#include "agent/jvm/hook/late_probes.h"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include "agent/jvm/hook/loaded_classes.h"
#include "agent/jvm/runtime/unrecorded.h"

namespace copse::jvm {

Status LateProbes::start(JNIEnv* jni) {
  if (!run_.jvm.own_threads.start(run_.jvm.runtime, run_.jvmti, jni, "copse-late-probes", main,
                                  this)) {
    return Status::error(Fault::kSystem, "selective: the agent's thread cannot be started");
  }
  std::unique_lock lock(mutex_);
  wake_.wait(lock, [this] { return is_running_; });
  return {};
}

void LateProbes::want(Classes classes) {
  {
    const std::lock_guard lock(mutex_);
    wanted_.merge(classes);
  }
  wake_.notify_all();
}

void LateProbes::stop() noexcept {
  std::unique_lock lock(mutex_);
  is_stopped_ = true;
  wake_.notify_all();
  wake_.wait(lock, [this] { return !is_running_; });
}

void JNICALL LateProbes::main(jvmtiEnv*, JNIEnv* jni, void* self) {
  static_cast<LateProbes*>(self)->run(jni);
}

void LateProbes::run(JNIEnv* jni) noexcept {
  std::unique_lock lock(mutex_);
  is_running_ = true;
  wake_.notify_all();
  for (;;) {
    wake_.wait(lock, [this] { return is_stopped_ || !wanted_.empty(); });
    if (is_stopped_) break;
    const Classes classes = std::exchange(wanted_, {});
    lock.unlock();
    try {
      load_again(jni, classes);
    } catch (const std::exception&) {
      // No memory: the methods stay without probes, and contexts say so.
    }
    lock.lock();
  }
  is_running_ = false;
  wake_.notify_all();
}

void LateProbes::load_again(JNIEnv* jni, const Classes& classes) {
  // Other agents' transformers run too.
  const Unrecorded unrecorded(run_.jvm.runtime, run_.jvmti, jni);
  retransform_loaded_classes(
      run_.jvmti, jni,
      [&](jobject loader, std::string_view internal_name) {
        std::string name(internal_name);
        std::replace(name.begin(), name.end(), '/', '.');
        const auto named = classes.lower_bound({name, ""});
        if (named == classes.end() || named->first != name) return false;
        return classes.contains({name, run_.jvm.loaders.identify(jni, loader).name});
      },
      [&](std::string_view name, std::string_view why) {
        run_.jvm.methods.skipped(name, "",
                                 "left without probes by --selective, and the JVM refused to load "
                                 "it again: " +
                                     std::string(why));
      });
  selection_.have_come();
}

}  // namespace copse::jvm
