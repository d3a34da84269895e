#include "agent/jvm/ids/run_validation.h"

#include <algorithm>
#include <map>
#include <utility>

#include "agent/jvm/ids/mismatch_text.h"
#include "agent/line/figure_notes.h"
#include "agent/output_path.h"
#include "base/grouped.h"
#include "encoders/ids/id_file.h"
#include "encoders/validation/checking_folder.h"

namespace copse::jvm {
namespace {

// Nodes, or distinct id words, of a folder: its share of the master's work is then small.
constexpr std::uint32_t kMostOfAFolder = 1u << 20;

// The program's classes alone: what of the JDK is on a stack is not what is recorded.
bool has_stacks(const agent::AgentOptions& options) {
  const auto& validate = std::get<agent::ValidateOptions>(options.mode);
  return validate.stack_every != 0 && !options.jdk && agent::ids_decode(validate.encoder);
}

std::string thread_name(ThreadIndex thread, const std::vector<shadowstack::ThreadRow>& rows) {
  const auto row = std::ranges::find_if(
      rows, [&](const shadowstack::ThreadRow& each) { return each.index == thread; });
  return row == rows.end() ? "thread #" + std::to_string(raw(thread)) : "thread " + row->name;
}

// Subtracts `records` from the calls of each thread. The last row stands for threads without a row of their
// own.
void take_from(std::vector<shadowstack::ThreadRow>& rows,
               std::map<ThreadIndex, std::uint64_t> records) {
  for (shadowstack::ThreadRow& row : rows) {
    if (row.index == shadowstack::kNoThread) continue;
    row.calls -= records[row.index];
    records.erase(row.index);
  }
  const auto others = std::ranges::find_if(
      rows, [](const shadowstack::ThreadRow& row) { return row.index == shadowstack::kNoThread; });
  if (others == rows.end()) return;
  for (const auto& [thread, count] : records) others->calls -= count;
}

}  // namespace

RunValidation::RunValidation(jvmtiEnv* jvmti, const agent::AgentOptions& options,
                             ids::ContextIds& ids, RecordedMethods& recorded_methods,
                             const SelectedProbes* selected)
    : options_(options), ids_(ids), decoder_(ids, selected), check_(decoder_) {
  if (has_stacks(options)) {
    stack_check_ = std::make_unique<StackCheck>(
        jvmti, ids, recorded_methods, selected == nullptr ? nullptr : &selected->missing());
  }
}

std::function<std::unique_ptr<cct::Folder>()> RunValidation::folders() {
  return [this] { return std::make_unique<validation::CheckingFolder>(check_, kMostOfAFolder); };
}

void RunValidation::finish(const cct::ContextTree& tree, const MethodTable& methods,
                           const std::set<MethodId>& natives,
                           std::vector<shadowstack::ThreadRow>& threads) {
  outcome_ = check_.finish(tree);
  note_figures(tree, natives);
  if (stack_check_ != nullptr) stacks_ = stack_check_->outcome();
  first_wrong_ = first_wrong(methods, threads);
  lacking_ = names_text({outcome_.lacking.begin(), outcome_.lacking.end()}, kMostNamed, methods);
  take_from(threads, std::move(outcome_.records_of_threads));
}

void RunValidation::note_figures(const cct::ContextTree& tree, const std::set<MethodId>& natives) {
  figures_.name = agent::encoder_of(options_);
  if (!decoder_.decodes()) return;
  const validation::IdWordCounts& words = outcome_.words;
  figures_.tokens = words.met - words.without;
  if (figures_.tokens != 0) figures_.stack = words.stack;
  const ids::IdTables& tables = *ids_.tables();
  figures_.facts = tables.facts();
  std::vector<SchemeFact>& facts = figures_.facts.values;
  facts.push_back({"max_id_seen", words.largest_code});
  if (tree.evicted().contexts != 0) return;  // they are unknown
  std::vector<bool> has_native(tree.node_count());
  std::uint64_t native_contexts = 0, unexpected_calls = 0;
  for (std::uint32_t i = 1; i < tree.node_count(); ++i) {
    const cct::ContextNode node = tree.node(NodeIndex{i});
    has_native[i] = has_native[raw(node.parent)] || natives.contains(method_of(node.key));
    if (node.calls == 0) continue;
    native_contexts += has_native[i] ? 1 : 0;
    if (tables.knows(validation::edge_to(tree, node)) == false) unexpected_calls += node.calls;
  }
  facts.push_back({"native_contexts", native_contexts});
  if (tables.knows(kNoEdge)) facts.push_back({"unexpected_calls", unexpected_calls});
}

std::string RunValidation::first_wrong(const MethodTable& methods,
                                       const std::vector<shadowstack::ThreadRow>& threads) const {
  if (const auto& wrong = outcome_.first_wrong; wrong) {
    const std::string who = agent::encoder_of(options_) + ": " +
                            (wrong->thread ? thread_name(*wrong->thread, threads)
                                           : std::string("when recording had ended"));
    return who + ": " + mismatch_text(wrong->id, wrong->decoded, wrong->truth, methods);
  }
  if (const auto& wrong = stacks_.first_wrong; wrong) {
    return agent::encoder_of(options_) + ": " +
           stack_mismatch_text(wrong->id, wrong->decoded, wrong->stack, methods);
  }
  return "";
}

Status RunValidation::save_ids(const MethodTable& methods, const std::string& report) const {
  if (!decoder_.decodes()) return {};
  report::ProgramTables names;
  wire::SectionWriter file = ids_.id_file();
  methods.export_to(names);
  ids::add_names(names.methods, file);
  return file.write_to(agent::id_file_path(report));
}

std::vector<std::string> RunValidation::notes() const {
  const validation::IdWordCounts& words = outcome_.words;
  std::string text = counted(words.met, "entry", "entries") + " checked, " +
                     grouped(words.without) + " of them without an id or a known context; ";
  if (decoder_.decodes()) {
    text += grouped(words.wrong) + " did not decode to their context at once, " +
            grouped(outcome_.wrong_at_end) + " of " + counted(outcome_.ids, "different one") +
            " at the end.";
  } else {
    text += counted(outcome_.ids, "different one") + ", " +
            counted(outcome_.collisions, "collision") + ".";
  }
  std::vector<std::string> notes = {std::move(text)};
  if (stack_check_ != nullptr) {
    notes.push_back(counted(stacks_.compared, "id") + " compared with the JVM's own stack, " +
                    grouped(stacks_.wrong) + " wrong.");
  }
  if (words.starts != 0) {
    notes.push_back(counted(words.starts, "start of a thread", "starts of threads") +
                    " checked in the same way, " + grouped(words.starts_without) +
                    " of them without an id or a known context.");
  }
  if (outcome_.words.lacking != 0) {
    notes.push_back("Contexts of " + counted(outcome_.words.lacking, "entry", "entries") +
                    " lack frames of methods that --selective left without probes: " + lacking_ +
                    ".");
  }
  if (outcome_.not_kept != 0) {
    notes.push_back("There was no memory to compare " + counted(outcome_.not_kept, "id") +
                    " again at the end.");
  }
  if (!first_wrong_.empty()) notes.push_back("DEFECT: " + first_wrong_);
  return notes;
}

std::vector<agent::Note> RunValidation::findings(const std::string& report) const {
  std::vector<agent::Note> notes = agent::notes_of(report, figures_);
  notes.push_back(agent::CheckNote{report,
                                   {.entries = outcome_.words.met,
                                    .without_id = outcome_.words.without,
                                    .lacking = outcome_.words.lacking,
                                    .ids = outcome_.ids,
                                    .wrong = outcome_.words.wrong,
                                    .wrong_at_end = outcome_.wrong_at_end,
                                    .collisions = outcome_.collisions,
                                    .stacks = stacks_.compared,
                                    .stacks_wrong = stacks_.wrong,
                                    .starts = outcome_.words.starts,
                                    .starts_without_id = outcome_.words.starts_without}});
  if (!first_wrong_.empty())
    notes.push_back(agent::TextNote{agent::TextNote::Kind::kWrong, first_wrong_});
  return notes;
}

}  // namespace copse::jvm
