// What an agent does in a JVM that runs: come to it, go, and say what it has so far.
#include <unistd.h>

#include <array>

#include "agent/jvm/agent_main.h"
#include "agent/jvm/jvm_agent.h"
#include "agent/jvm/run_doubts.h"
#include "agent/output_path.h"
#include "report/report_file.h"

namespace copse {
namespace {

// Of a recording that is over; VM_DEATH then finds nothing to do.
constexpr std::array kEventsOfRecording = {JVMTI_EVENT_THREAD_START, JVMTI_EVENT_THREAD_END,
                                           JVMTI_EVENT_CLASS_FILE_LOAD_HOOK};

std::string in_manifest(const RetransformOutcome& outcome) {
  return std::to_string(outcome.classes) + "\t" + std::to_string(outcome.refused);
}

}  // namespace

Status JvmAgent::attach(JavaVM* vm, JNIEnv* jni, AgentOptions options, JvmAgent* before) {
  if (Status status = check_attach_options(options); !status) return status;
  if (before != nullptr) {
    if (before->recording_.load()) {
      return Status::error("this JVM: is recorded already; copse dump or copse detach");
    }
    if (options.sites && !before->options_.sites) {
      return Status::error(
          "this JVM: was recorded without call sites before, and cannot be recorded with them");
    }
    const bool trees = options.encoder.empty() && engine_of(options) == EngineKind::kInline;
    if (!before->runtime_.can_start_again() || !trees) {
      return Status::error(
          "this JVM: was recorded before, and only recordings with engine=inline and without jdk "
          "can follow each other");
    }
  }
  const Result<JvmAgent*> made =
      make(vm, std::move(options), before != nullptr ? &before->jvm_ : nullptr);
  if (!made.ok()) return made.status();
  JvmAgent& agent = **made;
  agent.attached_ = true;
  if (before == nullptr) {
    if (Status status = agent.take_capabilities(); !status) return status;
  }
  // Before any class has probes: they would ask for a class that does not exist yet.
  if (Status status = agent.start(jni); !status) return status;
  install_agent(&agent);
  if (Status status = agent.enable(std::array{JVMTI_EVENT_VM_DEATH}); !status) return status;
  if (Status status = agent.enable(kEventsOfRecording); !status) return status;
  const RetransformOutcome outcome = agent.retransform_loaded(jni);
  note_in_manifest(agent.options_.manifest,
                   "attached\t" + agent.output_path_ + "\t" + in_manifest(outcome));
  // Classes that come later may match; but somebody waits for the answer who can still put it
  // right.
  if (!agent.hook_->gave_probes()) {
    for (const RunDoubt& doubt :
         doubts_about_globs(agent.jvmti_, jni, agent.jvm_.loaders, agent.options_, *agent.hook_)) {
      agent.note(doubt.manifest_line);
    }
  }
  return {};
}

RetransformOutcome JvmAgent::retransform_loaded(JNIEnv* jni) {
  // Other agents' transformers run too.
  const RuntimeClass::Unrecorded unrecorded(runtime_, jvmti_, jni);
  return retransform_loaded_classes(
      jvmti_, jni,
      [&](jobject loader, std::string_view name) {
        // With a field more than its class file has, which no class may gain or lose.
        if (options_.jdk && name == "java/lang/Thread") return false;
        return (loader != nullptr || options_.jdk) &&
               hook_->wants(jvm_.loaders.identify(jni, loader), name);
      },
      [&](std::string_view name, std::string_view why) {
        methods_.skipped(
            name, "",
            "loaded before Copse came, and the JVM refused to load it again: " + std::string(why));
      });
}

Status JvmAgent::dump(const AgentOptions& command) {
  const std::string path =
      expand_output_path(command.dump, {program_, getpid(), std::time(nullptr)});
  const std::lock_guard lock(report_mutex_);
  if (!recording_.load()) return Status::error("this JVM: is not being recorded");
  if (!is_snapshotted()) {
    return Status::error(std::string("this JVM: is recorded with ") +
                         (ids_ != nullptr ? "encoder" : "record") +
                         ", which has no report before the end");
  }
  if (Status status = check_report_ending(path); !status) return status;
  if (Status status = check_writable(path); !status) return status;
  const Result<RunTotals> written = write_snapshot(path);
  if (!written.ok()) return written.status();
  note_in_manifest(
      command.manifest,
      line_of_file("report", path, {written->calls, written->contexts, written->calls_lost},
                   program_));
  return {};
}

// Called by: the snapshot thread.
void JvmAgent::write_snapshot() {
  const std::lock_guard lock(report_mutex_);
  if (!recording_.load()) return;
  const Result<RunTotals> written = write_snapshot(output_path_);
  if (!written.ok()) {
    if (!std::exchange(snapshot_failed_, true)) fail(written.message());
  } else if (snapshots_ == 1) {
    note("snapshot\t" + output_path_);
  }
}

Result<RunTotals> JvmAgent::write_snapshot(const std::string& path) {
  if (recorder_ != nullptr) recorder_->flush();
  Result<RecordingSnapshot> taken = trees_ != nullptr ? trees_->snapshot() : engine_->snapshot();
  if (!taken.ok()) return taken.status();
  RecordingSnapshot& so_far = *taken;
  if (recorder_ != nullptr) {
    const std::uint64_t lost = recorder_->calls_lost();
    so_far.calls_seen += lost;
    so_far.calls_lost += lost;
    so_far.packets = recorder_->packets();
    so_far.threads = recorder_->threads();
  }
  return write_run_report({.runtime = runtime_name_,
                           .options = options_,
                           .methods = methods_,
                           .tree = *so_far.tree,
                           .threads = std::move(so_far.threads),
                           .calls_seen = so_far.calls_seen,
                           .calls_lost = so_far.calls_lost,
                           .calls_without_room = so_far.calls_without_room,
                           .packets = so_far.packets,
                           .workers = engine_ != nullptr ? engine_->stats().workers : 0,
                           .started = started_,
                           .wall_ms = wall_ms(),
                           .snapshot = ++snapshots_,
                           .attached = attached_,
                           .path = path});
}

Status JvmAgent::detach(JNIEnv* jni, const AgentOptions& command) {
  snapshot_thread_.stop();
  {
    const std::lock_guard lock(report_mutex_);
    if (!recording_.load()) return Status::error("this JVM: is not being recorded");
    // Better go on recording than lose it all.
    if (Status status = check_outputs(); !status) return status;
    recording_.store(false);
    rewriting_.store(false);
    answer_ = command.manifest;
    end_recording(jni);
    answer_.clear();
  }
  // The class hook gives no new bytes any more, so classes come back as they were.
  const RetransformOutcome outcome = retransform_loaded(jni);
  for (const jvmtiEvent event : kEventsOfRecording) {
    jvmti_->SetEventNotificationMode(JVMTI_DISABLE, event, nullptr);
  }
  if (id_events_ != nullptr) id_events_->disable(jvmti_);
  note_in_manifest(command.manifest, "restored\t" + in_manifest(outcome));
  return {};
}

}  // namespace copse
