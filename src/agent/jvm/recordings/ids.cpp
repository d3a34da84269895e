#include "agent/jvm/recordings/ids.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "agent/jvm/hook/class_hook.h"
#include "agent/jvm/ids/id_report.h"
#include "agent/jvm/measures/allocation_natives.h"
#include "agent/jvm/measures/tree_allocations.h"
#include "agent/jvm/recordings/id_probes.h"
#include "agent/jvm/run_report.h"
#include "agent/line/figure_notes.h"
#include "agent/run_description.h"
#include "probes/context_id_probes.h"

namespace copse::jvm {
namespace {

const agent::IdOptions& options_of(const Run& run) {
  return std::get<agent::IdOptions>(run.options.mode);
}

}  // namespace

Result<std::unique_ptr<Recording>> IdsRecording::make(const Run& run) {
  Result<std::unique_ptr<RunIds>> ids = RunIds::make(run);
  if (!ids.ok()) return ids.status();
  return std::unique_ptr<Recording>(std::make_unique<IdsRecording>(run, std::move(ids).value()));
}

IdsRecording::IdsRecording(const Run& run, std::unique_ptr<RunIds> ids)
    : run_(run),
      ids_(std::move(ids)),
      names_(run.jvm.methods),
      kept_(run, &names_),
      events_(run.jvmti, *this, run.jvm.runtime, ids_->methods,
              events::kinds_of_measures(options_of(run).measures)) {
  if (options_of(run).encoder == agent::kStackWalk) {
    walk_ = std::make_unique<StackWalk>(run.jvmti);
  }
  // Before any class, so that there are ids left.
  for (std::size_t place = 0; place < events::kOutsidePlaces && !options_of(run).measures.empty();
       ++place) {
    outside_[place] = run.jvm.methods.stand_in(events::kOutsideNames[place]);
  }
  if (agent::measures(run.options, "alloc=exact")) {
    types_ = std::make_unique<AllocatedTypes>(run.jvm.methods);
  }
}

Result<classfile::Rewritten> IdsRecording::put_probes(
    const LoaderIdentity& loader, std::span<const std::uint8_t> bytes, classfile::ProbeHost& host,
    std::span<const classfile::NewField> new_fields) {
  if (walk_ != nullptr) {
    classfile::StackWalkProbes probes(host, ids_->places);
    return classfile::rewrite(bytes, probes, new_fields);
  }
  std::optional<LoadersTypes> types;
  if (types_ != nullptr) types.emplace(*types_, loader.id);
  classfile::ContextIdProbes probes({.long_operands = options_of(run_).encoder == "pcc",
                                     .vm_exceptions_record = run_.options.jdk,
                                     .has_events = !options_of(run_).measures.empty()},
                                    host, ids_->places, types ? &*types : nullptr);
  return classfile::rewrite(bytes, probes, new_fields);
}

std::optional<Recording::NativeEntry> IdsRecording::native_entry(MethodId method,
                                                                 std::string_view class_name,
                                                                 std::string_view name) {
  const std::optional<NativeEntry> entry = ids_->native_entry(method, class_name, name);
  return walk_ != nullptr && entry && !entry->is_marked ? std::nullopt : entry;
}

void IdsRecording::add(events::EventKind kind, std::uint64_t word,
                       shadowstack::ThreadHeader* header, std::uint64_t weight, MethodId) {
  ids_->ids.add_event(kind, word, {weight}, events::event_thread_of(header));
}

std::uint64_t IdsRecording::word_in(MethodId callee, std::uint64_t word,
                                    shadowstack::ThreadHeader&) {
  return ids_->ids.word_in(callee, word);
}

// Keeps the run from its start: there is no thread, call or event yet.
void IdsRecording::keep() {
  if (run_.options.keep.empty()) return;
  if (!ids_->ids.keep_in(kept_.start(), outside_)) {
    kept_.give_up(run_.options.keep + ": no room for the run");
  }
}

void IdsRecording::append_events() {
  std::map<std::string, std::string> about = agent::recording_options(run_.options);
  about.merge(agent::id_options(run_.options));
  const Status status = run_events_->append_to(run_.event_path, run_.program_info(std::move(about)),
                                               names_, outside_);
  if (status) {
    run_.note(agent::PathNote{agent::PathNote::Kind::kAppending, run_.event_path});
  } else {
    run_.fail_to_write(run_.event_path, status.message());  // events are summed all the same
    names_.end(NewNames::Reader::kEventFile);
  }
}

Status IdsRecording::start(JNIEnv* jni) {
  if (!run_.event_path.empty()) names_.begin(NewNames::Reader::kEventFile);
  keep();
  threads_ = &ids_->ids.threads();
  if (RunEvents::are_wanted(run_.options)) {
    run_events_ = std::make_unique<RunEvents>(run_, ids_->ids, ids_->methods);
    if (!run_.event_path.empty()) append_events();
    threads_ = &run_events_->threads();
    if (Status status = run_events_->start(jni); !status) return status;
  }
  RuntimeClass& runtime = run_.jvm.runtime;
  ids::AllocationCounts* const allocations =
      run_events_ != nullptr ? run_events_->allocations() : nullptr;
  if (Status status = start_allocations(runtime, run_.jvmti, jni, allocations, types_.get());
      !status) {
    return status;
  }
  const RuntimeClass::Threads threads = run_events_ != nullptr
                                            ? run_events_->threads_to_start()
                                            : RuntimeClass::Threads{.recorder = *threads_};
  const IdRun run{.ids = &ids_->ids,
                  .missing = ids_->missing(),
                  .walk = walk_.get(),
                  .asking_is_event = agent::measures(run_.options, "ids")};
  if (Status status = start_id_probes(runtime, jni, run, threads); !status) return status;
  ids_->keep_origins({});
  if (Status status = ids_->start(jni); !status) return status;
  if (run_events_ != nullptr) {
    if (const Status status = run_events_->start_counting(jni); !status)
      run_.fail(status.message());
  }
  return events_.enable(run_.jvmti);
}

void IdsRecording::stop(double wall_ms) {
  if (run_events_ != nullptr) run_events_->stop();
  ids_->ids.end_events();
  ids_->stop();
  if (run_events_ != nullptr && run_events_->appends()) end_event_file(wall_ms);
}

void IdsRecording::end_event_file(double wall_ms) {
  const events::EventLog::Finished ended = run_events_->finish(wall_ms);
  // One line, though the end may fail for the same reason as a block before it.
  if (const Status& why = ended.end_written.ok() ? ended.failure : ended.end_written; !why) {
    run_.fail_to_write(run_.event_path, why.message());
  }
  run_.wrote({.kind = agent::FileNote::Kind::kEvents,
              .path = run_.event_path,
              .count = ended.events,
              .size = ended.bytes,
              .lost = ended.lost,
              .program = run_.program});
}

bool IdsRecording::recorded_nothing() {
  const auto none = [&](events::EventKind kind) { return ids_->ids.events(kind).seen == 0; };
  return none(events::EventKind::kMark) &&
         std::all_of(events_.kinds().begin(), events_.kinds().end(), none);
}

Result<agent::FileNote> IdsRecording::write_snapshot(const SnapshotToWrite& to_write) {
  if (run_events_ != nullptr) run_events_->count_waiting();
  return write_report(to_write, ids_->notes());
}

void IdsRecording::finish(const End& end) {
  ids_->ids.end_ids();
  std::vector<std::string> notes = ids_->notes();
  if (run_events_ != nullptr) {
    for (std::string& note : run_events_->notes()) notes.push_back(std::move(note));
  }
  notes.insert(notes.end(), end.notes.begin(), end.notes.end());
  EncoderFigures figures = figures_of(ids_->ids, options_of(run_).encoder);
  if (walk_ != nullptr && walk_->walks() != 0) {
    figures.tokens = walk_->walks();
    figures.stack = walk_->frames();
  }
  for (const agent::Note& note : agent::notes_of(run_.output_path, figures)) run_.note(note);
  const Result<agent::FileNote> written =
      write_report({run_.output_path, 0, end.wall_ms}, std::move(notes), std::move(figures));
  if (!written.ok()) return run_.fail_to_write(run_.output_path, written.message());
  kept_.finish();
  run_.wrote(*written);
}

Result<agent::FileNote> IdsRecording::write_report(const SnapshotToWrite& to_write,
                                                   std::vector<std::string> notes,
                                                   std::optional<EncoderFigures> encoder) {
  report::ProgramTables about = describe_run(run_, to_write.wall_ms);
  about.encoder = std::move(encoder);
  if (run_events_ != nullptr) about.timeline = run_events_->timeline();
  about.program.snapshot = to_write.number;
  about.options.merge(agent::id_options(run_.options));
  about.notes.push_back(agent::id_note(run_.options));
  for (std::string& note : notes) about.notes.push_back(std::move(note));
  for (const shadowstack::ThreadRow& thread : threads_->threads()) {
    about.threads.push_back({thread.runtime_id, thread.name, 0, 0, thread.threads});
  }
  const Result<ids::IdTotals> written =
      write_id_report({.ids = ids_->ids,
                       .methods = run_.jvm.methods,
                       .kinds = events_.kinds(),
                       .outside = outside_,
                       .about = std::move(about),
                       .path = to_write.path,
                       .max_contexts = run_.options.max_contexts});
  if (!written.ok()) return written.status();
  return agent::FileNote{.kind = agent::FileNote::Kind::kIds,
                         .path = to_write.path,
                         .count = written->events,
                         .size = written->contexts,
                         .lost = written->events_lost,
                         .program = run_.program};
}

}  // namespace copse::jvm
