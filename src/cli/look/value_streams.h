// Streams of value events that running JVMs send: a socket to connect to, and one thread per JVM that answers its
// stream.
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

// Result of one JVM's stream.
struct ValueStreamEnd {
  stream::ValueProgram program;
  std::vector<std::string> near_misses{};  // about methods that a query nearly names
  std::vector<std::string> summary{};      // answers_summary()
  std::uint64_t events = 0;
  std::uint64_t late_ends = 0;
  bool has_end = false;    // the JVM ended its stream itself
  bool is_enough = false;  // events no longer matter
  // The stream was to end before its answers were complete: later events were not read or, if `has_end`, answers due at
  // the end of the run were not made.
  bool is_cut = false;
  std::int64_t looked_at_until_ms = 0;  // milliseconds since the start
  stream::ValueEnd end;
  std::string trouble;  // "" if none
};

// Answers a stream that is still being written, or complete. Calls `program_ran` when the stream's program is known,
// and `query_done` when events no longer matter to one query but still to others. Stops reading when `options.stop`
// becomes true.
ValueStreamEnd answer_stream(std::unique_ptr<wire::ByteSource> bytes, const AskedQueries& asked,
                             const ptql::EngineOptions& options, const ptql::Engines::Sink& sink,
                             const std::function<void(const stream::ValueProgram&)>& program_ran,
                             const std::function<void(std::size_t query)>& query_done = {});

class ValueStreams {
 public:
  // REQUIRES: `asked` outlives this object. `sink` is called by several threads, one at a time; `pid` is the JVM's.
  using Sink = std::function<void(std::uint64_t pid, std::size_t query, const ptql::Answer&)>;
  ValueStreams(const AskedQueries& asked, const ptql::EngineOptions& options, Sink sink);
  ~ValueStreams();
  ValueStreams(const ValueStreams&) = delete;
  ValueStreams& operator=(const ValueStreams&) = delete;

  Status open();
  // For the agents' options. REQUIRES: open() was called.
  std::string queries_path() const { return folder_.path() + "/queries"; }
  std::string socket_path() const { return folder_.path() + "/socket"; }

  // Ends the answers within a second or two: continues to read, but stops streams that take longer. A signal that this
  // process keeps (SignalsKept) has the same effect. Thread-safe; may be called from the sink.
  void end_soon();
  // Stops answering at once. Thread-safe; may be called from the sink.
  void end_now() { is_enough_.store(true); }
  // Returns a descriptor that becomes readable when no more of a JVM's stream is needed.
  int enough() const { return enough_; }

  // Number of JVMs whose streams have begun. May be called from the sink.
  std::size_t programs() const { return programs_; }

  // Accepts no more JVMs and reads the existing streams to their end. A JVM that continues is not stopped.
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
  std::atomic<std::int64_t> end_wanted_ms_{0};  // on the steady clock; 0: not yet
  std::atomic<bool> is_enough_{false};
  std::mutex mutex_;  // guards the fields after it and the calls of the sink
  std::condition_variable finished_;
  bool is_finished_ = false;
  std::list<Connection> connections_;
  std::vector<ValueStreamEnd> ends_;
  std::size_t programs_ = 0;
};

}  // namespace copse::cli
