#include "agent/jvm/hotspot/native_trampoline.h"

#include <gtest/gtest.h>

#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace copse::jvm {
namespace {

struct Seen {
  std::vector<jint> entered, left;
  std::vector<const JNIEnv*> environments;
  bool refuses = false;
};
thread_local Seen t_seen;

void* enter(JNIEnv* jni, TrampolinedCall* call) {
  t_seen.environments.push_back(jni);
  t_seen.entered.push_back(call->trampoline->method);
  call->entered = 17 + call->trampoline->method;
  call->before = -call->trampoline->method;
  return t_seen.refuses ? nullptr : call->trampoline->function;
}

void leave(JNIEnv* jni, TrampolinedCall* call) {
  t_seen.environments.push_back(jni);
  EXPECT_EQ(call->entered, 17 + call->trampoline->method);
  EXPECT_EQ(call->before, -call->trampoline->method);
  t_seen.left.push_back(call->trampoline->method);
}

JNIEnv* environment() {
  static JNIEnv only;
  return &only;
}

// A trampoline before `function`, which a native method of the descriptor is bound to.
template <typename Function>
Function* behind_trampoline(Function* function, const char* descriptor, jint method = 1) {
  static std::deque<NativeTrampoline>* const trampolines = new std::deque<NativeTrampoline>();
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  trampolines->push_back({.function = reinterpret_cast<void*>(function),
                          .stack_words = stack_words_of(descriptor),
                          .method = method,
                          .is_marked = false,
                          .place = 0});
  return reinterpret_cast<Function*>(make_native_trampoline(trampolines->back(), {enter, leave}));
}

class NativeTrampolineTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_native_trampolines()) GTEST_SKIP() << "no trampolines for this machine";
    t_seen = {};
  }
};

jint plain(JNIEnv*, jobject, jint a) { return a * 3; }

TEST_F(NativeTrampolineTest, EntersCallsAndLeaves) {
  auto* const function = behind_trampoline(plain, "(I)I", 5);
  EXPECT_EQ(function(environment(), nullptr, 14), 42);
  EXPECT_EQ(t_seen.entered, std::vector<jint>{5});
  EXPECT_EQ(t_seen.left, std::vector<jint>{5});
  EXPECT_EQ(t_seen.environments, (std::vector<const JNIEnv*>{environment(), environment()}));
}

TEST_F(NativeTrampolineTest, CallsNothingWhereEnteringFails) {
  auto* const function = behind_trampoline(plain, "(I)I");
  t_seen.refuses = true;
  EXPECT_EQ(function(environment(), nullptr, 14), 0);
  EXPECT_EQ(t_seen.entered.size(), 1u);
  EXPECT_TRUE(t_seen.left.empty());
}

jobject receiver_of(JNIEnv*, jobject receiver) { return receiver; }
jlong long_of(JNIEnv*, jobject, jlong a, jlong b) { return a - b; }
jfloat float_of(JNIEnv*, jobject, jfloat a) { return a / 4; }
jdouble double_of(JNIEnv*, jobject, jint a, jdouble b) { return a + b; }
jboolean boolean_of(JNIEnv*, jobject, jbyte a, jchar b, jshort c) { return a + b == c; }

TEST_F(NativeTrampolineTest, PassesEachTypeOnAndGivesEachBack) {
  int there = 0;
  const auto object = reinterpret_cast<jobject>(&there);
  EXPECT_EQ(behind_trampoline(receiver_of, "()Ljava/lang/Object;")(environment(), object), object);
  EXPECT_EQ(behind_trampoline(long_of, "(JJ)J")(environment(), object, jlong{1} << 40, 1),
            (jlong{1} << 40) - 1);
  EXPECT_EQ(behind_trampoline(float_of, "(F)F")(environment(), object, 10), 2.5f);
  EXPECT_EQ(behind_trampoline(double_of, "(ID)D")(environment(), object, -3, 0.5), -2.5);
  EXPECT_EQ(behind_trampoline(boolean_of, "(BCS)Z")(environment(), object, -2, 7, 5), JNI_TRUE);
}

