// Contexts and counts, built by the probes in place (cct/inline_trees.h): the default.
#pragma once

#include <atomic>
#include <memory>

#include "agent/jvm/recordings/kept_memory.h"
#include "agent/jvm/recordings/recording.h"
#include "agent/jvm/run.h"
#include "cct/inline_trees.h"

namespace copse::jvm {

class TreesRecording final : public Recording {
 public:
  static Result<std::unique_ptr<Recording>> make(const Run& run);
  explicit TreesRecording(const Run& run) : run_(run), kept_(run) {}

  Result<classfile::Rewritten> put_probes(std::uint64_t loader, std::span<const std::uint8_t> bytes,
                                          classfile::ProbeHost& host,
                                          std::span<const classfile::NewField> new_fields) override;
  void sees_class(std::span<const std::uint8_t> bytes) override;
  void has_new_names() override { kept_.add_names(); }

  Status start(JNIEnv* jni) override;
  shadowstack::ThreadRecorder& threads() noexcept override { return *trees_; }
  Result<cct::RecordingSnapshot> snapshot() override { return trees_->snapshot(); }
  void finish(const End& end) override;

 private:
  const Run& run_;
  KeptMemory kept_;
  std::unique_ptr<cct::InlineTrees> trees_;  // since start()
  std::atomic<bool> started_{false};
  std::atomic<bool> has_continuations_{false};  // the program runs some of its own
};

}  // namespace copse::jvm
