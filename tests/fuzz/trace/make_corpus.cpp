// Writes the binary seeds of the corpus into a folder: make_trace_corpus FOLDER
#include <cstdio>
#include <string>
#include <vector>

#include "base/call_record.h"
#include "trace/trace_writer.h"

using namespace copse;

namespace {

CallRecord call(std::uint32_t depth, std::uint16_t site, std::uint32_t method) {
  return call_record(depth, SiteOrdinal{site}, MethodId{method});
}

// One packet after the other, of thread 0; a sequence that jumps stands for lost packets.
bool write(trace::TraceWriter& writer, std::vector<CallRecord> records, std::uint64_t sequence,
           shadowstack::FrameChain& chain) {
  records.insert(records.begin(), 0);
  shadowstack::Packet packet;
  packet.slots = records.data();
  packet.count = static_cast<std::uint32_t>(records.size() - 1);
  packet.sequence = sequence;
  packet.start = chain;
  shadowstack::FrameChain after;
  const bool advanced = chain.advance(packet.records(), after, packet.min_depth);
  chain = after;
  return advanced && writer.write_packet(packet).ok();
}

bool make(const std::string& path, bool with_tables, bool with_gaps) {
  const auto writer = trace::TraceWriter::create(path);
  if (!writer.ok()) return false;
  bool ok = true;
  if (with_tables) {
    const trace::NameRow rows[] = {
        {MethodId{1}, true, {"p.A", "f", "()V", "A.java", "app", {{1, 2}, {8, -1}}}},
        {MethodId{2}, true, {"p.A", "g", "()V", "A.java", "app", {}}}};
    ok = (*writer)->write_program({{"java", "p.A"}, 7, "VM", "now", {{"jdk", "false"}}}).ok() &&
         (*writer)->write_names(rows).ok() &&
         (*writer)->write_thread({trace::ThreadChange::kStart, {ThreadIndex{0}, 1, "main"}}).ok();
  }
  shadowstack::FrameChain chain;
  ok =
      ok && write(**writer, {call(0, 0, 1), call(1, 1, 2), call(2, 0, 2), call(1, 2, 1)}, 0, chain);
  if (with_gaps) {
    ok = ok && write(**writer, {call(40, 3, 2), call(41, 3, 1), call(7, 1, 1)}, 1, chain) &&
         write(**writer, {call(7, 1, 2), call(8, 1, 2)}, 5, chain);
  }
  trace::EndInfo end{1.5, 9, 1, 3, {{ThreadIndex{0}, 9}}, {}, {"note"}};
  if (with_tables) end.skipped = {{"p.B", "", "jsr"}, {"p.B", "h()V", "too large"}};
  return ok && (*writer)->finish(end).ok();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string folder = argc > 1 ? argv[1] : ".";
  const bool ok = make(folder + "/calls.trace", false, false) &&
                  make(folder + "/tables.trace", true, false) &&
                  make(folder + "/gaps-and-losses.trace", true, true);
  if (!ok) std::fprintf(stderr, "make_trace_corpus: %s: cannot be written\n", folder.c_str());
  return ok ? 0 : 1;
}
