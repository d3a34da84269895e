// Tells whether JVMTI can be asked for the running thread's stack. Natives that probes call ask here first.
//
// Up to JDK 21, JVMTI looks at a stack once no virtual thread takes or leaves a carrier. A probe of one of the JDK's
// methods may run in the midst of that, and its thread would wait for itself. So java.lang.VirtualThread tells of such
// moves there (thread_switch_probes.h). Probes of other methods do not run in one.
//
// Thread-safe: each thread has its own.
#pragma once

#include <jvmti.h>

namespace copse::jvm {

// Returns whether the JVM may wait so.
bool waits_for_moves(jvmtiEnv* jvmti);

class OwnStack {
 public:
  // The running thread begins a move, or has ended one.
  static void moves(bool begins) noexcept;
  // Returns false while the running thread moves.
  static bool can_be_read() noexcept;
};

}  // namespace copse::jvm
