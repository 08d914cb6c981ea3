/* NCCL and CUDA's driver as their headers declare them, for "cards" whose memory is the computer's. Work is queued on
 * streams, each with a thread; sums are made in the reverse order of the ranks, as NCCL promises none. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef VERSION
#define VERSION 22602
#endif

/* ---- the driver ---- */
typedef void (*work_t)(void *);
typedef struct job { work_t work; void *with; struct job *next; } job_t;
typedef struct { pthread_t thread; job_t *first, *last; int busy, closed; } stream_t;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct { char *at; size_t bytes; } cards_memory[4096];
static long allocated, streams;
static __thread void *current;

static void *serve(void *argument) {
  stream_t *stream = argument;
  pthread_mutex_lock(&lock);
  while (1) {
    while (!stream->first && !stream->closed) pthread_cond_wait(&changed, &lock);
    job_t *job = stream->first;
    if (!job) break;
    stream->first = job->next;
    if (!stream->first) stream->last = NULL;
    stream->busy = 1;
    pthread_mutex_unlock(&lock);
    job->work(job->with);
    free(job->with);
    free(job);
    pthread_mutex_lock(&lock);
    stream->busy = 0;
  }
  pthread_mutex_unlock(&lock);
  free(stream);
  return NULL;
}

static void queue(stream_t *stream, work_t work, const void *with, size_t bytes) {
  job_t *job = calloc(1, sizeof(job_t));
  job->work = work;
  job->with = memcpy(malloc(bytes), with, bytes);
  pthread_mutex_lock(&lock);
  if (stream->last) stream->last->next = job; else stream->first = job;
  stream->last = job;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}

int cuInit(unsigned flags) { return flags ? 1 : 0; }
int cuDeviceGet(int *device, int ordinal) {
  if (ordinal >= 8) return 101;
  *device = 100 + ordinal;
  return 0;
}
int cuDevicePrimaryCtxRetain(void **context, int device) {
  static int contexts[8];
  if (device < 100) return 101;
  *context = &contexts[device - 100];
  return 0;
}
int cuCtxSetCurrent(void *context) { current = context; return 0; }
int cuGetErrorString(int error, const char **text) {
  *text = error == 101 ? "invalid device ordinal" : error == 201 ? "invalid device context" : "unknown error";
  return 0;
}
int cuStreamCreate(void **out, unsigned flags) {
  if (!current) return 201;
  if (flags) return 1;
  stream_t *stream = calloc(1, sizeof(stream_t));
  pthread_mutex_lock(&lock);
  streams++;
  pthread_mutex_unlock(&lock);
  pthread_create(&stream->thread, NULL, serve, stream);
  pthread_detach(stream->thread);
  *out = stream;
  return 0;
}
int cuStreamQuery(void *of) {
  stream_t *stream = of;
  pthread_mutex_lock(&lock);
  int busy = stream->busy || stream->first;
  pthread_mutex_unlock(&lock);
  return busy ? 600 : 0;
}
int cuStreamDestroy_v2(void *of) {
  pthread_mutex_lock(&lock);
  streams--;
  ((stream_t *)of)->closed = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return 0;
}
int cuMemAlloc_v2(void **out, size_t bytes) {
  if (!current) return 201;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < 4096; i++) {
    if (cards_memory[i].at) continue;
    *out = cards_memory[i].at = malloc(bytes);
    cards_memory[i].bytes = bytes;
    allocated++;
    pthread_mutex_unlock(&lock);
    return 0;
  }
  pthread_mutex_unlock(&lock);
  return 2;
}
static int owner(const char *at) {
  for (int i = 0; i < 4096; i++)
    if (cards_memory[i].at && at >= cards_memory[i].at && at < cards_memory[i].at + cards_memory[i].bytes) return i;
  return -1;
}
int cuMemFree_v2(void *memory) {
  pthread_mutex_lock(&lock);
  int i = owner(memory);
  if (i >= 0) {
    free(cards_memory[i].at);
    cards_memory[i].at = NULL;
    allocated--;
  }
  pthread_mutex_unlock(&lock);
  return i < 0;
}
int cuPointerGetAttribute(void *out, int attribute, void *at) {
  if (attribute != 2) return 1;
  pthread_mutex_lock(&lock);
  int i = owner(at);
  pthread_mutex_unlock(&lock);
  if (i < 0) return 1; /* memory of the computer is unknown */
  *(unsigned *)out = 2;
  return 0;
}
typedef struct { void *to; const void *from; size_t bytes; } copy_t;
static void copy(void *with) { copy_t *c = with; memmove(c->to, c->from, c->bytes); }
int cuMemcpyAsync(void *to, const void *from, size_t bytes, void *stream) {
  copy_t with = {to, from, bytes};
  queue(stream, copy, &with, sizeof with);
  pthread_mutex_lock(&lock);
  int computers = owner(to) < 0 || owner(from) < 0; /* memory that is not pinned is waited for */
  pthread_mutex_unlock(&lock);
  while (computers && cuStreamQuery(stream)) usleep(10);
  return 0;
}
long fakeAllocated(void) { return allocated; }
long fakeStreams(void) { return streams; }

