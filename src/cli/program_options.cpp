#include "cli/program_options.h"

#include <CLI/CLI.hpp>

#include "agent/option_rules.h"

namespace copse {
namespace {

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    if (!text.empty()) text += '|';
    text += name;
  }
  return text;
}

}  // namespace

const EngineChoice kEnginesOfRuns = {
    {"inline", "parallel", "uptree"},
    "How contexts are built: by the probes in place (faster once warm), or by workers from packets "
    "(less memory); without it inline, but parallel where another option needs packets"};
const EngineChoice kEnginesOfReplays = {{"parallel", "uptree"},
                                        "How contexts are built; without it parallel"};

CLI::Validator whole_number() {
  return CLI::Validator(
      [](const std::string& text) {
        const bool is_one =
            !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
        return is_one ? std::string() : text + " is not a whole number, 0 or more";
      },
      "");
}

void add_recording_options(CLI::App& command, AgentOptions& options) {
  command
      .add_option("--include", options.include,
                  "Record only classes or methods that match (pkg.Class or pkg.Class.method; "
                  "* within a segment, ** across); repeatable")
      ->type_name("GLOB")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command.add_option("--exclude", options.exclude, "Record all but these; repeatable")
      ->type_name("GLOB")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command.add_flag("--jdk", options.jdk,
                   "Record the JDK's own classes too, those of the boot and platform loaders");
  command
      .add_option("--packet-slots", options.packet_slots,
                  "Size of a packet of records, a power of two")
      ->check(whole_number())
      ->type_name("N")
      ->capture_default_str();
}

void add_stack_option(CLI::App& command, AgentOptions& options) {
  command.add_flag(
      "--keep-stack-size", options.keep_stack_size,
      "Give the program's threads no more stack than without Copse: deep recursion may "
      "overflow it earlier");
}

void add_folding_options(CLI::App& command, AgentOptions& options, FoldingWords& words,
                         const EngineChoice& engines) {
  command.add_flag("--no-sites", words.no_sites,
                   "Tell contexts apart by method alone, not by call site");
  command.add_flag("--fold-recursion", options.fold_recursion,
                   "Merge recursive calls into the method's first node (contexts not exact)");
  command.add_option("--engine", words.engine, engines.help)
      ->check(CLI::IsMember(engines.names))
      ->type_name(joined(engines.names));
  command
      .add_option("--event-every", options.event_every,
                  "With --engine uptree: keep the contexts of every Nth call only")
      ->check(whole_number())
      ->type_name("N");
  command
      .add_option("--workers", options.workers,
                  "Threads that fold records; 0: one less than the processors")
      ->check(whole_number())
      ->type_name("N")
      ->capture_default_str();
  command
      .add_option("--memory", words.memory,
                  "Most the context tree may take, e.g. 512M or 4G: beyond it the coldest contexts "
                  "are folded; without it a quarter of the machine's, from 1G to 8G")
      ->type_name("SIZE");
}

void add_fail_if_empty(CLI::App& command, bool& fail_if_empty) {
  command.add_flag("--fail-if-empty", fail_if_empty,
                   "Exit with status 1 when no call and no event was recorded");
}

void add_snapshot_option(CLI::App& command, FoldingWords& words) {
  command
      .add_option("--snapshot", words.snapshot,
                  "Replace the report every so often (10s, 2m) by one of the calls so far")
      ->type_name("PERIOD");
}

Status take_folding_words(const FoldingWords& words, AgentOptions& options) {
  options.sites = !words.no_sites;
  for (EngineKind kind : {EngineKind::kParallel, EngineKind::kUptree, EngineKind::kInline}) {
    if (words.engine == engine_name(kind)) options.engine = kind;
  }
  if (!words.memory.empty()) {
    const Result<std::uint64_t> memory = parse_size(words.memory);
    if (!memory.ok()) return Status::error("--memory: " + memory.message());
    options.memory_bytes = *memory;
  }
  if (!words.snapshot.empty()) {
    const Result<std::uint64_t> period = parse_period(words.snapshot);
    if (!period.ok()) return Status::error("--snapshot: " + period.message());
    options.snapshot_ms = *period;
  }
  if (!words.cpu_interval.empty()) {
    const Result<std::uint64_t> period = parse_period(words.cpu_interval);
    if (!period.ok()) return Status::error("--cpu-interval: " + period.message());
    options.cpu_interval_ms = *period;
  }
  return {};
}

void take_named_options(const CLI::App& command, AgentOptions& options) {
  // Of the others the value tells.
  for (const std::string key :
       {"workers", "packet", "event-every", "cpu-interval", "stack-every"}) {
    const CLI::Option* option = command.get_option_no_throw(spelled(key, Spelling::kCommandLine));
    if (option != nullptr && option->count() != 0) options.named.insert(key);
  }
}

Status check_agent_options(const AgentOptions& options) {
  const Result<AgentOptions> parsed =
      parse_agent_options(format_agent_options(options), Spelling::kCommandLine);
  return parsed.ok() ? Status() : parsed.status();
}

Status check_not_named(const CLI::App& command, const std::vector<std::string>& options,
                       const std::string& why) {
  for (const std::string& name : options) {
    if (command.get_option(name)->count() == 0) continue;
    return Status::error(name + ": has no effect " + why);
  }
  return {};
}

}  // namespace copse
