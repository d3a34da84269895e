// The agent's work at the end of recording.
#include <chrono>
#include <exception>
#include <new>
#include <thread>
#include <utility>

#include "agent/jvm/jvm_agent.h"
#include "agent/jvm/jvm_names.h"
#include "agent/jvm/local_frame.h"
#include "agent/jvm/run_doubts.h"
#include "agent/line/kept_folder.h"
#include "base/replaced_file.h"

namespace copse::jvm {

void JvmAgent::rename_live_threads(JNIEnv* jni) {
  jvmtiEnv* const jvmti = run_->jvmti;
  jint count = 0;
  jthread* threads = nullptr;
  const LocalFrame frame(jni);
  if (jvmti->GetAllThreads(&count, &threads) != JVMTI_ERROR_NONE) return;
  for (jint i = 0; i < count; ++i) {
    if (shadowstack::ThreadHeader* header = run_->jvm.runtime.header_of(jni, threads[i]);
        header != nullptr) {
      recording_->threads().rename(header, run_->jvm.runtime.name_of(jni, threads[i]));
    }
  }
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(threads));
}

void JvmAgent::vm_death(JNIEnv* jni) {
  rewriting_.store(false);
  // First, since it may be writing.
  snapshot_thread_.stop();
  const std::lock_guard lock(report_mutex_);
  if (!is_recording_.exchange(false)) return;
  try {
    end_recording(jni, Program::kEnds);
  } catch (const std::exception& error) {
    run_->fail_to_write(run_->output_path, run_->output_path + ": " + error.what());
  }
  // Cleans up after the command that started this JVM, in case the command was killed.
  agent::remove_abandoned(run_->options.keep, run_->options.manifest);
}

// A thread that is not the JVM's does the work, since the one that exits may be in any state. Should the JVM keep a thread
// of ours from ending, the program ends all the same.
void JvmAgent::process_exits() {
  constexpr std::chrono::seconds kMostToStop(10);
  if (!is_recording_.load() || getpid() != process_) return;  // a child that was forked exits
  std::future<void> stopped = stopped_.get_future();
  std::thread ending([this] {
    try {
      vm_death(nullptr);
    } catch (const std::exception& error) {
      run_->fail_to_write(run_->output_path, run_->output_path + ": " + error.what());
    }
  });
  if (stopped.wait_for(kMostToStop) == std::future_status::ready) return ending.join();
  ending.detach();
  run_->fail_to_write(
      run_->output_path,
      run_->output_path + ": not written: the JVM did not end, and its process exits");
}

double JvmAgent::wall_ms() const {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() -
                                                   recording_since_)
      .count();
}

void JvmAgent::end_recording(JNIEnv* jni, Program program) {
  if (jni != nullptr) rename_live_threads(jni);
  const double recorded_ms = wall_ms();
  if (program == Program::kGoesOn) {
    recording_->close(jni);
  } else {
    recording_->threads().close();
  }
  recording_->stop(recorded_ms);
  stopped_.set_value();
  const std::vector<std::string> notes = doubts_about_options(jni);
  if (!agent::writes_report(run_->options)) return recording_->finish({recorded_ms, notes});
  const FolderLock lock(run_->output_path);
  run_->settle_output_path();
  recording_->finish({recorded_ms, notes});
}

std::vector<std::string> JvmAgent::doubts_about_options(JNIEnv* jni) {
  std::vector<std::string> sentences;
  try {
    const agent::AgentOptions& options = run_->options;
    std::vector<RunDoubt> doubts;
    if (jni != nullptr) {
      doubts = doubts_about_globs(run_->jvmti, jni, run_->jvm.loaders, options, *hook_);
    }
    if (recording_->recorded_nothing()) {
      for (RunDoubt& doubt : doubts_about_emptiness(options, *hook_, run_->attached)) {
        doubts.push_back(std::move(doubt));
      }
    }
    for (RunDoubt& doubt : doubts_about_debuggers()) doubts.push_back(std::move(doubt));
    for (RunDoubt& doubt : doubts_about_class_files(*hook_)) doubts.push_back(std::move(doubt));
    for (RunDoubt& doubt : doubts) {
      run_->note(doubt.note);
      run_->say(doubt.sentence);
      sentences.push_back(std::move(doubt.sentence));
    }
    if (std::string note = note_about_handlers(*hook_); !note.empty()) {
      sentences.push_back(std::move(note));
    }
  } catch (const std::bad_alloc&) {
    // No hint is worth the report that comes next.
  }
  return sentences;
}

}  // namespace copse::jvm
