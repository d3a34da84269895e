// Writes the corpus that id_file_fuzz starts from: PROGRAM FOLDER
//
// For every scheme what a small random program left with the id of its deepest context, and one
// whole file.
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "base/byte_writer.h"
#include "base/wire/block_reader.h"
#include "encoders/ids/id_file.h"
#include "encoders/ids/id_tables.h"
#include "encoders/ids/id_threads.h"
#include "encoders/numbering/addition.h"
#include "encoders/numbering/dacce.h"
#include "encoders/numbering/luce.h"
#include "encoders/numbering/rcce.h"
#include "encoders/numbering/segment.h"
#include "fuzz/ids/id_file_parts.h"
#include "random_program.h"
#include "support/id_probe.h"

using namespace copse;
using namespace copse::ids;
using encoders::ProgramShape;
using encoders::RandomProgram;
using encoders::TraceEvent;

namespace {

// The graph is of this very program.
class OwnNames final : public graph::GraphNames {
 public:
  std::optional<MethodId> method(MethodId method) override { return method; }
  std::optional<SiteOrdinal> site(MethodId, SiteOrdinal site) override { return site; }
};

std::unique_ptr<encoders::CodeNumbering> numbering(std::string_view scheme,
                                                   const RandomProgram& program) {
  if (scheme == encoders::SegmentNumbering::kName)
    return std::make_unique<encoders::SegmentNumbering>();
  if (scheme == encoders::DacceNumbering::kName) {
    return std::make_unique<encoders::DacceNumbering>(
        encoders::DacceNumberingOptions{.first_edges = 4, .first_pieces = 8});
  }
  if (scheme == encoders::LuceNumbering::kName) return std::make_unique<encoders::LuceNumbering>();
  graph::CallGraph graph = program.graph.without([](MethodId id) { return raw(id) == 3; });
  auto names = std::make_unique<OwnNames>();
  if (scheme == encoders::RcceNumbering::kName) {
    return std::make_unique<encoders::RcceNumbering>(std::move(graph), std::move(names));
  }
  encoders::GraphAdditions additions = scheme == encoders::kPcceName
                                           ? encoders::pcce_additions(graph)
                                           : encoders::deltapath_additions(graph);
  return std::make_unique<encoders::AdditionNumbering>(scheme, std::move(graph),
                                                       std::move(additions), std::move(names));
}

// The id of the deepest context of the first thread.
std::uint64_t run(IdTables& tables, SiteNumbers& numbers, const RandomProgram& program) {
  const auto methods = static_cast<std::uint32_t>(program.sites.size() - 1);
  const std::vector<std::uint32_t> places = test::places(numbers, methods, 16);
  IdThreads threads(shadowstack::anonymous_memory(), kLostNumber);
  test::IdProbe probe(tables, places, threads.attach(1, "corpus"));
  std::uint64_t deepest = 0;
  std::size_t depth = 0;
  for (const TraceEvent& event : program.trace) {
    if (event.kind == TraceEvent::Kind::kReturn) probe.up(probe.depth() - 1);
    if (event.kind == TraceEvent::Kind::kUnwind) probe.up(probe.depth() - event.frames);
    if (event.kind != TraceEvent::Kind::kCall) continue;
    const std::uint64_t word = probe.down(site_of(event.edge).ordinal, callee_of(event.edge));
    if (probe.depth() < depth) continue;
    depth = probe.depth();
    deepest = tables.id_of(word);
  }
  return deepest;
}

std::vector<std::uint8_t> bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void write(const std::string& path, std::span<const std::uint8_t> bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

// Returns a section of a file whose sections are short.
std::vector<std::uint8_t> section(const std::vector<std::uint8_t>& file, IdSection type) {
  wire::BlockReader blocks(wire::bytes_in_memory("file", file), kIdFileHeader, "an id file");
  while (true) {
    const auto block = blocks.next().value().value();
    if (block.type != static_cast<std::uint8_t>(type)) continue;
    return {block.payload.begin(), block.payload.end()};
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: make_id_corpus FOLDER\n", stderr);
    return 2;
  }
  ProgramShape shape;
  shape.events = 60;
  shape.max_depth = 10;
  shape.recursion = 0.3;
  const RandomProgram program(5, shape);
  for (std::uint8_t choice = 0; choice < kIdSchemes.size(); ++choice) {
    SiteNumbers numbers;
    IdTables tables(shadowstack::anonymous_memory(), numbers, 1 << 24,
                    numbering(kIdSchemes[choice], program));
    const std::uint64_t id = run(tables, numbers, program);
    const std::string path = std::string(argv[1]) + '/' + std::string(kIdSchemes[choice]);
    const std::vector<MethodName> names(9, {"demo.Main", "work", "()V", "Main.java", "app", {}});
    wire::SectionWriter written = tables.id_file(RunKey(7));
    add_names(names, written);
    if (!written.write_to(path).ok()) return 1;
    const std::vector<std::uint8_t> file = bytes_of(path);
    ByteWriter parts;
    parts.u1(choice);
    parts.u4(static_cast<std::uint32_t>(id >> 32));
    parts.u4(static_cast<std::uint32_t>(id));
    const auto pieces = section(file, IdSection::kPieces);
    parts.u2(static_cast<std::uint32_t>(pieces.size()));
    parts.bytes(pieces);
    parts.bytes(section(file, IdSection::kState));
    write(path, parts.view());
    if (kIdSchemes[choice] != encoders::LuceNumbering::kName) continue;
    ByteWriter whole;
    whole.u1(kWholeFile);
    whole.bytes(file);
    write(path + ".file", whole.view());
  }
}
