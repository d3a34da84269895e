// A frame of a stack that another profiler spells as text, and what of a class's name is the same in
// every run.
//
//   java/lang/String.equals_[j]     async-profiler, with the kind of code behind the name
//   com.acme.Foo.bar:123            at a line
//   com.acme.Foo.bar(Foo.java:123)  the same, as in a stack trace of Java
//   long com.acme.Foo.bar(int)      as HotSpot tells perf
//   [main tid=123], start_thread    no frames of Java: a thread, native code
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace copse::join {

// What frames are read for.
enum class FrameReading {
  kToCompare,  // those of Java alone, with names that are equal in every run: to be found in a report
  kToCompareByThread,  // and before them their thread, where the samples say it: in one with --by-thread
  kAll,                // of whatever kind, as they are spelled: for a report of their own
};

struct Frame {
  std::string class_name;  // comparable_class() or written_class()
  std::string method;
  std::string descriptor;  // "": not known
  std::int32_t line = -1;  // where the frame was in its method, -1: not known
  std::int32_t bci = -1;   // the same as bytecode index
  std::string source{};    // file; "": not known, or read to be compared
  friend bool operator==(const Frame&, const Frame&) = default;
};

enum class FrameKind {
  kTaken,    // of Java; with FrameReading::kAll any
  kOther,    // a thread, native code, the kernel: nothing that a report could have
  kMissing,  // the profiler could not see the frames around this place
  kThread,   // with FrameReading::kToCompareByThread what stands before the frames of a thread
};

// Name of a frame for which the file has none, in a report of its own.
inline constexpr const char* kUnnamedFrame = "(unnamed)";

// Tells whether the text is one that async-profiler puts in the place of frames it could not walk:
// "[unknown_Java]".
bool says_frames_are_missing(std::string_view text);

// A thread as a frame, as reports have it: "[main]", without a class. Nothing else has none in what is
// read to be compared.
Frame thread_frame(std::string_view name);
inline bool is_thread(const Frame& frame) { return frame.class_name.empty(); }

struct TextFrame {
  FrameKind kind = FrameKind::kOther;
  Frame frame;  // of kTaken and kThread
};
TextFrame frame_of_text(std::string_view text, FrameReading reading);

// With dots, and without the numbers that differ from run to run in the names of hidden classes:
// "a/B$$Lambda$14+0x00007f1f60007c08/846947180" -> "a.B$$Lambda".
std::string comparable_class(std::string_view name);

// With dots where slashes are between packages, else as it is: "a/B$$Lambda/0x01" -> "a.B$$Lambda/0x01".
std::string written_class(std::string_view name);
// Of the name of a function, which has no line behind it. What is not of Java, or stands for no
// method, has the whole text as its method, and no class.
Frame written_function(std::string_view name);

}  // namespace copse::join
