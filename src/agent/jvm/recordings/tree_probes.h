// Probes that build trees in place (runtime/tree).
#pragma once

#include "agent/jvm/jvm_state.h"
#include "base/status.h"
#include "cct/inplace/inline_trees.h"

namespace copse::jvm {

extern const ProbeKind kTreeProbes;

// Starts the probes, or goes on with them after another recording. `trees`: outlives the JVM.
Status start_tree_probes(JvmState& jvm, JNIEnv* jni, const cct::InlineTrees& trees,
                         const RuntimeClass::Threads& threads);

}  // namespace copse::jvm
