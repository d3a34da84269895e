#include "agent/jvm/selected_probes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "agent/jvm/mismatch_text.h"

namespace copse::jvm {
namespace {

constexpr std::size_t kMostNamed = 5;

}  // namespace

SelectedProbes::SelectedProbes(const Run& run, std::unique_ptr<ProbeSelection> selection,
                               RecordedMethods& methods)
    : run_(run),
      selection_(std::move(selection)),
      late_(run, *selection_),
      missing_(run.jvmti, methods, *selection_, late_) {}

Status SelectedProbes::start(JNIEnv* jni) { return late_.start(jni); }

void SelectedProbes::stop(const context_id::ContextIds& ids) {
  late_.stop();
  doubt_ = selection_->has_targets()
               ? what_is_missing(ids)
               : run_.options.graph + ": has no marked method, so --selective left no method out";
  if (doubt_.empty()) return;
  run_.note(agent::TextNote{agent::TextNote::Kind::kWarning, doubt_});
  run_.say(doubt_);
}

std::string SelectedProbes::what_is_missing(const context_id::ContextIds& ids) const {
  const MissingFrames::Outcome found = missing_.outcome();
  if (found.methods.empty()) return "";
  std::uint64_t marks = 0;
  for (const auto& sum : ids.events(events::EventKind::kMark).sums) {
    if (found.ids.contains(sum.id)) marks += sum.count;
  }
  return run_.options.graph +
         ": lacks calls that lead to marked methods: " + std::to_string(found.ids.size()) +
         " contexts" +
         (marks == 0 ? "" : ", with " + std::to_string(marks) + " calls of marked methods,") +
         " may lack frames of " + names_text(found.methods, kMostNamed, run_.jvm.methods) + ". " +
         std::to_string(selection_->counts().late) +
         " methods got their probes while the program ran, and later contexts have them";
}

std::vector<std::string> SelectedProbes::notes() const {
  const ProbeSelection::Counts counts = selection_->counts();
  std::vector<std::string> notes;
  if (selection_->has_targets()) {
    notes.push_back("--selective: " + std::to_string(counts.left_out) +
                    " methods have no probes, because by " + run_.options.graph +
                    " they lead to no marked method; contexts have no frames of them. " +
                    std::to_string(counts.with) + " methods have probes, of which it lacks " +
                    std::to_string(counts.unknown) + ".");
  }
  if (!doubt_.empty()) notes.push_back(doubt_ + ".");
  return notes;
}

}  // namespace copse::jvm
