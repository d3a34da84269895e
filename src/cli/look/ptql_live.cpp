#include "cli/look/ptql_live.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <utility>

#include "agent/output_path.h"
#include "base/grouped.h"
#include "base/wire/byte_source.h"
#include "cli/look/recorded_globs.h"
#include "cli/look/value_streams.h"
#include "cli/messages.h"
#include "cli/profile/child_process.h"
#include "cli/profile/live_jvm.h"
#include "cli/profile/run_program.h"
#include "cli/profile/running_jvms.h"
#include "cli/progress.h"

namespace copse::cli {
namespace {

// Maximum number of notes about missing data.
constexpr std::size_t kMostNotes = 5;

// Where answers go.
class AnswerFile {
 public:
  AnswerFile(const std::string& path, int otherwise) : descriptor_(otherwise) {
    if (path.empty()) return;
    descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    is_own_ = true;
    if (descriptor_ < 0) trouble_ = path + ": " + std::strerror(errno);
  }
  ~AnswerFile() {
    if (is_own_ && descriptor_ >= 0) ::close(descriptor_);
  }
  AnswerFile(const AnswerFile&) = delete;
  AnswerFile& operator=(const AnswerFile&) = delete;

  int descriptor() const { return descriptor_; }
  const std::string& trouble() const { return trouble_; }

 private:
  int descriptor_;
  bool is_own_ = false;
  std::string trouble_;  // "": none
};

// Prints the end of one JVM's stream, or of one file.
void say_end(const ValueStreamEnd& end, bool is_file) {
  say_each(end.summary);
  if (end.end.lost_events > 0) {
    say(counted(end.end.lost_events, "event") +
        " lost, so that answers may be missing and, with NEGATIVE, answers may be wrong");
  }
  if (end.late_ends > 0) {
    say(counted(end.late_ends, "end") +
        " of invocations not told by their threads: they are those of the methods below");
  }
  if (end.end.cut_texts > 0) {
    say(counted(end.end.cut_texts, "String") + " longer than what is copied: its beginning counts");
  }
  std::size_t said = 0;
  for (const std::string& note : end.end.notes) {
    if (said++ == kMostNotes) {
      say("and " + counted(end.end.notes.size() - kMostNotes, "more method") + " without events");
      break;
    }
    say(note);
  }
  if (end.is_cut && end.has_end) {
    say("answers that come at the end took long when the program was to end: they are missing");
  } else if (end.is_cut) {
    say(fmt::format(
        "answers were behind the program when it was to end: what it did since {}.{:03} s "
        "was not looked at, and what is answered at the end is missing",
        end.looked_at_until_ms / 1000, end.looked_at_until_ms % 1000));
  } else if (!end.trouble.empty()) {
    say(end.trouble);
  } else if (!end.has_end && !end.is_enough) {
    say(is_file
            ? "the recording has no end: the program was killed, and what it did last is missing"
            : "the program was killed, or goes on alone: what it did last is missing");
  }
}

void say_ends(const std::vector<ValueStreamEnd>& ends) {
  for (const ValueStreamEnd& end : ends) {
    if (ends.size() > 1) {
      say("process " + std::to_string(end.program.pid) + ", " + end.program.program + ":");
    }
    if (end.summary.empty()) {
      say(end.trouble);
    } else {
      say_end(end, false);
    }
  }
}

// Prints the failures that agents reported in addition to their events.
void say_failures(const std::vector<agent::Note>& notes) {
  for (const agent::Note& note : notes) {
    const auto* text = std::get_if<agent::TextNote>(&note);
    if (text != nullptr && text->kind == agent::TextNote::Kind::kFailed) say(text->text);
  }
}

// The streams of JVMs, written as answers come.
struct LiveWriter {
  LiveWriter(const LiveQuestion& asked, int descriptor)
      : question(asked),
        writer(asked.asked, asked.format, descriptor),
        streams(asked.asked, asked.engine,
                [this](std::uint64_t pid, std::size_t query, const ptql::Answer& answer) {
                  take(pid, query, answer);
                }) {}

  void take(std::uint64_t pid, std::size_t query, const ptql::Answer& answer) {
    if (stopped.load()) return;
    const bool is_one_of_several = streams.programs() > 1;
    if (is_one_of_several && only_pid != 0) {
      if (writer.written() > 0)
        say("the answers so far are of process " + std::to_string(only_pid));
      only_pid = 0;
    } else if (!is_one_of_several) {
      only_pid = pid;
    }
    writer.write({query, pid, is_one_of_several}, answer);
    if (!question.stop) return;
    stopped.store(true);
    streams.end_now();
    ::kill(static_cast<pid_t>(pid), SIGTERM);
  }

