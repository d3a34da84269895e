// The Java side of the agent (the folders beside this): defined into the boot loader, its natives bound, started.
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

// How a probe finds its thread's header.
enum class HeaderAccess {
  kTableByThreadId,  // no change to java.lang.Thread: class data sharing stays on
  kThreadField,      // a field added to java.lang.Thread when that class is loaded
};
inline constexpr const char* kThreadHeaderField = "copse$header";

// Where probes that build trees or keep ids have a thread's word (CopseWord.java).
enum class WordPlace : std::uint8_t {
  kAddedField = 1,  // added to java.lang.Thread when that class is loaded
  kStackSize = 2,   // Thread.stackSize, which the JVM reads when the thread starts, up to JDK 18
  kHoldersStackSize = 3,  // that of Thread.holder, from JDK 19 on; of virtual threads in the header
  kHeader = 4,  // of probes that fill packets, and where words are read while their threads run
};
inline constexpr const char* kThreadWordField = "copse$word";
inline constexpr int kFirstJdkWithHolder = 19;

// What the probes of a run do.
enum class ProbeKind {
  kRecords,  // append call records to packets (record/)
  kTrees,    // build trees in place (tree/)
  kIds,      // keep context ids (id/)
  kIdWords,  // kRecords and kIds at once, and id words in packets (id_word/)
  kValues,   // tell values (value/); threads have no headers
};

class RuntimeClass {
 public:
  // `virtual_threads` is told of threads that probes attach.
  RuntimeClass(HeaderAccess access, WordPlace word, ProbeKind kind, VirtualThreads& virtual_threads)
      : access_(access), word_(word), kind_(kind), natives_(*this, virtual_threads, table_) {}

  // Whether the size of a running thread's stack is no longer to be found where it was.
  bool takes_stack_size() const noexcept {
    return word_ == WordPlace::kStackSize || word_ == WordPlace::kHoldersStackSize;
  }
  ProbeKind kind() const noexcept { return kind_; }
  bool has_word_in_field() const noexcept { return word_ != WordPlace::kHeader; }
  // Whether a recording that has ended can be followed by another one: frames of the first may
  // still run probes, which must do no harm to the second.
  bool can_start_again() const noexcept {
    return kind_ == ProbeKind::kValues ||
           (kind_ == ProbeKind::kTrees && access_ == HeaderAccess::kTableByThreadId);
  }

  // Defines the classes of the kind's probes and CopseThread, unless they are there. They must
  // exist before the first instrumented method runs, which may be before VMInit: other agents'
  // premain, a class loader of the user's that the system one is made from.
  Status define_probe(JNIEnv* jni);
  // From VMInit on: defines the natives' class, binds them to what records, reserves the table, and
  // starts recording. It must outlive the JVM, and be of the probes' kind.
  struct RecordRun {
    shadowstack::Recorder& recorder;
    std::uint64_t packet_bytes;
    shadowstack::ThreadRecorder& threads;   // the recorder, or who stands before it
    bool words_are_read = false;            // while their threads run
    bool looks_at_threads = false;          // as well
    sampling::CpuTimers* timers = nullptr;  // of each thread, or null
    // Null, or where all allocations are counted, and of what size they are.
    context_id::AllocationCounts* allocations = nullptr;
    AllocatedTypes* types = nullptr;
  };
  Status start(jvmtiEnv* jvmti, JNIEnv* jni, const RecordRun& run);
  struct TreeRun {
    cct::InlineTrees& trees;
    shadowstack::ThreadRecorder& threads;  // those of `trees`, or who stands before them
    sampling::CpuTimers* timers;           // of each thread, or null
    bool looks_at_threads;                 // while they run
    const MethodTable& methods;            // named in excerpts
    // Null, or where all allocations are counted, and of what size they are: the same in all
    // recordings.
    context_id::AllocationCounts* allocations;
    AllocatedTypes* types;
  };
  // May be called again when the recording before has ended: see can_start_again().
  Status start(jvmtiEnv* jvmti, JNIEnv* jni, const TreeRun& run);
  struct IdRun {
    context_id::ContextIds& ids;
    shadowstack::ThreadRecorder& threads;       // those of `ids`, or who stands before them
    bool asking_is_event;                       // calls of copse.Context.id() are
    sampling::CpuTimers* timers;                // of each thread, or null
    bool looks_at_threads;                      // while they run
    context_id::AllocationCounts* allocations;  // null, or where all are counted
    AllocatedTypes* types;                      // null as well, or of what size they are
  };
  Status start(jvmtiEnv* jvmti, JNIEnv* jni, const IdRun& run);
  struct IdWordRun {
    context_id::ContextIds& ids;
    shadowstack::Recorder& recorder;
    std::uint64_t packet_bytes;
    std::uint64_t check_every;  // of a thread's marked entries one in so many leaves its id word
    std::uint64_t stack_every;  // of these words one in so many goes to `stacks`
    StackCheck* stacks;         // null: none does
  };
  Status start(jvmtiEnv* jvmti, JNIEnv* jni, const IdWordRun& run);

  Status start(jvmtiEnv* jvmti, JNIEnv* jni, ValueEvents& events);

  // Before start(): who looks at the stack where an id is used. Nobody unless told.
  void look_with(MissingFrames& missing) noexcept { natives_.missing = &missing; }

