// Natives of copse.CopseNative that CopseTasks calls, and the probes of the JDK's executors that call CopseTasks. A task
// that a slice hands over has a JVMTI tag, with the number that InlineTrees gave for it. The tag goes with the object.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "agent/jvm/hook/method_table.h"
#include "shadowstack/thread_header.h"

namespace copse::jvm {

// Called before a thread runs probes. `jvmti` may tag objects, and outlives the JVM.
void start_tagging_tasks(jvmtiEnv* jvmti) noexcept;

std::vector<JNINativeMethod> task_natives();

// Begins the task of a thread that a slice started, before its first recorded call. Called by: the thread.
void begin_task_of_thread(JNIEnv* jni, jobject thread, shadowstack::ThreadHeader& header,
                          bool is_virtual) noexcept;

// Returns a class of the JDK's executors (classfile::has_task_probes()) with probes; empty leaves it as it is, and the
// reason is in `methods`. Throws std::bad_alloc.
std::vector<std::uint8_t> put_task_probes(std::string_view internal_name,
                                          std::span<const std::uint8_t> bytes,
                                          MethodTable& methods);

}  // namespace copse::jvm
