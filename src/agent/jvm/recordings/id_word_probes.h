// Probes that append call records to packets and keep context ids at once (runtime/id_word): the id words of some
// entries are in the packets.
#pragma once

#include <cstdint>

#include "agent/jvm/ids/stack_check.h"
#include "agent/jvm/recordings/id_probes.h"
#include "agent/jvm/recordings/packet_probes.h"
#include "agent/jvm/runtime/runtime_class.h"
#include "base/status.h"

namespace copse::jvm {

extern const ProbeKind kIdWordProbes;

struct IdWordRun {
  PacketRun packets;
  IdRun ids;
  std::uint64_t check_every;  // n: every n-th marked entry of a thread leaves its id word
  std::uint64_t stack_every;  // n: every n-th of these words goes to `stacks`
  StackCheck* stacks;         // nullptr if none does
};

// Starts the probes.
Status start_id_word_probes(RuntimeClass& runtime, JNIEnv* jni, const IdWordRun& run);

}  // namespace copse::jvm
