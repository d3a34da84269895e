#include "ptql/stream/value_writer.h"

#include <utility>

namespace copse::stream {

ValueWriter::ValueWriter(std::unique_ptr<BlockOutput> output, const ValueProgram& program)
    : output_(std::move(output)) {
  wire::PayloadWriter payload;
  write_program(program, payload);
  failure_ = output_->add(static_cast<std::uint8_t>(BlockType::kProgram), payload.view(), 0);
  output_->flush();
}

void ValueWriter::begin(RecordType type) { records_.byte(static_cast<std::uint8_t>(type)); }

void ValueWriter::begin_event(RecordType type) {
  ++events_;
  ++in_block_;
  begin(type);
}

void ValueWriter::end_record() {
  if (records_.size() >= kBlockBytes) write_block();
}

void ValueWriter::write_block() {
  if (records_.size() == 0) return;
  const Status added =
      output_->add(static_cast<std::uint8_t>(BlockType::kEvents), records_.view(), in_block_);
  if (failure_.ok()) failure_ = added;
  records_.clear();
  in_block_ = 0;
}

void ValueWriter::flush() {
  write_block();
  output_->flush();
}

std::uint32_t ValueWriter::add_method(const MethodRow& method) {
  begin(RecordType::kMethod);
  records_.text(method.implementing_class);
  records_.text(method.name);
  records_.text(method.descriptor);
  records_.text(method.declaring_class);
  records_.byte(method.is_static ? 1 : 0);
  end_record();
  return methods_++;
}

std::uint32_t ValueWriter::add_class(std::string_view name, const ptql::ObjectMethods& methods) {
  begin(RecordType::kClass);
  records_.text(name);
  records_.text(methods.equals_class);
  records_.text(methods.hash_code_class);
  records_.text(methods.compare_to_class);
  end_record();
  return classes_++;
}

std::uint64_t ValueWriter::add_context(std::string_view context) {
  begin(RecordType::kContext);
  records_.text_after(last_context_, context);
  last_context_ = context;
  end_record();
  return contexts_++;
}

void ValueWriter::thread_name(std::uint64_t thread, std::string_view name) {
  begin(RecordType::kThreadName);
  records_.number(thread);
  records_.text(name);
  end_record();
}

void ValueWriter::time(std::int64_t now_ms) {
  if (now_ms <= now_ms_) return;
  begin(RecordType::kTime);
  records_.number(static_cast<std::uint64_t>(now_ms - now_ms_));
  now_ms_ = now_ms;
}

std::uint64_t ValueWriter::entered(const EnteredRow& entry) {
  begin_event(RecordType::kEntered);
  records_.number(entry.thread);
  records_.number(entry.method);
  records_.number(entry.context);
  write_value(entry.receiver, records_);
  records_.number(entry.parameters.size());
  for (const ptql::Value& value : entry.parameters) write_value(value, records_);
  records_.byte(static_cast<std::uint8_t>(entry.result_use));
  records_.number(entry.caller);
  end_record();
  return ++invocations_;
}

void ValueWriter::constructed(std::uint64_t invocation, std::uint64_t object) {
  begin_event(RecordType::kConstructed);
  back_to(invocation);
  records_.number(object);
  end_record();
}

void ValueWriter::returned(std::uint64_t invocation, const ptql::Value& result) {
  begin_event(RecordType::kReturned);
  back_to(invocation);
  write_value(result, records_);
  end_record();
}

void ValueWriter::thrown(std::uint64_t invocation, const ptql::Value& exception,
                         std::uint32_t type) {
  begin_event(RecordType::kThrown);
  back_to(invocation);
  write_value(exception, records_);
  if (exception.present()) records_.number(type);
  end_record();
}

void ValueWriter::allocated(const AllocatedRow& allocation) {
  begin_event(RecordType::kAllocated);
  records_.number(allocation.object);
  records_.number(allocation.type);
  records_.number(allocation.thread);
  records_.number(allocation.context);
  end_record();
}

void ValueWriter::died(std::uint64_t object) {
  begin_event(RecordType::kDied);
  records_.number(object);
  end_record();
}

Status ValueWriter::finish(ValueEnd end) {
  flush();
  end.lost_events += lost_events();
  wire::PayloadWriter payload;
  write_end(end, payload);
  return output_->end(static_cast<std::uint8_t>(BlockType::kEnd), payload.view());
}

}  // namespace copse::stream
