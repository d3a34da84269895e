#include "cli/look/value_streams.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <memory>
#include <utility>

#include "cli/look/ptql_answers.h"
#include "cli/profile/child_process.h"
#include "ptql/stream/block_output.h"
#include "ptql/stream/engine_feed.h"
#include "ptql/stream/value_reader.h"

namespace copse::cli {
namespace {

// How long a JVM that has outlived its command is listened to since it last sent something.
constexpr int kPatienceMs = 500;
// How long events that came together may take when the end is wanted: there are a few such blocks on
// their way.
constexpr std::int64_t kMostPerBlockMs = 400;
constexpr std::chrono::milliseconds kLookEvery{50};

std::int64_t steady_now_ms() {
  using std::chrono::duration_cast;
  using std::chrono::milliseconds;
  return duration_cast<milliseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Signals are for the thread that waits for the command.
template <typename Body>
std::thread quiet_thread(Body body) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread(std::move(body));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

// Bytes of a socket, until the other side closes it or answers are no longer wanted.
class SocketBytes final : public wire::ByteSource {
 public:
  // `busy_since_ms`: start of the processing of received bytes; 0 while waiting for more.
  SocketBytes(int socket, const std::atomic<bool>& is_last,
              std::atomic<std::int64_t>& busy_since_ms)
      : socket_(socket), is_last_(is_last), busy_since_ms_(busy_since_ms) {}
  ~SocketBytes() override { ::close(socket_); }
  SocketBytes(const SocketBytes&) = delete;
  SocketBytes& operator=(const SocketBytes&) = delete;

  Result<std::size_t> read(std::span<std::uint8_t> into) override {
    std::size_t got = 0;
    busy_since_ms_.store(0);
    while (got < into.size() && wait()) {
      const ssize_t count = ::recv(socket_, into.data() + got, into.size() - got, 0);
      if (count == 0 || (count < 0 && errno == ECONNRESET)) break;
      if (count < 0 && errno != EINTR)
        return Status::error(Fault::kSystem, name_ + ": " + std::strerror(errno));
      if (count > 0) got += static_cast<std::size_t>(count);
    }
    busy_since_ms_.store(steady_now_ms());
    return got;
  }
  Status rewind() override {
    return Status::error(Fault::kUnsupported, name_ + ": cannot be read twice");
  }
  const std::string& name() const override { return name_; }

 private:
  // False: nothing more is waited for.
  bool wait() const {
    for (;;) {
      pollfd one{socket_, POLLIN, 0};
      const int ready = ::poll(&one, 1, kPatienceMs);
      if (ready > 0) return true;
      if (ready == 0 && is_last_.load()) return false;
    }
  }

  const std::string name_ = "the JVM's events";
  const int socket_;
  const std::atomic<bool>& is_last_;
  std::atomic<std::int64_t>& busy_since_ms_;
};

}  // namespace

ValueStreamEnd answer_stream(std::unique_ptr<wire::ByteSource> bytes, const AskedQueries& asked,
                             const ptql::EngineOptions& options, const ptql::Engines::Sink& sink,
                             const std::function<void(const stream::ValueProgram&)>& program_ran,
                             const std::function<void(std::size_t query)>& query_done) {
  ValueStreamEnd end;
  stream::ValueReader reader(std::move(bytes));
  Result<stream::ValueProgram> program = reader.program();
  if (!program.ok()) {
    end.trouble = program.message();
    return end;
  }
  end.program = std::move(program).value();
  program_ran(end.program);
  ptql::Engines engines(asked.plans, options, sink);
  stream::EngineFeed feed(engines);
  std::vector<bool> done(asked.plans.size(), false);
  const auto is_stopped = [&options] { return options.stop != nullptr && options.stop->load(); };
  while (!is_stopped()) {
    const Result<bool> more = reader.next(feed);
    if (!more.ok()) end.trouble = more.message();
    end.is_enough = engines.done();
    if (!more.ok() || !*more || end.is_enough) break;
    for (std::size_t query = 0; query_done && query < done.size(); ++query) {
      if (done[query] || !engines.done(query)) continue;
      done[query] = true;
      query_done(query);
    }
  }
  if (!is_stopped()) feed.finish();
  end.is_cut = is_stopped() && !end.is_enough;
  end.looked_at_until_ms = feed.now_ms();
  end.has_end = reader.end().has_value();
  if (end.has_end) end.end = *reader.end();
  end.events = feed.events();
  end.late_ends = feed.late_ends();
  end.summary = answers_summary(asked, engines);
  end.near_misses = near_misses(asked, engines);
  return end;
}

class ValueStreams::Connection {
 public:
  explicit Connection(int accepted) : socket(accepted) {}

