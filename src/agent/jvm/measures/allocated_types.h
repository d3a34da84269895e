// Sizes of the objects that a program allocates, in a table that probes read (CopseAllocations.java).
//
//   entry    8 bytes, by type number; 0: not learned yet
//   4 to 11  arrays of newarray's types: offset of their elements << 8 | log2 of an element's size
//   12       arrays of references
//   13       a class of unknown size
//   from 16  classes: size | 1
//
// A class's number stands for its name as one loader understands it. It always means the same class, in later
// recordings of the JVM as well. The JVM is asked for the size when the first object was made.
//
// Threads: any; one mutex.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "agent/jvm/hook/method_table.h"
#include "base/status.h"

namespace copse::jvm {

inline constexpr std::uint64_t kKnownSize = 1;  // added to the size of a class
inline constexpr int kArrayScaleBits = 8;
inline constexpr int kAllocatedTypeBits = 19;  // of a type's number

class AllocatedTypes {
 public:
  // `methods`: gets the types of unknown size, as skipped.
  explicit AllocatedTypes(MethodTable& methods);

  // Asks the JVM how arrays are laid out. Called once, in VMInit or later, before a probe reads the table.
  Status start(jvmtiEnv* jvmti, JNIEnv* jni);
  std::uint64_t sizes_address() const noexcept { return reinterpret_cast<std::uint64_t>(sizes_); }
  std::uint64_t alignment() const noexcept { return alignment_; }  // of objects, in bytes

  // Returns the number of a type. `class_name`: internal, as the classes of this loader name it. An array gets
  // a number for its name only; its layout has another number. Throws std::bad_alloc.
  std::int32_t number_of(std::uint64_t loader, std::string_view class_name);
  // Returns the name as in Java sources: byte[]; "" if there were more types than numbers. Any thread.
  std::string name_of(std::int32_t number);

  // Returns the entry of a class that the running method has just made an object of. Called by: the probes'
  // slow path. Makes an object of its own, whose constructor does not run.
  std::uint64_t learn(jvmtiEnv* jvmti, JNIEnv* jni, std::int32_t number);

 private:
  Status learn_array(jvmtiEnv* jvmti, JNIEnv* jni, std::size_t number, char descriptor);
  // Returns nullptr if the JVM cannot say.
  jclass find_class(jvmtiEnv* jvmti, JNIEnv* jni, const std::string& name);

  MethodTable& methods_;
  std::uint64_t* sizes_ = nullptr;
  std::uint64_t alignment_ = 8;
  jclass class_class_ = nullptr;  // global reference
  jmethodID for_name_ = nullptr;

  std::mutex mutex_;                                       // guards the members below
  std::unordered_map<std::string, std::int32_t> numbers_;  // type numbers, by loader and name
  std::vector<std::string> names_;                         // from kFirstClass on
};

}  // namespace copse::jvm
