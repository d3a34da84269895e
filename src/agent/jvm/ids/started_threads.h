// Keeps the context in which each thread is started (encoders/ids/thread_origins.h). Where ids are checked, the id word
// of the frame that starts the thread is put into its packet (base/id_word.h).
//
// Threads: any.
#pragma once

#include <jni.h>

#include <cstdint>

#include "agent/jvm/hotspot/thread_starts.h"
#include "agent/jvm/jvm_state.h"
#include "encoders/ids/context_ids.h"
#include "shadowstack/packets/recorder.h"

namespace copse::jvm {

class StartedThreads final : public ThreadStartSink {
 public:
  // Packets of threads that keep ids beside them.
  struct Packets {
    shadowstack::Recorder* recorder = nullptr;  // nullptr if there are none
    std::uint64_t packet_bytes = 0;
    bool are_checked = false;  // whether id words of starts are put into them
  };
  StartedThreads(const JvmState& jvm, ids::ContextIds& ids, const Packets& packets)
      : jvm_(jvm), ids_(ids), packets_(packets) {}

  void starts(JNIEnv* jni, jobject thread) noexcept override;

 private:
  std::uint64_t word_of(JNIEnv* jni, jthread starter,
                        const shadowstack::ThreadHeader* header) const;
  void leave_id_word(shadowstack::ThreadHeader& header, std::uint64_t word) const noexcept;

  const JvmState& jvm_;
  ids::ContextIds& ids_;
  const Packets packets_;
};

}  // namespace copse::jvm
