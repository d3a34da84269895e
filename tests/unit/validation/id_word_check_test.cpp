#include "encoders/validation/id_word_check.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/id_word.h"
#include "cct/packets/engine.h"
#include "cct/tree_check.h"
#include "encoders/validation/checking_folder.h"
#include "shadowstack/packets/recorder.h"
#include "support/call_streams.h"
#include "support/expect_fault.h"
#include "support/reference_tree.h"

namespace copse::validation {
namespace {

using test::call;
using test::CallStream;

CallPath path_of(std::span<const CallRecord> frames) {
  CallPath path;
  MethodId caller = kNoMethod;
  for (const CallRecord frame : frames) {
    path.push_back(edge_key({caller, site_of(frame)}, method_of(frame)));
    caller = method_of(frame);
  }
  return path;
}

// Gives each context a word when it is first met, and decodes as it is told to.
class Encoder final : public IdWordDecoder {
 public:
  static constexpr std::uint64_t kLostWord = 0xFFFF;

  bool is_precise = true;
  std::function<std::uint64_t(std::uint64_t)> mixed = [](std::uint64_t word) { return word; };
  std::set<MethodId> left_out;  // whose frames may keep no id
  // Wrong decodes, by id.
  std::map<std::uint64_t, CallPath> damaged;

  std::uint64_t word_of(const CallPath& path) {
    const std::uint64_t word = mixed(number_of(path));
    const std::lock_guard lock(mutex_);
    paths_.try_emplace(word, path);
    return word;
  }

  std::uint64_t id_of(std::uint64_t word) const override { return word == kLostWord ? 0 : word; }
  bool may_be_left_out(MethodId method) const override { return left_out.contains(method); }
  bool decodes() const noexcept override { return is_precise; }
  Result<CallPath> decode(std::uint64_t id) const override {
    const std::lock_guard lock(mutex_);
    if (const auto found = damaged.find(id); found != damaged.end()) return found->second;
    const auto found = paths_.find(id);
    if (found == paths_.end()) return Result<CallPath>::error(Fault::kNotFound, "never given out");
    return found->second;
  }
  std::optional<LastCall> last_call(std::uint64_t id) const override {
    const Result<CallPath> path = decode(id);
    if (!path.ok() || path->empty()) return std::nullopt;
    const CallPath caller(path->begin(), path->end() - 1);
    ++steps;
    return LastCall{path->back(), caller.empty() ? 0 : number_of(caller)};
  }
  bool is_root(std::uint64_t id) const override { return id == 0; }
  // As if each call began a piece, unexpectedly; codes are lengths.
  Shape shape(std::uint64_t id) const override {
    const Result<CallPath> path = decode(id);
    const std::uint64_t length = path.ok() ? path->size() : 0;
    return {{length, length}, length};
  }

  mutable std::atomic<int> steps = 0;

 private:
  std::uint64_t number_of(const CallPath& path) const {
    const std::lock_guard lock(mutex_);
    // Both halves of a word in use.
    const std::uint64_t next = (words_.size() + 1) * 0x1'0000'0001;
    const std::uint64_t number = words_.try_emplace(path, next).first->second;
    if (is_precise) paths_.try_emplace(number, path);
    return number;
  }

  mutable std::mutex mutex_;
  mutable std::map<CallPath, std::uint64_t> words_;
  mutable std::map<std::uint64_t, CallPath> paths_;
};

class CheckedRun {
 public:
  explicit CheckedRun(std::uint32_t slots = 8, unsigned workers = 1, std::uint32_t most = 1000)
      : pool({.slots = slots}),
        engine(cct::Engine::make(
            {.workers = workers,
             .make_folder = [this, most] { return std::make_unique<CheckingFolder>(check, most); }},
            pool)),
        recorder(pool, *engine) {}

  IdWordCheck::Outcome finish() {
    recorder.close();
    tree = &engine->finish();
    return check.finish(*tree);
  }

  Encoder encoder;
  IdWordCheck check{encoder};
  shadowstack::PacketPool pool;
  std::unique_ptr<cct::Engine> engine;
  shadowstack::Recorder recorder;
  const cct::ContextTree* tree = nullptr;
};

// A thread whose probes append calls and id words.
class Thread {
 public:
  explicit Thread(CheckedRun& run) : run_(run), header_(run.recorder.attach(1, "thread")) {}

