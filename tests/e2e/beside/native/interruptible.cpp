// The natives of programs/Interruptible.java: system calls that give up when a signal comes, by a caller that takes
// this for a failure, as much native code does. Each gives the number of calls that failed.
#include <jni.h>
#include <poll.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <thread>

namespace {

constexpr long kMs = 1'000'000;

// So many milliseconds or more, and no clock is asked: where others want the processor, that would hand it over just
// before the tick that is to find the thread here.
void work(int ms) {
  constexpr int kStepsInMs = 1'000'000;
  volatile std::uint64_t sum = 0;
  for (int i = 0; i < ms * kStepsInMs; ++i) sum = sum + 1;
}

timespec in_ms(long ms) {
  timespec at{};
  ::clock_gettime(CLOCK_REALTIME, &at);
  at.tv_nsec += ms * kMs;
  at.tv_sec += at.tv_nsec / 1'000'000'000;
  at.tv_nsec %= 1'000'000'000;
  return at;
}

template <typename Call>
jint failures(jint times, Call succeeds) {
  jint failed = 0;
  for (jint i = 0; i < times; ++i) {
    work(1);
    if (!succeeds()) ++failed;
  }
  return failed;
}

// Exit status of the child as its parent sees it; -1 if there is none.
template <typename Child>
int status_of_child(Child child) {
  const pid_t process = ::fork();
  if (process == 0) child();
  int status = 0;
  if (process < 0 || ::waitpid(process, &status, 0) != process) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

extern "C" {

JNIEXPORT jint JNICALL Java_Interruptible_sleeps(JNIEnv*, jclass, jint times) {
  return failures(times, [] {
    const timespec nap{0, kMs};
    return ::nanosleep(&nap, nullptr) == 0;
  });
}

JNIEXPORT jint JNICALL Java_Interruptible_polls(JNIEnv*, jclass, jint times) {
  int ends[2];
  if (::pipe(ends) != 0) return times;
  const jint failed = failures(times, [&] {
    pollfd nothing{ends[0], POLLIN, 0};
    return ::poll(&nothing, 1, 1) == 0;
  });
  ::close(ends[0]);
  ::close(ends[1]);
  return failed;
}

JNIEXPORT jint JNICALL Java_Interruptible_waits(JNIEnv*, jclass, jint times) {
  sem_t semaphore;
  if (::sem_init(&semaphore, 0, 0) != 0) return times;
  const jint failed = failures(times, [&] {
    const timespec until = in_ms(1);
    return ::sem_timedwait(&semaphore, &until) == -1 && errno == ETIMEDOUT;
  });
  ::sem_destroy(&semaphore);
  return failed;
}

JNIEXPORT jint JNICALL Java_Interruptible_reads(JNIEnv*, jclass, jint times) {
  int to[2], from[2];
  if (::pipe(to) != 0 || ::pipe(from) != 0) return times;
  // The JVM does not know it.
  std::thread echo([&] {
    for (char byte = 0; ::read(to[0], &byte, 1) == 1;) {
      work(1);
      if (::write(from[1], &byte, 1) != 1) return;
    }
  });
  const jint failed = failures(times, [&] {
    char byte = 1;
    return ::write(to[1], &byte, 1) == 1 && ::read(from[0], &byte, 1) == 1;
  });
  ::close(to[1]);
  echo.join();
  for (const int end : {to[0], from[0], from[1]}) ::close(end);
  return failed;
}

// A child has no timers of its parent's, and a handler that finds it is no thread of the run's.
JNIEXPORT jint JNICALL Java_Interruptible_forks(JNIEnv*, jclass, jint times) {
  return failures(times, [] {
    return status_of_child([] {
             work(20);
             ::_exit(7);
           }) == 7;
  });
}

JNIEXPORT jint JNICALL Java_Interruptible_executes(JNIEnv*, jclass, jint times) {
  return failures(times, [] {
    const int forked = status_of_child([] {
      ::execl("/bin/sh", "sh", "-c", "i=0; while [ $i -lt 3000 ]; do i=$((i+1)); done; exit 9",
              static_cast<char*>(nullptr));
      ::_exit(1);
    });
    return forked == 9 && ::system("exit 3") == 3 << 8;
  });
}

}  // extern "C"
