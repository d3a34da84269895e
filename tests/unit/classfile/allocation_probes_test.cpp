// The probes of allocations where trees are built in place.
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "classfile/opcodes.h"
#include "probes/shadow_stack_probes.h"
#include "support/probe_text.h"

namespace copse::classfile {
namespace {

// Each method is method 7.
class AllocatingHost final : public ProbeHost {
 public:
  std::optional<MethodId> method(const MethodView&) override { return MethodId{7}; }
  SiteOrdinal site(MethodId, std::uint32_t, std::int32_t) override { return SiteOrdinal{1}; }
  Callee callee(const CallSiteView&) override { return {}; }
};

// A class's number is its place among those that were asked for.
class NumbersInOrder final : public AllocationHost {
 public:
  std::int32_t type(std::string_view class_name) override {
    asked.emplace_back(class_name);
    return static_cast<std::int32_t>(asked.size());
  }
  std::vector<std::string> asked;
};

class AllocationProbesTest : public testing::Test {
 protected:
  // A method that calls nothing, and allocates in every way.
  void begin(AllocationHost* allocations) {
    static constexpr std::array kAllocations = {
        AllocationView{1, -1, opcode::kNew, "pkg/Thing", 0},
        AllocationView{4, -1, opcode::kNewarray, "", 8},
        AllocationView{8, -1, opcode::kAnewarray, "pkg/Thing", 0},
        AllocationView{12, -1, opcode::kAnewarray, "[I", 0},
        AllocationView{16, -1, opcode::kMultianewarray, "[[[J", 2}};
    probes_.emplace(ShadowStackProbeOptions{.word_in_thread = true}, host_, allocations);
    MethodView view{};
    view.class_name = "pkg/Test";
    view.name = "m";
    view.descriptor = "()V";
    view.allocations = kAllocations;
    ASSERT_TRUE(probes_->begin(view));
  }
  std::string entry() { return probes_->entry(text_), text_.take(); }
  std::string after_allocation(std::size_t i) {
    return probes_->after_allocation(text_, i), text_.take();
  }

  AllocatingHost host_;
  std::optional<ShadowStackProbes> probes_;
  ProbeText text_;
};

TEST_F(AllocationProbesTest, TellTheFrameAndTheTypeByTheClassThatLoadersWereAskedFor) {
  NumbersInOrder types;
  begin(&types);
  // Without the name of a class: CopseProbe's.
  EXPECT_EQ(after_allocation(0), "load0 int1 allocatedIn(JI)V");
  EXPECT_EQ(after_allocation(1), "op89 op190 load0 int8 int8 allocatedArrayIn(IJII)V");
  EXPECT_EQ(after_allocation(2), "op89 op190 load0 int2 int12 allocatedArrayIn(IJII)V");
  EXPECT_EQ(after_allocation(3), "op89 op190 load0 int3 int12 allocatedArrayIn(IJII)V");
  EXPECT_EQ(after_allocation(4), "op89 load0 int4 int2 allocatedArraysIn(Ljava/lang/Object;JII)V");
  EXPECT_EQ(types.asked, (std::vector<std::string>{"pkg/Thing", "[Lpkg/Thing;", "[[I", "[[[J"}));
}

TEST_F(AllocationProbesTest, AMethodThatAllocatesHasAFrameToCountThemIn) {
  NumbersInOrder types;
  begin(&types);
  EXPECT_EQ(entry(), "int7 enter(I)J store0");
  begin(nullptr);
  EXPECT_EQ(entry(), "int7 leaf(I)V");
  EXPECT_EQ(after_allocation(0), "");
}

}  // namespace
}  // namespace copse::classfile
