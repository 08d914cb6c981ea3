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
 * Engines that share tasks. Tasks of a lost engine are issued again to another one; since each
 * request has its own seed, the result is the same. Thread-safe.
 */
final class EnginePool {
  private final PoolScheduler<EngineTask<?>> scheduler = new PoolScheduler<>();
  private final Map<String, PoolEngine> engines = new LinkedHashMap<>();
  private final Executor threads;
  private final LongSupplier clock;
  private final Consumer<String> notices;
  private long reissued;

  /**
   * Creates a pool without engines.
   *
   * @param threads starts calls to engines
   * @param clock current time in nanoseconds
   * @param notices receives a line for each engine that joins or leaves
   */
  EnginePool(Executor threads, LongSupplier clock, Consumer<String> notices) {
    this.threads = threads;
    this.clock = clock;
    this.notices = notices;
  }

  /**
   * Adds an engine to the pool.
   *
   * @param room maximum number of concurrent tasks
   * @param ready whether it gets tasks at once, rather than after {@link #resume}
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

  /** Pauses an engine: it gets no new tasks, but finishes its own. */
  synchronized void pause(String id) {
    scheduler.pause(id);
  }

  /** Resumes a paused engine of the pool. */
  void resume(String id) {
    synchronized (this) {
      scheduler.resume(id);
    }
    begin();
  }

  /** Removes an engine whose command failed. */
  void failed(String id, Throwable failure) {
    Throwable cause = cause(failure);
    leave(
        id,
        cause instanceof NodeLostException ? "was lost" : "takes no part: " + cause.getMessage());
  }

  /** Removes an engine when it has finished its tasks; it gets no new ones. */
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

  /** Removes an engine from the pool; other engines get its tasks. */
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

  /** Returns all engines of the engine pool. */
  synchronized List<PoolEngine> engines() {
    return List.copyOf(engines.values());
  }

  /** Returns the number of calls issued again since the last call of this method. */
  synchronized long reissued() {
    long count = reissued;
    reissued = 0;
    return count;
  }

  /** Invalidates the cached prompts of all engines. */
  synchronized void newWeights() {
    scheduler.newWeights();
  }

  /** Removes all assignments of request partitions to engines. */
  synchronized void releasePartitions() {
    scheduler.releasePartitions();
  }

  /** Returns the maximum number of tokens of {@code requests}, prompts included. */
  static long cost(List<GenerationRequest> requests) {
    return requests.stream().mapToLong(r -> r.prompt().length + r.sampling().maxNewTokens()).sum();
  }

  /** Submits a call that any engine can answer. */
  <R> CompletableFuture<R> submit(
      Function<PoolEngine, CompletableFuture<R>> call, long cost, PromptHashes prefix) {
    EngineTask<R> task = new EngineTask<>(call);
    return submit(task, new WorkItem<>(task, cost, prefix, null));
  }

  /**
   * Submits a call to the engine of the partition {@code partition}, which gets one if it has none.
   */
  <R> CompletableFuture<R> submit(
      Function<PoolEngine, CompletableFuture<R>> call, long cost, Object partition) {
    EngineTask<R> task = new EngineTask<>(call);
    return submit(task, new WorkItem<>(task, cost, PromptHashes.NONE, partition));
  }

  private <R> CompletableFuture<R> submit(EngineTask<R> task, WorkItem<EngineTask<?>> work) {
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

  private synchronized void withdraw(WorkItem<EngineTask<?>> work) {
    scheduler.withdraw(work);
  }

  /** Starts the tasks that the scheduler assigns; without engines all waiting tasks fail. */
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

  private <R> void ask(PoolEngine engine, WorkItem<EngineTask<?>> work, EngineTask<R> task) {
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

  private void ended(PoolEngine engine, WorkItem<EngineTask<?>> work, boolean done) {
    synchronized (this) {
      scheduler.end(engine.id(), work, clock.getAsLong(), done);
    }
    leaveIfDrained(engine.id());
    begin();
  }

  /** Handles a failed task; that of an engine that has left has been issued again already. */
  private void failed(
      PoolEngine engine, WorkItem<EngineTask<?>> work, EngineTask<?> task, Throwable failure) {
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
