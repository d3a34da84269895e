// A random program that makes excerpts of itself, nested too, and the truth about what it calls.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "cct/inplace/excerpt.h"
#include "cct/inplace/inline_trees.h"
#include "support/call_streams.h"
#include "support/inline_probe.h"
#include "support/reference_tree.h"

namespace copse::test {

// An excerpt as a tree.
class ExcerptTree final : public cct::ContextTree {
 public:
  explicit ExcerptTree(const cct::Excerpt& excerpt) : nodes_(excerpt.nodes) {}
  std::uint32_t node_count() const noexcept override {
    return static_cast<std::uint32_t>(nodes_.size());
  }
  cct::ContextNode node(NodeIndex index) const noexcept override { return nodes_[raw(index)]; }

 private:
  const std::vector<cct::ContextNode>& nodes_;
};

struct ExcerptShape {
  std::uint64_t calls = 20000;
  unsigned methods = 30;
  std::uint32_t deepest = 40;
  double excerpt_chance = 0.02;  // that a call is made from an excerpt
};

class ExcerptPlayer {
 public:
  // Called with an excerpt and the calls that were made while it lasted.
  using Told = std::function<void(const std::optional<cct::Excerpt>&, const CallStream&)>;

  ExcerptPlayer(cct::InlineTrees& trees, shadowstack::ThreadHeader* header, std::uint64_t seed,
                const ExcerptShape& shape)
      : probe_(trees, header), header_(header), random_(seed), shape_(shape) {}

  void run(const Told& told) {
    while (stream_.size() < shape_.calls) make_call(0, SiteOrdinal{0}, told);
  }
  // All calls so far, as a thread without excerpts would make them.
  const CallStream& stream() const { return stream_; }
  std::uint64_t excerpts() const { return excerpts_; }

  // Runs `body` in an excerpt, restores the caller's word and gives the excerpt to `told`.
  template <typename Body>
  void in_excerpt(std::uint32_t depth, const Told& told, Body body,
                  cct::InlineTrees::Whose whose = cct::InlineTrees::Whose::kOwnCalls) {
    const std::uint64_t word = header_->word;
    const std::uint64_t slot = cct::InlineTrees::begin_excerpt(header_, word, whose);
    ASSERT_GT(slot, cct::InlineTrees::kResumesFrames);
    header_->word = slot;
    const std::size_t from = stream_.size();
    body();
    header_->word = word;
    const std::optional<cct::Excerpt> excerpt = cct::InlineTrees::end_excerpt(header_, slot);
    CallStream called;
    for (std::size_t i = from; i < stream_.size(); ++i) {
      const std::uint32_t own = depth_of(stream_[i]) - depth;
      called.push_back(
          call_record(own, own == 0 ? kNoSite : site_of(stream_[i]), method_of(stream_[i])));
    }
    ++excerpts_;
    told(excerpt, called);
  }

  // Makes a call from where the word stands: `site` of the caller, which is at `depth` - 1. `at_end` runs at the end of
  // the method, with a call site of its own.
  void make_call(std::uint32_t depth, SiteOrdinal site, const Told& told,
                 const std::function<void(std::uint32_t, SiteOrdinal)>& at_end = {}) {
    // A few methods are hot, as in real programs.
    const auto any = [&] { return 1 + static_cast<unsigned>(random_() % shape_.methods); };
    const MethodId method{std::min(any(), any())};
    stream_.push_back(call_record(depth, site, method));
    const std::uint64_t frame = probe_.enter(method);
    while (depth + 1 < shape_.deepest && stream_.size() < shape_.calls && random_() % 100 < 48) {
      const SiteOrdinal next{static_cast<std::uint16_t>(random_() % 5)};
      probe_.call(frame, next);
      if (chance_(random_) < shape_.excerpt_chance) {
        in_excerpt(depth + 1, told, [&] {
          for (std::uint64_t calls = random_() % 4; calls > 0; --calls)
            make_call(depth + 1, next, told);
        });
      } else {
        make_call(depth + 1, next, told);
      }
      probe_.restore(frame);
    }
    if (at_end) {
      constexpr SiteOrdinal kLast{6};
      probe_.call(frame, kLast);
      at_end(depth + 1, kLast);
    }
    probe_.exit(frame);
  }

 private:
  InlineProbe probe_;
  shadowstack::ThreadHeader* const header_;
  std::mt19937_64 random_;
  std::uniform_real_distribution<double> chance_{0, 1};
  const ExcerptShape shape_;
  CallStream stream_;
  std::uint64_t excerpts_ = 0;
};

}  // namespace copse::test
