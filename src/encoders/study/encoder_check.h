// Checks one encoder over the whole stream: decodes every sample's token at once and again at the end of the run, after
// all later changes of the encoder's tables, and compares with the true context.
//
// Also measures bytes of tokens, nanoseconds per token taken and decoded, and the encoder's memory at the survey's
// growth points. Memory at any time: one encoder, the survey, and the tokens kept.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "encoders/replay/registry.h"
#include "encoders/study/survey.h"
#include "encoders/study/token_store.h"

namespace copse::study {

struct CheckOptions {
  std::uint64_t kept_token_bytes = std::uint64_t{256} << 20;  // tokens beyond: decoded at once only
  std::uint64_t most_bytes = std::uint64_t{4} << 30;  // limit of the encoder, which is then stopped
  // Writes a context into the text of a failure.
  std::function<std::string(const CallPath&)> context_text = [](const CallPath& path) {
    return '[' + to_string(path) + ']';
  };
  // Called with the encoder at the end of the run and the kept tokens; may be empty.
  std::function<Status(const encoders::EncoderInfo&, const encoders::Encoder&, const TokenStore&)>
      when_done;
};

struct DecodeFailure {
  Sample sample;
  std::uint64_t found_at;  // operations when decode went wrong; sample.position if at once
  std::string what;        // expected and got, one line
  bool at_once() const noexcept { return found_at == sample.position; }
};

struct GrowthBytes {
  std::uint64_t position;
  encoders::MemoryUse use;
};

struct EncoderCheck {
  const encoders::EncoderInfo* info = nullptr;

  // Each token counts once. For schemes that do not decode, the last four stay 0.
  std::uint64_t tokens = 0;
  std::uint64_t decoded = 0;             // right both times
  std::uint64_t wrong = 0;               // another context, at once or at the end
  std::uint64_t undecodable = 0;         // an error, at once or at the end
  std::uint64_t given_up = 0;            // of these, at a limit of work or of a word
  std::optional<DecodeFailure> failure;  // first failure found; std::nullopt if none

  std::uint64_t contexts = 0;    // distinct contexts among the kept tokens, as the scheme sees them
  std::uint64_t collisions = 0;  // see count_collisions()
  std::uint64_t not_kept = 0;    // tokens decoded at once only

  std::uint64_t token_bytes = 0;  // sum
  std::uint64_t longest_token = 0;
  double token_ns = 0;   // mean cost of taking one
  double decode_ns = 0;  // mean cost of decoding one at the end

  std::optional<StackFigures>
      stack;          // std::nullopt for a scheme without a stack, or without tokens
  SchemeFacts facts;  // at the end of the run

  std::vector<GrowthBytes> growth;
  std::uint64_t peak_bytes = 0;  // largest measured total without replay bytes
  std::uint64_t peak_live_bytes = 0;
  std::uint64_t threads_at_peak = 0;  // live threads at the maximum of live bytes

  // 0: saw the whole stream; else the operation at which its memory stopped it.
  std::uint64_t stopped_at = 0;

  // Returns true if the scheme kept its claims, or claims nothing.
  bool holds() const noexcept {
    if (info->claim == encoders::Claim::kNeverWrong) return wrong == 0;
    return !info->claims_precision() || (wrong == 0 && undecodable == 0 && collisions == 0);
  }
};

Result<EncoderCheck> check_encoder(OpStream& stream, const Survey& survey,
                                   const encoders::EncoderInfo& info,
                                   const encoders::EncoderConfig& config,
                                   const CheckOptions& options);

}  // namespace copse::study
