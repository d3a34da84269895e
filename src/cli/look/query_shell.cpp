#include "cli/look/query_shell.h"

#include <string>
#include <string_view>
#include <vector>

#include "base/nearest.h"
#include "base/printable.h"
#include "cli/messages.h"

namespace copse::cli {
namespace {

constexpr std::string_view kHelp =
    ".tables          the tables\n"
    ".schema [TABLE]  their columns\n"
    ".format FORMAT   table, csv or json\n"
    ".quit            ends, as Ctrl-D does\n"
    "Everything else is SQL, up to a semicolon. The columns are explained in docs/queries.md.\n";

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  while (true) {
    const std::size_t begin = line.find_first_not_of(" \t\r;");
    if (begin == std::string_view::npos) return words;
    line.remove_prefix(begin);
    const std::size_t end = std::min(line.find_first_of(" \t\r;"), line.size());
    words.emplace_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

class Shell {
 public:
  Shell(sql::Session& session, sql::ResultFormat format, report::DescriptorOutput& out)
      : session_(session), out_(out), writer_(sql::make_result_writer(format, out)) {}

  bool is_over() const noexcept { return is_over_; }
  std::string_view prompt() const {
    return statement_.empty() ? std::string_view("copse> ") : std::string_view("  ...> ");
  }

  // False: the line was wrong, which has been said.
  bool take(const std::string& line) {
    if (statement_.empty() && line.starts_with('.')) return obey(words_of(line));
    if (statement_.empty() && words_of(line).empty()) return true;
    statement_ += line + '\n';
    return !sql::Session::is_complete(statement_) || run();
  }
  // Runs the remaining statement, which has no semicolon.
  bool finish() { return statement_.empty() || run(); }

 private:
  bool run() {
    const Status status = session_.run(std::exchange(statement_, {}), *writer_);
    if (const Status written = out_.finish(); !written && !out_.reader_gone()) {
      is_over_ = true;
      return failed(written.message());
    }
    is_over_ = is_over_ || out_.reader_gone();
    return status.ok() || failed("query: " + status.message());
  }

  bool obey(const std::vector<std::string>& words) {
    const std::string& command = words.front();
    const bool takes_a_word = command == ".schema" || command == ".format";
    if (words.size() > (takes_a_word ? 2U : 1U)) {
      return failed("query: " + command + ": takes " + (takes_a_word ? "one word" : "nothing") +
                    " behind it");
    }
    if (command == ".quit" || command == ".exit") {
      is_over_ = true;
    } else if (command == ".help") {
      print(std::string(kHelp));
    } else if (command == ".tables") {
      print_tables();
    } else if (command == ".schema") {
      return print_columns(words.size() > 1 ? words[1] : "");
    } else if (command == ".format") {
      return set_format(words.size() > 1 ? words[1] : "");
    } else {
      return failed("query: " + command + ": no such command" +
                    did_you_mean(command, {".tables", ".schema", ".format", ".help", ".quit"},
                                 "; .help lists them"));
    }
    return true;
  }

  void print_tables() {
    std::string text;
    for (const auto& table : session_.tables()) text += table.name + '\n';
    print(text);
  }

  bool print_columns(const std::string& wanted) {
    std::string text;
    for (const auto& [name, columns] : session_.tables()) {
      if (!wanted.empty() && wanted != name) continue;
      text += name + '(';
      for (std::size_t i = 0; i < columns.size(); ++i) text += (i == 0 ? "" : ", ") + columns[i];
      text += ")\n";
    }
    if (text.empty()) return failed("query: " + wanted + ": no such table; .tables lists them");
    print(text);
    return true;
  }

  bool set_format(const std::string& name) {
    const auto format = sql::result_format_by_name(name);
    if (!format) return failed("query: .format " + name + ": there are table, csv and json");
    writer_ = sql::make_result_writer(*format, out_);
    return true;
  }

  void print(const std::string& text) {
    std::string_view rest = text;
    while (!rest.empty()) {
      const std::size_t end = rest.find('\n');
      out_.put(printable(rest.substr(0, end)));
      out_.put('\n');
      rest.remove_prefix(end + 1);
    }
    (void)out_.finish();  // run() looks at it again
  }
  static bool failed(const std::string& message) {
    failure(message);
    return false;
  }

  sql::Session& session_;
  report::DescriptorOutput& out_;
  std::unique_ptr<sql::ResultWriter> writer_;
  std::string statement_;  // so far
  bool is_over_ = false;
};

}  // namespace

int run_query_shell(sql::Session& session, sql::ResultFormat format, std::istream& in,
                    bool is_terminal, report::DescriptorOutput& out) {
  Shell shell(session, format, out);
  const auto prompt = [&] {
    if (!is_terminal) return;
    out.put(shell.prompt());
    (void)out.finish();
  };
  std::string line;
  for (prompt(); std::getline(in, line); prompt()) {
    const bool is_well = shell.take(line);
    if (shell.is_over()) return is_well ? 0 : 1;
    if (!is_well && !is_terminal) return 1;
  }
  if (is_terminal) {
    out.put('\n');
    (void)out.finish();
  }
  return shell.finish() ? 0 : 1;
}

}  // namespace copse::cli
