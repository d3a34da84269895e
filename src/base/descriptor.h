// Descriptors of the files that Copse opens. None of them is 0, 1 or 2: a program may run with its standard descriptors
// closed, as daemons do. The next file that is opened then gets such a number, and the program's output would land in it.
//
// Every descriptor is close-on-exec. Thread-safe.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace copse {

// Returns `descriptor`, or in place of 0, 1 and 2 a duplicate above them; the original is then closed. -1 stays -1.
// Keeps errno where it returns -1 for -1.
int above_standard(int descriptor) noexcept;

// Opens a file as open(2) does, above the standard descriptors and close-on-exec. A file that is made, with O_CREAT and
// O_EXCL, has this mode whatever the umask. Returns -1 on failure; errno says why.
int open_above_standard(const char* path, int flags, mode_t mode = 0) noexcept;

// Returns all bytes of a file; nullopt if it cannot be read: errno says why.
std::optional<std::string> file_contents(const std::string& path);

// Owns a descriptor and closes it.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) noexcept : number_(number) {}
  Descriptor(Descriptor&& other) noexcept;
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor();

  int number() const noexcept { return number_; }  // -1 means none
  explicit operator bool() const noexcept { return number_ >= 0; }

 private:
  int number_ = -1;
};

// Opens /dev/null in place of each closed standard descriptor, so that no other file gets its
// number. Reading or writing there still fails with EBADF. Programs started later find the
// descriptor closed again. Called by: main(), first.
void take_closed_standard_descriptors() noexcept;

}  // namespace copse
