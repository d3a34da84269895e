// One way of recording, behind one interface: which probes classes get, where what they tell goes,
// and which files are written of it. choose.h has them all.
//
//   trees.h       contexts and counts, built by the probes in place
//   packets.h     call records, folded by an engine
//   trace.h       call records, kept in a file
//   ids.h         context ids and events of interest; no calls
//   validation.h  call records and context ids at once, compared
//   values.h      what methods are given and give back; no calls
//
// In the order of a recording: start(), any number of write_snapshot(), threads().close(), stop(),
// finish(). Never destroyed, since threads run probes until the process is gone.
//
// Threads: where nothing is said, one, which begins or ends the recording.
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

  // Agent_OnLoad, or at each attach: asks for what the JVM has to tell besides, which those before
  // may not have asked for. The error says what it lacks.
  virtual Status add_capabilities() { return {}; }
  // Whether an id file lies beside the report.
  virtual bool has_id_file() const noexcept { return false; }

  // --- For the class hook: any thread, several at once, also before start().

  // The class with probes in it.
  virtual Result<classfile::Rewritten> put_probes(
      const LoaderIdentity& loader, std::span<const std::uint8_t> bytes, classfile::ProbeHost& host,
      std::span<const classfile::NewField> new_fields) = 0;
  // Whether classes of the JDK may get probes without the option, those too that are loaded before
  // start().
  virtual bool wants_jdk() const noexcept { return false; }
  // Whether a class may get probes, by its name, and by what it has.
  virtual bool may_want(const LoaderIdentity&, const std::string& /*class_name*/) const {
    return true;
  }
  virtual bool wants_class(const LoaderIdentity&, const classfile::ClassSummary&) { return true; }
  // Returns true if calls of native methods are recorded, and each that is not is to be listed as skipped.
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
  // Whether copse.Context gets probes, whatever the user's globs say: it is asked for ids.
  virtual bool answers_context_api() const noexcept { return false; }
  // Globs of marked methods that matched nothing so far.
  virtual std::vector<std::string> unused_marks() const { return {}; }
  // Likewise those of values.
  virtual std::vector<std::string> unused_values() const { return {}; }
  // A class of the program's own is being loaded.
  virtual void sees_class(std::span<const std::uint8_t>) {}
  // Names were given out. Before what has them can run.
  virtual void has_new_names() {}

  // --- While it lasts.

  // From its end on calls are recorded.
  virtual Status start(JNIEnv* jni) = 0;
  // Since start().
  virtual shadowstack::ThreadRecorder& threads() noexcept = 0;
  // Who takes the JVM's own events, if start() enabled any. Any thread.
  virtual JvmEvents* jvm_events() noexcept { return nullptr; }
  // Writes the report so far, and the id file where there is one; an error from a recording that has no report before
  // its end. Any one thread.
  virtual Result<agent::FileNote> write_snapshot(const SnapshotToWrite& to_write) = 0;

  // --- Its end.

  // What tells of more than calls ends as well.
  virtual void stop(double wall_ms) { static_cast<void>(wall_ms); }
  // Since stop().
  virtual bool recorded_nothing() { return threads().calls_seen() == 0; }
  // Writes the files, and says so or why not.
  struct End {
    double wall_ms = 0;
    std::vector<std::string> notes;  // beside those of the recording
  };
  virtual void finish(const End& end) = 0;
  // The program goes on without us.
  virtual void leave() noexcept {}

 protected:
  // Returns the error of write_snapshot() where the option keeps the recording from having one.
  static Status no_snapshot(const char* option) {
    return Status::error(std::string("this JVM: is recorded with ") + option +
                         ", which has no report before the end");
  }
};

}  // namespace copse::jvm
