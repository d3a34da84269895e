// The encoder whose ids are checked.
//
// Thread-safe, also while the program's threads run its probes.
#pragma once

#include <cstdint>
#include <optional>

#include "base/call_path.h"
#include "base/scheme_facts.h"
#include "base/status.h"

namespace copse::validation {

class IdWordDecoder {
 public:
  virtual ~IdWordDecoder() = default;

  // Returns the number of the context of a frame with this word; 0 if it has none. Two words never give the same number
  // other than 0.
  virtual std::uint64_t id_of(std::uint64_t word) const = 0;
  // Returns true if frames of the method may keep no id although they call methods with ids. Ids then leave these
  // frames out and give the site of their call as that of the frame below.
  virtual bool may_be_left_out(MethodId) const { return false; }
  // Returns true if ids are contexts; otherwise they only tell contexts apart, and may fail to.
  virtual bool decodes() const noexcept = 0;
  // REQUIRES for the three functions below: decodes().
  virtual Result<CallPath> decode(std::uint64_t id) const = 0;
  // The first step of decode(): the last call, and the number of its caller. std::nullopt if no context has this
  // number, or it is ROOT's.
  struct LastCall {
    EdgeKey edge;
    std::uint64_t caller;
  };
  virtual std::optional<LastCall> last_call(std::uint64_t id) const = 0;
  virtual bool is_root(std::uint64_t id) const = 0;
  // Returns the entries on the stack of an id's context, and the code in its last piece.
  struct Shape {
    StackHeight stack;
    std::uint64_t code = 0;
  };
  virtual Shape shape(std::uint64_t) const { return {}; }
};

}  // namespace copse::validation
