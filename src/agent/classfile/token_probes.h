// The probes of a run that checks context ids: those of a profile (shadow_stack_probes.h) and those
// of an encoder (context_id_probes.h) in one method, each as it is alone, and the token probe that
// puts the frame's id word into the packet (base/token_record.h).
//
//   entry          resolve(), header(); the call record; the id word; token(header, frame) if the
//                  method is marked
//   elsewhere      the profile's probes, then the encoder's
//
// The first two have the class's loader asked for the probes' classes before the entry is recorded:
// a loader's code may itself be recorded, and must not run between the call's probe and the id's.
//
// Both number methods and call sites alike. The encoder's probes take the header that the profile's
// found, so that a frame from before recording started is one to both. Each set heals by absolute
// stores, so they agree again where both have; a stack overflow between the two parts of an entry
// leaves them apart until the next recorded frame restores its words, which is at once unless code
// without probes catches it and calls on.
//
// A method that needs no id has the profile's probes alone, and no token.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>

#include "agent/classfile/context_id_probes.h"
#include "agent/classfile/shadow_stack_probes.h"

namespace copse::classfile {

// Where in a rewritten method these calls are that have a class resolved: a frame that stands here
// or before has not recorded its entry. Behind it are the rest of the entry, and what else calls.
inline constexpr std::int64_t kLastResolvingCall = 7;

class TokenProbes final : public ProbeSet {
 public:
  // `ids`: without events; its marks become tokens.
  TokenProbes(const ShadowStackProbeOptions& calls, const ContextIdProbeOptions& ids,
              ProbeHost& host, PlaceHost& places);

  bool begin(const MethodView& method) override;
  std::span<const LocalKind> locals() const override;
  void entry(CodeEmitter& code) override;
  void before_call(CodeEmitter& code, std::size_t call_index) override;
  void after_call(CodeEmitter& code, std::size_t call_index) override;
  void before_return(CodeEmitter& code) override;
  void handler_start(CodeEmitter& code) override;
  void unwind(CodeEmitter& code) override;

 private:
  // Asks the host once for each method and call site, whoever asks here. Tells the encoder of all
  // call sites that were numbered, of calls too that only the profile follows.
  class OneHost final : public ProbeHost, public PlaceHost {
   public:
    OneHost(ProbeHost& host, PlaceHost& places) : host_(host), places_(places) {}

    void begin(const MethodView& method);
    std::optional<MethodId> method(const MethodView&) override { return method_; }
    SiteOrdinal site(MethodId caller, std::uint32_t bci, std::int32_t line) override;
    Callee callee(const CallSiteView& call) override { return host_.callee(call); }
    std::optional<std::int64_t> place(MethodId method, std::uint32_t sites) override;
    std::int64_t site(MethodId caller, SiteOrdinal site) override {
      return places_.site(caller, site);
    }
    bool is_marked(std::string_view class_name, std::string_view method) override {
      return places_.is_marked(class_name, method);
    }

   private:
    ProbeHost& host_;
    PlaceHost& places_;
    std::optional<MethodId> method_;
    std::map<std::uint32_t, SiteOrdinal> sites_;  // by bytecode index
    std::uint32_t largest_ = 0;                   // of them
  };

  OneHost host_;
  ShadowStackProbes calls_;
  ContextIdProbes ids_;
  bool has_ids_ = false;
  std::array<LocalKind, 5> locals_{};
};

}  // namespace copse::classfile
