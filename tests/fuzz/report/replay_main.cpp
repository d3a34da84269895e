// Runs a fuzz target over the files of a folder, so that every ordinary test run covers what
// fuzzing has found so far: PROGRAM FOLDER
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(argc > 1 ? argv[1] : ".")) {
    std::printf("%s\n", entry.path().filename().c_str());
    std::fflush(stdout);  // names the culprit if the target aborts
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    ++files;
  }
  if (files == 0) std::puts("no corpus files found");
  return files > 0 ? 0 : 1;
}
