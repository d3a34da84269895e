// Output of another program, read while it runs. A signal that ends the process ends the program too.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "base/status.h"
#include "base/wire/byte_source.h"

namespace copse::cli {

class ToolOutput final : public wire::ByteSource {
 public:
  // Starts `words` (at least one, looked up on the PATH) without standard input. `name` stands for the program's output
  // in messages. Error: "WORD: why".
  static Result<std::unique_ptr<ToolOutput>> start(const std::vector<std::string>& words,
                                                   std::string name);
  ToolOutput(const ToolOutput&) = delete;
  ToolOutput& operator=(const ToolOutput&) = delete;
  // Ends the program if it is still running.
  ~ToolOutput() override;

  // Reads output. At the end, returns an error if the program failed: "NAME: WORD: its complaint".
  Result<std::size_t> read(std::span<std::uint8_t> into) override;
  Status rewind() override;
  const std::string& name() const override { return name_; }

 private:
  ToolOutput(std::string tool, std::string name) : tool_(std::move(tool)), name_(std::move(name)) {}
  Status wait();
  std::string complaint() const;

  const std::string tool_;
  const std::string name_;
  int output_ = -1;
  Descriptor complaints_;  // standard error
  pid_t child_ = -1;
};

}  // namespace copse::cli
