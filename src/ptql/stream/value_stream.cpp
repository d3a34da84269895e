#include "ptql/stream/value_stream.h"

namespace copse::stream {
namespace {

using ptql::Value;

enum ValueTag : std::uint8_t {
  kTagAbsent = 0,
  kTagInteger,
  kTagReal,
  kTagObject,
  kTagTextObject,
  kTagFalse,
  kTagTrue,
  kTagBox,
};

void write_texts(const std::vector<std::string>& texts, wire::PayloadWriter& out) {
  out.number(texts.size());
  for (const std::string& text : texts) out.text(text);
}

std::vector<std::string> read_texts(wire::PayloadReader& in) {
  std::vector<std::string> texts;
  for (std::uint64_t left = in.number_up_to(in.remaining()); left > 0 && in.ok(); --left) {
    texts.push_back(in.text());
  }
  return texts;
}

// A value with no other in it.
Value read_primitive(wire::PayloadReader& in) {
  switch (in.byte()) {
    case kTagInteger:
      return Value::integer(in.signed_number());
    case kTagReal:
      return Value::real(in.real());
    case kTagFalse:
      return Value::boolean(false);
    case kTagTrue:
      return Value::boolean(true);
    default:
      in.fail();
      return {};
  }
}

Value read_box(wire::PayloadReader& in) {
  const std::uint64_t number = in.number();
  if (number == 0) in.fail();  // null has no value
  return Value::box(number, read_primitive(in));
}

}  // namespace

void write_value(const Value& value, wire::PayloadWriter& out) {
  switch (value.kind()) {
    case Value::Kind::kBoolean:
      out.byte(value.as_boolean() ? kTagTrue : kTagFalse);
      return;
    case Value::Kind::kInteger:
      out.byte(kTagInteger);
      out.signed_number(value.as_integer());
      return;
    case Value::Kind::kReal:
      out.byte(kTagReal);
      out.real(value.as_real());
      return;
    case Value::Kind::kObject:
      if (value.is_box()) {
        out.byte(kTagBox);
        out.number(value.as_object());
        write_value(value.unboxed(), out);
        return;
      }
      out.byte(value.text() == nullptr ? kTagObject : kTagTextObject);
      out.number(value.as_object());
      if (value.text() != nullptr) out.text(*value.text());
      return;
    case Value::Kind::kString:  // fields of names are no values of the program's
    case Value::Kind::kAbsent:
      out.byte(kTagAbsent);
  }
}

Value read_value(wire::PayloadReader& in) {
  switch (in.byte()) {
    case kTagAbsent:
      return {};
    case kTagInteger:
      return Value::integer(in.signed_number());
    case kTagReal:
      return Value::real(in.real());
    case kTagObject:
      return Value::object(in.number());
    case kTagTextObject: {
      const std::uint64_t number = in.number();
      return Value::text_object(number, in.text());
    }
    case kTagFalse:
      return Value::boolean(false);
    case kTagTrue:
      return Value::boolean(true);
    case kTagBox:
      return read_box(in);
    default:
      in.fail();
      return {};
  }
}

void write_program(const ValueProgram& program, wire::PayloadWriter& out) {
  out.number(program.pid);
  out.text(program.program);
  out.text(program.runtime);
  out.signed_number(program.started_ms);
  write_texts(program.globs, out);
  write_texts(program.queries, out);
}

ValueProgram read_program(wire::PayloadReader& in) {
  ValueProgram program;
  program.pid = in.number();
  program.program = in.text();
  program.runtime = in.text();
  program.started_ms = in.signed_number();
  program.globs = read_texts(in);
  program.queries = read_texts(in);
  return program;
}

void write_end(const ValueEnd& end, wire::PayloadWriter& out) {
  out.number(end.lost_events);
  out.number(end.cut_texts);
  write_texts(end.notes, out);
}

ValueEnd read_end(wire::PayloadReader& in) {
  ValueEnd end;
  end.lost_events = in.number();
  end.cut_texts = in.number();
  end.notes = read_texts(in);
  return end;
}

}  // namespace copse::stream