  void enter(CallRecord record) {
    frames_.resize(depth_of(record));
    frames_.push_back(record);
    append(record);
  }
  void leave(std::uint64_t word, IdWordHalf upper = IdWordHalf::kUpper) {
    const auto depth = static_cast<std::uint32_t>(frames_.size());
    append(id_word_record(depth, upper, word));
    append(id_word_record(depth, IdWordHalf::kLower, word));
  }
  std::uint64_t word() { return run_.encoder.word_of(path_of(frames_)); }
  void play(const CallStream& stream) {
    for (const CallRecord record : stream) {
      enter(record);
      leave(word());
    }
  }
  void append(CallRecord record) {
    while (!shadowstack::try_append(*header_, record, run_.pool.packet_bytes())) {
      run_.recorder.next_packet(header_);
    }
  }
  void end() { run_.recorder.detach(header_); }

 private:
  CheckedRun& run_;
  shadowstack::ThreadHeader* header_;
  CallStream frames_;
};

// main, a twice by one call site, b by two.
const CallStream kCalls = {call(0, 0, 1), call(1, 1, 2), call(1, 1, 2), call(1, 2, 3),
                           call(1, 3, 3)};

TEST(IdWordCheck, FindsRightIdsRight) {
  CheckedRun run;
  Thread(run).play(kCalls);
  const IdWordCheck::Outcome outcome = run.finish();
  EXPECT_TRUE(outcome.is_right());
  EXPECT_EQ(outcome.words.met, 5u);
  EXPECT_EQ(outcome.words.records, 10u);
  EXPECT_EQ(outcome.words.without, 0u);
  EXPECT_EQ(outcome.ids, 4u);
  EXPECT_EQ(outcome.collisions, 0u);
  EXPECT_EQ(outcome.not_kept, 0u);
  EXPECT_FALSE(outcome.first_wrong.has_value());
}

TEST(IdWordCheck, ChecksStartsOfThreadsBesideTheEntries) {
  CheckedRun run(4);  // some words lie in two packets
  Thread thread(run);
  thread.play(kCalls);
  const std::uint64_t of_b = thread.word();
  thread.enter(call(2, 1, 4));
  thread.leave(thread.word(), IdWordHalf::kUpperOfStart);
  thread.enter(call(1, 3, 3));
  thread.leave(of_b, IdWordHalf::kUpperOfStart);
  thread.leave(Encoder::kLostWord, IdWordHalf::kUpperOfStart);
  const IdWordCheck::Outcome outcome = run.finish();
  EXPECT_TRUE(outcome.is_right());
  EXPECT_EQ(outcome.words.met, 5u);
  EXPECT_EQ(outcome.words.starts, 3u);
  EXPECT_EQ(outcome.words.starts_without, 1u);
  EXPECT_EQ(outcome.words.records, 16u);
  EXPECT_EQ(outcome.ids, 5u) << "c was met at a start alone";
  EXPECT_EQ(outcome.words.stack.entries, 1 + 4 * 2u) << "of entries alone";
}

TEST(IdWordCheck, FindsTheStartOfAThreadInAnotherContext) {
  CheckedRun run;
  Thread thread(run);
  thread.play(kCalls);
  const std::uint64_t of_b = thread.word();
  thread.enter(call(1, 2, 3));
  thread.leave(of_b, IdWordHalf::kUpperOfStart);
  const IdWordCheck::Outcome outcome = run.finish();
  EXPECT_FALSE(outcome.is_right());
  EXPECT_EQ(outcome.words.wrong, 1u);
  EXPECT_EQ(outcome.wrong_at_end, 1u);
  EXPECT_EQ(outcome.words.starts, 1u);
}

TEST(IdWordCheck, SumsTheStacksOfAllMetIds) {
  CheckedRun run;
  Thread thread(run);
  thread.play(kCalls);
  thread.play(kCalls);
  const IdWordCheck::Outcome outcome = run.finish();
  EXPECT_EQ(outcome.words.stack.entries, 2 * (1 + 4 * 2u));
  EXPECT_EQ(outcome.words.stack.most_entries, 2u);
  EXPECT_TRUE(outcome.words.stack.has_unexpected);
  EXPECT_EQ(outcome.words.stack.unexpected, 2 * (1 + 4 * 2u));
  EXPECT_EQ(outcome.words.largest_code, 2u);
}

TEST(IdWordCheck, LeavesTheTreeThatCallsAloneMake) {
  CheckedRun run;
  Thread(run).play(kCalls);
  run.finish();
  test::ReferenceTree truth;
  truth.add(kCalls);
  EXPECT_EQ(test::tree_text(*run.tree), truth.text());
}

TEST(IdWordCheck, FindsAWrongDecodeAtOnceAndAtTheEnd) {
  CheckedRun run;
  const CallPath truth = path_of(std::vector{kCalls[0], kCalls[4]});
  const CallPath other = path_of(std::vector{kCalls[0], kCalls[3]});
  const std::uint64_t word = run.encoder.word_of(truth);
  run.encoder.damaged[word] = other;  // another call site of the same methods
  Thread thread(run);
  thread.play(kCalls);
  thread.play(kCalls);
  const IdWordCheck::Outcome outcome = run.finish();
  EXPECT_FALSE(outcome.is_right());
  EXPECT_EQ(outcome.words.wrong, 2u) << "as often as it was met";
  EXPECT_EQ(outcome.wrong_at_end, 1u);
  ASSERT_TRUE(outcome.first_wrong.has_value());
  EXPECT_EQ(outcome.first_wrong->id, word);
  EXPECT_EQ(outcome.first_wrong->thread, ThreadIndex{0});
  EXPECT_EQ(outcome.first_wrong->decoded.value(), other);
  EXPECT_EQ(outcome.first_wrong->truth, truth);
}

TEST(IdWordCheck, FindsAnIdThatDoesNotDecode) {
  CheckedRun run;
  Thread thread(run);
  thread.enter(kCalls[0]);
  thread.leave(0x1234'5678'9ABC);
  const IdWordCheck::Outcome outcome = run.finish();
  EXPECT_EQ(outcome.words.wrong, 1u);
  ASSERT_TRUE(outcome.first_wrong.has_value());
  EXPECT_FAULT(outcome.first_wrong->decoded, kNotFound);
}

TEST(IdWordCheck, FindsAPathThatIsTooLongOrTooShort) {
  for (const CallPath& wrong : {CallPath(), path_of(std::vector{kCalls[0], kCalls[0], kCalls[1]}),
                                path_of(std::vector{kCalls[1]})}) {
    CheckedRun run;
    const std::uint64_t word = run.encoder.word_of(path_of(std::vector{kCalls[0], kCalls[1]}));
    run.encoder.damaged[word] = wrong;
    Thread(run).play(kCalls);
    EXPECT_EQ(run.finish().wrong_at_end, 1u) << to_string(wrong);
  }
}

TEST(IdWordCheck, FindsATableThatWasSpoiltAfterwards) {
  CheckedRun run;
  Thread(run).play(kCalls);
  run.recorder.close();
  run.tree = &run.engine->finish();
  const CallPath truth = path_of(std::vector{kCalls[0], kCalls[4]});
  run.encoder.damaged[run.encoder.word_of(truth)] = CallPath();
  const IdWordCheck::Outcome outcome = run.check.finish(*run.tree);
  EXPECT_EQ(outcome.words.wrong, 0u);
  EXPECT_EQ(outcome.wrong_at_end, 1u);
  ASSERT_TRUE(outcome.first_wrong.has_value());
  EXPECT_EQ(outcome.first_wrong->thread, std::nullopt);
  EXPECT_EQ(outcome.first_wrong->truth, truth);
}

TEST(IdWordCheck, FindsOneIdOfTwoContextsWrongForOne) {
  CheckedRun run;
  Thread thread(run);
  thread.enter(kCalls[0]);
  const std::uint64_t word = thread.word();
  thread.leave(word);
  thread.enter(kCalls[1]);
  thread.leave(word);
  const IdWordCheck::Outcome outcome = run.finish();
  EXPECT_EQ(outcome.words.wrong, 1u);
  EXPECT_EQ(outcome.wrong_at_end, 1u);
  EXPECT_EQ(outcome.ids, 1u);
}

// main calls a, a calls b, b calls a by the site it was called by itself, and a calls c.
const CallStream kDeep = {call(0, 0, 1), call(1, 1, 2), call(2, 2, 3), call(3, 2, 2),
                          call(4, 3, 4)};

// Enters kDeep and leaves at its end an id of another path: without the frames left out.
IdWordCheck::Outcome outcome_of_shorter(const CallPath& path, std::set<MethodId> left_out) {
  CheckedRun run;
  run.encoder.left_out = std::move(left_out);
  Thread thread(run);
  for (const CallRecord record : kDeep) thread.enter(record);
  thread.leave(run.encoder.word_of(path));
  return run.finish();
}

EdgeKey edge_from(std::uint32_t caller, std::uint16_t site, std::uint32_t callee) {
  return edge_key({MethodId{caller}, SiteOrdinal{site}}, MethodId{callee});
}

TEST(IdWordCheck, AContextWithoutFramesThatMayKeepNoIdIsNeitherRightNorWrong) {
  const EdgeKey main = entry_edge(MethodId{1});
  struct Case {
    CallPath path;
    std::set<MethodId> left_out;
    std::set<MethodId> lacking;
  };
  const Case cases[] = {
      {{main, edge_from(1, 1, 4)}, {MethodId{2}, MethodId{3}}, {MethodId{2}, MethodId{3}}},
      {{entry_edge(MethodId{4})},
       {MethodId{1}, MethodId{2}, MethodId{3}},
       {MethodId{1}, MethodId{2}, MethodId{3}}},
      // One of the two frames of a has an id: it got its probes while the program ran.
      {{main, edge_from(1, 1, 3), edge_from(3, 2, 2), edge_from(2, 3, 4)},
       {MethodId{2}},
       {MethodId{2}}},
      {{main, edge_from(1, 1, 2), edge_from(2, 2, 4)},
       {MethodId{2}, MethodId{3}},
       {MethodId{2}, MethodId{3}}},
  };
  for (const Case& each : cases) {
    const IdWordCheck::Outcome outcome = outcome_of_shorter(each.path, each.left_out);
    EXPECT_TRUE(outcome.is_right()) << to_string(each.path);
    EXPECT_EQ(outcome.words.lacking, 1u) << to_string(each.path);
    EXPECT_EQ(outcome.lacking, each.lacking) << to_string(each.path);
  }
}

TEST(IdWordCheck, AContextWithoutFramesThatKeepIdsIsWrong) {
  const EdgeKey main = entry_edge(MethodId{1});
  struct Case {
    CallPath path;
    std::set<MethodId> left_out;
  };
  const Case cases[] = {
      {{main, edge_from(1, 1, 4)}, {MethodId{2}}},               // b is missing too
      {{main, edge_from(1, 9, 4)}, {MethodId{2}, MethodId{3}}},  // another call site
      {{main, edge_from(1, 1, 3)}, {MethodId{2}, MethodId{4}}},  // of another method
      {{edge_from(1, 1, 4)}, {MethodId{2}, MethodId{3}}},        // main is missing
  };
  for (const Case& each : cases) {
    const IdWordCheck::Outcome outcome = outcome_of_shorter(each.path, each.left_out);
    EXPECT_EQ(outcome.words.wrong, 1u) << to_string(each.path);
    EXPECT_EQ(outcome.words.lacking, 0u) << to_string(each.path);
  }
}

TEST(IdWordCheck, CountsCollisionsOfEncodersThatDoNotDecode) {
  CheckedRun run;
  run.encoder.is_precise = false;
  run.encoder.mixed = [](std::uint64_t word) { return 1 + word % 2; };
  Thread thread(run);
  thread.play(kCalls);
  thread.play(kCalls);
  const IdWordCheck::Outcome outcome = run.finish();
  EXPECT_TRUE(outcome.is_right());
  EXPECT_EQ(outcome.words.met, 10u);
  EXPECT_EQ(outcome.ids, 2u);
  EXPECT_EQ(outcome.collisions, 2u) << "four contexts";
}

TEST(IdWordCheck, CountsFramesWithoutAnId) {
  CheckedRun run;
  Thread thread(run);
  thread.enter(kCalls[0]);
  thread.leave(Encoder::kLostWord);
  thread.enter(kCalls[1]);
  thread.leave(thread.word());
  const IdWordCheck::Outcome outcome = run.finish();
  EXPECT_TRUE(outcome.is_right());
  EXPECT_EQ(outcome.words.met, 2u);
  EXPECT_EQ(outcome.words.without, 1u);
  EXPECT_EQ(outcome.ids, 1u);
}

TEST(IdWordCheck, DoesNotCompareWhereRecordsAreMissing) {
  CheckedRun run;
  Thread thread(run);
  thread.enter(kCalls[0]);
  thread.append(call(3, 1, 5));  // between them frames that were not recorded
  thread.append(id_word_record(4, IdWordHalf::kUpper, 77));
  thread.append(id_word_record(4, IdWordHalf::kLower, 77));
  thread.append(call(4, 1, 6));
  thread.append(id_word_record(5, IdWordHalf::kUpper, 78));
  thread.append(id_word_record(5, IdWordHalf::kLower, 78));
  const IdWordCheck::Outcome outcome = run.finish();
  EXPECT_TRUE(outcome.is_right());
  EXPECT_EQ(outcome.words.met, 2u);
  EXPECT_EQ(outcome.words.without, 2u);
}

TEST(IdWordCheck, TakesHalfAnIdWordForNone) {
  CheckedRun run;
  Thread thread(run);
  thread.enter(kCalls[0]);
  thread.append(id_word_record(1, IdWordHalf::kUpper, 5));
  thread.enter(kCalls[1]);
  thread.leave(thread.word());
  const IdWordCheck::Outcome outcome = run.finish();
  EXPECT_TRUE(outcome.is_right());
  EXPECT_EQ(outcome.words.met, 1u);
  EXPECT_EQ(outcome.words.records, 3u);
  EXPECT_EQ(cct::total_calls(*run.tree), 2u);
}

// Packets of seven records, so that every second id word is in two of them.
TEST(IdWordCheck, FindsIdWordsThatLieInTwoPackets) {
  for (int records_before = 0; records_before < 8; ++records_before) {
    CheckedRun run;
    Thread thread(run);
    for (int i = 0; i < records_before; ++i) thread.enter(kCalls[0]);
    thread.play(kCalls);
    const IdWordCheck::Outcome outcome = run.finish();
    EXPECT_TRUE(outcome.is_right()) << records_before;
    EXPECT_EQ(outcome.words.met, 5u);
    EXPECT_EQ(outcome.words.without, 0u);
  }
}

// A stack that overflows may be a hundred thousand frames deep.
TEST(IdWordCheck, ComparesTheContextsOfARecursionInAStepEach) {
  constexpr int kDepth = 800;
  CheckedRun run(4096);
  Thread thread(run);
  for (int depth = 0; depth < kDepth; ++depth) {
    thread.enter(call(static_cast<std::uint32_t>(depth), 1, 2));
    thread.leave(thread.word());
  }
  EXPECT_TRUE(run.finish().is_right());
  EXPECT_LE(run.encoder.steps, 3 * kDepth) << "once at once, and once at the end";
}

// A recursion: context n is the n-th call of method 1, its id n. Some frames may keep no id.
class Recursion final : public IdWordDecoder, public cct::ContextTree {
 public:
  static constexpr std::uint32_t kDepth = 100'000;

