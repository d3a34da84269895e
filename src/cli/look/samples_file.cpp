#include "cli/look/samples_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "base/replaced_file.h"
#include "cli/file_kind.h"
#include "cli/look/tool_output.h"
#include "cli/own_signals.h"
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

constexpr const char* kEnding = ".jfr";

// The head of a chunk: "FLR\0", two numbers of a version, and the chunk's size with the highest byte first.
constexpr std::string_view kMagic("FLR\0", 4);
constexpr std::size_t kSizeAt = 8;
constexpr std::size_t kHeadBytes = 16;
constexpr std::uint64_t kLeastChunkBytes = 68;  // the whole head has as many

// Returns where the file lies, whatever links lead to it; "" where a link cannot stand for it, because it is no
// regular file, or has no name any more.
std::string place_of_regular_file(const std::string& path) {
  struct stat meant {};
  if (stat(path.c_str(), &meant) != 0 || !S_ISREG(meant.st_mode)) return "";
  const std::unique_ptr<char, decltype(&std::free)> place(realpath(path.c_str(), nullptr),
                                                          &std::free);
  struct stat found {};
  if (place == nullptr || stat(place.get(), &found) != 0) return "";
  return found.st_dev == meant.st_dev && found.st_ino == meant.st_ino ? place.get() : "";
}

Status copy_trouble(const std::string& name, const std::string& copy, int error) {
  return Status::error(Fault::kSystem,
                       name + ": cannot be copied for jfr: " + copy + ": " + std::strerror(error) +
                           "; set TMPDIR to a folder that can be written and has room");
}

// A file that grows beyond a limit gives an error then instead of ending the process.
class LongFilesFail {
 public:
  LongFilesFail() : before_(take_signal(SIGXFSZ, SIG_IGN)) {}
  LongFilesFail(const LongFilesFail&) = delete;
  LongFilesFail& operator=(const LongFilesFail&) = delete;
  ~LongFilesFail() { take_signal(SIGXFSZ, before_); }

 private:
  const SignalHandler before_;
};

// Returns the size of a chunk by its first bytes; the most there is where they do not tell, as when the JVM was killed.
std::uint64_t chunk_bytes(std::string_view head) {
  std::uint64_t bytes = 0;
  for (const char c : head.substr(std::min(head.size(), kSizeAt), kHeadBytes - kSizeAt)) {
    bytes = bytes << 8 | static_cast<std::uint8_t>(c);
  }
  const bool is_told =
      head.size() >= kHeadBytes && head.starts_with(kMagic) && bytes >= kLeastChunkBytes;
  return is_told ? bytes : std::numeric_limits<std::uint64_t>::max();
}

// Copies the next chunk.
Status copy_chunk(join::SampleBytes& bytes, const std::string& to) {
  const int file = open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return copy_trouble(bytes.name(), to, errno);
  const LongFilesFail long_files_fail;
  std::string head;
  const auto next = [&](std::uint64_t most) {
    return bytes.block().substr(0, std::min<std::uint64_t>(most, bytes.block().size()));
  };
  while (head.size() < kHeadBytes && !bytes.at_end()) {
    const std::string_view part = next(kHeadBytes - head.size());
    head += part;
    bytes.take(part.size());
  }
  int error = write_all(file, head);
  for (std::uint64_t left = chunk_bytes(head) - head.size();
       error == 0 && left != 0 && !bytes.at_end();) {
    const std::string_view part = next(left);
    error = write_all(file, part);
    left -= part.size();
    bytes.take(part.size());
  }
  if (close(file) != 0 && error == 0) error = errno;
  return error == 0 ? bytes.status() : copy_trouble(bytes.name(), to, error);
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

Result<bool> RecordingFile::next() {
  if (!std::exchange(has_begun_, true)) {
    const std::string place = bytes_.is_compressed() ? "" : place_of_regular_file(recording_);
    struct stat found {};
    is_copied_ = place.empty() || stat(place.c_str(), &found) != 0 ||
                 chunk_bytes(bytes_.block()) < static_cast<std::uint64_t>(found.st_size);
    const Status status = is_copied_ ? make_folder() : use(place);
    if (!status) return status;
    if (!is_copied_) return true;
  }
  if (!is_copied_ || bytes_.at_end()) return false;
  unlink(path_.c_str());
  if (const Status status = copy_chunk(bytes_, path_); !status) return status;
  return true;
}

// Uses the recording itself, which lies at `place`.
Status RecordingFile::use(const std::string& place) {
  if (recording_.ends_with(kEnding)) {
    // A path that begins like an option would be one.
    path_ = recording_.starts_with('-') ? "./" + recording_ : recording_;
    return {};
  }
  if (Status status = make_folder(); !status) return status;
  return symlink(place.c_str(), path_.c_str()) == 0 ? Status()
                                                    : copy_trouble(bytes_.name(), path_, errno);
}

Status RecordingFile::make_folder() {
  folder_ = std::make_unique<PassingFolder>();
  if (!folder_->made()) return copy_trouble(bytes_.name(), folder_->path(), errno);
  path_ = folder_->path() + "/recording" + kEnding;
  return {};
}

}  // namespace copse::cli
