// What an agent does when recording ends: the files it writes, and what it says of them.
#include <algorithm>
#include <new>
#include <utility>

#include "agent/jvm/id_report.h"
#include "agent/jvm/jvm_agent.h"
#include "agent/jvm/jvm_names.h"
#include "agent/jvm/run_doubts.h"
#include "agent/jvm/run_trace.h"
#include "agent/manifest.h"
#include "agent/run_description.h"

namespace copse {

void JvmAgent::rename_live_threads(JNIEnv* jni) {
  jint count = 0;
  jthread* threads = nullptr;
  if (jvmti_->GetAllThreads(&count, &threads) != JVMTI_ERROR_NONE) return;
  for (jint i = 0; i < count; ++i) {
    if (ThreadHeader* header = runtime_.header_of(jni, threads[i]); header != nullptr) {
      threads_->rename(header, thread_name(jvmti_, jni, threads[i]));
    }
    jni->DeleteLocalRef(threads[i]);
  }
  jvmti_->Deallocate(reinterpret_cast<unsigned char*>(threads));
}

void JvmAgent::vm_death(JNIEnv* jni) {
  rewriting_.store(false);
  // First, since it may be writing.
  snapshot_thread_.stop();
  const std::lock_guard lock(report_mutex_);
  if (!recording_.exchange(false)) return;
  end_recording(jni);
  // Of the command that started this JVM, should it have been killed.
  remove_abandoned(options_.keep, options_.manifest);
}

double JvmAgent::wall_ms() const {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() -
                                                   recording_since_)
      .count();
}

void JvmAgent::end_recording(JNIEnv* jni) {
  rename_live_threads(jni);
  threads_->close();
  const double recorded_ms = wall_ms();
  if (ids_ != nullptr && ids_->tables() != nullptr) doubt_graph();
  if (ids_ != nullptr && validation_ == nullptr) end_events(recorded_ms);
  doubt_options(jni);
  if (ids_ != nullptr && validation_ == nullptr) {
    write_id_report(recorded_ms);
  } else if (trace_ != nullptr) {
    end_trace(recorded_ms);
  } else {
    write_report(recorded_ms);
  }
}

bool JvmAgent::recorded_nothing() const {
  if (ids_ == nullptr || validation_ != nullptr) return threads_->calls_seen() == 0;
  const auto none = [&](EventKind kind) { return ids_->events(kind).seen == 0; };
  return none(EventKind::kMark) &&
         std::all_of(id_events_->kinds().begin(), id_events_->kinds().end(), none);
}

void JvmAgent::doubt_options(JNIEnv* jni) try {
  std::vector<RunDoubt> doubts = doubts_about_globs(jvmti_, jni, jvm_.loaders, options_, *hook_);
  if (recorded_nothing()) {
    for (RunDoubt& doubt : doubts_about_emptiness(options_, *hook_, attached_)) {
      doubts.push_back(std::move(doubt));
    }
  }
  for (RunDoubt& doubt : doubts) {
    note(doubt.manifest_line);
    say("copse: " + doubt.sentence);
    doubts_.push_back(std::move(doubt.sentence));
  }
} catch (const std::bad_alloc&) {
  // No hint is worth the report that comes next.
}

void JvmAgent::doubt_graph() const {
  const std::string doubt = doubt_about_graph(options_.graph, ids_->tables()->stats().graph);
  if (doubt.empty()) return;
  note("warning\t" + doubt);
  say("copse: " + doubt);
}

