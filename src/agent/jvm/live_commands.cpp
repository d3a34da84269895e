// Commands to the agent of a running JVM: attach, detach, dump.
#include <array>
#include <ctime>
#include <new>
#include <span>
#include <string>
#include <utility>

#include "agent/jvm/agent_main.h"
#include "agent/jvm/jvm_agent.h"
#include "agent/jvm/jvm_names.h"
#include "agent/jvm/local_frame.h"
#include "agent/jvm/recordings/choose.h"
#include "agent/jvm/run_doubts.h"
#include "agent/jvm/run_report.h"
#include "agent/jvm/runtime/unrecorded.h"
#include "agent/line/manifest.h"
#include "agent/output_path.h"
#include "base/grouped.h"
#include "base/replaced_file.h"
#include "report/report_file.h"

namespace copse::jvm {
namespace {

// Events that are on only while recording. VM_DEATH stays on and finds nothing to do after a recording.
constexpr std::array kEventsOfRecording = {JVMTI_EVENT_THREAD_START, JVMTI_EVENT_THREAD_END,
                                           JVMTI_EVENT_CLASS_FILE_LOAD_HOOK,
                                           JVMTI_EVENT_CLASS_PREPARE};

// Returns the way in which a JVM is recorded, as a person calls it.
std::string way_of(const agent::AgentOptions& options) {
  if (agent::part<agent::ValueOptions>(options) != nullptr) return "values, for copse ptql";
  const auto* tree = agent::part<agent::TreeOptions>(options);
  if (tree == nullptr) return std::string(agent::mode_name(options));
  return tree->engine == agent::EngineKind::kInline && !options.jdk
             ? "calls"
             : "calls with --engine or --jdk";
}

bool is_dead(jvmtiEnv* jvmti) {
  jvmtiPhase phase{};
  return jvmti->GetPhase(&phase) == JVMTI_ERROR_NONE && phase == JVMTI_PHASE_DEAD;
}

}  // namespace

Status JvmAgent::attach(JavaVM* vm, JNIEnv* jni, agent::AgentOptions options, JvmAgent* before) {
  if (Status status = agent::check_attach_options(options); !status) return status;
  if (before != nullptr) {
    if (before->is_recording_.load()) {
      return Status::error(Fault::kRefused,
                           "this JVM: is recorded already (" + way_of(before->run_->options) +
                               "); copse dump writes what it has, copse detach ends it");
    }
    if (agent::has_sites(options) && !agent::has_sites(before->run_->options)) {
      return Status::error(
          Fault::kRefused,
          "this JVM: was recorded without call sites before, and cannot be recorded with them");
    }
    const RuntimeClass& runtime = before->run_->jvm.runtime;
    if (!runtime.can_start_again() || &probes_for(options) != &runtime.kind()) {
      const std::string first = way_of(before->run_->options);
      return Status::error(
          Fault::kRefused,
          "this JVM: was recorded before (" + first +
              "), and the classes for that stay in it and cannot record " + way_of(options) +
              "; start the program anew" +
              (runtime.can_start_again() ? ", or record " + first + " again" : ""));
    }
  }
  const Result<JvmAgent*> made =
      make(vm, std::move(options),
           {.is_attach = true, .jvm = before != nullptr ? &before->run_->jvm : nullptr});
  if (!made.ok()) return made.status();
  JvmAgent& agent = **made;
  const Status may =
      before == nullptr ? agent.take_capabilities() : agent.recording_->add_capabilities();
  if (!may) return may;
  agent::AttachedNote note;
  Status begun;
  try {
    // Before any class has probes: they would ask for a class that does not exist yet.
    begun = agent.start(jni);
    if (begun) {
      install_agent(vm, &agent);
      begun = agent.begin(jni, note);
    }
  } catch (const std::bad_alloc&) {
    begun = Status::error(Fault::kLimit, "memory: no room to begin the recording");
  }
  if (!begun) {
    const bool has_ended = is_dead(agent.run_->jvmti);  // and refuses threads and events
    if (agent.is_recording_.load()) {
      begun = agent.give_up(jni, begun);
    } else {
      agent.recording_->abandon();
      agent.recording_->leave();
      if (before == nullptr) agent.give_capabilities_back();
    }
    return has_ended ? Status::error(Fault::kRefused, "this JVM: has ended") : begun;
  }
  agent.start_snapshots();
  agent.run_->note(note);
  // Classes that come later may match; but somebody waits for the answer who can still put it
  // right.
  if (!agent.hook_->gave_probes()) {
    for (const RunDoubt& doubt : doubts_about_globs(agent.run_->jvmti, jni, agent.run_->jvm.loaders,
                                                    agent.run_->options, *agent.hook_)) {
      agent.run_->note(doubt.note);
    }
  }
  return {};
}

Status JvmAgent::begin(JNIEnv* jni, agent::AttachedNote& note) {
  if (Status status = enable(std::array{JVMTI_EVENT_VM_DEATH}); !status) return status;
  if (Status status = enable(kEventsOfRecording); !status) return status;
  run_->jvm.runtime.clear_words(jni);  // of threads that no event told of
  const RetransformOutcome outcome = retransform_loaded(jni);
  if (natives_ != nullptr) natives_->bind_loaded(jni);
  note = {run_->output_path, outcome.classes, outcome.refused,
          static_cast<std::uint64_t>(wall_ms())};
  recording_since_ = std::chrono::steady_clock::now();
  return recording_->begin(jni);
}

// The next attach has an environment of its own, and some capabilities are one environment's alone.
void JvmAgent::give_capabilities_back() {
  jvmtiCapabilities all{};
  if (run_->jvmti->GetCapabilities(&all) == JVMTI_ERROR_NONE) {
    run_->jvmti->RelinquishCapabilities(&all);
  }
}

Status JvmAgent::give_up(JNIEnv* jni, const Status& why) {
  {
    const std::lock_guard lock(report_mutex_);
    is_recording_.store(false);
    rewriting_.store(false);
    recording_->close(jni);
    recording_->abandon();
  }
  RetransformOutcome outcome;
  try {
    outcome = take_probes_out(jni);
  } catch (const std::bad_alloc&) {
    return Status::error(why.fault(), why.message() +
                                          "; nothing is recorded, and probes stay in "
                                          "some classes, where they do nothing");
  }
  return Status::error(why.fault(),
                       why.message() + "; nothing is recorded, and probes are out of " +
                           counted(outcome.classes, "class", "classes") +
                           (outcome.refused == 0 ? ""
                                                 : ", but not of " + grouped(outcome.refused) +
                                                       ", where they do nothing"));
}

// `loader`: nullptr means the boot loader.
bool JvmAgent::wants_again(JNIEnv* jni, jobject loader, std::string_view internal_name) {
  const bool jdk = run_->options.jdk;
  if (is_of_tasks(loader, internal_name)) return true;
  // With a field more than its class file has, which no class may gain or lose.
  if (jdk && internal_name == "java/lang/Thread") return false;
  if (loader == nullptr && !jdk && !recording_->wants_jdk()) return false;
  return hook_->wants(run_->jvm.loaders.identify(jni, loader), internal_name);
}

void JvmAgent::leave_as_it_is(std::string_view internal_name, std::string_view why) {
  run_->jvm.methods.skipped(
      internal_name, "",
      "loaded before Copse came, and the JVM refused to load it again: " + std::string(why));
}

RetransformOutcome JvmAgent::retransform_loaded(JNIEnv* jni) {
  // Other agents' transformers run too.
  const Unrecorded unrecorded(run_->jvm.runtime, run_->jvmti, jni);
  VirtualThreads& virtuals = run_->jvm.virtual_threads;
  if ((recording_->follows_tasks() || virtuals.tells_moves()) && rewriting_.load()) {
    virtuals.watch_now(jni);
  }
  return retransform_loaded_classes(
      run_->jvmti, jni,
      [&](jobject loader, std::string_view name) { return wants_again(jni, loader, name); },
      [&](std::string_view name, std::string_view why) { leave_as_it_is(name, why); });
}

void JvmAgent::class_prepare(JNIEnv* jni, jclass type) {
  if (!rewriting_.load(std::memory_order_relaxed)) return;
  const LocalFrame frame(jni);
  jobject loader = nullptr;
  if (run_->jvmti->GetClassLoader(type, &loader) != JVMTI_ERROR_NONE) return;
  const std::string name = internal_name(run_->jvmti, type);
  if (!wants_again(jni, loader, name)) return;
  const std::uint64_t loader_id = run_->jvm.loaders.identify(jni, loader).id;
  if (run_->jvm.methods.knows_class(loader_id, name) || !can_change(run_->jvmti, type)) return;
  const Unrecorded unrecorded(run_->jvm.runtime, run_->jvmti, jni);
  retransform_classes(
      run_->jvmti, std::span(&type, 1),
      [&](std::string_view refused, std::string_view why) { leave_as_it_is(refused, why); });
}

Status JvmAgent::dump(const agent::AgentOptions& command) {
  const std::string path = run_->expanded(command.out, std::time(nullptr));
  const std::lock_guard lock(report_mutex_);
  if (!is_recording_.load())
    return Status::error(Fault::kRefused, "this JVM: is not being recorded");
  if (Status status = report::check_report_ending(command.out); !status) return status;
  if (Status status = run_->check_report(path, recording_->has_id_file()); !status) return status;
  const Result<agent::FileNote> written = write_snapshot(path);
  if (!written.ok()) return written.status();
  agent::add_note(command.manifest, *written);
  return {};
}

// Called by: the snapshot thread.
void JvmAgent::write_snapshot() {
  const std::lock_guard lock(report_mutex_);
  if (!is_recording_.load()) return;
  const FolderLock folder(run_->output_path);
  run_->settle_output_path();
  const Result<agent::FileNote> written = write_snapshot(run_->output_path);
  run_->has_snapshot();
  if (!written.ok()) {
    if (!std::exchange(snapshot_failed_, true)) run_->fail(written.message());
  } else if (snapshots_ == 1) {
    run_->note(agent::PathNote{agent::PathNote::Kind::kSnapshot, run_->output_path});
  }
}

Result<agent::FileNote> JvmAgent::write_snapshot(const std::string& path) {
  return recording_->write_snapshot({path, ++snapshots_, wall_ms()});
}

Status JvmAgent::detach(JNIEnv* jni, const agent::AgentOptions& command) {
  snapshot_thread_.stop();
  {
    const std::lock_guard lock(report_mutex_);
    if (!is_recording_.load())
      return Status::error(Fault::kRefused, "this JVM: is not being recorded");
    // Better go on recording than lose it all.
    if (Status status = run_->check_files(recording_->has_id_file()); !status) return status;
    is_recording_.store(false);
    rewriting_.store(false);
    run_->answer = command.manifest;
    end_recording(jni, Program::kGoesOn);
    run_->answer.clear();
  }
  const RetransformOutcome outcome = take_probes_out(jni);
  agent::add_note(command.manifest, agent::RestoredNote{outcome.classes, outcome.refused});
  return {};
}

RetransformOutcome JvmAgent::take_probes_out(JNIEnv* jni) {
  if (natives_ != nullptr) natives_->stop(jni);
  // The class hook gives no new bytes any more, so classes come back as they were.
  const RetransformOutcome outcome = retransform_loaded(jni);
  for (const jvmtiEvent event : kEventsOfRecording) {
    // Threads that called natives must still be told when they end, to release what OwnWord remembers.
    if (event == JVMTI_EVENT_THREAD_END && natives_ != nullptr) continue;
    run_->jvmti->SetEventNotificationMode(JVMTI_DISABLE, event, nullptr);
  }
  recording_->leave();
  return outcome;
}

}  // namespace copse::jvm
