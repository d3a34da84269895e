// The agent of one recording. Only one recording runs at a time. Never destroyed, because threads run probes
// until the process is gone.
//
//   load()       options checked, capabilities and callbacks set; may refuse
//   vm_start()   with --jdk: the runtime class, before the first instrumented method runs
//   vm_init()    the recording (recordings/) and the runtime start: from here on calls are recorded. Without --jdk
//                the class hook is on from here, and the loaded classes are loaded again
//   vm_death()   recording ends, its files are written
//
// In a running JVM attach() replaces the first three steps, then has the loaded classes loaded again. It may
// refuse, too. detach() does the work of vm_death() and removes the probes.
//
// After load() no failure stops the JVM: the agent reports it on standard error (unless quiet), and the program
// goes on without a profile.
#pragma once

#include <jvmti.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agent/jvm/hook/class_hook.h"
#include "agent/jvm/hook/loaded_classes.h"
#include "agent/jvm/hook/native_probes.h"
#include "agent/jvm/jvm_events.h"
#include "agent/jvm/jvm_state.h"
#include "agent/jvm/periodic_thread.h"
#include "agent/jvm/recordings/recording.h"
#include "agent/jvm/run.h"
#include "agent/line/note.h"
#include "agent/options.h"
#include "base/status.h"

namespace copse::jvm {

class JvmAgent {
 public:
  // Checks the options and prepares the JVM. The error message is without "copse: ".
  static Status load(JavaVM* vm, const char* option_text);

  // attach(), dump() and detach() are called from Agent_OnAttach, one at a time. They report to the manifest
  // that the command names. `before`: the agent of an earlier recording; nullptr if none.
  static Status attach(JavaVM* vm, JNIEnv* jni, agent::AgentOptions options, JvmAgent* before);
  // Writes a snapshot into a file of its own.
  Status dump(const agent::AgentOptions& command);
  Status detach(JNIEnv* jni, const agent::AgentOptions& command);

  void vm_start(JNIEnv* jni);
  void vm_init(JNIEnv* jni);
  // `jni`: nullptr from a thread that is not the JVM's, which asks the JVM nothing.
  void vm_death(JNIEnv* jni);
  // Does the work of vm_death() where the JVM learns nothing of the end: an exit() of native code, or of a launcher that
  // could not end the JVM, as with a full heap.
  void process_exits();
  void thread_start(JNIEnv* jni, jthread thread);
  void thread_end(JNIEnv* jni, jthread thread);
  void native_bound(JNIEnv* jni, jmethodID method, void* function, void** replacement);
  struct ClassFile {
    bool again;  // the class exists and gets another body
    jobject loader;
    const char* name;  // internal; nullptr if the JVM does not know it
    std::span<const std::uint8_t> bytes;
  };
  void class_load(JNIEnv* jni, const ClassFile& file, jint* new_length, unsigned char** new_bytes);
  // Loads a class again whose bytes the JVM had read before class hook events were on, and which came too late for
  // the list of loaded classes. Enabled after copse attach, and where classes of the program were loaded before VMInit.
  void class_prepare(JNIEnv* jni, jclass type);

  // Returns the receiver of the events that the recording has enabled; nullptr if it enables none.
  JvmEvents* jvm_events() noexcept { return recording_->jvm_events(); }

  // Ends recording after an unexpected failure in an event callback or a native method.
  // `event`: its name; "" if `why` says enough.
  void disable(std::string_view why, std::string_view event = "") noexcept;

  // Manifest of the command that the JVM runs under; "" means none.
  const std::string& manifest() const { return run_->options.manifest; }

 private:
  JvmAgent(std::unique_ptr<Run> run, std::unique_ptr<Recording> recording)
      : run_(std::move(run)), recording_(std::move(recording)) {}

  struct Coming {
    bool is_attach = false;
    JvmState* jvm = nullptr;  // nullptr for its first recording
  };
  // Makes an agent and its recording. Asks nothing of the JVM yet.
  static Result<JvmAgent*> make(JavaVM* vm, agent::AgentOptions options, const Coming& coming);
  Status take_capabilities();
  Status bind_thread_start(JavaVM* vm);
  Status enable(std::span<const jvmtiEvent> events);
  Status start(JNIEnv* jni);
  // Leaves the program unrecorded, because start() failed.
  void leave_alone(const std::string& why);
  Status take_loaded(JNIEnv* jni);
  void start_snapshots();
  std::vector<std::uint8_t> rewrite(JNIEnv* jni, const ClassFile& file);
  // Returns whether a class gets the probes of task_probes.h.
  bool is_of_tasks(jobject loader, std::string_view internal_name) const noexcept;
  bool wants_again(JNIEnv* jni, jobject loader, std::string_view internal_name);
  void leave_as_it_is(std::string_view internal_name, std::string_view why);
  RetransformOutcome retransform_loaded(JNIEnv* jni);
  // Gives the loaded classes of a running program their probes, and begins to record. Throws std::bad_alloc.
  Status begin(JNIEnv* jni, agent::AttachedNote& note);
  // Called when start() failed.
  void give_capabilities_back();
  // Takes the probes out again after begin() failed. Returns `why`, and what was done.
  Status give_up(JNIEnv* jni, const Status& why);
  // REQUIRES: the recording has ended, and classes get no probes any more.
  RetransformOutcome take_probes_out(JNIEnv* jni);
  void write_snapshot();
  Result<agent::FileNote> write_snapshot(const std::string& path);
  void rename_live_threads(JNIEnv* jni);
  enum class Program : std::uint8_t { kEnds, kGoesOn };
  void end_recording(JNIEnv* jni, Program program);
  // Prints warnings about options that matched nothing, and why nothing was recorded. Returns them as sentences
  // for the report.
  std::vector<std::string> doubts_about_options(JNIEnv* jni);
  double wall_ms() const;

  const std::unique_ptr<Run> run_;
  const std::unique_ptr<Recording> recording_;
  std::unique_ptr<NativeProbes> natives_;  // nullptr if native methods are not recorded
  std::unique_ptr<ClassHook> hook_;
  std::atomic<bool> rewriting_{true};  // classes get probes
  std::atomic<bool> is_disabled_{false};

  std::chrono::steady_clock::time_point
      recording_since_;  // set in start(), and when attach() begins
  std::atomic<bool> is_recording_{false};
  std::promise<void> stopped_;  // set when stop() of the recording returned
  const pid_t process_ = getpid();

  std::mutex report_mutex_;         // one report at a time; held while is_recording_ becomes false
  std::int64_t snapshots_ = 0;      // snapshots taken; guarded by report_mutex_
  bool snapshot_failed_ = false;    // a failure was reported; guarded by report_mutex_
  PeriodicThread snapshot_thread_;  // last member: uses the others
};

}  // namespace copse::jvm
