/*
 * The resident launcher: starts the agent's commands inside the sandbox, so that no action pays for entering it.
 *
 * Usage: launcher [--uid N] [--home DIR] [--watch | --keep] [--processes N]
 *   --uid        give DIR to user and group N, then become it, for good
 *   --home       the working directory of every command
 *   --watch      be the init of a pid namespace: fork first; reap orphans; when the launcher ends, end with status 77,
 *                which kills the namespace. Signals from inside cannot end it, so any other status came from outside
 *   --keep       fork first: the parent stays outside the agent's rights, adopts every orphan, and ends them all when
 *                the launcher ends or the gym dies (for rungs without a pid namespace)
 *   --processes  the limit on processes of this user
 *   --terminals  the limit on terminals in this sandbox; needs its own devpts and CAP_SYS_ADMIN, which is then given up
 *   --files      the limit on files in each of DIR, /tmp and /dev/shm; needs CAP_SYS_ADMIN, as --terminals does
 *   --end-user   kill every process of user N, and do nothing else
 * Only where compiled with UNGUARDED, for the red team, which shows that each defence is needed:
 *   --no-filter, --no-limits, --dumpable    without the system-call filter, the limits, the guard of its memory
 *
 * Frames on standard input and output: u32 length of the payload, u8 type, payload; integers are little-endian.
 *   in   'R' u32 id, u32 output limit, u32 count, count strings each ended by NUL (argv), then standard input
 *   in   'K' u32 id                          kill the session of that command
 *   in   'G' u32 pid, u32 signal             send a signal to a process of this sandbox, with the agent's rights
 *   in   'T'                                 hold the default socket of tmux as it is now; a command with the argument
 *                                            /proc/self/fd/200 gets it as that descriptor, whatever becomes of the name
 *   out  'H' u32 pid of the launcher         ready
 *   out  'S' u32 id, u32 pid                 started (pid as seen inside)
 *   out  'O' u32 id, bytes                   output; standard output and error in one stream
 *   out  'X' u32 id, u32 wait status, u64 bytes of output in all    exited, its output drained
 * End of input ends the launcher, and with it the sandbox.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_RUNS = 64, MAX_ARGUMENTS = 1024, MAX_FRAME = 8 << 20, CHUNK = 65536 };
/* A background job may go on printing after its command has ended; past this it blocks, instead of burning. */
enum { MAX_DROPPED = 1 << 20 };

struct run {
  uint32_t id;
  uint32_t limit;
  pid_t pid;     /* 0: free */
  int output;    /* read end, or -1 */
  int exited;    /* the exit was reported; output is drained and dropped from now on */
  int status;
  uint64_t total;
  uint64_t dropped; /* bytes read after the exit */
};

static struct run runs[MAX_RUNS];
static const char *home = "/";

#ifdef UNGUARDED
static int filtered = 1, limited = 1, guarded = 1;
#else
enum { filtered = 1, limited = 1, guarded = 1 };
#endif
static char chunk[CHUNK];

static void die(const char *what) {
  perror(what);
  _exit(70);
}

/* ---- what the agent may not ask the kernel for ---- */

#if defined(__x86_64__)
#define THIS_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define THIS_ARCH AUDIT_ARCH_AARCH64
#else
#error "no seccomp filter for this architecture"
#endif

#define DENY(number, error) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))

static void deny_system_calls(void) {
  const unsigned namespaces = CLONE_NEWNS | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS |
                              CLONE_NEWCGROUP;
  struct sock_filter filter[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, THIS_ARCH, 1, 0),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#ifdef __x86_64__
    /* The x32 numbers would walk past the list. */
    BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
#endif
    /* clone3 hides its flags behind a pointer; the C library falls back to clone. */
    DENY(__NR_clone3, ENOSYS),
    DENY(__NR_unshare, EPERM), DENY(__NR_setns, EPERM), DENY(__NR_mount, EPERM), DENY(__NR_umount2, EPERM),
    DENY(__NR_pivot_root, EPERM), DENY(__NR_chroot, EPERM), DENY(__NR_open_tree, EPERM), DENY(__NR_move_mount, EPERM),
    DENY(__NR_fsopen, EPERM), DENY(__NR_bpf, EPERM), DENY(__NR_perf_event_open, EPERM),
    DENY(__NR_io_uring_setup, EPERM), DENY(__NR_userfaultfd, EPERM), DENY(__NR_keyctl, EPERM),
    DENY(__NR_add_key, EPERM), DENY(__NR_request_key, EPERM), DENY(__NR_ptrace, EPERM),
    DENY(__NR_pidfd_getfd, EPERM), DENY(__NR_kcmp, EPERM), DENY(__NR_process_vm_readv, EPERM), DENY(__NR_process_vm_writev, EPERM), DENY(__NR_kexec_load, EPERM),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 0, 3),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, namespaces, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) die("no_new_privs");
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) die("seccomp");
}

