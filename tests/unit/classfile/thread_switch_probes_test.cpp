#include "probes/thread_switch_probes.h"

#include <string>
#include <vector>

#include "probes/runtime_classes.h"
#include "rewriter_test_support.h"
#include "support/probe_text.h"

namespace copse::classfile {
namespace {

constexpr const char* kEnded = "op42 java/lang/CopseThread.ended(Ljava/lang/Thread;)V";
constexpr const char* kMounted = "op42 java/lang/CopseThread.mounted(Ljava/lang/Thread;)V";
constexpr const char* kUnmounted = "op42 java/lang/CopseThread.unmounted(Ljava/lang/Thread;)V";

MethodView view(std::string_view name, std::string_view descriptor,
                std::span<const CallSiteView> calls = {},
                std::string_view class_name = kVirtualThread) {
  MethodView method{};
  method.class_name = class_name;
  method.name = name;
  method.descriptor = descriptor;
  method.calls = calls;
  return method;
}

CallSiteView call_of(std::string_view name) {
  CallSiteView call{};
  call.owner = "java/lang/Thread";
  call.name = name;
  return call;
}

TEST(ThreadSwitchProbes, TellOfTheUnmountBehindTheSwitchAndNowhereElse) {
  ThreadSwitchProbes probes({.starts = true});
  const std::vector<CallSiteView> calls = {call_of("holdsLock"), call_of("setCurrentThread"),
                                           call_of("clearInterrupt")};
  ASSERT_TRUE(probes.begin(view("unmount", "()V", calls)));
  ProbeText text;
  probes.entry(text);
  for (std::size_t i : {0u, 2u}) probes.after_call(text, i);
  EXPECT_EQ(text.take(), "");
  probes.after_call(text, 1);
  EXPECT_EQ(text.take(), kUnmounted);
}

TEST(ThreadSwitchProbes, TellOfTheMountBehindTheSwitch) {
  ThreadSwitchProbes probes({.starts = true});
  const std::vector<CallSiteView> calls = {call_of("currentCarrierThread"),
                                           call_of("setCurrentThread")};
  ASSERT_TRUE(probes.begin(view("mount", "()V", calls)));
  ProbeText text;
  probes.after_call(text, 0);
  EXPECT_EQ(text.take(), "");
  probes.after_call(text, 1);
  EXPECT_EQ(text.take(), kMounted);
}

TEST(ThreadSwitchProbes, TellOfTheEndOnceByEitherName) {
  for (const char* name : {"afterDone", "afterTerminate"}) {
    ThreadSwitchProbes probes({.starts = true});
    EXPECT_FALSE(probes.begin(view(name, "(Z)V"))) << "the one without operands calls it";
    ASSERT_TRUE(probes.begin(view(name, "()V")));
    ProbeText text;
    probes.entry(text);
    EXPECT_EQ(text.take(), kEnded);
  }
}

TEST(ThreadSwitchProbes, TellOfTheStartWhereItIsWanted) {
  constexpr const char* kByContainer = "(Ljdk/internal/vm/ThreadContainer;)V";
  ThreadSwitchProbes probes({.starts = true});
  ASSERT_TRUE(probes.begin(view("start", kByContainer)));
  ProbeText text;
  probes.entry(text);
  EXPECT_EQ(text.take(), "op42 java/lang/CopseThread.starts(Ljava/lang/Thread;)V");
  EXPECT_FALSE(probes.begin(view("start", "()V"))) << "it calls the other one";
  EXPECT_FALSE(probes.begin(view("start", kByContainer, {}, "app/VirtualThread")));
  EXPECT_FALSE(ThreadSwitchProbes({}).begin(view("start", kByContainer)));
}

TEST(ThreadSwitchProbes, TellOfMovesBeforeTheJvmIsToldOfThem) {
  const std::vector<CallSiteView> calls = {call_of("notifyJvmtiMount"), call_of("run"),
                                           call_of("notifyJvmtiStart"), call_of("notifyJvmtiEnd"),
                                           call_of("notifyJvmtiUnmount")};
  const MethodView method = view("runContinuation", "()V", calls);
  EXPECT_FALSE(ThreadSwitchProbes({}).begin(method));
  ThreadSwitchProbes probes({.switches = false, .moves_to = kValuesClass});
  EXPECT_FALSE(probes.complete());
  ASSERT_TRUE(probes.begin(method));
  EXPECT_TRUE(probes.complete());
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    ProbeText text;
    probes.before_call(text, i);
    texts.push_back(text.take());
  }
  constexpr const char* kSaid = "op89 java/lang/CopseValues.moves(Z)V";
  EXPECT_EQ(texts, (std::vector<std::string>{kSaid, "", "int0 java/lang/CopseValues.moves(Z)V",
                                             "int1 java/lang/CopseValues.moves(Z)V", kSaid}));
}

TEST(ThreadSwitchProbes, LeaveEverythingElseAlone) {
  ThreadSwitchProbes probes({.starts = true});
  const std::vector<CallSiteView> switching = {call_of("setCurrentThread")};
  EXPECT_FALSE(probes.begin(view("switchToCarrierThread", "()V", switching)));
  EXPECT_FALSE(probes.begin(view("unmount", "()V", switching, "app/VirtualThread")));
  EXPECT_FALSE(probes.begin(view("afterDone", "()V", {}, "app/VirtualThread")));
}

TEST(ThreadSwitchProbes, AreCompleteWithBothPlaces) {
  ThreadSwitchProbes probes({.starts = true});
  const std::vector<CallSiteView> other = {call_of("clearInterrupt")};
  const std::vector<CallSiteView> switching = {call_of("setCurrentThread")};
  EXPECT_FALSE(probes.begin(view("unmount", "()V", other)));
  probes.begin(view("afterDone", "()V"));
  probes.begin(view("mount", "()V", switching));
  EXPECT_FALSE(probes.complete());
  probes.begin(view("unmount", "()V", switching));
  EXPECT_TRUE(probes.complete());
}

}  // namespace
}  // namespace copse::classfile