// Each argument weighs as its place does, so that no two can be taken for one another.
jdouble many(JNIEnv*, jobject, jint a, jdouble b, jlong c, jfloat d, jbyte e, jdouble f, jshort g,
             jdouble h, jchar i, jdouble j, jboolean k, jdouble l, jlong m, jfloat n, jint o,
             jdouble p, jobject q, jdouble r, jint s, jfloat t, jdouble u) {
  const auto object = static_cast<jdouble>(reinterpret_cast<std::uintptr_t>(q));
  return a + 2 * b + 3 * static_cast<jdouble>(c) + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i +
         10 * j + 11 * k + 12 * l + 13 * static_cast<jdouble>(m) + 14 * n + 15 * o + 16 * p +
         17 * object + 18 * r + 19 * s + 20 * t + 21 * u;
}
constexpr const char* kMany = "(IDJFBDSDCDZDJFIDLjava/lang/String;DIFD)D";

TEST_F(NativeTrampolineTest, PassesArgumentsThatLieOnTheStack) {
  const auto call = [](auto* function) {
    return function(environment(), nullptr, 1, -2, 3, 4, -5, 6, 7, 8, 9, -10, JNI_TRUE, 12, 13, 14,
                    -15, 16, reinterpret_cast<jobject>(17), 18, 19, 20, 21);
  };
  EXPECT_EQ(call(behind_trampoline(many, kMany)), call(many));
}

jlong nine(JNIEnv*, jobject, jlong a, jlong b, jlong c, jlong d, jlong e, jlong f, jlong g, jlong h,
           jlong i) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i;
}
jlong eight(JNIEnv*, jobject, jlong a, jlong b, jlong c, jlong d, jlong e, jlong f, jlong g,
            jlong h) {
  return nine(nullptr, nullptr, a, b, c, d, e, f, g, h, 0);
}

TEST_F(NativeTrampolineTest, PassesOddAndEvenNumbersOfWords) {
  EXPECT_EQ(
      behind_trampoline(nine, "(JJJJJJJJJ)J")(environment(), nullptr, 1, 2, 3, 4, 5, 6, 7, 8, 9),
      285);
  EXPECT_EQ(behind_trampoline(eight, "(JJJJJJJJ)J")(environment(), nullptr, 1, 2, 3, 4, 5, 6, 7, 8),
            204);
}

jint (*g_inner)(JNIEnv*, jobject, jint) = nullptr;
jint recursive(JNIEnv* jni, jobject here, jint depth) {
  return depth == 0 ? 0 : 1 + g_inner(jni, here, depth - 1);
}

TEST_F(NativeTrampolineTest, MayBePassedAgainFromBehindIt) {
  g_inner = behind_trampoline(recursive, "(I)I", 3);
  EXPECT_EQ(g_inner(environment(), nullptr, 1000), 1000);
  EXPECT_EQ(t_seen.entered, std::vector<jint>(1001, 3));
  EXPECT_EQ(t_seen.left, t_seen.entered);
}

TEST_F(NativeTrampolineTest, ThereAreAsManyAsAreAskedFor) {
  constexpr jint kTrampolines = 10'000;  // of more than one page on every machine
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([] {
      std::vector<decltype(&plain)> trampolines;
      for (jint i = 0; i < kTrampolines; ++i)
        trampolines.push_back(behind_trampoline(plain, "(I)I", i));
      for (jint i = 0; i < kTrampolines; ++i) {
        EXPECT_EQ(trampolines[static_cast<std::size_t>(i)](environment(), nullptr, i), i * 3);
        EXPECT_EQ(t_seen.left.back(), i);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(StackWords, AreThoseThatRegistersHaveNoRoomFor) {
  EXPECT_EQ(stack_words_of("()V"), 0u);
#if defined(__x86_64__)
  EXPECT_EQ(stack_words_of("(IJ[ILjava/lang/String;)V"), 0u);
  EXPECT_EQ(stack_words_of("(IIIII)V"), 1u);
  EXPECT_EQ(stack_words_of("(DDDDDDDDF)V"), 1u);
  EXPECT_EQ(stack_words_of(kMany), 12u - 6u + 11u - 8u);
#elif defined(__aarch64__)
  EXPECT_EQ(stack_words_of("(IIIIII)V"), 0u);
  EXPECT_EQ(stack_words_of("(IIIIIII)V"), 1u);
  EXPECT_EQ(stack_words_of("(DDDDDDDDF)V"), 1u);
#endif
}

}  // namespace
}  // namespace copse::jvm
