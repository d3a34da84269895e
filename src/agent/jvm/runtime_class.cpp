#include "agent/jvm/runtime_class.h"

#include <sys/mman.h>

#include <string>

#include "agent/jvm/jvm_names.h"
#include "agent/jvm/runtime_bytes.h"

namespace copse {
namespace {

// Set once by start(), before any probe can call a native. Never unset: threads may still run
// probes while the process exits.
ThreadRecorder* g_threads = nullptr;
Recorder* g_recorder = nullptr;  // one of the two
InlineTrees* g_trees = nullptr;
jvmtiEnv* g_jvmti = nullptr;
jfieldID g_thread_id_field = nullptr;

jlong JNICALL attach(JNIEnv* jni, jclass, jobject thread) {
  const jlong id = jni->GetLongField(thread, g_thread_id_field);
  ThreadHeader* header = g_threads->attach(id, thread_name(g_jvmti, jni, thread));
  if (g_recorder != nullptr) g_recorder->next_packet(header);
  return reinterpret_cast<jlong>(header);
}

void JNICALL next_packet(JNIEnv*, jclass, jlong header) {
  g_recorder->next_packet(reinterpret_cast<ThreadHeader*>(header));
}

jlong JNICALL place(JNIEnv*, jclass, jlong header, jlong slot, jint method) {
  return static_cast<jlong>(g_trees->place(reinterpret_cast<ThreadHeader*>(header),
                                           static_cast<std::uint64_t>(slot),
                                           MethodId{static_cast<std::uint32_t>(method)}));
}

Status failed(JNIEnv* jni, const std::string& what) {
  if (jni->ExceptionCheck()) jni->ExceptionClear();
  return Status::error("runtime class: " + what);
}

jclass define(JNIEnv* jni, const char* name, const std::uint8_t* bytes, std::size_t size) {
  return jni->DefineClass(name, nullptr, reinterpret_cast<const jbyte*>(bytes),
                          static_cast<jsize>(size));
}

// Address space only; pages come as thread ids are used.
std::uint64_t* reserve_table(std::uint64_t entries) {
  void* memory = mmap(nullptr, entries * sizeof(std::uint64_t), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<std::uint64_t*>(memory);
}

}  // namespace

Status RuntimeClass::define_probe(JNIEnv* jni) {
  const jclass probe =
      in_line_ ? define(jni, "java/lang/CopseProbe", kInlineCopseProbeBytes,
                        sizeof kInlineCopseProbeBytes)
               : define(jni, "java/lang/CopseProbe", kCopseProbeBytes, sizeof kCopseProbeBytes);
  if (probe == nullptr) return failed(jni, "java.lang.CopseProbe cannot be defined");
  probe_ = static_cast<jclass>(jni->NewGlobalRef(probe));
  return {};
}

Status RuntimeClass::start(jvmtiEnv* jvmti, JNIEnv* jni, Recorder& recorder,
                           std::uint64_t packet_bytes) {
  g_recorder = &recorder;
  return start(jvmti, jni, static_cast<ThreadRecorder&>(recorder), packet_bytes);
}

Status RuntimeClass::start(jvmtiEnv* jvmti, JNIEnv* jni, InlineTrees& trees) {
  g_trees = &trees;
  return start(jvmti, jni, trees, 0);
}

Status RuntimeClass::start(jvmtiEnv* jvmti, JNIEnv* jni, ThreadRecorder& threads,
                           std::uint64_t packet_bytes) {
  if (probe_ == nullptr) {
    if (Status status = define_probe(jni); !status) return status;
  }
  const jclass natives =
      define(jni, "copse/CopseNative", kCopseNativeBytes, sizeof kCopseNativeBytes);
  if (natives == nullptr) return failed(jni, "copse.CopseNative cannot be defined");
  JNINativeMethod methods[] = {
      {const_cast<char*>("attach"), const_cast<char*>("(Ljava/lang/Thread;)J"),
       reinterpret_cast<void*>(attach)},
      {const_cast<char*>("nextPacket"), const_cast<char*>("(J)V"),
       reinterpret_cast<void*>(next_packet)},
      {const_cast<char*>("place"), const_cast<char*>("(JJI)J"), reinterpret_cast<void*>(place)},
  };
  if (jni->RegisterNatives(natives, methods, 3) != JNI_OK) {
    return failed(jni, "natives cannot be registered");
  }
  // The natives' class lies in the boot loader's unnamed module, which java.base does not read by
  // itself.
  if (jvmti->AddModuleReads(jni->GetModule(probe_), jni->GetModule(natives)) != JVMTI_ERROR_NONE) {
    return failed(jni, "java.base cannot be made to read copse.CopseNative");
  }

  const jclass thread = jni->FindClass("java/lang/Thread");
  g_thread_id_field = thread == nullptr ? nullptr : jni->GetFieldID(thread, "tid", "J");
  if (g_thread_id_field == nullptr) return failed(jni, "java.lang.Thread has no field tid");
  const bool by_table = access_ == HeaderAccess::kTableByThreadId;
  const char* field = by_table ? "tid" : kThreadHeaderField;
  thread_field_ = jni->GetFieldID(thread, field, "J");
  if (thread_field_ == nullptr) {
    return failed(jni, "java.lang.Thread has no field " + std::string(field));
  }
  if (by_table) {
    // Thread ids beyond the table wrap around; with a billion entries that never meets a live one.
    for (table_entries_ = std::uint64_t{1} << 30; table_entries_ >= (1 << 16);
         table_entries_ >>= 2) {
      table_ = reserve_table(table_entries_);
      if (table_ != nullptr) break;
    }
    if (table_ == nullptr) return failed(jni, "no address space for the thread table");
  }

  const jmethodID start = jni->GetStaticMethodID(probe_, "start", "(Ljava/lang/String;JJJ)V");
  const jstring field_name = jni->NewStringUTF(field);
  if (start == nullptr || field_name == nullptr) return failed(jni, "no start method");
  g_threads = &threads;
  g_jvmti = jvmti;
  jni->CallStaticVoidMethod(probe_, start, field_name, static_cast<jlong>(packet_bytes),
                            reinterpret_cast<jlong>(table_), static_cast<jlong>(table_entries_));
  if (jni->ExceptionCheck()) return failed(jni, "start failed");
  jni->DeleteLocalRef(field_name);
  jni->DeleteLocalRef(thread);
  return {};
}

std::uint64_t* RuntimeClass::table_slot(jlong thread_id) const {
  return table_ + (static_cast<std::uint64_t>(thread_id) & (table_entries_ - 1));
}

ThreadHeader* RuntimeClass::header_of(JNIEnv* jni, jthread thread) const {
  if (thread_field_ == nullptr) return nullptr;
  const jlong value = jni->GetLongField(thread, thread_field_);
  return reinterpret_cast<ThreadHeader*>(access_ == HeaderAccess::kTableByThreadId
                                             ? *table_slot(value)
                                             : static_cast<std::uint64_t>(value));
}

void RuntimeClass::forget(JNIEnv* jni, jthread thread) const {
  if (access_ == HeaderAccess::kTableByThreadId) {
    *table_slot(jni->GetLongField(thread, thread_field_)) = 0;
  } else {
    jni->SetLongField(thread, thread_field_, 0);
  }
}

}  // namespace copse
