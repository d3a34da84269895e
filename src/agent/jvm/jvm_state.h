// State that all recordings of one JVM share. Code of an earlier recording may still run in live frames, and
// the ids in it must keep their meaning. Made with the first recording, never destroyed.
#pragma once

#include <jvmti.h>

#include <memory>

#include "agent/jvm/hook/class_loaders.h"
#include "agent/jvm/hook/method_table.h"
#include "agent/jvm/hotspot/virtual_threads.h"
#include "agent/jvm/measures/allocated_types.h"
#include "agent/jvm/own_threads.h"
#include "agent/jvm/runtime/runtime_class.h"
#include "cct/inplace/inline_trees.h"
#include "shadowstack/sampling/cpu_timers.h"

namespace copse::jvm {

struct JvmState {
  JvmState(jvmtiEnv* environment, HeaderAccess access, WordPlace word, const ProbeKind& kind)
      : jvmti(environment),
        methods(kind.has_fixed_sites),
        virtual_threads(environment, methods, access == HeaderAccess::kThreadField),
        runtime(environment, access, word, kind, virtual_threads),
        loaders(environment, runtime) {}

  jvmtiEnv* const jvmti;
  MethodTable methods;
  VirtualThreads virtual_threads;
  RuntimeClass runtime;
  ClassLoaders loaders;
  OwnThreads own_threads;
  cct::InlineTrees* trees = nullptr;            // of the last recording with trees; nullptr if none
  std::unique_ptr<sampling::CpuTimers> timers;  // set by the first recording that has some
  // Set by the first recording that counts all allocations.
  std::unique_ptr<AllocatedTypes> allocated_types;
};

}  // namespace copse::jvm
