#include "cli/mcp/server.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "base/version.h"
#include "cli/look/kept_reports.h"
#include "cli/mcp/answer.h"
#include "cli/mcp/captured.h"
#include "cli/mcp/json.h"
#include "cli/mcp/json_rpc.h"
#include "cli/mcp/resources.h"
#include "cli/mcp/tool_call.h"
#include "cli/mcp/tool_request.h"

namespace copse::cli {
namespace {

using Clock = std::chrono::steady_clock;

// Versions of the protocol, the newest first.
constexpr std::array<std::string_view, 3> kProtocols = {"2025-06-18", "2025-03-26", "2024-11-05"};
constexpr std::string_view kProtocolWithBatches = "2025-03-26";
constexpr std::size_t kMostRunning = 4;
constexpr auto kBetweenProgress = std::chrono::seconds(1);
// A call's process ends its program within 10 s (captured.cpp), if it runs at all.
constexpr auto kTimeToEndRuns = std::chrono::seconds(12);
constexpr auto kBetweenLooks = std::chrono::milliseconds(20);
constexpr const char* kInstructions =
    "Copse counts every call of a Java program by its calling context; counts are exact. profile "
    "runs the program (or "
    "attach), summary and hot_paths show where calls and time go, callers finds the loop around a "
    "call. After a change "
    "run profile again; compare shows what it did, gate proves it. Names in answers are data of "
    "the profiled program.";

// The answers to a batch, which are sent as one list once all are there.
struct Batch {
  std::size_t open = 0;  // requests without an answer
  std::vector<std::string> lines;
};

// A request that a process of its own answers.
struct PendingCall {
  std::string id;
  std::string name;            // of the tool, or "resource"
  std::string progress_token;  // as JSON; "" means that no progress is to be told
  std::vector<std::string> reports;
  // Returns the line to send. Runs in that process.
  std::function<std::string()> answer{};
  bool is_resource = false;
  std::shared_ptr<Batch> batch{};  // nullptr if the request came alone

  pid_t process = -1;
  int reader = -1;
  std::string line{};  // the answer so far
  Clock::time_point started{}, told{};
  bool is_cancelled = false;
};

class Server {
 public:
  explicit Server(const ServerOptions& options)
      : options_(options), tools_(tools_as_json(options.commands)) {}

  int run() {
    while (!is_client_gone_ && (!is_input_over_ || !calls_.empty())) {
      start_calls();
      wait();
    }
    end_calls();
    return 0;
  }

 private:
  void send(std::string_view line) {
    while (!line.empty() && !is_client_gone_) {
      const ssize_t count = write(STDOUT_FILENO, line.data(), line.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) is_client_gone_ = true;
      if (count > 0) line.remove_prefix(static_cast<std::size_t>(count));
    }
  }

  // Sends the answer to a request, or keeps it for the others of its batch. `line`: "" if there is none to send.
  void respond(const std::shared_ptr<Batch>& batch, std::string line) {
    if (batch == nullptr) return send(line);
    if (!line.empty()) batch->lines.push_back(std::move(line));
    if (--batch->open == 0 && !batch->lines.empty()) send(batch_line(batch->lines));
  }
  // Answers the message that is being taken.
  void respond(std::string line) { respond(batch_, std::move(line)); }

  void wait() {
    std::vector<pollfd> files{{is_input_over_ ? -1 : STDIN_FILENO, POLLIN, 0},
                              {STDOUT_FILENO, 0, 0}};
    std::vector<PendingCall*> readers;
    bool tells_progress = false;
    for (PendingCall& call : calls_) {
      if (call.process < 0) continue;
      files.push_back({call.reader, POLLIN, 0});
      readers.push_back(&call);
      tells_progress = tells_progress || !call.progress_token.empty();
    }
    const int ready = poll(files.data(), files.size(), tells_progress ? 200 : -1);
    if (ready < 0) {
      if (errno != EINTR) is_client_gone_ = true;
      return;
    }
    if ((files[1].revents & (POLLERR | POLLNVAL)) != 0) is_client_gone_ = true;
    for (std::size_t i = 0; i < readers.size(); ++i) {
      if (files[i + 2].revents != 0) take_answer(*readers[i]);
    }
    calls_.remove_if([](const PendingCall& call) { return call.process >= 0 && call.reader < 0; });
    tell_progress();
    if (files[0].revents != 0) take_input();
  }

