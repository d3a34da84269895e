// Fields of java.lang.Thread in which probes find a thread's header and its context word.
//
// Threads: any, once find() has returned.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <string>

#include "agent/jvm/runtime/header_table.h"
#include "base/status.h"
#include "shadowstack/thread_header.h"

namespace copse::jvm {

// Way in which a probe finds its thread's header.
enum class HeaderAccess {
  kTableByThreadId,  // no change to java.lang.Thread: class data sharing stays on
  kThreadField,      // a field added to java.lang.Thread when that class is loaded
};
inline constexpr const char* kThreadHeaderField = "copse$header";

// Place of a thread's word, for probes that build trees or keep ids (CopseWord.java).
enum class WordPlace : std::uint8_t {
  kAddedField = 1,  // added to java.lang.Thread when that class is loaded
  kStackSize = 2,   // Thread.stackSize, which the JVM reads when the thread starts, up to JDK 18
  kHoldersStackSize = 3,  // Thread.holder.stackSize, from JDK 19 on; virtual threads: header
  kHeader = 4,            // in packet modes, and where handlers of signals could not read fields
};
inline constexpr const char* kThreadWordField = "copse$word";
inline constexpr int kFirstJdkWithHolder = 19;

class ThreadFields {
 public:
  ThreadFields(HeaderAccess access, WordPlace word) : access_(access), word_(word) {}

  HeaderAccess access() const noexcept { return access_; }
  WordPlace word_place() const noexcept { return word_; }
  HeaderTable& table() noexcept { return table_; }
  const HeaderTable& table() const noexcept { return table_; }
  // Name of the field that leads to the header.
  const char* header_field() const noexcept {
    return access_ == HeaderAccess::kTableByThreadId ? "tid" : kThreadHeaderField;
  }

  // Has the word in the header. Called before any probe uses the word.
  void use_header_for_word() noexcept {
    word_ = WordPlace::kHeader;
    holder_field_ = word_field_ = nullptr;
  }
  // Finds the fields, and reserves the table if headers are found by it.
  Status find(JNIEnv* jni);

  // word_field() is the field with a thread's word; nullptr if the word is in the header. word_holder() is
  // Thread's field with the object that has it; nullptr if that is the thread itself. REQUIRES: find() was
  // called.
  jfieldID word_field() const noexcept { return word_field_; }
  jfieldID word_holder() const noexcept { return holder_field_; }

  // Returns the JVM's id of the thread. REQUIRES: find() was called.
  std::int64_t id_of(JNIEnv* jni, jthread thread) const {
    return jni->GetLongField(thread, id_field_);
  }
  // Returns the thread's name. JVMTI, asked for it, would wait until no virtual thread takes or leaves a carrier: up to JDK
  // 21 for ever, where the running thread is such a one. REQUIRES: find() was called.
  std::string name_of(JNIEnv* jni, jthread thread) const;
  // Returns the header of a thread; nullptr if it has none. Callable from event callbacks on any thread.
  shadowstack::ThreadHeader* header_of(JNIEnv* jni, jthread thread) const;
  // Returns whether find() was called.
  bool are_found() const noexcept { return header_field_ != nullptr; }
  void set_header(JNIEnv* jni, jthread thread, shadowstack::ThreadHeader* header) const;
  // Unbinds a thread that ended from its header.
  void forget(JNIEnv* jni, jthread thread);

  // Returns the context word of a thread; ROOT's word if there is none. `header`: the thread's header; nullptr
  // if none. REQUIRES: the thread is the running one, or does not run meanwhile.
  std::uint64_t word_of(JNIEnv* jni, jthread thread, const shadowstack::ThreadHeader* header) const;
  // Does nothing if the header has the word.
  void set_word(JNIEnv* jni, jthread thread, jlong word) const;
  // Returns the object with the word, a local reference; nullptr if the header has the word.
  jobject owner_of_word(JNIEnv* jni, jthread thread) const;

 private:
  Status find_word(JNIEnv* jni, jclass thread);

  const HeaderAccess access_;
  WordPlace word_;                   // constant once probes use the word
  HeaderTable table_;                // reserved with kTableByThreadId
  jfieldID id_field_ = nullptr;      // Thread.tid
  jfieldID name_field_ = nullptr;    // Thread.name
  jfieldID header_field_ = nullptr;  // Thread.tid or the added field
  jfieldID holder_field_ = nullptr;  // with WordPlace::kHoldersStackSize
  jfieldID word_field_ = nullptr;    // nullptr with WordPlace::kHeader
};

}  // namespace copse::jvm
