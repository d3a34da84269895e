#include "agent/classfile/token_probes.h"

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

class TokenProbesTest : public testing::Test {
 protected:
  bool begin(const std::vector<std::string>& called, bool mark_all = true) {
    std::vector<CallSiteView> calls;
    for (const std::string& callee : called) {
      const auto bci = static_cast<std::uint32_t>(3 * calls.size());
      calls.push_back({bci, -1, opcode::kInvokestatic, "pkg/Other", callee, "()V", false});
    }
    MethodView view{};
    view.class_name = "pkg/Test";
    view.name = "m";
    view.descriptor = "()V";
    view.calls = calls;
    view.code_length = 100;
    probes_.emplace(
        ShadowStackProbeOptions{},
        ContextIdProbeOptions{.marks = ContextIdProbeOptions::Marks::kTokens, .mark_all = mark_all},
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

 private:
  std::optional<TokenProbes> probes_;
  ProbeText text_;
};

#define IDS "java/lang/CopseIds."
#define TOKEN "java/lang/CopseTokens.token(JJ)V"
constexpr const char* kResolve =
    "java/lang/CopseTokens.resolve()V java/lang/CopseIds.header()J pop2 ";
constexpr const char* kCallEntry = "header()J store0 load0 int1 enter(JI)J store1";
// The header that the call's probe found; before, frame and word behind its two locals.
constexpr const char* kIdEntry =
    " load0 store2 load2 " IDS "word(J)J store4 load2 load4 int100 " IDS "enter(JJI)J store3";
constexpr const char* kRestore = "load0 load1 restore(JJ)V load2 load3 " IDS "restore(JJ)V";
constexpr const char* kExit = "load0 load1 exit(JJ)V load2 load4 " IDS "exit(JJ)V";

TEST_F(TokenProbesTest, RecordTheCallThenKeepTheIdThenLeaveTheToken) {
  ASSERT_TRUE(begin({"f"}));
  EXPECT_EQ(entry(), std::string(kResolve) + kCallEntry + kIdEntry + " load2 load3 " TOKEN);
  EXPECT_EQ(locals(), 5u);
  EXPECT_EQ(before_call(0), "load0 load1 int1 call(JJI)V load2 load3 int51 " IDS "call(JJI)V");
  EXPECT_EQ(after_call(0), kRestore);
  EXPECT_EQ(handler_start(), kRestore);
  EXPECT_EQ(before_return(), kExit);
  EXPECT_EQ(unwind(), kExit);
}

TEST_F(TokenProbesTest, AskTheHostOnceForWhatBothNumber) {
  ASSERT_TRUE(begin({"f", "g"}));
  EXPECT_EQ(host.methods_asked, 1);
  EXPECT_EQ(host.sites_asked, (std::map<std::uint32_t, int>{{0, 1}, {3, 1}}));
}

TEST_F(TokenProbesTest, TellTheEncoderOfCallSitesThatOnlyCallsHave) {
  host.callees = {{"leaf", kLeaf}};
  ASSERT_TRUE(begin({"f", "leaf"}));
  EXPECT_EQ(host.sites_of_place[MethodId{1}], 2u) << "another body may call from there";
  EXPECT_EQ(before_call(0), "load0 load1 int1 call(JJI)V load2 load3 int51 " IDS "call(JJI)V");
  EXPECT_EQ(before_call(1), "load0 load1 int2 int8 count(JJII)V");
  EXPECT_EQ(after_call(1), "");
}

TEST_F(TokenProbesTest, OfAMethodThatLeadsNowhereAreItsCallRecordAlone) {
  host.callees = {{"silent", kSilent}};
  ASSERT_TRUE(begin({"silent"}));
  EXPECT_EQ(entry(), "int1 leaf(I)V");
  EXPECT_EQ(locals(), 0u);
  EXPECT_EQ(before_call(0) + after_call(0) + before_return() + handler_start() + unwind(), "");
}

TEST_F(TokenProbesTest, WithoutAPlaceForTheMethodAreThoseOfCalls) {
  host.has_places = false;
  ASSERT_TRUE(begin({"f"}));
  EXPECT_EQ(entry(), kCallEntry);
  EXPECT_EQ(locals(), 2u);
  EXPECT_EQ(before_return(), "load0 load1 exit(JJ)V");
}

TEST_F(TokenProbesTest, GiveAMarkedLeafAFrameForItsToken) {
  host.marked = {"m"};
  ASSERT_TRUE(begin({}, false));
  EXPECT_EQ(entry(), std::string(kResolve) + kCallEntry + kIdEntry + " load2 load3 " TOKEN);
  EXPECT_EQ(before_return(), kExit);
}

TEST_F(TokenProbesTest, LeaveTokensAtMarkedMethodsAloneWhenSomeAreNamed) {
  host.marked = {"other"};
  ASSERT_TRUE(begin({"f"}, false));
  EXPECT_EQ(entry(), std::string(kResolve) + kCallEntry + kIdEntry);
}

TEST_F(TokenProbesTest, LeaveTheTokenOfACountedCalleeBehindItsRecord) {
  host.callees = {{"native", kNative}};
  host.marked = {"native"};
  ASSERT_TRUE(begin({"native"}, false));
  EXPECT_EQ(before_call(0),
            "load0 load1 int1 int9 enterNative(JJII)V load2 load3 int51 " IDS
            "call(JJI)V "
            "load2 int900 " IDS "enterNative(JI)V load2 load2 " IDS "word(J)J " TOKEN);
  EXPECT_EQ(after_call(0), kRestore);
}

TEST_F(TokenProbesTest, ForgetTheMethodBefore) {
  ASSERT_TRUE(begin({"f"}));
  ASSERT_TRUE(begin({}));
  EXPECT_EQ(locals(), 0u);
}

TEST(TokenProbesInAClass, ResolveTheirClassesWithTheFirstCalls) {
  ClassBuilder builder;
  const auto callee = builder.method("pkg/Other", "f", "()V");
  Host host;
  TokenProbes probes({}, {.marks = ContextIdProbeOptions::Marks::kTokens, .mark_all = true}, host,
                     host);
  const auto out = rewrite_method(
      builder, {.max_stack = 0, .code = {0xB8, high(callee), low(callee), 0xB1}}, probes);
  const Bytes code = out.code();
  ASSERT_GT(code.size(), 11u);
  // Of tokens, of ids (its result dropped) and of calls; then its result is stored.
  EXPECT_EQ(code[0], opcode::kInvokestatic);
  EXPECT_EQ(code[3], opcode::kInvokestatic);
  EXPECT_EQ(code[6], opcode::kPop2);
  EXPECT_EQ(code[static_cast<std::size_t>(kLastResolvingCall)], opcode::kInvokestatic);
  EXPECT_EQ(code[10], 0x3F) << "lstore_0";
}

TEST(TokenProbesInAClass, AddTheLocalsOfBoth) {
  ClassBuilder builder;
  const auto callee = builder.method("pkg/Other", "f", "()V");
  Host host;
  TokenProbes probes({}, {.marks = ContextIdProbeOptions::Marks::kTokens, .mark_all = true}, host,
                     host);
  const auto out = rewrite_method(
      builder, {.max_stack = 0, .code = {0xB8, high(callee), low(callee), 0xB1}}, probes);
  ASSERT_TRUE(out.read);
  EXPECT_EQ(out.attribute().max_locals, 10) << "five of two slots";
}

}  // namespace
}  // namespace copse::classfile