  const LiveQuestion& question;
  AnswerWriter writer;
  std::uint64_t only_pid = 0;  // that has answered, while one JVM is all there is
  std::atomic<bool> stopped{false};
  ValueStreams streams;  // last: uses all of the above
};

// `stream`: where the answers went without a file.
int write_trouble(const LiveQuestion& question, const char* stream, int error, int otherwise) {
  if (error == 0 || error == EPIPE) return otherwise;
  return failure((question.output.empty() ? stream : question.output) + ": " +
                 std::strerror(error));
}

agent::ValueOptions values_asked(const LiveQuestion& question, const ValueStreams& streams) {
  agent::ValueOptions values;
  values.queries = streams.queries_path();
  values.query_socket = streams.socket_path();
  values.query_frames = question.frames;
  values.query_without = question.asked.without;
  return values;
}

}  // namespace

int answer_from_command(const LiveQuestion& question, std::vector<std::string> command) {
  const AnswerFile file(question.output, STDERR_FILENO);
  if (!file.trouble().empty()) return failure(file.trouble());
  LiveWriter live(question, file.descriptor());
  if (const Status opened = live.streams.open(); !opened) return failure(opened);
  RunRequest request;
  request.command = std::move(command);
  request.options.mode = values_asked(question, live.streams);
  request.quiet = true;
  const SignalsKept kept;
  const Result<RunEnd> ended = run_program(std::move(request));
  const std::vector<ValueStreamEnd> ends = live.streams.finish();
  const int status = exit_status_of(ended, false);
  if (!ended.ok() || !ended->command.not_started.empty()) return status;
  say_failures(ended->notes);
  if (live.stopped.load()) say("ended the program at the first answer");
  say_ends(ends);
  if (ends.empty()) say("no JVM came up under this command, or it could not be asked");
  return write_trouble(question, "standard error", live.writer.error(), status);
}

int answer_from_jvm(const LiveQuestion& question, const std::string& jvm, std::uint64_t time_ms) {
  const Result<std::int64_t> pid = pid_of(jvm);
  if (!pid.ok()) return failure(pid);
  const AnswerFile file(question.output, STDOUT_FILENO);
  if (!file.trouble().empty()) return failure(file.trouble());
  LiveWriter live(question, file.descriptor());
  if (const Status opened = live.streams.open(); !opened) return failure(opened);
  agent::AgentOptions options;
  options.mode = values_asked(question, live.streams);
  options.quiet = true;
  WaitForEnd waiting;
  auto progress = std::make_unique<Progress>(
      fmt::format("putting probes into the classes of process {}", *pid));
  const Result<std::vector<agent::Note>> notes = tell_agent(*pid, AgentIs::kBroughtAlong, options);
  progress.reset();
  if (!notes.ok()) return failure(notes);
  say_failures(*notes);
  using std::chrono::milliseconds;
  const bool has_ended =
      waiting.wait(milliseconds(time_ms), *pid, live.streams.enough()) == WaitedFor::kEndOfJvm;
  live.streams.end_soon();
  int status = 0;
  progress = std::make_unique<Progress>(
      fmt::format("answering, and taking the probes out of process {}", *pid));
  if (!has_ended && !live.stopped.load()) {
    const Result<std::vector<agent::Note>> detached =
        tell_agent(*pid, AgentIs::kThereAlready, agent::options_of_mode<agent::DetachCommand>());
    if (!detached.ok()) status = failure(detached);
  }
  const std::vector<ValueStreamEnd> ends = live.streams.finish();
  progress.reset();
  say_ends(ends);
  return write_trouble(question, "standard output", live.writer.error(), status);
}

int answer_from_recording(const LiveQuestion& question, const std::string& path) {
  Result<std::unique_ptr<wire::ByteSource>> bytes = wire::open_file(path);
  if (!bytes.ok()) return failure(bytes);
  const AnswerFile file(question.output, STDOUT_FILENO);
  if (!file.trouble().empty()) return failure(file.trouble());
  AnswerWriter writer(question.asked, question.format, file.descriptor());
  std::uint64_t pid = 0;
  const ValueStreamEnd end = answer_stream(
      std::move(bytes).value(), question.asked, question.engine,
      [&](std::size_t query, const ptql::Answer& answer) {
        writer.write({query, pid}, answer);
      },
      [&](const stream::ValueProgram& program) {
        pid = program.pid;
        const std::string left_out = what_globs_leave_out(question.asked, program.globs);
        if (!left_out.empty()) say(left_out);
      });
  if (writer.error() == EPIPE) return 0;
  if (writer.error() != 0) return write_trouble(question, "standard output", writer.error(), 1);
  if (end.summary.empty()) return failure(end.trouble);
  say_end(end, true);
  say_each(end.near_misses);
  return end.trouble.empty() ? 0 : 1;
}

}  // namespace copse::cli
