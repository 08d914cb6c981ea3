package roll.cluster.transfer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Which chunks of a version are missing, asked for and there, and who is asked for which. What a
 * peer has is asked of peers, so that the origin sends most chunks once; only if for a second none
 * comes from them, the origin is asked for those too. Each takes a part of what is left, so that
 * all end together: the number of requests does not grow with the version.
 */
final class ChunkPool {
  /** Requests of a connection are at most about so many. */
  private static final int REQUESTS = 16;

  private static final int MOST_AT_ONCE = 4096;
  private static final long PEERS_MS = 1000;
  private static final int FAILURES = 5;

  private enum State {
    RUNNING,
    DONE,
    REPLACED,
    FAILED
  }

  private final Manifest manifest;
  private final ChunkDigests digests;
  private final TransferLimits limits;
  private final AtomicInteger requests;
  private final Consumer<String> notices;
  private final List<ChunkSource> sources = new ArrayList<>();
  private final BitSet asked = new BitSet();
  private final BitSet done = new BitSet();
  private final List<Integer> order;
  private final int connections;
  private State state = State.RUNNING;
  private @Nullable IOException failure;
  private final LongSupplier clock;
  private final long begun;
  private long progress;
  private long peersGave;
  private int again;

  /**
   * All are missing.
   *
   * @param seed of the order in which chunks are asked for where there are peers: another one at
   *     each node, so that they can exchange theirs
   * @param clock in nanoseconds
   */
  ChunkPool(
      Manifest manifest,
      ChunkDigests digests,
      TransferPeer origin,
      List<TransferPeer> peers,
      TransferLimits limits,
      long seed,
      AtomicInteger requests,
      Consumer<String> notices,
      LongSupplier clock) {
    this.manifest = manifest;
    this.digests = digests;
    this.clock = clock;
    this.begun = clock.getAsLong();
    this.progress = begun;
    this.peersGave = begun;
    this.limits = limits;
    this.order = IntStream.range(0, manifest.chunks()).boxed().collect(Collectors.toList());
    if (!peers.isEmpty()) {
      Collections.shuffle(order, new Random(seed));
    }
    this.requests = requests;
    this.notices = notices;
    sources.add(new ChunkSource(origin, true, begun));
    peers.forEach(peer -> sources.add(new ChunkSource(peer, false, begun)));
    this.connections = sources.size() * limits.connections();
  }

  List<ChunkSource> sources() {
    return sources;
  }

  Manifest manifest() {
    return manifest;
  }

  ChunkDigests digests() {
    return digests;
  }

  /** A request is sent. */
  void request() {
    requests.incrementAndGet();
  }

  /** Fewest chunks of a request, but for the last ones. */
  int least() {
    return Math.max(1, Math.ceilDiv(manifest.chunks(), REQUESTS * connections));
  }

  /** Chunks for {@code source}, as soon as there are some; null once the pull is over. */
  synchronized @Nullable List<Integer> take(ChunkSource source) throws InterruptedException {
    while (state == State.RUNNING && !source.lost) {
      List<Integer> some = poll(source);
      if (!some.isEmpty()) {
        return some;
      }
      wait(PEERS_MS);
    }
    return null;
  }

  /** Chunks for {@code source} that can be asked for at once; may be none. */
  synchronized List<Integer> poll(ChunkSource source) {
    if (!asks(source) || (source.origin && unanswered())) {
      return List.of();
    }
    BitSet can = digests.known();
    if (source.origin) {
      can.andNot(withPeers());
    } else {
      can.and(source.has);
    }
    can.andNot(asked);
    can.andNot(done);
    int most = can.cardinality();
    if (most < least() && source.origin && !digests.complete()) {
      return List.of();
    }
    int part =
        source.origin && sources.size() > 1
            ? least()
            : Math.max(least(), Math.ceilDiv(most, 2 * connections));
    int count = Math.min(most, Math.min(part, MOST_AT_ONCE));
    List<Integer> some = order.stream().filter(can::get).limit(count).toList();
    some.forEach(asked::set);
    return some;
  }

  /** Whether peers may still say, in time, that they have something. */
  private boolean unanswered() {
    return clock.getAsLong() - begun < PEERS_MS * 1_000_000
        && sources.stream().anyMatch(s -> !s.answered && !s.origin && s.failures == 0 && !s.lost);
  }

