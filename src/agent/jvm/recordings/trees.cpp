#include "agent/jvm/recordings/trees.h"

#include <functional>
#include <string_view>
#include <utility>

#include "agent/engine_options.h"
#include "agent/jvm/hook/class_hook.h"
#include "agent/jvm/jvm_names.h"
#include "agent/jvm/recordings/call_probes.h"
#include "agent/jvm/recordings/current_span.h"
#include "agent/jvm/recordings/task_natives.h"
#include "agent/jvm/recordings/tree_probes.h"
#include "agent/jvm/run_report.h"
#include "agent/jvm/stopped_threads.h"
#include "agent/memory_bound.h"
#include "cct/inplace/inline_layout.h"

namespace copse::jvm {
namespace {

// Suspends frames, and resumes them whenever it likes. The JDK itself does so for virtual threads
// alone.
bool names_continuations(std::span<const std::uint8_t> class_file) {
  const std::string_view text(reinterpret_cast<const char*>(class_file.data()), class_file.size());
  return text.find("jdk/internal/vm/Continuation") != std::string_view::npos;
}

}  // namespace

Result<std::unique_ptr<Recording>> TreesRecording::make(const Run& run) {
  return std::unique_ptr<Recording>(std::make_unique<TreesRecording>(run));
}

TreesRecording::TreesRecording(const Run& run)
    : run_(run),
      kept_(run),
      measures_(run, [this] { kept_.add_names(); }),
      groups_(run.jvm.methods, std::get<agent::TreeOptions>(run.options.mode).by_thread),
      slices_(std::get<agent::TreeOptions>(run.options.mode).slices, {}),
      methods_(run.jvmti, run.jvm.methods,
               [&loaders = run.jvm.loaders](JNIEnv* jni, jobject loader) {
                 return loaders.identify(jni, loader).id;
               }),
      events_(run.jvmti, measures_, run.jvm.runtime, methods_, measures_.event_kinds()) {}

Result<classfile::Rewritten> TreesRecording::put_probes(
    const LoaderIdentity& loader, std::span<const std::uint8_t> bytes, classfile::ProbeHost& host,
    std::span<const classfile::NewField> new_fields) {
  constexpr auto kSiteUnit = static_cast<std::uint32_t>(cct::kInlineSlotBytes);
  classfile::ShadowStackProbeOptions options = call_probe_options(run_.options, kSiteUnit);
  options.word_in_thread = true;
  const std::function<bool(const classfile::MethodView&)> begins_slice =
      [this](const classfile::MethodView& method) {
        return slices_.includes_method(dotted(method.class_name), method.name);
      };
  if (!slices_.include().empty()) options.begins_slice = &begins_slice;
  options.answers_slices = true;
  options.tells_starts = follows_tasks() && !loader.is_jdk;
  return put_measured_probes(options, measures_, loader.id, bytes, host, new_fields);
}

void TreesRecording::sees_class(std::span<const std::uint8_t> bytes) {
  look_for_spans_in(bytes);
  if (!names_continuations(bytes)) return;
  has_continuations_.store(true);
  if (started_.load()) trees_->keep_all_nodes();
}

Status TreesRecording::start(JNIEnv* jni) {
  MethodTable& methods = run_.jvm.methods;
  try {
    trees_ = std::make_unique<cct::InlineTrees>(
        agent::memory_bound(run_.options),
        [&methods](MethodId method) { return methods.site_count(method); }, kept_.start(),
        agent::recursion_options(run_.options), run_.jvm.trees);
  } catch (const cct::NoNumbersLeft&) {
    return Status::error(Fault::kLimit,
                         "this JVM: its recordings have used up the addresses for trees; start the "
                         "program anew to record it again");
  }
  run_.jvm.trees = trees_.get();
  const auto& tree_options = std::get<agent::TreeOptions>(run_.options.mode);
  // Without the option slices begin in code alone.
  if (Status status = trees_->follow_slices(tree_options.keep_slices, !tree_options.slices.empty());
      !status) {
    return status;
  }
  start_tagging_tasks(run_.jvmti);
  start_asking_for_spans(run_.jvmti, run_.jvm.runtime, run_.attached);
  if (run_.attached) trees_->wait_to_begin();
  if (tree_options.by_thread != agent::ByThread::kNo) {
    trees_->group_threads([this](std::string_view name) {
      const MethodId group = groups_.of(name);
      kept_.add_names();  // before the memory of the run has a node of it
      return group;
    });
  }
  if (Status status = measures_.start(jni, *trees_, *trees_, methods_); !status) return status;
  if (Status status = start_tree_probes(run_.jvm, jni, *trees_, measures_.threads_to_start());
      !status) {
    return status;
  }
  if (Status status = measures_.start_counting(jni); !status) return status;
  started_.store(true);
  if (has_continuations_.load()) trees_->keep_all_nodes();
  return run_.attached ? Status() : events_.enable(run_.jvmti);
}

Status TreesRecording::begin(JNIEnv* jni) {
  {
    const StoppedThreads stopped(run_.jvmti, jni);
    measures_.forget();
    if (Status status = trees_->begin(); !status) return status;
  }
  if (Status status = measures_.begin(jni); !status) return status;
  return events_.enable(run_.jvmti);
}

Result<agent::FileNote> TreesRecording::write_snapshot(const SnapshotToWrite& to_write) {
  measures_.count_waiting();
  Result<cct::RecordingSnapshot> taken = trees_->snapshot();
  if (!taken.ok()) return taken.status();
  std::vector<report::ProgramTables::Measure> measured =
      measures_.measures(std::move(taken->measured), *taken->tree, taken->threads);
  return write_tree_snapshot(run_, std::move(*taken), std::move(measured), measures_.timeline(),
                             to_write);
}

void TreesRecording::close(JNIEnv* jni) {
  measures_.stop();
  const StoppedThreads stopped(run_.jvmti, jni);
  measures_.close_threads();
}

void TreesRecording::finish(const End& end) {
  std::vector<shadowstack::ThreadRow> threads = trees_->threads();
  std::vector<report::ProgramTables::Measure> measured =
      measures_.measures(trees_->lay_measured(), trees_->tree(), threads);
  std::vector<std::string> notes = measures_.notes();
  notes.insert(notes.end(), end.notes.begin(), end.notes.end());
  const std::uint64_t without_room = trees_->calls_without_room();
  std::optional<cct::LaidSlices> slices = trees_->slices();
  trees_->keep_tree_alone();
  const Result<RunTotals> written =
      write_run_report({.run = run_,
                        .tree = trees_->tree(),
                        .threads = std::move(threads),
                        .calls_seen = trees_->calls_seen(),
                        .calls_lost = trees_->calls_lost() + without_room,
                        .calls_without_room = without_room,
                        .wall_ms = end.wall_ms,
                        .notes = std::move(notes),
                        .measures = std::move(measured),
                        .timeline = measures_.timeline(),
                        .slices = std::move(slices),
                        .path = run_.output_path});
  if (written.ok()) kept_.finish();
  tell_of_report(run_, written);
}

void TreesRecording::leave() noexcept {
  if (trees_ != nullptr && !kept_.is_kept()) trees_->leave();
}

}  // namespace copse::jvm
