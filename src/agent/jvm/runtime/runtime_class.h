// The Java side of the agent (the folders beside this file): defines its classes in the boot loader, binds
// their natives, and starts them.
#pragma once

#include <jvmti.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <mutex>
#include <unordered_set>
#include <vector>

#include "agent/jvm/hotspot/virtual_threads.h"
#include "agent/jvm/ids/stack_check.h"
#include "agent/jvm/measures/allocated_types.h"
#include "agent/jvm/runtime/header_table.h"
#include "agent/jvm/runtime/natives.h"
#include "base/status.h"
#include "cct/inplace/inline_trees.h"
#include "encoders/ids/allocation_counts.h"
#include "encoders/ids/context_ids.h"
#include "shadowstack/packets/recorder.h"

namespace copse::jvm {

class ValueEvents;

// Way in which a probe finds its thread's header.
enum class HeaderAccess {
  kTableByThreadId,  // no change to java.lang.Thread: class data sharing stays on
  kThreadField,      // a field added to java.lang.Thread when that class is loaded
};
inline constexpr const char* kThreadHeaderField = "copse$header";

// Place of a thread's word, for probes that build trees or keep ids (CopseWord.java).
enum class WordPlace : std::uint8_t {
  kAddedField = 1,  // added to java.lang.Thread when that class is loaded
  kStackSize = 2,   // Thread.stackSize, which the JVM reads when the thread starts, up to JDK 18
  kHoldersStackSize = 3,  // Thread.holder.stackSize, from JDK 19 on; virtual threads: header
  kHeader = 4,            // in packet modes, and if words of running threads are read
};
inline constexpr const char* kThreadWordField = "copse$word";
inline constexpr int kFirstJdkWithHolder = 19;

// Kind of probes of a run.
enum class ProbeKind {
  kRecords,  // append call records to packets (record/)
  kTrees,    // build trees in place (tree/)
  kIds,      // keep context ids (id/)
  kIdWords,  // kRecords and kIds at once, and id words in packets (id_word/)
  kValues,   // tell values (value/); threads have no headers
};

class RuntimeClass {
 public:
  // `virtual_threads`: told of threads that probes attach.
  RuntimeClass(HeaderAccess access, WordPlace word, ProbeKind kind, VirtualThreads& virtual_threads)
      : access_(access), word_(word), kind_(kind), natives_(*this, virtual_threads, table_) {}

  // Returns whether the field with a running thread's stack size holds something else.
  bool takes_stack_size() const noexcept {
    return word_ == WordPlace::kStackSize || word_ == WordPlace::kHoldersStackSize;
  }
  ProbeKind kind() const noexcept { return kind_; }
  bool has_word_in_field() const noexcept { return word_ != WordPlace::kHeader; }
  // Returns whether another recording can follow one that has ended. Frames of the first may still run probes,
  // which must do no harm to the second.
  bool can_start_again() const noexcept {
    return kind_ == ProbeKind::kValues ||
           (kind_ == ProbeKind::kTrees && access_ == HeaderAccess::kTableByThreadId);
  }