  /** What peers have who give it. */
  private BitSet withPeers() {
    BitSet all = new BitSet();
    if (clock.getAsLong() - peersGave < PEERS_MS * 1_000_000) {
      sources.stream().filter(s -> !s.lost && s.failures == 0).forEach(s -> all.or(s.has));
    }
    return all;
  }

  /** A peer says what it has. */
  synchronized void has(ChunkSource source, byte[] bits) {
    source.answer(bits, manifest.chunks());
    notifyAll();
  }

  /** How many chunks it has, as far as it has said; −1 before that. */
  synchronized int known(ChunkSource source) {
    return source.answered ? source.has.cardinality() : -1;
  }

  /** Something may have changed for those who wait. */
  synchronized void changed() {
    notifyAll();
  }

  /** A chunk came from {@code source} and is right. */
  synchronized void done(ChunkSource source, int index) {
    done.set(index);
    source.bytes += manifest.length(index);
    source.failures = 0;
    source.heard = clock.getAsLong();
    progress = source.heard;
    if (!source.origin) {
      peersGave = progress;
    }
    if (done.cardinality() == manifest.chunks() && digests.complete()) {
      end(State.DONE);
    }
  }

  /** These were asked of {@code source} and did not come. */
  synchronized void giveBack(ChunkSource source, Iterable<Integer> chunks, boolean absent) {
    for (int index : chunks) {
      asked.clear(index);
      again++;
      if (absent) {
        source.has.clear(index);
      }
    }
    notifyAll();
  }

  /** A connection to {@code source} broke; milliseconds until the next try. */
  synchronized long broke(ChunkSource source, IOException e) {
    source.failures++;
    long silent = clock.getAsLong() - source.heard;
    boolean patient = source.origin && silent < limits.silence().multipliedBy(3).toNanos();
    if (source.failures >= FAILURES * limits.connections() && !patient) {
      lose(source, "gives no more of " + manifest.id() + ": " + SourceWorker.said(e));
    }
    notifyAll();
    return Math.min(2000, 50L << Math.min(source.failures, 6));
  }

  /** {@code source} sent a chunk that is wrong. */
  synchronized void wrong(ChunkSource source, int index) {
    String what = "sent wrong bytes for chunk " + index + " of " + manifest.id();
    if (source.origin && ++source.failures < FAILURES) {
      notices.accept("node " + source.peer + " " + what + ", which is asked for again");
    } else {
      lose(source, what + ", which is asked for elsewhere, and is asked for nothing more");
    }
  }

  private void lose(ChunkSource source, String why) {
    if (!source.lost && state == State.RUNNING) {
      source.lost = true;
      notices.accept("node " + source.peer + " " + why);
      if (sources.stream().allMatch(s -> s.lost)) {
        fail(new IOException("node " + source.peer + " " + why + "; nobody else has it"));
      }
    }
    notifyAll();
  }

  /** The origin has a newer version and this one no more. */
  synchronized void replaced() {
    end(State.REPLACED);
  }

  /** It cannot be done. */
  synchronized void fail(IOException why) {
    if (state == State.RUNNING) {
      failure = why;
      end(State.FAILED);
    }
  }

  private void end(State how) {
    if (state == State.RUNNING) {
      state = how;
    }
    notifyAll();
  }

  synchronized boolean over() {
    return state != State.RUNNING;
  }

  /** Whether {@code source} can be asked for more. */
  synchronized boolean asks(ChunkSource source) {
    return state == State.RUNNING && !source.lost;
  }

  /** Waits until it is over, or for so long. */
  synchronized void awaitOver(long millis) throws InterruptedException {
    long end = System.nanoTime() + millis * 1_000_000;
    for (long left = millis; left > 0 && state == State.RUNNING; ) {
      wait(left);
      left = (end - System.nanoTime()) / 1_000_000;
    }
  }

  /** Waits for the end; whether all chunks are there, or else a newer version must be pulled. */
  synchronized boolean await() throws IOException, InterruptedException {
    long patience = limits.silence().multipliedBy(2).toNanos();
    while (state == State.RUNNING) {
      wait(PEERS_MS);
      boolean alone = sources.getFirst().lost;
      if (alone && clock.getAsLong() - progress > patience) {
        fail(
            new IOException("the origin of " + manifest.id() + " is lost, and chunks are missing"));
      }
    }
    if (failure != null) {
      throw new IOException(failure.getMessage(), failure);
    }
    return state == State.DONE;
  }

  synchronized int again() {
    return again;
  }
}
