#include "agent/run_description.h"

#include <ctime>

#include "agent/memory_bound.h"
#include "agent/stack_scale.h"

namespace copse {
namespace {

std::string joined(const std::vector<std::string>& globs) {
  std::string text;
  for (const std::string& glob : globs) {
    if (!text.empty()) text += ' ';
    text += glob;
  }
  return text;
}

std::string yes_no(bool value) { return value ? "true" : "false"; }

}  // namespace

std::map<std::string, std::string> recording_options(const AgentOptions& options) {
  return {
      {"jdk", yes_no(options.jdk)},
      {"packet", std::to_string(options.packet_slots)},
      {"stack-scale", std::to_string(stacks_scale(options) ? kStackScale : 1)},
      {"main-stack", std::to_string(options.main_stack_bytes)},
      {"include", joined(options.include)},
      {"exclude", joined(options.exclude)},
  };
}

std::map<std::string, std::string> folding_options(const AgentOptions& options, unsigned workers) {
  return {
      {"sites", yes_no(options.sites)},
      {"fold-recursion", yes_no(options.fold_recursion)},
      {"engine", std::string(engine_name(engine_of(options)))},
      {"event-every", std::to_string(options.event_every)},
      {"workers", std::to_string(workers)},
      {"memory", std::to_string(memory_bound(options))},
  };
}

std::map<std::string, std::string> id_options(const AgentOptions& options) {
  std::map<std::string, std::string> words = {{"encoder", options.encoder},
                                              {"event", joined(options.events)},
                                              {"graph", options.graph},
                                              {"mark", joined(options.marks)}};
  if (options.token_every != 0) {
    words.emplace("token-every", std::to_string(options.token_every));
    words.emplace("stack-every", std::to_string(options.stack_every));
  }
  return words;
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

std::vector<std::string> folding_notes(const AgentOptions& options, const BoundEffects& effects) {
  std::vector<std::string> notes;
  if (options.fold_recursion) {
    notes.push_back(
        "Recursion is folded: a call of a method that is already on the path counts at that "
        "method's first node, so contexts are not exact.");
  }
  if (options.event_every != 0) {
    notes.push_back("Only every " + std::to_string(options.event_every) +
                    "th call of a thread is in the tree; counts are of those events.");
  }
  if (effects.folded_contexts != 0) {
    notes.push_back(std::to_string(effects.folded_contexts) + " contexts with " +
                    std::to_string(effects.folded_calls) + " calls found no room in " +
                    std::to_string(memory_bound(options) >> 20) +
                    " MiB: the coldest were folded into nodes named (folded), which hold their "
                    "calls. Counts of other contexts below the parent of such a node are lower "
                    "bounds, sums are exact; --memory gives the tree more, --fold-recursion or "
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

}  // namespace copse
