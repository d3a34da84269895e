#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>

#include "ptql/stream/value_writer.h"
#include "support/value_bytes.h"

namespace copse::stream {
namespace {

using ptql::Value;

std::vector<Value> values_of_all_kinds() {
  return {Value(),
          Value::null(),
          Value::object(1),
          Value::object(std::numeric_limits<std::uint64_t>::max() >> 1),
          Value::text_object(7,
                             "Gr\xc3\xbc\xc3\x9f"
                             "e"),
          Value::text_object(8, ""),
          Value::box(9, Value::integer(std::numeric_limits<std::int64_t>::min())),
          Value::box(10, Value::real(0.5)),
          Value::box(11, Value::boolean(true)),
          Value::boolean(true),
          Value::boolean(false),
          Value::integer(0),
          Value::integer(-1),
          Value::integer(std::numeric_limits<std::int64_t>::min()),
          Value::integer(std::numeric_limits<std::int64_t>::max()),
          Value::real(-0.1),
          Value::real(std::numeric_limits<double>::infinity())};
}

// A stream that has every kind of record, and how its records read.
std::vector<std::uint8_t> whole_stream(std::vector<std::string>& lines) {
  std::vector<std::uint8_t> bytes;
  ValueWriter writer(std::make_unique<MemoryOutput>(bytes), {.pid = 12, .started_ms = 5});
  const std::uint32_t method = writer.add_method({.implementing_class = "shop.DB",
                                                  .name = "find",
                                                  .descriptor = "(IZ)J",
                                                  .declaring_class = "shop.Store"});
  const std::uint32_t type =
      writer.add_class("java.lang.Error", {"java.lang.Error", "java.lang.Object"});
  writer.add_context("shop.Main.main;shop.DB.find");
  const std::uint64_t context = writer.add_context("shop.Main.main;shop.DB.found");
  writer.thread_name(3, "main");
  writer.time(1);
  writer.allocated({.object = 4, .type = type, .thread = 3, .context = 0});
  const std::uint64_t first = writer.entered({.thread = 3,
                                              .method = method,
                                              .context = context + 1,
                                              .receiver = Value::object(4),
                                              .parameters = values_of_all_kinds(),
                                              .result_use = ResultUse::kUsed,
                                              .caller = context});
  const std::uint64_t second = writer.entered(
      {.thread = 3, .method = method, .context = 0, .result_use = ResultUse::kIgnored});
  writer.flush();
  writer.time(1);
  writer.constructed(second, 4);
  writer.thrown(second, Value::object(9), type);
  writer.time(1000);
  writer.returned(first, Value::integer(5));
  const std::uint64_t third = writer.entered({.thread = 3, .method = method, .context = 1});
  writer.thrown(third, {}, 0);
  writer.died(4);
  EXPECT_TRUE(writer.finish({.lost_events = 2, .cut_texts = 1, .notes = {"a note"}}).ok());
  std::string values;
  for (const Value& value : values_of_all_kinds()) values += ", " + ptql::to_text(value);
  lines = {"method shop.DB find(IZ)J shop.Store",
           "type java.lang.Error java.lang.Error java.lang.Object",
           "context shop.Main.main;shop.DB.find",
           "context shop.Main.main;shop.DB.found",
           "name 3 main",
           "time 1",
           "allocated 4 0 by 3 in 0",
           "entered 1 by 3 0 in 2 on object 4" + values + " called in 1 used",
           "entered 2 by 3 0 in 0 on - ignored",
           "constructed 2 4",
           "thrown 2 object 9 0",
           "time 1000",
           "returned 1 5",
           "entered 3 by 3 0 in 1 on -",
           "thrown 3 -",
           "died 4"};
  return bytes;
}

TEST(ValueStream, EveryRecordIsReadAsItWasWritten) {
  std::vector<std::string> lines;
  const ReadValues read = read_values(whole_stream(lines));
  EXPECT_EQ(read.failure, "");
  EXPECT_EQ(read.lines, lines);
  ASSERT_TRUE(read.has_end);
  EXPECT_EQ(read.end.lost_events, 2);
  EXPECT_EQ(read.end.cut_texts, 1);
  EXPECT_EQ(read.end.notes, std::vector<std::string>{"a note"});
}

bool is_beginning_of(const std::vector<std::string>& some, const std::vector<std::string>& all) {
  return some.size() <= all.size() && std::equal(some.begin(), some.end(), all.begin());
}

TEST(ValueStream, OfAFileThatIsCutWholeBlocksAreRead) {
  std::vector<std::string> lines;
  const std::vector<std::uint8_t> bytes = whole_stream(lines);
  std::size_t most = 0;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const ReadValues read = read_values({bytes.begin(), bytes.begin() + static_cast<long>(size)});
    EXPECT_TRUE(is_beginning_of(read.lines, lines)) << size;
    EXPECT_FALSE(read.has_end && read.failure.empty()) << size;
    EXPECT_GE(read.lines.size(), most) << size;
    most = read.lines.size();
  }
  EXPECT_EQ(most, lines.size()) << "all but the end";
}

TEST(ValueStream, NoDamageIsTakenForAnEvent) {
  std::vector<std::string> lines;
  const std::vector<std::uint8_t> bytes = whole_stream(lines);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::vector<std::uint8_t> damaged = bytes;
    damaged[at] ^= 0x10;
    const ReadValues read = read_values(damaged);
    EXPECT_NE(read.failure, "") << at;
    EXPECT_TRUE(is_beginning_of(read.lines, lines)) << at;
  }
}

