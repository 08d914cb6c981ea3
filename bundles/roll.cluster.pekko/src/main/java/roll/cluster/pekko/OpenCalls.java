package roll.cluster.pekko;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import roll.cluster.Member;
import roll.cluster.NodeLostException;

/** Calls that are not answered yet. Can be used by all threads. */
final class OpenCalls {
  /** Whom was asked, in which epoch. */
  record Open(Member to, long epoch, CompletableFuture<byte[]> answer) {}

  private final AtomicLong numbers = new AtomicLong();
  private final Map<Long, Open> open = new ConcurrentHashMap<>();
  private final Executor threads;
  private volatile @Nullable String over;

  /** The answers are completed on {@code threads}. */
  OpenCalls(Executor threads) {
    this.threads = threads;
  }

  /** A call that is not sent yet: its number. */
  long open(Member to, long epoch, Duration limit, CompletableFuture<byte[]> answer) {
    long number = numbers.incrementAndGet();
    open.put(number, new Open(to, epoch, answer));
    CompletableFuture<Void> timer = new CompletableFuture<>();
    var unused =
        timer
            .completeOnTimeout(null, limit.toMillis(), TimeUnit.MILLISECONDS)
            .thenRun(() -> fail(number, late(to, limit)));
    var unusedToo =
        answer.whenComplete(
            (_, _) -> {
              open.remove(number);
              timer.cancel(false);
            });
    String why = over;
    if (why != null) {
      fail(number, new NodeLostException(to, why));
    }
    return number;
  }

  /** The call of this number; null if it is answered or given up. */
  @Nullable Open get(long number) {
    return open.get(number);
  }

  void answer(long number, byte[] answer) {
    complete(number, call -> call.complete(answer));
  }

  private static TimeoutException late(Member to, Duration limit) {
    return new TimeoutException(
        "node " + to + " did not answer within " + limit.toMillis() + " ms");
  }

  void fail(long number, Exception failure) {
    complete(number, call -> call.completeExceptionally(failure));
  }

  private void complete(long number, Consumer<CompletableFuture<byte[]>> with) {
    Open call = open.remove(number);
    if (call != null) {
      threads.execute(() -> with.accept(call.answer()));
    }
  }

  /** Fails all calls to a member that is one no longer. */
  void lost(Member member, String why) {
    open.forEach(
        (number, call) -> {
          if (call.to().equals(member)) {
            fail(number, new NodeLostException(member, why));
          }
        });
  }

  /** Fails all calls, and those that come. */
  void end(String why) {
    over = why;
    open.forEach((number, call) -> fail(number, new NodeLostException(call.to(), why)));
  }
}
