package roll.cluster.transfer;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import roll.cluster.transfer.wire.Conduit;
import roll.cluster.transfer.wire.Dialer;
import roll.cluster.transfer.wire.RefusedException;
import roll.cluster.transfer.wire.TransferCodec;
import roll.cluster.transfer.wire.TransferMessage;
import roll.cluster.transfer.wire.TransferMessage.Absent;
import roll.cluster.transfer.wire.TransferMessage.AskChunks;
import roll.cluster.transfer.wire.TransferMessage.AskHeld;
import roll.cluster.transfer.wire.TransferMessage.Chunk;
import roll.cluster.transfer.wire.TransferMessage.HeldChunks;
import roll.cluster.transfer.wire.TransferMessage.Reason;
import roll.cluster.transfer.wire.TransferMessage.Refused;

/** Pulls chunks over one connection at a time to one node, until the pull is over. */
final class SourceWorker implements Runnable {
  private static final int WAIT_MS = 2000;
  private static final long BETWEEN_MS = 300;

  /** Whoever sends less a second than this is as good as silent. */
  private static final int SLOWEST = 1 << 16;

  private final ChunkPool pool;
  private final ChunkSource source;
  private final boolean asksWhatThereIs;
  private final Dialer dialer;
  private final TransferLimits limits;
  private final ChunkSink sink;
  private final @Nullable HeldVersion held;
  private final Deque<Integer> asked = new ArrayDeque<>();
  private final MessageDigest digest = ChunkDigests.function();
  private volatile @Nullable Conduit conduit;

  /** Whether the other had too much to do. */
  private boolean sentAway;

  SourceWorker(
      ChunkPool pool,
      ChunkSource source,
      boolean first,
      Dialer dialer,
      TransferLimits limits,
      ChunkSink sink,
      @Nullable HeldVersion held) {
    this.pool = pool;
    this.source = source;
    this.asksWhatThereIs = first && !source.origin();
    this.dialer = dialer;
    this.limits = limits;
    this.sink = sink;
    this.held = held;
  }

  /** What went wrong, for a line that ends with it. */
  static String said(Throwable e) {
    String message = e.getMessage();
    return message == null ? e.getClass().getSimpleName() : message;
  }

  @Override
  public void run() {
    try {
      while (!pool.over()) {
        try {
          work();
          return;
        } catch (IOException e) {
          pool.giveBack(source, List.copyOf(asked), false);
          asked.clear();
          close();
          pool.awaitOver(pool.broke(source, e));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      pool.fail(new IOException("the sink of " + pool.manifest().id() + " failed: " + e, e));
    } finally {
      close();
    }
  }

  private void work() throws IOException, InterruptedException {
    for (List<Integer> some; (some = next()) != null; ) {
      asked.addAll(some);
      ask(opened(), some);
      while (!asked.isEmpty()) {
        receive(opened());
      }
    }
  }

  private @Nullable List<Integer> next() throws IOException, InterruptedException {
    if (sentAway) {
      sentAway = false;
      pool.awaitOver(ThreadLocalRandom.current().nextLong(1, BETWEEN_MS));
    }
    while (asksWhatThereIs && pool.asks(source)) {
      List<Integer> some = pool.poll(source);
      if (!some.isEmpty()) {
        return some;
      }
      askWhatThereIs(opened());
    }
    return pool.take(source);
  }

  private Conduit opened() throws IOException {
    Conduit open = conduit;
    if (open == null) {
      open = dialer.call(source.peer().node(), source.peer().at());
      conduit = open;
      if (pool.over()) {
        open.close();
      }
    }
    return open;
  }

  private void askWhatThereIs(Conduit from) throws IOException, InterruptedException {
    VersionId id = pool.manifest().id();
    int known = pool.known(source);
    if (known == pool.manifest().chunks()) {
      pool.awaitOver(BETWEEN_MS);
      return;
    }
    int wait = known < 0 ? 0 : WAIT_MS;
    from.expect(limits.silence().plusMillis(wait));
    pool.request();
    AskHeld ask = new AskHeld(id.channel(), id.epoch(), id.number(), known, pool.least(), wait);
    TransferCodec.write(from, ask);
    switch (TransferCodec.read(from, TransferCodec.ANSWERED)) {
      case HeldChunks held -> pool.has(source, held.bits());
      case Refused refused when refused.reason() == Reason.NONE -> pool.has(source, new byte[0]);
      case Refused refused -> throw new RefusedException(refused);
      case TransferMessage other -> throw new IOException("it answered with " + other);
    }
  }

  private void ask(Conduit from, Collection<Integer> chunks) throws IOException {
    VersionId id = pool.manifest().id();
    pool.request();
    from.expect(limits.silence());
    TransferCodec.write(from, new AskChunks(id.channel(), id.epoch(), id.number(), ranges(chunks)));
  }

  /** Pairs of a first number and a count. */
  private static int[] ranges(Collection<Integer> chunks) {
    List<int[]> ranges = new ArrayList<>();
    for (int index : chunks) {
      if (!ranges.isEmpty() && ranges.getLast()[0] + ranges.getLast()[1] == index) {
        ranges.getLast()[1]++;
      } else {
        ranges.add(new int[] {index, 1});
      }
    }
    return ranges.stream().flatMapToInt(Arrays::stream).toArray();
  }

  private void receive(Conduit from) throws IOException {
    from.expect(limits.silence());
    TransferMessage message = TransferCodec.read(from, TransferCodec.ANSWERED);
    int expected = asked.getFirst();
    switch (message) {
      case Chunk(int index, int bytes)
          when index == expected && bytes == pool.manifest().length(index) -> {
        if (asked.size() == 1) {
          List<Integer> more = pool.poll(source);
          if (!more.isEmpty()) {
            asked.addAll(more);
            ask(from, more);
          }
        }
        chunk(from, index, bytes);
      }
      case Absent(int index) when index == expected -> {
        asked.removeFirst();
        pool.giveBack(source, List.of(index), true);
        sentAway = true;
      }
      case Refused refused when refused.reason() == Reason.GONE && source.origin() -> {
        pool.replaced();
        throw new RefusedException(refused);
      }
      case Refused refused -> {
        pool.has(source, new byte[0]);
        throw new RefusedException(refused);
      }
      default -> throw new IOException("it sent " + message + " in place of chunk " + expected);
    }
  }

  private void chunk(Conduit from, int index, int bytes) throws IOException {
    from.expect(limits.silence(), limits.silence().plus(Duration.ofSeconds(bytes / SLOWEST)));
    long at = pool.manifest().at(index);
    MemorySegment place = sink.place(at, bytes);
    boolean right = false;
    try {
      digest.reset();
      from.read(place, digest);
      right = pool.digests().matches(index, digest.digest());
    } finally {
      if (!right) {
        sink.dropped(at, place);
      }
    }
    if (!right) {
      pool.wrong(source, index);
      throw new IOException("it sent wrong bytes for chunk " + index);
    }
    sink.done(at, place);
    asked.removeFirst();
    if (held != null) {
      held.add(index);
    }
    pool.done(source, index);
  }

  void close() {
    Conduit open = conduit;
    conduit = null;
    if (open != null) {
      open.close();
    }
  }
}
