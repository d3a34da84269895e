#include "ptql/stream/value_reader.h"

namespace copse::stream {
namespace {

constexpr std::uint64_t kMostParameters = 255;
// Limit of the clock, some tens of thousands of years.
constexpr std::int64_t kLastTime = std::int64_t{1} << 50;

}  // namespace

Result<ValueProgram> ValueReader::program() {
  const Result<std::optional<wire::Block>> block = blocks_.next();
  if (!block.ok()) return block.status();
  if (!*block) return blocks_.damage(blocks_.offset(), "ends before its first block");
  if ((*block)->type != static_cast<std::uint8_t>(BlockType::kProgram)) {
    return blocks_.damage((*block)->offset, "the first block does not describe the program");
  }
  wire::PayloadReader in((*block)->payload);
  ValueProgram program = read_program(in);
  const bool has_time = program.started_ms >= 0 && program.started_ms < kLastTime;
  if (!in.ok() || !in.at_end() || !has_time) {
    return blocks_.damage((*block)->offset, "the description of the program is malformed");
  }
  return program;
}

Result<bool> ValueReader::next(ValueSink& sink) {
  const Result<std::optional<wire::Block>> block = blocks_.next();
  if (!block.ok()) return block.status();
  if (!*block) return false;
  if (end_) return blocks_.damage((*block)->offset, "a block follows the end");
  switch (static_cast<BlockType>((*block)->type)) {
    case BlockType::kEvents:
      if (Status status = read_events(**block, sink); !status) return status;
      return true;
    case BlockType::kEnd: {
      wire::PayloadReader in((*block)->payload);
      end_ = read_end(in);
      if (in.ok() && in.at_end()) return true;
      return blocks_.damage((*block)->offset, "the end is malformed");
    }
    case BlockType::kProgram:
      break;
  }
  return blocks_.damage((*block)->offset,
                        "unknown kind of block " + std::to_string((*block)->type));
}

Status ValueReader::read_events(const wire::Block& block, ValueSink& sink) {
  wire::PayloadReader in(block.payload);
  while (!in.at_end()) {
    const std::size_t at = block.payload.size() - in.remaining();
    if (!read_record(in, sink)) {
      return blocks_.damage(block.offset + wire::kBlockHeaderBytes + at, "malformed record");
    }
  }
  return {};
}

bool ValueReader::read_definition(RecordType type, wire::PayloadReader& in, ValueSink& sink) {
  switch (type) {
    case RecordType::kMethod: {
      MethodRow method;
      method.implementing_class = in.text();
      method.name = in.text();
      method.descriptor = in.text();
      method.declaring_class = in.text();
      method.is_static = in.number_up_to(1) != 0;
      if (!in.ok()) return false;
      parameters_.push_back(kMostParameters);
      sink.method(method);
      return true;
    }
    case RecordType::kClass: {
      const std::string name = in.text();
      ptql::ObjectMethods methods;
      methods.equals_class = in.text();
      methods.hash_code_class = in.text();
      methods.compare_to_class = in.text();
      if (!in.ok()) return false;
      ++classes_;
      sink.type(name, methods);
      return true;
    }
    case RecordType::kContext:
      last_context_ = in.text_after(last_context_);
      if (!in.ok()) return false;
      ++contexts_;
      sink.context(last_context_);
      return true;
    case RecordType::kThreadName: {
      const std::uint64_t thread = in.number();
      const std::string name = in.text();
      if (!in.ok()) return false;
      sink.thread_name(thread, name);
      return true;
    }
    case RecordType::kTime:
      now_ms_ += static_cast<std::int64_t>(
          in.number_up_to(static_cast<std::uint64_t>(kLastTime - now_ms_)));
      if (!in.ok()) return false;
      sink.time(now_ms_);
      return true;
    default:
      return false;
  }
}

std::uint64_t ValueReader::read_invocation(wire::PayloadReader& in) {
  const std::uint64_t back = in.number();
  if (back < invocations_) return invocations_ - back;
  in.fail();
  return 0;
}

std::uint64_t ValueReader::read_context(wire::PayloadReader& in) {
  return in.number_up_to(contexts_);
}

bool ValueReader::read_entered(wire::PayloadReader& in, ValueSink& sink) {
  EnteredRow entry{};
  entry.thread = in.number();
  const std::uint64_t method = in.number();
  if (method >= parameters_.size()) return false;
  entry.method = static_cast<std::uint32_t>(method);
  entry.context = read_context(in);
  entry.receiver = read_value(in);
  const std::uint64_t count = in.number_up_to(kMostParameters);
  for (std::uint64_t i = 0; i < count && in.ok(); ++i) entry.parameters.push_back(read_value(in));
  entry.result_use =
      static_cast<ResultUse>(in.number_up_to(static_cast<std::uint64_t>(ResultUse::kIgnored)));
  entry.caller = read_context(in);
  if (!in.ok()) return false;
  sink.entered(++invocations_, entry);
  return true;
}

bool ValueReader::read_record(wire::PayloadReader& in, ValueSink& sink) {
  const auto type = static_cast<RecordType>(in.byte());
  switch (type) {
    case RecordType::kEntered:
      return read_entered(in, sink);
    case RecordType::kConstructed: {
      const std::uint64_t invocation = read_invocation(in);
      const std::uint64_t object = in.number();
      if (in.ok()) sink.constructed(invocation, object);
      return in.ok();
    }
    case RecordType::kReturned: {
      const std::uint64_t invocation = read_invocation(in);
      const ptql::Value result = read_value(in);
      if (in.ok()) sink.returned(invocation, result);
      return in.ok();
    }
    case RecordType::kThrown: {
      const std::uint64_t invocation = read_invocation(in);
      const ptql::Value exception = read_value(in);
      const std::uint64_t thrown_type = exception.present() ? in.number() : 0;
      if (!in.ok() || (exception.present() && thrown_type >= classes_)) return false;
      sink.thrown(invocation, exception, static_cast<std::uint32_t>(thrown_type));
      return true;
    }
    case RecordType::kAllocated: {
      AllocatedRow allocation{};
      allocation.object = in.number();
      const std::uint64_t allocated_type = in.number();
      allocation.thread = in.number();
      allocation.context = read_context(in);
      if (!in.ok() || allocated_type >= classes_ || allocation.object == 0) return false;
      allocation.type = static_cast<std::uint32_t>(allocated_type);
      sink.allocated(allocation);
      return true;
    }
    case RecordType::kDied: {
      const std::uint64_t object = in.number();
      if (in.ok()) sink.died(object);
      return in.ok();
    }
    default:
      return read_definition(type, in, sink);
  }
}

}  // namespace copse::stream
