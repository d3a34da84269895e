#include "cli/look/part_options.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <vector>

#include "cli/program_options.h"
#include "compare/identity/find_context.h"
#include "compare/identity/stable_ids.h"
#include "report/model/display_names.h"
#include "report/model/idle_waits.h"
#include "report/model/measure_view.h"
#include "report/part/cut.h"
#include "report/text/context_lines.h"

namespace copse::cli {
namespace {

// Maximum width of a path in a note.
constexpr std::size_t kPathWidth = 300;

std::string in_words(const report::ReportModel& model, const std::vector<std::int32_t>& rows) {
  const report::DisplayNames names(model.methods);
  const std::string first = report::ContextLines(model, names, {rows.front()}).text(0, kPathWidth);
  if (rows.size() == 1) return "The context " + first;
  return std::to_string(rows.size()) + " contexts with one id, such as " + first;
}

}  // namespace

void add_globs(CLI::App& command, const char* name, std::vector<std::string>& globs,
               const char* help) {
  command.add_option(name, globs, help)
      ->type_name("GLOB")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_part_options(CLI::App& command, std::string& context, report::PartOptions& to) {
  command
      .add_option(
          "--context", context,
          "Only the context with this stable id, which --ids and JSON show, and what is below it; "
          "the first digits are enough")
      ->type_name("ID");
  add_globs(command, "--thread", to.threads,
            "Only matching threads, or groups of threads, of a run with --by-thread; repeatable");
  add_globs(
      command, "--focus", to.focus,
      "Only contexts through a class or method of this name: Dao, Dao.find, com.acme.Dao.find, or "
      "'com.acme.**' (* stops at a dot, ** does not); repeatable");
  add_globs(command, "--subtract", to.subtract,
            "Without methods that match, or the context @ID, and what they call; after --focus; "
            "repeatable");
  add_globs(command, "--hide", to.hide,
            "Remove the frames of matching methods, except a thread's first; their time goes to "
            "the caller, "
            "their calls are dropped; after --subtract; repeatable");
  add_globs(command, "--fold", to.fold,
            "Show matching methods that call one another as one frame; after --hide; repeatable");
  add_globs(command, "--root", to.root,
            "Make matching methods, or the context @ID, the roots: what they do, wherever they are "
            "called from; after --fold; repeatable");
}

CLI::Option* add_without_option(CLI::App& command, std::vector<std::string>& parts,
                                const std::string& else_text) {
  return command
      .add_option("--without", parts,
                  "Leave out idle (threads that wait for work), jvm (the JVM's own threads), or "
                  "idle,jvm" +
                      else_text)
      ->delimiter(',')
      ->check(CLI::IsMember({kIdle, kJvm}))
      ->type_name("PART");
}

void take_out(report::ReportModel& model, const std::vector<std::string>& parts,
              const std::vector<std::string>& idle) {
  for (const std::string& part : parts) {
    if (part == kIdle) report::take_idle_out(model, idle);
    if (part == kJvm) report::take_jvm_out(model);
  }
}

void add_width_option(CLI::App& command, std::optional<std::size_t>& width) {
  command
      .add_option(
          "--width", width,
          "Characters of a line of text (COLUMNS, else the terminal's width; without a terminal "
          "lines are not cut)")
      ->check(whole_number(false))
      ->type_name("N");
}

Status keep_context(report::ReportModel& model, const std::string& digits,
                    const identity::IdRules& rules) {
  const Result<std::vector<std::int32_t>> rows = identity::find_context(model, digits, rules);
  if (!rows.ok()) return rows.status();
  std::vector<bool> is_chosen(model.nodes.parent.size());
  for (const std::int32_t row : *rows) is_chosen[static_cast<std::size_t>(row)] = true;
  const std::string what = in_words(model, *rows) + " (--context " + digits + ")";
  model = report::focused_on(model, is_chosen, what + ", and what is below it");
  return {};
}

}  // namespace copse::cli
