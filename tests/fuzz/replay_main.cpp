// Runs a fuzz target over the files of a folder, so that every ordinary test run covers what
// fuzzing has found so far: PROGRAM FOLDER
//
// A file ending in .hex is hex text, `#` starts a comment in it; any other is taken as it is.
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

std::string bytes_of_hex(const std::string& text) {
  std::istringstream lines(text);
  std::string digits, bytes;
  for (std::string line; std::getline(lines, line);) {
    for (const char c : line.substr(0, line.find('#'))) {
      if (std::isxdigit(static_cast<unsigned char>(c)) != 0) digits += c;
    }
  }
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(argc > 1 ? argv[1] : ".")) {
    std::printf("%s\n", entry.path().filename().c_str());
    std::fflush(stdout);  // names the culprit if the target aborts
    std::ifstream file(entry.path(), std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (entry.path().extension() == ".hex") bytes = bytes_of_hex(bytes);
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    ++files;
  }
  std::printf("checked: %d fuzz inputs replayed\n", files);
  if (files == 0) std::puts("no corpus files found");
  return files > 0 ? 0 : 1;
}
