#include "agent/jvm/hotspot/stack_trace_top.h"

#include <algorithm>
#include <string_view>

#include "agent/jvm/jvm_names.h"
#include "base/java_type.h"

namespace copse::jvm {
namespace {

constexpr const char* kString = "Ljava/lang/String;";
constexpr std::string_view kOwnClasses = "java.lang.Copse";
// That are live in a probe, with what it calls.
constexpr jsize kMostOwnFrames = 8;

// As descriptors have a hidden class: with a dot where Class.getName() has a slash.
std::string type_named(std::string name) {
  for (char& letter : name) letter = letter == '.' ? '/' : letter == '/' ? '.' : letter;
  const std::string descriptor = "L" + name + ";";
  std::string_view rest = descriptor;
  return take_java_type(rest);
}

}  // namespace

void StackTraceTop::find(JNIEnv* jni) {
  const jclass throwable = jni->FindClass("java/lang/Throwable");
  const jclass element =
      throwable == nullptr ? nullptr : jni->FindClass("java/lang/StackTraceElement");
  // Where the stack is nearly used up a class must not be initialised: it would never be again. It
  // is by being found.
  if (element != nullptr) jni->FindClass("java/lang/StackTraceElement$HashedModules");
  if (jni->ExceptionCheck()) jni->ExceptionClear();
  const jclass overflow = jni->FindClass("java/lang/StackOverflowError");
  if (jni->ExceptionCheck()) jni->ExceptionClear();
  if (element == nullptr || overflow == nullptr) return;
  const auto field = [jni](jclass type, const char* name, const char* descriptor) {
    return jni->ExceptionCheck() ? nullptr : jni->GetFieldID(type, name, descriptor);
  };
  backtrace_ = field(throwable, "backtrace", "Ljava/lang/Object;");
  depth_ = field(throwable, "depth", "I");
  class_ = field(element, "declaringClass", kString);
  method_ = field(element, "methodName", kString);
  line_ = field(element, "lineNumber", "I");
  if (jni->ExceptionCheck()) return jni->ExceptionClear();
  made_of_ =
      jni->GetStaticMethodID(element, "of", "(Ljava/lang/Object;I)[Ljava/lang/StackTraceElement;");
  takes_backtrace_ = made_of_ != nullptr;
  if (made_of_ == nullptr) {  // before JDK 19
    jni->ExceptionClear();
    made_of_ = jni->GetStaticMethodID(element, "of",
                                      "(Ljava/lang/Throwable;I)[Ljava/lang/StackTraceElement;");
  }
  if (jni->ExceptionCheck()) jni->ExceptionClear();
  elements_ = static_cast<jclass>(jni->NewGlobalRef(element));
  stack_overflow_ = static_cast<jclass>(jni->NewGlobalRef(overflow));
  jni->DeleteLocalRef(element);
  jni->DeleteLocalRef(throwable);
}

// Null: none.
jobjectArray StackTraceTop::trace_of(JNIEnv* jni, jobject exception) const {
  if (made_of_ == nullptr) return nullptr;
  const jint depth = jni->GetIntField(exception, depth_);
  const jobject backtrace = jni->GetObjectField(exception, backtrace_);
  if (depth <= 0 || backtrace == nullptr) return nullptr;
  const jobject trace = jni->CallStaticObjectMethod(
      elements_, made_of_, takes_backtrace_ ? backtrace : exception, depth);
  jni->DeleteLocalRef(backtrace);
  if (!jni->ExceptionCheck()) return static_cast<jobjectArray>(trace);
  jni->ExceptionClear();  // no stack or memory for it
  return nullptr;
}

bool StackTraceTop::is_own(JNIEnv* jni, jobjectArray trace, jsize index) const {
  const jobject element = jni->GetObjectArrayElement(trace, index);
  const bool is_own = text_of(jni, element, class_).starts_with(kOwnClasses);
  jni->DeleteLocalRef(element);
  return is_own;
}

// Returns the index of the frame to show: for a stack overflow in a probe, or in its callees, the frame that
// has the probe.
jsize StackTraceTop::first_of_program(JNIEnv* jni, jobject exception, jobjectArray trace) const {
  if (!jni->IsInstanceOf(exception, stack_overflow_)) return 0;
  jsize first = 0;
  const jsize looked_at = std::min(jni->GetArrayLength(trace) - 1, kMostOwnFrames);
  for (jsize i = 0; i < looked_at; ++i) {
    if (is_own(jni, trace, i)) first = i + 1;
  }
  return first;
}

std::string StackTraceTop::of(JNIEnv* jni, jobject exception) const {
  const jobjectArray trace = trace_of(jni, exception);
  if (trace == nullptr) return {};
  const jobject element =
      jni->GetObjectArrayElement(trace, first_of_program(jni, exception, trace));
  std::string place =
      type_named(text_of(jni, element, class_)) + "." + text_of(jni, element, method_);
  const jint line = jni->GetIntField(element, line_);
  if (line > 0) place += ":" + std::to_string(line);
  jni->DeleteLocalRef(element);
  jni->DeleteLocalRef(trace);
  return place;
}

}  // namespace copse::jvm
