#include "agent/jvm/recordings/tree_probes.h"

#include <atomic>
#include <cstddef>
#include <vector>

#include "agent/jvm/hook/native_calls.h"
#include "agent/jvm/measures/allocation_natives.h"
#include "agent/jvm/measures/processor_time.h"
#include "agent/jvm/measures/throw_natives.h"
#include "agent/jvm/recordings/excerpt_natives.h"
#include "agent/jvm/recordings/slice_natives.h"
#include "agent/jvm/recordings/task_natives.h"
#include "agent/jvm/runtime/native_method.h"
#include "agent/jvm/runtime_bytes.h"
#include "cct/inplace/inline_layout.h"

namespace copse::jvm {
namespace {

constexpr const char* kProbeClass = "CopseProbe";
constexpr const char* kTreeClass = "CopseTree";
constexpr ProbeKind::JavaClass kTreeClasses[] = {
    {kTreeClass, kCopseTreeBytes},    {"CopseExcerpt", kCopseExcerptBytes, true},
    {"CopseTasks", kCopseTasksBytes}, {kAllocationsClass, kCopseAllocationsBytes},
    {kProbeClass, kTreeProbeBytes},   {"CopseThrows", kCopseThrowsBytes}};

// The frame that node number 0 would have. Constant once probes run.
std::uint64_t g_first_frame = 0;

jlong JNICALL place_call(JNIEnv*, jclass, jlong header, jlong slot, jint method) {
  return static_cast<jlong>(
      cct::InlineTrees::place_in_own(header_at(header), static_cast<std::uint64_t>(slot),
                                     MethodId{static_cast<std::uint32_t>(method)}));
}

jlong JNICALL entry(JNIEnv*, jclass, jlong header) {
  return static_cast<jlong>(cct::InlineTrees::entry(header_at(header)));
}

// Constant once probes run.
const MethodTable* g_tree_methods = nullptr;

jlong JNICALL tree_word_behind_constructors(JNIEnv*, jclass, jlong header, jlong frame) {
  return static_cast<jlong>(
      cct::InlineTrees::slot_behind(header_at(header), static_cast<std::uint64_t>(frame),
                                    [](MethodId caller, SiteOrdinal site, MethodId callee) {
                                      return g_tree_methods->constructs(caller, site, callee);
                                    }));
}

std::vector<JNINativeMethod> tree_natives() {
  std::vector<JNINativeMethod> natives = {
      native<place_call>("place", "(JJI)J"), native<entry>("entry", "(J)J"),
      native<tree_word_behind_constructors>("wordBehindConstructors", "(JJ)J")};
  for (const auto& more : {slice_natives(), task_natives(), excerpt_natives(), allocation_natives(),
                           throw_natives()}) {
    natives.insert(natives.end(), more.begin(), more.end());
  }
  return natives;
}

cct::InlineNode& node_of(std::uint64_t frame) noexcept {
  return *reinterpret_cast<cct::InlineNode*>(frame - cct::kInlineSlots);
}

struct NativeTreeProbe : PlainNativeProbe {
  static constexpr jlong kUnrecorded = 0;

  // Succeeds if the tree has the context already; a call of Java would double the cost of the whole call.
  static bool enter(JNIEnv* jni, TrampolinedCall& call) noexcept {
    const OwnWord* const own = OwnWord::remembered(jni);
    if (own == nullptr) return false;
    const std::uint64_t slot = own->word(jni);
    if (slot < g_first_frame) return false;
    const std::uint64_t frame = g_first_frame + cct::number_in(slot) * cct::kInlineUnit;
    cct::InlineNode& node = node_of(frame);
    if (node.method != static_cast<std::uint32_t>(call.trampoline->method)) return false;
    // Only this thread counts here. Other threads may read.
    std::atomic_ref<std::uint64_t>(node.calls).store(node.calls + 1, std::memory_order_relaxed);
    own->set_word(jni, frame);
    call.entered = static_cast<jlong>(frame);
    return true;
  }
  static void leave(JNIEnv* jni, const OwnWord& own, const TrampolinedCall& call) noexcept {
    own.set_word(jni, node_of(static_cast<std::uint64_t>(call.entered)).entry);
  }
};

constexpr NativeProbe kNativeTreeProbe = native_probe_of<NativeTreeProbe>(kProbeClass);

}  // namespace

constinit const ProbeKind kTreeProbes = {
    .classes = kTreeClasses,
    .entry_class = kProbeClass,
    .natives = tree_natives,
    .native_probe = &kNativeTreeProbe,
    .word_in_header = offsetof(shadowstack::ThreadHeader, word),
    .has_word_in_field = ProcessorTime::lets_words_be_in_fields,
    .tells_words = true,
    .can_start_again = true,
    .thread_attached = begin_task_of_thread};

Status start_tree_probes(JvmState& jvm, JNIEnv* jni, const cct::InlineTrees& trees,
                         const RuntimeClass::Threads& threads) {
  RuntimeClass& runtime = jvm.runtime;
  if (runtime.has_started()) return runtime.start_again(jni, threads);
  g_first_frame = trees.node_base() + cct::kInlineSlots;
  g_tree_methods = &jvm.methods;
  answer_excerpts_with(jvm.methods);
  name_slices_in(jvm.methods);
  if (Status status = runtime.define_probe(jni); !status) return status;
  if (Status status =
          runtime.start_class(jni, kTreeClass, {trees.node_base(), trees.unowned_node()});
      !status) {
    return status;
  }
  return runtime.start_threads(jni, threads);
}

}  // namespace copse::jvm
