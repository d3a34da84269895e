#include "probes/context_id_probes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "rewriter_test_support.h"
#include "support/probe_text.h"

namespace copse::classfile {
namespace {

// A program whose every method is method 1. Callees record unless told otherwise; call sites are
// numbered as they are asked for.
class Host final : public ProbeHost, public PlaceHost, public AllocationHost {
 public:
  std::map<std::string, Callee, std::less<>> callees;
  std::set<std::string, std::less<>> marked;  // "class.method"
  bool wanted = true;
  std::int64_t place_step = 100;  // of a method's place: its id times this
  bool has_places = true;
  std::map<MethodId, std::uint32_t> sites;  // as told to place()

  std::optional<MethodId> method(const MethodView&) override {
    return wanted ? std::optional(MethodId{1}) : std::nullopt;
  }
  SiteOrdinal site(MethodId, std::uint32_t bci, std::int32_t) override {
    const auto next = static_cast<std::uint16_t>(ordinals_.size() + 1);
    return SiteOrdinal{ordinals_.try_emplace(bci, next).first->second};
  }
  Callee callee(const CallSiteView& call) override {
    const auto found = callees.find(call.name);
    return found == callees.end() ? Callee{} : found->second;
  }
  std::optional<std::int64_t> place(MethodId method, std::uint32_t site_count) override {
    if (!has_places) return std::nullopt;
    sites.try_emplace(method, site_count);
    return place_step * raw(method);
  }
  std::int64_t site(MethodId caller, SiteOrdinal site) override {
    return place_step / 100 * (raw(caller) + raw(site));
  }
  bool is_marked(std::string_view class_name, std::string_view method) override {
    return marked.contains(std::string(class_name).append(".").append(method));
  }
  std::int32_t type(std::string_view class_name) override {
    return class_name == "pkg/Thing" ? 77 : 0;
  }

 private:
  std::map<std::uint32_t, std::uint16_t> ordinals_;
};

constexpr Callee kSilent{CalleeKind::kSilent, kNoMethod};
constexpr Callee kLeaf{CalleeKind::kCountedLeaf, MethodId{8}, "pkg/Other"};
constexpr Callee kNative{CalleeKind::kCountedNative, MethodId{9}, "pkg/Other"};

// pkg/Test.m()V, which calls static methods of pkg/Other by these names.
struct Method {
  Method() = default;
  explicit Method(std::vector<std::string> called) : names(std::move(called)) {}

  std::vector<std::string> names;
  std::string class_name = "pkg/Test";
  std::string name = "m";
  std::string descriptor = "()V";
  ImplicitCalls implicit_calls = ImplicitCalls::kNone;
  std::vector<AllocationView> allocations;
  NextProbe next = NextProbe::kNone;  // behind each call
};

class ContextIdProbesTest : public testing::Test {
 protected:
  bool begin(const Method& method, const ContextIdProbeOptions& options = {}) {
    std::vector<CallSiteView> calls;
    for (const std::string& callee : method.names) {
      const auto bci = static_cast<std::uint32_t>(3 * calls.size());
      calls.push_back(
          {bci, -1, opcode::kInvokestatic, "pkg/Other", callee, "()V", false, method.next});
    }
    MethodView view{};
    view.class_name = method.class_name;
    view.name = method.name;
    view.descriptor = method.descriptor;
    view.implicit_calls = method.implicit_calls;
    view.calls = calls;
    view.allocations = method.allocations;
    view.code_length = 100;
    probes_.emplace(options, host, host, counts_allocations ? &host : nullptr);
    return probes_->begin(view);
  }

  std::string entry() { return probes_->entry(text_), text_.take(); }
  std::string before_call(std::size_t i) { return probes_->before_call(text_, i), text_.take(); }
  std::string after_call(std::size_t i) { return probes_->after_call(text_, i), text_.take(); }
  std::string before_return() { return probes_->before_return(text_), text_.take(); }
  std::string after_allocation(std::size_t i) {
    return probes_->after_allocation(text_, i), text_.take();
  }
  std::string handler_start() { return probes_->handler_start(text_), text_.take(); }
  std::string unwind() { return probes_->unwind(text_), text_.take(); }

  Host host;
  bool counts_allocations = false;

