#include "probes/id_word_probes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "classfile/instruction_list.h"
#include "rewriter_test_support.h"
#include "support/probe_text.h"

namespace copse::classfile {
namespace {

// pkg/Test.m()V is method 1. Counts what it is asked for.
class Host final : public ProbeHost, public PlaceHost {
 public:
  std::map<std::string, Callee, std::less<>> callees;
  bool has_places = true;
  std::set<std::string, std::less<>> marked;
  int methods_asked = 0;
  std::map<std::uint32_t, int> sites_asked;          // by bytecode index
  std::map<MethodId, std::uint32_t> sites_of_place;  // as told to place()

  std::optional<MethodId> method(const MethodView&) override {
    ++methods_asked;
    return MethodId{1};
  }
  SiteOrdinal site(MethodId, std::uint32_t bci, std::int32_t) override {
    ++sites_asked[bci];
    return SiteOrdinal{++last_site_};
  }
  Callee callee(const CallSiteView& call) override {
    const auto found = callees.find(call.name);
    return found == callees.end() ? Callee{} : found->second;
  }
  std::optional<std::int64_t> place(MethodId method, std::uint32_t sites) override {
    if (!has_places) return std::nullopt;
    sites_of_place[method] = sites;
    return 100 * raw(method);
  }
  std::int64_t site(MethodId, SiteOrdinal site) override { return 50 + raw(site); }
  bool is_marked(std::string_view, std::string_view method) override {
    return marked.contains(method);
  }

 private:
  std::uint16_t last_site_ = 0;
};

constexpr Callee kSilent{CalleeKind::kSilent, kNoMethod};
constexpr Callee kLeaf{CalleeKind::kCountedLeaf, MethodId{8}, "pkg/Other"};
constexpr Callee kNative{CalleeKind::kCountedNative, MethodId{9}, "pkg/Other"};

class IdWordProbesTest : public testing::Test {
 protected:
  bool begin(const std::vector<std::string>& called, bool mark_all = true,
             NextProbe next = NextProbe::kNone) {
    std::vector<CallSiteView> calls;
    for (const std::string& callee : called) {
      const auto bci = static_cast<std::uint32_t>(3 * calls.size());
      calls.push_back({bci, -1, opcode::kInvokestatic, "pkg/Other", callee, "()V", false, next});
    }
    MethodView view{};
    view.class_name = "pkg/Test";
    view.name = "m";
    view.descriptor = "()V";
    view.calls = calls;
    view.code_length = 100;
    probes_.emplace(ShadowStackProbeOptions{},
                    ContextIdProbeOptions{.mark_all = mark_all, .long_operands = long_operands},
                    host, host);
    return probes_->begin(view);
  }
  std::size_t locals() const { return probes_->locals().size(); }
  std::string entry() { return probes_->entry(text_), text_.take(); }
  std::string before_call(std::size_t i) { return probes_->before_call(text_, i), text_.take(); }
  std::string after_call(std::size_t i) { return probes_->after_call(text_, i), text_.take(); }
  std::string before_return() { return probes_->before_return(text_), text_.take(); }
  std::string handler_start() { return probes_->handler_start(text_), text_.take(); }
  std::string unwind() { return probes_->unwind(text_), text_.take(); }

  Host host;
  bool long_operands = false;

