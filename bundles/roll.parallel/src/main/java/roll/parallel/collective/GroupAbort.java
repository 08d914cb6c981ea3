package roll.parallel.collective;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Whether a group has failed, as all its ranks of this process see it; for those who write
 * communicators. From any thread.
 */
public final class GroupAbort {
  /** Milliseconds after which it is looked whether the group has failed. */
  private static final long LOOK = 5;

  private final List<Link> links = new ArrayList<>();
  private @Nullable Throwable cause;
  private int generation;

  /** Not failed. */
  public GroupAbort() {}

  /** Something that ends with the group. */
  @ConsumerType
  @FunctionalInterface
  public interface Link {
    /** Ends what waits in it. From any thread. */
    void abort();
  }

  /** Counts how often the group was made usable again. */
  public synchronized int generation() {
    return generation;
  }

  /** Has {@code link} ended with the group; at once if it has failed already. */
  public void join(Link link) {
    Throwable failure;
    synchronized (this) {
      links.add(link);
      failure = cause;
    }
    if (failure != null) {
      link.abort();
    }
  }

  /** Forgets {@code link}. */
  public synchronized void leave(Link link) {
    links.remove(link);
  }

  /** Whether the group has failed. */
  public synchronized boolean failed() {
    return cause != null;
  }

  /** Throws what the group failed of, if it has. */
  public synchronized void check() {
    if (cause != null) {
      throw RankFailure.of(cause);
    }
  }

  /** What {@code work} answers; it is interrupted if the group fails before. */
  public <T> T await(Supplier<T> work) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    Thread worker =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    answer.complete(work.get());
                  } catch (Throwable failure) {
                    answer.completeExceptionally(failure);
                  }
                });
    try {
      while (!answer.isDone()) {
        check();
        ready(answer);
      }
      return answer.get();
    } catch (ExecutionException failure) {
      throw failure.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(failure);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new RankFailure("interrupted", interrupted);
    } finally {
      worker.interrupt();
    }
  }

  private static void ready(CompletableFuture<?> answer)
      throws InterruptedException, ExecutionException {
    try {
      var unused = answer.get(LOOK, TimeUnit.MILLISECONDS);
    } catch (TimeoutException notYet) {
      // the caller looks again
    }
  }

  /** Ends all waiting; the first cause counts, others are its consequences. */
  public void fail(Throwable failure) {
    List<Link> ended;
    synchronized (this) {
      if (cause == null) {
        cause = failure;
      }
      ended = List.copyOf(links);
      links.clear();
    }
    ended.forEach(Link::abort);
  }

  /** As if nothing had failed; connections are made anew. */
  public synchronized void reset() {
    if (cause != null) {
      cause = null;
      generation++;
    }
  }
}
