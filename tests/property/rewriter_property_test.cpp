// Random methods of random instructions: what the rewriter inserts can be taken out again, and what
// is left is the original.
#include <gtest/gtest.h>

#include <random>

#include "classfile/rewriter.h"
#include "support/class_builder.h"
#include "support/class_reader.h"
#include "support/mark_probes.h"

namespace copse::classfile {
namespace {

constexpr int kRounds = 400;

// Instructions that inserted code has not, or not as here, so that it is recognised: branches, switches, calls, returns and
// aconst_null.
class RandomMethod {
 public:
  RandomMethod(std::mt19937& random, std::uint16_t callee) : random_(random) {
    const int count = pick(1, 60);
    for (int i = 0; i < count; ++i) starts_.push_back(add(callee));
    starts_.push_back(code_.size());
    code_.push_back(0xB1);
    for (const Hole& hole : holes_) fill(hole);
  }

  MethodSpec spec(std::string name) {
    MethodSpec method{.name = std::move(name), .max_locals = 2, .code = code_};
    for (int i = pick(0, 3); i > 0 && starts_.size() > 2; --i) {
      const auto from = static_cast<std::size_t>(pick(0, static_cast<int>(starts_.size()) - 2));
      const auto to = static_cast<std::size_t>(
          pick(static_cast<int>(from) + 1, static_cast<int>(starts_.size()) - 1));
      method.ranges.push_back({static_cast<std::uint16_t>(starts_[from]),
                               static_cast<std::uint16_t>(starts_[to]),
                               static_cast<std::uint16_t>(any_start()), 0});
    }
    return method;
  }

 private:
  struct Hole {
    std::size_t at, from;
    bool wide;
  };

  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  std::size_t any_start() {
    return starts_[static_cast<std::size_t>(pick(0, static_cast<int>(starts_.size()) - 1))];
  }
  void hole(std::size_t from, bool wide) {
    holes_.push_back({code_.size(), from, wide});
    code_.resize(code_.size() + (wide ? 4 : 2));
  }
  void fill(const Hole& hole) {
    const auto offset = static_cast<std::uint32_t>(any_start() - hole.from);
    for (int i = hole.wide ? 3 : 1, at = 0; i >= 0; --i, ++at) {
      code_[hole.at + static_cast<std::size_t>(at)] = static_cast<std::uint8_t>(offset >> (8 * i));
    }
  }
  std::size_t add(std::uint16_t callee) {
    const std::size_t from = code_.size();
    const auto byte = [&](unsigned value) { code_.push_back(static_cast<std::uint8_t>(value)); };
    switch (pick(0, 7)) {
      case 0:
        byte(0x99);  // ifeq
        hole(from, false);
        break;
      case 1:
        byte(0xA7);
        hole(from, false);
        break;
      case 2:
        byte(0xC8);
        hole(from, true);
        break;
      case 3:
        byte(0xB8);
        byte(callee >> 8);
        byte(callee & 0xFF);
        break;
      case 4: {
        byte(0xAA);
        while (code_.size() % 4 != 0) byte(0);
        hole(from, true);
        const int cases = pick(1, 5);
        for (int i = 0; i < 7; ++i) byte(0);
        byte(static_cast<unsigned>(cases - 1));
        for (int i = 0; i < cases; ++i) hole(from, true);
        break;
      }
      case 5:
        byte(0xB1);
        break;
      default:
        byte(0x01);
    }
    return from;
  }

