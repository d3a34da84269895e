#include "agent/jvm/hook/selected_probes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "agent/jvm/ids/mismatch_text.h"
#include "base/grouped.h"

namespace copse::jvm {

SelectedProbes::SelectedProbes(const Run& run, std::unique_ptr<ProbeSelection> selection,
                               RecordedMethods& methods)
    : run_(run),
      selection_(std::move(selection)),
      late_(run, *selection_),
      missing_(run.jvmti, methods, *selection_, late_) {}

Status SelectedProbes::start(JNIEnv* jni) { return late_.start(jni); }

void SelectedProbes::stop(const ids::ContextIds& ids) {
  late_.stop();
  doubt_ = selection_->has_targets()
               ? what_is_missing(ids)
               : agent::graph_of(run_.options) +
                     ": has no marked method, so --selective left no method out";
  if (doubt_.empty()) return;
  run_.note(agent::TextNote{agent::TextNote::Kind::kWarning, doubt_});
  run_.say(doubt_);
}

std::string SelectedProbes::what_is_missing(const ids::ContextIds& ids) const {
  const MissingFrames::Outcome found = missing_.outcome();
  if (found.methods.empty()) return "";
  std::uint64_t marks = 0;
  for (const auto& sum : ids.events(events::EventKind::kMark).sums) {
    if (found.ids.contains(sum.id)) marks += sum.count;
  }
  return agent::graph_of(run_.options) +
         ": lacks calls that lead to marked methods: " + counted(found.ids.size(), "context") +
         (marks == 0 ? "" : ", with " + counted(marks, "marked call") + ",") +
         " may lack frames of " + names_text(found.methods, kMostNamed, run_.jvm.methods) + ". " +
         counted(selection_->counts().late, "method") +
         " got probes while the program ran, and later contexts have their frames";
}

std::vector<std::string> SelectedProbes::notes() const {
  const ProbeSelection::Counts counts = selection_->counts();
  std::vector<std::string> notes;
  if (selection_->has_targets()) {
    notes.push_back("--selective: " + counted(counts.left_out, "method") +
                    " without probes, because by " + agent::graph_of(run_.options) +
                    " no marked method is reached from there; contexts have no frames of them. " +
                    counted(counts.with, "method") + " with probes; of these it lacks " +
                    grouped(counts.unknown) + ".");
  }
  if (!doubt_.empty()) notes.push_back(doubt_ + ".");
  const MissingFrames::Outcome found = missing_.outcome();
  if (found.cut != 0) {
    notes.push_back(
        "--selective: " + grouped(found.cut) + " of " + counted(found.checks, "look") +
        " at the stack did not get as far out as they were to, because marked contexts are "
        "deep and mostly new; methods that the graph lacks may have gone unnoticed there.");
  }
  return notes;
}

}  // namespace copse::jvm
