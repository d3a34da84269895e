#include "agent/run_description.h"

#include <algorithm>
#include <ctime>
#include <numeric>

#include "agent/memory_bound.h"
#include "agent/option_table.h"
#include "agent/stack_scale.h"
#include "base/grouped.h"
#include "cct/merged_methods.h"

namespace copse::agent {
namespace {

std::string yes_no(bool value) { return value ? "true" : "false"; }

// Names the methods with the deepest recursion, as far as the depth is known.
std::string names_of_merged(const cct::MergedRecursion& merged,
                            const std::vector<MethodName>& methods) {
  constexpr std::size_t kMostNamed = 5;
  std::vector<std::size_t> order(merged.methods.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return merged.depth_at_least[a] > merged.depth_at_least[b];
  });
  std::string names;
  for (std::size_t i = 0; i < std::min(kMostNamed, order.size()); ++i) {
    const MethodId method = merged.methods[order[i]];
    if (raw(method) >= methods.size()) continue;
    if (!names.empty()) names += ", ";
    names += methods[raw(method)].class_name + "." + methods[raw(method)].name;
    const std::uint32_t depth = merged.depth_at_least[order[i]];
    if (depth > 1) names += " at least " + grouped(depth) + " deep";
  }
  if (order.size() > kMostNamed) {
    names += " and " + grouped(order.size() - kMostNamed) + " more";
  }
  return names;
}

std::string merged_note(const cct::MergedRecursion& merged,
                        const std::vector<MethodName>& methods) {
  const std::string what =
      "a call of such a method that is already on the path counts at that method's nearest node, "
      "so these contexts are merged ones, and their counts sums.";
  if (merged.all && merged.from_contexts == 0) {
    return "Recursion is merged for every method: " + what;
  }
  const std::string all =
      ". Since it did so again with other methods after each of " + grouped(cct::kMostAdditions) +
      " times that the recursion of some was merged, it is merged for every method: " + what;
  const std::string some = ". It is merged for the methods of its cycles (" +
                           names_of_merged(merged, methods) + "): " + what +
                           " How deep it went later is not known.";
  return "Recursion made most of " + counted(merged.from_contexts, "context") +
         (merged.all ? all : some) + " --recursion full keeps every context." +
         (merged.is_left_full
              ? " There was no memory to merge the contexts that were there already: some such "
                "methods are on a path more than once, with their calls from before."
              : "");
}

}  // namespace

std::map<std::string, std::string> recording_options(const AgentOptions& options) {
  std::map<std::string, std::string> told = told_options(options, OptionRow::Told::kRecording);
  told.emplace("stack-scale", std::to_string(stacks_scale(options) ? kStackScale : 1));
  if (const auto* packets = part<PacketOptions>(options); packets != nullptr) {
    told.emplace("packet", std::to_string(packets->packet_slots));
  }
  return told;
}

std::map<std::string, std::string> tree_options(const AgentOptions& options, unsigned workers) {
  std::map<std::string, std::string> told = told_options(options, OptionRow::Told::kTree);
  told.emplace("sites", yes_no(has_sites(options)));
  told.emplace("workers", std::to_string(workers));
  told.emplace("memory", std::to_string(memory_bound(options)));
  if (const auto* tree = part<TreeOptions>(options); tree != nullptr) {
    told.emplace("engine", engine_name(tree->engine));
    told.emplace("event-every", std::to_string(tree->event_every));
    // Reports say nothing of defaults here.
    for (const std::string_view key : {"measure", "by-thread", "slice", "keep-slices"}) {
      if (is_set(options, key)) told.emplace(key, told_text(key, options));
    }
  }
  return told;
}

std::map<std::string, std::string> id_options(const AgentOptions& options) {
  if (part<EncoderOptions>(options) == nullptr) return {};
  std::map<std::string, std::string> told = told_options(options, OptionRow::Told::kIds);
  told.merge(told_options(options, OptionRow::Told::kChecks));
  if (part<EncoderOptions>(options)->selective) told.emplace("selective", yes_no(true));
  return told;
}

std::string id_note(const AgentOptions& options) {
  const IdOptions& ids = std::get<IdOptions>(options.mode);
  if (ids.marks.empty() && ids.measures.empty()) {
    return "Context ids were kept and nothing was counted, since neither --measure nor --mark was "
           "given.";
  }
  return ids.marks.empty()
             ? "Context ids were kept and calls were not counted."
             : "Context ids were kept and calls were not counted, but for those of marked methods.";
}

std::vector<std::string> recording_notes(const AgentOptions& options) {
  if (!options.jdk) return {};
  return {
      "Recording starts when the JVM is initialised: JDK frames that were live then are not in "
      "the tree, what they call hangs under ROOT."};
}

bool has_source_launcher(const std::vector<MethodName>& methods) {
  return std::ranges::any_of(methods, [](const MethodName& method) {
    return method.class_name.starts_with("com.sun.tools.javac.launcher.");
  });
}

std::string source_launcher_note() {
  return "The program was started as a source file: java compiled it in this JVM, and the "
         "compiler's calls, those of "
         "com.sun.tools.javac, are recorded as well. --exclude 'com.sun.tools.**' leaves them out, "
         "as does a class file "
         "made beforehand with javac.";
}

std::vector<std::string> tree_notes(const AgentOptions& options, const cct::ContextTree& tree,
                                    std::uint64_t calls_lost,
                                    const std::vector<MethodName>& methods) {
  std::vector<std::string> notes;
  const cct::MergedRecursion merged = tree.merged();
  if (merged.all || !merged.methods.empty()) notes.push_back(merged_note(merged, methods));
  const auto* built = part<TreeOptions>(options);
  if (built != nullptr && built->event_every != 0) {
    notes.push_back("Only every " + std::to_string(built->event_every) +
                    "th call of a thread is in the tree; counts are of those events.");
  }
  if (const cct::Evicted evicted = tree.evicted(); evicted.contexts != 0) {
    notes.push_back(counted(evicted.contexts, "context") + " with " +
                    counted(evicted.calls, "call") + " found no room in " +
                    std::to_string(memory_bound(options) >> 20) +
                    " MiB: the coldest were evicted into nodes named (evicted), which hold their "
                    "calls. Counts of other contexts below the parent of such a node are lower "
                    "bounds, sums are exact; --memory gives the tree more, --recursion merge or "
                    "--no-sites make it smaller.");
  }
  if (calls_lost != 0) {
    notes.push_back(counted(calls_lost, "call") +
                    " lost: the system had no memory for the contexts.");
  }
  return notes;
}

std::string attach_note() {
  return "Copse was attached to the running program, and the recording began when all classes had "
         "probes. Calls that a frame without probes makes hang under the nearest recorded caller.";
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
