#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.h"
#include "cli/messages.h"
#include "cli/run_program.h"

namespace copse {
namespace {

struct RunArguments {
  RunRequest request;
  std::string engine = "parallel";
  std::string memory = "1G";
  bool no_sites = false;
};

// The agent's own parser has the last word on values, so that both ways in agree.
Status check(const AgentOptions& options) {
  const Result<AgentOptions> parsed = parse_agent_options(format_agent_options(options));
  return parsed.ok() ? Status() : parsed.status();
}

int run(RunArguments& arguments) {
  if (arguments.request.command.empty()) {
    return usage_error("run: no command after --; write copse run [options] -- COMMAND [ARG...]");
  }
  AgentOptions& options = arguments.request.options;
  options.sites = !arguments.no_sites;
  options.engine = arguments.engine == "uptree" ? EngineKind::kUptree : EngineKind::kParallel;
  const Result<std::uint64_t> memory = parse_size(arguments.memory);
  if (!memory.ok()) return usage_error("run: --memory: " + memory.message());
  options.memory_bytes = *memory;
  if (const Status status = check(options); !status) {
    return usage_error(status.message());
  }
  const Result<int> ended = run_program(std::move(arguments.request));
  if (ended.ok()) return *ended;
  return failure(ended.message());
}

}  // namespace

void add_run_command(CLI::App& app, const std::vector<std::string>& program, int& exit_status) {
  auto arguments = std::make_shared<RunArguments>();
  AgentOptions& options = arguments->request.options;
  CLI::App* command =
      app.add_subcommand("run", "Profile a program: every calling context, exact counts");
  command
      ->add_option("-o,--output", options.out,
                   "Report to write; %p is the process id, %t the start time")
      ->type_name("FILE")
      ->capture_default_str();
  command
      ->add_option("--include", options.include,
                   "Record only classes or methods that match (pkg.Class or pkg.Class.method; "
                   "* within a segment, ** across); repeatable")
      ->type_name("GLOB")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_option("--exclude", options.exclude, "Record all but these; repeatable")
      ->type_name("GLOB")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->add_flag("--jdk", options.jdk, "Record the JDK's own classes too");
  command->add_flag("--no-sites", arguments->no_sites,
                    "Tell contexts apart by method alone, not by call site");
  command->add_flag("--fold-recursion", options.fold_recursion,
                    "Merge recursive calls into the method's first node (contexts not exact)");
  command->add_option("--engine", arguments->engine, "How contexts are built")
      ->check(CLI::IsMember({"parallel", "uptree"}))
      ->type_name("parallel|uptree")
      ->capture_default_str();
  command
      ->add_option("--event-every", options.event_every,
                   "With --engine uptree: keep the contexts of every Nth call only")
      ->type_name("N");
  command
      ->add_option("--workers", options.workers,
                   "Threads that fold records; 0: one less than the processors")
      ->type_name("N")
      ->capture_default_str();
  command
      ->add_option("--packet-slots", options.packet_slots,
                   "Size of a packet of records, a power of two")
      ->type_name("N")
      ->capture_default_str();
  command
      ->add_option("--memory", arguments->memory, "Most the context tree may take, e.g. 512M or 4G")
      ->type_name("SIZE")
      ->capture_default_str();
  command->add_flag("-q,--quiet", arguments->request.quiet, "Print nothing of our own");
  command->callback([arguments, &program, &exit_status] {
    arguments->request.command = program;
    exit_status = run(*arguments);
  });
}

}  // namespace copse
