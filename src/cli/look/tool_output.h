// The output of another program, as bytes that are read while it runs. A signal that ends the process ends the
// program too.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/wire/byte_source.h"

namespace copse::cli {

class ToolOutput final : public wire::ByteSource {
 public:
  // Starts `words` (at least one, looked for on the PATH). It reads nothing. `name` stands for what it
  // prints in messages. An error: "WORD: why".
  static Result<std::unique_ptr<ToolOutput>> start(const std::vector<std::string>& words,
                                                   std::string name);
  ToolOutput(const ToolOutput&) = delete;
  ToolOutput& operator=(const ToolOutput&) = delete;
  // Ends the program if it has not ended.
  ~ToolOutput() override;

  // The end of what it printed is an error when the program failed: "NAME: WORD: its complaint".
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
  int complaints_ = -1;  // a file in memory: standard error
  pid_t child_ = -1;
};

}  // namespace copse::cli