/* ---- NCCL ---- */
typedef struct { char internal[128]; } ncclUniqueId;
typedef struct { size_t size; unsigned magic, version; int blocking; } config_t;
typedef struct { int kind, root; const void *in; void *out; size_t bytes; } call_t;
#define MOST 8
typedef struct group { long id; int size, joined, round, arrived; call_t calls[MOST]; struct group *next; } group_t;
typedef struct { group_t *group; int rank, state, aborted; } comm_t; /* never freed: its work may outlive it */
typedef struct { comm_t *comm; call_t call; } work_on_t;

static group_t *groups;
static long ids;
static int stuck, failing; /* joins that never end; operations that fail on this rank, from 1 on */
void fakeStuck(int now) { stuck = now; }
void fakeFailing(int rank) { failing = rank; }

int ncclGetVersion(int *version) { *version = VERSION; return 0; }
const char *ncclGetErrorString(int result) {
  return result == 6 ? "remote process exited or there was a network error" : result == 4 ? "invalid argument" : "unknown";
}
const char *ncclGetLastError(void *comm) { return comm ? "Connection closed by remote peer\nand more" : ""; }
int ncclGetUniqueId(ncclUniqueId *id) {
  memset(id, 0, sizeof *id);
  pthread_mutex_lock(&lock);
  long next = ++ids;
  pthread_mutex_unlock(&lock);
  memcpy(id->internal + 60, &next, sizeof next);
  return 0;
}
int ncclCommInitRankConfig(void **out, int size, ncclUniqueId id, int rank, config_t *config) {
  if (config->size != 24 || config->magic != 0xcafebeef || config->version != 21400 || config->blocking || !current) return 4;
  long number;
  memcpy(&number, id.internal + 60, sizeof number);
  comm_t *comm = calloc(1, sizeof(comm_t));
  pthread_mutex_lock(&lock);
  group_t *group = groups;
  while (group && group->id != number) group = group->next;
  if (!group) {
    group = calloc(1, sizeof(group_t));
    group->id = number;
    group->size = size;
    group->next = groups;
    groups = group;
  }
  group->joined++;
  comm->group = group;
  comm->rank = rank;
  pthread_mutex_unlock(&lock);
  *out = comm;
  return 7;
}
int ncclCommGetAsyncError(void *of, int *state) {
  comm_t *comm = of;
  pthread_mutex_lock(&lock);
  *state = comm->state ? comm->state : stuck || comm->group->joined < comm->group->size ? 7 : 0;
  pthread_mutex_unlock(&lock);
  return 0;
}
static void add(float *sum, group_t *group, size_t first, size_t count) {
  for (size_t i = 0; i < count; i++) {
    sum[i] = ((const float *)group->calls[group->size - 1].in)[first + i];
    for (int r = group->size - 2; r >= 0; r--) sum[i] += ((const float *)group->calls[r].in)[first + i];
  }
}
static int meet(comm_t *comm) { /* with the lock held */
  group_t *group = comm->group;
  int round = group->round;
  if (++group->arrived == group->size) {
    group->arrived = 0;
    group->round++;
    pthread_cond_broadcast(&changed);
  }
  while (group->round == round && !comm->aborted) pthread_cond_wait(&changed, &lock);
  return group->round == round;
}
static void collective(void *argument) {
  work_on_t *work = argument;
  group_t *group = work->comm->group;
  call_t *call = &work->call;
  int rank = work->call.root >> 8, root = work->call.root & 255;
  pthread_mutex_lock(&lock);
  group->calls[rank] = *call;
  int lost = meet(work->comm);
  pthread_mutex_unlock(&lock);
  if (lost) return;
  char *result = malloc(call->bytes * group->size + 1);
  size_t bytes = call->bytes;
  switch (call->kind) {
    case 0: add((float *)result, group, 0, bytes / 4); break;
    case 1: add((float *)result, group, rank * bytes / 4, bytes / 4); break;
    case 2:
      for (int r = 0; r < group->size; r++) memcpy(result + r * bytes, group->calls[r].in, bytes);
      bytes *= group->size;
      break;
    default: memcpy(result, group->calls[root].in, bytes);
  }
  pthread_mutex_lock(&lock);
  lost = meet(work->comm);
  pthread_mutex_unlock(&lock);
  if (!lost && call->out) memcpy(call->out, result, bytes);
  free(result);
}
static int begin(int kind, const void *in, void *out, size_t count, int type, int root, void *of, void *stream) {
  comm_t *comm = of;
  if (type != 1 && type != 7) return 4;
  pthread_mutex_lock(&lock);
  int known = (!in || owner(in) >= 0) && (!out || owner(out) >= 0);
  int fails = failing && comm->rank == failing - 1;
  if (fails) comm->state = 6;
  pthread_mutex_unlock(&lock);
  if (!known) return 4; /* memory that is no card's */
  work_on_t work = {comm, {kind, comm->rank << 8 | root, in, out, count * (type == 7 ? 4 : 1)}};
  if (!fails) queue(stream, collective, &work, sizeof work);
  return 7;
}
int ncclAllReduce(const void *in, void *out, size_t n, int type, int op, void *comm, void *stream) {
  return op ? 4 : begin(0, in, out, n, type, 0, comm, stream);
}
int ncclReduceScatter(const void *in, void *out, size_t n, int type, int op, void *comm, void *stream) {
  return op ? 4 : begin(1, in, out, n, type, 0, comm, stream);
}
int ncclAllGather(const void *in, void *out, size_t n, int type, void *comm, void *stream) {
  return begin(2, in, out, n, type, 0, comm, stream);
}
int ncclBroadcast(const void *in, void *out, size_t n, int type, int root, void *comm, void *stream) {
  return begin(3, in, out, n, type, root, comm, stream);
}
#ifndef NO_SEND
int ncclSend(const void *in, size_t n, int type, int peer, void *comm, void *stream) {
  return peer == 1 ? begin(3, in, NULL, n, type, 0, comm, stream) : 4;
}
#endif
int ncclRecv(void *out, size_t n, int type, int peer, void *comm, void *stream) {
  return peer == 0 ? begin(3, out, out, n, type, 0, comm, stream) : 4;
}
static void leave(comm_t *comm, int aborts) {
  pthread_mutex_lock(&lock);
  comm->aborted = aborts;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}
int ncclCommAbort(void *comm) { leave(comm, 1); return 0; }
int ncclCommDestroy(void *comm) { leave(comm, 0); return 0; }
