package roll.collectives.testkit;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import roll.parallel.collective.Communicator;

/** Threads for the ranks of a group; idle ones end after a minute. */
public final class RankThreads {
  private final ExecutorService threads =
      Executors.newCachedThreadPool(Thread.ofPlatform().daemon(true).factory());

  /** Runs {@code work} on every rank of {@code group}. */
  public <T> List<CompletableFuture<T>> start(
      List<Communicator> group, Function<Communicator, T> work) {
    return group.stream()
        .map(rank -> CompletableFuture.supplyAsync(() -> work.apply(rank), threads))
        .toList();
  }

  /** Like {@link #start}, but returns the results in order of the ranks; rethrows a failure. */
  public <T> List<T> all(List<Communicator> group, Function<Communicator, T> work) {
    List<CompletableFuture<T>> answers = start(group, work);
    try {
      return answers.stream().map(CompletableFuture::join).toList();
    } catch (CompletionException failure) {
      throw failure.getCause() instanceof RuntimeException cause ? cause : failure;
    }
  }
}
