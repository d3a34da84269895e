#include "agent/jvm/runtime/natives.h"

#include <cstdint>
#include <string>
#include <vector>

#include "agent/jvm/ids/missing_frames.h"
#include "agent/jvm/jvm_names.h"
#include "agent/jvm/runtime/excerpt_natives.h"
#include "agent/jvm/runtime/native_method.h"
#include "agent/jvm/runtime/runtime_class.h"
#include "agent/jvm/runtime/throw_natives.h"
#include "agent/jvm/runtime/value_natives.h"
#include "agent/jvm/runtime_bytes.h"
#include "cct/inplace/inline_trees.h"

namespace copse::jvm {
namespace {

// Plain: what is registered behind its being set cannot run before.
Natives* g_natives = nullptr;

jlong JNICALL attach_thread(JNIEnv* jni, jclass, jobject thread) {
  if (RuntimeClass::Unrecorded::holds()) return 0;
  g_natives->virtual_threads.thread_attached(jni, thread);
  shadowstack::ThreadHeader* const header = g_natives->new_header(jni, thread);
  g_natives->runtime.let_be_seen(jni, thread, header);
  return reinterpret_cast<jlong>(header);
}

void JNICALL parked(JNIEnv*, jclass, jlong header) {
  g_natives->threads.load()->park(reinterpret_cast<shadowstack::ThreadHeader*>(header));
}

void JNICALL ended(JNIEnv* jni, jclass, jlong thread_id, jlong address, jstring name) {
  g_natives->table.ended(thread_id);
  auto* header = reinterpret_cast<shadowstack::ThreadHeader*>(address);
  if (header == nullptr) return;
  g_natives->runtime.forget_virtual(jni, *header);
  const char* text = name == nullptr ? nullptr : jni->GetStringUTFChars(name, nullptr);
  if (text != nullptr) {
    if (*text != 0) g_natives->threads.load()->rename(header, text);
    jni->ReleaseStringUTFChars(name, text);
  } else if (jni->ExceptionCheck()) {
    jni->ExceptionClear();  // no memory for the name: the old one stays
  }
  g_natives->threads.load()->detach(header);
}

void JNICALL next_packet(JNIEnv*, jclass, jlong header) {
  g_natives->recorder->next_packet(reinterpret_cast<shadowstack::ThreadHeader*>(header));
}

jlong JNICALL place(JNIEnv*, jclass, jlong header, jlong slot, jint method) {
  return static_cast<jlong>(cct::InlineTrees::place_in_own(
      reinterpret_cast<shadowstack::ThreadHeader*>(header), static_cast<std::uint64_t>(slot),
      MethodId{static_cast<std::uint32_t>(method)}));
}

jlong JNICALL encode(JNIEnv*, jclass, jlong word, jint callee) {
  return static_cast<jlong>(g_natives->ids->tables()->enter(static_cast<std::uint64_t>(word),
                                                            static_cast<std::uint32_t>(callee)));
}

events::EventThread* event_thread_at(jlong header) {
  return events::event_thread_of(reinterpret_cast<shadowstack::ThreadHeader*>(header));
}

// Lost where threads share the header.
std::uint64_t frame_word(jlong address, jlong frame) {
  const auto* header = reinterpret_cast<const shadowstack::ThreadHeader*>(address);
  const auto word = static_cast<std::uint64_t>(frame);
  if (g_natives->recorder == nullptr) return g_natives->ids->frame_word(header, word);
  return g_natives->recorder->is_shared(header) ? g_natives->ids->lost_word() : word;
}

void look_for_missing_frames(JNIEnv* jni, std::uint64_t word) {
  if (g_natives->missing != nullptr) g_natives->missing->look(jni, g_natives->ids->id_of(word));
}

jlong JNICALL id(JNIEnv* jni, jclass, jlong header, jlong frame) {
  const std::uint64_t word = frame_word(header, frame);
  look_for_missing_frames(jni, word);
  if (g_natives->asking_is_event)
    g_natives->ids->add_event(events::EventKind::kId, word, {}, event_thread_at(header));
  return static_cast<jlong>(g_natives->ids->public_id_of(word));
}

void JNICALL mark(JNIEnv* jni, jclass, jlong header, jlong frame) {
  const std::uint64_t word = frame_word(header, frame);
  look_for_missing_frames(jni, word);
  g_natives->ids->add_event(events::EventKind::kMark, word, {}, event_thread_at(header));
}

void JNICALL compare_with_stack(JNIEnv* jni, jclass, jlong header, jlong frame) {
  const std::uint64_t word = frame_word(header, frame);
  look_for_missing_frames(jni, word);
  g_natives->stacks->compare(jni, word);
}

// By a frame from an earlier recording where the last one counts none.
void JNICALL allocated(JNIEnv*, jclass, jlong header, jlong word, jlong bytes) {
  context_id::AllocationCounts* const counts = g_natives->allocations.load();
  if (counts == nullptr) return;
  counts->add(*reinterpret_cast<shadowstack::ThreadHeader*>(header),
              static_cast<std::uint64_t>(word), static_cast<std::uint64_t>(bytes));
}

jlong JNICALL size_of(JNIEnv* jni, jclass, jint type) {
  const RuntimeClass::Unrecorded unrecorded(g_natives->runtime, g_natives->jvmti, jni);
  return static_cast<jlong>(g_natives->types->learn(g_natives->jvmti, jni, type));
}

}  // namespace

shadowstack::ThreadHeader* Natives::new_header(JNIEnv* jni, jobject thread) const {
  return threads.load()->attach(jni->GetLongField(thread, thread_id_field),
                                thread_name(jvmti, jni, thread));
}

Status runtime_failure(JNIEnv* jni, const std::string& what) {
  if (jni->ExceptionCheck()) jni->ExceptionClear();
  return Status::error(Fault::kInternal, "runtime class: " + what);
}

std::array<KnownNative, 2> known_natives() noexcept {
  return {KnownNative{"nextPacket", "(J)V", reinterpret_cast<void*>(next_packet)},
          KnownNative{"place", "(JJI)J", reinterpret_cast<void*>(place)}};
}

Result<jclass> bind_natives(jvmtiEnv* jvmti, JNIEnv* jni, jclass of_java_base, Natives& natives) {
  const jclass type =
      jni->DefineClass("copse/CopseNative", nullptr,
                       reinterpret_cast<const jbyte*>(kCopseNativeBytes), sizeof kCopseNativeBytes);
  if (type == nullptr) return runtime_failure(jni, "copse.CopseNative cannot be defined");
  std::vector<JNINativeMethod> methods = {
      native("attach", "(Ljava/lang/Thread;)J", reinterpret_cast<void*>(attach_thread)),
      native("parked", "(J)V", reinterpret_cast<void*>(parked)),
      native("ended", "(JJLjava/lang/String;)V", reinterpret_cast<void*>(ended)),
      native("nextPacket", "(J)V", reinterpret_cast<void*>(next_packet)),
      native("place", "(JJI)J", reinterpret_cast<void*>(place)),
      native("encode", "(JI)J", reinterpret_cast<void*>(encode)),
      native("id", "(JJ)J", reinterpret_cast<void*>(id)),
      native("mark", "(JJ)V", reinterpret_cast<void*>(mark)),
      native("compareWithStack", "(JJ)V", reinterpret_cast<void*>(compare_with_stack)),
      native("allocated", "(JJJ)V", reinterpret_cast<void*>(allocated)),
      native("sizeOf", "(I)J", reinterpret_cast<void*>(size_of)),
  };
  for (const JNINativeMethod& method : excerpt_natives()) methods.push_back(method);
  for (const JNINativeMethod& method : throw_natives()) methods.push_back(method);
  for (const JNINativeMethod& method : value_natives()) methods.push_back(method);
  g_natives = &natives;
  if (jni->RegisterNatives(type, methods.data(), static_cast<jint>(methods.size())) != JNI_OK) {
    return runtime_failure(jni, "natives cannot be registered");
  }
  // The natives' class lies in the boot loader's unnamed module, which java.base does not read by
  // itself.
  const jobject java_base = jni->GetModule(of_java_base);
  if (jvmti->AddModuleReads(java_base, jni->GetModule(type)) != JVMTI_ERROR_NONE) {
    return runtime_failure(jni, "java.base cannot be made to read copse.CopseNative");
  }
  return static_cast<jclass>(jni->NewGlobalRef(type));
}

}  // namespace copse::jvm
