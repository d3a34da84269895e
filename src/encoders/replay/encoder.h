// Interface of every encoder, in two forms.
//
// ContextEncoder is the static form: a concrete class whose Thread holds a program thread's state.
// A replay loop is a template over it, so that call() is inlined and nothing is virtual.
// Encoder is the same behind virtual calls, for tools that select schemes by name; EncoderAdapter makes an Encoder from
// a ContextEncoder.
//
// Events of one thread:
//   start             the thread exists and stands at ROOT
//   call(edge)        edge's callee is entered; its caller is the running method (ROOT at depth 0)
//   ret               the running method returns to its caller
//   unwind(k)         k frames leave at once without running their exit code (exception, longjmp)
//   end               the thread is gone; its state is released
// collect() lets an encoder that adapts to the program look at a thread's context, at times that are a sample of the
// calls; it may change how later contexts are encoded.
// token() writes the bytes that a client would store now; decode() returns the context, at once or after any later
// events. decode of a foreign or damaged token is an error, never undefined behaviour.
//
// Schemes that discover the data for decode while they run also have save_state() and load_state(). load_state()
// requires an encoder with the same configuration that has seen no event; the encoder then only decodes. A static
// scheme is made again from its graph (state_file.h).
//
// Threads: an encoder is driven by one caller at a time and models any number of program threads.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/call_path.h"
#include "base/ids.h"
#include "base/scheme_facts.h"
#include "base/status.h"
#include "base/wire/state_io.h"
#include "encoders/replay/token.h"
#include "encoders/scheme/memory_use.h"

namespace copse::encoders {

template <typename E>
concept ContextEncoder = requires(E encoder, const E& reader, typename E::Thread& thread,
                                  ThreadIndex index, EdgeKey edge, std::uint32_t frames,
                                  Token& token, const Token& stored) {
  { encoder.thread(index) } -> std::same_as<typename E::Thread&>;
  encoder.start(thread);
  encoder.call(thread, edge);
  encoder.ret(thread);
  encoder.unwind(thread, frames);
  encoder.end(thread);
  encoder.token(thread, token);
  { reader.decode(stored) } -> std::same_as<Result<CallPath>>;
  { reader.memory() } -> std::same_as<MemoryUse>;
};

class Encoder {
 public:
  virtual ~Encoder() = default;

  virtual void start(ThreadIndex thread) = 0;
  virtual void call(ThreadIndex thread, CallSite site, MethodId callee) = 0;
  virtual void ret(ThreadIndex thread) = 0;
  virtual void unwind(ThreadIndex thread, std::uint32_t frames) = 0;
  virtual void end(ThreadIndex thread) = 0;
  virtual void token(ThreadIndex thread, Token& out) = 0;
  virtual void collect(ThreadIndex thread) = 0;

  virtual Result<CallPath> decode(const Token& token) const = 0;
  // Returns the correct result of decode for a true context: the context itself, except for schemes that by design
  // merge recursion (merged CCT) or leave out unknown code (DeltaPath).
  virtual CallPath expected(const CallPath& truth) const = 0;
  virtual MemoryUse memory() const = 0;
  // Returns std::nullopt for a scheme without a stack. REQUIRES: the thread has started.
  virtual std::optional<StackHeight> stack_height(ThreadIndex thread) = 0;
  virtual SchemeFacts facts() const = 0;

  virtual void save_state(wire::StateWriter& out) const = 0;
  virtual void load_state(wire::StateReader& in) = 0;  // failure: in.status()
};

template <ContextEncoder E>
class EncoderAdapter final : public Encoder {
 public:
  // `make` returns the encoder; it is built in place, so it need not be movable.
  template <typename Factory>
  explicit EncoderAdapter(Factory&& make) : encoder_(make()) {}

  void start(ThreadIndex thread) override { encoder_.start(encoder_.thread(thread)); }
  void call(ThreadIndex thread, CallSite site, MethodId callee) override {
    encoder_.call(encoder_.thread(thread), edge_key(site, callee));
  }
  void ret(ThreadIndex thread) override { encoder_.ret(encoder_.thread(thread)); }
  void unwind(ThreadIndex thread, std::uint32_t frames) override {
    encoder_.unwind(encoder_.thread(thread), frames);
  }
  void end(ThreadIndex thread) override { encoder_.end(encoder_.thread(thread)); }
  void token(ThreadIndex thread, Token& out) override {
    out.clear();
    encoder_.token(encoder_.thread(thread), out);
  }
  void collect(ThreadIndex thread) override {
    if constexpr (requires { encoder_.collect(encoder_.thread(thread)); }) {
      encoder_.collect(encoder_.thread(thread));
    }
  }
  Result<CallPath> decode(const Token& token) const override { return encoder_.decode(token); }
  CallPath expected(const CallPath& truth) const override {
    if constexpr (requires { encoder_.expected(truth); }) {
      return encoder_.expected(truth);
    } else {
      return truth;
    }
  }
  MemoryUse memory() const override { return encoder_.memory(); }
  std::optional<StackHeight> stack_height(ThreadIndex thread) override {
    if constexpr (requires { encoder_.stack_height(encoder_.thread(thread)); }) {
      return encoder_.stack_height(encoder_.thread(thread));
    } else {
      return std::nullopt;
    }
  }
  SchemeFacts facts() const override {
    if constexpr (requires { encoder_.facts(); }) {
      return encoder_.facts();
    } else {
      return {};
    }
  }
  void save_state(wire::StateWriter& out) const override {
    if constexpr (requires { encoder_.save_state(out); }) encoder_.save_state(out);
  }
  void load_state(wire::StateReader& in) override {
    if constexpr (requires { encoder_.load_state(in); }) encoder_.load_state(in);
  }

  E& get() noexcept { return encoder_; }

 private:
  E encoder_;
};

}  // namespace copse::encoders
