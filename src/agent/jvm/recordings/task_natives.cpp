#include "agent/jvm/recordings/task_natives.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <mutex>
#include <new>
#include <unordered_map>
#include <utility>

#include "agent/jvm/runtime/native_method.h"
#include "cct/inplace/inline_trees.h"
#include "classfile/rewriter.h"
#include "probes/task_probes.h"

namespace copse::jvm {
namespace {

// How a task is handed over; CopseTasks has the same numbers.
enum HowHanded : jint {
  kMade = 0,   // with its object, which has no tag
  kAgain = 1,  // the object may have been handed over before: this is what counts
  kTaken = 2,  // by an object that may be handed over again before it runs
};

// Stands for a task that was handed over in no slice, beside the numbers of InlineTrees, which are larger.
constexpr std::uint64_t kInNoSlice = 1;

// Numbers of tasks by object. An object that is handed over again before it ran stands for several tasks, which run in
// this order: its tag is the negative key of their list. Thread-safe.
class TaskTags {
 public:
  void keep_in(jvmtiEnv* jvmti) noexcept { jvmti_ = jvmti; }
  bool any() const noexcept { return any_.load(std::memory_order_relaxed); }

  void put(jobject object, std::uint64_t task) noexcept {
    any_.store(true, std::memory_order_relaxed);
    jvmti_->SetTag(object, static_cast<jlong>(task));
  }
  void remove(jobject object) noexcept { jvmti_->SetTag(object, 0); }

  // Returns the number of an object that put() was called for; 0: there is none.
  std::uint64_t of(jobject object) const noexcept {
    return static_cast<std::uint64_t>(std::max<jlong>(tag_of(object), 0));
  }

  void add(jobject object, std::uint64_t task) noexcept {
    const std::lock_guard lock(mutex_);
    const jlong tag = tag_of(object);
    if (tag == 0) return put(object, task);
    try {
      if (tag < 0) {
        lists_[-tag].push_back(task);
        return;
      }
      lists_[++last_list_] = {static_cast<std::uint64_t>(tag), task};
      jvmti_->SetTag(object, -last_list_);
    } catch (const std::bad_alloc&) {
      jvmti_->SetTag(object, 0);  // neither of them is followed
    }
  }

  // Returns the number of the object's first task, or of its last one, and takes it away; 0: it has none. kInNoSlice
  // may be returned.
  std::uint64_t take(jobject object, bool is_last) noexcept {
    const jlong one = tag_of(object);
    if (one == 0) return 0;
    const std::lock_guard lock(mutex_);
    const jlong tag = tag_of(object);
    if (tag >= 0) {
      if (tag != 0) jvmti_->SetTag(object, 0);
      return static_cast<std::uint64_t>(tag);
    }
    const auto list = lists_.find(-tag);
    if (list == lists_.end()) return 0;
    std::deque<std::uint64_t>& tasks = list->second;
    const std::uint64_t task = is_last ? tasks.back() : tasks.front();
    is_last ? tasks.pop_back() : tasks.pop_front();
    if (tasks.empty()) {
      lists_.erase(list);
      jvmti_->SetTag(object, 0);
    }
    return task;
  }

 private:
  jlong tag_of(jobject object) const noexcept {
    jlong tag = 0;
    return jvmti_->GetTag(object, &tag) == JVMTI_ERROR_NONE ? tag : 0;
  }

