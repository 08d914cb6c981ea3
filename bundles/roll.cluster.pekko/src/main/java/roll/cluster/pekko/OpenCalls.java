package roll.cluster.pekko;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import roll.cluster.Member;
import roll.cluster.NodeLostException;

/** Calls that are not answered yet. Can be used by all threads. */
final class OpenCalls {
  /** After how long a call that is not answered is asked about, at first and at most. */
  private static final long LEAST_NANOS = Duration.ofSeconds(2).toNanos();

  private static final long MOST_NANOS = Duration.ofSeconds(30).toNanos();

  /** A call: its number counts the calls to its member, from 1. */
  static final class Open {
    final Member to;
    final long number;
    final long epoch;
    final String topic;
    final byte[] message;
    private final CompletableFuture<byte[]> answer;
    private final long start = System.nanoTime();
    private long wait = LEAST_NANOS;

    private Open(
        Member to,
        long number,
        long epoch,
        String topic,
        byte[] message,
        CompletableFuture<byte[]> answer) {
      this.to = to;
      this.number = number;
      this.epoch = epoch;
      this.topic = topic;
      this.message = message;
      this.answer = answer;
    }
  }

  /** Those to one member. */
  private static final class Line {
    private final TreeMap<Long, Open> open = new TreeMap<>();
    private long last;

    synchronized Open add(
        Member to, long epoch, String topic, byte[] message, CompletableFuture<byte[]> answer) {
      Open call = new Open(to, ++last, epoch, topic, message, answer);
      open.put(call.number, call);
      return call;
    }

    synchronized @Nullable Open get(long number) {
      return open.get(number);
    }

    synchronized @Nullable Open remove(long number) {
      return open.remove(number);
    }

    /** All calls with a lower number are over. */
    synchronized long floor() {
      return open.isEmpty() ? last + 1 : open.firstKey();
    }

    synchronized List<Open> all() {
      return List.copyOf(open.values());
    }

    /** Those that it is time to ask about; each is, ever more seldom. */
    synchronized List<Open> due(long now) {
      List<Open> due = new ArrayList<>();
      for (Open call : open.values()) {
        if (now - call.start >= call.wait) {
          call.wait += Math.min(call.wait, MOST_NANOS);
          due.add(call);
        }
      }
      return due;
    }
  }

  private final Map<Long, Line> lines = new ConcurrentHashMap<>();
  private final Executor threads;
  private volatile @Nullable String over;

  /** The answers are completed on {@code threads}. */
  OpenCalls(Executor threads) {
    this.threads = threads;
  }

  /**
   * A call that is not sent yet.
   *
   * @param done told when it is over, however
   */
  Open open(
      Member to,
      long epoch,
      String topic,
      byte[] message,
      Duration limit,
      CompletableFuture<byte[]> answer,
      Consumer<Open> done) {
    Line line = lines.computeIfAbsent(to.uid(), _ -> new Line());
    Open call = line.add(to, epoch, topic, message, answer);
    CompletableFuture<Void> timer = new CompletableFuture<>();
    var unused =
        timer
            .completeOnTimeout(null, limit.toMillis(), TimeUnit.MILLISECONDS)
            .thenRun(() -> fail(call, late(to, limit)));
    var unusedToo =
        answer.whenComplete(
            (_, _) -> {
              line.remove(call.number);
              timer.cancel(false);
              done.accept(call);
            });
    String why = over;
    if (why != null) {
      fail(call, new NodeLostException(to, why));
    }
    return call;
  }

  /** The call of this number to that member; null if it is answered or given up. */
  @Nullable Open get(long to, long number) {
    Line line = lines.get(to);
    return line == null ? null : line.get(number);
  }

  /** The least number of a call to that member that is not over. */
  long floor(long to) {
    Line line = lines.get(to);
    return line == null ? 1 : line.floor();
  }

  /** The calls that have not been answered for long; each comes again, ever more seldom. */
  List<Open> due() {
    long now = System.nanoTime();
    return lines.values().stream().flatMap(line -> line.due(now).stream()).toList();
  }

  void answer(Open call, byte[] answer) {
    complete(call, future -> future.complete(answer));
  }

  private static TimeoutException late(Member to, Duration limit) {
    return new TimeoutException(
        "node " + to + " did not answer within " + limit.toMillis() + " ms");
  }

  void fail(Open call, Exception failure) {
    complete(call, future -> future.completeExceptionally(failure));
  }

  private void complete(Open call, Consumer<CompletableFuture<byte[]>> with) {
    Line line = lines.get(call.to.uid());
    if (line != null && line.remove(call.number) != null) {
      threads.execute(() -> with.accept(call.answer));
    }
  }

  /** Fails all calls to a member that is one no longer. */
  void lost(Member member, String why) {
    Line line = lines.get(member.uid());
    if (line != null) {
      line.all().forEach(call -> fail(call, new NodeLostException(member, why)));
      lines.remove(member.uid(), line);
    }
  }

  /** Fails all calls, and those that come. */
  void end(String why) {
    over = why;
    lines
        .values()
        .forEach(
            line -> line.all().forEach(call -> fail(call, new NodeLostException(call.to, why))));
  }
}