  // A class that every rewritten class calls, as Java spells it, and whether this is it.
  const char* probe_name() const noexcept {
    return kind_ == ProbeKind::kValues ? "java.lang.CopseValues"
           : kind_ == ProbeKind::kIds  ? "java.lang.CopseIds"
                                       : "java.lang.CopseProbe";
  }
  bool is_probe(JNIEnv* jni, jobject type) const;
  // Those that are defined, but for what unit tests call, and ready to be used. Since start().
  std::vector<jclass> classes(JNIEnv* jni) const;

  // The class that has beginNative() (native_probes.h).
  jclass native_probes() const noexcept {
    return kind_ == ProbeKind::kIds ? ids_ : kind_ == ProbeKind::kIdWords ? id_words_ : probe_;
  }
  // The field with a thread's word, nullptr if the word is in the header; and Thread's field with the object
  // that has it, nullptr if it is the thread itself. Since start().
  jfieldID word_field() const noexcept { return word_field_; }
  jfieldID word_holder() const noexcept { return holder_field_; }
  // copse.CopseNative. Since start().
  jclass natives_class() const noexcept { return natives_class_; }

  // While it lives, what the running thread calls is not counted: for code of the program's that
  // runs on our account. Frames that were live before are not concerned.
  class Unrecorded {
   public:
    Unrecorded(const RuntimeClass& runtime, jvmtiEnv* jvmti, JNIEnv* jni);
    ~Unrecorded();
    Unrecorded(const Unrecorded&) = delete;
    Unrecorded& operator=(const Unrecorded&) = delete;

    // Whether the running thread's calls are not counted at the moment.
    static bool holds() noexcept;

   private:
    const RuntimeClass& runtime_;
    JNIEnv* const jni_;
    jthread thread_ = nullptr;
    shadowstack::ThreadHeader* header_ = nullptr;
    jlong word_ = 0;
    const bool was_unrecorded_;
  };

  // ThreadStart: gives the running thread its header before it makes a call, so that the path on
  // which probes ask for one is never taken and compilers leave it out.
  void attach(JNIEnv* jni, jthread thread) const;
  // What the JVM calls the thread by.
  std::int64_t id_of(JNIEnv* jni, jthread thread) const {
    return jni->GetLongField(thread, natives_.thread_id_field);
  }
  // The header of a thread; null when it has none. Callable from event callbacks on any thread.
  shadowstack::ThreadHeader* header_of(JNIEnv* jni, jthread thread) const;
  // The context word of a thread that has this header, or null. The running thread's, or of one that
  // does not run meanwhile; ROOT's where there is none.
  std::uint64_t word_of(JNIEnv* jni, jthread thread, const shadowstack::ThreadHeader* header) const;
  // Of a recording that looks at threads: the headers of virtual threads that made a recorded call and
  // have not ended, whether a carrier runs them or none. Throws std::bad_alloc.
  std::vector<const shadowstack::ThreadHeader*> headers_of_virtual_threads() const;
  // The one that has this header, a local reference; null when it has ended.
  jthread virtual_thread_of(JNIEnv* jni, const shadowstack::ThreadHeader& header) const;
  // The running thread's samples begin, if the recording takes any. A virtual thread has those of its
  // carriers; it can be found by its header from now on, where somebody looks for it.
  void let_be_seen(JNIEnv* jni, jthread thread, shadowstack::ThreadHeader* header) const;
  // A virtual thread has ended.
  void forget_virtual(JNIEnv* jni, shadowstack::ThreadHeader& header) const;
  // Unbinds a thread that ended from its header.
  void forget(JNIEnv* jni, jthread thread);

 private:
  Status define_classes(JNIEnv* jni);
  // Calls the class's start(), which takes these longs.
  static Status start_class(JNIEnv* jni, jclass type,
                            std::initializer_list<std::uint64_t> operands);
  Status start_ids(JNIEnv* jni, const context_id::ContextIds& ids);
  Status start_words(JNIEnv* jni);
  Status find_word_offset(JNIEnv* jni);
  // What all kinds have in common, last.
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
  bool defined_ = false;  // under define_mutex_
  jclass word_class_ = nullptr;
  jclass tree_ = nullptr;
  jclass excerpts_ = nullptr;
  jclass probe_ = nullptr;  // CopseProbe; global references, as all below; null: not of this kind
  jclass ids_ = nullptr;
  jclass allocations_ = nullptr;
  jclass throws_ = nullptr;
  jclass id_words_ = nullptr;
  jclass values_ = nullptr;
  jclass thread_finder_ = nullptr;
  jclass natives_class_ = nullptr;   // since start()
  jfieldID thread_field_ = nullptr;  // Thread.tid or the added field
  jfieldID holder_field_ = nullptr;  // with WordPlace::kHoldersStackSize
  jfieldID word_field_ = nullptr;    // null with WordPlace::kHeader
  std::uint64_t word_offset_ = 0;    // of that field; 0: not known yet
  HeaderTable table_;                // reserved with kTableByThreadId
  Natives natives_;                  // since start()
  // Of ThreadHeader::self: held where one is used by another thread, or goes.
  mutable std::mutex references_mutex_;
  // Of a recording that looks at threads those that have one; under references_mutex_.
  mutable std::unordered_set<const shadowstack::ThreadHeader*> virtual_headers_;
};

}  // namespace copse::jvm
