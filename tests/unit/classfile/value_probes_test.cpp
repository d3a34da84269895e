#include "probes/value_probes.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "support/probe_text.h"

namespace copse::classfile {
namespace {

// Answers with what a test says; method 7.
class ValueHostOfTest final : public ValueHost {
 public:
  std::optional<ValueProbe> wanted;
  int without = 0;
  int without_section = 0;

  std::optional<ValueProbe> probe(const MethodView&) override { return wanted; }
  void without_receiver(const MethodView&) override { ++without; }
  void without_sections(const MethodView&) override { ++without_section; }
};

class ValueProbesTest : public testing::Test {
 protected:
  static MethodView view_of(std::string_view name, std::string_view descriptor,
                            std::uint16_t access) {
    MethodView view{};
    view.class_name = "pkg/Test";
    view.super_name = "pkg/Base";
    view.name = name;
    view.descriptor = descriptor;
    view.access = access;
    view.class_version = 52;
    return view;
  }
  bool begin(std::string_view name, std::string_view descriptor, bool is_static = false,
             std::optional<std::size_t> constructor_call = std::nullopt) {
    MethodView view = view_of(name, descriptor, is_static ? 0x0008 : 0);
    view.constructor_call = constructor_call;
    return probes_.begin(view);
  }
  void want_all() {
    host_.wanted = ValueProbe{.method = MethodId{7},
                              .invocations = true,
                              .receiver = true,
                              .result = true,
                              .parameters = std::vector<bool>(9, true)};
  }

  std::string entry() { return probes_.entry(text_), text_.take(); }
  std::string after_call(std::size_t call) { return probes_.after_call(text_, call), text_.take(); }
  std::string before_return() { return probes_.before_return(text_), text_.take(); }
  std::string unwind() { return probes_.unwind(text_), text_.take(); }

