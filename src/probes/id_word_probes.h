// The probes of a run that checks context ids: the probes of a profile (shadow_stack_probes.h) and
// of an encoder (context_id_probes.h) at once, and the probe that puts the frame's id word into the
// packet (base/id_word.h).
//
//   entry          resolve(), CopseIds.resolve(); header = header(), before = wordIn(header),
//                  idFrame = frameBehind(header, before, 0, place),
//                  frame = enter(header, idFrame, method);
//                  leave(header, frame, idFrame) if the method is marked
//   before_call    call(header, frame, idFrame, site, idSite); for callees without probes
//                  enterCallee(frameBehind(header, idFrame, idSite, place), header, frame, site,
//                  method), then leaveCallee() if it is marked
//   after_call     restore(header, frame, idFrame), unless the next probe stores both words; and at the
//                  start of handlers
//   before_return  exit(header, frame, before); and where an exception leaves
//
// resolve() and CopseIds.resolve() have the class's loader asked for the probes' classes before the
// entry is recorded. A loader's code may itself be recorded, and must find both words of before or
// both of after: hence the methods that store both (CopseIdWords.java), and hence frameBehind()
// stores nothing.
//
// Both kinds of probes number methods and call sites alike. Calls that the profile alone follows
// have its probes alone. All stores are absolute. A stack overflow in the middle of one leaves the
// words apart until the next recorded frame restores them: at once, unless code without probes
// catches it and calls on.
//
// A method that needs no id has the profile's probes alone and leaves no id word.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>

#include "probes/context_id_probes.h"
#include "probes/shadow_stack_probes.h"

namespace copse::classfile {

// Bytecode indices in a rewritten method that has an id. Up to the last call that resolves a class,
// the frame's entry is not recorded. Up to the last call of the entry, it is unknown whether it is;
// in methods of so many locals that the probes' locals have wide operands, up to the second figure.
// The method's own calls are behind that.
inline constexpr std::int64_t kLastResolvingCall = 6;
inline constexpr std::int64_t kLastEntryCall = 38;
inline constexpr std::int64_t kLastEntryCallOfWide = 54;

class IdWordProbes final : public ProbeSet {
 public:
  // `ids`: without events; a marked method leaves its id word.
  IdWordProbes(const ShadowStackProbeOptions& calls, const ContextIdProbeOptions& ids,
               ProbeHost& host, PlaceHost& places);

  bool begin(const MethodView& method) override;
  std::span<const LocalKind> locals() const override;
  void entry(CodeEmitter& code) override;
  void before_call(CodeEmitter& code, std::size_t call_index) override;
  void after_call(CodeEmitter& code, std::size_t call_index) override;
  void before_return(CodeEmitter& code) override;
  void before_drop(CodeEmitter& code) override;
  void handler_start(CodeEmitter& code) override;
  void unwind(CodeEmitter& code) override;

 private:
  // Asks the hosts once for each method and call site. Tells the encoder of all numbered call
  // sites, including those followed by the profile alone.
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
    std::uint32_t largest_ = 0;                   // largest ordinal in sites_
  };

  static void load_words(CodeEmitter& code, std::size_t id_word);
  void push_frame_behind(CodeEmitter& code, std::size_t id_word, std::int64_t site,
                         std::int64_t place);
  void enter_callee(CodeEmitter& code, std::size_t call_index, std::int64_t site);

  OneHost host_;
  ShadowStackProbes calls_;
  ContextIdProbes ids_;
  bool has_ids_ = false;
  bool long_operands_;
};

}  // namespace copse::classfile