TEST(ValueStream, EventsThatDoNotReachTheOutputAreLostAndCounted) {
  std::vector<std::uint8_t> bytes;
  ValueWriter writer(std::make_unique<MemoryOutput>(bytes, 2), {});
  writer.died(1);
  writer.died(2);
  writer.flush();
  EXPECT_TRUE(writer.failure().ok());
  writer.died(3);
  writer.flush();
  EXPECT_FALSE(writer.failure().ok());
  writer.died(4);
  EXPECT_TRUE(writer.finish({.lost_events = 10}).ok());
  EXPECT_EQ(writer.events(), 4);
  EXPECT_EQ(writer.lost_events(), 2);
  const ReadValues read = read_values(bytes);
  EXPECT_EQ(read.lines, (std::vector<std::string>{"died 1", "died 2"}));
  EXPECT_EQ(read.end.lost_events, 12);
}

std::string failure_of_records(const std::vector<std::uint8_t>& records) {
  std::vector<std::uint8_t> bytes;
  MemoryOutput output(bytes);
  wire::PayloadWriter program;
  write_program({}, program);
  (void)output.add(static_cast<std::uint8_t>(BlockType::kProgram), program.view(), 0);
  (void)output.add(static_cast<std::uint8_t>(BlockType::kEvents), records, 0);
  return read_values(bytes).failure;
}

TEST(ValueStream, WhatNamesNothingIsDamage) {
  const auto type = [](RecordType of) { return static_cast<std::uint8_t>(of); };
  EXPECT_NE(failure_of_records({type(RecordType::kEntered), 1, 0, 0, 0, 0}), "") << "no method 0";
  EXPECT_NE(failure_of_records({type(RecordType::kReturned), 0, 0}), "") << "no invocation";
  EXPECT_NE(failure_of_records({type(RecordType::kAllocated), 1, 0, 1, 0}), "") << "no class 0";
  EXPECT_NE(failure_of_records({type(RecordType::kDied)}), "") << "no object";
  EXPECT_NE(failure_of_records({77}), "") << "no such record";
  const std::vector<std::uint8_t> method = {type(RecordType::kMethod), 1, 'C', 1, 'm', 0, 0, 1};
  const auto entered = [&](std::initializer_list<std::uint8_t> behind_receiver) {
    std::vector<std::uint8_t> records = method;
    records.insert(records.end(), {type(RecordType::kEntered), 1, 0, 0, 0});
    records.insert(records.end(), behind_receiver);
    return failure_of_records(records);
  };
  EXPECT_EQ(entered({0, 2, 0}), "");
  EXPECT_NE(entered({0, 3, 0}), "") << "no such use of the result";
  EXPECT_NE(entered({0, 2, 1}), "") << "no context 0 for the caller";
  EXPECT_EQ(entered({1, 7, 9, 1, 4, 0, 0}), "") << "a box";
  EXPECT_NE(entered({1, 7, 0, 1, 4, 0, 0}), "") << "null is no box";
  EXPECT_NE(entered({1, 7, 9, 3, 4, 0, 0}), "") << "an object in a box";
  EXPECT_EQ(failure_of_records({type(RecordType::kDied), 1}), "");
}

}  // namespace
}  // namespace copse::stream