static void limit(int resource, rlim_t value) {
  struct rlimit now, wanted = {value, value};
  if (getrlimit(resource, &now) != 0) die("getrlimit");
  if (now.rlim_max != RLIM_INFINITY && now.rlim_max < value) wanted.rlim_cur = wanted.rlim_max = now.rlim_max;
  if (setrlimit(resource, &wanted) != 0) die("setrlimit");
}

static void set_limits(rlim_t processes) {
  limit(RLIMIT_CORE, 1); /* 0 would not stop a core pattern that is a program */
  limit(RLIMIT_FSIZE, 64 << 20);
  limit(RLIMIT_NOFILE, 1024);
  limit(RLIMIT_AS, (rlim_t)2 << 30);
  if (processes > 0) limit(RLIMIT_NPROC, processes);
}

/* Terminals are counted for the whole machine; without a limit here one sandbox could take them all. */
static void limit_terminals(long count) {
  char options[96];
  snprintf(options, sizeof options, "max=%ld,mode=620,ptmxmode=666", count);
  if (mount(NULL, "/dev/pts", NULL, MS_REMOUNT | MS_NOSUID | MS_NOEXEC, options) != 0) die("remount /dev/pts");
}

/* Each file costs the kernel memory that no limit on bytes counts. */
static void limit_files(long count) {
  const char *folders[] = {home, "/tmp", "/dev/shm"};
  char options[64];
  snprintf(options, sizeof options, "nr_inodes=%ld", count);
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
    if (mount(NULL, folders[i], NULL, MS_REMOUNT | MS_NOSUID | MS_NODEV, options) != 0) die(folders[i]);
}

static void drop_capabilities(void) {
  struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  if (syscall(__NR_capset, &head, none) != 0) die("capset");
}

/* Should the machine run out of memory, what the agent runs goes first. */
static void offer_to_oom_killer(void) {
  int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0 || write(file, "1000", 4) != 4) die("oom_score_adj");
  close(file);
}

static void become(uid_t uid) {
  if (chown(home, uid, uid) != 0) die("chown home");
  if (setgroups(0, NULL) != 0 || setresgid(uid, uid, uid) != 0 || setresuid(uid, uid, uid) != 0) die("setresuid");
}

/* ---- frames ---- */

static void write_all(const void *data, size_t size) {
  const char *at = data;
  while (size > 0) {
    ssize_t done = write(1, at, size);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) _exit(0); /* the gym is gone */
    at += done;
    size -= (size_t)done;
  }
}

static void send_frame(char type, const void *head, uint32_t head_size, const void *body, uint32_t body_size) {
  char prefix[64];
  uint32_t size = head_size + body_size;
  memcpy(prefix, &size, 4);
  prefix[4] = type;
  memcpy(prefix + 5, head, head_size);
  write_all(prefix, 5 + head_size);
  if (body_size > 0) write_all(body, body_size);
}

/* ---- commands ---- */

static struct run *find_run(uint32_t id) {
  for (int i = 0; i < MAX_RUNS; i++)
    if (runs[i].pid != 0 && runs[i].id == id && !runs[i].exited) return &runs[i];
  return NULL;
}

static struct run *free_run(void) {
  for (int i = 0; i < MAX_RUNS; i++)
    if (runs[i].pid == 0) return &runs[i];
  /* All slots are held by background jobs that keep old output open: the first one loses it. */
  for (int i = 0; i < MAX_RUNS; i++) {
    if (!runs[i].exited) continue;
    close(runs[i].output);
    runs[i].pid = 0;
    return &runs[i];
  }
  return NULL;
}

static int open_input(const char *data, size_t size) {
  if (size == 0) return open("/dev/null", O_RDONLY | O_CLOEXEC);
  int file = memfd_create("input", MFD_CLOEXEC);
  if (file < 0) die("memfd_create");
  while (size > 0) {
    ssize_t done = write(file, data, size);
    if (done <= 0) die("write input");
    data += done;
    size -= (size_t)done;
  }
  lseek(file, 0, SEEK_SET);
  return file;
}

