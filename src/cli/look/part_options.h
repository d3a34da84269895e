// Options that select the part of a report to show (report/part/cut.h), shared by report and diff.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/parser.h"
#include "compare/identity/id_rules.h"
#include "report/model/report_model.h"
#include "report/part/cut.h"

namespace copse::cli {

// Adds a repeatable option that takes one glob at a time. REQUIRES: `globs` outlives the parse.
void add_globs(CLI::App& command, const char* name, std::vector<std::string>& globs,
               const char* help);

// Adds --context, whose digits go to `context`, --thread, --focus, --subtract, --hide, --fold and --root.
void add_part_options(CLI::App& command, std::string& context, report::PartOptions& to);

// Parts of the amounts that are no answers to questions about the program: times of threads that wait for work, and the
// JVM's own threads.
inline constexpr const char *kIdle = "idle", *kJvm = "jvm";

// Adds --without for these parts. `else_text`: end of its help, for runs without the option.
CLI::Option* add_without_option(CLI::App& command, std::vector<std::string>& parts,
                                const std::string& else_text);
// Takes the parts out, which are told by the frames of the whole report. `idle`: more methods that wait for work.
void take_out(report::ReportModel& model, const std::vector<std::string>& parts,
              const std::vector<std::string>& idle);

// Adds --width for the lines of texts. Without it they are as wide as the terminal, or whole.
void add_width_option(CLI::App& command, std::optional<std::size_t>& width);

// Cuts the report to the context whose id begins with `digits` and its subtree. The error is the one of
// identity::find_context(), and says how to see ids.
Status keep_context(report::ReportModel& model, const std::string& digits,
                    const identity::IdRules& rules);

}  // namespace copse::cli
