// The Java side of the agent (the folders beside this file): defines the classes of one kind of probes in the boot
// loader, binds their natives, starts them, and gives threads their headers.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <initializer_list>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "agent/jvm/hotspot/virtual_threads.h"
#include "agent/jvm/runtime/natives.h"
#include "agent/jvm/runtime/probe_kind.h"
#include "agent/jvm/runtime/thread_fields.h"
#include "agent/jvm/runtime/virtual_references.h"
#include "base/status.h"
#include "shadowstack/packets/thread_recorder.h"
#include "shadowstack/sampling/cpu_timers.h"

namespace copse::jvm {

class RuntimeClass {
 public:
  // `virtual_threads`: told of threads that probes attach.
  RuntimeClass(jvmtiEnv* jvmti, HeaderAccess access, WordPlace word, const ProbeKind& kind,
               VirtualThreads& virtual_threads)
      : jvmti_(jvmti),
        kind_(kind),
        fields_(access, word),
        natives_(jvmti, *this, virtual_threads, fields_.table()) {}

  // Returns all classes of java.lang that make up a kind's probes, in the order in which they are defined.
  static std::vector<ProbeKind::JavaClass> classes_of(const ProbeKind& kind);

  const ProbeKind& kind() const noexcept { return kind_; }
  const ThreadFields& fields() const noexcept { return fields_; }
  // Returns whether the field with a running thread's stack size holds something else.
  bool takes_stack_size() const noexcept {
    return fields_.word_place() == WordPlace::kStackSize ||
           fields_.word_place() == WordPlace::kHoldersStackSize;
  }
  bool tells_words() const noexcept { return kind_.tells_words; }
  bool has_word_in_field() const noexcept { return fields_.word_place() != WordPlace::kHeader; }
  // Returns whether a signal's handler finds the word in its field through references of JNI, tried with the running
  // thread's; true while the field's offset is not known. The thread's word is the same afterwards.
  bool can_read_words(JNIEnv* jni) const;
  // Returns whether words had to stay out of their field, or processor time unsampled, because of this.
  bool words_were_unreadable() const noexcept { return words_were_unreadable_; }
  // Returns whether another recording can follow one that has ended. Frames of the first may still run probes,
  // which must do no harm to the second.
  bool can_start_again() const noexcept {
    return kind_.can_start_again && fields_.access() == HeaderAccess::kTableByThreadId;
  }

  // Defines the classes of the kind's probes, unless they are defined. REQUIRES: no instrumented method has run.
  Status define_probe(JNIEnv* jni);
  // Calls start() of one of the kind's classes with `operands`, its long parameters. REQUIRES: define_probe() was
  // called; VMInit or later.
  Status start_class(JNIEnv* jni, std::string_view name,
                     std::initializer_list<std::uint64_t> operands) const;
  // Defines copse.CopseNative and binds it to the natives, whose data is there. Called once in a process, by
  // start_threads() for kinds whose threads have headers. REQUIRES: as for start_class().
  Status bind(JNIEnv* jni);

  // Threads of a recording. The data outlives the JVM.
  struct Threads {
    shadowstack::ThreadRecorder& recorder;
    sampling::CpuTimers* timers = nullptr;  // for each thread; nullptr if none
    bool are_looked_at = false;             // whether other threads look at running threads
  };
  // Gives live threads their headers and starts recording. Called when the kind's own classes are started.
  Status start_threads(JNIEnv* jni, const Threads& threads);
  // Goes on with the threads of another recording. Called before the program's classes get their probes.
  // REQUIRES: can_start_again(), and has_started().
  Status start_again(JNIEnv* jni, const Threads& threads);
  bool has_started() const noexcept { return natives_class_ != nullptr; }

