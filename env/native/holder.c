/*
 * The program of a played pane: it does nothing. The gym writes on its terminal from outside, and ends it by two
 * queued signals, so that the pane dies with a status:
 *   LOW + n   sets the low four bits of the status to n (0-15)
 *   HIGH + n  sets the high four bits to n (0-14) and exits: statuses 0 to 239
 * Of pending real-time signals the lowest number is delivered first, so both may be sent at once.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <termios.h>
#include <unistd.h>

enum { LOW = 34, HIGH = 50, LAST = 64 };

static void ignore(int number) { (void)number; }

int main(void) {
  sigset_t signals;
  sigemptyset(&signals);
  for (int number = LOW; number <= LAST; number++) sigaddset(&signals, number);

  /* Without flow control a C-s typed into the pane cannot stop what the gym prints. */
  struct termios settings;
  if (tcgetattr(0, &settings) == 0) {
    settings.c_iflag &= ~(tcflag_t)IXON;
    tcsetattr(0, TCSANOW, &settings);
  }

  sigprocmask(SIG_BLOCK, &signals, NULL);
  /* A handler that never runs, since the signal is waited for: /proc shows it, and the gym takes it as the sign that
     the holder is ready. (The mask would not do: while it waits, the kernel shows the signals as not blocked.) */
  signal(LOW, ignore);

  int low = 0;
  for (;;) {
    int number = sigwaitinfo(&signals, NULL);
    if (number >= HIGH) _exit((number - HIGH) << 4 | low);
    if (number >= LOW) low = number - LOW;
  }
}
