// Constants that probes add, and probe sets that break their contract.
#include "rewriter_test_support.h"

namespace copse::classfile {
namespace {

class EntryProbes : public MarkProbes {
 public:
  explicit EntryProbes(std::function<void(CodeEmitter&)> emit) : emit_(std::move(emit)) {}
  void entry(CodeEmitter& code) override { emit_(code); }
  void before_return(CodeEmitter&) override {}

 private:
  std::function<void(CodeEmitter&)> emit_;
};

Bytes entry_code(std::function<void(CodeEmitter&)> emit, ClassBuilder builder = ClassBuilder()) {
  EntryProbes probes(std::move(emit));
  Bytes code = rewrite_method(std::move(builder), {.code = {0xB1}}, probes).code();
  if (!code.empty()) code.pop_back();
  return code;
}

TEST(CodeEmitter, PushesIntsInTheirShortestForm) {
  const auto push = [](std::int32_t value, ClassBuilder builder = ClassBuilder()) {
    return entry_code(
        [=](CodeEmitter& code) {
          code.push_int(value);
          code.op(kPop);
        },
        std::move(builder));
  };
  EXPECT_EQ(push(-1), (Bytes{0x02, kPop}));
  EXPECT_EQ(push(5), (Bytes{0x08, kPop}));
  EXPECT_EQ(push(6), (Bytes{0x10, 6, kPop}));
  EXPECT_EQ(push(-128), (Bytes{0x10, 0x80, kPop}));
  EXPECT_EQ(push(128), (Bytes{0x11, 0, 128, kPop}));
  EXPECT_EQ(push(-32768), (Bytes{0x11, 0x80, 0, kPop}));
  EXPECT_EQ(push(32768)[0], 0x12);
  ClassBuilder large;
  large.pad_pool(300);
  EXPECT_EQ(push(32768, large)[0], 0x13);
}

TEST(CodeEmitter, PushesLongs) {
  const auto push = [](std::int64_t value) {
    return entry_code([=](CodeEmitter& code) {
      code.push_long(value);
      code.op(0x58);
    });
  };
  EXPECT_EQ(push(1), (Bytes{0x0A, 0x58}));
  EXPECT_EQ(push(2)[0], 0x14);
}

TEST(CodeEmitter, EqualConstantsAreAddedOnce) {
  const auto call_twice = [](CodeEmitter& code) {
    for (int i = 0; i < 2; ++i) {
      code.push_int(1'000'000);
      code.push_long(1'000'000);
      code.invoke_static("a/B", "f", "(IJ)V");
    }
  };
  const Bytes code = entry_code(call_twice);
  ASSERT_EQ(code.size(), 16u);
  EXPECT_TRUE(std::equal(code.begin(), code.begin() + 8, code.begin() + 8));
}

TEST(CodeEmitter, ALongTakesTwoPlacesInThePool) {
  ClassBuilder builder;
  builder.add({.code = {0xB1}});
  EntryProbes probes([](CodeEmitter& code) {
    code.push_long(1'000'000);
    code.op(0x58);
    code.push_int(1'000'000);
    code.op(kPop);
  });
  const auto out = rewrite_class(builder.build(), probes);
  const auto count = builder.pool_count();
  EXPECT_EQ(out.read->pool.tag(count), ConstantTag::kLong);
  EXPECT_EQ(out.read->pool.tag(static_cast<std::uint16_t>(count + 1)), std::nullopt);
  EXPECT_EQ(out.read->pool.tag(static_cast<std::uint16_t>(count + 2)), ConstantTag::kInteger);
}

TEST(CodeEmitter, AFullPoolLeavesTheMethodAlone) {
  ClassBuilder builder;
  builder.pad_pool(65'500);
  while (builder.pool_count() < 65'535 - 4) builder.utf8("filler");  // leaves room for a method
  builder.add({.code = {0xB1}});
  EntryProbes probes([](CodeEmitter& code) {
    code.push_int(1'000'000);
    code.invoke_static("a/B", "f", "(I)V");
  });
  const auto out = rewrite_class(builder.build(), probes);
  EXPECT_FALSE(out.result.changed);
  ASSERT_EQ(out.result.skipped.size(), 1u);
  EXPECT_EQ(out.result.skipped[0].reason, SkipReason::kConstantPoolFull);
}

std::string misuse(std::function<void(CodeEmitter&)> emit, std::vector<LocalKind> kinds = {}) {
  ClassBuilder builder;
  builder.add({.code = {0xB1}});
  EntryProbes probes(std::move(emit));
  probes.kinds = std::move(kinds);
  const auto result = rewrite(builder.build(), probes);
  return result.ok() ? "" : result.message();
}

TEST(CodeEmitter, ProbeSetsThatBreakTheirContractAreRefused) {
  EXPECT_NE(misuse([](CodeEmitter& code) { code.push_int(1); }), "");
  EXPECT_NE(misuse([](CodeEmitter&) {}, {LocalKind::kLong}), "") << "local not set at entry";
  EXPECT_NE(misuse([](CodeEmitter& code) { code.load_local(0); }), "");
  EXPECT_NE(misuse([](CodeEmitter& code) { code.op(0xA7); }), "") << "goto";
  EXPECT_NE(misuse([](CodeEmitter& code) { code.op(0xB1); }), "") << "return";
  EXPECT_NE(misuse([](CodeEmitter& code) { code.invoke_static("a/B", "f", "(Q)V"); }), "");
  EXPECT_EQ(misuse([](CodeEmitter&) {}), "");
}

}  // namespace
}  // namespace copse::classfile
