// copse ptql QUERY: relational questions to the events of a run, and how they would be answered.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agent/memory_bound.h"
#include "agent/options.h"
#include "agent/output_path.h"
#include "base/joined_text.h"
#include "base/nearest.h"
#include "base/printable.h"
#include "cli/commands.h"
#include "cli/file_kind.h"
#include "cli/look/probed_methods.h"
#include "cli/look/ptql_answers.h"
#include "cli/look/ptql_live.h"
#include "cli/look/ptql_queries.h"
#include "cli/messages.h"
#include "cli/standard_output.h"
#include "ptql/engine/event_text.h"
#include "ptql/plan/explain.h"

namespace copse::cli {
namespace {

struct PtqlArguments {
  std::vector<std::string> words;  // queries, and behind them files
  std::vector<std::string> query_files;
  std::vector<std::string> checks;
  bool all_checks = false;
  bool list_checks = false;
  std::vector<std::string> definitions;
  std::vector<std::string> without;
  bool explain = false;
  bool dot = false;
  std::string format;  // "": text
  std::string memory;  // "": agent::memory_bound()
  std::string output;
  std::string jvm;       // to attach to
  std::string duration;  // with it
  std::optional<std::uint64_t> frames;
  bool stop = false;
};

constexpr const char* kPtqlExample =
    " For example: copse ptql --explain \"SELECT c.receiver FROM MethodInvocation c WHERE "
    "c.methodName = 'compareTo' AND c.receiver = c.param0 AND c.result != 0\"";

// 0, or the exit status after a message.
int read_engine_options(const PtqlArguments& arguments, ptql::EngineOptions& options) {
  agent::AgentOptions bound;  // the default is that of trees
  if (!arguments.memory.empty()) {
    const Result<std::uint64_t> memory = agent::parse_size(arguments.memory);
    if (!memory.ok()) return failure(memory.status().behind("--memory: "));
    if (*memory == 0) return usage_error("--memory 0: keeps no record; 1M is little");
    bound.memory_bytes = *memory;
  }
  options.memory_bytes = agent::memory_bound(bound);
  if (!arguments.format.empty() && arguments.format != "text" && arguments.format != "json") {
    return usage_error("--format " + arguments.format + ": no such format" +
                       did_you_mean(arguments.format, {"text", "json"}, "; there are text, json"));
  }
  return 0;
}

int answer_from_events(const AskedQueries& asked, const PtqlArguments& arguments,
                       const ptql::EngineOptions& options, const std::string& path) {
  std::ifstream events(path, std::ios::binary);
  if (!events) return failure(path + ": cannot be read");
  AnswerWriter writer(asked, arguments.format == "json" ? AnswerFormat::kJson : AnswerFormat::kText,
                      STDOUT_FILENO);
  ptql::Engines engines(
      asked.plans, options,
      [&writer](std::size_t query, const ptql::Answer& answer) { writer.write({query}, answer); });
  const Status fed = ptql::feed_events(events, path, engines);
  if (writer.error() == EPIPE) return 0;
  if (writer.error() != 0)
    return failure("standard output: " + std::string(std::strerror(writer.error())));
  if (!fed) return failure(fed);
  say_each(answers_summary(asked, engines));
  say_each(near_misses(asked, engines));
  return 0;
}

int explain_plans(const AskedQueries& asked, const PtqlArguments& arguments,
                  const std::vector<std::string>& class_paths) {
  say_each(doubts(asked));
  std::string text;
  for (std::size_t i = 0; i < asked.plans.size(); ++i) {
    const ptql::Plan& plan = asked.plans[i];
    if (arguments.dot) {
      text += ptql::timing_graphs_as_dot(plan);
      continue;
    }
    if (asked.plans.size() > 1 || !asked.titles[i].empty()) {
      text += (i > 0 ? "\n" : "") + printable(asked.names[i]) + "\n";
      const bool first = i == 0 || asked.names[i - 1] != asked.names[i];
      if (first) text += about_check(asked.names[i]);
      text += "\n";
    }
    text += ptql::explain(plan);
    if (class_paths.empty()) continue;
    const Result<std::string> methods = probed_methods_text(plan, class_paths);
    if (!methods.ok()) return failure(methods);
    text += "\n" + *methods;
  }
  return print_text(text);
}

// Returns an error for an option that has no effect on the request.
Status check_ptql_options(const PtqlArguments& arguments, const std::vector<std::string>& command) {
  if (arguments.explain && arguments.dot) {
    return Status::error(Fault::kUsage, "--dot: has no effect with --explain; give one");
  }
  if (!arguments.explain && !arguments.dot) return {};
  const std::string without_events =
      std::string(": has no effect with ") + (arguments.dot ? "--dot" : "--explain");
  if (!arguments.format.empty()) return Status::error(Fault::kUsage, "--format" + without_events);
  if (!arguments.memory.empty()) return Status::error(Fault::kUsage, "--memory" + without_events);
  if (!arguments.output.empty()) return Status::error(Fault::kUsage, "--output" + without_events);
  if (!arguments.jvm.empty()) return Status::error(Fault::kUsage, "--attach" + without_events);
  if (arguments.stop) return Status::error(Fault::kUsage, "--stop" + without_events);
  if (arguments.frames) return Status::error(Fault::kUsage, "--frames" + without_events);
  if (!command.empty())
    return Status::error(Fault::kUsage, "-- " + command.front() + without_events);
  return {};
}

// Returns an error if the answers would replace a file that is read.
Status check_output(const PtqlArguments& arguments, const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    if (Status status =
            agent::check_replaces_none(arguments.output, {{file, "the file that is asked"}});
        !status) {
      return status;
    }
  }
  for (const std::string& file : arguments.query_files) {
    if (Status status = agent::check_replaces_none(arguments.output, {{file, "a file of queries"}});
        !status) {
      return status;
    }
  }
  return {};
}

// Answers queries about a running program or a recording. `command`: the words after --; `files`: the words after the
// queries.
int answer_live(const AskedQueries& asked, const PtqlArguments& arguments,
                const std::vector<std::string>& command, const std::vector<std::string>& files) {
  const bool attaches = !arguments.jvm.empty();
  const std::string second = !command.empty() && attaches                       ? "--attach"
                             : !files.empty() && (!command.empty() || attaches) ? files.front()
                                                                                : "";
  if (!second.empty())
    return usage_error(
        second + ": one is asked at a time: a program (-- COMMAND), a JVM (--attach) or a file");
  if (command.empty() && arguments.stop) {
    return usage_error("--stop: needs -- COMMAND, which it ends");
  }
  std::uint64_t time_ms = 0;
  if (attaches) {
    const Result<std::uint64_t> time = agent::parse_period(arguments.duration);
    if (!time.ok()) return failure(time.status().behind("--duration: "));
    time_ms = *time;
  }
  if (arguments.frames && *arguments.frames > agent::kMostNearFrames) {
    return usage_error(
        "--frames: 1,024 at most; whole contexts are in answers to queries that name "
        "them: x.context");
  }
  LiveQuestion question{.asked = asked, .output = arguments.output, .stop = arguments.stop};
  if (arguments.frames) question.frames = *arguments.frames;
  if (arguments.format == "json") question.format = AnswerFormat::kJson;
  if (const int status = read_engine_options(arguments, question.engine); status != 0) {
    return status;
  }
  if (const Status status = check_output(arguments, files); !status) return failure(status);
  say_each(contradictions(asked));
  say_each(doubts(asked));
  if (!command.empty()) return answer_from_command(question, command);
  if (attaches) return answer_from_jvm(question, arguments.jvm, time_ms);
  if (arguments.frames) {
    return usage_error("--frames: has no effect with " + files.front() +
                       ", which has the contexts that it has");
  }
  if (kind_of_file(files.front()) == FileKind::kValueRecording) {
    return answer_from_recording(question, files.front());
  }
  if (kind_of_file(files.front()) == FileKind::kTrace) {
    return failure(files.front() +
                   ": is a trace of calls, without values; copse record --values 'GLOB' -- COMMAND "
                   "keeps what queries are about");
  }
  if (!arguments.output.empty()) {
    return usage_error("--output: has no effect with a text of events");
  }
  return answer_from_events(asked, arguments, question.engine, files.front());
}

int ptql_query(const PtqlArguments& arguments, const std::vector<std::string>& command) {
  if (const Status status = check_ptql_options(arguments, command); !status) {
    return failure(status);
  }
  if (arguments.list_checks) return print_text(list_of_checks());
  QueryChoice choice{{},
                     arguments.query_files,
                     arguments.checks,
                     arguments.all_checks,
                     arguments.definitions,
                     arguments.without};
  const bool others = !choice.files.empty() || !choice.checks.empty() || choice.all_checks;
  std::vector<std::string> files = arguments.words;
  while (!files.empty() && (looks_like_query(files.front()) || (choice.words.empty() && !others))) {
    choice.words.push_back(std::move(files.front()));
    files.erase(files.begin());
  }
  if (choice.words.empty() && !others) {
    return usage_error("ptql: what is the query?" + std::string(kPtqlExample));
  }
  int status = 0;
  const std::optional<AskedQueries> asked = read_queries(choice, status);
  if (!asked) return status;
  if (arguments.dot && !files.empty()) {
    return usage_error(files.front() + ": has no effect with --dot, which draws the query alone");
  }
  if (arguments.explain || arguments.dot) return explain_plans(*asked, arguments, files);
  if (files.size() > 1) return usage_error("ptql: one file of events is asked at a time");
  if (files.empty() && command.empty() && arguments.jvm.empty()) {
    return usage_error(
        "ptql: what should be asked? Put a program behind the query, -- java ..., or a file of "
        "events, or add --explain");
  }
  return answer_live(*asked, arguments, command, files);
}

}  // namespace

