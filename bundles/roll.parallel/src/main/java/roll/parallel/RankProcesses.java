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
import roll.api.memory.DeviceMemory;
import roll.api.rank.RanksLostException;
import roll.parallel.collective.Collectives;
import roll.parallel.collective.RankFailure;
import roll.parallel.world.RankProcess;
import roll.parallel.world.StateRange;

/**
 * All ranks of a model, by the processes that they are in; told what to do by whoever decides the
 * steps.
 */
final class RankProcesses implements AutoCloseable {
  private final List<RankProcess> processes;

  /** What all sessions have in common: work of two of them comes to all devices in one order. */
  private final Collectives gate;

  private final AtomicLong changes = new AtomicLong();
  private volatile Answers<Boolean> gathering = new Answers<>(List.of());
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
   * How often something was asked for but to {@link #gather}: what is gathered may have changed.
   */
  long changes() {
    return changes.get();
  }

  /**
   * Most that each device held since this was last asked.
   *
   * @throws RanksLostException if one of several processes does not answer
   */
  List<DeviceMemory> peakMemory() {
    try {
      return processes.stream().flatMap(process -> process.peakMemory().stream()).toList();
    } catch (RankFailure failure) {
      throw failed(failure);
    }
  }

  /**
   * Tells all of them {@code command}, and waits, also for what is being gathered.
   *
   * @param abort told what one failed of, before the others have ended
   * @return what each answers
   * @throws RanksLostException if ranks of several processes have lost each other, now or before
   */
  <T> List<T> all(Function<RankProcess, CompletableFuture<T>> command, Consumer<Throwable> abort) {
    changes.incrementAndGet();
    gathering.settle();
    return tell(command, abort).await();
  }

  /**
   * Has all of them gather {@code run} in the process of rank 0.
   *
   * @param numbers receives it, until the answers have come
   * @throws RanksLostException if ranks of several processes have lost each other before
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

  /** What all processes answer. From any thread. */
  final class Answers<T> {
    private final List<CompletableFuture<T>> each;

    private Answers(List<CompletableFuture<T>> each) {
      this.each = each;
    }

    /** Waits until all have ended, however. */
    void settle() {
      CompletableFuture.allOf(each.toArray(CompletableFuture[]::new))
          .exceptionally(failure -> null)
          .join();
    }

    /** What each answers, when all have. */
    List<T> await() {
      settle();
      Throwable failure = worst(each);
      if (failure != null) {
        throw failed(failure);
      }
      return each.stream().map(CompletableFuture::join).toList();
    }
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
      return lost(thrown(failure));
    }
    return thrown(failure);
  }

  /** What ranks of several processes throw: where they have lost each other, they are lost. */
  static RuntimeException lost(RuntimeException failure) {
    return failure instanceof RankFailure
        ? new RanksLostException(String.valueOf(failure.getMessage()), failure)
        : failure;
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
