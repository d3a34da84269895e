// Any text as the agent's option string: one line of complaint, or options that survive being
// written and read again.
#include <cstdint>
#include <string>
#include <string_view>

#include "agent/options.h"
#include "agent/output_path.h"
#include "support/fuzz_require.h"

using namespace copse;

namespace {

bool same(const agent::AgentOptions& a, const agent::AgentOptions& b) {
  return a.mode == b.mode && a.out == b.out && a.include == b.include && a.exclude == b.exclude &&
         a.jdk == b.jdk && a.memory_bytes == b.memory_bytes && a.max_contexts == b.max_contexts &&
         a.snapshot_ms == b.snapshot_ms && a.quiet == b.quiet && a.manifest == b.manifest;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Result<agent::AgentOptions> options = agent::parse_agent_options(text);
  if (!options.ok()) {
    require(options.message().starts_with("option "), "a message does not say what is wrong");
    return 0;
  }
  const std::string written = agent::format_agent_options(*options);
  const Result<agent::AgentOptions> again = agent::parse_agent_options(written);
  require(again.ok(), "what is written does not read back");
  require(same(*options, *again), "options change when written and read");
  require(agent::format_agent_options(*again) == written, "options change when written twice");
  const std::string path = agent::expand_output_path(options->out, {"jvm", 7, 0});
  require(path.size() <= options->out.size() * 8, "a path grows without end");
  return 0;
}
