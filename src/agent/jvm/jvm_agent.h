// The agent as a whole: one per JVM, made in Agent_OnLoad, never destroyed, because threads run
// probes until the process is gone.
//
//   load()       options checked, capabilities and callbacks set; the only place that may refuse
//   vm_start()   with --jdk: the runtime class, before the first instrumented method runs
//   vm_init()    recorder, engine and runtime start: from here on calls are recorded
//   vm_death()   recording ends, the report is written; or the trace, which was written all along,
//                gets its end
//
// After load() nothing stops the JVM: a step that fails is said on standard error (unless quiet),
// and the program goes on without a profile.
#pragma once

#include <jvmti.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "agent/jvm/class_hook.h"
#include "agent/jvm/id_events.h"
#include "agent/jvm/method_table.h"
#include "agent/jvm/run_keeper.h"
#include "agent/jvm/runtime_class.h"
#include "agent/jvm/virtual_threads.h"
#include "agent/options.h"
#include "base/status.h"
#include "cct/engine.h"
#include "cct/inline_trees.h"
#include "context_id/context_ids.h"
#include "shadowstack/packet_pool.h"
#include "shadowstack/recorder.h"
#include "trace/trace_sink.h"

namespace copse {

class JvmAgent {
 public:
  // Error message without "copse: ".
  static Status load(JavaVM* vm, const char* option_text);

  void vm_start(JNIEnv* jni);
  void vm_init(JNIEnv* jni);
  void vm_death(JNIEnv* jni);
  void thread_start(JNIEnv* jni, jthread thread);
  void thread_end(JNIEnv* jni, jthread thread);
  void class_load(JNIEnv* jni, jobject loader, const char* name, jint length,
                  const unsigned char* bytes, jint* new_length, unsigned char** new_bytes);

  // Only of runs that keep context ids; enabled once recording has started.
  IdEvents& id_events() noexcept { return *id_events_; }

  // Ends recording after an unexpected failure in an event callback.
  void disable(const std::string& why) noexcept;

 private:
  JvmAgent(jvmtiEnv* jvmti, AgentOptions options);

  Status check_outputs() const;
  Status set_up_events();
  std::vector<std::uint8_t> rewrite(JNIEnv* jni, jobject loader, bool of_virtual_threads,
                                    std::span<const std::uint8_t> bytes);
  LoaderIdentity identify(JNIEnv* jni, jobject loader);
  void find_platform_loader(JNIEnv* jni);
  void rename_live_threads(JNIEnv* jni);
  Status start_ids(JNIEnv* jni);
  Status start_trees(JNIEnv* jni);
  MemorySource& memory_of_trees();
  Status start_packets(JNIEnv* jni);
  Result<PacketSink*> make_sink();
  void write_report(double wall_ms);
  void write_id_report(double wall_ms);
  void say_what_was_checked(ProgramTables& about) const;
  void end_trace(double wall_ms);
  void fail(const std::string& why);
  void say(const std::string& line) const;

  // Constant after load().
  jvmtiEnv* const jvmti_;
  const AgentOptions options_;
  const std::int64_t started_ = std::time(nullptr);
  std::string output_path_;  // of the report or the trace

  std::unique_ptr<ContextIds> ids_;  // null: calls are recorded
  MethodTable methods_;
  std::unique_ptr<ClassHook> hook_;
  VirtualThreads virtual_threads_;
  RuntimeClass runtime_;
  std::unique_ptr<IdEvents> id_events_;      // null without ids_
  std::unique_ptr<StackCheck> stack_check_;  // null unless ids are checked
  std::atomic<bool> rewriting_{true};        // classes get probes

  // Set in vm_init.
  ThreadRecorder* threads_ = nullptr;  // of ids_, trees_ or recorder_
  std::unique_ptr<RunKeeper> keeper_;  // null: the run ends with the JVM
  std::atomic<RunKeeper*> keeps_names_{nullptr};
  std::unique_ptr<InlineTrees> trees_;
  std::unique_ptr<PacketPool> pool_;
  std::unique_ptr<Engine> engine_;  // one of the two
  std::unique_ptr<trace::TraceSink> trace_;
  std::unique_ptr<Recorder> recorder_;
  jobject platform_loader_ = nullptr;  // global references
  jobject system_loader_ = nullptr;
  std::chrono::steady_clock::time_point recording_since_;
  std::atomic<bool> recording_{false};

  std::mutex loader_mutex_;
  jlong next_loader_tag_ = 1;  // under loader_mutex_
};

}  // namespace copse