 private:
  std::optional<IdWordProbes> probes_;
  ProbeText text_;
};

#define IDS "java/lang/CopseIds."
#define ID_WORDS "java/lang/CopseIdWords."
constexpr const char* kCallEntry = "header()J store0 load0 int1 enter(JI)J store1";
// Locals: header, word of calls, frame of ids and word before.
constexpr const char* kEntry = ID_WORDS "resolve()V " IDS
                                        "resolve()V header()J store0 "
                                        "load0 " IDS
                                        "wordIn(J)J store3 "
                                        "load0 load3 int0 int100 " IDS
                                        "frameBehind(JJII)J store2 "
                                        "load0 load2 int1 " ID_WORDS "enter(JJI)J store1";
constexpr const char* kLeave = " load0 load1 load2 " ID_WORDS "leave(JJJ)V";
constexpr const char* kFirstCall = "load0 load1 load2 int1 int51 " ID_WORDS "call(JJJII)V";
constexpr const char* kRestore = "load0 load1 load2 " ID_WORDS "restore(JJJ)V";
constexpr const char* kExit = "load0 load1 load3 " ID_WORDS "exit(JJJ)V";

TEST_F(IdWordProbesTest, StoreBothWordsInOneMethodOfTheRuntimes) {
  ASSERT_TRUE(begin({"f"}));
  EXPECT_EQ(entry(), std::string(kEntry) + kLeave);
  EXPECT_EQ(locals(), 4u);
  EXPECT_EQ(before_call(0), kFirstCall);
  EXPECT_EQ(after_call(0), kRestore);
  EXPECT_EQ(handler_start(), kRestore);
  EXPECT_EQ(before_return(), kExit);
  EXPECT_EQ(unwind(), kExit);
}

TEST_F(IdWordProbesTest, TakeLongsWhereWordsAreMixed) {
  long_operands = true;
  ASSERT_TRUE(begin({"f"}));
  EXPECT_NE(entry().find("load0 load3 long0 long100 " IDS "frameBehind(JJJJ)J"), std::string::npos);
  EXPECT_EQ(before_call(0), "load0 load1 load2 int1 long51 " ID_WORDS "call(JJJIJ)V");
}

TEST_F(IdWordProbesTest, AskTheHostOnceForWhatBothNumber) {
  ASSERT_TRUE(begin({"f", "g"}));
  EXPECT_EQ(host.methods_asked, 1);
  EXPECT_EQ(host.sites_asked, (std::map<std::uint32_t, int>{{0, 1}, {3, 1}}));
}

TEST_F(IdWordProbesTest, TellTheEncoderOfCallSitesThatOnlyCallsHave) {
  host.callees = {{"leaf", kLeaf}};
  ASSERT_TRUE(begin({"f", "leaf"}));
  EXPECT_EQ(host.sites_of_place[MethodId{1}], 2u) << "another body may call from there";
  EXPECT_EQ(before_call(0), kFirstCall);
  EXPECT_EQ(before_call(1), "load1 int2 i2l ladd load0 int8 count(JJI)V");
  EXPECT_EQ(after_call(1), "");
}

TEST_F(IdWordProbesTest, OfAMethodThatLeadsNowhereAreItsCallRecordAlone) {
  host.callees = {{"silent", kSilent}};
  ASSERT_TRUE(begin({"silent"}));
  EXPECT_EQ(entry(), "int1 leaf(I)V");
  EXPECT_EQ(locals(), 0u);
  EXPECT_EQ(before_call(0) + after_call(0) + before_return() + handler_start() + unwind(), "");
}

TEST_F(IdWordProbesTest, WithoutAPlaceForTheMethodAreThoseOfCalls) {
  host.has_places = false;
  ASSERT_TRUE(begin({"f"}));
  EXPECT_EQ(entry(), kCallEntry);
  EXPECT_EQ(locals(), 2u);
  EXPECT_EQ(before_return(), "load0 load1 exit(JJ)V");
}

TEST_F(IdWordProbesTest, GiveAMarkedLeafAFrameForItsIdWord) {
  host.marked = {"m"};
  ASSERT_TRUE(begin({}, false));
  EXPECT_EQ(entry(), std::string(kEntry) + kLeave);
  EXPECT_EQ(before_return(), kExit);
}

TEST_F(IdWordProbesTest, LeaveIdWordsAtMarkedMethodsAloneWhenSomeAreNamed) {
  host.marked = {"other"};
  ASSERT_TRUE(begin({"f"}, false));
  EXPECT_EQ(entry(), kEntry);
}

TEST_F(IdWordProbesTest, LeaveTheIdWordOfACountedCalleeBehindItsRecord) {
  host.callees = {{"native", kNative}};
  host.marked = {"native"};
  ASSERT_TRUE(begin({"native"}, false));
  EXPECT_EQ(before_call(0), "load0 load2 int51 int900 " IDS
                            "frameBehind(JJII)J op92 "
                            "load0 load1 int1 int9 " ID_WORDS
                            "enterCallee(JJJII)V "
                            "load0 load1 " ID_WORDS "leaveCallee(JJJ)V");
  EXPECT_EQ(after_call(0), kRestore);
}

TEST_F(IdWordProbesTest, CountACalleeThatTheEncoderHasNoPlaceFor) {
  host.callees = {{"native", kNative}};
  ASSERT_TRUE(begin({"native"}));
  host.has_places = false;
  EXPECT_EQ(before_call(0),
            "load1 int1 i2l ladd load0 int9 enterNative(JJI)V load2 int51 " IDS "call(JI)V");
  EXPECT_EQ(after_call(0), kRestore);
}

TEST_F(IdWordProbesTest, RestoreNothingWhereTheNextProbeStoresBothWords) {
  host.callees = {{"leaf", kLeaf}};
  ASSERT_TRUE(begin({"f", "g", "leaf"}, true, NextProbe::kCall));
  EXPECT_EQ(after_call(0), "");
  EXPECT_EQ(after_call(1), kRestore) << "before a leaf stands no probe of the encoder's";
}

TEST_F(IdWordProbesTest, ForgetTheMethodBefore) {
  ASSERT_TRUE(begin({"f"}));
  ASSERT_TRUE(begin({}));
  EXPECT_EQ(locals(), 0u);
}

// Method m with so many locals of its own, which calls once.
Bytes rewritten_code(std::uint16_t own_locals, bool long_operands = false, bool marked = false) {
  ClassBuilder builder;
  const auto callee = builder.method("pkg/Other", "f", "()V");
  Host host;
  IdWordProbes probes({}, {.mark_all = marked, .long_operands = long_operands}, host, host);
  return rewrite_method(builder,
                        {.max_stack = 0,
                         .max_locals = own_locals,
                         .code = {0xB8, high(callee), low(callee), 0xB1}},
                        probes)
      .code();
}

// The bytecode indices of its calls.
std::vector<std::int64_t> calls_in(const Bytes& code) {
  InstructionList instructions;
  EXPECT_TRUE(instructions.decode(code, {}));
  std::vector<std::int64_t> calls;
  for (const Instruction& instruction : instructions.all()) {
    if (instruction.opcode == opcode::kInvokestatic) calls.push_back(instruction.bci);
  }
  return calls;
}

// Index of the call that records the entry: the last of the entry's six calls without an id word.
constexpr std::size_t kRecordingCall = 5;
// How much longer two operands can be than the host's small ones: ldc_w instead of bipush.
constexpr std::int64_t kLongerOperands = 2;

TEST(IdWordProbesInAClass, RecordAnEntryWhereAStackWalkExpectsItAtTheLatest) {
  const auto short_operands = calls_in(rewritten_code(240, true));
  ASSERT_EQ(short_operands.size(), 11u);
  EXPECT_LE(short_operands[kRecordingCall] + kLongerOperands, kLastEntryCall);
  const auto wide = calls_in(rewritten_code(1000, true));
  EXPECT_LE(wide[kRecordingCall] + kLongerOperands, kLastEntryCallOfWide);
}

TEST(IdWordProbesInAClass, LeaveAMethodsOwnCallsBehindTheirEntry) {
  EXPECT_GT(calls_in(rewritten_code(0)).at(kRecordingCall + 2), kLastEntryCall);
  EXPECT_GT(calls_in(rewritten_code(240)).at(kRecordingCall + 2), kLastEntryCall);
  EXPECT_GT(calls_in(rewritten_code(1000)).at(kRecordingCall + 2), kLastEntryCallOfWide);
}

TEST(IdWordProbesInAClass, ResolveTheirClassesWithTheFirstCalls) {
  const Bytes code = rewritten_code(0);
  ASSERT_GT(code.size(), 10u);
  // Calls for the id word, for the id and for the call; the result of the last one is stored.
  EXPECT_EQ(code[0], opcode::kInvokestatic);
  EXPECT_EQ(code[3], opcode::kInvokestatic);
  EXPECT_EQ(code[static_cast<std::size_t>(kLastResolvingCall)], opcode::kInvokestatic);
  EXPECT_EQ(code[9], 0x3F) << "lstore_0";
}

TEST(IdWordProbesInAClass, AddTheLocalsOfBoth) {
  ClassBuilder builder;
  const auto callee = builder.method("pkg/Other", "f", "()V");
  Host host;
  IdWordProbes probes({}, {.mark_all = true}, host, host);
  const auto out = rewrite_method(
      builder, {.max_stack = 0, .code = {0xB8, high(callee), low(callee), 0xB1}}, probes);
  ASSERT_TRUE(out.read);
  EXPECT_EQ(out.attribute().max_locals, 9) << "four of two slots, and the kept exception";
}

}  // namespace
}  // namespace copse::classfile
