#include "agent/jvm/runtime/runtime_class.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

#include "agent/jvm/hotspot/hotspot_flags.h"
#include "agent/jvm/jvm_names.h"
#include "agent/jvm/local_frame.h"
#include "agent/jvm/runtime_bytes.h"
#include "encoders/ids/id_layout.h"

namespace copse::jvm {
namespace {

constexpr const char* kThreadClass = "CopseThread";
constexpr const char* kWordClass = "CopseWord";
// Compilers of JDKs up to this one do not trust the field that the word is in.
constexpr int kLastTriedJdk = 25;

}  // namespace

Status RuntimeClass::define_probe(JNIEnv* jni) {
  const std::lock_guard lock(define_mutex_);
  if (defined_) return {};
  Status status = define_classes(jni);
  defined_ = status.ok();
  return status;
}

std::vector<ProbeKind::JavaClass> RuntimeClass::classes_of(const ProbeKind& kind) {
  std::vector<ProbeKind::JavaClass> classes;
  if (kind.has_threads) classes.push_back({kThreadClass, kCopseThreadBytes});
  if (kind.word_in_header) classes.push_back({kWordClass, kCopseWordBytes});
  classes.insert(classes.end(), kind.classes.begin(), kind.classes.end());
  return classes;
}

Status RuntimeClass::define_classes(JNIEnv* jni) {
  for (const ProbeKind::JavaClass& what : classes_of(kind_)) {
    if (Status status = define(jni, what); !status) return status;
  }
  return {};
}

Status RuntimeClass::define(JNIEnv* jni, const ProbeKind::JavaClass& what) {
  const std::string name = std::string("java/lang/") + what.name;
  const jclass found =
      jni->DefineClass(name.c_str(), nullptr, reinterpret_cast<const jbyte*>(what.bytes.data()),
                       static_cast<jsize>(what.bytes.size()));
  if (found == nullptr) return runtime_failure(jni, name + " cannot be defined");
  classes_.push_back({what.name, static_cast<jclass>(jni->NewGlobalRef(found)), what.is_for_tests});
  return {};
}

jclass RuntimeClass::class_named(std::string_view name) const noexcept {
  const auto found = std::ranges::find(classes_, name, &Defined::name);
  return found == classes_.end() ? nullptr : found->type;
}

bool RuntimeClass::is_probe(JNIEnv* jni, jobject type) const {
  return type != nullptr && jni->IsSameObject(type, class_named(kind_.entry_class));
}

std::vector<jclass> RuntimeClass::classes(JNIEnv* jni) const {
  std::vector<jclass> defined = {natives_class_};
  for (const Defined& each : classes_) {
    if (!each.is_for_tests) defined.push_back(each.type);
  }
  // Initializes each class by asking for a method. A class that was never used has no methods that the JVM
  // reports.
  for (const jclass type : defined) {
    if (jni->GetStaticMethodID(type, "<clinit>", "()V") == nullptr) jni->ExceptionClear();
  }
  return defined;
}

Status RuntimeClass::start_class(JNIEnv* jni, std::string_view name,
                                 std::initializer_list<std::uint64_t> operands) const {
  const jclass type = class_named(name);
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

Status RuntimeClass::bind(JNIEnv* jni) {
  const Result<jclass> bound =
      bind_natives(jni, class_named(kind_.entry_class), kind_.natives(), natives_);
  if (!bound.ok()) return bound.status();
  natives_class_ = *bound;
  return {};
}

Status RuntimeClass::start_words(JNIEnv* jni, const Threads& threads) {
  const auto place = static_cast<std::uint64_t>(fields_.word_place());
  const std::uint64_t are_read = threads.are_looked_at ? 1 : 0;
  if (Status status = start_class(jni, kWordClass, {place, *kind_.word_in_header, are_read});
      !status) {
    return status;
  }
  const jclass type = class_named(kWordClass);
  const jfieldID offset = jni->GetStaticFieldID(type, "fieldOffset", "J");
  if (offset == nullptr) return runtime_failure(jni, "no offset of the context word");
  word_offset_ = static_cast<std::uint64_t>(jni->GetStaticLongField(type, offset));
  return {};
}

// Has the word in the header where compilers may trust the final field that it is lent.
Status RuntimeClass::try_field(JNIEnv* jni) {
  JavaVM* vm = nullptr;
  if (!takes_stack_size() || jni->GetJavaVM(&vm) != JNI_OK) return {};
  const int jdk = std::atoi(system_property(jvmti_, "java.vm.specification.version").c_str());
  if (jdk <= kLastTriedJdk && !trusts_final_fields(vm)) return {};
  const jclass type = class_named(kWordClass);
  const jmethodID is_kept = jni->GetStaticMethodID(type, "isKept", "(J)Z");
  if (is_kept == nullptr) return runtime_failure(jni, "no trial of the context word");
  const jboolean kept =
      jni->CallStaticBooleanMethod(type, is_kept, static_cast<jlong>(fields_.word_place()));
  if (jni->ExceptionCheck()) return runtime_failure(jni, "the trial of the context word failed");
  if (kept == JNI_FALSE) fields_.use_header_for_word();
  return {};
}

// Has the word in the header, or no samples, where the JVM's references are not what handlers of signals take them for.
Status RuntimeClass::try_reading(JNIEnv* jni) {
  const jclass type = class_named(kWordClass);
  const jmethodID offset = jni->GetStaticMethodID(type, "offset", "(J)J");
  if (offset == nullptr) return runtime_failure(jni, "no offset of the context word");
  word_offset_ = static_cast<std::uint64_t>(
      jni->CallStaticLongMethod(type, offset, static_cast<jlong>(fields_.word_place())));
  if (jni->ExceptionCheck())
    return runtime_failure(jni, "the offset of the context word is unknown");
  if (can_read_words(jni)) return {};
  words_were_unreadable_ = true;
  if (takes_stack_size()) {
    fields_.use_header_for_word();
    word_offset_ = 0;
  } else {
    natives_.timers.store(nullptr);
  }
  return {};
}

bool RuntimeClass::can_read_words(JNIEnv* jni) const {
  constexpr int kTrials = 20;  // the object may be moved meanwhile
  if (word_offset_ == 0) return true;
  const LocalFrame frame(jni);
  jthread self = nullptr;
  if (jvmti_->GetCurrentThread(&self) != JVMTI_ERROR_NONE) return false;
  const jobject owner = fields_.owner_of_word(jni, self);
  const jobject global = owner == nullptr ? nullptr : jni->NewGlobalRef(owner);
  const jweak weak = owner == nullptr ? nullptr : jni->NewWeakGlobalRef(owner);
  bool is_read = false;
  if (global != nullptr && weak != nullptr) {
    const jlong before = jni->GetLongField(owner, fields_.word_field());
    for (int trial = 1; trial <= kTrials && !is_read; ++trial) {
      const auto word = static_cast<std::uint64_t>(before) + static_cast<std::uint64_t>(trial) * 8;
      fields_.set_word(jni, self, static_cast<jlong>(word));
      is_read = std::ranges::all_of(std::array{global, weak}, [&](jobject reference) {
        return word ==
               sampling::word_in_object(reinterpret_cast<std::uint64_t>(reference), word_offset_);
      });
    }
    fields_.set_word(jni, self, before);
  }
  if (jni->ExceptionCheck()) jni->ExceptionClear();
  if (global != nullptr) jni->DeleteGlobalRef(global);
  if (weak != nullptr) jni->DeleteWeakGlobalRef(weak);
  return is_read;
}

Status RuntimeClass::start_threads(JNIEnv* jni, const Threads& threads) {
  natives_.timers.store(threads.timers);
  natives_.looks_at_threads = threads.are_looked_at;
  if (Status status = bind(jni); !status) return status;
  if (kind_.word_in_header) {
    if (Status status = try_field(jni); !status) return status;
  }
  if (Status status = fields_.find(jni); !status) return status;
  if (natives_.timers.load() != nullptr && fields_.word_field() != nullptr) {
    if (Status status = try_reading(jni); !status) return status;
  }
  natives_.threads.store(&threads.recorder);
  // A field that held something else becomes the word's once all live threads have theirs in it.
  const bool is_word_in_header = fields_.word_field() == nullptr;
  if (kind_.word_in_header && is_word_in_header) {
    if (Status status = start_words(jni, threads); !status) return status;
  }
  attach_live_threads(jni);
  if (Status status = start_finder(jni); !status) return status;
  return is_word_in_header ? Status() : start_words(jni, threads);
}

Status RuntimeClass::start_finder(JNIEnv* jni) const {
  const jclass finder = class_named(kThreadClass);
  const jmethodID begin = jni->GetStaticMethodID(finder, "start", "(Ljava/lang/String;JJ)V");
  const jstring field = begin == nullptr ? nullptr : jni->NewStringUTF(fields_.header_field());
  if (field == nullptr) return runtime_failure(jni, "no start method");
  const HeaderTable& table = fields_.table();
  jni->CallStaticVoidMethod(finder, begin, field, static_cast<jlong>(table.address()),
                            static_cast<jlong>(table.entries()));
  if (jni->ExceptionCheck()) return runtime_failure(jni, "start failed");
  jni->DeleteLocalRef(field);
  return {};
}

// Live frames keep the headers they have; whatever is entered from now on finds none in the table,
// and asks for a new one. Not asked for here: the threads run, and might ask at the same time.
Status RuntimeClass::start_again(JNIEnv* jni, const Threads& threads) {
  if (kind_.word_in_header && threads.are_looked_at) {
    const jclass type = class_named(kWordClass);
    const jmethodID are_read = jni->GetStaticMethodID(type, "areRead", "()V");
    if (are_read == nullptr) return runtime_failure(jni, "no way to read words");
    jni->CallStaticVoidMethod(type, are_read);
  }
  natives_.looks_at_threads = threads.are_looked_at;
  natives_.threads.store(&threads.recorder);
  natives_.timers.store(threads.timers);
  fields_.table().forget_all();
  references_.clear();
  return {};
}

// Called before the first probe looks for a header: none of these threads is being attached elsewhere. If a
// thread must give something itself (its clock), it attaches only itself; until then the field for its word
// still has the size of its stack.
void RuntimeClass::attach_live_threads(JNIEnv* jni) {
  jthread self = nullptr;
  jint count = 0;
  jthread* threads = nullptr;
  const LocalFrame frame(jni);
  if (jvmti_->GetCurrentThread(&self) != JVMTI_ERROR_NONE ||
      jvmti_->GetAllThreads(&count, &threads) != JVMTI_ERROR_NONE) {
    return;
  }
  // A word of ids is taken as it is, so 0 tells that the thread has no header yet.
  const bool is_met_later =
      kind_.attaches_late && (natives_.timers.load() != nullptr || natives_.looks_at_threads);
  for (jint i = 0; i < count; ++i) {
    if (!threads_attach_themselves() ||
        (kind_.attaches_late && jni->IsSameObject(threads[i], self))) {
      attach(jni, threads[i]);
    } else {
      fields_.set_word(jni, threads[i], is_met_later ? 0 : ids::kRootNumber);
    }
  }
  jvmti_->Deallocate(reinterpret_cast<unsigned char*>(threads));
}

void RuntimeClass::clear_words(JNIEnv* jni) {
  jint count = 0;
  jthread* threads = nullptr;
  const LocalFrame frame(jni);
  if (jvmti_->GetAllThreads(&count, &threads) != JVMTI_ERROR_NONE) return;
  for (jint i = 0; i < count; ++i) clear_word(jni, threads[i]);
  jvmti_->Deallocate(reinterpret_cast<unsigned char*>(threads));
}

void RuntimeClass::clear_word(JNIEnv* jni, jthread thread) {
  if (!fields_.are_found() || fields_.header_of(jni, thread) != nullptr) return;
  fields_.set_word(jni, thread, 0);
}

bool RuntimeClass::threads_attach_themselves() const noexcept {
  return kind_.attaches_late || natives_.timers.load() != nullptr;
}

void RuntimeClass::attach(JNIEnv* jni, jthread thread) {
  if (!fields_.are_found() || fields_.header_of(jni, thread) != nullptr) return;
  shadowstack::ThreadHeader* const header = natives_.new_header(jni, thread);
  fields_.set_header(jni, thread, header);
  fields_.set_word(jni, thread, static_cast<jlong>(header->word));
  let_be_seen(jni, thread, header);
}

void RuntimeClass::let_be_seen(JNIEnv* jni, jthread thread, shadowstack::ThreadHeader* header) {
  const bool is_looked_at = natives_.looks_at_threads;
  if (header != nullptr && header->state != nullptr && kind_.thread_attached != nullptr) {
    kind_.thread_attached(jni, thread, *header, natives_.virtual_threads.is_one(jni, thread));
  }
  if (header == nullptr || (natives_.timers.load() == nullptr && !is_looked_at)) return;
  if (!natives_.virtual_threads.is_one(jni, thread)) return begin_samples(jni, thread, *header);
  // Samples look for the thread object if the word is in a field added to it. Threads without memory share a
  // header, which has no state.
  const bool is_sought = is_looked_at || fields_.word_place() == WordPlace::kAddedField;
  if (is_sought && header->state != nullptr) references_.add(jni, thread, *header, is_looked_at);
}

void RuntimeClass::begin_samples(JNIEnv* jni, jthread thread,
                                 shadowstack::ThreadHeader& header) const {
  sampling::CpuTimers* const timers = natives_.timers.load();
  if (timers == nullptr) return;
  sampling::WordInObject word;
  jobject reference = nullptr;
  if (const jobject owner = fields_.owner_of_word(jni, thread); owner != nullptr) {
    if (word_offset_ == 0) return;
    reference = jni->NewGlobalRef(owner);
    jni->DeleteLocalRef(owner);
    if (reference == nullptr) return;
    // It is where the JVM keeps the object's address, and in its lowest bits of what kind it is.
    word = {reinterpret_cast<std::uint64_t>(reference), word_offset_,
            fields_.word_place() == WordPlace::kAddedField, !kind_.tells_words};
  }
  if (!timers->begin(header, word) && reference != nullptr) jni->DeleteGlobalRef(reference);
}

}  // namespace copse::jvm
