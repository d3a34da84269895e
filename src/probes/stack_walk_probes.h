// The probes of a run that walks the stack at marked methods and keeps no ids:
//
//   entry         mark() if the method is marked
//   before_call   mark() for marked callees that run no probe of their own (CalleeKind)
#pragma once

#include <span>
#include <vector>

#include "classfile/probe_set.h"
#include "probes/context_id_probes.h"

namespace copse::classfile {

class StackWalkProbes final : public ProbeSet {
 public:
  StackWalkProbes(ProbeHost& host, PlaceHost& places) : host_(host), places_(places) {}

  bool begin(const MethodView& method) override;
  std::span<const LocalKind> locals() const override { return {}; }
  void entry(CodeEmitter& code) override;
  void before_call(CodeEmitter& code, std::size_t call_index) override;
  void after_call(CodeEmitter&, std::size_t) override {}
  void before_return(CodeEmitter&) override {}
  void handler_start(CodeEmitter&) override {}
  void unwind(CodeEmitter&) override {}

 private:
  ProbeHost& host_;
  PlaceHost& places_;
  bool is_marked_ = false;
  std::vector<bool> marks_callee_;  // by call
};

}  // namespace copse::classfile
