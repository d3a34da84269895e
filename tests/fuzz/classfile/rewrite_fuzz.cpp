// Any bytes as a class file, with each kind of probes: left alone with a reason, or rewritten into
// a class file as well-formed as the input, which is accepted again.
//
// Whether HotSpot's verifier agrees is asked by tests/e2e/classfile/verify_found.py, for all that a
// search has found together: a JVM for every input would take too long.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "classfile/class_summary.h"
#include "classfile/numbered_class.h"
#include "classfile/rewriter.h"
#include "classverify/exercise_probes.h"
#include "probes/context_id_probes.h"
#include "probes/id_word_probes.h"
#include "probes/shadow_stack_probes.h"
#include "probes/value_probes.h"
#include "support/class_reader.h"
#include "support/fuzz_require.h"

using namespace copse;
using namespace copse::classfile;

namespace {

constexpr std::string_view kRuntimePackage = "java/lang/Copse";

// Ids in order; a callee's kind depends on its name, so that output is treated as its input was.
class Host final : public ProbeHost, public PlaceHost, public AllocationHost {
 public:
  std::optional<MethodId> method(const MethodView&) override { return MethodId{++methods_}; }
  SiteOrdinal site(MethodId, std::uint32_t bci, std::int32_t) override {
    return SiteOrdinal{static_cast<std::uint16_t>(bci % 0xFFFF + 1)};
  }
  Callee callee(const CallSiteView& call) override {
    if (call.owner.starts_with(kRuntimePackage)) return {CalleeKind::kSilent, kNoMethod};
    const auto kind = static_cast<CalleeKind>(std::hash<std::string_view>()(call.name) % 4);
    const bool counted = kind == CalleeKind::kCountedLeaf || kind == CalleeKind::kCountedNative;
    return {kind, counted ? MethodId{1} : kNoMethod};
  }
  std::optional<std::int64_t> place(MethodId method, std::uint32_t) override { return raw(method); }
  std::int64_t site(MethodId, SiteOrdinal site) override { return raw(site); }
  bool is_marked(std::string_view, std::string_view method) override {
    return std::hash<std::string_view>()(method) % 8 < 4;
  }
  std::int32_t type(std::string_view class_name) override {
    return static_cast<std::int32_t>(class_name.size());
  }

 private:
  std::uint32_t methods_ = 0;
};

// Wants all values, and sections alone of methods whose names say so.
class HostOfValues final : public ValueHost {
 public:
  std::optional<ValueProbe> probe(const MethodView& method) override {
    const bool all = std::hash<std::string_view>()(method.name) % 4 != 0;
    return ValueProbe{.method = MethodId{70'001},
                      .invocations = all,
                      .receiver = all,
                      .result = all,
                      .parameters = std::vector<bool>(all ? 255 : 0, true),
                      .texts = std::vector<bool>(all ? 255 : 0, true),
                      .allocations = all,
                      .section = SectionProbe{.method = MethodId{7}, .receiver = true}};
  }
  void without_receiver(const MethodView&) override {}
  void without_sections(const MethodView&) override {}
};

// `make` gives fresh probes.
template <typename Make>
void rewrite_twice(std::span<const std::uint8_t> bytes, Make make) {
  auto probes = make();
  const Result<Rewritten> first = rewrite(bytes, probes);
  if (!first.ok()) {
    require(!first.message().empty(), "a failure without a reason");
    return;
  }
  if (!first->changed) {
    require(first->bytes.empty(), "bytes although nothing changed");
    return;
  }
  // Methods that the rewriter does not know stay as they were, which the reader may not know either.
  const bool is_known = std::ranges::none_of(first->skipped, [](const SkippedMethod& method) {
    return method.reason == SkipReason::kUnknownCode ||
           method.reason == SkipReason::kUnknownStackMap;
  });
  require(!is_known || read_class(first->bytes).has_value(), "the output is not a class file");
  auto again = make();
  const Result<Rewritten> second = rewrite(first->bytes, again);
  require(second.ok(),
          second.ok() ? "" : ("the output is not accepted: " + second.message()).c_str());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::uint8_t> bytes(data, size);
  const Result<ClassSummary> summary = summarize(bytes);
  require(summary.ok() || !summary.message().empty(), "a failure without a reason");
  const std::string stable = stable_class_name(bytes, summary.ok() ? summary->name : "a$1", "app");
  require(stable.empty() || stable.find('~') != stable.npos, "a stable name of another form");
  for (const Exercise exercise : {Exercise::kLocals, Exercise::kNoLocals, Exercise::kEntry}) {
    rewrite_twice(bytes, [&] { return ExerciseProbes(exercise); });
  }
  Host host;
  rewrite_twice(bytes, [&] { return ShadowStackProbes({}, host); });
  rewrite_twice(bytes, [&] {
    return ShadowStackProbes({.counts_exceptions = true, .probes_throws = true}, host);
  });
  rewrite_twice(bytes, [&] {
    return ContextIdProbes({.long_operands = true, .has_events = true}, host, host, &host);
  });
  rewrite_twice(bytes, [&] {
    return IdWordProbes({}, {.mark_all = true, .long_operands = true}, host, host);
  });
  HostOfValues values;
  rewrite_twice(bytes, [&] { return ValueProbes(values); });
  ExerciseProbes refuse(Exercise::kNothing);
  const Result<Rewritten> untouched = rewrite(bytes, refuse);
  require(!untouched.ok() || !untouched->changed, "changed although every method was refused");
  return 0;
}
