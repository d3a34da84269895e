// Work of the natives of value probes: events are numbered and put into the stream in the order in which they
// happen.
//
// One lock guards everything, because an event's place in the stream is its time, across all threads. A thread
// that holds the lock waits for the reader of the stream, and so does every thread that comes to a probe. No
// code of the program runs under the lock, and no Java monitor is taken. For collections the JVM stops such
// threads like any other in native code.
//
// A constructor whose superclass's constructor throws ends where no probe can stand. The next event of its
// thread looks up whether the constructor still runs; if not, its end is placed there.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "agent/jvm/values/caller_code.h"
#include "agent/jvm/values/declaring_classes.h"
#include "agent/jvm/values/value_choice.h"
#include "agent/jvm/values/value_contexts.h"
#include "agent/jvm/values/value_objects.h"
#include "base/ids.h"
#include "base/status.h"
#include "ptql/stream/value_writer.h"

namespace copse::jvm {

class ValueEvents {
 public:
  ValueEvents(jvmtiEnv* jvmti, ClassLoaders& loaders, const ValueChoice& choice);

  // --- Before and while it records; any thread.

  struct Method {
    stream::MethodRow row;  // without its declaring class, which is not known yet
    std::uint32_t parameters = 0;
    bool is_void = false;
    bool is_jdk = false;
    bool calls_super = false;  // a constructor that calls super() or this()
  };
  void add_method(MethodId id, Method method);
  // Notes that a class may get other code.
  void code_changes() noexcept { callers_.forget(); }

  // Starts the stream. Events come from now on; if `waits`, from begin() on.
  Status start(JavaVM* vm, JNIEnv* jni, std::unique_ptr<stream::BlockOutput> output,
               const stream::ValueProgram& program, bool waits);
  void begin();
  void flush();
  // Totals of the stream.
  struct Totals {
    std::uint64_t events = 0;
    std::uint64_t lost = 0;
    std::uint64_t bytes = 0;
  };
  // Counts an event that could not be recorded.
  void lose() noexcept;
  // Ends the stream. No event comes any more.
  Status finish(std::vector<std::string> notes, Totals& totals);
  // Releases everything, because the program goes on without Copse. REQUIRES: finish() was called.
  void leave();

  // --- The probes. `thread`: the running one.

  // Takes an argument of the method that is about to be entered (value_probes.h).
  void take(jint parameter, ptql::Value value);
  void take_object(JNIEnv* jni, jthread thread, jint parameter, jobject value);
  // Returns the invocation; 0 if it is not recorded.
  jlong entered(JNIEnv* jni, jthread thread, jobject receiver, jint method);
  // `invocation`: 0 if it is not recorded. These functions then do nothing.
  void constructed(JNIEnv* jni, jthread thread, jobject object, jlong invocation);
  void returned(JNIEnv* jni, jthread thread, const ptql::Value& result, jlong invocation);
  void returned_object(JNIEnv* jni, jthread thread, jobject result, jlong invocation);
  void thrown(JNIEnv* jni, jthread thread, jobject exception, jlong invocation);

 private:
  struct Known {
    Method method;
    std::vector<AskedPlace> places{};  // all places that its invocations can be
    bool always = false;               // recorded even if the gates are closed
    ValueWants wants{};                // parts that open places want
    std::size_t decided_at = 0;        // ValueGates::changes() when `wants` was made
    enum class State : std::uint8_t { kNew, kRecorded, kNot } state = State::kNew;
    std::uint32_t number = 0;
  };
  // A constructor that waits for the constructor of its superclass.
  struct Constructor {
    std::uint64_t invocation;
    jint height;  // of its frame, from the outermost, which is 1
    jmethodID method;
  };

  // Returns what a frame keeps of its invocation: the number, and whether the text of its result is wanted.
  static jlong for_frame(std::uint64_t number, bool result_text) {
    return static_cast<jlong>(number << 1 | (result_text ? 1 : 0));
  }
  static bool wants_result_text(jlong invocation) { return (invocation & 1) != 0; }
  // Returns the number in the stream; 0 for an invocation of an earlier recording, whose frames live on.
  std::uint64_t in_stream(jlong invocation) const {
    const auto number = static_cast<std::uint64_t>(invocation) >> 1;
    return number > before_ ? number - before_ : 0;
  }
  bool has_stream() const { return writer_ != nullptr && !ended_; }
  bool records() const { return has_stream() && !waits_; }
  bool is_writable() const { return records() && writer_->failure().ok(); }
  void decide(JNIEnv* jni, Known& known);
  void look_at_gates(Known& known);
  void decide_type(ValueObjects::Type& type) const;
  std::uint64_t thread_number(JNIEnv* jni, jthread thread);
  // Writes a new thread's name for readers of answers. Names that queries ask for are written at each event.
  void introduce(JNIEnv* jni, jthread thread, std::uint64_t number);
  void tell_thread_name(JNIEnv* jni, jthread thread, std::uint64_t number);
  // Returns 0, or 1 plus the number of the context, which is written if new.
  std::uint64_t context(JNIEnv* jni, ValueContexts::Of of, bool whole, bool near);
  // Adds the caller of the method that is being entered, and the use of its result. REQUIRES: context() was called.
  void add_caller(JNIEnv* jni, const Known& known, stream::EnteredRow& row);
  // Returns an object's number with the value in a box and, if asked for, the text of a String.
  ptql::Value value_of(JNIEnv* jni, jthread thread, jobject object, bool with_text);
  // `is_new`: the object's constructor reports it.
  ValueObjects::Seen meet(JNIEnv* jni, jthread thread, jobject object, bool is_new);
  std::string text_of(JNIEnv* jni, jstring text);
  void tell_allocation(JNIEnv* jni, jthread thread, const ValueObjects::Seen& object, bool is_new);
  ValueObjects::Seen see(JNIEnv* jni, jobject object);
  std::uint32_t number_of(ValueObjects::Type& type);
  void tell_time();
  void tell_end(JNIEnv* jni, jthread thread, std::uint64_t invocation);
  void wait_for_super(std::uint64_t thread, std::uint64_t invocation);
  void end_lost_constructors(JNIEnv* jni, std::uint64_t thread, bool at_entry);
  void forget_constructor(std::uint64_t thread, std::uint64_t invocation);

  jvmtiEnv* const jvmti_;
  const ValueChoice& choice_;

  mutable std::mutex mutex_;  // guards the members below
  ValueObjects objects_;
  ValueContexts contexts_;
  DeclaringClasses declaring_classes_;
  CallerCode callers_;
  ValueGates gates_;
  std::unique_ptr<stream::ValueWriter> writer_;  // set by start()
  bool waits_ = false;                           // for begin()
  bool ended_ = false;
  std::uint64_t lost_ = 0;  // entries since the output failed
  std::uint64_t cut_texts_ = 0;
  std::int64_t started_ms_ = 0;
  // Number of invocations of all earlier recordings. A frame keeps its number in the stream plus this number.
  std::uint64_t before_ = 0;
  jfieldID thread_id_ = nullptr;
  jfieldID thread_name_ = nullptr;
  std::unordered_set<std::uint64_t> introduced_;  // threads, by number
  std::unordered_map<std::uint32_t, Known> methods_;
  std::unordered_map<std::uint64_t, std::vector<Constructor>> constructors_;  // by thread
  std::vector<jchar> characters_;                                             // scratch
};

}  // namespace copse::jvm
