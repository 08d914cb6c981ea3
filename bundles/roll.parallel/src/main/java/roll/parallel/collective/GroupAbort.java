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
 * The abort state of a group, shared by all its ranks of this process; for implementations of
 * communicators. For use from any thread.
 */
public final class GroupAbort {
  /** Milliseconds between checks whether the group has failed. */
  private static final long LOOK = 5;

  private final List<Link> links = new ArrayList<>();
  private @Nullable Throwable cause;
  private int generation;

  /** Creates the state of a group that has not failed. */
  public GroupAbort() {}

  /** A resource that is aborted with the group. */
  @ConsumerType
  @FunctionalInterface
  public interface Link {
    /** Ends all waiting in the communicator. For use from any thread. */
    void abort();
  }

  /** Returns how many times the group was reset. */
  public synchronized int generation() {
    return generation;
  }

  /** Registers {@code link} to be aborted with the group; immediately if it has already failed. */
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

  /** Unregisters the communicator {@code link}. */
  public synchronized void leave(Link link) {
    links.remove(link);
  }

  /** Returns whether the group has failed. */
  public synchronized boolean failed() {
    return cause != null;
  }

  /** Throws the failure of the group, if it has failed. */
  public synchronized void check() {
    if (cause != null) {
      throw RankFailure.of(cause);
    }
  }

  /** Runs {@code work} and returns its result; interrupts it if the group fails. */
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
      // the caller checks again
    }
  }

  /** Aborts the group; the first cause counts, later ones are its consequences. */
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

  /** Clears the failure; connections are created anew. */
  public synchronized void reset() {
    if (cause != null) {
      cause = null;
      generation++;
    }
  }
}
