#include "encoders/study/op_stream.h"

#include <gtest/gtest.h>

#include "base/call_record.h"
#include "support/expect_fault.h"
#include "support/op_streams.h"

namespace copse::study {
namespace {

using trace::Event;
using trace::EventKind;

// Batches as they are, legal or not.
class ListedSource final : public trace::EventSource {
 public:
  ListedSource& add(std::uint32_t thread, std::vector<Event> events) {
    batches_.push_back({ThreadIndex{thread}, std::move(events)});
    return *this;
  }
  Result<std::optional<trace::EventBatch>> next() override {
    if (next_ == batches_.size()) return std::optional<trace::EventBatch>();
    const auto& [thread, events] = batches_[next_++];
    return std::optional<trace::EventBatch>({thread, events});
  }
  Status rewind() override {
    next_ = 0;
    return {};
  }
  const std::vector<MethodName>& methods() const override { return methods_; }

 private:
  std::vector<std::pair<ThreadIndex, std::vector<Event>>> batches_;
  std::vector<MethodName> methods_;
  std::size_t next_ = 0;
};

Event call(std::uint32_t caller, std::uint16_t site, std::uint32_t callee) {
  return {EventKind::kCall, MethodId{caller}, context_key(SiteOrdinal{site}, MethodId{callee})};
}
Event leave(std::uint64_t frames) { return {EventKind::kReturn, kNoMethod, frames}; }
const Event kStart{EventKind::kThreadStart};
const Event kEnd{EventKind::kThreadEnd};

Status error_of(ListedSource source) {
  const Result<std::vector<Op>> ops = all_ops(source);
  return faults::status_of(ops);
}

TEST(OpStream, RenumbersSparseThreadsAndUsesTheSlotsOfEndedOnesAgain) {
  ListedSource source;
  source.add(4'000'000'000, {kStart, call(0, 0, 1)}).add(7, {call(0, 0, 2)});
  source.add(4'000'000'000, {kEnd}).add(9, {kStart, call(0, 0, 3), kEnd});
  const Result<std::vector<Op>> ops = all_ops(source);
  ASSERT_TRUE(ops.ok()) << ops.message();
  std::vector<std::uint32_t> slots;
  for (const Op& op : *ops) slots.push_back(op.slot);
  EXPECT_EQ(slots, (std::vector<std::uint32_t>{0, 0, 1, 1, 0, 0, 0, 0}));
  EXPECT_EQ((*ops)[2].kind, OpKind::kStart) << "a thread without a start gets one";
}

TEST(OpStream, HasNoThreadThatMakesNoCallAndNoMark) {
  const Event mark{EventKind::kMark};
  ListedSource source;
  source.add(3, {kStart}).add(4, {kStart, kEnd}).add(5, {kStart, call(0, 0, 1)});
  source.add(3, {kEnd, kStart, kEnd}).add(6, {kStart, mark, kEnd});
  const Result<std::vector<Op>> ops = all_ops(source);
  ASSERT_TRUE(ops.ok()) << ops.message();
  std::vector<OpKind> kinds;
  for (const Op& op : *ops) kinds.push_back(op.kind);
  EXPECT_EQ(kinds, (std::vector{OpKind::kStart, OpKind::kCall, OpKind::kStart, OpKind::kMark,
                                OpKind::kEnd}));
}

TEST(OpStream, GivesTheSameOperationsInEveryPassAndBackThroughASource) {
  encoders::ProgramShape shape;
  shape.threads = 3;
  shape.events = 500;
  const std::vector<Op> ops = ops_of(encoders::RandomProgram(5, shape).trace);
  OpSource source(ops);
  EXPECT_EQ(*all_ops(source), ops);
  EXPECT_EQ(*all_ops(source), ops);
}

TEST(OpStream, EndsAtTheLimit) {
  ListedSource source;
  source.add(0, {kStart, call(0, 0, 1), call(1, 1, 2), leave(2)});
  OpStream stream(source, 3);
  ASSERT_TRUE(stream.rewind().ok());
  EXPECT_EQ(stream.next()->size(), 3u);
  EXPECT_TRUE(stream.next()->empty());
}

TEST(OpStream, SaysWhichEventIsIllegalAndWhy) {
  EXPECT_FAULT(error_of(ListedSource().add(5, {kStart, call(0, 0, 1), leave(2)})), kMalformed,
               "event 3, thread 5: 2 ", " 1 ");
  EXPECT_FAULT(error_of(ListedSource().add(5, {call(3, 1, 1)})), kMalformed,
               "event 1, thread 5: ", "method 3 ", "method 0 ");
  EXPECT_FAULT(error_of(ListedSource().add(5, {call(0, 0, 0)})), kMalformed, "event 1, thread 5: ");
  EXPECT_FAULT(error_of(ListedSource().add(5, {kStart, kStart})), kMalformed,
               "event 2, thread 5: ");
  EXPECT_FAULT(error_of(ListedSource().add(5, {{static_cast<EventKind>(99)}})), kMalformed,
               "event 1, thread 5: ");
}

}  // namespace
}  // namespace copse::study
