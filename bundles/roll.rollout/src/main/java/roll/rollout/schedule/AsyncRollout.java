package roll.rollout.schedule;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import roll.api.strategy.Generator;
import roll.api.strategy.Snapshot;
import roll.rollout.generation.GenerationBarrier;
import roll.rollout.generation.GenerationDispatcher;
import roll.rollout.setup.RolloutChatFormats;
import roll.rollout.setup.RolloutSetup;
import roll.rollout.supervise.AttemptResult;
import roll.runtime.pipeline.RolloutRequest;
import roll.runtime.pipeline.RolloutResult;
import roll.runtime.pipeline.RolloutStream;

/**
 * Continuous rollouts for asynchronous training, on a thread of their own that never waits for slow
 * episodes. Pending requests are sent when the policy is idle, or immediately to a policy with
 * continuous batching. Batches depend on timing.
 */
public final class AsyncRollout implements RolloutStream {
  private final RolloutSetup setup;
  private final int groupsOfAStep;
  private final GenerationBarrier barrier = new GenerationBarrier();
  private final @Nullable AdaptiveConcurrency concurrency;
  private final EpisodeRunner episodes;
  private final GroupScheduler groups;
  private final GenerationDispatcher responses;
  private final StalenessWait wait;
  private final GroupsAhead ahead;
  private final Queue<Order> ordered = new ConcurrentLinkedQueue<>();
  private final Queue<CompletableFuture<Snapshot>> snapshots = new ConcurrentLinkedQueue<>();
  private final List<String> notices;
  private @Nullable Thread thread;
  private volatile @Nullable CompletableFuture<RolloutResult> wanted;
  private volatile @Nullable Throwable failure;
  private final RolloutIdle idle = new RolloutIdle();
  private long idleNanos;
  private long generatedNanos;

  /**
   * A requested step, with the number of groups per tag from then on; an empty list changes
   * nothing.
   */
  private record Order(CompletableFuture<RolloutResult> result, List<Integer> groupsByTag) {}

  /**
   * Creates a stream that has not started; see {@link roll.runtime.pipeline.Rollouts#stream}.
   *
   * @param folder of a checkpoint whose groups it continues, or null
   */
  public AsyncRollout(
      RolloutRequest request,
      double ahead,
      int steps,
      RolloutSetup setup,
      RolloutChatFormats chatFormats,
      @Nullable Path folder) {
    UnfinishedGroups saved = folder == null ? null : UnfinishedGroupsFile.read(folder);
    String misfit = saved == null ? null : saved.misfit(request);
    this.notices =
        misfit == null
            ? List.of()
            : List.of("the unfinished groups of the checkpoint are not trained: " + misfit);
    this.setup = setup;
    this.groupsOfAStep = request.trajectories() / request.envs().manager().groupSize();
    Generator policy = request.policy().generator();
    this.concurrency =
        policy.continuous() ? new AdaptiveConcurrency(policy, System::nanoTime) : null;
    this.episodes =
        new EpisodeRunner(
            request,
            setup.environments(),
            chatFormats,
            barrier,
            concurrency == null ? RolloutHooks.POLICY : RolloutHooks.of(concurrency.permits()));
    this.groups = new GroupScheduler(request, setup.filter(), episodes);
    this.responses = GenerationDispatcher.of(policy, request.envs().timed());
    this.wait =
        new StalenessWait(
            groupsOfAStep,
            request.envs().manager().groupSize(),
            (int) Math.ceil(ahead),
            System::nanoTime);
    this.ahead =
        new GroupsAhead(request, ahead, steps, groups, wait, misfit == null ? saved : null);
  }

  /**
   * Starts waiting for the first step.
   *
   * @param threads starts a thread
   */
  public AsyncRollout start(Function<Runnable, Thread> threads) {
    thread = threads.apply(this::run);
    return this;
  }

  @Override
  public CompletableFuture<RolloutResult> next(List<Integer> groupsByTag) {
    CompletableFuture<RolloutResult> result = new CompletableFuture<>();
    ordered.add(new Order(result, groupsByTag));
    barrier.wake();
    failPendingSteps();
    return result;
  }

