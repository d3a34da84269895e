#include "agent/jvm/ids/started_threads.h"

#include <initializer_list>

#include "base/id_word.h"
#include "encoders/ids/id_layout.h"

namespace copse::jvm {

void StartedThreads::starts(JNIEnv* jni, jobject thread) noexcept {
  jthread starter = nullptr;
  if (jvm_.jvmti->GetCurrentThread(&starter) != JVMTI_ERROR_NONE) return;
  shadowstack::ThreadHeader* const header = jvm_.runtime.header_of(jni, starter);
  const std::uint64_t word = word_of(jni, starter, header);
  ids_.keep_origin(jvm_.runtime.id_of(jni, thread), jvm_.runtime.id_of(jni, starter), word);
  if (packets_.are_checked && ids_.id_of(word) != 0) leave_id_word(*header, word);
  jni->DeleteLocalRef(starter);
}

std::uint64_t StartedThreads::word_of(JNIEnv* jni, jthread starter,
                                      const shadowstack::ThreadHeader* header) const {
  if (packets_.recorder == nullptr) {
    return ids_.frame_word(header, jvm_.runtime.word_of(jni, starter, header));
  }
  if (header == nullptr) return ids::kRootNumber;
  return packets_.recorder->is_shared(header) ? ids_.lost_word() : header->id_word;
}

// The thread's word of calls has the depth of an id word behind the entry of the frame that it stands in.
void StartedThreads::leave_id_word(shadowstack::ThreadHeader& header,
                                   std::uint64_t word) const noexcept {
  for (const IdWordHalf half : {IdWordHalf::kUpperOfStart, IdWordHalf::kLower}) {
    const CallRecord record = id_word_record(depth_of(header.word), half, word);
    while (!shadowstack::try_append(header, record, packets_.packet_bytes)) {
      packets_.recorder->next_packet(&header);
    }
  }
}

}  // namespace copse::jvm