  explicit Recursion(std::uint32_t left_out_at = 0) : left_out_at_(left_out_at) {}

  std::uint64_t id_of(std::uint64_t word) const override { return word; }
  bool may_be_left_out(MethodId method) const override { return method == kLeftOut; }
  bool decodes() const noexcept override { return true; }
  Result<CallPath> decode(std::uint64_t) const override { return CallPath{}; }
  std::optional<LastCall> last_call(std::uint64_t id) const override {
    if (id == 0) return std::nullopt;
    ++steps;
    std::uint64_t caller = id - 1;
    if (caller == left_out_at_ && caller != 0) --caller;
    return LastCall{edge_key({caller == 0 ? kNoMethod : method(caller), kNoSite}, method(id)),
                    caller};
  }
  bool is_root(std::uint64_t id) const override { return id == 0; }

  std::uint32_t node_count() const noexcept override { return kDepth + 1; }
  cct::ContextNode node(NodeIndex index) const noexcept override {
    if (index == kRootNode) return {kRootNode, 0, 0};
    return {NodeIndex{raw(index) - 1}, context_key(kNoSite, method(raw(index))), 1};
  }

  mutable std::uint64_t steps = 0;

 private:
  static constexpr MethodId kLeftOut{2};
  MethodId method(std::uint64_t n) const { return n == left_out_at_ ? kLeftOut : MethodId{1}; }

