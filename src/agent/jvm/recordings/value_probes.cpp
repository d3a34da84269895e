#include "agent/jvm/recordings/value_probes.h"

#include <atomic>
#include <exception>

#include "agent/jvm/hotspot/own_stack.h"
#include "agent/jvm/runtime/native_method.h"
#include "agent/jvm/runtime/unrecorded.h"
#include "agent/jvm/runtime_bytes.h"
#include "agent/jvm/values/value_events.h"

namespace copse::jvm {
namespace {

using ptql::Value;

std::atomic<ValueEvents*> g_events{nullptr};

// Nothing of ours reaches the program, and what the agent's own calls of Java code do is no event, nor what a virtual thread
// does in a move. Without memory the event is lost, with its invocation.
template <typename Body>
void guarded_event(Body body) noexcept {
  if (Unrecorded::holds() || !OwnStack::can_be_read()) return;
  ValueEvents& events = *g_events.load(std::memory_order_relaxed);
  try {
    body(events);
  } catch (const std::exception&) {
    events.lose();
  }
}

void JNICALL take_int(JNIEnv*, jclass, jint parameter, jint value) {
  guarded_event([&](ValueEvents& events) { events.take(parameter, Value::integer(value)); });
}

void JNICALL take_long(JNIEnv*, jclass, jint parameter, jlong value) {
  guarded_event([&](ValueEvents& events) { events.take(parameter, Value::integer(value)); });
}

void JNICALL take_double(JNIEnv*, jclass, jint parameter, jdouble value) {
  guarded_event([&](ValueEvents& events) { events.take(parameter, Value::real(value)); });
}

void JNICALL take_object(JNIEnv* jni, jclass, jthread thread, jint parameter, jobject value) {
  guarded_event([&](ValueEvents& events) { events.take_object(jni, thread, parameter, value); });
}

jlong JNICALL entered(JNIEnv* jni, jclass, jthread thread, jint method) {
  jlong invocation = 0;
  guarded_event(
      [&](ValueEvents& events) { invocation = events.entered(jni, thread, nullptr, method); });
  return invocation;
}

jlong JNICALL entered_on(JNIEnv* jni, jclass, jthread thread, jobject receiver, jint method) {
  jlong invocation = 0;
  guarded_event(
      [&](ValueEvents& events) { invocation = events.entered(jni, thread, receiver, method); });
  return invocation;
}

void JNICALL constructed(JNIEnv* jni, jclass, jthread thread, jobject object, jlong invocation) {
  guarded_event([&](ValueEvents& events) { events.constructed(jni, thread, object, invocation); });
}

void JNICALL returned(JNIEnv* jni, jclass, jthread thread, jlong invocation) {
  guarded_event([&](ValueEvents& events) { events.returned(jni, thread, {}, invocation); });
}

void JNICALL returned_int(JNIEnv* jni, jclass, jthread thread, jint result, jlong invocation) {
  guarded_event([&](ValueEvents& events) {
    events.returned(jni, thread, Value::integer(result), invocation);
  });
}

void JNICALL returned_long(JNIEnv* jni, jclass, jthread thread, jlong result, jlong invocation) {
  guarded_event([&](ValueEvents& events) {
    events.returned(jni, thread, Value::integer(result), invocation);
  });
}

void JNICALL returned_double(JNIEnv* jni, jclass, jthread thread, jdouble result,
                             jlong invocation) {
  guarded_event(
      [&](ValueEvents& events) { events.returned(jni, thread, Value::real(result), invocation); });
}

void JNICALL returned_object(JNIEnv* jni, jclass, jthread thread, jobject result,
                             jlong invocation) {
  guarded_event(
      [&](ValueEvents& events) { events.returned_object(jni, thread, result, invocation); });
}

void JNICALL thrown(JNIEnv* jni, jclass, jthread thread, jobject exception, jlong invocation) {
  guarded_event([&](ValueEvents& events) { events.thrown(jni, thread, exception, invocation); });
}

std::vector<JNINativeMethod> value_natives() {
  constexpr const char* kOfObject = "(Ljava/lang/Thread;Ljava/lang/Object;J)V";
  return {
      native<take_int>("takeInt", "(II)V"),
      native<take_long>("takeLong", "(IJ)V"),
      native<take_double>("takeDouble", "(ID)V"),
      native<take_object>("takeObject", "(Ljava/lang/Thread;ILjava/lang/Object;)V"),
      native<entered>("entered", "(Ljava/lang/Thread;I)J"),
      native<entered_on>("enteredOn", "(Ljava/lang/Thread;Ljava/lang/Object;I)J"),
      native<constructed>("constructed", kOfObject),
      native<returned>("returned", "(Ljava/lang/Thread;J)V"),
      native<returned_int>("returnedInt", "(Ljava/lang/Thread;IJ)V"),
      native<returned_long>("returnedLong", "(Ljava/lang/Thread;JJ)V"),
      native<returned_double>("returnedDouble", "(Ljava/lang/Thread;DJ)V"),
      native<returned_object>("returnedObject", kOfObject),
      native<thrown>("thrown", kOfObject),
  };
}

constexpr const char* kValuesClass = "CopseValues";
constexpr ProbeKind::JavaClass kValueClasses[] = {{kValuesClass, kCopseValuesBytes}};

}  // namespace

constinit const ProbeKind kValueProbes = {.classes = kValueClasses,
                                          .entry_class = kValuesClass,
                                          .natives = value_natives,
                                          .has_threads = false,
                                          .can_start_again = true};

Status start_value_probes(RuntimeClass& runtime, JNIEnv* jni, ValueEvents& events) {
  g_events.store(&events);
  if (runtime.has_started()) return {};
  if (Status status = runtime.define_probe(jni); !status) return status;
  if (Status status = runtime.bind(jni); !status) return status;
  return runtime.start_class(jni, kValuesClass, {});
}

}  // namespace copse::jvm
