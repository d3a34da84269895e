#include "agent/jvm/runtime/runtime_class.h"

#include <atomic>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "agent/jvm/local_frame.h"
#include "agent/jvm/runtime/excerpt_natives.h"
#include "agent/jvm/runtime/value_natives.h"
#include "agent/jvm/runtime_bytes.h"
#include "encoders/ids/id_layout.h"

namespace copse::jvm {
namespace {

// The running thread's probes find no header, and get none (RuntimeClass::Unrecorded).
thread_local bool t_unrecorded = false;

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
  std::vector<RuntimePart> parts;
  if (kind_ != ProbeKind::kValues) {
    parts.push_back({thread_finder_, "java/lang/CopseThread", kCopseThreadBytes});
  }
  if (has_words()) parts.push_back({word_class_, "java/lang/CopseWord", kCopseWordBytes});
  switch (kind_) {
    case ProbeKind::kRecords:
      parts.push_back({allocations_, "java/lang/CopseAllocations", kCopseAllocationsBytes});
      parts.push_back({probe_, "java/lang/CopseProbe", kRecordProbeBytes});
      parts.push_back({throws_, "java/lang/CopseThrows", kCopseThrowsBytes});
      break;
    case ProbeKind::kTrees:
      parts.push_back({tree_, "java/lang/CopseTree", kCopseTreeBytes});
      parts.push_back({excerpts_, "java/lang/CopseExcerpt", kCopseExcerptBytes});
      parts.push_back({allocations_, "java/lang/CopseAllocations", kCopseAllocationsBytes});
      parts.push_back({probe_, "java/lang/CopseProbe", kTreeProbeBytes});
      parts.push_back({throws_, "java/lang/CopseThrows", kCopseThrowsBytes});
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
    case ProbeKind::kValues:
      parts.push_back({values_, "java/lang/CopseValues", kCopseValuesBytes});
      break;
  }
  for (const RuntimePart& part : parts) {
    const jclass found = define(jni, part.name, part.bytes);
    if (found == nullptr)
      return runtime_failure(jni, std::string(part.name) + " cannot be defined");
    part.defined = static_cast<jclass>(jni->NewGlobalRef(found));
  }
  return {};
}

std::vector<jclass> RuntimeClass::classes(JNIEnv* jni) const {
  std::vector<jclass> defined = {natives_class_};
  for (const jclass type :
       {word_class_, tree_, probe_, ids_, allocations_, throws_, id_words_, thread_finder_}) {
    if (type != nullptr) defined.push_back(type);
  }
  // Initializes each class by asking for a method. A class that was never used has no methods that the JVM
  // reports.
  for (const jclass type : defined) {
    if (jni->GetStaticMethodID(type, "<clinit>", "()V") == nullptr) jni->ExceptionClear();
  }
  return defined;
}

Status RuntimeClass::start_class(JNIEnv* jni, jclass type,
                                 std::initializer_list<std::uint64_t> operands) {
  const std::string descriptor = "(" + std::string(operands.size(), 'J') + ")V";
  const jmethodID begin = jni->GetStaticMethodID(type, "start", descriptor.c_str());
  if (begin == nullptr) return runtime_failure(jni, "no start method");
  std::vector<jvalue> values;
  for (const std::uint64_t operand : operands) {
    values.emplace_back().j = static_cast<jlong>(operand);
  }
  jni->CallStaticVoidMethodA(type, begin, values.data());
  return jni->ExceptionCheck() ? runtime_failure(jni, "start failed") : Status();
}

Status RuntimeClass::start(jvmtiEnv* jvmti, JNIEnv* jni, const RecordRun& run) {
  natives_.recorder = &run.recorder;
  natives_.timers.store(run.timers);
  natives_.looks_at_threads = run.looks_at_threads;
  if (Status status = start_allocations(jvmti, jni, run.allocations, run.types, run.packet_bytes);
      !status) {
    return status;
  }
  if (Status status = define_probe(jni); !status) return status;
  const std::uint64_t watched = run.words_are_read ? 1 : 0;
  if (Status status = start_class(jni, probe_, {run.packet_bytes, watched}); !status) {
    return status;
  }
  return start_threads(jvmti, jni, run.threads);
}

Status RuntimeClass::start(jvmtiEnv* jvmti, JNIEnv* jni, const TreeRun& run) {
  if (Status status = start_allocations(jvmti, jni, run.allocations, run.types); !status) {
    return status;
  }
  if (natives_.threads.load() != nullptr) {
    start_again(run);
    return {};
  }
  natives_.timers.store(run.timers);
  natives_.looks_at_threads = run.looks_at_threads;
  answer_excerpts_with(run.methods);
  if (Status status = define_probe(jni); !status) return status;
  if (Status status = start_class(jni, tree_, {run.trees.node_base()}); !status) return status;
  return start_threads(jvmti, jni, run.threads);
}

Status RuntimeClass::start_ids(JNIEnv* jni, const context_id::ContextIds& ids) {
  const context_id::IdTables* const tables = ids.tables();
  return start_class(jni, ids_,
                     {tables != nullptr ? tables->slots_address() : 0,
                      tables != nullptr ? tables->mappings_address() : 0});
}

Status RuntimeClass::start_words(JNIEnv* jni) {
  const std::size_t in_header = kind_ == ProbeKind::kIdWords
                                    ? offsetof(shadowstack::ThreadHeader, id_word)
                                    : offsetof(shadowstack::ThreadHeader, word);
  if (Status status = start_class(jni, word_class_, {static_cast<std::uint64_t>(word_), in_header});
      !status) {
    return status;
  }
  return find_word_offset(jni);
}

Status RuntimeClass::find_word_offset(JNIEnv* jni) {
  const jfieldID offset = jni->GetStaticFieldID(word_class_, "fieldOffset", "J");
  if (offset == nullptr) return runtime_failure(jni, "no offset of the context word");
  word_offset_ = static_cast<std::uint64_t>(jni->GetStaticLongField(word_class_, offset));
  return {};
}

Status RuntimeClass::start(jvmtiEnv* jvmti, JNIEnv* jni, const IdRun& run) {
  natives_.ids = &run.ids;
  natives_.asking_is_event = run.asking_is_event;
  natives_.timers.store(run.timers);
  natives_.looks_at_threads = run.looks_at_threads;
  if (Status status = start_allocations(jvmti, jni, run.allocations, run.types); !status) {
    return status;
  }
  if (Status status = define_probe(jni); !status) return status;
  if (Status status = start_ids(jni, run.ids); !status) return status;
  return start_threads(jvmti, jni, run.threads);
}

Status RuntimeClass::start(jvmtiEnv* jvmti, JNIEnv* jni, const IdWordRun& run) {
  natives_.ids = &run.ids;
  natives_.recorder = &run.recorder;
  natives_.stacks = run.stacks;
  if (Status status = define_probe(jni); !status) return status;
  Status status = start_class(jni, probe_, {run.packet_bytes, 0});
  if (status) status = start_ids(jni, run.ids);
  if (status) {
    const std::uint64_t stack_every = run.stacks != nullptr ? run.stack_every : 0;
    status = start_class(jni, id_words_, {run.packet_bytes, run.check_every, stack_every});
  }
  return status ? start_threads(jvmti, jni, run.recorder) : status;
}

Status RuntimeClass::start(jvmtiEnv* jvmti, JNIEnv* jni, ValueEvents& events) {
  const bool is_first = natives_.jvmti == nullptr;
  take_values_with(events);
  if (!is_first) return {};
  natives_.jvmti = jvmti;
  if (Status status = define_probe(jni); !status) return status;
  const Result<jclass> bound = bind_natives(jvmti, jni, values_, natives_);
  if (!bound.ok()) return bound.status();
  natives_class_ = *bound;
  return start_class(jni, values_, {});
}

Status RuntimeClass::start_allocations(jvmtiEnv* jvmti, JNIEnv* jni,
                                       context_id::AllocationCounts* counts, AllocatedTypes* types,
                                       std::uint64_t packet_bytes) {
  natives_.allocations.store(counts);
  if (counts == nullptr || natives_.types != nullptr) return {};
  if (Status status = define_probe(jni); !status) return status;
  if (Status status = types->start(jvmti, jni); !status) return status;
  natives_.types = types;
  return start_class(jni, allocations_,
                     {types->sizes_address(), types->alignment() - 1, packet_bytes});
}

Status RuntimeClass::start_threads(jvmtiEnv* jvmti, JNIEnv* jni,
                                   shadowstack::ThreadRecorder& threads) {
  const Result<jclass> bound = bind_natives(jvmti, jni, thread_finder_, natives_);
  if (!bound.ok()) return bound.status();
  natives_class_ = *bound;

  const jclass thread = jni->FindClass("java/lang/Thread");
  natives_.thread_id_field = thread == nullptr ? nullptr : jni->GetFieldID(thread, "tid", "J");
  if (natives_.thread_id_field == nullptr)
    return runtime_failure(jni, "java.lang.Thread has no field tid");
  const bool by_table = access_ == HeaderAccess::kTableByThreadId;
  const char* field = by_table ? "tid" : kThreadHeaderField;
  thread_field_ = jni->GetFieldID(thread, field, "J");
  if (thread_field_ == nullptr) {
    return runtime_failure(jni, "java.lang.Thread has no field " + std::string(field));
  }
  if (has_words()) {
    if (Status status = find_word(jni, thread); !status) return status;
  }
  if (by_table && !table_.reserve()) {
    return Status::error(Fault::kLimit, "runtime class: no address space for the thread table");
  }

  const jmethodID finder =
      jni->GetStaticMethodID(thread_finder_, "start", "(Ljava/lang/String;JJ)V");
  const jstring field_name = jni->NewStringUTF(field);
  if (finder == nullptr || field_name == nullptr) return runtime_failure(jni, "no start method");
  natives_.threads.store(&threads);
  natives_.jvmti = jvmti;
  if (has_words() && word_field_ == nullptr) {
    if (Status status = start_words(jni); !status) return status;
  }
  attach_live_threads(jni);
  if (!jni->ExceptionCheck()) {
    jni->CallStaticVoidMethod(thread_finder_, finder, field_name,
                              static_cast<jlong>(table_.address()),
                              static_cast<jlong>(table_.entries()));
  }
  if (jni->ExceptionCheck()) return runtime_failure(jni, "start failed");
  jni->DeleteLocalRef(field_name);
  jni->DeleteLocalRef(thread);
  return word_field_ == nullptr ? Status() : start_words(jni);
}

// Live frames keep the headers they have; whatever is entered from now on finds none in the table,
// and asks for a new one. Not asked for here: the threads run, and might ask at the same time.
void RuntimeClass::start_again(const TreeRun& run) noexcept {
  natives_.looks_at_threads = run.looks_at_threads;
  natives_.threads.store(&run.threads);
  natives_.timers.store(run.timers);
  table_.forget_all();
  const std::lock_guard lock(references_mutex_);
  virtual_headers_.clear();
}

// Called before the first probe looks for a header: none of these threads is being attached elsewhere. If a
// thread must give something itself (its clock), it attaches only itself; until then the field for its word
// still has the size of its stack.
void RuntimeClass::attach_live_threads(JNIEnv* jni) const {
  jthread self = nullptr;
  jint count = 0;
  jthread* threads = nullptr;
  const LocalFrame frame(jni);
  if (natives_.jvmti->GetCurrentThread(&self) != JVMTI_ERROR_NONE ||
      natives_.jvmti->GetAllThreads(&count, &threads) != JVMTI_ERROR_NONE) {
    return;
  }
  for (jint i = 0; i < count; ++i) {
    if (!threads_attach_themselves() ||
        (kind_ == ProbeKind::kIds && jni->IsSameObject(threads[i], self))) {
      attach(jni, threads[i]);
    } else {
      set_word(jni, threads[i], context_id::kRootNumber);
    }
  }
  natives_.jvmti->Deallocate(reinterpret_cast<unsigned char*>(threads));
}

bool RuntimeClass::threads_attach_themselves() const noexcept {
  return kind_ == ProbeKind::kIds || natives_.timers.load() != nullptr;
}

void RuntimeClass::attach(JNIEnv* jni, jthread thread) const {
  if (thread_field_ == nullptr || header_of(jni, thread) != nullptr) return;
  shadowstack::ThreadHeader* const header = natives_.new_header(jni, thread);
  bind(jni, thread, header);
  set_word(jni, thread, static_cast<jlong>(header->word));
  let_be_seen(jni, thread, header);
}

void RuntimeClass::let_be_seen(JNIEnv* jni, jthread thread,
                               shadowstack::ThreadHeader* header) const {
  if (header == nullptr || (natives_.timers.load() == nullptr && !natives_.looks_at_threads)) {
    return;
  }
  if (natives_.virtual_threads.is_one(jni, thread)) return refer_to_virtual(jni, thread, *header);
  begin_samples(jni, thread, *header);
}

// Keeps a reference for looks at threads, and for samples if the word is in a field added to the thread object.
// The reference is weak, because no other reference to the thread may be left. Threads without memory share a
// header, which has no state.
void RuntimeClass::refer_to_virtual(JNIEnv* jni, jthread thread,
                                    shadowstack::ThreadHeader& header) const {
  const bool is_sought = natives_.looks_at_threads || word_ == WordPlace::kAddedField;
  if (!is_sought || header.state == nullptr) return;
  const jweak self = jni->NewWeakGlobalRef(thread);
  if (jni->ExceptionCheck()) jni->ExceptionClear();
  if (self == nullptr) return;  // no memory: it is not found
  const std::lock_guard lock(references_mutex_);
  std::atomic_ref<std::uint64_t>(header.self)
      .store(reinterpret_cast<std::uint64_t>(self), std::memory_order_relaxed);
  if (!natives_.looks_at_threads) return;
  try {
    virtual_headers_.insert(&header);
  } catch (const std::bad_alloc&) {
    // Nor is it then.
  }
}

void RuntimeClass::forget_virtual(JNIEnv* jni, shadowstack::ThreadHeader& header) const {
  std::atomic_ref<std::uint64_t> self(header.self);
  if (self.load(std::memory_order_relaxed) == 0) return;
  const std::lock_guard lock(references_mutex_);
  virtual_headers_.erase(&header);
  jni->DeleteWeakGlobalRef(reinterpret_cast<jweak>(self.exchange(0)));
}

std::vector<const shadowstack::ThreadHeader*> RuntimeClass::headers_of_virtual_threads() const {
  const std::lock_guard lock(references_mutex_);
  return {virtual_headers_.begin(), virtual_headers_.end()};
}

jthread RuntimeClass::virtual_thread_of(JNIEnv* jni,
                                        const shadowstack::ThreadHeader& header) const {
  const std::lock_guard lock(references_mutex_);
  const std::uint64_t self =
      std::atomic_ref<const std::uint64_t>(header.self).load(std::memory_order_relaxed);
  return self == 0 ? nullptr : jni->NewLocalRef(reinterpret_cast<jweak>(self));
}

void RuntimeClass::begin_samples(JNIEnv* jni, jthread thread,
                                 shadowstack::ThreadHeader& header) const {
  sampling::CpuTimers* const timers = natives_.timers.load();
  if (timers == nullptr) return;
  sampling::WordInObject word;
  jobject reference = nullptr;
  if (const jobject owner = owner_of_word(jni, thread); owner != nullptr) {
    if (word_offset_ == 0) return;
    reference = jni->NewGlobalRef(owner);
    jni->DeleteLocalRef(owner);
    if (reference == nullptr) return;
    // It is where the JVM keeps the object's address, and in its lowest bits of what kind it is.
    word = {reinterpret_cast<std::uint64_t>(reference), word_offset_,
            word_ == WordPlace::kAddedField};
  }
  if (!timers->begin(header, word) && reference != nullptr) jni->DeleteGlobalRef(reference);
}

Status RuntimeClass::find_word(JNIEnv* jni, jclass thread) {
  if (word_ == WordPlace::kHeader) return {};
  jclass owner = thread;
  if (word_ == WordPlace::kHoldersStackSize) {
    constexpr const char* kHolder = "java/lang/Thread$FieldHolder";
    holder_field_ = jni->GetFieldID(thread, "holder", "Ljava/lang/Thread$FieldHolder;");
    owner = jni->ExceptionCheck() ? nullptr : jni->FindClass(kHolder);
  }
  if (owner != nullptr) {
    const bool added = word_ == WordPlace::kAddedField;
    word_field_ = jni->GetFieldID(owner, added ? kThreadWordField : "stackSize", "J");
  }
  if (word_field_ == nullptr) {
    return runtime_failure(jni, "java.lang.Thread has no field for the context word");
  }
  return {};
}

// Null where the header has it.
jobject RuntimeClass::owner_of_word(JNIEnv* jni, jthread thread) const {
  if (word_field_ == nullptr) return nullptr;
  return holder_field_ == nullptr ? jni->NewLocalRef(thread)
                                  : jni->GetObjectField(thread, holder_field_);
}

std::uint64_t RuntimeClass::word_of(JNIEnv* jni, jthread thread,
                                    const shadowstack::ThreadHeader* header) const {
  const jobject owner = owner_of_word(jni, thread);
  if (owner == nullptr) {
    if (header == nullptr) return context_id::kRootNumber;
    return std::atomic_ref<const std::uint64_t>(header->word).load(std::memory_order_relaxed);
  }
  const jlong word = jni->GetLongField(owner, word_field_);
  jni->DeleteLocalRef(owner);
  return static_cast<std::uint64_t>(word);
}

void RuntimeClass::set_word(JNIEnv* jni, jthread thread, jlong word) const {
  const jobject owner = owner_of_word(jni, thread);
  if (owner == nullptr) return;
  jni->SetLongField(owner, word_field_, word);
  jni->DeleteLocalRef(owner);
}

shadowstack::ThreadHeader* RuntimeClass::header_of(JNIEnv* jni, jthread thread) const {
  if (thread_field_ == nullptr) return nullptr;
  const jlong value = jni->GetLongField(thread, thread_field_);
  return reinterpret_cast<shadowstack::ThreadHeader*>(access_ == HeaderAccess::kTableByThreadId
                                                          ? *table_.slot(value)
                                                          : static_cast<std::uint64_t>(value));
}

void RuntimeClass::forget(JNIEnv* jni, jthread thread) {
  bind(jni, thread, nullptr);
  set_word(jni, thread, 0);
  if (access_ == HeaderAccess::kTableByThreadId) {
    table_.ended(jni->GetLongField(thread, thread_field_));
  }
}

void RuntimeClass::bind(JNIEnv* jni, jthread thread, shadowstack::ThreadHeader* header) const {
  const auto address = reinterpret_cast<std::uint64_t>(header);
  if (access_ == HeaderAccess::kTableByThreadId) {
    *table_.slot(jni->GetLongField(thread, thread_field_)) = address;
  } else {
    jni->SetLongField(thread, thread_field_, static_cast<jlong>(address));
  }
}

bool RuntimeClass::is_probe(JNIEnv* jni, jobject type) const {
  const jclass probe = kind_ == ProbeKind::kValues ? values_
                       : kind_ == ProbeKind::kIds  ? ids_
                                                   : probe_;
  return type != nullptr && jni->IsSameObject(type, probe);
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
  word_ = static_cast<jlong>(runtime.word_of(jni, thread, header_));
  runtime.bind(jni, thread, nullptr);
  runtime.set_word(jni, thread, 0);
}

bool RuntimeClass::Unrecorded::holds() noexcept { return t_unrecorded; }

RuntimeClass::Unrecorded::~Unrecorded() {
  t_unrecorded = was_unrecorded_;
  if (thread_ == nullptr) return;
  runtime_.bind(jni_, thread_, header_);
  runtime_.set_word(jni_, thread_, word_);
  jni_->DeleteLocalRef(thread_);
}

}  // namespace copse::jvm
