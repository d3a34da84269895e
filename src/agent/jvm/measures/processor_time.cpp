#include "agent/jvm/measures/processor_time.h"

#include <algorithm>
#include <cctype>
#include <ctime>
#include <memory>
#include <new>
#include <utility>

#include "agent/jvm/hotspot/hotspot_flags.h"
#include "agent/measure_notes.h"
#include "base/grouped.h"
#include "encoders/events/outside.h"

namespace copse::jvm {
namespace {

constexpr std::uint64_t kNsPerMs = 1'000'000;
// Samples wait no longer for being counted.
constexpr std::uint64_t kLongestSampleWaitMs = 100;
constexpr jvmtiEvent kCollections[] = {JVMTI_EVENT_GARBAGE_COLLECTION_START,
                                       JVMTI_EVENT_GARBAGE_COLLECTION_FINISH};

std::vector<CodePart> parts_asked_for(const agent::AgentOptions& options) {
  std::vector<CodePart> parts;
  for (const CodePart& part : kCodeParts) {
    if (agent::measures(options, part.option)) parts.push_back(part);
  }
  return parts;
}

}  // namespace

bool ProcessorTime::can_read_fields(JavaVM* vm) noexcept {
  return moves_objects_at_safepoints_alone(vm) && sampling::can_read_any_memory();
}

ProcessorTime::ProcessorTime(const Run& run, Take take)
    : run_(run), parts_(parts_asked_for(run.options)), take_(std::move(take)) {}

void ProcessorTime::add(const sampling::Sample& sample, std::uint64_t ns) {
  ++samples_;
  const MachineCode::Place place = MachineCode::of_process().place_of(sample.code);
  std::optional<shadowstack::CodePlace> code;
  if (place.chain != 0) code.emplace(*place.calls, place.chain);
  const shadowstack::CodePlace* const known = code ? &*code : nullptr;
  take_(events::EventKind::kCpu, sample, known, ns);
  if (place.kind == CodeKind::kOwn) ++own_samples_;
  for (const CodePart& part : parts_) {
    if (part.has(place.kind)) take_(part.kind, sample, known, ns);
  }
}

Status ProcessorTime::start(JNIEnv* jni) {
  JavaVM* vm = nullptr;
  if (jni->GetJavaVM(&vm) != JNI_OK ||
      (run_.jvm.runtime.has_word_in_field() &&
       (!can_read_fields(vm) || !run_.jvm.runtime.can_read_words(jni)))) {
    return Status::error(
        Fault::kUnsupported,
        "measure cpu: this JVM moves the objects in which threads have their context words, since "
        "an earlier recording without cpu, while they run");
  }
  if (run_.jvm.runtime.has_word_in_field() && !run_.jvm.runtime.tells_words()) {
    if (Status status = watch_collections(); !status) return status;
  }
  if (run_.jvm.timers == nullptr) run_.jvm.timers = std::make_unique<sampling::CpuTimers>();
  const Status started = run_.jvm.timers->start(
      agent::part<agent::MeasureOptions>(run_.options)->cpu_interval_ms * kNsPerMs,
      [this](const sampling::Sample& sample, std::uint64_t ns) { add(sample, ns); },
      [vm](std::uint64_t reference) {
        void* here = nullptr;
        if (vm->GetEnv(&here, JNI_VERSION_10) != JNI_OK) return;
        static_cast<JNIEnv*>(here)->DeleteGlobalRef(reinterpret_cast<jobject>(reference));
      });
  if (!started) return started;
  timers_ = run_.jvm.timers.get();
  // In a JVM that was started with Copse all time is the recording's. Time that could not be sampled is of no
  // thread.
  if (!run_.attached) before_start_ns_ = sampling::clock_ns(CLOCK_PROCESS_CPUTIME_ID);
  return {};
}

Status ProcessorTime::watch_collections() const {
  jvmtiCapabilities wanted{};
  wanted.can_generate_garbage_collection_events = 1;
  bool watches = run_.jvmti->AddCapabilities(&wanted) == JVMTI_ERROR_NONE;
  for (const jvmtiEvent event : kCollections) {
    watches = watches && run_.jvmti->SetEventNotificationMode(JVMTI_ENABLE, event, nullptr) ==
                             JVMTI_ERROR_NONE;
  }
  if (watches) return {};
  return Status::error(Fault::kUnsupported,
                       "measure cpu: this JVM does not tell when it moves objects");
}

Status ProcessorTime::start_counting(JNIEnv* jni) {
  if (run_.jvm.runtime.words_were_unreadable()) tell_of_unreadable_words();
  const std::vector<jclass> runtime = run_.jvm.runtime.classes(jni);
  if (Status status = MachineCode::of_process().start(jni, run_.jvm, runtime); !status) {
    return status;
  }
  return run_.attached ? Status() : start_thread();
}

Status ProcessorTime::start_thread() {
  jvm_threads_.look();
  timeline_.begin(times_so_far());
  began_ = looked_ = Clock::now();
  return counting_.start("copse-samples", kLongestSampleWaitMs, [this] { count_now(); });
}

Status ProcessorTime::begin(JNIEnv*) {
  timers_->restart();
  samples_ = own_samples_ = 0;
  process_began_ns_ = sampling::clock_ns(CLOCK_PROCESS_CPUTIME_ID);
  jvm_threads_.begin();
  return start_thread();
}

// Compilers and collectors that end take the time since the last look with them. While rows of the time line are short,
// looks come more often, unless they take more than 1 % of a processor.
void ProcessorTime::count_now() {
  constexpr std::chrono::nanoseconds kLongestBetween = std::chrono::seconds(1);
  constexpr int kPartOfProcessor = 100;
  timers_->drain();
  const std::chrono::nanoseconds wanted =
      std::max(timeline_.step() / 2, kPartOfProcessor * look_cost_);
  if (Clock::now() - looked_ < std::min(wanted, kLongestBetween)) return;
  const std::uint64_t before = sampling::clock_ns(CLOCK_THREAD_CPUTIME_ID);
  look();
  look_cost_ = std::chrono::nanoseconds(sampling::clock_ns(CLOCK_THREAD_CPUTIME_ID) - before);
}

void ProcessorTime::look() {
  jvm_threads_.look();
  looked_ = Clock::now();
  timeline_.add(looked_ - began_, times_so_far());
}

// The clock of the process is read last, so that it has all that the others have.
TimeLine::Times ProcessorTime::times_so_far() noexcept {
  const JvmThreads::Times jvm = jvm_threads_.times();
  const std::uint64_t program = totals().processor_ns;
  const std::uint64_t process = sampling::clock_ns(CLOCK_PROCESS_CPUTIME_ID);
  const std::uint64_t known = program + jvm[kJitCompilers] + jvm[kGarbageCollectors];
  return {program, jvm[kJitCompilers], jvm[kGarbageCollectors], process - std::min(process, known)};
}

void ProcessorTime::end(shadowstack::ThreadHeader& header) noexcept {
  if (timers_ == nullptr) return;
  timers_->end(header);
  timers_->drain_for(header);
}

void ProcessorTime::stop() noexcept {
  if (timers_ == nullptr || ended_) return;
  counting_.stop();
  timers_->stop();
  for (const jvmtiEvent event : kCollections) {
    run_.jvmti->SetEventNotificationMode(JVMTI_DISABLE, event, nullptr);
  }
  MachineCode::of_process().stop(run_.jvmti);
  ended_ = timers_->totals();
  look_at_jvm_threads();
  // The process's clock has the time of all threads, those included that take no samples.
  const std::uint64_t process = sampling::clock_ns(CLOCK_PROCESS_CPUTIME_ID) - process_began_ns_;
  other_threads_ns_ = process - std::min(process, ended_->processor_ns);
  std::uint64_t left = other_threads_ns_;
  for (std::uint64_t& part : jvm_threads_ns_) {
    part = std::min(part, left);
    left -= part;
  }
  if (ended_->without_timer != 0) warn();
}

// Without memory the time stays in that of all other threads.
void ProcessorTime::look_at_jvm_threads() noexcept {
  try {
    jvm_threads_.look();
  } catch (const std::bad_alloc&) {
    return;
  }
  jvm_threads_ns_ = jvm_threads_.times();
  scheduled_ = jvm_threads_.scheduled();
  try {
    timeline_.add(Clock::now() - began_, times_so_far());
  } catch (const std::bad_alloc&) {
    // The line ends at the last look.
  }
}

void ProcessorTime::tell_of_unreadable_words() const {
  const std::string why =
      std::string("measure cpu: this JVM's references to objects are not as Copse knows them: ") +
      (run_.jvm.runtime.has_word_in_field() ? "CPU time is not told apart by context"
                                            : "probes are slower than without the measure");
  run_.note(agent::TextNote{agent::TextNote::Kind::kWarning, why});
  run_.say(why);
}

void ProcessorTime::warn() const noexcept {
  try {
    const std::string why = words_on_refused_timers();
    run_.note(agent::TextNote{agent::TextNote::Kind::kWarning, why});
    run_.say(why);
  } catch (const std::bad_alloc&) {
    // The report says it as well.
  }
}

std::string ProcessorTime::words_on_refused_timers() const {
  const sampling::CpuTimers::Totals all = totals();
  return (all.processor_ns == 0 ? "no CPU time was sampled: " : "") +
         counted(all.without_timer, "thread") +
         " had no timer, which the system refused (pending signals, ulimit -i); what they used is "
         "in " +
         std::string(events::outside_name(events::Outside::kOtherThreads));
}

sampling::CpuTimers::Totals ProcessorTime::totals() const noexcept {
  if (timers_ == nullptr) return {};
  return ended_ ? *ended_ : timers_->totals();
}

std::vector<std::string> ProcessorTime::notes() const {
  if (timers_ == nullptr) return {};
  const sampling::CpuTimers::Totals all = totals();
  std::vector<std::string> notes;
  if (all.processor_ns != 0 || all.without_timer == 0) {
    notes.push_back("CPU time is that of the threads' own clocks, " +
                    grouped(all.processor_ns / kNsPerMs) +
                    " ms, divided among samples of where they stood; the probes' own time is in "
                    "it. " +
                    std::string(agent::kErrorOfSamples) + words_on_busy_machine());
  }
  if (before_start_ns_ != 0) {
    notes.push_back("JVM start-up took " + grouped(before_start_ns_ / kNsPerMs) +
                    " ms of CPU time, which counts as " +
                    std::string(events::outside_name(events::Outside::kOtherThreads)) + ".");
  }
  if (all.without_timer != 0) {
    std::string refused = words_on_refused_timers();
    refused[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(refused[0])));
    notes.push_back(refused + '.');
  }
  if (all.lost != 0) {
    notes.push_back(counted(all.lost, "sample") +
                    " of CPU time lost: taken in native code while the JVM moved objects, or "
                    "without room. The time that a lost sample stands for is in no context.");
  }
  if (agent::measures(run_.options, kCodeParts[0].option)) notes.push_back(note_on_own_code());
  return notes;
}