  // Returns the class that every rewritten class calls, dotted. is_probe() returns whether `type` is that
  // class.
  std::string probe_name() const { return std::string("java.lang.") + kind_.entry_class; }
  bool is_probe(JNIEnv* jni, jobject type) const;
  // Returns the defined classes, ready to be used, except those that unit tests call. REQUIRES: has_started().
  std::vector<jclass> classes(JNIEnv* jni) const;
  // Returns a class of the kind. REQUIRES: define_probe() was called.
  jclass class_named(std::string_view name) const noexcept;
  // copse.CopseNative. REQUIRES: has_started().
  jclass natives_class() const noexcept { return natives_class_; }

  // Gives the running thread its header in ThreadStart, before it makes a call. The path on which probes ask
  // for a header is then never taken, and compilers leave it out.
  void attach(JNIEnv* jni, jthread thread);
  // Clears the field for the words of threads without a header, which may still have the size of a stack. Sizes
  // of 2 GiB and more look like words. Called before these threads run probes, or while they do.
  void clear_words(JNIEnv* jni);
  void clear_word(JNIEnv* jni, jthread thread);
  // Begins the running thread's samples, if the recording takes any. A virtual thread uses the samples of its
  // carriers. From now on it can be found by its header, if the recording looks at threads.
  void let_be_seen(JNIEnv* jni, jthread thread, shadowstack::ThreadHeader* header);
  // Unbinds a thread that ended from its header. forget_virtual() forgets a virtual thread.
  void forget(JNIEnv* jni, jthread thread) { fields_.forget(jni, thread); }
  void forget_virtual(JNIEnv* jni, shadowstack::ThreadHeader& header) {
    references_.drop(jni, header);
  }

  // See thread_fields.h.
  std::int64_t id_of(JNIEnv* jni, jthread thread) const { return fields_.id_of(jni, thread); }
  std::string name_of(JNIEnv* jni, jthread thread) const { return fields_.name_of(jni, thread); }
  shadowstack::ThreadHeader* header_of(JNIEnv* jni, jthread thread) const {
    return fields_.header_of(jni, thread);
  }
  std::uint64_t word_of(JNIEnv* jni, jthread thread,
                        const shadowstack::ThreadHeader* header) const {
    return fields_.word_of(jni, thread, header);
  }
  // Returns the headers of virtual threads that made a recorded call and have not ended, whether a carrier runs
  // them or none. REQUIRES: the recording looks at threads. Throws std::bad_alloc.
  std::vector<const shadowstack::ThreadHeader*> headers_of_virtual_threads() const {
    return references_.all();
  }
  // Returns the thread with this header, a local reference; nullptr if it has ended.
  jthread virtual_thread_of(JNIEnv* jni, const shadowstack::ThreadHeader& header) const {
    return references_.thread_of(jni, header);
  }

 private:
  struct Defined {
    const char* name;
    jclass type;  // a global reference
    bool is_for_tests;
  };

  Status define(JNIEnv* jni, const ProbeKind::JavaClass& what);
  Status define_classes(JNIEnv* jni);
  Status start_finder(JNIEnv* jni) const;
  Status start_words(JNIEnv* jni, const Threads& threads);
  Status try_field(JNIEnv* jni);
  Status try_reading(JNIEnv* jni);
  bool threads_attach_themselves() const noexcept;
  void attach_live_threads(JNIEnv* jni);
  void begin_samples(JNIEnv* jni, jthread thread, shadowstack::ThreadHeader& header) const;

  jvmtiEnv* const jvmti_;
  const ProbeKind& kind_;
  std::mutex define_mutex_;
  bool defined_ = false;            // guarded by define_mutex_
  std::vector<Defined> classes_;    // constant once defined_
  jclass natives_class_ = nullptr;  // set by bind()
  ThreadFields fields_;
  std::uint64_t word_offset_ = 0;  // offset of the word's field; 0 if not known yet
  bool words_were_unreadable_ = false;
  Natives natives_;  // filled in by start_threads()
  VirtualReferences references_;
};

}  // namespace copse::jvm
