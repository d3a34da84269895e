// Records context ids, no calls. Counts events of interest in the contexts of the ids, or appends them to a
// file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "agent/jvm/ids/new_names.h"
#include "agent/jvm/ids/stack_walk.h"
#include "agent/jvm/jvm_events.h"
#include "agent/jvm/measures/allocated_types.h"
#include "agent/jvm/measures/run_events.h"
#include "agent/jvm/recordings/kept_memory.h"
#include "agent/jvm/recordings/recording.h"
#include "agent/jvm/recordings/run_ids.h"
#include "agent/jvm/run.h"
#include "encoders/events/outside.h"

namespace copse::jvm {

class IdsRecording final : public Recording, private EventSink {
 public:
  static Result<std::unique_ptr<Recording>> make(const Run& run);
  IdsRecording(const Run& run, std::unique_ptr<RunIds> ids);

  Status add_capabilities() override { return events_.add_capabilities(run_.jvmti); }
  bool has_id_file() const noexcept override { return ids_->decode(); }

  Result<classfile::Rewritten> put_probes(const LoaderIdentity& loader,
                                          std::span<const std::uint8_t> bytes,
                                          classfile::ProbeHost& host,
                                          std::span<const classfile::NewField> new_fields) override;
  bool answers_context_api() const noexcept override { return true; }
  std::optional<NativeEntry> native_entry(MethodId method, std::string_view class_name,
                                          std::string_view name) override;
  bool wants_thread_starts() const noexcept override { return ids_->decode(); }
  std::vector<std::string> unused_marks() const override { return ids_->places.marks().unused(); }
  void has_new_names() override { kept_.add_names(); }
  void abandon() noexcept override { kept_.finish(); }

  Status start(JNIEnv* jni) override;
  shadowstack::ThreadRecorder& threads() noexcept override { return *threads_; }
  JvmEvents* jvm_events() noexcept override { return &events_; }
  Result<agent::FileNote> write_snapshot(const SnapshotToWrite& to_write) override;

  void stop(double wall_ms) override;
  bool recorded_nothing() override;
  void finish(const End& end) override;
  void leave() noexcept override { events_.disable(run_.jvmti); }

 private:
  void add(events::EventKind kind, std::uint64_t word, shadowstack::ThreadHeader* header,
           std::uint64_t weight, MethodId object) override;
  std::uint64_t word_in(MethodId callee, std::uint64_t word,
                        shadowstack::ThreadHeader& header) override;
  void keep();
  void append_events();
  Result<agent::FileNote> write_report(const SnapshotToWrite& to_write,
                                       std::vector<std::string> notes,
                                       std::optional<EncoderFigures> encoder = {});
  void end_event_file(double wall_ms);

  const Run& run_;
  const std::unique_ptr<RunIds> ids_;
  NewNames names_;
  KeptMemory kept_;
  JvmEvents events_;
  events::OutsideMethods outside_{};       // set if there are events of interest
  std::unique_ptr<StackWalk> walk_;        // nullptr unless stacks are walked instead of ids kept
  std::unique_ptr<AllocatedTypes> types_;  // nullptr unless all allocations are counted

  // Set by start().
  std::unique_ptr<RunEvents> run_events_;           // nullptr if events are only summed
  shadowstack::ThreadRecorder* threads_ = nullptr;  // of run_events_ or ids_
};

}  // namespace copse::jvm
