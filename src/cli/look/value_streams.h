// Streams of value events that JVMs send while they run: a socket where they connect, and a thread for
// each that has its stream answered.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/status.h"
#include "base/wire/byte_source.h"
#include "cli/look/ptql_queries.h"
#include "cli/passing_folder.h"
#include "ptql/engine/engines.h"
#include "ptql/stream/value_stream.h"

namespace copse::cli {

// What became of one JVM's stream.
struct ValueStreamEnd {
  values::ValueProgram program;
  std::vector<std::string> near_misses{};  // lines on methods that are nearly asked about
  std::vector<std::string> summary{};      // answers_summary()
  std::uint64_t events = 0;
  std::uint64_t late_ends = 0;
  bool has_end = false;    // the JVM ended its stream itself
  bool is_enough = false;  // no event makes a difference any more
  // It was to end, and its answers were behind: what came later was not looked at or, where the stream has
  // an end, what is answered there was not made.
  bool is_cut = false;
  std::int64_t looked_at_until_ms = 0;  // since the start
  values::ValueEnd end;
  std::string trouble;  // "": none
};

// Answers a stream that somebody writes, or has written. `program_ran` is called when it is known whose
// it is, `query_done` when no event makes a difference to a query any more, but not for all. When the `stop` of the options becomes true it is read no further.
ValueStreamEnd answer_stream(std::unique_ptr<wire::ByteSource> bytes, const AskedQueries& asked,
                             const ptql::EngineOptions& options, const ptql::Engines::Sink& sink,
                             const std::function<void(const values::ValueProgram&)>& program_ran,
                             const std::function<void(std::size_t query)>& query_done = {});

class ValueStreams {
 public:
  // `asked` outlives it. `sink` is called by several threads, one at a time; `pid` is the JVM's.
  using Sink = std::function<void(std::uint64_t pid, std::size_t query, const ptql::Answer&)>;
  ValueStreams(const AskedQueries& asked, const ptql::EngineOptions& options, Sink sink);
  ~ValueStreams();
  ValueStreams(const ValueStreams&) = delete;
  ValueStreams& operator=(const ValueStreams&) = delete;

  Status open();
  // For the agents' options, since open().
  std::string queries_path() const { return folder_.path() + "/queries"; }
  std::string socket_path() const { return folder_.path() + "/socket"; }

  // What comes is still looked at, but who needs long for it is stopped: within a second or two nobody
  // waits for answers any more. A signal that this process keeps (SignalsKept) asks for it, too.
  void end_soon();
  // Nobody wants another answer. Both: any thread, also from inside of the sink.
  void end_now() { is_enough_.store(true); }
  // A descriptor that can be read when no more of a JVM's stream is needed.
  int enough() const { return enough_; }

  // JVMs whose streams have begun. Called from inside the sink.
  std::size_t programs() const { return programs_; }

  // Takes no more JVMs, and reads to the end what is there. A JVM that goes on is left to itself.
  std::vector<ValueStreamEnd> finish();

 private:
  class Connection;

  void listen_for_jvms();
  void answer(Connection& connection);
  void watch_for_the_end();

  const AskedQueries& asked_;
  const ptql::EngineOptions options_;
  const Sink sink_;
  const PassingFolder folder_;
  int listener_ = -1;
  const int enough_;
  std::thread listening_;
  std::thread watching_;
  std::atomic<std::int64_t> end_wanted_ms_{0};  // of the steady clock; 0: not yet
  std::atomic<bool> is_enough_{false};
  std::mutex mutex_;  // of all below, and around the sink
  std::condition_variable finished_;
  bool is_finished_ = false;
  std::list<Connection> connections_;
  std::vector<ValueStreamEnd> ends_;
  std::size_t programs_ = 0;
};

}  // namespace copse::cli
