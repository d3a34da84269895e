// One way of recording, behind one interface: the probes that classes get, the destination of their data, and
// the files written of it. choose.h lists all of them.
//
//   trees.h       contexts and counts, built by the probes in place
//   packets.h     call records, folded by an engine
//   trace.h       call records, kept in a file
//   ids.h         context ids and events of interest; no calls
//   validation.h  call records and context ids at once, compared
//   values.h      arguments, results and exceptions of methods; no calls
//
// Order of calls: start(), begin() if Copse was attached, any number of write_snapshot(), close() or
// threads().close(), stop(), finish(); or abandon() after a begin() that failed. Never destroyed, because threads run
// probes until the process is gone.
//
// Threads: one, which begins or ends the recording, unless stated otherwise.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agent/jvm/run_report.h"
#include "agent/line/note.h"
#include "base/status.h"
#include "classfile/class_summary.h"
#include "classfile/rewriter.h"
#include "probes/shadow_stack_probes.h"
#include "shadowstack/packets/thread_recorder.h"

namespace copse::jvm {

class JvmEvents;
struct LoaderIdentity;

class Recording {
 public:
  virtual ~Recording() = default;

  // Asks the JVM for further capabilities, in Agent_OnLoad or at each attach. Earlier recordings may not have
  // asked for them. The error names what the JVM lacks.
  virtual Status add_capabilities() { return {}; }
  // Returns whether an id file lies beside the report.
  virtual bool has_id_file() const noexcept { return false; }

  // --- For the class hook: any thread, several at once, also before start().

  // Returns the class with probes in it.
  virtual Result<classfile::Rewritten> put_probes(
      const LoaderIdentity& loader, std::span<const std::uint8_t> bytes, classfile::ProbeHost& host,
      std::span<const classfile::NewField> new_fields) = 0;
  // Returns whether classes of the JDK may get probes without the option, including classes loaded before
  // start().
  virtual bool wants_jdk() const noexcept { return false; }
  // Return whether a class may get probes: may_want() by its name, wants_class() by its members.
  virtual bool may_want(const LoaderIdentity&, const std::string& /*class_name*/) const {
    return true;
  }
  virtual bool wants_class(const LoaderIdentity&, const classfile::ClassSummary&) { return true; }
  // Returns true if calls of native methods are recorded. A native method without a record is then listed as
  // skipped.
  virtual bool records_natives() const noexcept { return true; }
  // Arguments of beginNative() (native_probes.h) for a method.
  struct NativeEntry {
    std::int64_t place = 0;
    bool is_marked = false;
  };
  // Returns std::nullopt if the method is not recorded. `class_name`: internal.
  virtual std::optional<NativeEntry> native_entry(MethodId, std::string_view /*class_name*/,
                                                  std::string_view /*method*/) {
    return NativeEntry{};
  }
  // Returns whether copse.Context gets probes, whatever the user's globs say. Programs ask it for ids.
  virtual bool answers_context_api() const noexcept { return false; }
  // Returns the same for slices that programs begin and end by copse.Context.
  virtual bool answers_slices() const noexcept { return false; }
  // Returns whether the recording keeps the contexts in which threads are started (hotspot/thread_starts.h).
  virtual bool wants_thread_starts() const noexcept { return false; }
  // Returns globs of marked methods that matched nothing so far.
  virtual std::vector<std::string> unused_marks() const { return {}; }
  // Returns globs of values that matched nothing so far.
  virtual std::vector<std::string> unused_values() const { return {}; }
  // Returns globs of slices that matched nothing so far.
  virtual std::vector<std::string> unused_slices() const { return {}; }
  // Returns whether the JDK's executors get the probes of task_probes.h.
  virtual bool follows_tasks() const noexcept { return false; }
  // Called when a class of the program is being loaded.
  virtual void sees_class(std::span<const std::uint8_t>) {}
  // Called when names were given out, before code that uses them can run.
  virtual void has_new_names() {}

  // --- While it lasts.

  // Starts recording: calls are recorded when it returns. If Copse was attached, nothing is part of the
  // recording before begin().
  virtual Status start(JNIEnv* jni) = 0;
  // Begins the recording of a program that ran already: its loaded classes have their probes.
  virtual Status begin(JNIEnv*) { return {}; }
  // REQUIRES: start() was called.
  virtual shadowstack::ThreadRecorder& threads() noexcept = 0;
  // Returns the receiver of the JVM's own events, if start() enabled any. Any thread.
  virtual JvmEvents* jvm_events() noexcept { return nullptr; }
  // Writes the report so far, and the id file if there is one. An error from a recording that has no report
  // before its end. Any one thread.
  virtual Result<agent::FileNote> write_snapshot(const SnapshotToWrite& to_write) = 0;

  // --- Its end.

  // Ends recording in a program that goes on, for all threads at one moment if it can.
  virtual void close(JNIEnv*) { threads().close(); }
  // Ends the measures besides calls.
  virtual void stop(double wall_ms) { static_cast<void>(wall_ms); }
  // REQUIRES: stop() was called.
  virtual bool recorded_nothing() { return threads().calls_seen() == 0; }
  // Writes the files, and reports that they are written or why not.
  struct End {
    double wall_ms = 0;
    std::vector<std::string> notes;  // besides those of the recording
  };
  virtual void finish(const End& end) = 0;
  // Drops the memory that outlives a kill: the recording did not begin, and has no report. REQUIRES: start() failed,
  // or close() was called.
  virtual void abandon() noexcept {}
  // Releases what the recording holds, because the program goes on without Copse. Frames with probes may live on. Also
  // called when start() failed.
  virtual void leave() noexcept {}

 protected:
  // Returns the error of write_snapshot() for a recording that has no snapshots because of the option.
  static Status no_snapshot(const char* option) {
    return Status::error(Fault::kRefused, std::string("this JVM: is recorded with ") + option +
                                              ", which has no report before the end");
  }
};

}  // namespace copse::jvm
