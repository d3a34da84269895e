#include "agent/jvm/values/value_events.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <utility>

#include "agent/jvm/jvm_names.h"
#include "agent/jvm/values/object_methods.h"
#include "agent/jvm/values/replaced_bodies.h"
#include "base/grouped.h"
#include "base/utf8.h"
#include "probes/value_probes.h"

namespace copse::jvm {
namespace {

using ptql::Value;

// The probe's own: the native method, and that of CopseValues which calls it.
constexpr jint kFramesOfProbe = 2;
// UTF-16 units that are copied of a String.
constexpr jsize kMostText = 65'536;

// Arguments that were taken for the method that the thread is about to enter. Between the two
// nothing else runs on it.
thread_local std::vector<Value> t_taken;

// The last thread that this one was, virtual threads included.
struct LastThread {
  const void* of = nullptr;  // whose numbers they are
  jlong id = 0;
  std::uint64_t number = 0;
  std::uint64_t named = 0;  // the thread whose name is the one below
  std::string name;
};
thread_local LastThread t_last;

// Number of invocations in all recordings of the process.
std::atomic<std::uint64_t> g_invocations{0};

stream::ResultUse told(classfile::ResultUse use) {
  switch (use) {
    case classfile::ResultUse::kUsed:
      return stream::ResultUse::kUsed;
    case classfile::ResultUse::kIgnored:
      return stream::ResultUse::kIgnored;
    case classfile::ResultUse::kUnknown:
      break;
  }
  return stream::ResultUse::kUnknown;
}

std::int64_t steady_ms() noexcept {
  using std::chrono::duration_cast;
  using std::chrono::milliseconds;
  return duration_cast<milliseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

ValueEvents::ValueEvents(jvmtiEnv* jvmti, ClassLoaders& loaders, const ValueChoice& choice)
    : jvmti_(jvmti),
      choice_(choice),
      contexts_(jvmti, loaders),
      declaring_classes_(jvmti),
      callers_(jvmti),
      gates_(choice.gates()) {}

void ValueEvents::add_method(MethodId id, Method method) {
  const std::lock_guard lock(mutex_);
  methods_.try_emplace(raw(id), Known{.method = std::move(method)});
}

Status ValueEvents::start(JavaVM* vm, JNIEnv* jni, std::unique_ptr<stream::BlockOutput> output,
                          const stream::ValueProgram& program, bool waits) {
  const std::lock_guard lock(mutex_);
  waits_ = waits;
  std::function<void(std::uint64_t)> died;
  if (choice_.any_objects()) {
    died = [this](std::uint64_t object) {
      const std::lock_guard event_lock(mutex_);
      if (!is_writable()) return;
      tell_time();
      writer_->died(object);
    };
  }
  if (Status status = objects_.start(vm, jni, std::move(died)); !status) return status;
  const jclass thread = jni->FindClass("java/lang/Thread");
  thread_id_ = thread == nullptr ? nullptr : jni->GetFieldID(thread, "tid", "J");
  if (thread_id_ != nullptr) thread_name_ = jni->GetFieldID(thread, "name", "Ljava/lang/String;");
  if (thread_name_ == nullptr) {
    jni->ExceptionClear();
    return Status::error(Fault::kUnsupported,
                         "this JVM: java.lang.Thread has no field for id or name");
  }
  jni->DeleteLocalRef(thread);
  started_ms_ = steady_ms();
  before_ = g_invocations.load();
  writer_ = std::make_unique<stream::ValueWriter>(std::move(output), program);
  return {};
}

void ValueEvents::begin() {
  const std::lock_guard lock(mutex_);
  waits_ = false;
  started_ms_ = steady_ms();
}

void ValueEvents::flush() {
  const std::lock_guard lock(mutex_);
  if (!has_stream()) return;
  writer_->flush();
  bool is_closed = false;
  for (const std::uint32_t query : writer_->take_done_queries()) {
    if (const auto gate = choice_.gate_of(query)) {
      gates_.close(*gate);
      is_closed = true;
    }
  }
  if (is_closed) objects_.make_again([this](ValueObjects::Type& type) { decide_type(type); });
}

void ValueEvents::lose() noexcept {
  const std::lock_guard lock(mutex_);
  ++lost_;
}

Status ValueEvents::finish(std::vector<std::string> notes, Totals& totals) {
  const std::lock_guard lock(mutex_);
  if (!has_stream()) return {};
  ended_ = true;
  const Status first_failure = writer_->failure();
  if (contexts_.cut() > 0) {
    notes.insert(notes.begin(),
                 counted(contexts_.cut(), "context") +
                     " of more than 1,024 frames: the innermost are there, behind \"...\", so that "
                     "what under() and GLOB ask of the others is not seen");
  }
  const Status ended =
      writer_->finish({.lost_events = lost_, .cut_texts = cut_texts_, .notes = std::move(notes)});
  totals.lost = lost_ + writer_->lost_events();
  totals.events = writer_->events() - writer_->lost_events();
  totals.bytes = writer_->bytes();
  return first_failure.ok() ? ended : first_failure;
}

void ValueEvents::leave() {
  const std::lock_guard lock(mutex_);
  objects_.leave();
}

// --- What an event is made of. All under the lock.

void ValueEvents::tell_time() { writer_->time(steady_ms() - started_ms_); }

std::uint64_t ValueEvents::thread_number(JNIEnv* jni, jthread thread) {
  const jlong id = jni->GetLongField(thread, thread_id_);
  if (id == 0) return objects_.number(thread);  // its constructor runs
  if (id != t_last.id || t_last.of != this) {
    if (t_last.of != this) t_last = {};
    t_last.of = this;
    t_last.id = id;
    t_last.number = objects_.number(thread);
    introduce(jni, thread, t_last.number);
  }
  return t_last.number;
}

void ValueEvents::introduce(JNIEnv* jni, jthread thread, std::uint64_t number) {
  if (introduced_.contains(number)) return;
  const auto name = static_cast<jstring>(jni->GetObjectField(thread, thread_name_));
  if (name == nullptr) return;
  const bool has_one = jni->GetStringLength(name) > 0;  // most virtual threads have none
  jni->DeleteLocalRef(name);
  if (!has_one) return;
  introduced_.insert(number);
  tell_thread_name(jni, thread, number);
}

void ValueEvents::tell_thread_name(JNIEnv* jni, jthread thread, std::uint64_t number) {
  const auto name = static_cast<jstring>(jni->GetObjectField(thread, thread_name_));
  if (name == nullptr) return;
  std::string text = text_of(jni, name);
  jni->DeleteLocalRef(name);
  if (t_last.named == number && t_last.name == text) return;
  t_last.named = number;
  t_last.name = std::move(text);
  writer_->thread_name(number, t_last.name);
}

std::uint64_t ValueEvents::context(JNIEnv* jni, ValueContexts::Of of, bool whole, bool near) {
  if (!whole && !near) return 0;
  const ValueContexts::Context found =
      whole ? contexts_.current(jni, kFramesOfProbe, of)
            : contexts_.near(jni, kFramesOfProbe, of, choice_.near_frames());
  if (found.is_new) writer_->add_context(found.text);
  return std::uint64_t{found.number} + 1;
}

void ValueEvents::add_caller(JNIEnv* jni, const Known& known, stream::EnteredRow& row) {
  const ValueWants& wants = known.wants;
  const bool wants_use = wants.result_use && !known.method.is_void;
  if (!wants_use && !wants.caller) return;
  const auto frame = contexts_.caller(kFramesOfProbe, wants.context || wants.near_context);
  if (!frame) return;
  if (wants_use) row.result_use = told(callers_.use_of_result(*frame));
  const auto named = wants.caller ? contexts_.one_frame(jni, frame->method) : std::nullopt;
  if (!named) return;
  if (named->is_new) writer_->add_context(named->text);
  row.caller = std::uint64_t{named->number} + 1;
}

std::string ValueEvents::text_of(JNIEnv* jni, jstring text) {
  jsize length = jni->GetStringLength(text);
  if (length > kMostText) {
    ++cut_texts_;
    length = kMostText;
  }
  characters_.resize(static_cast<std::size_t>(length));
  jni->GetStringRegion(text, 0, length, characters_.data());
  std::string utf8;
  for (std::size_t i = 0; i < characters_.size(); ++i) {
    char32_t code_point = characters_[i];
    const bool is_high = code_point >= 0xd800 && code_point < 0xdc00;
    if (is_high && i + 1 < characters_.size() && characters_[i + 1] >= 0xdc00 &&
        characters_[i + 1] < 0xe000) {
      code_point = 0x10000 + ((code_point - 0xd800) << 10) + (characters_[++i] - 0xdc00u);
    }
    append_code_point(utf8, code_point);
  }
  return utf8;
}

ValueObjects::Seen ValueEvents::see(JNIEnv* jni, jobject object) {
  return objects_.see(jni, object, [&](ValueObjects::Type& type, jclass of) {
    if (choice_.object_methods()) type.methods = object_methods(jvmti_, jni, of);
    decide_type(type);
  });
}

void ValueEvents::decide_type(ValueObjects::Type& type) const {
  const ObjectWants wants = choice_.objects(type.name, gates_);
  type.is_told = wants.told;
  type.has_thread_name = wants.thread_name;
  type.has_context = wants.context;
  type.has_near_context = wants.near_context;
}

std::uint32_t ValueEvents::number_of(ValueObjects::Type& type) {
  if (type.number < 0) type.number = writer_->add_class(type.name, type.methods);
  return static_cast<std::uint32_t>(type.number);
}

void ValueEvents::tell_allocation(JNIEnv* jni, jthread thread, const ValueObjects::Seen& object,
                                  bool is_new) {
  // The place and thread of the allocation are unknown for an object that was there before.
  const std::uint64_t in_thread = is_new ? thread_number(jni, thread) : 0;
  const ValueObjects::Type& type = *object.type;
  if (is_new && type.has_thread_name) tell_thread_name(jni, thread, in_thread);
  const std::uint64_t in_context = context(
      jni, ValueContexts::Of::kObject, is_new && type.has_context, is_new && type.has_near_context);
  const std::uint32_t of_type = number_of(*object.type);
  tell_time();
  writer_->allocated(
      {.object = object.number, .type = of_type, .thread = in_thread, .context = in_context});
}

ValueObjects::Seen ValueEvents::meet(JNIEnv* jni, jthread thread, jobject object, bool is_new) {
  const ValueObjects::Seen seen = see(jni, object);
  if (seen.type->is_told && !seen.is_told) tell_allocation(jni, thread, seen, is_new);
  return seen;
}

Value ValueEvents::value_of(JNIEnv* jni, jthread thread, jobject object, bool with_text) {
  if (object == nullptr) return Value::null();
  const ValueObjects::Seen seen = meet(jni, thread, object, false);
  if (seen.type->box != 0) {
    return Value::box(seen.number, ValueObjects::inside(jni, object, *seen.type));
  }
  if (!with_text || !seen.type->is_string) return Value::object(seen.number);
  return Value::text_object(seen.number, text_of(jni, static_cast<jstring>(object)));
}

// Its declaring class is known now: it is linked.
void ValueEvents::decide(JNIEnv* jni, Known& known) {
  stream::MethodRow& row = known.method.row;
  ptql::MethodFacts facts;
  facts.name = row.name;
  facts.implementing_class = row.implementing_class;
  facts.declaring_class = row.implementing_class;
  facts.parameters = known.method.parameters;
  facts.is_static = row.is_static;
  facts.is_void = known.method.is_void;
  if (row.is_section()) facts = ptql::section_facts(row.implementing_class);
  const ValueWants wants = choice_.method(facts, known.method.is_jdk, false);
  if (wants.declaring_class && !facts.is_section) {
    jvmtiFrameInfo frame{};
    jint count = 0;
    jclass type = nullptr;
    if (jvmti_->GetStackTrace(nullptr, kFramesOfProbe, 1, &frame, &count) == JVMTI_ERROR_NONE &&
        count == 1) {
      type = contexts_.class_of(frame.method);
    }
    if (type != nullptr) {
      row.declaring_class = declaring_classes_.of(jni, type, row.name, row.descriptor);
      facts.declaring_class = row.declaring_class;
      jni->DeleteLocalRef(type);
    }
  }
  known.places = choice_.places(facts, known.method.is_jdk, wants.declaring_class);
  known.always = choice_.is_named_by_glob(facts, known.method.is_jdk);
  if (known.always) known.wants = wants;
  const bool recorded = known.always || !known.places.empty();
  known.state = recorded ? Known::State::kRecorded : Known::State::kNot;
  if (recorded) known.number = writer_->add_method(row);
}

void ValueEvents::look_at_gates(Known& known) {
  if (known.always || known.decided_at == gates_.changes()) return;
  known.decided_at = gates_.changes();
  known.wants = {};
  for (const AskedPlace& place : known.places) {
    if (gates_.is_open(place)) known.wants.add(choice_.wants(place));
  }
  if (known.method.row.is_static) known.wants.receiver = false;
  // Those of sections are receivers of others.
  if (known.method.row.is_section()) known.wants.receiver |= !known.wants.parameters.empty();
}

// --- Constructors that wait for super().

void ValueEvents::wait_for_super(std::uint64_t thread, std::uint64_t invocation) {
  jint frames = 0;
  jvmtiFrameInfo frame{};
  jint count = 0;
  if (jvmti_->GetFrameCount(nullptr, &frames) != JVMTI_ERROR_NONE ||
      jvmti_->GetStackTrace(nullptr, kFramesOfProbe, 1, &frame, &count) != JVMTI_ERROR_NONE ||
      count != 1) {
    return;
  }
  constructors_[thread].push_back({invocation, frames - kFramesOfProbe, frame.method});
}

// `at_entry`: the frame below the probe's is that of a new invocation.
void ValueEvents::end_lost_constructors(JNIEnv* jni, std::uint64_t thread, bool at_entry) {
  if (constructors_.empty()) return;
  const auto found = constructors_.find(thread);
  if (found == constructors_.end()) return;
  jint frames = 0;
  if (jvmti_->GetFrameCount(nullptr, &frames) != JVMTI_ERROR_NONE) return;
  std::vector<Constructor>& waiting = found->second;
  while (!waiting.empty()) {
    const jint depth = frames - waiting.back().height;
    jvmtiFrameInfo frame{};
    jint count = 0;
    const bool is_there =
        depth >= kFramesOfProbe + (at_entry ? 1 : 0) &&
        jvmti_->GetStackTrace(nullptr, depth, 1, &frame, &count) == JVMTI_ERROR_NONE &&
        count == 1 && may_be_same_frame(jvmti_, jni, frame.method, waiting.back().method);
    if (is_there) return;
    writer_->thrown(waiting.back().invocation, {}, 0);
    waiting.pop_back();
  }
  constructors_.erase(found);
}

void ValueEvents::forget_constructor(std::uint64_t thread, std::uint64_t invocation) {
  if (constructors_.empty()) return;
  const auto found = constructors_.find(thread);
  if (found == constructors_.end()) return;
  std::erase_if(found->second, [invocation](const Constructor& constructor) {
    return constructor.invocation == invocation;
  });
  if (found->second.empty()) constructors_.erase(found);
}

// --- The probes.

void ValueEvents::take(jint parameter, Value value) {
  if ((parameter & classfile::kFirstTaken) != 0) t_taken.clear();
  const auto index = static_cast<std::size_t>(parameter % classfile::kTakenNumbers);
  if (t_taken.size() <= index) t_taken.resize(index + 1);
  t_taken[index] = std::move(value);
}

void ValueEvents::take_object(JNIEnv* jni, jthread thread, jint parameter, jobject value) {
  const std::lock_guard lock(mutex_);
  if (!is_writable()) return;
  end_lost_constructors(jni, thread_number(jni, thread), true);
  take(parameter, value_of(jni, thread, value, (parameter & classfile::kTakenWithText) != 0));
}

jlong ValueEvents::entered(JNIEnv* jni, jthread thread, jobject receiver, jint method) {
  const std::lock_guard lock(mutex_);
  if (!records()) return 0;
  const auto found = methods_.find(static_cast<std::uint32_t>(method));
  if (found == methods_.end()) return 0;
  Known& known = found->second;
  if (!writer_->failure().ok()) {
    if (known.state == Known::State::kRecorded) {
      look_at_gates(known);
      if (known.wants.invocations) ++lost_;
    }
    return 0;
  }
  if (known.state == Known::State::kNew) decide(jni, known);
  if (known.state == Known::State::kNot) return 0;
  look_at_gates(known);
  if (!known.wants.invocations) return 0;
  const ValueWants& wants = known.wants;
  stream::EnteredRow row{};
  row.thread = thread_number(jni, thread);
  end_lost_constructors(jni, row.thread, !known.method.row.is_section());
  if (receiver != nullptr && wants.receiver) {
    row.receiver = value_of(jni, thread, receiver, wants.receiver_text);
  }
  if (!wants.parameters.empty() && !known.method.row.is_section()) {
    row.parameters = t_taken;
    t_taken.clear();
    if (row.parameters.size() > wants.parameters.size()) {
      row.parameters.resize(wants.parameters.size());
    }
  }
  if (wants.thread_name) tell_thread_name(jni, thread, row.thread);
  row.context = context(jni, ValueContexts::Of::kMethod, wants.context, wants.near_context);
  if (!known.method.row.is_section()) add_caller(jni, known, row);
  row.method = known.number;
  tell_time();
  const std::uint64_t invocation = writer_->entered(row);
  for (const AskedPlace& place : known.places) {
    if (gates_.is_open(place)) gates_.started(place);
  }
  if (known.method.calls_super) wait_for_super(row.thread, invocation);
  g_invocations.store(before_ + invocation);
  return for_frame(before_ + invocation, wants.result_text);
}

void ValueEvents::constructed(JNIEnv* jni, jthread thread, jobject object, jlong invocation) {
  const std::lock_guard lock(mutex_);
  if (!is_writable()) return;
  const std::uint64_t number = thread_number(jni, thread);
  const std::uint64_t known = in_stream(invocation);
  forget_constructor(number, known);
  end_lost_constructors(jni, number, false);
  const ValueObjects::Seen seen = meet(jni, thread, object, true);
  if (known == 0) return;
  tell_time();
  writer_->constructed(known, seen.number);
}

void ValueEvents::tell_end(JNIEnv* jni, jthread thread, std::uint64_t invocation) {
  const std::uint64_t number = thread_number(jni, thread);
  forget_constructor(number, invocation);
  end_lost_constructors(jni, number, false);
  tell_time();
}

void ValueEvents::returned(JNIEnv* jni, jthread thread, const Value& result, jlong invocation) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t known = in_stream(invocation);
  if (!is_writable() || known == 0) return;
  tell_end(jni, thread, known);
  writer_->returned(known, result);
}

void ValueEvents::returned_object(JNIEnv* jni, jthread thread, jobject result, jlong invocation) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t known = in_stream(invocation);
  if (!is_writable() || known == 0) return;
  const Value value = value_of(jni, thread, result, wants_result_text(invocation));
  tell_end(jni, thread, known);
  writer_->returned(known, value);
}

void ValueEvents::thrown(JNIEnv* jni, jthread thread, jobject exception, jlong invocation) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t known = in_stream(invocation);
  if (!is_writable() || known == 0) return;
  // The class is wanted with the exception alone; which of the two a query names makes no difference.
  const ValueObjects::Seen seen = meet(jni, thread, exception, false);
  const std::uint32_t type = number_of(*seen.type);
  tell_end(jni, thread, known);
  writer_->thrown(known, Value::object(seen.number), type);
}

}  // namespace copse::jvm
