// A run that gives probes only where they are needed (--selective): what decides, looks and gives
// late, and what the report says of it.
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
  // `selection`: not null. All outlive it.
  SelectedProbes(const Run& run, std::unique_ptr<ProbeSelection> selection,
                 RecordedMethods& methods);

  ProbeSelection& selection() noexcept { return *selection_; }
  const ProbeSelection& selection() const noexcept { return *selection_; }
  MissingFrames& missing() noexcept { return missing_; }
  const MissingFrames& missing() const noexcept { return missing_; }

  // Before marks come, in VMInit or after it.
  Status start(JNIEnv* jni);
  // No class gets probes any more. Says aloud what the graph did not know.
  void stop(const context_id::ContextIds& ids);
  // Since stop(). Sentences for the report.
  std::vector<std::string> notes() const;

 private:
  std::string what_is_missing(const context_id::ContextIds& ids) const;

  const Run& run_;
  const std::unique_ptr<ProbeSelection> selection_;
  LateProbes late_;
  MissingFrames missing_;
  std::string doubt_;  // "": none; since stop()
};

}  // namespace copse::jvm
