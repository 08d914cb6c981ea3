package roll.rollout.schedule;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import roll.api.data.Trajectory;
import roll.api.rollout.GroupFilter;
import roll.rollout.generation.BatchDispatcher;
import roll.rollout.generation.GenerationBarrier;
import roll.rollout.generation.GenerationDispatcher;
import roll.rollout.generation.PendingRequest;
import roll.rollout.setup.EnvSetup;
import roll.rollout.setup.RolloutChatFormats;
import roll.rollout.supervise.EpisodeSlot;
import roll.runtime.pipeline.RolloutRequest;
import roll.runtime.pipeline.RolloutResult;

/**
 * A rollout of one step, run by the calling thread until all groups are complete. Requests are
 * batched, so that the batches depend on the data alone. With a continuously batching policy or
 * agent programs, each episode continues as soon as it has its response.
 */
public final class SyncRollout {
  private final RolloutRequest request;
  private final GenerationBarrier barrier = new GenerationBarrier();
  private final EpisodeRunner episodes;
  private final GroupScheduler groups;
  private final GenerationDispatcher responses;
  private final RolloutIdle idle = new RolloutIdle();
  private long envNanos;

  /**
   * Creates a rollout.
   *
   * @param hooks the agent in place of the policy, if any, and the listener
   */
  public SyncRollout(
      RolloutRequest request,
      Map<String, EnvSetup> environments,
      RolloutChatFormats chatFormats,
      @Nullable GroupFilter filter,
      RolloutHooks hooks) {
    this.request = request;
    this.episodes = new EpisodeRunner(request, environments, chatFormats, barrier, hooks);
    this.groups = new GroupScheduler(request, filter, episodes);
    this.responses = GenerationDispatcher.of(request.policy().generator(), request.envs().timed());
  }

  /** Plays every group to its end; no episode runs after this returns or throws. */
  public RolloutResult run() throws InterruptedException {
    try (episodes) {
      groups.begin(GroupPlan.of(request));
      converse();
    }
    GroupScheduler.CompletedGroups completed = groups.take(groups.size());
    List<Trajectory> trajectories = completed.trajectories();
    Map<String, Double> metrics = RolloutMetrics.of(trajectories);
    metrics.putAll(completed.counts());
    metrics.put("time/rollout_generate", responses.nanos() / 1e9);
    metrics.put("time/rollout_env", envNanos / 1e9);
    idle.take(metrics);
    return new RolloutResult(
        trajectories,
        metrics,
        episodes.pictures(trajectories),
        completed.faults(),
        completed.quarantined());
  }

  private void converse() throws InterruptedException {
    if (responses instanceof BatchDispatcher batches) {
      converse(batches);
      return;
    }
    while (!groups.complete()) {
      long begun = System.nanoTime();
      long generated = responses.nanos();
      groups.settle(barrier.gather(responses.linger(), Long.MAX_VALUE));
      waited(System.nanoTime() - begun - (responses.nanos() - generated));
      if (barrier.due(responses.linger())) {
        responses.dispatch(barrier.take());
      }
    }
  }

  private void converse(BatchDispatcher batches) throws InterruptedException {
    while (true) {
      long begun = System.nanoTime();
      while (groups.settle(barrier.settle())) {
        // episodes started now must reach the barrier first
      }
      SortedMap<EpisodeSlot, PendingRequest> pending = barrier.take();
      waited(System.nanoTime() - begun);
      if (pending.isEmpty()) {
        return;
      }
      batches.dispatch(pending);
    }
  }

  private void waited(long nanos) {
    envNanos += nanos;
    idle.add(nanos, barrier.lastArrival());
  }
}