  // Defines the classes of the kind's probes and CopseThread, unless they are defined. REQUIRES: no
  // instrumented method has run. The first one may run before VMInit: in another agent's premain, or in a class
  // loader of the user that the system loader is made from.
  Status define_probe(JNIEnv* jni);
  // A recording of call records. start() defines the natives' class, binds it to the recording's data, reserves
  // the table, and starts recording. REQUIRES: VMInit or later; the data outlives the JVM and is of the probes'
  // kind.
  struct RecordRun {
    shadowstack::Recorder& recorder;
    std::uint64_t packet_bytes;
    shadowstack::ThreadRecorder& threads;  // the recorder, or its wrapper
    bool words_are_read = false;    // whether other threads read the words of running threads
    bool looks_at_threads = false;  // whether other threads look at running threads
    sampling::CpuTimers* timers = nullptr;  // for each thread; nullptr if none
    // Counts and sizes of all allocations; nullptr unless all are counted.
    context_id::AllocationCounts* allocations = nullptr;
    AllocatedTypes* types = nullptr;
  };
  Status start(jvmtiEnv* jvmti, JNIEnv* jni, const RecordRun& run);
  struct TreeRun {
    cct::InlineTrees& trees;
    shadowstack::ThreadRecorder& threads;  // the recorder of `trees`, or its wrapper
    sampling::CpuTimers* timers;           // for each thread; nullptr if none
    bool looks_at_threads;                 // whether other threads look at running threads
    const MethodTable& methods;            // source of names in excerpts
    // Counts and sizes of all allocations, the same in all recordings; nullptr unless all are counted.
    context_id::AllocationCounts* allocations;
    AllocatedTypes* types;
  };
  // May be called again after a recording has ended: see can_start_again().
  Status start(jvmtiEnv* jvmti, JNIEnv* jni, const TreeRun& run);
  struct IdRun {
    context_id::ContextIds& ids;
    shadowstack::ThreadRecorder& threads;       // the recorder of `ids`, or its wrapper
    bool asking_is_event;                       // whether a call of copse.Context.id() is an event
    sampling::CpuTimers* timers;                // for each thread; nullptr if none
    bool looks_at_threads;                      // whether other threads look at running threads
    context_id::AllocationCounts* allocations;  // nullptr unless all are counted
    AllocatedTypes* types;  // sizes of allocations; nullptr unless all are counted
  };
  Status start(jvmtiEnv* jvmti, JNIEnv* jni, const IdRun& run);
  struct IdWordRun {
    context_id::ContextIds& ids;
    shadowstack::Recorder& recorder;
    std::uint64_t packet_bytes;
    std::uint64_t check_every;  // n: every n-th marked entry of a thread leaves its id word
    std::uint64_t stack_every;  // n: every n-th of these words goes to `stacks`
    StackCheck* stacks;         // nullptr if none does
  };
  Status start(jvmtiEnv* jvmti, JNIEnv* jni, const IdWordRun& run);

  Status start(jvmtiEnv* jvmti, JNIEnv* jni, ValueEvents& events);

  // Sets the check of stacks where ids are used. Called before start(). Without a call no stack is checked.
  void look_with(MissingFrames& missing) noexcept { natives_.missing = &missing; }

  // Returns the class that every rewritten class calls, dotted. is_probe() returns whether `type` is that
  // class.
  const char* probe_name() const noexcept {
    return kind_ == ProbeKind::kValues ? "java.lang.CopseValues"
           : kind_ == ProbeKind::kIds  ? "java.lang.CopseIds"
                                       : "java.lang.CopseProbe";
  }
  bool is_probe(JNIEnv* jni, jobject type) const;
  // Returns the defined classes, ready to be used, except the class that unit tests call. REQUIRES: start() was
  // called.
  std::vector<jclass> classes(JNIEnv* jni) const;

  // Returns the class that has beginNative() (native_probes.h).
  jclass native_probes() const noexcept {
    return kind_ == ProbeKind::kIds ? ids_ : kind_ == ProbeKind::kIdWords ? id_words_ : probe_;
  }
  // word_field() is the field with a thread's word; nullptr if the word is in the header. word_holder() is
  // Thread's field with the object that has it; nullptr if that is the thread itself. REQUIRES: start() was
  // called.
  jfieldID word_field() const noexcept { return word_field_; }
  jfieldID word_holder() const noexcept { return holder_field_; }
  // copse.CopseNative. REQUIRES: start() was called.
  jclass natives_class() const noexcept { return natives_class_; }

  // Keeps calls of the running thread from being counted during its lifetime, for code of the program that runs
  // on behalf of the agent. Frames that were live before are still counted.
  class Unrecorded {
   public:
    Unrecorded(const RuntimeClass& runtime, jvmtiEnv* jvmti, JNIEnv* jni);
    ~Unrecorded();
    Unrecorded(const Unrecorded&) = delete;
    Unrecorded& operator=(const Unrecorded&) = delete;

    // Returns whether calls of the running thread are not counted at the moment.
    static bool holds() noexcept;

   private:
    const RuntimeClass& runtime_;
    JNIEnv* const jni_;
    jthread thread_ = nullptr;
    shadowstack::ThreadHeader* header_ = nullptr;
    jlong word_ = 0;
    const bool was_unrecorded_;
  };