  const std::uint32_t left_out_at_;
};

TEST(RightIds, AskedOfARecursionInAnyOrderTakeSomeStepsEach) {
  for (const std::uint32_t left_out : {0u, 7u, 60'000u}) {
    const Recursion recursion(left_out);
    const std::uint64_t seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    RightIds right;
    std::set<MethodId> lacking;
    constexpr std::uint64_t kQuestions = 2'000;
    for (std::uint64_t i = 0; i < kQuestions; ++i) {
      const auto node = static_cast<std::uint32_t>(1 + random() % Recursion::kDepth);
      if (node == left_out) continue;
      const Match expected = left_out != 0 && node > left_out ? Match::kLacksFrames : Match::kExact;
      ASSERT_EQ(right.match(recursion, node, recursion, NodeIndex{node}, lacking), expected)
          << node;
    }
    EXPECT_LE(recursion.steps, Recursion::kDepth + 64 * kQuestions);
    EXPECT_EQ(lacking.size(), left_out == 0 ? 0u : 1u);
  }
}

TEST(RightIds, FindAWrongIdWhateverIsKnownOfItsCallers) {
  const Recursion recursion;
  RightIds right;
  std::set<MethodId> lacking;
  const auto match = [&](std::uint64_t id, std::uint32_t node) {
    return right.match(recursion, id, recursion, NodeIndex{node}, lacking);
  };
  EXPECT_EQ(match(5000, 5000), Match::kExact);
  EXPECT_EQ(match(4999, 5000), Match::kNone);
  EXPECT_EQ(match(5001, 5000), Match::kNone);
  EXPECT_EQ(match(64, 32), Match::kNone);
  EXPECT_EQ(match(32, 32), Match::kExact);
}

class IdWordCheckThreads : public testing::TestWithParam<unsigned> {};

TEST_P(IdWordCheckThreads, ComparesIdsOfAllThreadsWhoeverFoldsThem) {
  CheckedRun run(16, GetParam(), 64);
  std::vector<CallStream> streams;
  std::mt19937_64 random(GetParam());
  for (int i = 0; i < 4; ++i) streams.push_back(test::random_stream(random, {.calls = 5000}));
  std::vector<std::thread> threads;
  for (const CallStream& stream : streams) {
    threads.emplace_back([&run, &stream] {
      Thread thread(run);
      thread.play(stream);
      thread.end();
    });
  }
  for (std::thread& thread : threads) thread.join();
  const IdWordCheck::Outcome outcome = run.finish();
  EXPECT_TRUE(outcome.is_right());
  EXPECT_EQ(outcome.words.met, 20'000u);
  EXPECT_EQ(outcome.words.records, 40'000u);
  EXPECT_EQ(outcome.words.without, 0u);
  for (const auto& [thread, records] : outcome.records_of_threads) EXPECT_EQ(records, 10'000u);
  EXPECT_EQ(outcome.records_of_threads.size(), 4u);
  test::ReferenceTree truth;
  for (const CallStream& stream : streams) truth.add(stream);
  EXPECT_EQ(test::tree_text(*run.tree), truth.text());
  EXPECT_EQ(outcome.ids, run.tree->node_count() - 1u) << "folders share what they found";
}

INSTANTIATE_TEST_SUITE_P(, IdWordCheckThreads, testing::Values(1u, 4u));

}  // namespace
}  // namespace copse::validation