// With more ready threads than processors, a tick finds a thread less often than its share if the thread ends its turns
// itself (docs/decisions/0013-processor-time.md).
std::string ProcessorTime::words_on_busy_machine() const {
  constexpr std::uint64_t kLeastTenths = 2;
  const std::uint64_t ran_ms = scheduled_.ran_ns / kNsPerMs;
  const std::uint64_t tenths = ran_ms == 0 ? 0 : 10 * (scheduled_.waited_ns / kNsPerMs) / ran_ms;
  if (tenths < kLeastTenths) return "";
  return " The machine was busy: threads waited " + grouped(tenths / 10) + "." +
         std::to_string(tenths % 10) +
         " times as long for a processor as they ran. A thread that reads its own CPU clock in a "
         "loop "
         "may then lack up to half of its samples, more than the standard error.";
}

std::string ProcessorTime::note_on_own_code() const {
  const std::uint64_t all = samples_, own = own_samples_;
  const std::uint64_t percent = all == 0 ? 0 : (100 * own + all / 2) / all;
  return "Of " + counted(all, "sample") + " of CPU time " + grouped(own) + " (" +
         std::to_string(percent) +
         " %) were in Copse's own code, most of it probes; cpu_corrected_ns is without them. In a "
         "loop "
         "of few instructions, which overlap with a probe's, it may be two thirds of the program's "
         "own time, or twice as much." +
         (MachineCode::of_process().has_compiled()
              ? ""
              : " No probe was compiled: it has all that the interpreter took for them.");
}

}  // namespace copse::jvm