void JvmAgent::write_report(double wall_ms) {
  const ContextTree& tree = trees_ != nullptr ? trees_->tree() : engine_->finish();
  const std::uint64_t without_room =
      trees_ != nullptr ? trees_->calls_without_room() : engine_->stats().calls_lost;
  const unsigned workers = trees_ != nullptr ? 0 : engine_->stats().workers;
  std::vector<ThreadRow> threads = threads_->threads();
  if (validation_ != nullptr) validation_->finish(tree, methods_, threads);
  const std::uint64_t id_words = validation_ != nullptr ? validation_->id_word_records() : 0;
  std::vector<std::string> notes =
      validation_ != nullptr ? validation_->notes() : std::vector<std::string>();
  notes.insert(notes.end(), doubts_.begin(), doubts_.end());
  const Result<RunTotals> written =
      write_run_report({.runtime = runtime_name_,
                        .options = options_,
                        .methods = methods_,
                        .tree = tree,
                        .threads = std::move(threads),
                        .calls_seen = threads_->calls_seen() - id_words,
                        .calls_lost = threads_->calls_lost() + without_room,
                        .calls_without_room = without_room,
                        .packets = threads_->packets(),
                        .workers = workers,
                        .started = started_,
                        .wall_ms = wall_ms,
                        .snapshot = 0,
                        .attached = attached_,
                        .notes = std::move(notes),
                        .path = output_path_});
  if (validation_ != nullptr) end_validation();
  if (!written.ok()) return fail(written.message());
  if (keeper_ != nullptr) keeper_->finish();
  note(line_of_file("report", output_path_,
                    {written->calls, written->contexts, written->calls_lost}, program_));
  say("copse: " + std::to_string(written->calls) + " calls in " +
      std::to_string(written->contexts) + " contexts, " + std::to_string(written->calls_lost) +
      " lost: " + output_path_);
}

void JvmAgent::end_events(double wall_ms) {
  if (run_events_ != nullptr) run_events_->stop();
  ids_->end_events();
  if (run_events_ == nullptr || !run_events_->appends()) return;
  const EventLog::Finished ended = run_events_->finish(wall_ms);
  // One line, though the end may fail for the same reason as a block before it.
  if (const Status& why = ended.end_written.ok() ? ended.failure : ended.end_written; !why) {
    fail(why.message());
  }
  note(line_of_file("events", event_path_, {ended.events, ended.bytes, ended.lost}, program_));
  say("copse: " + std::to_string(ended.events) + " events in " + std::to_string(ended.bytes) +
      " bytes, " + std::to_string(ended.lost) + " lost: " + event_path_);
}

void JvmAgent::write_id_report(double wall_ms) {
  ProgramTables about = describe_run(runtime_name_, options_, started_, wall_ms);
  about.options.merge(id_options(options_));
  about.notes.push_back(id_note(options_));
  about.notes.insert(about.notes.end(), doubts_.begin(), doubts_.end());
  for (const ThreadRow& thread : threads_->threads()) {
    about.threads.push_back({thread.runtime_id, thread.name, 0, 0, thread.threads});
  }
  const Result<IdTotals> written = copse::write_id_report(*ids_, methods_, id_events_->kinds(),
                                                          outside_, std::move(about), output_path_);
  if (!written.ok()) return fail(written.message());
  note(line_of_file("ids", output_path_, {written->events, written->contexts, written->events_lost},
                    program_));
  say("copse: " + std::to_string(written->events) + " events in " +
      std::to_string(written->contexts) + " contexts, " + std::to_string(written->events_lost) +
      " lost: " + output_path_);
}

// What it found counts although the report may not have found room.
void JvmAgent::end_validation() {
  for (const std::string& line : validation_->manifest_lines(output_path_)) note(line);
  if (const Status status = validation_->save_ids(methods_, output_path_); !status) {
    fail(status.message());
  }
}

void JvmAgent::end_trace(double wall_ms) {
  const Result<TraceTotals> ended =
      finish_trace(*trace_, *recorder_, options_, methods_, doubts_, wall_ms);
  if (!ended.ok()) return fail(ended.message());
  if (!ended->first_failure.ok()) fail(ended->first_failure.message());
  note(line_of_file("trace", output_path_, {ended->calls, ended->bytes, ended->calls_lost},
                    program_));
  say("copse: " + std::to_string(ended->calls) + " calls in " + std::to_string(ended->bytes) +
      " bytes, " + std::to_string(ended->calls_lost) + " lost: " + output_path_);
}

}  // namespace copse
