// A random program without recursion, compiled: some methods run in code of their own, the others in that of their
// callers. There a reader of the thread's word may still find any word that was stored since the code was entered.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "base/call_record.h"
#include "shadowstack/inlined_calls.h"

namespace copse::test {

// Probe: enter(MethodId), which returns a frame; call(frame, SiteOrdinal), restore(frame), exit(frame), and word().
template <typename Probe>
class InlinedProgram {
 public:
  InlinedProgram(Probe& probe, std::uint64_t seed) : probe_(probe), random_(seed) {}

  // Calls at(word, code, path) in each context that the program is in: `word` is one that may be read there, `code` where
  // the thread runs, `path` the true context.
  template <typename At>
  void run(int calls, At at) {
    while (calls > 0) {
      std::vector<std::uint64_t> words = {probe_.word()};
      call(context_key(kNoSite, method_at(0)), 0, words, calls, at);
    }
  }

 private:
  static constexpr int kDeepest = 12;
  static constexpr std::uint32_t kMethodsOfDepth = 4;

  // Contexts do not repeat a method: each depth has its own.
  MethodId method_at(int depth) {
    return MethodId{1 + static_cast<std::uint32_t>(depth) * kMethodsOfDepth +
                    static_cast<std::uint32_t>(random_() % kMethodsOfDepth)};
  }
  static bool is_inlined(ContextKey call) { return call % 3 != 0; }

  // `words`: those that may be read in the caller's code.
  template <typename At>
  void call(ContextKey key, shadowstack::InlinedCalls::Chain outer,
            std::vector<std::uint64_t>& words, int& calls, At at) {
    --calls;
    const bool has_code = path_.empty() || !is_inlined(key);
    std::vector<std::uint64_t> own = {probe_.word()};  // the caller's stores were made
    std::vector<std::uint64_t>& here = has_code ? own : words;
    shadowstack::InlinedCalls* const callers_code = code_;
    if (has_code) {
      code_ = &codes_[method_of(key)];
      outer = 0;
    }
    const ContextKey inlined = has_code ? context_key(kNoSite, method_of(key)) : key;
    const auto chain = code_->with_call(outer, inlined);
    path_.push_back(key);
    const auto frame = probe_.enter(method_of(key));
    here.push_back(probe_.word());
    look(here, chain, at);
    for (std::uint64_t more = random_() % 4; more > 0 && path_.size() < kDeepest && calls > 0;
         --more) {
      const SiteOrdinal site{static_cast<std::uint16_t>(1 + random_() % 3)};
      probe_.call(frame, site);
      here.push_back(probe_.word());
      call(context_key(site, method_at(static_cast<int>(path_.size()))), chain, here, calls, at);
      look(here, chain, at);
      probe_.restore(frame);
      here.push_back(probe_.word());
      look(here, chain, at);
    }
    probe_.exit(frame);
    path_.pop_back();
    code_ = callers_code;
    if (has_code) {
      words = {probe_.word()};  // and so were the callee's
    } else {
      words.push_back(probe_.word());
    }
  }

  template <typename At>
  void look(const std::vector<std::uint64_t>& words, shadowstack::InlinedCalls::Chain chain,
            At at) {
    at(words[random_() % words.size()], shadowstack::CodePlace{*code_, chain}, path_);
  }

  Probe& probe_;
  std::mt19937_64 random_;
  std::map<MethodId, shadowstack::InlinedCalls> codes_;
  shadowstack::InlinedCalls* code_ = nullptr;
  std::vector<ContextKey> path_;
};

}  // namespace copse::test
