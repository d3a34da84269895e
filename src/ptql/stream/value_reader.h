// Reads a stream of value events, block by block, from a finished file or while it is written.
//
// Checks every number: an event reaches the sink only if everything it names is defined.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/wire/block_reader.h"
#include "ptql/stream/value_stream.h"

namespace copse::stream {

// Receiver of the events. Numbers as in value_stream.h.
class ValueSink {
 public:
  virtual ~ValueSink() = default;

  virtual void method(const MethodRow& method) = 0;
  virtual void type(const std::string& name, const ptql::ObjectMethods& methods) = 0;
  virtual void context(const std::string& context) = 0;
  virtual void thread_name(std::uint64_t thread, const std::string& name) = 0;
  virtual void time(std::int64_t now_ms) = 0;

  virtual void entered(std::uint64_t invocation, const EnteredRow& entry) = 0;
  virtual void constructed(std::uint64_t invocation, std::uint64_t object) = 0;
  virtual void returned(std::uint64_t invocation, const ptql::Value& result) = 0;
  virtual void thrown(std::uint64_t invocation, const ptql::Value& exception,
                      std::uint32_t type) = 0;
  virtual void allocated(const AllocatedRow& allocation) = 0;
  virtual void died(std::uint64_t object) = 0;
};

class ValueReader {
 public:
  explicit ValueReader(std::unique_ptr<wire::ByteSource> bytes)
      : blocks_(std::move(bytes), kFileHeader, kKind) {}

  // Reads the first block.
  Result<ValueProgram> program();
  // Reads the events of the next block; false at the end. After an error, events already delivered stay delivered.
  Result<bool> next(ValueSink& sink);
  // Valid after next() returned false. std::nullopt: the program was killed, or the stream was read too early.
  const std::optional<ValueEnd>& end() const { return end_; }

 private:
  Status read_events(const wire::Block& block, ValueSink& sink);
  bool read_record(wire::PayloadReader& in, ValueSink& sink);
  bool read_definition(RecordType type, wire::PayloadReader& in, ValueSink& sink);
  bool read_entered(wire::PayloadReader& in, ValueSink& sink);
  std::uint64_t read_invocation(wire::PayloadReader& in);
  std::uint64_t read_context(wire::PayloadReader& in);

  wire::BlockReader blocks_;
  std::optional<ValueEnd> end_;
  std::uint64_t invocations_ = 0;
  std::vector<std::size_t> parameters_;  // by method
  std::uint32_t classes_ = 0;
  std::uint64_t contexts_ = 0;
  std::string last_context_;
  std::int64_t now_ms_ = 0;
};

}  // namespace copse::stream
