#include "probes/thread_switch_probes.h"

#include <string>
#include <vector>

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
  ThreadSwitchProbes probes(true);
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
  ThreadSwitchProbes probes(true);
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
    ThreadSwitchProbes probes(true);
    EXPECT_FALSE(probes.begin(view(name, "(Z)V"))) << "the one without operands calls it";
    ASSERT_TRUE(probes.begin(view(name, "()V")));
    ProbeText text;
    probes.entry(text);
    EXPECT_EQ(text.take(), kEnded);
  }
}

TEST(ThreadSwitchProbes, TellOfTheStartWhereItIsWanted) {
  constexpr const char* kByContainer = "(Ljdk/internal/vm/ThreadContainer;)V";
  ThreadSwitchProbes probes(true);
  ASSERT_TRUE(probes.begin(view("start", kByContainer)));
  ProbeText text;
  probes.entry(text);
  EXPECT_EQ(text.take(), "op42 java/lang/CopseThread.starts(Ljava/lang/Thread;)V");
  EXPECT_FALSE(probes.begin(view("start", "()V"))) << "it calls the other one";
  EXPECT_FALSE(probes.begin(view("start", kByContainer, {}, "app/VirtualThread")));
  EXPECT_FALSE(ThreadSwitchProbes(false).begin(view("start", kByContainer)));
}

TEST(ThreadSwitchProbes, LeaveEverythingElseAlone) {
  ThreadSwitchProbes probes(true);
  const std::vector<CallSiteView> switching = {call_of("setCurrentThread")};
  EXPECT_FALSE(probes.begin(view("switchToCarrierThread", "()V", switching)));
  EXPECT_FALSE(probes.begin(view("unmount", "()V", switching, "app/VirtualThread")));
  EXPECT_FALSE(probes.begin(view("afterDone", "()V", {}, "app/VirtualThread")));
}

TEST(ThreadSwitchProbes, AreCompleteWithBothPlaces) {
  ThreadSwitchProbes probes(true);
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