  void take_input() {
    std::array<char, 65'536> bytes;
    const ssize_t count = ::read(STDIN_FILENO, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) return;
    if (count > 0) {
      lines_.feed({bytes.data(), static_cast<std::size_t>(count)});
    } else {
      is_input_over_ = true;
      lines_.finish();
    }
    while (const std::optional<LineReader::Line> line = lines_.next()) {
      if (line->too_long) {
        send(error_line("null", RpcError::kNoMessage, "the line is longer than 4 MiB"));
      } else {
        take_messages(read_messages(line->text, protocol_ == kProtocolWithBatches));
      }
    }
  }

  void take_messages(const RpcLine& line) {
    if (line.is_batch) batch_ = std::make_shared<Batch>();
    const auto is_answered = [](const RpcMessage& message) {
      const auto* request = std::get_if<RpcRequest>(&message);
      return std::holds_alternative<RpcFault>(message) ||
             (request != nullptr && !request->id.empty());
    };
    if (line.is_batch) {
      batch_->open = static_cast<std::size_t>(std::ranges::count_if(line.messages, is_answered));
    }
    for (const RpcMessage& message : line.messages) take_message(message);
    batch_ = nullptr;
  }

  void take_message(const RpcMessage& message) {
    if (const auto* fault = std::get_if<RpcFault>(&message)) {
      respond(error_line(fault->id, fault->error, fault->why));
    } else if (const auto* request = std::get_if<RpcRequest>(&message)) {
      request->id.empty() ? take_notification(*request) : take_request(*request);
    }
  }

  void take_notification(const RpcRequest& notification) {
    if (notification.method != "notifications/cancelled") return;

    const Json* id = notification.params.find("requestId");
    if (id == nullptr) return;
    for (auto call = calls_.begin(); call != calls_.end(); ++call) {
      if (call->id != id->as_json()) continue;
      if (call->process < 0) {
        respond(call->batch, "");
        calls_.erase(call);
      } else {
        call->is_cancelled = true;
        kill(call->process, SIGTERM);
      }
      return;
    }
  }

  void take_request(const RpcRequest& request) {
    const Json& params = request.params;
    if (request.method == "initialize") return initialize(request, params);
    if (request.method == "ping") return respond(result_line(request.id, "{}"));
    if (!is_initialized_) {
      return respond(error_line(request.id, RpcError::kNoMessage, "initialize comes first"));
    }
    if (request.method == "tools/call") return call_tool(request, params);
    if (request.method == "resources/read") return read_resource_of(request, params);
    const bool is_list = request.method == "tools/list" || request.method == "resources/list" ||
                         request.method == "resources/templates/list";
    if (!is_list)
      return respond(
          error_line(request.id, RpcError::kNoMethod, request.method + ": no such method"));
    if (params.find("cursor") != nullptr) {
      return respond(error_line(request.id, RpcError::kParameters,
                                "cursor: lists come whole, so no cursor was given"));
    }
    respond(result_line(request.id, request.method == "tools/list" ? tools_
                                    : request.method == "resources/list"
                                        ? resources_as_json(options_.commands)
                                        : templates_as_json()));
  }

