#include "agent/jvm/measures/probed_throws.h"

#include <atomic>

#include "agent/jvm/jvm_events.h"
#include "agent/jvm/measures/throw_natives.h"

namespace copse::jvm {
namespace {

using shadowstack::ThreadHeader;

std::atomic_ref<std::uint64_t> way_of(ThreadHeader& header) noexcept {
  return std::atomic_ref<std::uint64_t>(header.rethrows);
}

// A stack overflow is to end a method, and the word is not put right yet. The probe that does so, and
// says so last, may find no stack either: then what comes next is an overflow of its own in place of
// the one that was counted.
constexpr std::uint64_t kOverflowPasses = 2;

}  // namespace

Status ProbedThrows::start_counting(JNIEnv* jni) {
  if (jni->GetJavaVM(&vm_) != JNI_OK) vm_ = nullptr;
  tops_.find(jni);
  count_throws_with(this);
  return {};
}

JNIEnv* ProbedThrows::environment() const noexcept {
  void* jni = nullptr;
  const bool is_attached = vm_ != nullptr && vm_->GetEnv(&jni, JNI_VERSION_10) == JNI_OK;
  return is_attached ? static_cast<JNIEnv*>(jni) : nullptr;
}

void ProbedThrows::stop() noexcept {
  count_throws_with(nullptr);
  JNIEnv* const jni = environment();
  for (Stripe& stripe : stripes_) {
    const std::lock_guard lock(stripe.mutex);
    if (jni != nullptr) {
      for (const auto& [header, exception] : stripe.last_counted) {
        jni->DeleteWeakGlobalRef(exception);
      }
    }
    stripe.last_counted.clear();
  }
}

ProbedThrows::Stripe& ProbedThrows::stripe_of(const ThreadHeader& header) noexcept {
  return stripes_[reinterpret_cast<std::uintptr_t>(&header) / sizeof header % stripes_.size()];
}

void ProbedThrows::end(ThreadHeader& header) noexcept {
  way_of(header).store(0, std::memory_order_relaxed);
  Stripe& stripe = stripe_of(header);
  const std::lock_guard lock(stripe.mutex);
  const auto found = stripe.last_counted.find(&header);
  if (found == stripe.last_counted.end()) return;
  if (JNIEnv* const jni = environment(); jni != nullptr) jni->DeleteWeakGlobalRef(found->second);
  stripe.last_counted.erase(found);
}

bool ProbedThrows::is_last_counted(JNIEnv* jni, const ThreadHeader& header, jobject exception) {
  Stripe& stripe = stripe_of(header);
  const std::lock_guard lock(stripe.mutex);
  const auto found = stripe.last_counted.find(&header);
  return found != stripe.last_counted.end() && jni->IsSameObject(found->second, exception);
}

void ProbedThrows::set_last_counted(JNIEnv* jni, const ThreadHeader& header, jobject exception) {
  Stripe& stripe = stripe_of(header);
  const std::lock_guard lock(stripe.mutex);
  jweak& last = stripe.last_counted[&header];
  if (last != nullptr && jni->IsSameObject(last, exception)) return;
  if (last != nullptr) jni->DeleteWeakGlobalRef(last);
  last = jni->NewWeakGlobalRef(exception);
  if (jni->ExceptionCheck()) jni->ExceptionClear();  // no memory: its next handler counts it again
}

std::string ProbedThrows::method_place(MethodId method, std::int32_t line) const {
  const MethodName name = run_.jvm.methods.name_of(method);
  std::string place = name.class_name + "." + name.name;
  if (line > 0) place += ":" + std::to_string(line);
  return place;
}

std::string ProbedThrows::place_of(JNIEnv* jni, const Arrival& arrival) const {
  if (arrival.line != 0) return method_place(arrival.method, arrival.line);
  std::string place = tops_.of(jni, arrival.exception);
  return place.empty() ? method_place(arrival.method, -1) : place;
}

bool ProbedThrows::was_counted(JNIEnv* jni, const Arrival& arrival, ThreadHeader& header,
                               std::uint64_t word, bool is_overflow) {
  if (arrival.line != 0 || arrival.in_leaf) return false;
  const std::uint64_t on_way = way_of(header).load(std::memory_order_relaxed);
  if (is_overflow && on_way == kOverflowPasses) return true;
  return on_way == shadowstack::rethrown_at(word) &&
         is_last_counted(jni, header, arrival.exception);
}

// A thread without a header cannot be told whether another code's exception was counted: then it was, if it was thrown by a
// method with probes.
void ProbedThrows::arrives(JNIEnv* jni, const Arrival& arrival) {
  ThreadHeader* const header = run_.jvm.runtime.header_of(jni, arrival.thread);
  if (header == nullptr && arrival.line == 0) return;
  const std::uint64_t word = run_.jvm.runtime.word_of(jni, arrival.thread, header);
  const bool is_overflow = tops_.is_stack_overflow(jni, arrival.exception);
  if (header == nullptr || !was_counted(jni, arrival, *header, word, is_overflow)) {
    const MethodId object =
        sink_.objects()->thrown_at(jni, arrival.exception, place_of(jni, arrival));
    sink_.add(events::EventKind::kException, word, header, 0, object);
  }
  if (header == nullptr) return;
  if (!arrival.is_caught) set_last_counted(jni, *header, arrival.exception);
  const std::uint64_t way =
      is_overflow && !arrival.in_leaf ? kOverflowPasses : shadowstack::rethrown_at(word);
  way_of(*header).store(arrival.is_caught ? 0 : way, std::memory_order_relaxed);
}

void ProbedThrows::lose() noexcept { sink_.lose(events::EventKind::kException); }

std::vector<std::string> ProbedThrows::notes() const {
  return {
      "Copse was attached, so exceptions are counted by probes. What code without probes, such "
      "as the JDK's, throws and catches itself, or throws again, is not counted. What it or the "
      "JVM throws to recorded methods counts where it comes to one, and its place is where it "
      "was made."};
}

}  // namespace copse::jvm