 private:
  std::optional<ContextIdProbes> probes_;
  ProbeText text_{"java/lang/CopseIds"};
};

constexpr const char* kEntry = "word()J store1 load1 int100 enter(JI)J store0";
constexpr const char* kRestore = "load0 restore(J)V";
constexpr const char* kExit = "load1 exit(J)V";

TEST_F(ContextIdProbesTest, LeaveOutAMethodThatLeadsNowhere) {
  host.callees = {{"silent", kSilent}};
  EXPECT_FALSE(begin(Method()));
  EXPECT_FALSE(begin(Method({"silent"})));
  EXPECT_TRUE(host.sites.empty()) << "it needs no place";
}

// Found under --jdk: Finalizer.register() hung under the constructor's caller (jython's file
// objects), and what JrtFsLoader does to find String under the caller of a method that calls
// nothing else (ecj).
TEST_F(ContextIdProbesTest, AreInAMethodThatCallsACountedLeafForWhichTheJvmMayRunMore) {
  host.callees = {{"leaf", kLeaf}, {"silent", kSilent}};
  ASSERT_TRUE(begin(Method({"silent", "leaf"})));
  EXPECT_EQ(before_call(1) + after_call(1), "") << "what it runs has no call site";
}

TEST_F(ContextIdProbesTest, LeaveOutAMethodThatTheHostDoesNotWant) {
  host.wanted = false;
  EXPECT_FALSE(begin(Method({"f"})));
}

TEST_F(ContextIdProbesTest, LeaveOutAMethodForWhichThereIsNoPlace) {
  host.has_places = false;
  EXPECT_FALSE(begin(Method({"f"})));
}

TEST_F(ContextIdProbesTest, AreInAMethodThatMakesTheRuntimeCall) {
  Method method;
  method.implicit_calls = ImplicitCalls::kClassLoading;
  EXPECT_TRUE(begin(method));
  method.implicit_calls = ImplicitCalls::kVmExceptions;
  EXPECT_FALSE(begin(method));
  EXPECT_TRUE(begin(method, {.vm_exceptions_record = true}));
  method.implicit_calls = ImplicitCalls::kNone;
  EXPECT_FALSE(begin(method, {.vm_exceptions_record = true}));
}

TEST_F(ContextIdProbesTest, AreInAMarkedLeafWhoseEntryIsAnEvent) {
  host.marked = {"pkg/Test.m"};
  ASSERT_TRUE(begin(Method()));
  EXPECT_EQ(entry(), std::string(kEntry) + " load0 mark(J)V");
  EXPECT_EQ(before_return(), kExit);
  EXPECT_EQ(host.sites[MethodId{1}], 0u);
}

TEST_F(ContextIdProbesTest, AreInEveryMethodWhenTheJvmTellsOfEvents) {
  ASSERT_TRUE(begin(Method(), {.has_events = true}));
  EXPECT_EQ(entry(), kEntry);
  EXPECT_EQ(before_return(), kExit);
  EXPECT_EQ(unwind(), "load1 unwind(J)V") << "the throw behind it is not the program's";
}

TEST_F(ContextIdProbesTest, TellWhatWasAllocatedWhenThatIsCounted) {
  Method method;
  method.names = {"f"};
  method.allocations = {{1, -1, opcode::kNew, "pkg/Thing", 0},
                        {4, -1, opcode::kNewarray, "", 8},
                        {8, -1, opcode::kAnewarray, "", 0},
                        {12, -1, opcode::kMultianewarray, "", 3}};
  ASSERT_TRUE(begin(method, {.has_events = true}));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(after_allocation(i), "");
  counts_allocations = true;
  ASSERT_TRUE(begin(method, {.has_events = true}));
  EXPECT_EQ(after_allocation(0), "load0 int3 int77 allocated(JII)V");
  EXPECT_EQ(after_allocation(1), "op89 op190 load0 int4 int8 allocatedArray(IJII)V");
  EXPECT_EQ(after_allocation(2), "op89 op190 load0 int5 int12 allocatedArray(IJII)V");
  EXPECT_EQ(after_allocation(3), "op89 load0 int6 int3 allocatedArrays(Ljava/lang/Object;JII)V");
}

TEST_F(ContextIdProbesTest, AreAtEntryCallsAndReturnsOfAMethodThatCalls) {
  ASSERT_TRUE(begin(Method({"f", "g"})));
  EXPECT_EQ(entry(), kEntry);
  EXPECT_EQ(before_call(0), "load0 int2 call(JI)V");
  EXPECT_EQ(after_call(0), kRestore);
  EXPECT_EQ(before_call(1), "load0 int3 call(JI)V");
  EXPECT_EQ(after_call(1), kRestore);
  EXPECT_EQ(handler_start(), kRestore);
  EXPECT_EQ(before_return(), kExit);
  EXPECT_EQ(unwind(), kExit);
  EXPECT_EQ(host.sites[MethodId{1}], 2u);
}

TEST_F(ContextIdProbesTest, RestoreNothingThatTheNextProbeStores) {
  host.callees = {{"silent", kSilent}, {"leaf", kLeaf}, {"native", kNative}};
  Method method({"f", "g", "leaf", "native", "silent"});
  method.next = NextProbe::kCall;
  ASSERT_TRUE(begin(method));
  EXPECT_EQ(after_call(0), "");
  EXPECT_EQ(after_call(1), kRestore) << "before a leaf stands no probe";
  EXPECT_EQ(after_call(3), kRestore);
  method.next = NextProbe::kReturn;
  ASSERT_TRUE(begin(method));
  EXPECT_EQ(after_call(3), "");
}

TEST_F(ContextIdProbesTest, NumberOnlyTheCallsThatMayLeadSomewhere) {
  host.callees = {{"silent", kSilent}, {"leaf", kLeaf}};
  ASSERT_TRUE(begin(Method({"silent", "leaf", "f"})));
  for (const std::size_t i : {0u, 1u}) {
    EXPECT_EQ(before_call(i), "");
    EXPECT_EQ(after_call(i), "");
  }
  EXPECT_EQ(before_call(2), "load0 int2 call(JI)V");
  EXPECT_EQ(after_call(2), kRestore);
  EXPECT_EQ(host.sites[MethodId{1}], 1u);
}

TEST_F(ContextIdProbesTest, TakeLongOperandsWhereWordsAreMixed) {
  host.place_step = 100'000'000'000'000;
  host.callees = {{"native", kNative}};
  host.marked = {"pkg/Other.native"};
  ASSERT_TRUE(begin(Method({"f", "native"}), {.long_operands = true}));
  EXPECT_EQ(entry(), "word()J store1 load1 long100000000000000 enter(JJ)J store0");
  EXPECT_EQ(before_call(0), "load0 long2000000000000 call(JJ)V");
  EXPECT_EQ(before_call(1),
            "load0 long3000000000000 long900000000000000 enterNative(JJJ)J mark(J)V");
}

TEST_F(ContextIdProbesTest, EnterACountedNativeCalleeInItsCaller) {
  host.callees = {{"native", kNative}};
  ASSERT_TRUE(begin(Method({"native"})));
  EXPECT_EQ(before_call(0), "load0 int2 int900 enterNative(JII)J pop2");
  EXPECT_EQ(after_call(0), kRestore);
}

TEST_F(ContextIdProbesTest, MarkAMarkedNativeCalleeWithItsOwnWord) {
  host.callees = {{"native", kNative}};
  host.marked = {"pkg/Other.native"};
  ASSERT_TRUE(begin(Method({"native"})));
  EXPECT_EQ(before_call(0), "load0 int2 int900 enterNative(JII)J mark(J)V");
  EXPECT_EQ(entry(), kEntry) << "the caller is not marked";
}

TEST_F(ContextIdProbesTest, EnterACountedIntrinsicOnlyWhenItIsMarked) {
  host.callees = {{"leaf", kLeaf}};
  ASSERT_TRUE(begin(Method({"leaf"})));
  EXPECT_EQ(before_call(0), "");
  host.marked = {"pkg/Other.leaf"};
  ASSERT_TRUE(begin(Method({"leaf"})));
  EXPECT_EQ(before_call(0), "load0 int2 int800 enterNative(JII)J mark(J)V");
  EXPECT_EQ(after_call(0), kRestore);
}

TEST_F(ContextIdProbesTest, MarkACountedCalleeByTheClassThatDeclaresIt) {
  host.callees = {{"leaf", {CalleeKind::kCountedLeaf, MethodId{8}, "pkg/Base"}}};
  host.marked = {"pkg/Other.leaf"};
  ASSERT_TRUE(begin(Method({"leaf"})));
  EXPECT_EQ(before_call(0), "") << "only the call site's name for it is marked";
  host.marked = {"pkg/Base.leaf"};
  ASSERT_TRUE(begin(Method({"leaf"})));
  EXPECT_NE(before_call(0).find("mark(J)V"), std::string::npos);
}

TEST_F(ContextIdProbesTest, DoNotMarkAtACallWhatMarksItself) {
  host.marked = {"pkg/Other.f"};
  ASSERT_TRUE(begin(Method({"f"})));
  EXPECT_EQ(before_call(0), "load0 int2 call(JI)V");
}

TEST_F(ContextIdProbesTest, AnswerCopseContextId) {
  Method method;
  method.class_name = "copse/Context";
  method.name = "id";
  method.descriptor = "()J";
  ASSERT_TRUE(begin(method));
  EXPECT_EQ(before_return(), std::string("pop2 load0 id(J)J ") + kExit);
  EXPECT_EQ(unwind(), kExit);
}

TEST_F(ContextIdProbesTest, AnswerNothingElse) {
  Method method({"f"});
  method.name = "id";
  method.descriptor = "()J";
  ASSERT_TRUE(begin(method));
  EXPECT_EQ(before_return(), kExit);
  method.class_name = "copse/Context";
  method.descriptor = "(I)J";
  ASSERT_TRUE(begin(method));
  EXPECT_EQ(before_return(), kExit);
}

TEST_F(ContextIdProbesTest, ForgetTheMethodBefore) {
  host.marked = {"pkg/Test.m"};
  ContextIdProbes probes({}, host, host);
  MethodView view{};
  view.class_name = "pkg/Test";
  view.name = "m";
  EXPECT_TRUE(probes.begin(view));
  view.name = "n";
  EXPECT_FALSE(probes.begin(view));
}

TEST(ContextIdProbesInAClass, LeaveTheReturnedIdOnTheStack) {
  Host host;
  ContextIdProbes probes({}, host, host);
  const auto out = rewrite_method(ClassBuilder(61, "copse/Context"),
                                  {.name = "id", .descriptor = "()J", .code = {0x09, 0xAD}},
                                  probes);       // lconst_0, lreturn
  EXPECT_EQ(out.attribute("id").max_locals, 6);  // two of two slots, and the kept result
  const Bytes code = out.code("id");
  // pop2, lload_0, invokestatic id
  const Bytes id = {0x58, 0x1E, 0xB8};
  const auto at = std::search(code.begin(), code.end(), id.begin(), id.end());
  ASSERT_GE(code.end() - at, 10);
  // lload_2, invokestatic exit; lreturn
  EXPECT_EQ(Bytes(at + 5, at + 7), (Bytes{0x20, 0xB8}));
  EXPECT_EQ(at[9], 0xAD);
}

// C1 keeps eight bytes of every frame for each slot.
TEST(ContextIdProbesInAClass, NeedThreeSlotsOfTheStackBesideWhatIsThereAndFourWhereWordsAreMixed) {
  for (const bool long_operands : {false, true}) {
    ClassBuilder builder;
    const auto callee = builder.method("pkg/Other", "f", "()V");
    Host host;
    ContextIdProbes probes({.long_operands = long_operands}, host, host);
    const auto out = rewrite_method(
        builder, {.max_stack = 0, .code = {0xB8, high(callee), low(callee), 0xB1}}, probes);
    ASSERT_TRUE(out.read);
    EXPECT_EQ(out.attribute().max_stack, long_operands ? 4 : 3);
  }
}

// The 1 stands for any frame that keeps a word.
TEST(StackWalkProbes, AreAtMarkedMethodsAndCallsOfMarkedCalleesAlone) {
  Host host;
  host.callees = {{"leaf", kLeaf}, {"native", kNative}};
  host.marked = {"pkg/Test.m", "pkg/Other.native"};
  StackWalkProbes probes(host, host);
  ProbeText text("java/lang/CopseIds");
  const std::vector<CallSiteView> calls = {
      {0, -1, opcode::kInvokestatic, "pkg/Other", "leaf", "()V", false},
      {3, -1, opcode::kInvokestatic, "pkg/Other", "native", "()V", false}};
  MethodView view{};
  view.class_name = "pkg/Test";
  view.name = "m";
  view.descriptor = "()V";
  ASSERT_TRUE(probes.begin(view));
  EXPECT_TRUE(probes.locals().empty());
  probes.entry(text);
  EXPECT_EQ(text.take(), "long1 mark(J)V");
  view.name = "other";
  EXPECT_FALSE(probes.begin(view));
  view.calls = calls;
  ASSERT_TRUE(probes.begin(view));
  probes.entry(text);
  probes.before_call(text, 0);
  EXPECT_EQ(text.take(), "");
  probes.before_call(text, 1);
  EXPECT_EQ(text.take(), "long1 mark(J)V");
  host.wanted = false;
  EXPECT_FALSE(probes.begin(view));
  EXPECT_TRUE(host.sites.empty()) << "no word is kept";
}

}  // namespace
}  // namespace copse::classfile
