// Any lines behind a text trace's header: read to the end, or one line of complaint that names the
// line; and a text that was accepted says the same when written, read and written again.
//
// The header is put before the input, so that every input reaches the lines.
#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "support/fuzz_require.h"
#include "trace/open_trace.h"
#include "trace/text_writer.h"

using namespace copse;

namespace {

// Returns the trace as text, or "" if it is refused.
std::string rewritten(const std::string& text) {
  const auto trace =
      trace::open_whole_trace(wire::bytes_in_memory("input", {text.begin(), text.end()}));
  require(trace.ok(), "bytes in memory cannot be opened");
  std::ostringstream out;
  const Status status = trace::write_text(out, **trace);
  if (status.ok()) return out.str();
  const std::string& message = status.message();
  require(message.find('\n') == std::string::npos, "a message has several lines");
  require(message.starts_with("input: at byte ") && message.find("(line ") != std::string::npos,
          "a message names no line");
  return "";
}

// Tables are written between batches, so rows may move among the events, and a call's comment names
// its method only below the method's row.
struct Content {
  std::vector<std::string> events, rows;
  bool operator==(const Content&) const = default;
};

Content content_of(const std::string& text) {
  Content content;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    line.resize(std::min(line.size(), line.find("  #")));
    const bool event = !line.empty() && line[0] >= '0' && line[0] <= '9';
    (event ? content.events : content.rows).push_back(line);
  }
  std::sort(content.rows.begin(), content.rows.end());
  return content;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text = "copse trace text 1\n";
  text.append(reinterpret_cast<const char*>(data), size);
  const std::string once = rewritten(text);
  if (once.empty()) return 0;
  const std::string twice = rewritten(once);
  require(!twice.empty(), "what is written is not accepted");
  require(content_of(once) == content_of(twice), "a trace changes when written twice");
  return 0;
}
