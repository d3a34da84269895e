#include "cli/standard_output.h"

#include <sys/ioctl.h>
#include <unistd.h>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>

#include "cli/messages.h"
#include "report/model/output.h"
#include "report/model/text_lines.h"

namespace copse::cli {

std::size_t line_width() {
  if (const char* columns = std::getenv("COLUMNS")) {
    std::size_t width = 0;
    const std::string_view digits = columns;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), width);
    if (error == std::errc{} && end == digits.data() + digits.size() && width != 0) return width;
  }
  winsize size{};
  const bool is_terminal = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0;
  return is_terminal ? size.ws_col : report::TextLines::kUncut;
}

int print_text(const std::string& text) {
  report::DescriptorOutput out(STDOUT_FILENO, "standard output");
  out.put(text);
  const Status status = out.finish();
  return status.ok() || out.reader_gone() ? 0 : failure(status);
}

int write_text_to(const std::string& path, const std::string& text) {
  if (path.empty() || path == "-") return print_text(text);
  report::AtomicFile file(path);
  file.put(text);
  const Status status = file.commit();
  return status.ok() ? 0 : failure(status);
}

Result<std::string> text_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) {
    return Status::error(Fault::kSystem, path + ": cannot be read, or is empty");
  }
  return text.str();
}

}  // namespace copse::cli
