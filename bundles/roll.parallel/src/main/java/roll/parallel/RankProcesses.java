package roll.parallel;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import roll.api.memory.SessionMemory;
import roll.api.rank.RanksLostException;
import roll.parallel.collective.Collectives;
import roll.parallel.collective.RankFailure;
import roll.parallel.world.RankProcess;
import roll.parallel.world.StateRange;

/** All processes with ranks of a model, as commanded by the coordinating process. */
final class RankProcesses implements AutoCloseable {
  private final List<RankProcess> processes;

  /**
   * Collectives shared by all sessions, so that commands of several sessions reach all devices in
   * one order.
   */
  private final Collectives gate;

  private final AtomicLong changes = new AtomicLong();
  private volatile Answers<Boolean> gathering = new Answers<>(List.of());
  private volatile @Nullable Throwable over;

  /** Creates the set of all {@code processes}, at least one. */
  RankProcesses(List<RankProcess> processes, Collectives gate) {
    this.processes = List.copyOf(processes);
    this.gate = gate;
  }

  /** Returns all processes with ranks of the model. */
  List<RankProcess> each() {
    return processes;
  }

  /**
   * Returns the number of commands other than {@link #gather}, each of which may have changed
   * gathered numbers.
   */
  long changes() {
    return changes.get();
  }

  /**
   * Returns the peak memory of each device since the previous call.
   *
   * @throws RanksLostException if one of several processes does not respond
   */
  List<SessionMemory> peakMemory() {
    try {
      return processes.stream().flatMap(process -> process.peakMemory().stream()).toList();
    } catch (RankFailure failure) {
      throw failed(failure);
    }
  }

  /**
   * Runs {@code command} in all processes and waits for it, and for gathering in progress.
   *
   * @param abort called with the first failure, before the others have ended
   * @return the result of each process
   * @throws RanksLostException if ranks of several processes have lost each other, now or earlier
   */
  <T> List<T> all(Function<RankProcess, CompletableFuture<T>> command, Consumer<Throwable> abort) {
    changes.incrementAndGet();
    gathering.settle();
    return tell(command, abort).await();
  }

  /**
   * Gathers {@code run} in the process of rank 0.
   *
   * @param numbers receives the numbers, until all answers have arrived
   * @throws RanksLostException if ranks of several processes have lost each other earlier
   */
  Answers<Boolean> gather(StateRange run, MemorySegment numbers) {
    Answers<Boolean> answers = tell(process -> process.gather(run, numbers), failure -> {});
    gathering = answers;
    return answers;
  }

  private <T> Answers<T> tell(
      Function<RankProcess, CompletableFuture<T>> command, Consumer<Throwable> abort) {
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
    return new Answers<>(answers);
  }

  /** The results of all processes with ranks. For use from any thread. */
  final class Answers<T> {
    private final List<CompletableFuture<T>> each;

    private Answers(List<CompletableFuture<T>> each) {
      this.each = each;
    }

    /** Waits until all have ended, successfully or not. */
    void settle() {
      CompletableFuture.allOf(each.toArray(CompletableFuture[]::new))
          .exceptionally(failure -> null)
          .join();
    }

    /** Waits for all and returns their results. */
    List<T> await() {
      settle();
      Throwable failure = worst(each);
      if (failure != null) {
        throw failed(failure);
      }
      return each.stream().map(CompletableFuture::join).toList();
    }
  }

  /**
   * Runs a command in one process; an exception becomes a failed future, since others already run
   * the command.
   */
  private static <T> CompletableFuture<T> told(
      Function<RankProcess, CompletableFuture<T>> command, RankProcess process) {
    try {
      return command.apply(process);
    } catch (RuntimeException failure) {
      return CompletableFuture.failedFuture(failure);
    }
  }

  /**
   * Releases the ranks of all processes; ranks of the failed process have already released each
   * other.
   */
  private void release(Throwable cause) {
    if (processes.size() > 1) {
      processes.forEach(process -> process.abort(cause));
    }
  }

  private RuntimeException failed(Throwable failure) {
    if (processes.size() > 1) {
      over = failure;
      return lost(thrown(failure));
    }
    return thrown(failure);
  }

  /**
   * Returns the exception to throw for ranks of several processes: a {@link RanksLostException} if
   * they have lost each other.
   */
  static RuntimeException lost(RuntimeException failure) {
    return failure instanceof RankFailure
        ? new RanksLostException(String.valueOf(failure.getMessage()), failure)
        : failure;
  }

  /** Returns the most informative failure, or null if none failed. */
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

  /**
   * Returns whether {@code failure} is only the consequence of another rank's failure, which is
   * known.
   */
  static boolean released(Throwable failure) {
    return failure instanceof RankFailure && failure.getCause() != null;
  }

  /** Returns the cause of a future's failure, without wrappers. */
  static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  /** Returns the same as an unchecked exception. */
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
