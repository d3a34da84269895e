// Probes that leave a readable mark, `iconst_N pop` or the call of a method with N, at each place.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "classfile/probe_set.h"

namespace copse::classfile {

inline constexpr std::uint8_t kPop = 0x57;
// First byte of the mark at each place.
inline constexpr std::uint8_t kEntryMark = 0x03;
inline constexpr std::uint8_t kBeforeCallMark = 0x04;
inline constexpr std::uint8_t kAfterCallMark = 0x05;
inline constexpr std::uint8_t kReturnMark = 0x06;
inline constexpr std::uint8_t kHandlerMark = 0x07;

class MarkProbes : public ProbeSet {
 public:
  std::vector<LocalKind> kinds;  // set to zero by the entry code
  bool wanted = true;
  bool calls_marked = true;
  bool marks_call = false;  // and may thus throw
  std::function<void(const MethodView&)> on_begin;
  std::vector<std::uint32_t> moved_calls;  // where the calls of the last method are

  bool begin(const MethodView& method) override {
    if (on_begin) on_begin(method);
    moved_calls.clear();
    return wanted;
  }
  std::span<const LocalKind> locals() const override { return kinds; }
  void entry(CodeEmitter& code) override {
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      if (kinds[i] == LocalKind::kLong) code.push_long(0);
      if (kinds[i] == LocalKind::kInt) code.push_int(0);
      code.store_local(i);
    }
    mark(code, 0);
  }
  void before_call(CodeEmitter& code, std::size_t) override {
    if (calls_marked) mark(code, 1);
  }
  void after_call(CodeEmitter& code, std::size_t) override {
    if (calls_marked) mark(code, 2);
  }
  void before_return(CodeEmitter& code) override { mark(code, 3); }
  void handler_start(CodeEmitter& code) override { mark(code, 4); }
  void moved_call(std::size_t call_index, std::uint32_t bci) override {
    EXPECT_EQ(call_index, moved_calls.size());
    moved_calls.push_back(bci);
  }

 private:
  void mark(CodeEmitter& code, std::int32_t value) const {
    code.push_int(value);
    if (marks_call) {
      code.invoke_static("pkg/Marks", "mark", "(I)V");
    } else {
      code.op(kPop);
    }
  }
};

}  // namespace copse::classfile
