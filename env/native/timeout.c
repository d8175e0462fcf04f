/*
 * timeout(1) on the gym's virtual clock: the gym reads the durations from this process's arguments and sends RELEASE
 * when the limit, and then the --kill-after grace, has passed. Options and exit statuses are those of GNU timeout.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "duration.h"

enum { RELEASE = 34, TIMED_OUT = 124, FAILED = 125, CANNOT_RUN = 126, NOT_FOUND = 127 };

static const struct { const char *name; int number; } signal_names[] = {
  {"HUP", SIGHUP}, {"INT", SIGINT}, {"QUIT", SIGQUIT}, {"KILL", SIGKILL}, {"TERM", SIGTERM},
  {"USR1", SIGUSR1}, {"USR2", SIGUSR2}, {"STOP", SIGSTOP}, {"CONT", SIGCONT}, {"ALRM", SIGALRM},
  {"PIPE", SIGPIPE}, {"ABRT", SIGABRT}, {"WINCH", SIGWINCH}, {"TSTP", SIGTSTP},
};

static int parse_signal(const char *text) {
  char *end;
  long number = strtol(text, &end, 10);
  if (end != text && *end == '\0') return number > 0 && number < 65 ? (int)number : -1;
  if (strncmp(text, "SIG", 3) == 0) text += 3;
  for (size_t i = 0; i < sizeof signal_names / sizeof *signal_names; i++)
    if (strcmp(signal_names[i].name, text) == 0) return signal_names[i].number;
  return -1;
}

static int usage(void) {
  fputs("Try 'timeout --help' for more information.\n", stderr);
  return FAILED;
}

static void send_signal(pid_t child, int number, int foreground) {
  kill(child, number);
  if (foreground) return;
  /* The whole group hears it; this process must not. One that is blocked stays pending for all that, so take it. */
  signal(number, SIG_IGN);
  kill(0, number);
  sigset_t own;
  sigemptyset(&own);
  sigaddset(&own, number);
  const struct timespec now = {0, 0};
  sigtimedwait(&own, NULL, &now);
  if (number != SIGKILL && number != SIGCONT) {
    kill(child, SIGCONT);
    kill(0, SIGCONT);
  }
}

static int run_child(char **argv, const sigset_t *old) {
  signal(SIGTTIN, SIG_DFL);
  signal(SIGTTOU, SIG_DFL);
  sigprocmask(SIG_SETMASK, old, NULL);
  execvp(argv[0], argv);
  int status = errno == ENOENT ? NOT_FOUND : CANNOT_RUN;
  fprintf(stderr, "timeout: failed to run command '%s': %s\n", argv[0], strerror(errno));
  return status;
}

int main(int argc, char **argv) {
  static const struct option options[] = {
    {"kill-after", required_argument, 0, 'k'}, {"signal", required_argument, 0, 's'},
    {"verbose", no_argument, 0, 'v'}, {"foreground", no_argument, 0, 'f'},
    {"preserve-status", no_argument, 0, 'p'}, {"help", no_argument, 0, 'h'}, {0, 0, 0, 0},
  };
  int number = SIGTERM, foreground = 0, preserve = 0, verbose = 0, option;
  double grace = 0;
  while ((option = getopt_long(argc, argv, "+k:s:v", options, NULL)) != -1) {
    switch (option) {
      case 'k':
        if ((grace = parse_duration(optarg)) < 0) return fprintf(stderr, "timeout: invalid time interval '%s'\n", optarg), usage();
        break;
      case 's':
        if ((number = parse_signal(optarg)) < 0) return fprintf(stderr, "timeout: '%s': invalid signal\n", optarg), usage();
        break;
      case 'v': verbose = 1; break;
      case 'f': foreground = 1; break;
      case 'p': preserve = 1; break;
      case 'h':
        puts("Usage: timeout [OPTION] DURATION COMMAND [ARG]...\nStart COMMAND, and kill it if still running after DURATION.");
        return 0;
      default: return usage();
    }
  }
  if (argc - optind < 2) {
    fputs("timeout: missing operand\n", stderr);
    return usage();
  }
  double limit = parse_duration(argv[optind]);
  if (limit < 0) return fprintf(stderr, "timeout: invalid time interval '%s'\n", argv[optind]), usage();
  char **command = argv + optind + 1;

  if (!foreground) setpgid(0, 0);
  signal(SIGTTIN, SIG_IGN);
  signal(SIGTTOU, SIG_IGN);
  sigset_t signals, old;
  sigemptyset(&signals);
  const int heard[] = {RELEASE, SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGQUIT};
  for (size_t i = 0; i < sizeof heard / sizeof *heard; i++) sigaddset(&signals, heard[i]);
  sigprocmask(SIG_BLOCK, &signals, &old);

  pid_t child = fork();
  if (child < 0) return perror("timeout: fork system call failed"), FAILED;
  if (child == 0) _exit(run_child(command, &old));

  int timed_out = 0, status;
  for (;;) {
    if (waitpid(child, &status, WNOHANG) == child) break;
    int heard_now = sigwaitinfo(&signals, NULL);
    if (heard_now == RELEASE && limit > 0) {
      int what = timed_out ? SIGKILL : number;
      if (verbose) fprintf(stderr, "timeout: sending signal %d to command '%s'\n", what, command[0]);
      timed_out++;
      send_signal(child, what, foreground);
    } else if (heard_now > 0 && heard_now != SIGCHLD && heard_now != RELEASE) {
      send_signal(child, heard_now, foreground);
    }
  }
  if (timed_out && !preserve) return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL ? 128 + SIGKILL : TIMED_OUT;
  if (WIFSIGNALED(status)) {
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    signal(WTERMSIG(status), SIG_DFL);
    sigprocmask(SIG_SETMASK, &old, NULL);
    raise(WTERMSIG(status));
    return 128 + WTERMSIG(status);
  }
  return WEXITSTATUS(status);
}
