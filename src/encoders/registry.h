// Every encoder by name, for tools that run them all.
//
// visit_encoder() hands a factory of the concrete class to a template, so that a replay loop is
// compiled once per scheme; make_encoder() gives the same behind the virtual interface.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "base/status.h"
#include "encoders/breadcrumbs.h"
#include "encoders/cct_exact.h"
#include "encoders/cct_merged.h"
#include "encoders/dacce.h"
#include "encoders/deltapath.h"
#include "encoders/encoder.h"
#include "encoders/luce.h"
#include "encoders/pcc.h"
#include "encoders/pcce.h"
#include "encoders/rcce.h"
#include "encoders/segment.h"
#include "encoders/stable_id.h"
#include "encoders/stack_walk.h"
#include "encoders/uptree.h"
#include "encoders/valence.h"
#include "graph/call_graph.h"

namespace copse::encoders {

struct EncoderInfo {
  std::string_view name;
  // decode() of every token must give expected(); false for hashes, searches and literal variants.
  bool claims_precision;
  bool decodes;      // false: tokens only tell contexts apart
  bool needs_graph;  // numbered before the run from EncoderConfig::graph
  bool is_literal;   // as published, kept to show where it fails
  bool has_codes;    // that EncoderConfig::max_codes bounds
  std::string_view summary;
};

// In the order in which tables show them.
std::span<const EncoderInfo> all_encoders() noexcept;
const EncoderInfo* find_encoder(std::string_view name) noexcept;

struct EncoderConfig {
  CallGraph graph;  // of schemes with needs_graph; empty: they treat every call as unknown
  // Codes a word may hold, of schemes that can run out: PCCE, DeltaPath, RCCE, DACCE, Luce,
  // Segment.
  std::uint64_t max_codes = std::uint64_t{1} << 62;
  BreadcrumbsOptions breadcrumbs;
  // A method's key that is equal in every run; by default its id.
  StableIdEncoder::MethodKey method_key = [](MethodId method) {
    return std::uint64_t{raw(method)};
  };
};

// Calls `visit(make)`, where make() returns the named encoder by value. False for an unknown name.
template <typename Visitor>
bool visit_encoder(std::string_view name, const EncoderConfig& config, Visitor&& visit) {
  const auto pcce = [&](bool reserves) {
    visit([&] { return PcceEncoder(config.graph, {config.max_codes, reserves}); });
  };
  const auto deltapath = [&](DeltaPathOptions options) {
    options.numbering.max_code = config.max_codes;
    visit([&] { return DeltaPathEncoder(config.graph, options); });
  };
  const auto luce = [&](LuceOptions options) {
    if (options.max_count == LuceOptions().max_count) options.max_count = config.max_codes;
    visit([&] { return LuceEncoder(options); });
  };
  const auto rcce = [&](RcceOptions options, bool checks_overflow) {
    options.limit = config.max_codes;
    options.checks_overflow = checks_overflow;
    visit([&] { return RcceEncoder(config.graph, options); });
  };
  const auto luce_bump = [](LuceBump bump) {
    LuceOptions options;
    options.bump = bump;
    return options;
  };
  if (name == "walk") {
    visit([] { return StackWalkEncoder(); });
  } else if (name == "cct") {
    visit([] { return ExactCctEncoder(); });
  } else if (name == "cct-merged") {
    visit([] { return MergedCctEncoder(); });
  } else if (name == "uptree") {
    visit([] { return UptreeEncoder(); });
  } else if (name == "pcc32") {
    visit([] { return Pcc32Encoder(); });
  } else if (name == "pcc64") {
    visit([] { return Pcc64Encoder(); });
  } else if (name == "breadcrumbs") {
    visit([&] { return BreadcrumbsEncoder(config.breadcrumbs); });
  } else if (name == "pcce") {
    pcce(true);
  } else if (name == "pcce-literal") {
    pcce(false);
  } else if (name == "deltapath") {
    deltapath({});
  } else if (name == "deltapath-literal") {
    deltapath(DeltaPathOptions::literal());
  } else if (name == "dacce") {
    visit([&] {
      DacceOptions options;
      options.max_id = config.max_codes / 2;
      return DacceEncoder(options);
    });
  } else if (name == "luce") {
    luce({});
  } else if (name == "luce-canonical") {
    luce(LuceOptions::canonical());
  } else if (name == "luce-conditional") {
    luce(luce_bump(LuceBump::kIfIssued));
  } else if (name == "luce-unversioned") {
    luce(luce_bump(LuceBump::kNeverForCallerVersion));
  } else if (name == "luce-literal") {
    luce(LuceOptions::literal());
  } else if (name == "rcce") {
    rcce({}, true);
  } else if (name == "rcce-literal") {
    rcce(RcceOptions::literal(), true);
  } else if (name == "rcce-minus") {
    rcce({}, false);
  } else if (name == "rcce-minus-literal") {
    rcce(RcceOptions::literal(), false);
  } else if (name == "valence") {
    visit([&] { return ValenceEncoder(config.graph); });
  } else if (name == "stable") {
    visit([&] { return StableIdEncoder(config.graph, config.method_key); });
  } else if (name == "segment") {
    visit([&] { return SegmentEncoder({config.max_codes}); });
  } else {
    return false;
  }
  return true;
}

Result<std::unique_ptr<Encoder>> make_encoder(std::string_view name, const EncoderConfig& config);

}  // namespace copse::encoders
