#include <gtest/gtest.h>

#include <set>

#include "encoders/replay/registry.h"
#include "random_program.h"
#include "support/expect_fault.h"

namespace copse::encoders {
namespace {

TEST(EncoderRegistry, EveryListedNameCanBeMade) {
  std::set<std::string_view> names;
  for (const EncoderInfo& info : all_encoders()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_TRUE(make_encoder(info.name, {}).ok()) << info.name;
    EXPECT_EQ(find_encoder(info.name), &info) << info.name;
  }
}

TEST(EncoderRegistry, AnUnknownNameIsOneClearLine) {
  const auto encoder = make_encoder("nonesuch", {});
  ASSERT_FALSE(encoder.ok());
  EXPECT_FAULT(encoder, kNotFound, "nonesuch");
}

TEST(EncoderRegistry, WhatClaimsPrecisionIsNeverWrongAndLiteralFormsAre) {
  ProgramShape shape;
  shape.recursion = 0.4;
  shape.polymorphism = 0.5;
  shape.max_depth = 60;
  shape.events = 400;
  shape.threads = 2;
  for (const EncoderInfo& info : all_encoders()) {
    if (!info.decodes) continue;
    const Trial trial = run_trials(
        [&](const RandomProgram& program) {
          EncoderConfig config;
          config.graph = program.graph;
          config.max_codes = 200;
          return make_encoder(info.name, config).value();
        },
        shape, 60);
    if (info.claims_precision()) {
      EXPECT_EQ(trial.bad_tokens, 0u) << info.name << ": " << trial.first_failure;
    }
    // PCCE and DeltaPath as published are right where the graph is known.
    if (info.name == "pcce-literal" || info.name == "deltapath-literal") {
      EXPECT_EQ(trial.bad_tokens, 0u) << trial.first_failure;
    } else if (info.form != Form::kOurs) {
      EXPECT_GT(trial.bad_tokens, 0u) << info.name;
    }
  }
}

TEST(EncoderRegistry, WithoutAGraphStaticSchemesStayExactOnUnknownCalls) {
  for (const EncoderInfo& info : all_encoders()) {
    if (!info.claims_precision() || !info.needs_graph) continue;
    const Trial trial = run_trials(
        [&](const RandomProgram&) { return make_encoder(info.name, {}).value(); }, {}, 50);
    EXPECT_EQ(trial.bad_tokens, 0u) << info.name << ": " << trial.first_failure;
  }
}

}  // namespace
}  // namespace copse::encoders
