package roll.rollout.schedule;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.data.Trajectory;
import roll.api.strategy.Snapshot;
import roll.runtime.config.EnvManagerConfig;
import roll.runtime.pipeline.RolloutRequest;

/**
 * The groups of asynchronous training that no step has taken, as a checkpoint keeps them in a
 * {@link UnfinishedGroupsFile}.
 *
 * @param shape the size of a step
 * @param position place in the run
 * @param groups begun groups in their order, then planned ones
 * @param taken groups of the last step, without trajectories, should the step be repeated
 */
record UnfinishedGroups(Shape shape, Position position, List<Entry> groups, List<Entry> taken)
    implements Snapshot {
  /**
   * The size of a step; a stream of another size cannot continue the groups.
   *
   * @param trajectories number of trajectories of a step
   * @param groups number of groups that play concurrently
   * @param groupSize number of members of a group
   */
  record Shape(int trajectories, int groups, int groupSize) {
    static Shape of(RolloutRequest request) {
      EnvManagerConfig envs = request.envs().manager();
      return new Shape(request.trajectories(), envs.groups(), envs.groupSize());
    }

    @Override
    public String toString() {
      return "%d trajectories from %d groups of %d".formatted(trajectories, groups, groupSize);
    }
  }

  /**
   * The place in the run.
   *
   * @param episode first episode of the next step, see {@link RolloutRequest#firstEpisode}
   * @param planned number of planned steps, from the next step on
   * @param stepNanos duration of the last step
   */
  record Position(int episode, int planned, long stepNanos) {}

  /**
   * A group; the members that are not in {@code played} are played again from the group's seed.
   *
   * @param tag name of the custom environment
   * @param number number of the group
   * @param episode number of the episode within the group's life
   * @param draw number of earlier groups in the slot
   * @param lost number of consecutive lost groups in the slot
   * @param age rounds since the group was begun; −1 if it is only planned
   * @param expired whether the group has expired before
   * @param closed whether the trajectories are final
   * @param played trajectories of finished members
   */
  record Entry(
      String tag,
      int number,
      int episode,
      int draw,
      int lost,
      int age,
      boolean expired,
      boolean closed,
      List<Trajectory> played) {}

  /** Returns no memory: trajectories are shared with the stream. */
  @Override
  public long bytes() {
    return 0;
  }

  @Override
  public void close() {}

  @Override
  public void write(Path folder) throws IOException {
    UnfinishedGroupsFile.write(this, folder);
  }

  /** Returns whether {@code request} begins with the step that took the last groups. */
  boolean repeats(RolloutRequest request) {
    return position.episode() == request.firstEpisode() + request.episodes();
  }

  /** Returns why the stream of {@code request} cannot continue the groups; null if it can. */
  @Nullable String misfit(RolloutRequest request) {
    Shape now = Shape.of(request);
    if (!shape.equals(now)) {
      return "a step had %s, now it has %s".formatted(shape, now);
    }
    if (position.episode() != request.firstEpisode() && !repeats(request)) {
      return "the next step begins with episode %d, the run's with %d"
          .formatted(position.episode(), request.firstEpisode());
    }
    List<String> tags = request.envs().manager().tags();
    return groups.stream()
        .map(Entry::tag)
        .filter(tag -> !tags.contains(tag))
        .findFirst()
        .map(tag -> "one plays " + tag + ", the run now has " + String.join(", ", tags))
        .orElse(null);
  }
}
