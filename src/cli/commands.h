// Subcommands, one file each. Each function adds its subcommand to the application. When the user asks for the
// subcommand, its callback runs during parse() and sets `exit_status`: 0, 1 after an error, 2 after wrong usage.
#pragma once

#include <string>
#include <vector>

#include "cli/parser.h"

namespace copse::cli {

void add_attach_command(CLI::App& app, int& exit_status);
void add_baseline_command(CLI::App& app, int& exit_status);
void add_compare_command(CLI::App& app, const std::vector<std::string>& program, int& exit_status);
void add_decode_command(CLI::App& app, int& exit_status);
void add_detach_command(CLI::App& app, int& exit_status);
void add_diff_command(CLI::App& app, int& exit_status);
void add_dump_command(CLI::App& app, int& exit_status);
void add_events_command(CLI::App& app, int& exit_status);
void add_export_command(CLI::App& app, int& exit_status);
void add_graph_command(CLI::App& app, int& exit_status);
void add_help_command(CLI::App& app, int& exit_status);
// `program`: the words after `--` on the command line.
void add_ids_command(CLI::App& app, const std::vector<std::string>& program, int& exit_status);
void add_import_command(CLI::App& app, int& exit_status);
void add_join_command(CLI::App& app, int& exit_status);
void add_mcp_command(CLI::App& app, int& exit_status);
void add_measure_command(CLI::App& app, const std::vector<std::string>& program, int& exit_status);
void add_merge_command(CLI::App& app, int& exit_status);
void add_ptql_command(CLI::App& app, const std::vector<std::string>& program, int& exit_status);
void add_query_command(CLI::App& app, int& exit_status);
void add_recover_command(CLI::App& app, int& exit_status);
void add_replay_command(CLI::App& app, int& exit_status);
void add_report_command(CLI::App& app, int& exit_status);
void add_record_command(CLI::App& app, const std::vector<std::string>& program, int& exit_status);
void add_run_command(CLI::App& app, const std::vector<std::string>& program, int& exit_status);
void add_tests_command(CLI::App& app, int& exit_status);
void add_validate_command(CLI::App& app, const std::vector<std::string>& program, int& exit_status);

// Runs a command line, whose first word is `copse`, and returns its exit status. Prints every failure.
int run_command_line(const std::vector<std::string>& line);

}  // namespace copse::cli
