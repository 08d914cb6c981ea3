package roll.api.curriculum;

import java.util.List;
import java.util.Map;

/**
 * Progress of a run.
 *
 * @param step number of the step to be played, from 0
 * @param seed of the run, for {@link roll.api.data.RandomStreams}
 * @param levels training environments, in the order of {@code train_env_manager.tags}
 * @param memory {@link EnvironmentMix#memory} of the step before; empty at first and after a swap
 *     to a curriculum of another name
 */
public record CurriculumProgress(
    int step, long seed, List<Level> levels, Map<String, Double> memory) {
  /** Maximum number of results kept per level. */
  public static final int RECENT = 100;

  /** Creates a curriculum progress with immutable copies of the collections. */
  public CurriculumProgress {
    levels = List.copyOf(levels);
    memory = Map.copyOf(memory);
  }

  /**
   * Progress of a training environment of the run.
   *
   * @param tag its name in {@code custom_envs}
   * @param share fraction of the groups set by {@code num_groups_partition}, from 0 to 1
   * @param recent its results in the last {@link #RECENT} steps that played it, oldest first
   */
  public record Level(String tag, double share, List<LevelResult> recent) {
    /** Creates a curriculum progress level with an immutable copy of the list. */
    public Level {
      recent = List.copyOf(recent);
    }
  }
}
