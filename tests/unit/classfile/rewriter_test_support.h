// Shared by the rewriter's unit tests: rewrite one class and look at one method of the result.
#pragma once

#include <gtest/gtest.h>

#include "classfile/rewriter.h"
#include "support/class_builder.h"
#include "support/class_reader.h"
#include "support/mark_probes.h"

namespace copse::classfile {

struct Outcome {
  Rewritten result;
  std::optional<ReadClass> read;

  Bytes code(std::string_view method = "m") const {
    const CodeAttribute* found = read ? read->code_of(method) : nullptr;
    return found == nullptr ? Bytes{} : Bytes(found->code.begin(), found->code.end());
  }
  const CodeAttribute& attribute(std::string_view method = "m") const {
    return *read->code_of(method);
  }
  Bytes part(std::string_view name, std::string_view method = "m") const {
    const auto content = read->part(method, name);
    return Bytes(content.begin(), content.end());
  }
};

inline Outcome rewrite_class(const Bytes& bytes, ProbeSet& probes) {
  Outcome outcome;
  auto result = rewrite(bytes, probes);
  EXPECT_TRUE(result.ok()) << result.message();
  if (!result.ok()) return outcome;
  outcome.result = std::move(*result);
  if (outcome.result.changed) {
    outcome.read = read_class(outcome.result.bytes);
    EXPECT_TRUE(outcome.read.has_value()) << "the output is not a class file";
  }
  return outcome;
}

inline Outcome rewrite_method(ClassBuilder builder, const MethodSpec& method, ProbeSet& probes) {
  builder.add(method);
  return rewrite_class(builder.build(), probes);
}

inline std::uint8_t high(std::uint32_t value) { return static_cast<std::uint8_t>(value >> 8); }
inline std::uint8_t low(std::uint32_t value) { return static_cast<std::uint8_t>(value); }

}  // namespace copse::classfile
