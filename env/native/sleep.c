/*
 * sleep on the gym's virtual clock. The gym reads the duration from this process's arguments and sends RELEASE when
 * its time has come; no real time is waited for.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "duration.h"

enum { RELEASE = 34 };

int main(int argc, char **argv) {
  int first = 1;
  if (argc > 1 && strcmp(argv[1], "--help") == 0) {
    puts("Usage: sleep NUMBER[SUFFIX]...\nPause for NUMBER seconds; SUFFIX is s, m, h or d.");
    return 0;
  }
  if (argc > 1 && strcmp(argv[1], "--version") == 0) {
    puts("sleep (virtual clock)");
    return 0;
  }
  if (argc > 1 && strcmp(argv[1], "--") == 0) first = 2;
  if (argc <= first) {
    fputs("sleep: missing operand\nTry 'sleep --help' for more information.\n", stderr);
    return 1;
  }
  double total = 0;
  int bad = 0;
  for (int i = first; i < argc; i++) {
    double seconds = parse_duration(argv[i]);
    if (seconds < 0) {
      fprintf(stderr, "sleep: invalid time interval '%s'\n", argv[i]);
      bad = 1;
    } else {
      total += seconds;
    }
  }
  if (bad) {
    fputs("Try 'sleep --help' for more information.\n", stderr);
    return 1;
  }
  if (total == 0) return 0;

  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, RELEASE);
  sigprocmask(SIG_BLOCK, &signals, NULL);
  while (sigwaitinfo(&signals, NULL) != RELEASE) {
  }
  return 0;
}
