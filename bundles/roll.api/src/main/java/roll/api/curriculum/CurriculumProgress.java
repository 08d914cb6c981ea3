package roll.api.curriculum;

import java.util.List;
import java.util.Map;

/**
 * How far a run has come.
 *
 * @param step number of the step to be played, counted from 0
 * @param seed of the run, for {@link roll.api.data.RandomStreams}
 * @param levels what is played in training, in the order of {@code train_env_manager.tags}
 * @param memory {@link Mix#memory} of the step before; empty at first and after a swap to a
 *     curriculum of another name
 */
public record CurriculumProgress(
    int step, long seed, List<Level> levels, Map<String, Double> memory) {
  /** So many results of each level are kept. */
  public static final int RECENT = 100;

  /** Copies, which nobody changes. */
  public CurriculumProgress {
    levels = List.copyOf(levels);
    memory = Map.copyOf(memory);
  }

  /**
   * One of the environments.
   *
   * @param tag its name in {@code custom_envs}
   * @param share of the groups that {@code num_groups_partition} gives it, from 0 to 1
   * @param recent its results in the last {@link #RECENT} steps that played it, oldest first
   */
  public record Level(String tag, double share, List<LevelResult> recent) {
    /** A copy, which nobody changes. */
    public Level {
      recent = List.copyOf(recent);
    }
  }
}
