// The probes of calls: where a word is put right behind a call.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "classfile/opcodes.h"
#include "probes/shadow_stack_probes.h"
#include "support/probe_text.h"

namespace copse::classfile {
namespace {

// Each method is method 7; callees are of the kind of their name.
class CallingHost final : public ProbeHost {
 public:
  std::optional<MethodId> method(const MethodView&) override { return MethodId{7}; }
  SiteOrdinal site(MethodId, std::uint32_t bci, std::int32_t) override {
    return SiteOrdinal{static_cast<std::uint16_t>(1 + bci)};
  }
  void moved_site(MethodId, SiteOrdinal site, std::uint32_t bci) override {
    moved.emplace_back(raw(site) - 1u, bci);
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> moved;  // bcis before and after
  Callee callee(const CallSiteView& call) override {
    if (call.name == "silent") return {CalleeKind::kSilent};
    if (call.name == "leaf") return {CalleeKind::kCountedLeaf, MethodId{8}, "pkg/Other"};
    if (call.name == "native") return {CalleeKind::kCountedNative, MethodId{9}, "pkg/Other"};
    return {};
  }
};

class CallProbesTest : public testing::Test {
 protected:
  void begin(const std::vector<std::string>& callees, NextProbe next,
             const ShadowStackProbeOptions& options = {.word_in_thread = true}) {
    std::vector<CallSiteView> calls;
    for (const std::string& callee : callees) {
      calls.push_back({static_cast<std::uint32_t>(3 * calls.size()), 1, opcode::kInvokevirtual,
                       "pkg/Other", callee, "()V", false, next});
    }
    probes_.emplace(options, host_);
    MethodView view{};
    view.class_name = "pkg/Test";
    view.name = "m";
    view.descriptor = "()V";
    view.calls = calls;
    ASSERT_TRUE(probes_->begin(view));
  }
  std::string after_call(std::size_t i) { return probes_->after_call(text_, i), text_.take(); }

  CallingHost host_;
  std::optional<ShadowStackProbes> probes_;
  ProbeText text_;
};

constexpr const char* kRestore = "load0 restore(J)V";

TEST_F(CallProbesTest, PutTheWordRightBehindACallThatSomethingVisibleFollows) {
  begin({"f", "native", "leaf", "silent"}, NextProbe::kNone);
  EXPECT_EQ(after_call(0), kRestore);
  EXPECT_EQ(after_call(1), kRestore);
  EXPECT_EQ(after_call(2) + after_call(3), "") << "they leave the word alone";
}

TEST_F(CallProbesTest, LeaveTheWordToAReturnThatFollowsAtOnce) {
  begin({"f", "native"}, NextProbe::kReturn);
  EXPECT_EQ(after_call(0) + after_call(1), "");
}

TEST_F(CallProbesTest, LeaveTheWordToACallThatFollowsAtOnceIfItsProbeStoresIt) {
  begin({"f", "f", "native", "leaf"}, NextProbe::kCall);
  EXPECT_EQ(after_call(0) + after_call(1), "");
  EXPECT_EQ(after_call(2), kRestore) << "a leaf is counted, and the word stays";
  begin({"f", "silent"}, NextProbe::kCall);
  EXPECT_EQ(after_call(0), kRestore);
}

TEST_F(CallProbesTest, WithoutCallSitesOnlyReturnsStoreTheWord) {
  const ShadowStackProbeOptions without{.sites = false, .word_in_thread = true};
  begin({"f", "f"}, NextProbe::kCall, without);
  EXPECT_EQ(after_call(0), kRestore);
  begin({"f", "native"}, NextProbe::kCall, without);
  EXPECT_EQ(after_call(0), "") << "the entry of a native method";
  begin({"f"}, NextProbe::kReturn, without);
  EXPECT_EQ(after_call(0), "");
}

TEST_F(CallProbesTest, PutTheWordRightForProbesThatLookAtIt) {
  begin({"f", "start"}, NextProbe::kCall, {.word_in_thread = true, .tells_starts = true});
  EXPECT_EQ(after_call(0), kRestore) << "what starts a thread hands the slice over";
  const std::function<bool(const MethodView&)> all = [](const MethodView&) { return true; };
  begin({"f"}, NextProbe::kReturn, {.word_in_thread = true, .begins_slice = &all});
  EXPECT_EQ(after_call(0), kRestore) << "the end of a slice";
}

TEST_F(CallProbesTest, TellWhereCallSitesAreIfWordsAreSampled) {
  begin({"f", "silent", "native"}, NextProbe::kNone, {.word_in_thread = true, .sampled = true});
  for (std::uint32_t i = 0; i < 3; ++i) probes_->moved_call(i, 100 + i);
  EXPECT_EQ(host_.moved,
            (std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 100}, {6, 102}}));
  host_.moved.clear();
  begin({"f"}, NextProbe::kNone);
  probes_->moved_call(0, 100);
  EXPECT_TRUE(host_.moved.empty());
}

}  // namespace
}  // namespace copse::classfile