  // Gives the running thread its header in ThreadStart, before it makes a call. The path on which probes ask
  // for a header is then never taken, and compilers leave it out.
  void attach(JNIEnv* jni, jthread thread) const;
  // Returns the JVM's id of the thread.
  std::int64_t id_of(JNIEnv* jni, jthread thread) const {
    return jni->GetLongField(thread, natives_.thread_id_field);
  }
  // Returns the header of a thread; nullptr if it has none. Callable from event callbacks on any thread.
  shadowstack::ThreadHeader* header_of(JNIEnv* jni, jthread thread) const;
  // Returns the context word of a thread; ROOT's word if there is none. `header`: the thread's header; nullptr
  // if none. REQUIRES: the thread is the running one, or does not run meanwhile.
  std::uint64_t word_of(JNIEnv* jni, jthread thread, const shadowstack::ThreadHeader* header) const;
  // Returns the headers of virtual threads that made a recorded call and have not ended, whether a carrier runs
  // them or none. REQUIRES: the recording looks at threads. Throws std::bad_alloc.
  std::vector<const shadowstack::ThreadHeader*> headers_of_virtual_threads() const;
  // Returns the thread with this header, a local reference; nullptr if it has ended.
  jthread virtual_thread_of(JNIEnv* jni, const shadowstack::ThreadHeader& header) const;
  // Begins the running thread's samples, if the recording takes any. A virtual thread uses the samples of its
  // carriers. From now on it can be found by its header, if the recording looks at threads.
  void let_be_seen(JNIEnv* jni, jthread thread, shadowstack::ThreadHeader* header) const;
  // Forgets a virtual thread that has ended.
  void forget_virtual(JNIEnv* jni, shadowstack::ThreadHeader& header) const;
  // Unbinds a thread that ended from its header.
  void forget(JNIEnv* jni, jthread thread);

 private:
  Status define_classes(JNIEnv* jni);
  // Calls the class's start() with `operands`, its long parameters.
  static Status start_class(JNIEnv* jni, jclass type,
                            std::initializer_list<std::uint64_t> operands);
  Status start_ids(JNIEnv* jni, const context_id::ContextIds& ids);
  Status start_words(JNIEnv* jni);
  Status find_word_offset(JNIEnv* jni);
  // Starts what all kinds have in common. Called last.
  Status start_threads(jvmtiEnv* jvmti, JNIEnv* jni, shadowstack::ThreadRecorder& threads);
  bool threads_attach_themselves() const noexcept;
  void begin_samples(JNIEnv* jni, jthread thread, shadowstack::ThreadHeader& header) const;
  void refer_to_virtual(JNIEnv* jni, jthread thread, shadowstack::ThreadHeader& header) const;
  Status start_allocations(jvmtiEnv* jvmti, JNIEnv* jni, context_id::AllocationCounts* counts,
                           AllocatedTypes* types, std::uint64_t packet_bytes = 0);
  void attach_live_threads(JNIEnv* jni) const;
  bool has_words() const noexcept {
    return kind_ != ProbeKind::kRecords && kind_ != ProbeKind::kValues;
  }
  void start_again(const TreeRun& run) noexcept;
  void bind(JNIEnv* jni, jthread thread, shadowstack::ThreadHeader* header) const;
  Status find_word(JNIEnv* jni, jclass thread);
  jobject owner_of_word(JNIEnv* jni, jthread thread) const;
  void set_word(JNIEnv* jni, jthread thread, jlong word) const;

  const HeaderAccess access_;
  const WordPlace word_;
  const ProbeKind kind_;
  std::mutex define_mutex_;
  bool defined_ = false;  // guarded by define_mutex_
  jclass word_class_ = nullptr;
  jclass tree_ = nullptr;
  jclass excerpts_ = nullptr;
  jclass probe_ = nullptr;  // CopseProbe; global references from here; nullptr: not of this kind
  jclass ids_ = nullptr;
  jclass allocations_ = nullptr;
  jclass throws_ = nullptr;
  jclass id_words_ = nullptr;
  jclass values_ = nullptr;
  jclass thread_finder_ = nullptr;
  jclass natives_class_ = nullptr;   // set by start()
  jfieldID thread_field_ = nullptr;  // Thread.tid or the added field
  jfieldID holder_field_ = nullptr;  // with WordPlace::kHoldersStackSize
  jfieldID word_field_ = nullptr;    // nullptr with WordPlace::kHeader
  std::uint64_t word_offset_ = 0;    // offset of word_field_; 0 if not known yet
  HeaderTable table_;                // reserved with kTableByThreadId
  Natives natives_;                  // filled in by start()
  // Guards ThreadHeader::self. Held while another thread uses the reference, and when it is freed.
  mutable std::mutex references_mutex_;
  // Headers of virtual threads with a reference, in a recording that looks at threads. Guarded by
  // references_mutex_.
  mutable std::unordered_set<const shadowstack::ThreadHeader*> virtual_headers_;
};

}  // namespace copse::jvm
