// Inserts a set of probes into a class file. Needs no JVM: bytes in, bytes out.
//
// In doubt it leaves the class, or the method, as it was and gives the reason. The output passes
// the verifier if the input did. Known: class-file versions 45 to 72. Newer ones are rewritten by the same rules; a
// method with something that is not known stays as it was.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "classfile/probe_set.h"

namespace copse::classfile {

// Reason for a method or class without probes. reason_text() is the report's text for it.
enum class SkipReason {
  kCodeTooLarge,  // would pass 65,535 bytes, or another limit of the format
  // Would pass HotSpot's 8,000-byte limit and never be compiled. Class initialisers, which run
  // once, are exempt.
  kHugeMethod,
  kJsrRet,  // subroutines (before version 51)
  kConstantPoolFull,
  kStackMapTooLarge,  // would grow out of proportion to the class
  kUnknownStackMap,   // has frames or types that are reserved
  kUnknownCode,       // in a class file newer than the known ones, or with preview features
  kUnsupportedVersion,
  kMalformed,  // violates the class file specification
};
std::string_view reason_text(SkipReason reason);

// Newest known version of class files: that of JDK 28.
inline constexpr std::uint16_t kLastKnownVersion = 72;
// Returns false for a version before 45, which no JVM has.
bool is_supported_version(std::uint16_t major_version);

struct SkippedMethod {
  std::string name;
  std::string descriptor;
  SkipReason reason;
};

// A field to add, e.g. a slot in java.lang.Thread for the thread's header. Package-private.
struct NewField {
  std::string name;
  std::string descriptor;
};

struct Rewritten {
  bool changed = false;             // false: use the input
  std::vector<std::uint8_t> bytes;  // only when changed
  std::vector<SkippedMethod> skipped;
  bool has_bare_handlers = false;  // of methods that had no room for probes there
};

// Rewrites a class. Fails with the reason in the message and without partial output; the caller
// then uses the input. Cost: one pass over the class, linear in its size; a second one over methods
// whose jumps overflow.
Result<Rewritten> rewrite(std::span<const std::uint8_t> class_bytes, ProbeSet& probes,
                          std::span<const NewField> new_fields = {});

}  // namespace copse::classfile
