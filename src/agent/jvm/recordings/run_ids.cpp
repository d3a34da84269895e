#include "agent/jvm/recordings/run_ids.h"

#include <utility>

#include "agent/jvm/ids/id_numbering.h"
#include "agent/jvm/ids/id_report.h"
#include "agent/memory_bound.h"
#include "base/grouped.h"

namespace copse::jvm {

Result<std::unique_ptr<RunIds>> RunIds::make(const Run& run) {
  auto selection = ProbeSelection::make(run.options, run.jvm.methods);
  if (!selection.ok()) return selection.status();
  auto numbering = make_numbering(run.options, run.jvm.methods, selection->get());
  if (!numbering.ok()) return numbering.status();
  return std::make_unique<RunIds>(run, std::move(numbering).value(), std::move(selection).value());
}

RunIds::RunIds(const Run& its_run, std::unique_ptr<encoders::CodeNumbering> numbering,
               std::unique_ptr<ProbeSelection> selection)
    : run(its_run),
      ids(std::move(numbering), agent::memory_bound(run.options)),
      methods(run.jvmti, run.jvm.methods,
              [&loaders = run.jvm.loaders](JNIEnv* jni, jobject loader) {
                return loaders.identify(jni, loader).id;
              }),
      places(ids, agent::part<agent::EncoderOptions>(run.options)->marks, selection.get()) {
  if (decode()) run.jvm.virtual_threads.tell_starts();
  if (selection == nullptr) return;
  selected = std::make_unique<SelectedProbes>(run, std::move(selection), methods);
}

std::optional<Recording::NativeEntry> RunIds::native_entry(MethodId method,
                                                           std::string_view class_name,
                                                           std::string_view name) {
  const std::optional<std::int64_t> place = ids.place(method, 0);
  if (!place) return std::nullopt;
  {
    const std::lock_guard lock(natives_mutex_);
    natives_.insert(method);
  }
  return Recording::NativeEntry{*place, places.is_marked(class_name, name)};
}

std::set<MethodId> RunIds::natives() const {
  const std::lock_guard lock(natives_mutex_);
  return natives_;
}

void RunIds::keep_origins(const StartedThreads::Packets& packets) {
  if (!decode()) return;
  started_ = std::make_unique<StartedThreads>(run.jvm, ids, packets);
  tell_thread_starts_to(*started_);
}

Status RunIds::start(JNIEnv* jni) { return selected == nullptr ? Status() : selected->start(jni); }

void RunIds::stop() {
  doubt_graph();
  if (selected != nullptr) selected->stop(ids);
}

std::vector<std::string> RunIds::notes() const {
  std::vector<std::string> notes =
      selected == nullptr ? std::vector<std::string>() : selected->notes();
  if (const std::uint64_t missing = ids.origins_not_kept(); missing != 0) {
    notes.push_back("The contexts in which threads were started lack " +
                    counted(missing, "thread") + ": too many were started.");
  }
  return notes;
}

void RunIds::doubt_graph() const {
  if (!decode()) return;
  const std::string doubt =
      doubt_about_graph(agent::graph_of(run.options), ids.tables()->stats().graph);
  if (doubt.empty()) return;
  run.note(agent::TextNote{agent::TextNote::Kind::kWarning, doubt});
  run.say(doubt);
}

}  // namespace copse::jvm