  ValueHostOfTest host_;
  ValueProbes probes_{host_};
  ProbeText text_{"java/lang/CopseValues"};
};

constexpr const char* kThrown = "op89 load0 thrown(Ljava/lang/Object;J)V";

TEST_F(ValueProbesTest, AMethodThatIsNotWantedHasNone) { EXPECT_FALSE(begin("m", "()V")); }

TEST_F(ValueProbesTest, EachArgumentIsTakenFromItsSlotInItsType) {
  want_all();
  ASSERT_TRUE(begin("m", "(ZBCSIJFD[J)V"));
  EXPECT_EQ(entry(),
            "int256 own1Z take(II)V int1 own2B take(II)V int2 own3C take(II)V int3 own4S take(II)V "
            "int4 own5I take(II)V int5 own6J take(IJ)V int6 own8F take(IF)V int7 own9D take(ID)V "
            "int8 own11[ take(ILjava/lang/Object;)V own0L int7 "
            "entered(Ljava/lang/Object;I)J store0");
  EXPECT_EQ(before_return(), "load0 returned(J)V");
  EXPECT_EQ(unwind(), kThrown);
  EXPECT_EQ(probes_.locals().size(), 1);
}

TEST_F(ValueProbesTest, AStaticMethodHasNoReceiver) {
  want_all();
  ASSERT_TRUE(begin("m", "(I)J", true));
  EXPECT_EQ(entry(), "int256 own0I take(II)V int7 entered(I)J store0");
  EXPECT_EQ(before_return(), "op92 load0 returned(JJ)V");
}

TEST_F(ValueProbesTest, OnlyWhatIsWantedIsTold) {
  host_.wanted =
      ValueProbe{.method = MethodId{7}, .invocations = true, .parameters = {false, false, true}};
  ASSERT_TRUE(begin("m", "(IJLpkg/A;I)Lpkg/B;"));
  EXPECT_EQ(entry(), "int258 own4L take(ILjava/lang/Object;)V int7 entered(I)J store0");
  EXPECT_EQ(before_return(), "load0 returned(J)V");
}

TEST_F(ValueProbesTest, TheTextOfAnArgumentIsWantedWhereItCanBeAString) {
  host_.wanted = ValueProbe{.method = MethodId{7},
                            .invocations = true,
                            .parameters = {true, true, true, true},
                            .texts = {true, true, false, true}};
  ASSERT_TRUE(begin("m", "(ILjava/lang/Object;Ljava/lang/String;[I)V", true));
  EXPECT_EQ(entry(),
            "int256 own0I take(II)V int513 own1L take(ILjava/lang/Object;)V "
            "int2 own2L take(ILjava/lang/Object;)V int3 own3[ take(ILjava/lang/Object;)V "
            "int7 entered(I)J store0");
}

TEST_F(ValueProbesTest, AConstructorTellsOfItsObjectBehindTheCallOfSuper) {
  want_all();
  ASSERT_TRUE(begin("<init>", "()V", false, 1));
  EXPECT_EQ(entry(), "int7 entered(I)J store0");
  EXPECT_EQ(after_call(0), "");
  EXPECT_EQ(after_call(1), "own0L load0 constructed(Ljava/lang/Object;J)V");
  EXPECT_EQ(before_return(), "load0 returned(J)V");
  EXPECT_EQ(unwind(), kThrown);
  EXPECT_EQ(host_.without, 0);
}

TEST_F(ValueProbesTest, AConstructorThatIsWantedForItsObjectAloneKeepsNothing) {
  host_.wanted = ValueProbe{.allocations = true};
  ASSERT_TRUE(begin("<init>", "(I)V", false, 0));
  EXPECT_TRUE(probes_.locals().empty());
  EXPECT_EQ(entry() + before_return() + unwind(), "");
  EXPECT_EQ(after_call(0), "own0L allocated(Ljava/lang/Object;)V");
}

constexpr std::uint16_t kSynchronizedAccess = 0x0020;
constexpr std::uint16_t kStaticAccess = 0x0008;

TEST_F(ValueProbesTest, ASynchronizedMethodIsASectionInsideItsInvocation) {
  want_all();
  host_.wanted->section = SectionProbe{.method = MethodId{8}, .receiver = true};
  MethodView view = view_of("m", "()V", kSynchronizedAccess);
  ASSERT_TRUE(probes_.begin(view));
  EXPECT_EQ(entry(),
            "own0L int7 entered(Ljava/lang/Object;I)J store0 "
            "own0L int8 entered(Ljava/lang/Object;I)J store1");
  EXPECT_EQ(before_return(), "load1 returned(J)V long0 store1 load0 returned(J)V");
  EXPECT_EQ(unwind(),
            "op89 load1 thrown(Ljava/lang/Object;J)V long0 store1 " + std::string(kThrown));
}

TEST_F(ValueProbesTest, AStaticSynchronizedMethodLocksItsClass) {
  host_.wanted = ValueProbe{.section = SectionProbe{.method = MethodId{8}, .receiver = true}};
  MethodView view = view_of("m", "()V", kSynchronizedAccess | kStaticAccess);
  ASSERT_TRUE(probes_.begin(view));
  EXPECT_EQ(entry(), "class int8 entered(Ljava/lang/Object;I)J store0");
  EXPECT_EQ(host_.without_section, 0);
  view.class_version = 48;  // cannot name a class
  EXPECT_FALSE(probes_.begin(view));
  EXPECT_EQ(host_.without_section, 1);
}

TEST_F(ValueProbesTest, EachLevelOfBlocksHasALocal) {
  host_.wanted = ValueProbe{.section = SectionProbe{.method = MethodId{8}, .receiver = true}};
  MethodView view = view_of("m", "()V", 0);
  view.monitor_levels = 2;
  ASSERT_TRUE(probes_.begin(view));
  EXPECT_EQ(probes_.locals().size(), 2);
  EXPECT_EQ(entry(), "long0 store0 long0 store1");
  probes_.after_monitor_enter(text_, 1);
  EXPECT_EQ(text_.take(), "int8 entered(Ljava/lang/Object;I)J store1");
  probes_.before_monitor_exit(text_, 1);
  EXPECT_EQ(text_.take(), "load1 returned(J)V long0 store1");
  probes_.monitor_handler_start(text_, 0);
  EXPECT_EQ(text_.take(), "op89 load0 thrown(Ljava/lang/Object;J)V long0 store0");
  EXPECT_EQ(before_return() + unwind(), "");
}

TEST_F(ValueProbesTest, WhatIsLockedIsDroppedWhereNobodyAsks) {
  host_.wanted = ValueProbe{.section = SectionProbe{.method = MethodId{8}}};
  MethodView view = view_of("m", "()V", 0);
  view.monitor_levels = 1;
  ASSERT_TRUE(probes_.begin(view));
  probes_.after_monitor_enter(text_, 0);
  EXPECT_EQ(text_.take(), "op87 int8 entered(I)J store0");
}

TEST_F(ValueProbesTest, BlocksOfAnotherShapeHaveNoSections) {
  want_all();
  host_.wanted->section = SectionProbe{.method = MethodId{8}, .receiver = true};
  MethodView view = view_of("m", "()V", 0);
  view.monitor_levels.reset();
  ASSERT_TRUE(probes_.begin(view));
  EXPECT_FALSE(probes_.follows_monitors());
  EXPECT_EQ(host_.without_section, 1);
}

TEST_F(ValueProbesTest, AMethodThatLocksNothingHasNoSections) {
  host_.wanted = ValueProbe{.section = SectionProbe{.method = MethodId{8}, .receiver = true}};
  EXPECT_FALSE(probes_.begin(view_of("m", "()V", 0)));
  EXPECT_FALSE(probes_.begin(view_of("<init>", "()V", 0)));
  EXPECT_EQ(host_.without + host_.without_section, 0);
}

TEST_F(ValueProbesTest, ItIsSaidWhereTheCallOfSuperIsNotFound) {
  host_.wanted = ValueProbe{.allocations = true};
  EXPECT_FALSE(begin("<init>", "()V"));
  EXPECT_EQ(host_.without, 1);
  want_all();
  EXPECT_TRUE(begin("<init>", "()V"));
  EXPECT_EQ(host_.without, 2);
}

}  // namespace
}  // namespace copse::classfile
