// Writes a stream of value events.
//
// Collects records until a block is full or flush() is called: a killed program loses the records after the last block.
// Threads: one at a time. Cost of an event: its bytes. The caller waits while the output waits.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "base/wire/payload.h"
#include "ptql/stream/block_output.h"
#include "ptql/stream/value_stream.h"

namespace copse::stream {

class ValueWriter {
 public:
  ValueWriter(std::unique_ptr<BlockOutput> output, const ValueProgram& program);

  // Defines a method; returns the number by which events refer to it.
  std::uint32_t add_method(const MethodRow& method);
  std::uint32_t add_class(std::string_view name, const ptql::ObjectMethods& methods = {});
  std::uint64_t add_context(std::string_view context);

  // Names the thread of later events.
  void thread_name(std::uint64_t thread, std::string_view name);
  // Sets the time of later events, in milliseconds since the start. REQUIRES: not less than before.
  void time(std::int64_t now_ms);

  // Returns the number of the invocation.
  std::uint64_t entered(const EnteredRow& entry);
  void constructed(std::uint64_t invocation, std::uint64_t object);
  void returned(std::uint64_t invocation, const ptql::Value& result);
  // `exception` may be absent; `type` is then ignored.
  void thrown(std::uint64_t invocation, const ptql::Value& exception, std::uint32_t type);
  void allocated(const AllocatedRow& allocation);
  void died(std::uint64_t object);

  void flush();
  std::vector<std::uint32_t> take_done_queries() { return output_->take_done_queries(); }
  // First failure of the output; later events are lost.
  const Status& failure() const { return failure_; }
  // Ends the stream; adds the number of lost events.
  Status finish(ValueEnd end);

  std::uint64_t events() const { return events_; }  // events given so far
  std::uint64_t lost_events() const {
    return events_ - output_->events_written();
  }  // valid after finish()
  std::uint64_t bytes() const { return output_->bytes(); }

 private:
  static constexpr std::size_t kBlockBytes = std::size_t{1} << 16;

  void begin(RecordType type);
  void begin_event(RecordType type);
  void end_record();
  void write_block();
  void back_to(std::uint64_t invocation) { records_.number(invocations_ - invocation); }

  const std::unique_ptr<BlockOutput> output_;
  wire::PayloadWriter records_;
  std::uint64_t in_block_ = 0;  // number of events
  std::uint64_t events_ = 0;
  std::uint64_t invocations_ = 0;
  std::uint32_t methods_ = 0;
  std::uint32_t classes_ = 0;
  std::uint64_t contexts_ = 0;
  std::string last_context_;
  std::int64_t now_ms_ = 0;
  Status failure_;
};

}  // namespace copse::stream
