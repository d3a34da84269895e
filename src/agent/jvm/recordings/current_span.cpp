#include "agent/jvm/recordings/current_span.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <string_view>
#include <vector>

#include "agent/jvm/hook/loaded_classes.h"
#include "agent/jvm/local_frame.h"
#include "agent/jvm/runtime/unrecorded.h"

namespace copse::jvm {
namespace {

constexpr std::string_view kSpanClass = "io/opentelemetry/api/trace/Span";
// A class is looked for among the loaded ones when one that names it was loaded. It may be defined a little later.
constexpr int kMostLooks = 20;
constexpr std::chrono::milliseconds kBetweenLooks{50};
constexpr std::size_t kMostLoaders = 4;

// Returns whether the program's code threw, and drops what it threw.
bool has_thrown(JNIEnv* jni) noexcept {
  if (jni->ExceptionCheck() == JNI_FALSE) return false;
  jni->ExceptionClear();
  return true;
}

// The class in a loader. Its methods are nullptr until it is initialized.
struct SpanClass {
  jweak type;
  jmethodID current;
  jmethodID context;
};

class Spans {
 public:
  void start(jvmtiEnv* jvmti, const RuntimeClass& runtime, bool was_running) {
    jvmti_ = jvmti;
    runtime_ = &runtime;
    if (was_running) look();
  }
  void look() noexcept {
    looks_at_once_.store(true, std::memory_order_relaxed);
    looks_left_.store(kMostLooks, std::memory_order_relaxed);
  }
  bool may_be() const noexcept {
    return looks_left_.load(std::memory_order_relaxed) > 0 ||
           are_found_.load(std::memory_order_acquire);
  }
  // Throws std::bad_alloc.
  std::vector<SpanClass> classes(JNIEnv* jni) {
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    const bool is_due = looks_at_once_.exchange(false, std::memory_order_relaxed) ||
                        now - last_look_ > kBetweenLooks;
    if (is_due && looks_left_.load(std::memory_order_relaxed) > 0) {
      last_look_ = now;
      looks_left_.fetch_sub(1, std::memory_order_relaxed);
      find(jni);
    }
    for (SpanClass& span : classes_) prepare(jni, span);
    return classes_;
  }
  jvmtiEnv* jvmti() const noexcept { return jvmti_; }
  const RuntimeClass& runtime() const noexcept { return *runtime_; }

 private:
  void find(JNIEnv* jni) {
    const std::vector<jclass> loaded = loaded_classes_that(
        jvmti_, jni, [](jobject, std::string_view name) { return name == kSpanClass; });
    for (const jclass type : loaded) {
      const bool is_known = std::ranges::any_of(classes_, [&](const SpanClass& known) {
        return jni->IsSameObject(known.type, type) == JNI_TRUE;
      });
      if (is_known || classes_.size() == kMostLoaders) continue;
      const jweak kept = jni->NewWeakGlobalRef(type);
      if (has_thrown(jni) || kept == nullptr) continue;
      classes_.push_back({kept, nullptr, nullptr});
      looks_left_.store(0, std::memory_order_relaxed);
      are_found_.store(true, std::memory_order_release);
    }
  }

  // Finds the methods of a class that the program has initialized; the search would initialize it.
  void prepare(JNIEnv* jni, SpanClass& span) const noexcept {
    if (span.context != nullptr) return;
    const auto type = static_cast<jclass>(jni->NewLocalRef(span.type));
    jint status = 0;
    if (type == nullptr || jvmti_->GetClassStatus(type, &status) != JVMTI_ERROR_NONE ||
        (status & JVMTI_CLASS_STATUS_INITIALIZED) == 0) {
      return;
    }
    span.current = jni->GetStaticMethodID(type, "current", "()Lio/opentelemetry/api/trace/Span;");
    if (has_thrown(jni)) return;
    span.context =
        jni->GetMethodID(type, "getSpanContext", "()Lio/opentelemetry/api/trace/SpanContext;");
    if (has_thrown(jni)) span.context = nullptr;
  }

  // Constant once threads ask.
  jvmtiEnv* jvmti_ = nullptr;
  const RuntimeClass* runtime_ = nullptr;
  std::atomic<int> looks_left_{0};
  std::atomic<bool> looks_at_once_{false};
  std::atomic<bool> are_found_{false};
  std::mutex mutex_;  // guards the members below
  std::chrono::steady_clock::time_point last_look_{};
  std::vector<SpanClass> classes_;
};

// Never destroyed: threads ask until the process is gone.
Spans& spans() {
  static Spans& all = *new Spans;
  return all;
}

// Copies the text of an id to `id`. Returns false unless it is as long as that, in hexadecimal digits, and not 0.
bool take_id(JNIEnv* jni, jobject context, const char* name, std::span<char> id) noexcept {
  const jclass type = jni->GetObjectClass(context);
  const jmethodID get = jni->GetMethodID(type, name, "()Ljava/lang/String;");
  if (has_thrown(jni)) return false;
  const auto text = static_cast<jstring>(jni->CallObjectMethod(context, get));
  if (has_thrown(jni) || text == nullptr) return false;
  if (jni->GetStringLength(text) != static_cast<jsize>(id.size())) return false;
  std::array<jchar, 32> units{};
  jni->GetStringRegion(text, 0, static_cast<jsize>(id.size()), units.data());
  if (has_thrown(jni)) return false;
  for (std::size_t i = 0; i < id.size(); ++i) {
    const jchar unit = units[i];
    if (!((unit >= '0' && unit <= '9') || (unit >= 'a' && unit <= 'f'))) return false;
    id[i] = static_cast<char>(unit);
  }
  return std::ranges::any_of(id, [](char digit) { return digit != '0'; });
}

bool ask(JNIEnv* jni, const SpanClass& span, cct::SpanIds& ids) noexcept {
  const auto type = static_cast<jclass>(jni->NewLocalRef(span.type));
  if (type == nullptr || span.context == nullptr) return false;
  const jobject current = jni->CallStaticObjectMethod(type, span.current);
  if (has_thrown(jni) || current == nullptr) return false;
  const jobject context = jni->CallObjectMethod(current, span.context);
  if (has_thrown(jni) || context == nullptr) return false;
  return take_id(jni, context, "getTraceId", ids.trace) &&
         take_id(jni, context, "getSpanId", ids.span);
}

}  // namespace

void start_asking_for_spans(jvmtiEnv* jvmti, const RuntimeClass& runtime, bool was_running) {
  spans().start(jvmti, runtime, was_running);
}

void look_for_spans_in(std::span<const std::uint8_t> class_file) noexcept {
  const std::string_view text(reinterpret_cast<const char*>(class_file.data()), class_file.size());
  if (text.find(kSpanClass) != std::string_view::npos) spans().look();
}

std::optional<cct::SpanIds> current_span(JNIEnv* jni) noexcept {
  Spans& all = spans();
  if (!all.may_be() || jni->ExceptionCheck() == JNI_TRUE) return std::nullopt;
  try {
    const LocalFrame frame(jni);
    const std::vector<SpanClass> classes = all.classes(jni);
    if (classes.empty()) return std::nullopt;
    const Unrecorded unrecorded(all.runtime(), all.jvmti(), jni);
    for (const SpanClass& span : classes) {
      cct::SpanIds ids{};
      if (ask(jni, span, ids)) return ids;
    }
  } catch (const std::exception&) {  // no memory
  }
  return std::nullopt;
}

}  // namespace copse::jvm
