#include "cct/merged_methods.h"

#include <algorithm>
#include <bit>
#include <new>
#include <vector>

#include "shadowstack/in_this_order.h"

namespace copse::cct {

void MergedMethods::release() noexcept {
  all_.store(false);
  words_.store(0);
  kept_ = &own_kept_;
  bits_.release();
  depths_.release();
}

MergedRecursion MergedMethods::told() const {
  MergedRecursion told{all(), {}, from_contexts_.load(), version(), {}, false};
  const std::uint32_t words = words_.load(std::memory_order_acquire);
  for (std::uint32_t word = 0; word < words; ++word) {
    for (std::uint64_t bits = word_of(word).load(); bits != 0; bits &= bits - 1) {
      const MethodId method{word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits))};
      told.methods.push_back(method);
      told.depth_at_least.push_back(depth_of(method).load());
    }
  }
  return told;
}

void MergedMethods::add_all() noexcept {
  kept_->all = 1;
  version_.fetch_add(1);
  all_.store(true, std::memory_order_release);
}

bool MergedMethods::add(std::span<const MethodId> methods, std::uint64_t contexts) noexcept {
  std::uint32_t words = words_.load();
  for (const MethodId method : methods) words = std::max(words, raw(method) / 64 + 1);
  if (!bits_.ensure(words) || !depths_.ensure(words * std::size_t{64})) return false;
  version_.fetch_add(1);
  for (const MethodId method : methods) {
    word_of(raw(method) / 64)
        .fetch_or(std::uint64_t{1} << raw(method) % 64, std::memory_order_release);
  }
  if (from_contexts_.load() == 0) from_contexts_.store(contexts);
  kept_->from_contexts = from_contexts_.load();
  kept_->bits = reinterpret_cast<std::uint64_t>(bits_.data());
  kept_->depths = reinterpret_cast<std::uint64_t>(depths_.data());
  shadowstack::in_this_order();
  kept_->words = words;
  words_.store(words, std::memory_order_release);
  return true;
}

void MergedMethods::saw_depth(MethodId method, std::uint32_t calls) noexcept {
  if (raw(method) / 64 >= words_.load(std::memory_order_acquire)) return;
  if (calls > depth_of(method).load()) depth_of(method).store(calls);
}

bool MergedMethods::add_from(Cycles& cycles) noexcept {
  try {
    std::vector<MethodId> methods = cycles.worth_merging();
    std::erase_if(methods, [this](MethodId method) { return has(method); });
    if (methods.empty()) return false;
    if (version() < kMostAdditions) return add(methods, cycles.contexts());
    add_all();
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

std::shared_ptr<MergedMethods> merged_methods(const RecursionOptions& options,
                                              shadowstack::MemorySource& memory) {
  auto methods = std::make_shared<MergedMethods>(memory);
  if (options.recursion == Recursion::kMerge) methods->add_all();
  return methods;
}

}  // namespace copse::cct
