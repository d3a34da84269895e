// Inserts a set of probes into a class file. No JVM needed: bytes in, bytes out.
//
// Any doubt leaves the class, or the method, as it was and says why; what comes out always passes
// the verifier if the input did. Supported: class-file versions 45 to 69.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "classfile/probe_set.h"

namespace copse::classfile {

// Why a method's or a class's probes were not inserted. reason_text() is what the report prints.
enum class SkipReason {
  kCodeTooLarge,  // would pass 65,535 bytes, or another limit of the format
  // Would pass HotSpot's 8,000-byte limit and never be compiled. Class initialisers, which run
  // once, are exempt.
  kHugeMethod,
  kJsrRet,  // subroutines (before version 51)
  kConstantPoolFull,
  kStackMapTooLarge,  // would grow out of proportion to the class
  kUnsupportedVersion,
  kMalformed,  // not a class file as the specification has it
};
std::string_view reason_text(SkipReason reason);

struct SkippedMethod {
  std::string name;
  std::string descriptor;
  SkipReason reason;
};

// A field to add, e.g. a slot in java.lang.Thread for the thread's header. Package private.
struct NewField {
  std::string name;
  std::string descriptor;
};

struct Rewritten {
  bool changed = false;             // false: use the input
  std::vector<std::uint8_t> bytes;  // only when changed
  std::vector<SkippedMethod> skipped;
};

// Cost: one pass over the class, linear in its size; a second over methods whose jumps overflow.
// Fails (class left alone) with the reason in the message; no partial output.
Result<Rewritten> rewrite(std::span<const std::uint8_t> class_bytes, ProbeSet& probes,
                          std::span<const NewField> new_fields = {});

}  // namespace copse::classfile
