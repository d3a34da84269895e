#include "cli/standard_output.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/messages.h"
#include "report/output.h"

namespace copse::cli {

std::optional<std::size_t> terminal_width() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return size.ws_col;
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

}  // namespace copse::cli