  const int socket;
  std::atomic<bool> is_last{false};
  std::atomic<bool> stop{false};
  std::atomic<std::int64_t> busy_since_ms{0};
  std::thread thread;
};

ValueStreams::ValueStreams(const AskedQueries& asked, const ptql::EngineOptions& options, Sink sink)
    : asked_(asked),
      options_(options),
      sink_(std::move(sink)),
      enough_(::eventfd(0, EFD_CLOEXEC)) {}

ValueStreams::~ValueStreams() {
  finish();
  if (enough_ >= 0) ::close(enough_);
}

Status ValueStreams::open() {
  if (!folder_.made())
    return Status::error(Fault::kSystem, folder_.path() + ": " + std::strerror(errno));
  std::ofstream queries(queries_path(), std::ios::binary);
  for (const std::string& text : asked_.texts) queries << text << '\0';
  queries.close();
  if (!queries) return Status::error(Fault::kSystem, queries_path() + ": cannot be written");
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = socket_path();
  if (path.size() >= sizeof address.sun_path) {
    return Status::error(Fault::kLimit,
                         path + ": is too long for a socket; set TMPDIR to a shorter folder");
  }
  std::memcpy(address.sun_path, path.data(), path.size());
  listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener_ < 0 ||
      ::bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listener_, SOMAXCONN) != 0) {
    return Status::error(Fault::kSystem, path + ": " + std::strerror(errno));
  }
  listening_ = quiet_thread([this] { listen_for_jvms(); });
  watching_ = quiet_thread([this] { watch_for_the_end(); });
  return {};
}

// Until finish() shuts the listener down.
void ValueStreams::listen_for_jvms() {
  for (;;) {
    const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0 && (errno == EINTR || errno == ECONNABORTED)) continue;
    if (socket < 0) return;
    const std::lock_guard lock(mutex_);
    Connection& connection = connections_.emplace_back(socket);
    connection.thread = quiet_thread([this, &connection] { answer(connection); });
  }
}

void ValueStreams::answer(Connection& connection) {
  std::uint64_t pid = 0;
  ptql::EngineOptions options = options_;
  options.stop = &connection.stop;
  ValueStreamEnd end = answer_stream(
      std::make_unique<SocketBytes>(connection.socket, connection.is_last,
                                    connection.busy_since_ms),
      asked_, options,
      [&](std::size_t query, const ptql::Answer& answer) {
        const std::lock_guard lock(mutex_);
        sink_(pid, query, answer);
      },
      [&](const stream::ValueProgram& program) {
        const std::lock_guard lock(mutex_);
        pid = program.pid;
        ++programs_;
      },
      [&](std::size_t query) { stream::tell_query_done(connection.socket, query); });
  if (is_enough_.load()) {
    end.is_enough = true;
    end.is_cut = false;
  }
  const std::lock_guard lock(mutex_);
  if (end.is_enough && enough_ >= 0) ::eventfd_write(enough_, 1);
  ends_.push_back(std::move(end));
}

void ValueStreams::end_soon() {
  std::int64_t not_yet = 0;
  end_wanted_ms_.compare_exchange_strong(not_yet, steady_now_ms());
}

void ValueStreams::watch_for_the_end() {
  std::unique_lock lock(mutex_);
  while (!finished_.wait_for(lock, kLookEvery, [this] { return is_finished_; })) {
    const int signal = SignalsKept::last();
    if (signal != 0 && signal != SIGQUIT) end_soon();  // which a JVM answers, and goes on
    const std::int64_t wanted = end_wanted_ms_.load();
    if (wanted == 0 && !is_enough_.load()) continue;
    const std::int64_t now = steady_now_ms();
    for (Connection& connection : connections_) {
      const std::int64_t busy = connection.busy_since_ms.load();
      const bool is_slow = busy != 0 && now - std::max(busy, wanted) > kMostPerBlockMs;
      if (is_slow || is_enough_.load()) connection.stop.store(true);
    }
  }
}

std::vector<ValueStreamEnd> ValueStreams::finish() {
  if (listener_ >= 0) ::shutdown(listener_, SHUT_RDWR);
  if (listening_.joinable()) listening_.join();
  if (listener_ >= 0) ::close(std::exchange(listener_, -1));
  for (Connection& connection : connections_) connection.is_last.store(true);
  for (Connection& connection : connections_) {
    if (connection.thread.joinable()) connection.thread.join();
  }
  {
    const std::lock_guard lock(mutex_);
    is_finished_ = true;
  }
  finished_.notify_all();
  if (watching_.joinable()) watching_.join();
  connections_.clear();
  return std::exchange(ends_, {});
}

}  // namespace copse::cli
