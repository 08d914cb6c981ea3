package roll.cluster.inference.pool;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import roll.api.strategy.GenerationRequest;
import roll.cluster.NodeLostException;
import roll.cluster.RemoteCallException;
import roll.cluster.StaleEpochException;
import roll.cluster.inference.RemoteInferSession;
import roll.cluster.inference.RemoteStrategy;

/**
 * Engines, and the tasks that they share. What an engine that is lost had is asked of another one;
 * since a request has its own seed, the answer is the same. Can be used by all threads.
 */
final class EnginePool {
  private final PoolScheduler<EngineTask<?>> scheduler = new PoolScheduler<>();
  private final Map<String, PoolEngine> engines = new LinkedHashMap<>();
  private final Executor threads;
  private final LongSupplier clock;
  private final Consumer<String> notices;
  private long reissued;

  /**
   * No engines yet.
   *
   * @param threads start what engines do
   * @param clock nanoseconds
   * @param notices a line for each engine that comes or goes
   */
  EnginePool(Executor threads, LongSupplier clock, Consumer<String> notices) {
    this.threads = threads;
    this.clock = clock;
    this.notices = notices;
  }

  /**
   * An engine takes part from now on.
   *
   * @param room how many tasks it works on at once
   * @param ready whether it gets some at once, and not only after {@link #resume}
   */
  void join(PoolEngine engine, int room, boolean ready) {
    synchronized (this) {
      engines.put(engine.id(), engine);
      scheduler.join(engine.id(), room);
      if (!ready) {
        scheduler.pause(engine.id());
      }
    }
    begin();
  }

  /** An engine gets nothing new for now; it ends what it has. */
  synchronized void pause(String id) {
    scheduler.pause(id);
  }

  /** It gets its share again. */
  void resume(String id) {
    synchronized (this) {
      scheduler.resume(id);
    }
    begin();
  }

  /** An engine could not do what it was told, and so takes no part any more. */
  void failed(String id, Throwable failure) {
    Throwable cause = cause(failure);
    leave(
        id,
        cause instanceof NodeLostException ? "was lost" : "takes no part: " + cause.getMessage());
  }

  /** An engine gets nothing more, and ends what it has. */
  void drain(String id) {
    synchronized (this) {
      scheduler.drain(id);
    }
    leaveIfDrained(id);
  }

  private void leaveIfDrained(String id) {
    boolean drained;
    synchronized (this) {
      drained = scheduler.isDrained(id);
    }
    if (drained) {
      leave(id, "has left the pool");
    }
  }

  /** An engine is gone; others get what it had. */
  void leave(String id, String why) {
    int again;
    PoolEngine engine;
    synchronized (this) {
      engine = engines.remove(id);
      if (engine == null) {
        return;
      }
      again = scheduler.leave(id).size();
      reissued += again;
    }
    if (engine.session() instanceof RemoteInferSession session) {
      session.leaveChannel();
    }
    notices.accept(
        "node "
            + engine.name()
            + " "
            + why
            + (again == 0 ? "" : "; " + again + " calls are issued again"));
    begin();
  }

  /** Those that take part. */
  synchronized List<PoolEngine> engines() {
    return List.copyOf(engines.values());
  }

  /** How many calls were issued again since this was last asked. */
  synchronized long reissued() {
    long count = reissued;
    reissued = 0;
    return count;
  }

  /** Weights have changed. */
  synchronized void newWeights() {
    scheduler.newWeights();
  }

  /** No lane has an engine any more. */
  synchronized void releaseLanes() {
    scheduler.releaseLanes();
  }

  /** What {@code requests} may cost, in tokens. */
  static long cost(List<GenerationRequest> requests) {
    return requests.stream().mapToLong(r -> r.prompt().length + r.sampling().maxNewTokens()).sum();
  }

