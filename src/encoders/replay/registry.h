// Every encoder of encoder_info.h as an object, for tools that run them all.
//
// visit_encoder() passes a factory of the concrete class to a template, so that a replay loop is compiled once per
// scheme; make_encoder() returns the same encoder behind the virtual interface.
#pragma once

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "base/status.h"
#include "encoders/replay/breadcrumbs.h"
#include "encoders/replay/cct_exact.h"
#include "encoders/replay/cct_merged.h"
#include "encoders/replay/deltapath.h"
#include "encoders/replay/encoder.h"
#include "encoders/replay/encoder_info.h"
#include "encoders/replay/luce.h"
#include "encoders/replay/pcc.h"
#include "encoders/replay/piece_encoder.h"
#include "encoders/replay/published_pcce.h"
#include "encoders/replay/published_rcce.h"
#include "encoders/replay/stable_id.h"
#include "encoders/replay/stack_encoder.h"
#include "encoders/replay/stack_walk.h"
#include "encoders/replay/uptree.h"
#include "encoders/replay/valence.h"
#include "graph/call_graph.h"

namespace copse::encoders {

struct EncoderConfig {
  // for schemes with needs_graph; if empty, they treat every call as unknown
  graph::CallGraph graph;
  // Codes that a word may hold, for schemes that can run out. In pieces, codes have 16 bits at most.
  std::uint64_t max_codes = std::uint64_t{1} << 62;
  BreadcrumbsOptions breadcrumbs;
  // Key of a method that is equal in every run; by default its id.
  StableIdEncoder::MethodKey method_key = [](MethodId method) {
    return std::uint64_t{raw(method)};
  };
};

// Calls `visit(make)`, where make() returns the named encoder by value. Returns false for an unknown name.
template <typename Visitor>
bool visit_encoder(std::string_view name, const EncoderConfig& config, Visitor&& visit) {
  const EncoderInfo* const info = find_encoder(name);
  if (info == nullptr) return false;
  if (info->carrier == Carrier::kPieces) {
    const std::uint64_t most_codes = std::min(config.max_codes, kMostIdCodes);
    visit([&] { return PieceEncoder(info->numbering(config.graph, nullptr, most_codes)); });
    return true;
  }
  if (info->carrier == Carrier::kStack) {
    visit([&] {
      return StackEncoder(info->numbering(config.graph, nullptr, config.max_codes), config.graph,
                          info->stack);
    });
    return true;
  }
  const auto deltapath = [&](DeltaPathOptions options) {
    options.numbering.max_code = config.max_codes;
    visit([&] { return DeltaPathEncoder(config.graph, options); });
  };
  const auto luce = [&](LuceOptions options) {
    if (options.max_count == LuceOptions().max_count) options.max_count = config.max_codes;
    visit([&] { return LuceEncoder(options); });
  };
  const auto published_rcce = [&](PublishedRcceOptions options) {
    options.largest_id = config.max_codes;
    visit([&] { return PublishedRcceEncoder(config.graph, options); });
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
  } else if (name == "deltapath-tracking") {
    deltapath({});
  } else if (name == "deltapath-literal") {
    deltapath(DeltaPathOptions::literal());
  } else if (name == "deltapath-literal-kept") {
    deltapath(DeltaPathOptions::literal_kept());
  } else if (name == "pcce-literal") {
    visit([&] { return PublishedPcceEncoder(config.graph, config.max_codes); });
  } else if (name == "rcce-literal") {
    published_rcce({});
  } else if (name == "rcce-literal-id") {
    published_rcce({.names_callers = false});
  } else if (name == "rcce-minus-literal") {
    published_rcce({.checks_overflow = false});
  } else if (name == "luce-versions") {
    luce({});
  } else if (name == "luce-canonical") {
    luce(LuceOptions::canonical());
  } else if (name == "luce-conditional") {
    luce(luce_bump(LuceBump::kIfIssued));
  } else if (name == "luce-no-caller-bump") {
    luce(luce_bump(LuceBump::kNeverForCallerVersion));
  } else if (name == "luce-literal") {
    luce(LuceOptions::literal());
  } else if (name == "valence") {
    visit([&] { return ValenceEncoder(config.graph); });
  } else if (name == "stable") {
    visit([&] { return StableIdEncoder(config.graph, config.method_key); });
  } else {
    return false;
  }
  return true;
}

Result<std::unique_ptr<Encoder>> make_encoder(std::string_view name, const EncoderConfig& config);

}  // namespace copse::encoders