  @Override
  public CompletableFuture<Snapshot> snapshot() {
    CompletableFuture<Snapshot> result = new CompletableFuture<>();
    snapshots.add(result);
    barrier.wake();
    if (failure != null) { // the thread no longer changes the groups
      takeSnapshots();
    }
    return result;
  }

  @Override
  public List<String> notices() {
    return notices;
  }

  private void takeSnapshots() {
    for (var wanting = snapshots.poll(); wanting != null; wanting = snapshots.poll()) {
      wanting.complete(ahead.unfinished(wanted != null));
    }
  }

  private void run() {
    try (setup;
        episodes) {
      while (true) {
        converse();
      }
    } catch (InterruptedException e) {
      failure = new CancellationException("the rollout has ended");
    } catch (Throwable e) { // reported by the futures
      failure = e;
    }
    failPendingSteps();
    takeSnapshots();
  }

  private void converse() throws InterruptedException {
    long linger = responses.linger();
    long begun = System.nanoTime();
    long generated = responses.nanos();
    long most = wanted == null ? Long.MAX_VALUE : wait.recheckNanos();
    if (concurrency != null) {
      concurrency.adapt();
      most = Math.min(most, concurrency.recheckNanos());
    }
    int running = barrier.running();
    List<AttemptResult> ended = barrier.gather(linger, most);
    generated = responses.nanos() - generated;
    long waited = System.nanoTime() - begun - generated;
    idleNanos += wanted == null ? 0 : waited;
    if (running > 0) {
      idle.add(waited, barrier.lastArrival());
    } else {
      idle.addQueue(waited);
    }
    groups.settle(ended);
    takeSnapshots();
    if (wanted == null && !ordered.isEmpty()) {
      begin(Objects.requireNonNull(ordered.poll()));
    }
    deliver();
    if (barrier.due(linger)) {
      responses.dispatch(barrier.take());
    }
  }

  private void begin(Order step) {
    takeSnapshots(); // those asked for before the step do not have its groups
    wanted = step.result();
    ahead.begin(step.groupsByTag());
  }

  private void deliver() {
    CompletableFuture<RolloutResult> step = wanted;
    if (step == null || groups.await(wait)) {
      return;
    }
    GroupScheduler.CompletedGroups completed = groups.take(groupsOfAStep);
    Map<String, Double> metrics = RolloutMetrics.of(completed.trajectories());
    metrics.put("scheduler/expired_groups", 0.0);
    metrics.putAll(completed.counts());
    metrics.put("scheduler/groups_ahead", (double) groups.size());
    if (concurrency != null && concurrency.limited()) {
      metrics.put("scheduler/concurrent_episodes_limit", (double) concurrency.limit());
    }
    long generated = responses.nanos();
    metrics.put("time/rollout_generate", (generated - generatedNanos) / 1e9);
    metrics.put("time/rollout_env", idleNanos / 1e9);
    metrics.put("time/rollout_due", wait.nanos() / 1e9);
    idle.take(metrics);
    idle.takeQueue(metrics);
    generatedNanos = generated;
    idleNanos = 0;
    wanted = null;
    if (!ordered.isEmpty()) {
      barrier.wake();
    }
    step.complete(
        new RolloutResult(
            completed.trajectories(),
            metrics,
            Map.of(),
            completed.faults(),
            completed.quarantined()));
  }

  /** Fails every pending step if the stream has failed. */
  private void failPendingSteps() {
    Throwable reason = failure;
    if (reason == null) {
      return;
    }
    CompletableFuture<RolloutResult> step = wanted;
    if (step != null) {
      step.completeExceptionally(reason);
    }
    for (Order order = ordered.poll(); order != null; order = ordered.poll()) {
      order.result().completeExceptionally(reason);
    }
  }

  @Override
  public void close() {
    Thread running = Objects.requireNonNull(thread, "not started");
    running.interrupt();
    try {
      running.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