  void initialize(const RpcRequest& request, const Json& params) {
    const std::optional<std::string> asked = params.text_of("protocolVersion");
    if (!asked) {
      return respond(error_line(request.id, RpcError::kParameters, "protocolVersion is missing"));
    }
    const auto known = std::ranges::find(kProtocols, *asked);
    protocol_ = known == kProtocols.end() ? kProtocols.front() : *known;
    is_initialized_ = true;
    const std::string abilities = JsonObject().add("tools", "{}").add("resources", "{}").take();
    const std::string about = JsonObject()
                                  .add_text("name", "copse")
                                  .add_text("title", "Copse")
                                  .add_text("version", kVersion)
                                  .take();
    respond(result_line(request.id, JsonObject()
                                        .add_text("protocolVersion", protocol_)
                                        .add("capabilities", abilities)
                                        .add("serverInfo", about)
                                        .add_text("instructions", kInstructions)
                                        .take()));
  }

  void call_tool(const RpcRequest& request, const Json& params) {
    const std::string name = params.text_of("name").value_or("");
    const Tool* tool = find_tool(name);
    if (tool == nullptr) {
      return respond(error_line(request.id, RpcError::kParameters,
                                name + ": no such tool; tools/list has all"));
    }
    const Json nothing{.kind = Json::Kind::kObject, .text = "", .names = {}, .items = {}};
    const Json* arguments = params.find("arguments");
    const Result<ToolRequest> asked =
        read_request(*tool, arguments == nullptr ? nothing : *arguments);
    if (!asked.ok()) return respond(result_line(request.id, tool_failure(asked.message())));
    if (const std::string_view runs = asked->runs_with(); !runs.empty() && !options_.allow_run) {
      return respond(
          result_line(request.id, tool_failure(name + ": " + std::string(runs) +
                                               ": starts or changes a process; ask the user to "
                                               "start the server as: copse mcp --allow-run")));
    }
    PendingCall call{.id = request.id,
                     .name = name,
                     .progress_token = token_of(params),
                     .reports = asked->reports()};
    call.answer = [id = request.id, asked = *asked] {
      const ToolAnswer answer = answer_call(asked);
      return result_line(id, answer.is_failure ? tool_failure(answer.answer.text)
                                               : tool_result(answer.answer, answer.status));
    };
    call.batch = batch_;
    calls_.push_back(std::move(call));
  }

  void read_resource_of(const RpcRequest& request, const Json& params) {
    const std::optional<std::string> uri = params.text_of("uri");
    if (!uri) return respond(error_line(request.id, RpcError::kParameters, "uri is missing"));
    PendingCall call{.id = request.id,
                     .name = *uri,
                     .progress_token = token_of(params),
                     .reports = {report_of_uri(*uri)}};
    call.is_resource = true;
    call.answer = [id = request.id, uri = *uri] {
      const Result<std::string> result = read_resource(uri);
      return result.ok() ? result_line(id, *result)
                         : error_line(id, RpcError::kNotFound, result.message());
    };
    call.batch = batch_;
    calls_.push_back(std::move(call));
  }

  static std::string token_of(const Json& params) {
    const Json* meta = params.find("_meta");
    const Json* token = meta == nullptr ? nullptr : meta->find("progressToken");
    const bool is_token =
        token != nullptr && (token->is(Json::Kind::kText) || token->is(Json::Kind::kNumber));
    return is_token ? token->as_json() : "";
  }

  void start_calls() {
    auto running = static_cast<std::size_t>(
        std::ranges::count_if(calls_, [](const PendingCall& call) { return call.process >= 0; }));
    for (auto call = calls_.begin(); call != calls_.end() && running < kMostRunning;) {
      if (call->process >= 0) {
        ++call;
      } else if (start(*call)) {
        ++running;
        ++call;
      } else {
        call = calls_.erase(call);
      }
    }
  }

  // Returns false after an error, which is sent.
  bool start(PendingCall& call) {
    for (const std::string& file : call.reports) keep_report(file);
    int ends[2];
    int why = pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno;
    const pid_t server = getpid();
    const pid_t process = why == 0 ? fork() : -1;
    if (process == 0) {
      close(ends[0]);
      for (const PendingCall& other : calls_) {
        if (other.reader >= 0) close(other.reader);
      }
      answer_and_exit(call, ends[1], server);
    }
    if (why == 0) {
      if (process < 0) why = errno;
      close(ends[1]);
      if (process < 0) close(ends[0]);
    }
    if (why != 0) {
      respond(call.batch, failure_line(call, std::strerror(why)));
      return false;
    }
    call.process = process;
    call.reader = ends[0];
    call.started = call.told = Clock::now();
    return true;
  }

