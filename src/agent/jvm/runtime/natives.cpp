#include "agent/jvm/runtime/natives.h"

#include <string>
#include <vector>

#include "agent/jvm/hotspot/own_stack.h"
#include "agent/jvm/hotspot/thread_starts.h"
#include "agent/jvm/jvm_names.h"
#include "agent/jvm/runtime/native_method.h"
#include "agent/jvm/runtime/runtime_class.h"
#include "agent/jvm/runtime/unrecorded.h"
#include "agent/jvm/runtime_bytes.h"

namespace copse::jvm {
namespace {

// Plain: what is registered behind its being set cannot run before.
Natives* g_natives = nullptr;

jlong JNICALL attach_thread(JNIEnv* jni, jclass, jobject thread) {
  if (Unrecorded::holds()) return 0;
  g_natives->virtual_threads.thread_attached(jni, thread);
  shadowstack::ThreadHeader* const header = g_natives->new_header(jni, thread);
  g_natives->runtime.let_be_seen(jni, thread, header);
  return reinterpret_cast<jlong>(header);
}

void JNICALL parked(JNIEnv*, jclass, jlong header) {
  g_natives->threads.load()->park(header_at(header));
}

void JNICALL moves(JNIEnv*, jclass, jboolean begins) { OwnStack::moves(begins != JNI_FALSE); }

void JNICALL starts(JNIEnv* jni, jclass, jobject thread) { thread_starts(jni, thread); }

void JNICALL ended(JNIEnv* jni, jclass, jlong thread_id, jlong address, jstring name) {
  g_natives->table.ended(thread_id);
  shadowstack::ThreadHeader* const header = header_at(address);
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

constexpr const char* kAttachDescriptor = "(Ljava/lang/Thread;)J";

}  // namespace

shadowstack::ThreadHeader* Natives::new_header(JNIEnv* jni, jobject thread) const {
  return threads.load()->attach(runtime.id_of(jni, thread), runtime.name_of(jni, thread));
}

Status runtime_failure(JNIEnv* jni, const std::string& what) {
  if (jni->ExceptionCheck()) jni->ExceptionClear();
  return Status::error(Fault::kInternal, "runtime class: " + what);
}

std::array<KnownNative, 2> known_natives() noexcept {
  return {KnownNative{"attach", kAttachDescriptor,
                      reinterpret_cast<void*>(GuardedNative<attach_thread>::call)},
          KnownNative{"parked", "(J)V", reinterpret_cast<void*>(GuardedNative<parked>::call)}};
}

Result<jclass> bind_natives(JNIEnv* jni, jclass of_java_base, std::vector<JNINativeMethod> of_kind,
                            Natives& natives) {
  const jclass type =
      jni->DefineClass("copse/CopseNative", nullptr,
                       reinterpret_cast<const jbyte*>(kCopseNativeBytes), sizeof kCopseNativeBytes);
  if (type == nullptr) return runtime_failure(jni, "copse.CopseNative cannot be defined");
  std::vector<JNINativeMethod> methods = std::move(of_kind);
  methods.push_back(native<moves>("moves", "(Z)V"));
  methods.push_back(native<starts>("starts", "(Ljava/lang/Thread;)V"));
  methods.push_back(native<ended>("ended", "(JJLjava/lang/String;)V"));
  methods.push_back(native<attach_thread>("attach", kAttachDescriptor));
  methods.push_back(native<parked>("parked", "(J)V"));
  g_natives = &natives;
  if (jni->RegisterNatives(type, methods.data(), static_cast<jint>(methods.size())) != JNI_OK) {
    return runtime_failure(jni, "natives cannot be registered");
  }
  // The natives' class lies in the boot loader's unnamed module, which java.base does not read by
  // itself.
  const jobject java_base = jni->GetModule(of_java_base);
  if (natives.jvmti->AddModuleReads(java_base, jni->GetModule(type)) != JVMTI_ERROR_NONE) {
    return runtime_failure(jni, "java.base cannot be made to read copse.CopseNative");
  }
  return static_cast<jclass>(jni->NewGlobalRef(type));
}

}  // namespace copse::jvm