/* ---- the socket of the tmux server ---- */

enum { SOCKET = 200 };
static const char socket_argument[] = "/proc/self/fd/200";
static int held_socket = -1;

static void hold_socket(void) {
  const char *folder = getenv("TMUX_TMPDIR");
  char path[256];
  snprintf(path, sizeof path, "%s/tmux-%u/default", folder != NULL && *folder != 0 ? folder : "/tmp", getuid());
  held_socket = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (held_socket < 0) die(path);
}

static void pass_socket(char **argv) {
  for (; *argv != NULL; argv++)
    if (strcmp(*argv, socket_argument) == 0 && held_socket >= 0) dup2(held_socket, SOCKET);
}

static void exec_command(char **argv, int input, int output) {
  sigset_t none;
  sigemptyset(&none);
  if (limited) limit(RLIMIT_CPU, 120); /* here, since the launcher itself must outlive a burner */
  setsid();
  if (chdir(home) != 0 && chdir("/") != 0) _exit(126);
  dup2(input, 0);
  dup2(output, 1);
  dup2(output, 2);
  pass_socket(argv);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGPIPE, SIG_DFL);
  execvp(argv[0], argv);
  dprintf(2, "%s: %s\n", argv[0], strerror(errno));
  _exit(errno == ENOENT ? 127 : 126);
}

static void report_exit(struct run *run) {
  struct { uint32_t id, status; uint64_t total; } __attribute__((packed)) head = {run->id, (uint32_t)run->status, run->total};
  run->exited = 1;
  send_frame('X', &head, sizeof head, NULL, 0);
}

static void start_run(const char *payload, uint32_t size) {
  uint32_t id, output_limit, count;
  if (size < 12) die("short frame");
  memcpy(&id, payload, 4);
  memcpy(&output_limit, payload + 4, 4);
  memcpy(&count, payload + 8, 4);
  char *argv[MAX_ARGUMENTS + 1];
  if (count == 0 || count > MAX_ARGUMENTS) die("argument count");
  uint32_t at = 12;
  for (uint32_t i = 0; i < count; i++) {
    argv[i] = (char *)payload + at;
    const char *end = memchr(payload + at, 0, size - at);
    if (end == NULL) die("unterminated argument");
    at = (uint32_t)(end - payload) + 1;
  }
  argv[count] = NULL;

  struct run *run = free_run();
  int pipe_ends[2];
  if (run == NULL) die("too many commands at once");
  if (pipe2(pipe_ends, O_CLOEXEC) != 0) die("pipe2");
  int input = open_input(payload + at, size - at);
  pid_t pid = fork();
  if (pid == 0) exec_command(argv, input, pipe_ends[1]);
  close(input);
  close(pipe_ends[1]);
  *run = (struct run){.id = id, .limit = output_limit, .pid = pid > 0 ? pid : -1, .output = pipe_ends[0]};
  fcntl(run->output, F_SETFL, O_NONBLOCK);
  uint32_t head[2] = {id, pid > 0 ? (uint32_t)pid : 0};
  send_frame('S', head, sizeof head, NULL, 0);
  if (pid > 0) return;
  /* The agent used up its processes: that is an answer, not a breakdown. */
  const char text[] = "fork: Resource temporarily unavailable\n";
  send_frame('O', &id, 4, text, sizeof text - 1);
  run->total = sizeof text - 1;
  run->status = 254 << 8;
  report_exit(run);
  close(run->output);
  run->pid = 0;
}

/* Forwards what is there, up to the limit; counts the rest. Returns 0 at end of file. */
static int drain(struct run *run) {
  for (;;) {
    ssize_t got = read(run->output, chunk, sizeof chunk);
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    if (got == 0) return 0;
    if (run->exited) {
      run->dropped += (uint64_t)got;
      return 1;
    }
    if (run->total < run->limit) {
      uint64_t room = run->limit - run->total;
      send_frame('O', &run->id, 4, chunk, (uint32_t)((uint64_t)got < room ? (uint64_t)got : room));
    }
    run->total += (uint64_t)got;
    /* Endless output must not keep the launcher from hearing the gym: one chunk a turn while the command lives. */
    return 1;
  }
}

static void drain_after_exit(struct run *run) {
  int flags = 1;
  uint64_t before;
  do {
    before = run->total;
    if (run->output >= 0) flags = drain(run);
  } while (flags && run->total != before && run->total < before + ((uint64_t)64 << 20));
}

