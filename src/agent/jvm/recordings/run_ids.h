// Context ids of a run, and where its probes keep them. Shared by recordings with ids.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "agent/jvm/hook/recorded_methods.h"
#include "agent/jvm/hook/selected_probes.h"
#include "agent/jvm/ids/id_places.h"
#include "agent/jvm/ids/started_threads.h"
#include "agent/jvm/recordings/recording.h"
#include "agent/jvm/run.h"
#include "encoders/ids/context_ids.h"

namespace copse::jvm {

struct RunIds {
  // The error is that of reading the encoder's graph.
  static Result<std::unique_ptr<RunIds>> make(const Run& run);
  RunIds(const Run& run, std::unique_ptr<encoders::CodeNumbering> numbering,
         std::unique_ptr<ProbeSelection> selection);

  // Returns whether ids decode. The run then leaves a file with which another process can decode them.
  bool decode() const noexcept { return ids.tables() != nullptr; }

  // Returns the check of stacks where ids are used; nullptr if all methods get probes.
  MissingFrames* missing() noexcept { return selected == nullptr ? nullptr : &selected->missing(); }

  // Implements Recording::native_entry(). Native methods have probes even with --selective, because they
  // cannot get them late: the JVM binds each only once.
  std::optional<Recording::NativeEntry> native_entry(MethodId method, std::string_view class_name,
                                                     std::string_view name);

  // Returns the native methods that were given to native_entry(). Thread-safe.
  std::set<MethodId> natives() const;

  // Keeps the contexts in which threads are started from now on, if ids decode. Called when the runtime has started.
  void keep_origins(const StartedThreads::Packets& packets);

  // start() is called when the runtime has started, stop() when recording has ended. stop() prints what the
  // graph lacks. REQUIRES for notes(): stop() was called.
  Status start(JNIEnv* jni);
  void stop();
  std::vector<std::string> notes() const;

  const Run& run;
  ids::ContextIds ids;
  RecordedMethods methods;
  IdPlaces places;
  std::unique_ptr<SelectedProbes> selected;  // nullptr if all methods get probes

 private:
  void doubt_graph() const;

  std::unique_ptr<StartedThreads> started_;  // nullptr if no origins are kept

  mutable std::mutex natives_mutex_;
  std::set<MethodId> natives_;  // guarded by natives_mutex_
};

}  // namespace copse::jvm
