#include "agent/jvm/runtime_class.h"

#include <array>
#include <atomic>
#include <span>
#include <string>
#include <vector>

#include "agent/jvm/jvm_names.h"
#include "agent/jvm/runtime_bytes.h"

namespace copse {
namespace {

// Set by start(), before any probe can call a native. Never unset: threads may still run probes
// while the process exits. Trees are found by the header, since there may be several recordings of
// them, one after the other; then the threads' recorder is the last one.
std::atomic<ThreadRecorder*> g_threads = nullptr;
Recorder* g_recorder = nullptr;  // one of the two, or none
ContextIds* g_ids = nullptr;
StackCheck* g_stacks = nullptr;  // beside g_ids, as the three below
bool g_asking_is_event = false;
AllocationCounts* g_allocations = nullptr;
AllocatedTypes* g_types = nullptr;
const RuntimeClass* g_runtime = nullptr;
VirtualThreads* g_virtual_threads = nullptr;
HeaderTable* g_table = nullptr;
jvmtiEnv* g_jvmti = nullptr;
jfieldID g_thread_id_field = nullptr;

// The running thread's probes find no header, and get none (RuntimeClass::Unrecorded).
thread_local bool t_unrecorded = false;

// Its packet comes with its first record.
ThreadHeader* new_header(JNIEnv* jni, jobject thread) {
  return g_threads.load()->attach(jni->GetLongField(thread, g_thread_id_field),
                                  thread_name(g_jvmti, jni, thread));
}

jlong JNICALL attach_thread(JNIEnv* jni, jclass, jobject thread) {
  if (t_unrecorded) return 0;
  g_virtual_threads->thread_attached(jni, thread);
  return reinterpret_cast<jlong>(new_header(jni, thread));
}

void JNICALL parked(JNIEnv*, jclass, jlong header) {
  g_threads.load()->park(reinterpret_cast<ThreadHeader*>(header));
}

void JNICALL ended(JNIEnv* jni, jclass, jlong thread_id, jlong address, jstring name) {
  g_table->ended(thread_id);
  auto* header = reinterpret_cast<ThreadHeader*>(address);
  if (header == nullptr) return;
  const char* text = name == nullptr ? nullptr : jni->GetStringUTFChars(name, nullptr);
  if (text != nullptr) {
    if (*text != 0) g_threads.load()->rename(header, text);
    jni->ReleaseStringUTFChars(name, text);
  } else if (jni->ExceptionCheck()) {
    jni->ExceptionClear();  // no memory for the name: the old one stays
  }
  g_threads.load()->detach(header);
}

void JNICALL next_packet(JNIEnv*, jclass, jlong header) {
  g_recorder->next_packet(reinterpret_cast<ThreadHeader*>(header));
}

jlong JNICALL place(JNIEnv*, jclass, jlong header, jlong slot, jint method) {
  return static_cast<jlong>(InlineTrees::place_in_own(
      reinterpret_cast<ThreadHeader*>(header), static_cast<std::uint64_t>(slot),
      MethodId{static_cast<std::uint32_t>(method)}));
}

jlong JNICALL encode(JNIEnv*, jclass, jlong word, jint callee) {
  return static_cast<jlong>(
      g_ids->tables()->enter(static_cast<std::uint64_t>(word), static_cast<std::uint32_t>(callee)));
}

EventThread* event_thread_at(jlong header) {
  return event_thread_of(reinterpret_cast<ThreadHeader*>(header));
}

// Lost where threads share the header.
std::uint64_t frame_word(jlong address, jlong frame) {
  const auto* header = reinterpret_cast<const ThreadHeader*>(address);
  const auto word = static_cast<std::uint64_t>(frame);
  if (g_recorder == nullptr) return g_ids->frame_word(header, word);
  return g_recorder->is_shared(header) ? g_ids->lost_word() : word;
}

jlong JNICALL id(JNIEnv*, jclass, jlong header, jlong frame) {
  const std::uint64_t word = frame_word(header, frame);
  if (g_asking_is_event) g_ids->add_event(EventKind::kId, word, {}, event_thread_at(header));
  return static_cast<jlong>(g_ids->public_id_of(word));
}

void JNICALL mark(JNIEnv*, jclass, jlong header, jlong frame) {
  g_ids->add_event(EventKind::kMark, frame_word(header, frame), {}, event_thread_at(header));
}

void JNICALL compare_with_stack(JNIEnv* jni, jclass, jlong header, jlong frame) {
  g_stacks->compare(jni, frame_word(header, frame));
}

void JNICALL allocated(JNIEnv*, jclass, jlong header, jlong word, jlong bytes) {
  g_allocations->add(*reinterpret_cast<ThreadHeader*>(header), static_cast<std::uint64_t>(word),
                     static_cast<std::uint64_t>(bytes));
}

jlong JNICALL size_of(JNIEnv* jni, jclass, jint type) {
  const RuntimeClass::Unrecorded unrecorded(*g_runtime, g_jvmti, jni);
  return static_cast<jlong>(g_types->learn(g_jvmti, jni, type));
}

JNINativeMethod native(const char* name, const char* descriptor, void* function) {
  return {const_cast<char*>(name), const_cast<char*>(descriptor), function};
}

Status failed(JNIEnv* jni, const std::string& what) {
  if (jni->ExceptionCheck()) jni->ExceptionClear();
  return Status::error("runtime class: " + what);
}

jclass define(JNIEnv* jni, const char* name, std::span<const std::uint8_t> bytes) {
  return jni->DefineClass(name, nullptr, reinterpret_cast<const jbyte*>(bytes.data()),
                          static_cast<jsize>(bytes.size()));
}

}  // namespace

Status RuntimeClass::define_probe(JNIEnv* jni) {
  const std::lock_guard lock(define_mutex_);
  if (defined_) return {};
  Status status = define_classes(jni);
  defined_ = status.ok();
  return status;
}

Status RuntimeClass::define_classes(JNIEnv* jni) {
  struct RuntimePart {
    jclass& defined;
    const char* name;
    std::span<const std::uint8_t> bytes;
  };
  std::vector<RuntimePart> parts = {{thread_finder_, "java/lang/CopseThread", kCopseThreadBytes}};
  switch (kind_) {
    case ProbeKind::kRecords:
      parts.push_back({probe_, "java/lang/CopseProbe", kRecordProbeBytes});
      break;
    case ProbeKind::kTrees:
      parts.push_back({probe_, "java/lang/CopseProbe", kTreeProbeBytes});
      break;
    case ProbeKind::kIds:
      parts.push_back({ids_, "java/lang/CopseIds", kCopseIdsBytes});
      parts.push_back({allocations_, "java/lang/CopseAllocations", kCopseAllocationsBytes});
      break;
    case ProbeKind::kIdWords:
      parts.push_back({probe_, "java/lang/CopseProbe", kRecordProbeBytes});
      parts.push_back({ids_, "java/lang/CopseIds", kCopseIdsBytes});
      parts.push_back({id_words_, "java/lang/CopseIdWords", kCopseIdWordsBytes});
      break;
  }
  for (const RuntimePart& part : parts) {
    const jclass found = define(jni, part.name, part.bytes);
    if (found == nullptr) return failed(jni, std::string(part.name) + " cannot be defined");
    part.defined = static_cast<jclass>(jni->NewGlobalRef(found));
  }
  return {};
}

Status RuntimeClass::start_class(JNIEnv* jni, jclass type,
                                 std::initializer_list<std::uint64_t> operands) {
  const std::string descriptor = "(" + std::string(operands.size(), 'J') + ")V";
  const jmethodID begin = jni->GetStaticMethodID(type, "start", descriptor.c_str());
  if (begin == nullptr) return failed(jni, "no start method");
  std::vector<jvalue> values;
  for (const std::uint64_t operand : operands) {
    values.emplace_back().j = static_cast<jlong>(operand);
  }
  jni->CallStaticVoidMethodA(type, begin, values.data());
  return jni->ExceptionCheck() ? failed(jni, "start failed") : Status();
}

Status RuntimeClass::start(jvmtiEnv* jvmti, JNIEnv* jni, Recorder& recorder,
                           std::uint64_t packet_bytes) {
  g_recorder = &recorder;
  if (Status status = define_probe(jni); !status) return status;
  if (Status status = start_class(jni, probe_, {packet_bytes}); !status) return status;
  return start_threads(jvmti, jni, recorder);
}

Status RuntimeClass::start(jvmtiEnv* jvmti, JNIEnv* jni, InlineTrees& trees) {
  if (g_threads.load() != nullptr) {
    start_again(trees);
    return {};
  }
  if (Status status = define_probe(jni); !status) return status;
  if (Status status = start_class(jni, probe_, {}); !status) return status;
  return start_threads(jvmti, jni, trees);
}

Status RuntimeClass::start_ids(JNIEnv* jni, const ContextIds& ids, std::size_t word_offset) {
  const IdTables* const tables = ids.tables();
  return start_class(jni, ids_,
                     {tables != nullptr ? tables->slots_address() : 0,
                      tables != nullptr ? tables->records_address() : 0, word_offset});
}

Status RuntimeClass::start(jvmtiEnv* jvmti, JNIEnv* jni, const IdRun& run) {
  g_ids = &run.ids;
  g_asking_is_event = run.asking_is_event;
  if (run.allocations != nullptr) {
    if (Status status = start_allocations(jvmti, jni, run); !status) return status;
  }
  if (run.words_are_watched) {
    if (Status status = define_probe(jni); !status) return status;
    const jmethodID watch = jni->GetStaticMethodID(ids_, "watch", "()V");
    if (watch != nullptr) jni->CallStaticVoidMethod(ids_, watch);
    if (jni->ExceptionCheck()) return failed(jni, "words cannot be watched");
  }
  if (Status status = define_probe(jni); !status) return status;
  if (Status status = start_ids(jni, run.ids, offsetof(ThreadHeader, word)); !status) return status;
  return start_threads(jvmti, jni, run.threads);
}

Status RuntimeClass::start(jvmtiEnv* jvmti, JNIEnv* jni, const IdWordRun& run) {
  g_ids = &run.ids;
  g_recorder = &run.recorder;
  g_stacks = run.stacks;
  if (Status status = define_probe(jni); !status) return status;
  Status status = start_class(jni, probe_, {run.packet_bytes});
  if (status) status = start_ids(jni, run.ids, offsetof(ThreadHeader, id_word));
  if (status) {
    const std::uint64_t stack_every = run.stacks != nullptr ? run.stack_every : 0;
    status = start_class(jni, id_words_, {run.packet_bytes, run.check_every, stack_every});
  }
  return status ? start_threads(jvmti, jni, run.recorder) : status;
}

Status RuntimeClass::start_allocations(jvmtiEnv* jvmti, JNIEnv* jni, const IdRun& run) {
  if (Status status = define_probe(jni); !status) return status;
  if (Status status = run.types->start(jvmti, jni); !status) return status;
  g_runtime = this;
  g_allocations = run.allocations;
  g_types = run.types;
  return start_class(jni, allocations_, {run.types->sizes_address(), run.types->alignment() - 1});
}

Status RuntimeClass::bind_natives(jvmtiEnv* jvmti, JNIEnv* jni) {
  const jclass natives = define(jni, "copse/CopseNative", kCopseNativeBytes);
  if (natives == nullptr) return failed(jni, "copse.CopseNative cannot be defined");
  const std::array methods = {
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
  if (jni->RegisterNatives(natives, methods.data(), static_cast<jint>(methods.size())) != JNI_OK) {
    return failed(jni, "natives cannot be registered");
  }
  // The natives' class lies in the boot loader's unnamed module, which java.base does not read by
  // itself.
  const jobject java_base = jni->GetModule(thread_finder_);
  if (jvmti->AddModuleReads(java_base, jni->GetModule(natives)) != JVMTI_ERROR_NONE) {
    return failed(jni, "java.base cannot be made to read copse.CopseNative");
  }
  return {};
}

Status RuntimeClass::start_threads(jvmtiEnv* jvmti, JNIEnv* jni, ThreadRecorder& threads) {
  if (Status status = bind_natives(jvmti, jni); !status) return status;

  const jclass thread = jni->FindClass("java/lang/Thread");
  g_thread_id_field = thread == nullptr ? nullptr : jni->GetFieldID(thread, "tid", "J");
  if (g_thread_id_field == nullptr) return failed(jni, "java.lang.Thread has no field tid");
  const bool by_table = access_ == HeaderAccess::kTableByThreadId;
  const char* field = by_table ? "tid" : kThreadHeaderField;
  thread_field_ = jni->GetFieldID(thread, field, "J");
  if (thread_field_ == nullptr) {
    return failed(jni, "java.lang.Thread has no field " + std::string(field));
  }
  if (by_table && !table_.reserve()) {
    return Status::error("runtime class: no address space for the thread table");
  }

  const jmethodID finder =
      jni->GetStaticMethodID(thread_finder_, "start", "(Ljava/lang/String;JJ)V");
  const jstring field_name = jni->NewStringUTF(field);
  if (finder == nullptr || field_name == nullptr) return failed(jni, "no start method");
  g_threads = &threads;
  g_virtual_threads = &virtual_threads_;
  g_table = &table_;
  g_jvmti = jvmti;
  attach_live_threads(jni);
  if (!jni->ExceptionCheck()) {
    jni->CallStaticVoidMethod(thread_finder_, finder, field_name,
                              static_cast<jlong>(table_.address()),
                              static_cast<jlong>(table_.entries()));
  }
  if (jni->ExceptionCheck()) return failed(jni, "start failed");
  jni->DeleteLocalRef(field_name);
  jni->DeleteLocalRef(thread);
  return {};
}

// Live frames keep the headers they have; whatever is entered from now on finds none in the table,
// and asks for a new one. Not asked for here: the threads run, and might ask at the same time.
void RuntimeClass::start_again(ThreadRecorder& threads) noexcept {
  g_threads.store(&threads);
  table_.forget_all();
}

// Before the first probe looks for a header: none of these threads is being attached elsewhere.
// With ids every thread is attached on itself alone, since what is asked of it then (its clock)
// nobody else can tell.
void RuntimeClass::attach_live_threads(JNIEnv* jni) const {
  if (kind_ == ProbeKind::kIds) {
    jthread self = nullptr;
    if (g_jvmti->GetCurrentThread(&self) != JVMTI_ERROR_NONE) return;
    attach(jni, self);
    return jni->DeleteLocalRef(self);
  }
  jint count = 0;
  jthread* threads = nullptr;
  if (g_jvmti->GetAllThreads(&count, &threads) != JVMTI_ERROR_NONE) return;
  for (jint i = 0; i < count; ++i) {
    attach(jni, threads[i]);
    jni->DeleteLocalRef(threads[i]);
  }
  g_jvmti->Deallocate(reinterpret_cast<unsigned char*>(threads));
}

void RuntimeClass::attach(JNIEnv* jni, jthread thread) const {
  if (thread_field_ == nullptr || header_of(jni, thread) != nullptr) return;
  bind(jni, thread, new_header(jni, thread));
}

ThreadHeader* RuntimeClass::header_of(JNIEnv* jni, jthread thread) const {
  if (thread_field_ == nullptr) return nullptr;
  const jlong value = jni->GetLongField(thread, thread_field_);
  return reinterpret_cast<ThreadHeader*>(access_ == HeaderAccess::kTableByThreadId
                                             ? *table_.slot(value)
                                             : static_cast<std::uint64_t>(value));
}

void RuntimeClass::forget(JNIEnv* jni, jthread thread) {
  bind(jni, thread, nullptr);
  if (access_ == HeaderAccess::kTableByThreadId) {
    table_.ended(jni->GetLongField(thread, thread_field_));
  }
}

void RuntimeClass::bind(JNIEnv* jni, jthread thread, ThreadHeader* header) const {
  const auto address = reinterpret_cast<std::uint64_t>(header);
  if (access_ == HeaderAccess::kTableByThreadId) {
    *table_.slot(jni->GetLongField(thread, thread_field_)) = address;
  } else {
    jni->SetLongField(thread, thread_field_, static_cast<jlong>(address));
  }
}

bool RuntimeClass::is_probe(JNIEnv* jni, jobject type) const {
  return type != nullptr && jni->IsSameObject(type, kind_ == ProbeKind::kIds ? ids_ : probe_);
}

RuntimeClass::Unrecorded::Unrecorded(const RuntimeClass& runtime, jvmtiEnv* jvmti, JNIEnv* jni)
    : runtime_(runtime), jni_(jni), was_unrecorded_(t_unrecorded) {
  t_unrecorded = true;
  jthread thread = nullptr;
  if (runtime.thread_field_ == nullptr || jvmti->GetCurrentThread(&thread) != JVMTI_ERROR_NONE) {
    return;
  }
  header_ = runtime.header_of(jni, thread);
  if (header_ == nullptr) {
    jni->DeleteLocalRef(thread);
    return;
  }
  thread_ = thread;
  runtime.bind(jni, thread, nullptr);
}

bool RuntimeClass::Unrecorded::holds() noexcept { return t_unrecorded; }

RuntimeClass::Unrecorded::~Unrecorded() {
  t_unrecorded = was_unrecorded_;
  if (thread_ == nullptr) return;
  runtime_.bind(jni_, thread_, header_);
  jni_->DeleteLocalRef(thread_);
}

}  // namespace copse
