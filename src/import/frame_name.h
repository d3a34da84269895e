// Parses frames of other profilers' stacks, and reduces class names to the part that is equal in
// every run.
//
//   java/lang/String.equals_[j]     async-profiler, with the kind of code behind the name
//   com.acme.Foo.bar:123            at a line
//   com.acme.Foo.bar(Foo.java:123)  the same, as in a stack trace of Java
//   long com.acme.Foo.bar(int)      as HotSpot tells perf
//   com.acme.Foo.bar(int, Row): Key:12   as Copse spells one of several methods of a name, here with a line
//   [main tid=123], start_thread    no frames of Java: a thread, native code
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace copse::join {

// Purpose of reading frames.
enum class FrameReading {
  kToCompare,  // Java frames only, with names equal in every run: for matching with a report
  kToCompareByThread,  // the same, below the thread if known: for a report with --by-thread
  kAll,                // all frames, as spelled: for a report of their own
};

struct Frame {
  std::string class_name;  // comparable_class() or written_class()
  std::string method;
  // Without a result where types are spelled as in Java source and the result is not, with classes as spelled:
  // "(ILRow;)" for (int, Row). "" means unknown.
  std::string descriptor;
  std::int32_t line = -1;  // line of the frame in its method; -1 means unknown
  std::int32_t bci = -1;   // bytecode index; -1 means unknown
  std::string source{};    // file; "" means unknown, or read for matching
  friend bool operator==(const Frame&, const Frame&) = default;
};

enum class FrameKind {
  kTaken,    // a Java frame; with FrameReading::kAll any frame
  kOther,    // a thread, native code, the kernel: not in any report
  kMissing,  // the profiler could not walk the frames at this place
  kThread,   // with FrameReading::kToCompareByThread: the thread, before its frames
};

// Name, in a report of its own, of a frame without a name in the file.
inline constexpr const char* kUnnamedFrame = "(unnamed)";

// Returns true for a text that async-profiler writes in place of frames it could not walk:
// "[unknown_Java]".
bool says_frames_are_missing(std::string_view text);

// Returns a thread as a frame: "[main]", without a class. Among frames read for matching, only
// threads have no class.
Frame thread_frame(std::string_view name);
inline bool is_thread(const Frame& frame) { return frame.class_name.empty(); }

struct TextFrame {
  FrameKind kind = FrameKind::kOther;
  Frame frame;  // of kTaken and kThread
};
TextFrame frame_of_text(std::string_view text, FrameReading reading);

// Returns the name with dots and without the numbers that differ between runs in names of hidden
// classes: "a/B$$Lambda$14+0x00007f1f60007c08/846947180" -> "a.B$$Lambda".
std::string comparable_class(std::string_view name);

// Returns the name with dots in place of slashes between packages: "a/B$$Lambda/0x01" ->
// "a.B$$Lambda/0x01".
std::string written_class(std::string_view name);
// Parses the name of a function, without a line. A name that is not Java, or stands for no method,
// becomes the method, without a class.
Frame written_function(std::string_view name);

// Returns the length of the descriptor at the beginning of `text`, "(ILjava/lang/String;)V"; 0 means none.
std::size_t descriptor_length(std::string_view text);
// Returns false if a method of this descriptor cannot be the frame, whose descriptor is `spelled`.
bool may_be_spelled(std::string_view descriptor, std::string_view spelled);

}  // namespace copse::join