static void reap(void) {
  int status;
  pid_t pid;
  while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
    for (int i = 0; i < MAX_RUNS; i++) {
      struct run *run = &runs[i];
      if (run->pid != pid || run->exited) continue;
      run->status = status;
      drain_after_exit(run);
      report_exit(run);
    }
  }
}

/* SIGKILL for every process of the command's session; repeated until none is left, against forks in between. */
static void kill_session(pid_t session) {
  for (int round = 0; round < 100; round++) {
    int found = 0;
    DIR *processes = opendir("/proc");
    struct dirent *entry;
    if (processes == NULL) return;
    while ((entry = readdir(processes)) != NULL) {
      pid_t pid = (pid_t)atoi(entry->d_name);
      if (pid <= 1 || getsid(pid) != session) continue;
      char path[64], state = 'Z', buffer[512];
      snprintf(path, sizeof path, "/proc/%d/stat", pid);
      int file = open(path, O_RDONLY | O_CLOEXEC);
      ssize_t got = file < 0 ? 0 : read(file, buffer, sizeof buffer - 1);
      if (file >= 0) close(file);
      if (got > 0) {
        buffer[got] = 0;
        char *end = strrchr(buffer, ')');
        if (end != NULL) state = end[2];
      }
      if (state == 'Z') continue;
      kill(pid, SIGKILL);
      found++;
    }
    closedir(processes);
    if (found == 0) return;
  }
}

static void handle_frame(char type, const char *payload, uint32_t size) {
  uint32_t id, number;
  if (type == 'R') {
    start_run(payload, size);
  } else if (type == 'G' && size == 8) {
    memcpy(&id, payload, 4);
    memcpy(&number, payload + 4, 4);
    if (id > 1) kill((pid_t)id, (int)number);
  } else if (type == 'T' && size == 0) {
    hold_socket();
  } else if (type == 'K' && size == 4) {
    memcpy(&id, payload, 4);
    struct run *run = find_run(id);
    if (run != NULL && run->pid > 0) kill_session(run->pid);
  } else {
    die("unknown frame");
  }
}

static char input[MAX_FRAME + 5];
static size_t input_size;

static void read_frames(void) {
  ssize_t got = read(0, input + input_size, sizeof input - input_size);
  if (got < 0 && errno == EINTR) return;
  if (got <= 0) _exit(0);
  input_size += (size_t)got;
  size_t at = 0;
  while (input_size - at >= 5) {
    uint32_t size;
    memcpy(&size, input + at, 4);
    if (size > MAX_FRAME) die("frame too long");
    if (input_size - at < 5 + (size_t)size) break;
    handle_frame(input[at + 4], input + at + 5, size);
    at += 5 + (size_t)size;
  }
  memmove(input, input + at, input_size - at);
  input_size -= at;
}

static int is_heard(const struct run *run) { return run->pid != 0 && run->dropped < MAX_DROPPED; }

static void serve(void) {
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child, NULL);
  int signals = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
  if (signals < 0) die("signalfd");
  uint32_t pid = (uint32_t)getpid();
  send_frame('H', &pid, 4, NULL, 0);
  for (;;) {
    struct pollfd waits[2 + MAX_RUNS] = {{.fd = 0, .events = POLLIN}, {.fd = signals, .events = POLLIN}};
    for (int i = 0; i < MAX_RUNS; i++)
      waits[2 + i] = (struct pollfd){.fd = is_heard(&runs[i]) ? runs[i].output : -1, .events = POLLIN};
    if (poll(waits, 2 + MAX_RUNS, -1) < 0 && errno != EINTR) die("poll");
    if (waits[0].revents) read_frames();
    for (int i = 0; i < MAX_RUNS; i++) {
      if (!waits[2 + i].revents || runs[i].pid == 0 || runs[i].output != waits[2 + i].fd) continue;
      if (drain(&runs[i])) continue;
      close(runs[i].output);
      runs[i].output = -1;
    }
    if (waits[1].revents) {
      struct signalfd_siginfo info;
      while (read(signals, &info, sizeof info) > 0) {
      }
      reap();
    }
    for (int i = 0; i < MAX_RUNS; i++)
      if (runs[i].exited && runs[i].output < 0) runs[i] = (struct run){.output = -1};
  }
}

/* ---- the init of the sandbox ---- */

enum { LAUNCHER_ENDED = 77 };

