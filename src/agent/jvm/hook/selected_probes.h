// Probes of a run that gives them only where they are needed (--selective): the selection, the detection of
// missing frames, late probes, and sentences for the report.
#pragma once

#include <jvmti.h>

#include <memory>
#include <string>
#include <vector>

#include "agent/jvm/hook/late_probes.h"
#include "agent/jvm/hook/probe_selection.h"
#include "agent/jvm/hook/recorded_methods.h"
#include "agent/jvm/ids/missing_frames.h"
#include "agent/jvm/run.h"
#include "encoders/ids/context_ids.h"

namespace copse::jvm {

class SelectedProbes {
 public:
  // `selection`: not nullptr. All arguments must outlive this object.
  SelectedProbes(const Run& run, std::unique_ptr<ProbeSelection> selection,
                 RecordedMethods& methods);

  ProbeSelection& selection() noexcept { return *selection_; }
  const ProbeSelection& selection() const noexcept { return *selection_; }
  MissingFrames& missing() noexcept { return missing_; }
  const MissingFrames& missing() const noexcept { return missing_; }

  // Called before marks come, in VMInit or later.
  Status start(JNIEnv* jni);
  // Stops giving probes. Prints what the graph did not know.
  void stop(const ids::ContextIds& ids);
  // Returns sentences for the report. REQUIRES: stop() was called.
  std::vector<std::string> notes() const;

 private:
  std::string what_is_missing(const ids::ContextIds& ids) const;

  const Run& run_;
  const std::unique_ptr<ProbeSelection> selection_;
  LateProbes late_;
  MissingFrames missing_;
  std::string doubt_;  // "" if none; set by stop()
};

}  // namespace copse::jvm