  std::mt19937& random_;
  Bytes code_;
  std::vector<std::size_t> starts_;
  std::vector<Hole> holes_;
};

constexpr std::size_t kAll = ~std::size_t{0};

// The first instructions of a method with marks and guards left out (random methods have no instruction of a guard but
// goto and aconst_null, and call nothing but `callee`), branches as ordinals of the instruction that they lead to (a jump
// to a mark leads to what follows it).
std::vector<std::vector<std::size_t>> skeleton(const CodeAttribute& code, std::uint16_t callee,
                                               std::size_t count = kAll) {
  InstructionList list;
  EXPECT_TRUE(list.decode(code.code, code.ranges));
  const auto all = list.all();
  std::vector<std::size_t> ordinal(code.code.size() + 1);
  const auto is_inserted = [&](std::size_t i) {
    const std::uint8_t op = all[i].opcode;
    const int next = i + 1 < all.size() ? all[i + 1].opcode : 0;
    const auto keeps = [](int at) { return at >= opcode::kAstore0 && at < opcode::kAstore0 + 4; };
    const bool is_guard =
        op == opcode::kDup || keeps(op) || (op >= opcode::kAload0 && op < opcode::kAload0 + 4) ||
        (op == opcode::kGoto && next == kPop) || (op == opcode::kAconstNull && keeps(next));
    const bool calls_mark = op == opcode::kInvokestatic &&
                            (code.code[all[i].bci + 1] << 8 | code.code[all[i].bci + 2]) != callee;
    return (op >= 0x03 && op <= 0x07) || op == kPop || is_guard || calls_mark;
  };
  std::size_t next = 0;
  std::size_t pending = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (; pending <= all[i].bci; ++pending) ordinal[pending] = next;
    if (!is_inserted(i)) ++next;
  }
  for (; pending < ordinal.size(); ++pending) ordinal[pending] = next;
  std::vector<std::vector<std::size_t>> result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Instruction& at = all[i];
    if (is_inserted(i)) continue;
    if (result.size() == count) break;
    std::vector<std::size_t> entry = {at.opcode};
    if (is_short_branch(at.opcode) || is_wide_branch(at.opcode)) {
      entry.push_back(ordinal[list.branch_target(at)]);
    } else if (is_switch(at.opcode)) {
      const std::size_t operands = at.bci + 1 + switch_padding(at.bci);
      for (std::size_t p = operands; p < at.bci + list.length_of(i); p += 4) {
        if (p == operands + 4 || p == operands + 8) continue;  // low, high
        const auto target =
            static_cast<std::size_t>(static_cast<std::int64_t>(at.bci) + list.s4_at(p));
        entry.push_back(ordinal[target]);
      }
    }
    // Ranges and their handlers, as they cover this instruction.
    for (const ExceptionRange& range : code.ranges) {
      if (range.start <= at.bci && at.bci < range.end)
        entry.push_back(1000 + ordinal[range.handler]);
    }
    result.push_back(std::move(entry));
  }
  return result;
}

TEST(RewriterProperty, TakingTheProbesOutGivesTheOriginalBack) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int round = 0; round < kRounds; ++round) {
    ClassBuilder builder(49);
    const auto callee = builder.method("pkg/Other", "f", "()V");
    for (const char* name : {"a", "b", "c"}) builder.add(RandomMethod(random, callee).spec(name));
    const Bytes bytes = builder.build();
    MarkProbes probes;
    const unsigned wanted = random() % 8;  // which of a, b, c
    probes.calls_marked = random() % 2 == 0;
    probes.marks_call = random() % 2 == 0;
    probes.on_begin = [&](const MethodView& method) {
      probes.wanted = (wanted >> (method.name[0] - 'a') & 1) != 0;
    };
    const auto result = rewrite(bytes, probes);
    ASSERT_TRUE(result.ok()) << result.message();
    ASSERT_EQ(result->changed, wanted != 0);
    if (!result->changed) continue;
    const auto before = read_class(bytes);
    const auto after = read_class(result->bytes);
    ASSERT_TRUE(before && after);
    for (const char* name : {"a", "b", "c"}) {
      const CodeAttribute& old_code = *before->code_of(name);
      const CodeAttribute& new_code = *after->code_of(name);
      const auto old_skeleton = skeleton(old_code, callee);
      ASSERT_EQ(old_skeleton, skeleton(new_code, callee, old_skeleton.size()))
          << "round " << round << " " << name;
      const bool was_wanted = (wanted >> (name[0] - 'a') & 1) != 0;
      ASSERT_EQ(new_code.code.size() > old_code.code.size(), was_wanted);
    }
  }
}

TEST(RewriterProperty, RefusingEveryMethodChangesNothing) {
  const auto seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int round = 0; round < kRounds; ++round) {
    ClassBuilder builder(49);
    const auto callee = builder.method("pkg/Other", "f", "()V");
    builder.add(RandomMethod(random, callee).spec("a"));
    MarkProbes probes;
    probes.wanted = false;
    const auto result = rewrite(builder.build(), probes);
    ASSERT_TRUE(result.ok()) << result.message();
    ASSERT_FALSE(result->changed);
  }
}

}  // namespace
}  // namespace copse::classfile
