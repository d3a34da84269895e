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
  return a.out == b.out && a.record == b.record && a.include == b.include &&
         a.exclude == b.exclude && a.jdk == b.jdk && a.sites == b.sites &&
         a.recursion == b.recursion && a.engine == b.engine && a.encoder == b.encoder &&
         a.events == b.events && a.marks == b.marks && a.check_every == b.check_every &&
         a.stack_every == b.stack_every && a.workers == b.workers &&
         a.packet_slots == b.packet_slots && a.event_every == b.event_every &&
         a.memory_bytes == b.memory_bytes && a.quiet == b.quiet && a.manifest == b.manifest;
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
