// Records arguments, results and exceptions of methods, and objects that are made. They are kept in a file, or
// sent to a command that answers queries while the program runs.
#pragma once

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "agent/jvm/hook/class_hook.h"
#include "agent/jvm/periodic_thread.h"
#include "agent/jvm/recordings/recording.h"
#include "agent/jvm/run.h"
#include "agent/jvm/values/intrinsics_off.h"
#include "agent/jvm/values/missing_methods.h"
#include "agent/jvm/values/value_choice.h"
#include "agent/jvm/values/value_events.h"

namespace copse::jvm {

class ValuesRecording final : public Recording {
 public:
  static Result<std::unique_ptr<Recording>> make(const Run& run);
  ValuesRecording(const Run& run, std::unique_ptr<ValueChoice> choice);

  Result<classfile::Rewritten> put_probes(const LoaderIdentity& loader,
                                          std::span<const std::uint8_t> bytes,
                                          classfile::ProbeHost& host,
                                          std::span<const classfile::NewField> new_fields) override;
  bool wants_jdk() const noexcept override { return choice_->any_of_jdk(); }
  bool may_want(const LoaderIdentity& loader, const std::string& class_name) const override {
    missing_.look_at(class_name, loader.is_jdk);
    return choice_->may_want(class_name, loader.is_jdk);
  }
  bool wants_class(const LoaderIdentity& loader, const classfile::ClassSummary& summary) override;

  std::vector<std::string> unused_values() const override { return choice_->unused_globs(); }

  bool records_natives() const noexcept override { return false; }

  Status add_capabilities() override;
  Status start(JNIEnv* jni) override;
  Status begin(JNIEnv*) override {
    events_.begin();
    return {};
  }
  shadowstack::ThreadRecorder& threads() noexcept override { return threads_; }
  Result<agent::FileNote> write_snapshot(const SnapshotToWrite&) override {
    return no_snapshot("values");
  }
  bool recorded_nothing() override { return false; }  // finish() says so itself
  void finish(const End& end) override;
  void leave() noexcept override;

 private:
  // A recorder without threads: probes of values need nothing of their threads.
  class NoThreads final : public shadowstack::ThreadRecorder {
   public:
    shadowstack::ThreadHeader* attach(std::int64_t, std::string_view) noexcept override {
      return nullptr;
    }
    void rename(shadowstack::ThreadHeader*, std::string_view) noexcept override {}
    void detach(shadowstack::ThreadHeader*) noexcept override {}
    void close() noexcept override {}
    std::uint64_t calls_seen() const noexcept override { return 0; }
    std::uint64_t calls_lost() const noexcept override { return 0; }
    std::uint64_t packets() const noexcept override { return 0; }
    std::vector<shadowstack::ThreadRow> threads() const override { return {}; }
  };

  std::vector<std::string> notes() const;
  std::string replaceable_methods() const;

  const Run& run_;
  const std::unique_ptr<ValueChoice> choice_;
  NoThreads threads_;
  ValueEvents events_;
  mutable MissingMethods missing_;  // learns of each class, with or without probes
  JavaVM* vm_ = nullptr;            // set by start()
  IntrinsicsOff intrinsics_off_;
  mutable std::mutex mutex_;
  // Methods with probes that the JVM may replace: name and descriptor. Guarded by mutex_.
  std::set<std::pair<std::string, std::string>> replaceable_;
  PeriodicThread flush_thread_;  // last member: uses the others
};

}  // namespace copse::jvm