  jvmtiEnv* jvmti_ = nullptr;  // written before any thread asks
  std::atomic<bool> any_{false};
  std::mutex mutex_;
  std::unordered_map<jlong, std::deque<std::uint64_t>> lists_;  // guarded by mutex_, like the next
  jlong last_list_ = 0;
};

// Never destroyed: threads run tasks until the process is gone.
TaskTags& tags() {
  static TaskTags& tags = *new TaskTags;
  return tags;
}

jboolean JNICALL hands_over(JNIEnv*, jclass, jlong header, jlong slot, jobject object, jint how) {
  const std::uint64_t before = how == kAgain && tags().any() ? tags().of(object) : 0;
  const std::uint64_t task = header == 0
                                 ? 0
                                 : cct::InlineTrees::hand_over(
                                       header_at(header), static_cast<std::uint64_t>(slot), before);
  if (how == kTaken) {
    if (task != 0 || tags().any()) tags().add(object, task != 0 ? task : kInNoSlice);
  } else if (task != before) {
    task != 0 ? tags().put(object, task) : tags().remove(object);
  }
  return task == 0 ? JNI_FALSE : JNI_TRUE;
}

void JNICALL takes_back(JNIEnv*, jclass, jobject task, jboolean is_last) {
  tags().take(task, is_last != JNI_FALSE);
}

// Reads the field, since the list's methods may have probes.
jobject JNICALL elements(JNIEnv* jni, jclass, jobject list) {
  const jclass type = jni->GetObjectClass(list);
  const jfieldID field = jni->GetFieldID(type, "elementData", "[Ljava/lang/Object;");
  jni->DeleteLocalRef(type);
  if (field != nullptr) return jni->GetObjectField(list, field);
  jni->ExceptionClear();
  return nullptr;
}

void JNICALL makes_worker(JNIEnv* jni, jclass, jobject worker) {
  const jclass type = jni->GetObjectClass(worker);
  const jfieldID field = jni->GetFieldID(type, "thread", "Ljava/lang/Thread;");
  jni->DeleteLocalRef(type);
  if (field == nullptr) return jni->ExceptionClear();
  const jobject thread = jni->GetObjectField(worker, field);
  if (thread != nullptr) tags().remove(thread);
  jni->DeleteLocalRef(thread);
}

void JNICALL begin_task(JNIEnv*, jclass, jlong header, jlong slot, jobject object,
                        jboolean is_taken, jboolean is_virtual) {
  std::uint64_t task = is_taken != JNI_FALSE ? tags().take(object, false) : tags().of(object);
  if (task == kInNoSlice) task = 0;
  cct::InlineTrees::begin_task(header_at(header), static_cast<std::uint64_t>(slot), task,
                               is_virtual == JNI_FALSE, false);
}

void JNICALL end_task(JNIEnv*, jclass, jlong header, jlong slot, jboolean all) {
  cct::InlineTrees::end_task(header_at(header), static_cast<std::uint64_t>(slot), all != JNI_FALSE);
}

}  // namespace

void start_tagging_tasks(jvmtiEnv* jvmti) noexcept { tags().keep_in(jvmti); }

std::vector<JNINativeMethod> task_natives() {
  return {native<hands_over>("handsOver", "(JJLjava/lang/Object;I)Z"),
          native<takes_back>("takesBack", "(Ljava/lang/Object;Z)V"),
          native<elements>("elements", "(Ljava/lang/Object;)[Ljava/lang/Object;"),
          native<makes_worker>("makesWorker", "(Ljava/lang/Object;)V"),
          native<begin_task>("beginTask", "(JJLjava/lang/Object;ZZ)V"),
          native<end_task>("endTask", "(JJZ)V")};
}

void begin_task_of_thread(JNIEnv*, jobject thread, shadowstack::ThreadHeader& header,
                          bool is_virtual) noexcept {
  if (!tags().any()) return;
  if (const std::uint64_t task = tags().take(thread, false); task != 0) {
    cct::InlineTrees::begin_task(&header, header.word, task, !is_virtual, true);
  }
}

std::vector<std::uint8_t> put_task_probes(std::string_view internal_name,
                                          std::span<const std::uint8_t> bytes,
                                          MethodTable& methods) {
  classfile::TaskProbes probes;
  Result<classfile::Rewritten> rewritten = classfile::rewrite(bytes, probes);
  if (!rewritten.ok() || !rewritten->skipped.empty() || !probes.complete()) {
    methods.skipped(std::string(internal_name), "",
                    "its tasks cannot be followed in this JVM: they are in no slice");
    return {};
  }
  return std::move(rewritten).value().bytes;
}

}  // namespace copse::jvm