  /** Has some engine answer {@code call}. */
  <R> CompletableFuture<R> submit(
      Function<PoolEngine, CompletableFuture<R>> call, long cost, PromptHashes prefix) {
    EngineTask<R> task = new EngineTask<>(call);
    return submit(task, new PoolWork<>(task, cost, prefix, null));
  }

  /** Has the engine of {@code lane} answer {@code call}; some engine where it has none. */
  <R> CompletableFuture<R> submit(
      Function<PoolEngine, CompletableFuture<R>> call, long cost, Object lane) {
    EngineTask<R> task = new EngineTask<>(call);
    return submit(task, new PoolWork<>(task, cost, PromptHashes.NONE, lane));
  }

  private <R> CompletableFuture<R> submit(EngineTask<R> task, PoolWork<EngineTask<?>> work) {
    synchronized (this) {
      scheduler.submit(work);
    }
    var unused =
        task.result()
            .whenComplete(
                (_, _) -> {
                  if (task.result().isCancelled()) {
                    withdraw(work);
                    task.cancel();
                  }
                });
    begin();
    return task.result();
  }

  private synchronized void withdraw(PoolWork<EngineTask<?>> work) {
    scheduler.withdraw(work);
  }

  /** Begins what the scheduler says; without any engine all that waits fails. */
  private void begin() {
    List<Runnable> begun = new ArrayList<>();
    synchronized (this) {
      if (scheduler.isDeserted()) {
        IllegalStateException none = new IllegalStateException("no engine is left in the pool");
        scheduler
            .withdrawAll()
            .forEach(work -> begun.add(() -> work.what().result().completeExceptionally(none)));
      }
      for (PoolScheduler.Assignment<EngineTask<?>> next : scheduler.next(clock.getAsLong())) {
        PoolEngine engine = engines.get(next.engine());
        if (engine != null) {
          begun.add(() -> ask(engine, next.work(), next.work().what()));
        }
      }
    }
    begun.forEach(threads::execute);
  }

  private <R> void ask(PoolEngine engine, PoolWork<EngineTask<?>> work, EngineTask<R> task) {
    if (task.result().isDone()) {
      ended(engine, work, false);
      return;
    }
    var unused =
        task.ask(engine)
            .whenComplete(
                (value, failure) -> {
                  if (failure == null) {
                    ended(engine, work, true);
                    task.result().complete(value);
                  } else {
                    failed(engine, work, task, cause(failure));
                  }
                });
  }

  private void ended(PoolEngine engine, PoolWork<EngineTask<?>> work, boolean done) {
    synchronized (this) {
      scheduler.end(engine.id(), work, clock.getAsLong(), done);
    }
    leaveIfDrained(engine.id());
    begin();
  }

  /** A task of an engine that has left by now has been issued again already. */
  private void failed(
      PoolEngine engine, PoolWork<EngineTask<?>> work, EngineTask<?> task, Throwable failure) {
    boolean has;
    synchronized (this) {
      has = scheduler.has(engine.id(), work);
    }
    if (!has) {
      return;
    }
    RemoteStrategy strategy = engine.strategy();
    if (strategy != null && failure instanceof RemoteCallException) {
      var unused = // a session ends with the strategy that it is of
          strategy
              .offered()
              .thenAccept(
                  offered -> {
                    if (offered) {
                      ended(engine, work, false);
                      task.result().completeExceptionally(failure);
                    } else {
                      leave(engine.id(), "has left the pool");
                    }
                  });
    } else if (failure instanceof NodeLostException) {
      leave(engine.id(), "was lost");
    } else if (failure instanceof StaleEpochException) {
      synchronized (this) {
        scheduler.end(engine.id(), work, clock.getAsLong(), false);
        scheduler.submit(work);
        reissued++;
      }
      begin();
    } else {
      ended(engine, work, false);
      task.result().completeExceptionally(failure);
    }
  }

  private static Throwable cause(Throwable failure) {
    @Nullable Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }
}
