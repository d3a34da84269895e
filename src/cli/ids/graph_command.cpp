// copse graph CLASSPATH...: the call graph of classes that have not run, for encoders that need one
// before the run (--graph).
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "agent/output_path.h"
#include "base/grouped.h"
#include "base/version.h"
#include "cli/commands.h"
#include "cli/file_kind.h"
#include "cli/messages.h"
#include "graph/classes/class_path.h"
#include "graph/classes/static_graph.h"
#include "report/report_file.h"

namespace copse::cli {
namespace {

struct GraphArguments {
  std::vector<std::string> class_paths;
  std::string output = "copse.graph";
  std::string loader = "app";
  bool quiet = false;
};

int graph(const GraphArguments& arguments) {
  if (Status status = report::check_other_ending(arguments.output, "a call graph", ".graph",
                                                 {report::ReportFormat::kJson});
      !status) {
    return failure(status);
  }
  if (arguments.output.ends_with(".ids")) {
    return usage_error(arguments.output +
                       ": its ending is that of an id file, and a call graph is none; end it in "
                       ".graph");
  }
  for (const std::string& class_path : arguments.class_paths) {
    for (const std::string& entry : graph::class_path_entries(class_path)) {
      if (Status status =
              agent::check_replaces_none(arguments.output, {{entry, "a part of the class path"}});
          !status) {
        return failure(status);
      }
      if (Status status = check_kind(entry, {FileKind::kJar}, "a jar or a folder of class files");
          !status) {
        return failure(status);
      }
    }
  }
  if (arguments.output.ends_with(".class")) {
    return usage_error(arguments.output +
                       ": is the name of a class file; name another file to write, "
                       "that ends in .graph");
  }
  if (Status status = agent::check_replaceable(arguments.output); !status) {
    return failure(status);
  }
  std::vector<graph::ClassCalls> classes;
  std::vector<std::string> unread;
  for (const std::string& class_path : arguments.class_paths) {
    for (const std::string& entry : graph::class_path_entries(class_path)) {
      const auto read = [&](const std::string& name, std::span<const std::uint8_t> bytes) {
        if (Result<graph::ClassCalls> calls = graph::read_class_calls(bytes); calls.ok()) {
          classes.push_back(std::move(calls).value());
        } else {
          unread.push_back(fmt::format("{}: {}: {}", entry, name, calls.message()));
        }
      };
      if (Status status = graph::visit_classes(entry, read); !status) return failure(status);
    }
  }
  if (classes.empty()) {
    return failure(arguments.class_paths.front() + ": no class file is there");
  }
  const std::size_t class_count = classes.size();
  const graph::NamedGraph graph = graph::static_graph(std::move(classes), arguments.loader);
  const std::string created_by = std::string("copse ") + kVersion;
  if (Status status = graph::write_named_graph(graph, created_by, arguments.output); !status) {
    return failure(status);
  }
  if (arguments.quiet) return 0;
  if (!unread.empty()) {
    say(fmt::format("{} left out, the first: {}", counted(unread.size(), "class file"),
                    unread.front()));
  }
  say(fmt::format("{}, {}, {}, {}: {}", counted(class_count, "class", "classes"),
                  counted(graph.methods.name.size(), "method"),
                  counted(graph.sites.method.size(), "call site"),
                  counted(graph.edges.size(), "edge"), arguments.output));
  return 0;
}

}  // namespace

void add_graph_command(CLI::App& app, int& exit_status) {
  auto arguments = std::make_shared<GraphArguments>();
  CLI::App* command =
      app.add_subcommand("graph", "Write the call graph of class files, for --graph");
  command
      ->add_option("classpath", arguments->class_paths,
                   "Jars and folders of class files, separated by ':' or spaces")
      ->required();
  command->add_option("-o,--output", arguments->output, "File to write")
      ->type_name("FILE")
      ->capture_default_str();
  command->add_option("--loader", arguments->loader, "Name of these classes' loader, as in reports")
      ->type_name("NAME")
      ->capture_default_str();
  command->add_flag("-q,--quiet", arguments->quiet, "Print nothing but errors");
  command->callback([arguments, &exit_status] { exit_status = graph(*arguments); });
}

}  // namespace copse::cli
