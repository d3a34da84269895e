// Facts that the running JVM publishes for debuggers: HotSpot's tables gHotSpotVMStructs and gHotSpotVMTypes,
// which libjvm exports.
#pragma once

#include <jni.h>

#include <cstdint>
#include <optional>

namespace copse::jvm {

// Returns whether objects move only while all threads that run Java code stand still. References then lead such
// a thread to where its objects are. True with Serial, Parallel and G1; false with ZGC and Shenandoah, and if
// unknown.
bool moves_objects_at_safepoints_alone(JavaVM* vm) noexcept;

// Returns the size of one of the JVM's own types in bytes, 0 if unknown.
std::uint64_t size_of_hotspot_type(JavaVM* vm, const char* type) noexcept;

// Returns true if JNI's functions for fields work while an exception is pending. JNI does not promise it;
// HotSpot does it, except with -Xcheck:jni.
bool sets_fields_with_exceptions(JavaVM* vm) noexcept;

// Has a JVM that is starting go without class archives and caches, as -Xshare:off does. For agents that must see every
// class: the JVM would leave archives too, but print errors on the program's standard output, and end if the program
// must have them (-Xshare:on, -XX:AOTMode=on). Called by: Agent_OnLoad, before the JVM opens an archive.
void leave_class_archives(JavaVM* vm) noexcept;

// Returns whether this run trains an AOT cache (JDK 24 and later): classes with probes would be left out of it.
bool makes_aot_cache(JavaVM* vm) noexcept;

// Returns whether compilers may take final fields of objects for constants (-XX:+TrustFinalNonStaticFields).
bool trusts_final_fields(JavaVM* vm) noexcept;

// Returns whether the JVM itself may call exit() while other threads of it wait for the one that calls
// (-XX:+ExitOnOutOfMemoryError of JDK 17). True if unknown.
bool may_exit_amid_work(JavaVM* vm) noexcept;

// Sets a flag that compilers read whenever they begin to compile a method. Returns the previous value;
// std::nullopt if the JVM has no such flag. `flag`: a boolean flag.
std::optional<bool> set_compiler_switch(JavaVM* vm, const char* flag, bool on) noexcept;

// Gives a text flag another value for the lifetime of this object. `text` must outlive it.
class PassingTextFlag {
 public:
  PassingTextFlag(JavaVM* vm, const char* flag, const char* text) noexcept;
  ~PassingTextFlag();
  PassingTextFlag(const PassingTextFlag&) = delete;
  PassingTextFlag& operator=(const PassingTextFlag&) = delete;

  // Returns false if the JVM has no such flag.
  bool is_set() const noexcept { return value_ != nullptr; }
  bool was_empty() const noexcept { return before_ == nullptr || *before_ == '\0'; }

 private:
  const char** value_ = nullptr;
  const char* before_ = nullptr;
};

}  // namespace copse::jvm
