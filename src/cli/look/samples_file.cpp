#include "cli/look/samples_file.h"

#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <utility>

#include "cli/look/tool_output.h"
#include "join/samples_reader.h"

namespace copse::cli {
namespace {

// Deeper than any recording keeps stacks.
constexpr const char* kWholeStacks = "4096";

std::string jfr_tool() {
  const char* const home = std::getenv("JAVA_HOME");
  const std::string path = home == nullptr ? "" : std::string(home) + "/bin/jfr";
  return access(path.c_str(), X_OK) == 0 ? path : "jfr";
}

Result<std::unique_ptr<ToolOutput>> start_jfr(const std::string& path,
                                              std::vector<std::string> words) {
  words.insert(words.begin(), jfr_tool());
  // A path that begins like an option would be one.
  words.push_back(path.starts_with('-') ? "./" + path : path);
  Result<std::unique_ptr<ToolOutput>> tool = ToolOutput::start(words, path);
  if (tool.ok()) return tool;
  return Status::error(path + ": is a flight recording, which a JDK's jfr has to read: " +
                       tool.message() + "; put it on the PATH, or set JAVA_HOME");
}

// Empty when the tool does not tell: then samples are counted.
Result<join::JfrEventNumbers> event_numbers(const std::string& path) {
  Result<std::unique_ptr<ToolOutput>> tool = start_jfr(path, {"metadata", "--ids"});
  if (!tool.ok()) return tool.status();
  std::string text;
  std::vector<std::uint8_t> block(1 << 16);
  while (true) {
    const Result<std::size_t> got = (*tool)->read(block);
    if (!got.ok()) return join::JfrEventNumbers();
    text.append(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(*got));
    if (*got < block.size()) return join::jfr_event_numbers(text);
  }
}

Result<join::SampledStacks> read_flight_recording(const std::string& path,
                                                  join::FrameReading reading) {
  Result<join::JfrEventNumbers> numbers = event_numbers(path);
  if (!numbers.ok()) return numbers.status();
  Result<std::unique_ptr<ToolOutput>> tool = start_jfr(
      path, {"print", "--json", "--stack-depth", kWholeStacks, "--events", join::kJfrEvents});
  if (!tool.ok()) return tool.status();
  join::SampleBytes bytes(std::move(tool).value());
  return read_samples(bytes, {std::move(numbers).value(), true}, reading);
}

}  // namespace

Result<join::SampledStacks> read_samples_file(const std::string& path, join::FrameReading reading) {
  Result<std::unique_ptr<wire::ByteSource>> file = wire::open_file(path);
  if (!file.ok()) return file.status();
  join::SampleBytes bytes(std::move(file).value());
  if (is_flight_recording(bytes)) return read_flight_recording(path, reading);
  return read_samples(bytes, {}, reading);
}

}  // namespace copse::cli