void add_ptql_command(CLI::App& app, const std::vector<std::string>& program, int& exit_status) {
  CLI::App* command =
      app.add_subcommand("ptql", "Ask the events of a run relational questions (PTQL)");
  const auto arguments = std::make_shared<PtqlArguments>();
  command
      ->add_option("words", arguments->words,
                   "Queries, SELECT ... FROM MethodInvocation x, ... WHERE ..., and behind them a "
                   "text of events; with --explain jars and folders of class files")
      ->type_name("QUERY... [FILE]");
  command
      ->add_option("--file", arguments->query_files,
                   "File with queries, with ; between them; repeatable")
      ->allow_extra_args(false)
      ->type_name("FILE");
  command->add_flag("--checks", arguments->all_checks,
                    "Ask all queries of the library of checks, for faults that many programs have");
  command->add_option("--check", arguments->checks, "Ask these checks of the library; repeatable")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME[,NAME]");
  command->add_flag("--list-checks", arguments->list_checks,
                    "Print the names and titles of all checks");
  command
      ->add_option("--define", arguments->definitions,
                   "Value of ${NAME} in checks and files; repeatable")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
  command
      ->add_option(
          "--without", arguments->without,
          "Leave out parts of the engine, to measure what they are worth; the answers stay "
          "the same: " +
              joined_text(ptql::kPartNames))
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("PART[,PART]");
  command->add_flag("--explain", arguments->explain,
                    "Print how the query is answered, and which methods of the class path get "
                    "probes");
  command->add_flag("--dot", arguments->dot, "Print the timing graph for Graphviz");
  command->add_option("--format", arguments->format, "text, or json with an answer a line (text)")
      ->type_name("FORMAT");
  command
      ->add_option(
          "--memory", arguments->memory,
          "Memory for records and answers, beyond which the oldest records are dropped (a quarter "
          "of the machine's, 1G to 8G)")
      ->type_name("SIZE");
  command
      ->add_option("-o,--output", arguments->output,
                   "File for the answers (standard output; with -- COMMAND standard error)")
      ->type_name("FILE");
  command->add_flag("--stop", arguments->stop,
                    "-- COMMAND only: end the program at the first answer");
  command
      ->add_option(
          "--frames", arguments->frames,
          "Frames, from the innermost, of the context that an answer shows if no query names "
          "x.context (8); 0: none, which saves their time")
      ->type_name("N");
  command->add_option("--attach", arguments->jvm, "Ask a JVM that runs, by its process id or name")
      ->type_name("JVM");
  command
      ->add_option("-d,--duration", arguments->duration,
                   "With --attach: ask for so long (30s, 2m), or until Ctrl-C")
      ->type_name("PERIOD")
      ->needs("--attach");
  command->get_option("--attach")->needs("--duration");
  command->callback(
      [arguments, &program, &exit_status] { exit_status = ptql_query(*arguments, program); });
}

}  // namespace copse::cli
