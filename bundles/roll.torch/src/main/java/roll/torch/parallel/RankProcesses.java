package roll.torch.parallel;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import roll.api.rank.RanksLostException;
import roll.torch.collective.Collectives;
import roll.torch.collective.RankFailure;
import roll.torch.parallel.world.RankProcess;

/**
 * All ranks of a model, by the processes that they are in; told what to do by whoever decides the
 * steps.
 */
final class RankProcesses implements AutoCloseable {
  private final List<RankProcess> processes;

  /** What all sessions have in common: work of two of them comes to all devices in one order. */
  private final Collectives gate;

  private volatile @Nullable Throwable over;

  /** Of all {@code processes}, one at least. */
  RankProcesses(List<RankProcess> processes, Collectives gate) {
    this.processes = List.copyOf(processes);
    this.gate = gate;
  }

  /** Each of them. */
  List<RankProcess> each() {
    return processes;
  }

  /**
   * Tells all of them {@code command}, and waits.
   *
   * @param abort told what one failed of, before the others have ended
   * @return what each answers
   * @throws RanksLostException if ranks of several processes have lost each other, now or before
   */
  <T> List<T> all(Function<RankProcess, CompletableFuture<T>> command, Consumer<Throwable> abort) {
    Throwable before = over;
    if (before != null) {
      throw new RanksLostException("the ranks have failed before: " + before.getMessage(), before);
    }
    List<CompletableFuture<T>> answers = new ArrayList<>();
    synchronized (gate) {
      for (RankProcess process : processes) {
        answers.add(told(command, process));
      }
    }
    for (CompletableFuture<T> answer : answers) {
      var unused =
          answer.whenComplete(
              (value, failure) -> {
                if (failure != null) {
                  abort.accept(cause(failure));
                  release(cause(failure));
                }
              });
    }
    CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
        .exceptionally(failure -> null)
        .join();
    Throwable failure = worst(answers);
    if (failure != null) {
      throw failed(failure);
    }
    return answers.stream().map(CompletableFuture::join).toList();
  }

  /** One that cannot be told is one that fails: others are told already. */
  private static <T> CompletableFuture<T> told(
      Function<RankProcess, CompletableFuture<T>> command, RankProcess process) {
    try {
      return command.apply(process);
    } catch (RuntimeException failure) {
      return CompletableFuture.failedFuture(failure);
    }
  }

  /** Ranks of one process release each other; those of others hear of it from here. */
  private void release(Throwable cause) {
    if (processes.size() > 1) {
      processes.forEach(process -> process.abort(cause));
    }
  }

  private RuntimeException failed(Throwable failure) {
    if (processes.size() > 1) {
      over = failure;
      if (failure instanceof RankFailure) {
        return new RanksLostException(String.valueOf(failure.getMessage()), failure);
      }
    }
    return thrown(failure);
  }

  /** What says most of why they failed, or null if none has. */
  private static <T> @Nullable Throwable worst(List<CompletableFuture<T>> answers) {
    Throwable worst = null;
    for (CompletableFuture<T> answer : answers) {
      if (answer.isCompletedExceptionally()) {
        Throwable failure = cause(answer.exceptionNow());
        worst = worst == null || weight(failure) > weight(worst) ? failure : worst;
      }
    }
    return worst;
  }

  private static int weight(Throwable failure) {
    return failure instanceof RanksLostException
        ? 3
        : !(failure instanceof RankFailure) ? 2 : released(failure) ? 0 : 1;
  }

  /** Whether {@code failure} only says that another rank has failed, whose own failure is known. */
  static boolean released(Throwable failure) {
    return failure instanceof RankFailure && failure.getCause() != null;
  }

  /** What a future failed of, without wrappers. */
  static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  /** The same, to be thrown. */
  static RuntimeException thrown(Throwable failure) {
    return cause(failure) instanceof RuntimeException unchecked
        ? unchecked
        : new CompletionException(failure);
  }

  @Override
  public void close() {
    RuntimeException first = null;
    for (RankProcess process : processes) {
      try {
        process.close();
      } catch (RuntimeException failure) {
        first = first == null ? failure : first;
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