static void watch(pid_t launcher) {
  drop_capabilities();
  close(0);
  close(1);
  pid_t pid;
  do {
    pid = waitpid(-1, NULL, 0);
  } while (pid != launcher && (pid > 0 || errno == EINTR));
  _exit(LAUNCHER_ENDED);
}

/* ---- the keeper, for rungs without a pid namespace ---- */

static volatile sig_atomic_t asked_to_end;

static void on_end(int number) {
  (void)number;
  asked_to_end = 1;
}

static int kill_descendants(pid_t of) {
  char path[64], list[65536];
  int found = 0;
  snprintf(path, sizeof path, "/proc/%d/task/%d/children", of, of);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t got = read(file, list, sizeof list - 1);
  close(file);
  list[got > 0 ? got : 0] = 0;
  for (char *word = strtok(list, " "); word != NULL; word = strtok(NULL, " ")) {
    kill((pid_t)atoi(word), SIGKILL);
    found++;
  }
  return found;
}

static void kill_as(uid_t uid) {
  pid_t killer = fork();
  if (killer == 0) {
    if (setresuid(uid, uid, uid) != 0) _exit(1);
    kill(-1, SIGKILL);
    _exit(0);
  }
  if (killer > 0) waitpid(killer, NULL, 0);
}

static int end_user(uid_t uid) {
  if (uid < 1000) return fprintf(stderr, "launcher: refusing to end user %u\n", uid), 64;
  kill_as(uid);
  return 0;
}

/* Every orphan comes to this process, so killing its children, round by round, ends the whole tree. */
static void keep(pid_t launcher, uid_t uid) {
  struct sigaction action = {.sa_handler = on_end};
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGHUP, &action, NULL);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  close(0);
  close(1);
  while (!asked_to_end) {
    pid_t pid = waitpid(-1, NULL, 0);
    if (pid == launcher || (pid < 0 && errno == ECHILD)) break;
  }
  do {
    if (uid != 0) kill_as(uid);
    kill_descendants(getpid());
    while (waitpid(-1, NULL, WNOHANG) > 0) {
    }
  } while (waitpid(-1, NULL, 0) > 0);
  _exit(LAUNCHER_ENDED);
}

int main(int argc, char **argv) {
  uid_t uid = 0;
  int keeping = 0, watching = 0;
  rlim_t processes = 0;
  long terminals = 0, files = 0;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--keep") == 0) keeping = 1;
    else if (strcmp(argv[i], "--watch") == 0) watching = 1;
    else if (strcmp(argv[i], "--uid") == 0 && i + 1 < argc) uid = (uid_t)atoi(argv[++i]);
    else if (strcmp(argv[i], "--home") == 0 && i + 1 < argc) home = argv[++i];
    else if (strcmp(argv[i], "--processes") == 0 && i + 1 < argc) processes = (rlim_t)atol(argv[++i]);
    else if (strcmp(argv[i], "--terminals") == 0 && i + 1 < argc) terminals = atol(argv[++i]);
    else if (strcmp(argv[i], "--files") == 0 && i + 1 < argc) files = atol(argv[++i]);
    else if (strcmp(argv[i], "--end-user") == 0 && i + 1 < argc) return end_user((uid_t)atoi(argv[++i]));
#ifdef UNGUARDED
    else if (strcmp(argv[i], "--no-filter") == 0) filtered = 0;
    else if (strcmp(argv[i], "--no-limits") == 0) limited = 0;
    else if (strcmp(argv[i], "--dumpable") == 0) guarded = 0;
#endif
    else return fprintf(stderr, "launcher: unknown argument '%s'\n", argv[i]), 64;
  }
  for (int i = 0; i < MAX_RUNS; i++) runs[i].output = -1;
  if (terminals > 0) limit_terminals(terminals);
  if (files > 0) limit_files(files);
  if (keeping && prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) die("subreaper");
  if (keeping || watching) {
    pid_t launcher = fork();
    if (launcher < 0) die("fork");
    /* Nobody of the agent's user may look into this process, which starts nothing before both have said so. */
    if (launcher > 0 && guarded) prctl(PR_SET_DUMPABLE, 0);
    if (launcher > 0 && watching) watch(launcher);
    if (launcher > 0) keep(launcher, uid);
  }
  offer_to_oom_killer();
  if (uid != 0) become(uid);
  else if (watching) drop_capabilities();
  /* After the change of user, which forgets it. */
  if (keeping) prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (limited) set_limits(processes);
  if (filtered) deny_system_calls();
  prctl(PR_SET_DUMPABLE, !guarded);
  serve();
  return 0;
}
