// Probes that append call records to packets (runtime/record).
#pragma once

#include <jni.h>

#include <cstdint>
#include <vector>

#include "agent/jvm/hook/method_table.h"
#include "agent/jvm/runtime/runtime_class.h"
#include "base/status.h"
#include "shadowstack/packets/recorder.h"

namespace copse::jvm {

extern const ProbeKind kPacketProbes;

// Data of the probes. `recorder`: outlives the JVM.
struct PacketRun {
  shadowstack::Recorder& recorder;
  const MethodTable& methods;
  std::uint64_t packet_bytes;
  bool words_are_read = false;  // whether other threads read the words of running threads
};

// Starts the probes.
Status start_packet_probes(RuntimeClass& runtime, JNIEnv* jni, const PacketRun& run,
                           const RuntimeClass::Threads& threads);

// Parts for other kinds of probes that append call records. The class is CopseProbe.
Status start_packet_class(RuntimeClass& runtime, JNIEnv* jni, const PacketRun& run);
std::vector<JNINativeMethod> packet_natives();

}  // namespace copse::jvm
