#include "agent/run_description.h"

#include <ctime>

#include "agent/memory_bound.h"
#include "agent/option_table.h"
#include "agent/stack_scale.h"

namespace copse::agent {
namespace {

std::string yes_no(bool value) { return value ? "true" : "false"; }

}  // namespace

std::map<std::string, std::string> recording_options(const AgentOptions& options) {
  std::map<std::string, std::string> told = told_options(options, OptionRow::Told::kRecording);
  told.emplace("stack-scale", std::to_string(stacks_scale(options) ? kStackScale : 1));
  return told;
}

std::map<std::string, std::string> tree_options(const AgentOptions& options, unsigned workers) {
  std::map<std::string, std::string> told = told_options(options, OptionRow::Told::kTree);
  told.emplace("sites", yes_no(options.sites));
  told.emplace("engine", engine_name(engine_of(options)));
  told.emplace("workers", std::to_string(workers));
  told.emplace("memory", std::to_string(memory_bound(options)));
  return told;
}

std::map<std::string, std::string> id_options(const AgentOptions& options) {
  std::map<std::string, std::string> told = told_options(options, OptionRow::Told::kIds);
  if (options.check_every != 0) told.merge(told_options(options, OptionRow::Told::kChecks));
  return told;
}

std::string id_note(const AgentOptions& options) {
  if (options.marks.empty() && options.events.empty()) {
    return "Context ids were kept and nothing was counted, since neither --event nor --mark was "
           "given.";
  }
  return options.marks.empty()
             ? "Context ids were kept and calls were not counted."
             : "Context ids were kept and calls were not counted, but for those of marked methods.";
}

std::vector<std::string> recording_notes(const AgentOptions& options) {
  if (!options.jdk) return {};
  return {
      "Recording starts when the JVM is initialised: JDK frames that were live then are not in "
      "the tree, what they call hangs under ROOT."};
}

std::vector<std::string> tree_notes(const AgentOptions& options, const BoundEffects& effects) {
  std::vector<std::string> notes;
  if (options.merge_recursion) {
    notes.push_back(
        "Recursion is merged: a call of a method that is already on the path counts at that "
        "method's first node, so contexts are not exact.");
  }
  if (options.event_every != 0) {
    notes.push_back("Only every " + std::to_string(options.event_every) +
                    "th call of a thread is in the tree; counts are of those events.");
  }
  if (effects.evicted_contexts != 0) {
    notes.push_back(std::to_string(effects.evicted_contexts) + " contexts with " +
                    std::to_string(effects.evicted_calls) + " calls found no room in " +
                    std::to_string(memory_bound(options) >> 20) +
                    " MiB: the coldest were evicted into nodes named (evicted), which hold their "
                    "calls. Counts of other contexts below the parent of such a node are lower "
                    "bounds, sums are exact; --memory gives the tree more, --merge-recursion or "
                    "--no-sites make it smaller.");
  }
  if (effects.calls_lost != 0) {
    notes.push_back(std::to_string(effects.calls_lost) +
                    " calls were lost: the system had no memory for their contexts.");
  }
  return notes;
}

std::string attach_note() {
  return "Recording began when Copse was attached to the running program: frames that were live "
         "then "
         "are not in the tree, what they call hangs under the nearest recorded caller.";
}

std::string snapshot_note() {
  return "A snapshot: the program was running, these are its calls so far, and its threads have "
         "the "
         "names they began with.";
}

std::string utc_time(std::int64_t seconds_since_epoch) {
  const std::time_t time = static_cast<std::time_t>(seconds_since_epoch);
  std::tm utc{};
  gmtime_r(&time, &utc);
  char text[32];
  return std::string(text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc));
}

}  // namespace copse::agent