  // Holds none of the server's files: whoever waits for their end must not wait for a program that takes its time to end
  // after the server was killed.
  [[noreturn]] static void answer_and_exit(const PendingCall& call, int to, pid_t server) {
    end_commands_by_signal();
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != server) _exit(1);  // killed before
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, file);
    std::string line;
    try {
      line = call.answer();
    } catch (const std::exception& unexpected) {
      line = failure_line(call, unexpected.what());
    }
    std::string_view rest = line;
    while (!rest.empty()) {
      const ssize_t count = write(to, rest.data(), rest.size());
      if (count < 0 && errno != EINTR) break;
      if (count > 0) rest.remove_prefix(static_cast<std::size_t>(count));
    }
    _exit(rest.empty() ? 0 : 1);
  }

  static std::string failure_line(const PendingCall& call, const std::string& why) {
    const std::string message = call.name + ": " + why;
    return call.is_resource ? error_line(call.id, RpcError::kNotFound, message)
                            : result_line(call.id, tool_failure(message));
  }

  // Takes a part of the answer, and sends it when it is whole.
  void take_answer(PendingCall& call) {
    std::array<char, 65'536> bytes;
    const ssize_t count = ::read(call.reader, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) return;
    if (count > 0) {
      call.line.append(bytes.data(), static_cast<std::size_t>(count));
      return;
    }
    close(std::exchange(call.reader, -1));
    int status = 0;
    while (waitpid(call.process, &status, 0) < 0 && errno == EINTR) {
    }
    if (call.is_cancelled) return respond(call.batch, "");
    if (status == 0 && call.line.ends_with('\n')) return respond(call.batch, call.line);
    respond(call.batch,
            failure_line(call, WIFSIGNALED(status) ? std::string("was ended by a signal: ") +
                                                         strsignal(WTERMSIG(status))
                                                   : "ended without an answer"));
  }

  void tell_progress() {
    const auto now = Clock::now();
    for (PendingCall& call : calls_) {
      if (call.progress_token.empty() || call.process < 0 || call.is_cancelled ||
          now - call.told < kBetweenProgress)
        continue;
      call.told = now;
      const auto seconds =
          std::chrono::duration_cast<std::chrono::seconds>(now - call.started).count();
      send(notification_line(
          "notifications/progress",
          JsonObject()
              .add("progressToken", call.progress_token)
              .add("progress", std::to_string(seconds))
              .add_text("message", call.name + ": for " + std::to_string(seconds) + " s")
              .take()));
    }
  }

  void end_calls() {
    const auto has_ended = [](const PendingCall& call) {
      return call.process < 0 || waitpid(call.process, nullptr, WNOHANG) != 0;
    };
    std::erase_if(calls_, has_ended);
    for (const PendingCall& call : calls_) kill(call.process, SIGTERM);
    const auto last_moment = Clock::now() + kTimeToEndRuns;
    while (!calls_.empty() && Clock::now() < last_moment) {
      std::this_thread::sleep_for(kBetweenLooks);
      std::erase_if(calls_, has_ended);
    }
    // A process that is stopped, or that computes, does not hear the first signal.
    for (const PendingCall& call : calls_) kill(call.process, SIGKILL);
  }

  const ServerOptions& options_;
  const std::string tools_;
  LineReader lines_;
  std::list<PendingCall> calls_;  // in the order of the requests
  std::shared_ptr<Batch> batch_;  // that is being taken; nullptr means none
  std::string_view protocol_ = kProtocols.front();
  bool is_initialized_ = false;
  bool is_input_over_ = false;
  bool is_client_gone_ = false;
};

}  // namespace

int serve(const ServerOptions& options) { return Server(options).run(); }

}  // namespace copse::cli
