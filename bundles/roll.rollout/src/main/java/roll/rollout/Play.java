package roll.rollout;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import roll.api.data.Trajectory;
import roll.api.rollout.GroupFilter;
import roll.runtime.pipeline.RolloutRequest;
import roll.runtime.pipeline.RolloutResult;

/**
 * One rollout, played by the thread that runs it: wave after wave until all groups are complete.
 * What is generated together is decided by the data alone.
 */
final class Play {
  private final RolloutRequest request;
  private final Wave wave = new Wave();
  private final Episodes episodes;
  private final Groups groups;
  private final BatchResponses responses;
  private long envNanos;

  /**
   * A rollout that is not yet begun.
   *
   * @param cast who plays in place of the policy, and who hears of it
   */
  Play(
      RolloutRequest request,
      Map<String, Stage> stages,
      Chats chats,
      @Nullable GroupFilter filter,
      Cast cast) {
    this.request = request;
    this.episodes = new Episodes(request, stages, chats, wave, cast);
    this.groups = new Groups(request, filter, episodes);
    this.responses = new BatchResponses();
  }

  /** Plays every group to its end; whatever happens, no episode goes on after that. */
  RolloutResult run() throws InterruptedException {
    try (episodes) {
      groups.begin(Seat.plan(request));
      converse();
    }
    Groups.Taken taken = groups.take(groups.size());
    List<Trajectory> trajectories = taken.trajectories();
    Map<String, Double> metrics = RolloutMetrics.of(trajectories);
    metrics.putAll(taken.counts());
    metrics.put("time/rollout_generate", responses.nanos() / 1e9);
    metrics.put("time/rollout_env", envNanos / 1e9);
    return new RolloutResult(
        trajectories,
        metrics,
        episodes.pictures(trajectories),
        taken.faults(),
        taken.quarantined());
  }

  private void converse() throws InterruptedException {
    while (true) {
      long begun = System.nanoTime();
      while (groups.settle(wave.settle())) {
        // what was begun now is to ask first
      }
      SortedMap<Seat, Wave.Ask> asks = wave.take();
      envNanos += System.nanoTime() - begun;
      if (asks.isEmpty()) {
        return;
      }
      responses.give(asks);
    }
  }
}
