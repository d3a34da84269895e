#include "cli/look/samples_file.h"

#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>

#include "cli/file_kind.h"
#include "cli/look/recording_file.h"
#include "cli/look/tool_output.h"
#include "import/samples_reader.h"

namespace copse::cli {
namespace {

// Deeper than any recording keeps stacks.
constexpr const char* kWholeStacks = "4096";

std::string jfr_tool() {
  const char* const home = std::getenv("JAVA_HOME");
  const std::string path = home == nullptr ? "" : std::string(home) + "/bin/jfr";
  return access(path.c_str(), X_OK) == 0 ? path : "jfr";
}

Result<std::unique_ptr<ToolOutput>> start_jfr(const RecordingFile& file, const std::string& name,
                                              std::vector<std::string> words) {
  words.insert(words.begin(), jfr_tool());
  words.push_back(file.path());
  Result<std::unique_ptr<ToolOutput>> tool = ToolOutput::start(words, name);
  if (tool.ok()) return tool;
  return Status::error(tool.fault(),
                       name + ": is a flight recording, which a JDK's jfr has to read: " +
                           tool.message() + "; put it on the PATH, or set JAVA_HOME");
}

// Returns an empty table where the tool does not tell: then samples are counted.
Result<join::JfrEventNumbers> event_numbers(const RecordingFile& file, const std::string& name) {
  Result<std::unique_ptr<ToolOutput>> tool = start_jfr(file, name, {"metadata", "--ids"});
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

// Returns the next chunk as `jfr` prints it; std::nullopt behind the last one.
Result<std::optional<join::JfrChunk>> printed_chunk(RecordingFile& file, const std::string& name) {
  const Result<bool> is_there = file.next();
  if (!is_there.ok()) return is_there.status();
  if (!*is_there) return std::optional<join::JfrChunk>();
  Result<join::JfrEventNumbers> numbers = event_numbers(file, name);
  if (!numbers.ok()) return numbers.status();
  Result<std::unique_ptr<ToolOutput>> tool = start_jfr(
      file, name, {"print", "--json", "--stack-depth", kWholeStacks, "--events", join::kJfrEvents});
  if (!tool.ok()) return tool.status();
  return std::optional<join::JfrChunk>(
      {std::make_unique<join::SampleBytes>(std::move(tool).value()),
       {std::move(numbers).value(), true}});
}

// Names the file as the user did: `jfr` complains of the one that it was given.
Status in_words_of_user(const Status& failure, const std::string& given, const std::string& name) {
  std::string message = failure.message();
  for (std::size_t at = 0; (at = message.find(given, at)) != std::string::npos; at += name.size()) {
    message.replace(at, given.size(), name);
  }
  return Status::error(failure.fault(), std::move(message));
}

Result<join::SampledStacks> read_flight_recording(const std::string& path, join::SampleBytes& bytes,
                                                  join::FrameReading reading) {
  join::SampledStacks stacks(reading);
  RecordingFile file(path == kStandardInput ? "" : path, bytes);
  const Status status = join::read_jfr_chunks(
      bytes.name(), [&] { return printed_chunk(file, bytes.name()); }, stacks);
  if (!status) return in_words_of_user(status, file.path(), bytes.name());
  return stacks;
}

}  // namespace

std::string name_of_samples(const std::string& path) {
  return path == kStandardInput ? "standard input" : path;
}

Status check_samples_kind(const std::string& path, std::string_view wanted) {
  if (path == kStandardInput) return {};
  return check_kind(path, {FileKind::kCollapsed, FileKind::kFlightRecording, FileKind::kCompressed},
                    wanted);
}

Result<join::SampledStacks> read_samples_file(const std::string& path, join::FrameReading reading) {
  Result<std::unique_ptr<wire::ByteSource>> file =
      path == kStandardInput ? wire::open_standard_input() : wire::open_file(path);
  if (!file.ok()) return file.status();
  join::SampleBytes bytes(std::move(file).value());
  if (is_flight_recording(bytes)) return read_flight_recording(path, bytes, reading);
  return read_samples(bytes, {}, reading);
}

}  // namespace copse::cli
