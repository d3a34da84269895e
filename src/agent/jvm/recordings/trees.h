// Records contexts and counts, built by the probes in place (cct/inplace/inline_trees.h). The default.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "agent/jvm/hook/recorded_methods.h"
#include "agent/jvm/jvm_events.h"
#include "agent/jvm/measures/tree_measures.h"
#include "agent/jvm/recordings/kept_memory.h"
#include "agent/jvm/recordings/recording.h"
#include "agent/jvm/run.h"
#include "agent/jvm/thread_groups.h"
#include "agent/method_filter.h"
#include "cct/inplace/inline_trees.h"

namespace copse::jvm {

class TreesRecording final : public Recording {
 public:
  static Result<std::unique_ptr<Recording>> make(const Run& run);
  explicit TreesRecording(const Run& run);

  Status add_capabilities() override { return events_.add_capabilities(run_.jvmti); }

  Result<classfile::Rewritten> put_probes(const LoaderIdentity& loader,
                                          std::span<const std::uint8_t> bytes,
                                          classfile::ProbeHost& host,
                                          std::span<const classfile::NewField> new_fields) override;
  void sees_class(std::span<const std::uint8_t> bytes) override;
  void has_new_names() override { kept_.add_names(); }
  std::vector<std::string> unused_slices() const override { return slices_.include().unused(); }
  bool answers_slices() const noexcept override { return true; }
  bool follows_tasks() const noexcept override { return !slices_.include().empty(); }

  Status start(JNIEnv* jni) override;
  Status begin(JNIEnv* jni) override;
  shadowstack::ThreadRecorder& threads() noexcept override { return measures_; }
  JvmEvents* jvm_events() noexcept override { return &events_; }
  Result<agent::FileNote> write_snapshot(const SnapshotToWrite& to_write) override;
  void close(JNIEnv* jni) override;
  void stop(double) override { events_.disable(run_.jvmti); }
  void finish(const End& end) override;
  void abandon() noexcept override { kept_.finish(); }
  void leave() noexcept override;

 private:
  const Run& run_;
  KeptMemory kept_;
  TreeMeasures measures_;
  ThreadGroups groups_;
  const agent::MethodFilter slices_;  // methods whose outermost calls are slices
  RecordedMethods methods_;
  JvmEvents events_;
  std::unique_ptr<cct::InlineTrees> trees_;  // set by start()
  std::atomic<bool> started_{false};
  std::atomic<bool> has_continuations_{false};  // the program runs continuations of its own
};

}  // namespace copse::jvm
