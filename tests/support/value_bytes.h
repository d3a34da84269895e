// A stream of values in memory, written and read.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/wire/block_writer.h"
#include "base/wire/byte_source.h"
#include "ptql/stream/block_output.h"
#include "ptql/stream/value_reader.h"
#include "ptql/stream/value_stream.h"

namespace copse::stream {

// Keeps blocks in memory. add() fails once `most_blocks` are there.
class MemoryOutput final : public BlockOutput {
 public:
  explicit MemoryOutput(std::vector<std::uint8_t>& bytes, std::size_t most_blocks = SIZE_MAX)
      : bytes_(bytes), most_blocks_(most_blocks) {
    bytes_.assign(kFileHeader.begin(), kFileHeader.end());
  }

  Status add(std::uint8_t type, std::span<const std::uint8_t> payload,
             std::uint64_t events) override {
    if (blocks_ == most_blocks_) return Status::error(Fault::kLimit, "memory: full");
    ++blocks_;
    wire::append_block(bytes_, type, payload);
    written_ += events;
    return {};
  }
  void flush() override {}
  Status end(std::uint8_t type, std::span<const std::uint8_t> payload) override {
    wire::append_block(bytes_, type, payload);
    return {};
  }
  std::vector<std::uint32_t> take_done_queries() override { return {}; }
  std::uint64_t events_written() const override { return written_; }
  std::uint64_t bytes() const override { return bytes_.size(); }

 private:
  std::vector<std::uint8_t>& bytes_;
  const std::size_t most_blocks_;
  std::size_t blocks_ = 0;
  std::uint64_t written_ = 0;
};

// Writes every record as a line.
class ValueText final : public ValueSink {
 public:
  void method(const MethodRow& method) override {
    add("method " + method.implementing_class + " " + method.name + method.descriptor + " " +
        method.declaring_class + (method.is_static ? " static" : ""));
  }
  void type(const std::string& name, const ptql::ObjectMethods& methods) override {
    add("type " + name + (methods.equals_class.empty() ? "" : " " + methods.equals_class) +
        (methods.hash_code_class.empty() ? "" : " " + methods.hash_code_class));
  }
  void context(const std::string& context) override { add("context " + context); }
  void thread_name(std::uint64_t thread, const std::string& name) override {
    add("name " + std::to_string(thread) + " " + name);
  }
  void time(std::int64_t now_ms) override { add("time " + std::to_string(now_ms)); }
  void entered(std::uint64_t invocation, const EnteredRow& entry) override {
    std::string line = "entered " + std::to_string(invocation) + " by " +
                       std::to_string(entry.thread) + " " + std::to_string(entry.method) + " in " +
                       std::to_string(entry.context) + " on " + ptql::to_text(entry.receiver);
    for (const ptql::Value& value : entry.parameters) line += ", " + ptql::to_text(value);
    if (entry.caller != 0) line += " called in " + std::to_string(entry.caller);
    if (entry.result_use == ResultUse::kUsed) line += " used";
    if (entry.result_use == ResultUse::kIgnored) line += " ignored";
    add(line);
  }
  void constructed(std::uint64_t invocation, std::uint64_t object) override {
    add("constructed " + std::to_string(invocation) + " " + std::to_string(object));
  }
  void returned(std::uint64_t invocation, const ptql::Value& result) override {
    add("returned " + std::to_string(invocation) + " " + ptql::to_text(result));
  }
  void thrown(std::uint64_t invocation, const ptql::Value& exception, std::uint32_t type) override {
    add("thrown " + std::to_string(invocation) + " " + ptql::to_text(exception) +
        (exception.present() ? " " + std::to_string(type) : ""));
  }
  void allocated(const AllocatedRow& row) override {
    add("allocated " + std::to_string(row.object) + " " + std::to_string(row.type) + " by " +
        std::to_string(row.thread) + " in " + std::to_string(row.context));
  }
  void died(std::uint64_t object) override { add("died " + std::to_string(object)); }

  const std::vector<std::string>& lines() const { return lines_; }

 private:
  void add(std::string line) { lines_.push_back(std::move(line)); }

  std::vector<std::string> lines_;
};

struct ReadValues {
  std::vector<std::string> lines;
  std::string failure;
  bool has_end = false;
  ValueEnd end;
};

inline ReadValues read_values(std::vector<std::uint8_t> bytes) {
  ReadValues read;
  ValueReader reader(wire::bytes_in_memory("bytes", std::move(bytes)));
  const Result<ValueProgram> program = reader.program();
  if (!program.ok()) {
    read.failure = program.message();
    return read;
  }
  ValueText text;
  for (;;) {
    const Result<bool> more = reader.next(text);
    if (!more.ok()) read.failure = more.message();
    if (!more.ok() || !*more) break;
  }
  read.lines = text.lines();
  read.has_end = reader.end().has_value();
  if (read.has_end) read.end = *reader.end();
  return read;
}

}  // namespace copse::stream
