// The agent as a whole: one per recording, and one recording at a time; never destroyed, because
// threads run probes until the process is gone.
//
//   load()       options checked, capabilities and callbacks set; may refuse
//   vm_start()   with --jdk: the runtime class, before the first instrumented method runs
//   vm_init()    recorder, engine and runtime start: from here on calls are recorded
//   vm_death()   recording ends, the report is written; or the trace, which was written all along,
//                gets its end
//
// In a JVM that runs already attach() does what the first three do, then has the loaded classes
// loaded again; it too may refuse. detach() does what vm_death() does and takes the probes out.
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
#include "agent/jvm/jvm_state.h"
#include "agent/jvm/loaded_classes.h"
#include "agent/jvm/periodic_thread.h"
#include "agent/jvm/run_events.h"
#include "agent/jvm/run_keeper.h"
#include "agent/jvm/run_report.h"
#include "agent/jvm/run_validation.h"
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

  // The three below: from Agent_OnAttach, one at a time; what they did is said in the manifest that
  // the command names. `before`: the agent of an earlier recording, or null.
  static Status attach(JavaVM* vm, JNIEnv* jni, AgentOptions options, JvmAgent* before);
  // A snapshot in a file of its own.
  Status dump(const AgentOptions& command);
  Status detach(JNIEnv* jni, const AgentOptions& command);

  void vm_start(JNIEnv* jni);
  void vm_init(JNIEnv* jni);
  void vm_death(JNIEnv* jni);
  void thread_start(JNIEnv* jni, jthread thread);
  void thread_end(JNIEnv* jni, jthread thread);
  struct ClassFile {
    bool again;  // the class is there and gets another body
    jobject loader;
    const char* name;  // internal; null where the JVM does not know it
    std::span<const std::uint8_t> bytes;
  };
  void class_load(JNIEnv* jni, const ClassFile& file, jint* new_length, unsigned char** new_bytes);

  // Only of runs that keep context ids; enabled once recording has started.
  IdEvents& id_events() noexcept { return *id_events_; }

  // Ends recording after an unexpected failure in an event callback.
  void disable(const std::string& why) noexcept;

 private:
  JvmAgent(JvmState& jvm, AgentOptions options, std::unique_ptr<ContextIds> ids);

  // `jvm`: null when this is its first recording. Nothing is asked of the JVM yet.
  static Result<JvmAgent*> make(JavaVM* vm, AgentOptions options, JvmState* jvm);
  Status take_capabilities();
  Status scale_stacks(JavaVM* vm);
  Status enable(std::span<const jvmtiEvent> events);
  std::string expanded(const std::string& pattern) const;
  Status check_endings() const;
  Status check_outputs() const;
  std::vector<std::uint8_t> rewrite(JNIEnv* jni, const ClassFile& file);
  void keep_names();
  void rename_live_threads(JNIEnv* jni);
  Status start(JNIEnv* jni);
  Status start_ids(JNIEnv* jni);
  Status start_trees(JNIEnv* jni);
  MemorySource& memory_of_run();
  Status start_packets(JNIEnv* jni);
  Result<PacketSink*> make_sink();
  bool is_snapshotted() const noexcept {
    return ids_ == nullptr && (trees_ != nullptr || engine_ != nullptr);
  }
  void write_snapshot();
  Result<RunTotals> write_snapshot(const std::string& path);
  RetransformOutcome retransform_loaded(JNIEnv* jni);
  double wall_ms() const;
  void end_recording(JNIEnv* jni);
  void doubt_graph() const;  // aloud, when the program's calls are not in it
  // Aloud and in doubts_, when options matched nothing or nothing was recorded.
  void doubt_options(JNIEnv* jni);
  bool recorded_nothing() const;
  void write_report(double wall_ms);
  void end_validation();
  void end_events(double wall_ms);
  void write_id_report(double wall_ms);
  void end_trace(double wall_ms);
  bool note(const std::string& line) const;  // false: nobody will read it
  void fail(const std::string& why);
  void say(const std::string& line) const;

  // Constant after load() or attach().
  JvmState& jvm_;
  jvmtiEnv* const jvmti_ = jvm_.jvmti;
  const AgentOptions options_;
  const std::int64_t started_ = std::time(nullptr);
  const std::string program_;  // what the JVM runs: program_name()
  std::string output_path_;    // of the report or the trace

  bool attached_ = false;  // to a program that ran already

  std::unique_ptr<ContextIds> ids_;  // null: calls are recorded
  MethodTable& methods_ = jvm_.methods;
  std::unique_ptr<AllocatedTypes> types_;  // null unless all allocations are counted
  std::unique_ptr<ClassHook> hook_;
  RuntimeClass& runtime_ = jvm_.runtime;
  std::unique_ptr<RecordedMethods> recorded_methods_;  // null without ids_, as the next
  std::unique_ptr<IdEvents> id_events_;                // null without ids_
  OutsideMethods outside_{};                           // where there are events of interest
  std::string event_path_;                             // of the event file; "": none
  std::unique_ptr<RunValidation> validation_;          // null unless ids are checked
  std::atomic<bool> rewriting_{true};                  // classes get probes
  std::atomic<bool> has_continuations_{false};         // the program runs some of its own

  // Set in start().
  std::string runtime_name_;
  ThreadRecorder* threads_ = nullptr;      // of run_events_, ids_, trees_ or recorder_
  std::unique_ptr<RunEvents> run_events_;  // null: events are no more than summed
  std::unique_ptr<RunKeeper> keeper_;      // null: the run ends with the JVM
  std::atomic<RunKeeper*> keeps_names_{nullptr};
  std::unique_ptr<InlineTrees> trees_;
  std::unique_ptr<PacketPool> pool_;
  std::unique_ptr<Engine> engine_;  // one of the two
  std::unique_ptr<trace::TraceSink> trace_;
  std::unique_ptr<Recorder> recorder_;
  std::chrono::steady_clock::time_point recording_since_;
  std::atomic<bool> recording_{false};

  std::mutex report_mutex_;          // one report at a time; recording_ ends under it
  std::int64_t snapshots_ = 0;       // taken; under report_mutex_, as the two below
  bool snapshot_failed_ = false;     // and that was said
  std::string answer_;               // the manifest of the command that ends recording
  std::vector<std::string> doubts_;  // notes of the report at the end
  PeriodicThread snapshot_thread_;   // last: uses all of the above
};

}  // namespace copse
