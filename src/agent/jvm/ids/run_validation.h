// A run that checks its encoder: ids in packets are compared with the calls there (src/encoders/validation),
// a share of them with the JVM's stack.
//
// Threads: what the parts say of themselves; finish() and what follows it, whoever ends recording.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "agent/jvm/hook/method_table.h"
#include "agent/jvm/hook/selected_probes.h"
#include "agent/jvm/ids/stack_check.h"
#include "agent/jvm/runtime/runtime_class.h"
#include "agent/line/note.h"
#include "agent/options.h"
#include "cct/packets/folder.h"
#include "encoders/validation/id_word_check.h"
#include "shadowstack/thread_rows.h"

namespace copse::jvm {

class RunValidation {
 public:
  // `ids`: of the encoder that the options name. `selected`: null where all methods get probes.
  RunValidation(jvmtiEnv* jvmti, const agent::AgentOptions& options, context_id::ContextIds& ids,
                RecordedMethods& recorded_methods, const SelectedProbes* selected);

  // For EngineOptions::make_folder.
  std::function<std::unique_ptr<cct::Folder>()> folders();
  RuntimeClass::IdWordRun id_word_run(shadowstack::Recorder& recorder, std::uint64_t packet_bytes);

  // Recording has ended and this is its tree. `threads`: rows of all records, which become those of
  // calls.
  void finish(const cct::ContextTree& tree, const MethodTable& methods,
              std::vector<shadowstack::ThreadRow>& threads);
  // The rest after finish(). Records that were no calls, without those that were lost:
  std::uint64_t id_word_records() const noexcept { return outcome_.words.records; }
  // What another process needs to decode the ids, beside the report.
  Status save_ids(const MethodTable& methods, const std::string& report) const;
  // For the report.
  std::vector<std::string> notes() const;
  // For the command; the second one only if there was a mismatch.
  std::vector<agent::Note> findings(const std::string& report) const;

 private:
  // Of the encoder in the run's own terms.
  class IdDecoder final : public validation::IdWordDecoder {
   public:
    IdDecoder(context_id::ContextIds& ids, const SelectedProbes* selected)
        : ids_(ids), selected_(selected) {}
    std::uint64_t id_of(std::uint64_t word) const override { return ids_.id_of(word); }
    bool may_be_left_out(MethodId method) const override {
      return selected_ != nullptr &&
             selected_->selection().state(method) != ProbeSelection::State::kGiven;
    }
    bool decodes() const noexcept override { return ids_.tables() != nullptr; }
    Result<CallPath> decode(std::uint64_t id) const override { return ids_.tables()->decode(id); }
    std::optional<LastCall> last_call(std::uint64_t id) const override {
      const auto last = ids_.tables()->last_call(id);
      return last ? std::optional(LastCall{last->edge, last->caller}) : std::nullopt;
    }
    bool is_root(std::uint64_t id) const override { return ids_.tables()->is_root(id); }

   private:
    context_id::ContextIds& ids_;
    const SelectedProbes* const selected_;
  };

  std::string first_wrong(const MethodTable& methods,
                          const std::vector<shadowstack::ThreadRow>& threads) const;

  const agent::AgentOptions& options_;
  context_id::ContextIds& ids_;
  const IdDecoder decoder_;
  validation::IdWordCheck check_;
  std::unique_ptr<StackCheck> stack_check_;  // null: no id goes there

  validation::IdWordCheck::Outcome outcome_;  // since finish(), as all below
  StackCheck::Outcome stacks_;
  std::string first_wrong_;  // "": none
  std::string lacking_;      // names of methods whose frames ids leave out; "": none
};

}  // namespace copse::jvm
