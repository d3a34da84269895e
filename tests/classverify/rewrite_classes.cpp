// copse-rewrite-classes EXERCISE IN OUT: rewrites every .class file below folder IN with a test's
// probes and writes all of them, changed or not, below OUT. Prints totals and what was left alone.
// `-` as OUT only measures: every class is read first and rewritten five times.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "classfile/rewriter.h"
#include "exercise_probes.h"
#include "probes/value_probes.h"

namespace {

namespace fs = std::filesystem;
using namespace copse::classfile;
using copse::MethodId;
using Bytes = std::vector<std::uint8_t>;

struct Totals {
  std::size_t classes = 0, changed = 0, failed = 0, methods = 0;
  std::size_t bytes_in = 0, bytes_out = 0;
  std::size_t without_receiver = 0;  // constructors
  std::size_t without_sections = 0;  // methods
  std::chrono::nanoseconds time{0};
  std::map<std::string_view, std::size_t> skipped;
};

// Wants all that value_probes.h can tell, of every method.
class AllValues final : public ValueHost {
 public:
  std::optional<ValueProbe> probe(const MethodView& method) override {
    if (method.name == "finalize" && method.only_returns) return std::nullopt;
    ++methods_begun;
    return ValueProbe{.method = MethodId{static_cast<std::uint32_t>(methods_begun * 70'001)},
                      .invocations = true,
                      .receiver = true,
                      .result = true,
                      .parameters = std::vector<bool>(255, true),
                      .texts = std::vector<bool>(255, true),
                      .allocations = true,
                      .section = SectionProbe{.method = MethodId{7}, .receiver = true}};
  }
  void without_receiver(const MethodView&) override { ++without; }
  void without_sections(const MethodView& method) override {
    ++sectionless;
    std::printf("without sections: %s.%s\n", std::string(method.class_name).c_str(),
                std::string(method.name).c_str());
  }

  std::size_t methods_begun = 0;
  std::size_t without = 0;
  std::size_t sectionless = 0;
};

Bytes read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(in), {});
}

bool write_file(const fs::path& path, const Bytes& bytes) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
  return out.good();
}

// The rewritten class; the input if it was left alone.
Bytes rewrite_one(Exercise exercise, const Bytes& input, const std::string& name, Totals& totals) {
  ExerciseProbes probes(exercise);
  AllValues all_values;
  ValueProbes value_probes(all_values);
  const bool values = exercise == Exercise::kValues;
  const auto start = std::chrono::steady_clock::now();
  auto result = rewrite(input, values ? static_cast<ProbeSet&>(value_probes) : probes);
  totals.time += std::chrono::steady_clock::now() - start;
  ++totals.classes;
  totals.bytes_in += input.size();
  totals.methods += values ? all_values.methods_begun : probes.methods_begun;
  totals.without_receiver += all_values.without;
  totals.without_sections += all_values.sectionless;
  if (!result.ok()) {
    ++totals.failed;
    std::printf("failed: %s: %s\n", name.c_str(), result.message().c_str());
    return input;
  }
  for (const SkippedMethod& method : result->skipped) {
    ++totals.skipped[reason_text(method.reason)];
    std::printf("skipped: %s %s%s: %s\n", name.c_str(), method.name.c_str(),
                method.descriptor.c_str(), std::string(reason_text(method.reason)).c_str());
  }
  if (!result->changed) return input;
  ++totals.changed;
  totals.bytes_out += result->bytes.size();
  return std::move(result->bytes);
}

void print(const Totals& totals) {
  const double seconds = std::chrono::duration<double>(totals.time).count();
  std::printf("classes %zu, changed %zu, failed %zu, methods %zu, bytes %zu -> %zu\n",
              totals.classes, totals.changed, totals.failed, totals.methods, totals.bytes_in,
              totals.bytes_out);
  if (totals.without_receiver != 0) {
    std::printf("  constructors without receiver: %zu\n", totals.without_receiver);
  }
  if (totals.without_sections != 0) {
    std::printf("  methods without sections: %zu\n", totals.without_sections);
  }
  for (const auto& [reason, count] : totals.skipped) {
    std::printf("  methods skipped: %zu, %s\n", count, std::string(reason).c_str());
  }
  std::printf("rewriting took %.3f s: %.1f MB/s, %.1f us per class\n", seconds,
              static_cast<double>(totals.bytes_in) / 1e6 / seconds,
              seconds * 1e6 / static_cast<double>(std::max<std::size_t>(totals.classes, 1)));
}

int measure(Exercise exercise, const std::vector<fs::path>& files) {
  std::vector<Bytes> classes;
  for (const fs::path& file : files) classes.push_back(read_file(file));
  constexpr int kRounds = 5;
  for (int round = 0; round < kRounds; ++round) {
    Totals totals;
    std::size_t i = 0;
    for (const Bytes& bytes : classes) rewrite_one(exercise, bytes, files[i++].string(), totals);
    print(totals);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, Exercise> exercises = {{"locals", Exercise::kLocals},
                                                     {"no-locals", Exercise::kNoLocals},
                                                     {"entry", Exercise::kEntry},
                                                     {"values", Exercise::kValues},
                                                     {"nothing", Exercise::kNothing}};
  if (argc != 4 || !exercises.contains(argv[1])) {
    std::fprintf(stderr,
                 "usage: copse-rewrite-classes locals|no-locals|entry|values|nothing IN OUT\n");
    return 2;
  }
  const Exercise exercise = exercises.at(argv[1]);
  const fs::path in = argv[2];
  const fs::path out = argv[3];
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(in, error)) {
    if (entry.is_regular_file() && entry.path().extension() == ".class") {
      files.push_back(entry.path());
    }
  }
  if (error) {
    std::fprintf(stderr, "%s: %s\n", in.c_str(), error.message().c_str());
    return 1;
  }
  if (out == "-") return measure(exercise, files);
  Totals totals;
  for (const fs::path& file : files) {
    const fs::path name = file.lexically_relative(in);
    const Bytes bytes = rewrite_one(exercise, read_file(file), name.string(), totals);
    if (!write_file(out / name, bytes)) {
      std::fprintf(stderr, "%s: cannot be written\n", (out / name).c_str());
      return 1;
    }
  }
  print(totals);
  return totals.failed == 0 ? 0 : 1;
}
