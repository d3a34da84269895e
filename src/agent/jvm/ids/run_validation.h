// Checks the encoder of a run: compares ids in packets with the calls there (src/encoders/validation), and a
// share of the ids with the JVM's stack.
//
// Threads: as the parts say; finish() and the functions after it, only the thread that ends recording.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "agent/jvm/hook/method_table.h"
#include "agent/jvm/hook/selected_probes.h"
#include "agent/jvm/ids/stack_check.h"
#include "agent/line/note.h"
#include "agent/options.h"
#include "base/scheme_facts.h"
#include "cct/packets/folder.h"
#include "encoders/numbering/context_number.h"
#include "encoders/validation/id_word_check.h"
#include "shadowstack/thread_rows.h"

namespace copse::jvm {

class RunValidation {
 public:
  // `ids`: ids of the encoder that the options name. `selected`: nullptr if all methods get probes.
  RunValidation(jvmtiEnv* jvmti, const agent::AgentOptions& options, ids::ContextIds& ids,
                RecordedMethods& recorded_methods, const SelectedProbes* selected);

  // Returns a function for EngineOptions::make_folder.
  std::function<std::unique_ptr<cct::Folder>()> folders();
  // Returns nullptr if no id is compared with the stack.
  StackCheck* stack_check() noexcept { return stack_check_.get(); }

  // Ends the check when recording has ended. `tree`: the tree of the recording. `threads`: rows that count all
  // records; finish() makes them count calls. `natives`: the program's recorded native methods.
  void finish(const cct::ContextTree& tree, const MethodTable& methods,
              const std::set<MethodId>& natives, std::vector<shadowstack::ThreadRow>& threads);
  // Returns the number of records that are no calls, without lost ones. Like the next functions, REQUIRES:
  // finish() was called.
  std::uint64_t id_word_records() const noexcept { return outcome_.words.records; }
  // Writes the data that another process needs to decode the ids, beside the report.
  Status save_ids(const MethodTable& methods, const std::string& report) const;
  // Returns the encoder's figures, for the report and the command.
  const EncoderFigures& figures() const noexcept { return figures_; }
  // Returns sentences for the report.
  std::vector<std::string> notes() const;
  // Returns notes for the command: the result and, if there was a mismatch, the first one.
  std::vector<agent::Note> findings(const std::string& report) const;

 private:
  // Decoder of the run's ids.
  class IdDecoder final : public validation::IdWordDecoder {
   public:
    IdDecoder(ids::ContextIds& ids, const SelectedProbes* selected)
        : ids_(ids), selected_(selected) {}
    std::uint64_t id_of(std::uint64_t word) const override { return ids_.collected_id_of(word); }
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
    Shape shape(std::uint64_t id) const override {
      return {ids_.tables()->stack(id), encoders::id_code(id)};
    }

   private:
    ids::ContextIds& ids_;
    const SelectedProbes* const selected_;
  };

  void note_figures(const cct::ContextTree& tree, const std::set<MethodId>& natives);
  std::string first_wrong(const MethodTable& methods,
                          const std::vector<shadowstack::ThreadRow>& threads) const;

  const agent::AgentOptions& options_;
  ids::ContextIds& ids_;
  const IdDecoder decoder_;
  validation::IdWordCheck check_;
  std::unique_ptr<StackCheck> stack_check_;  // nullptr if no id is compared with the stack

  validation::IdWordCheck::Outcome outcome_;  // set by finish(), like the members below
  StackCheck::Outcome stacks_;
  EncoderFigures figures_;
  std::string first_wrong_;  // "" if none
  std::string lacking_;      // names of methods whose frames ids leave out; "" if none
};

}  // namespace copse::jvm
