package roll.core.curriculum;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import roll.api.curriculum.Curriculum;
import roll.api.curriculum.CurriculumProgress;
import roll.api.curriculum.EnvironmentMix;
import roll.api.curriculum.LevelResult;
import roll.api.data.Trajectory;
import roll.api.plugin.Lease;
import roll.runtime.config.CurriculumConfig;
import roll.runtime.config.EnvManagerConfig;
import roll.runtime.config.RunConfig;

/**
 * The mix of levels of a run: queries the curriculum before a step and records the results after
 * it. The mix of an incomplete step is discarded, so that a resumed run computes it again.
 */
public final class LevelMix {
  private static final String SUCCESS = "success";

  private CurriculumState state;
  private CurriculumState asked;

  /** Creates the level mix from the checkpoint state {@code state}; null for a new run. */
  public LevelMix(@Nullable CurriculumState state) {
    this.state = state == null ? CurriculumState.NEW : state;
    this.asked = this.state;
  }

  /** Returns the curriculum's state for a checkpoint of the complete steps. */
  public CurriculumState state() {
    return state;
  }

  /**
   * The groups of each tag that the step {@code number} plays; empty where there is no curriculum,
   * so that they are those configured.
   *
   * @param metrics shares and groups are added to
   */
  public List<Integer> groups(
      @Nullable Lease<Curriculum> lease, RunConfig run, int number, Map<String, Double> metrics) {
    CurriculumConfig config = run.rollout().curriculum();
    if (lease == null || config == null) {
      asked = CurriculumState.NEW;
      return List.of();
    }
    EnvManagerConfig envs = run.rollout().trainEnvs();
    boolean same = state.type().equals(config.type());
    EnvironmentMix mix =
        GuardedCurriculum.of(lease, config)
            .next(progress(envs, run.seed(), number, same ? state.memory() : Map.of(), state));
    GroupCredits credits = GroupCredits.of(envs.tags(), envs.groups(), mix.shares(), state.owed());
    for (int i = 0; i < envs.tags().size(); i++) {
      String name = "curriculum/" + envs.tags().get(i);
      metrics.put(name + "/share", mix.shares().getOrDefault(envs.tags().get(i), 0.0));
      metrics.put(name + "/groups", (double) credits.groups().get(i));
    }
    asked =
        new CurriculumState(
            config.type(), new TreeMap<>(mix.memory()), credits.owed(), state.recent());
    return credits.groups();
  }

  /**
   * Checks the curriculum of {@code run} by asking for its first mix.
   *
   * @throws roll.api.option.UserException if its options do not fit
   */
  public static void check(Lease<Curriculum> lease, RunConfig run) {
    var unused = new LevelMix(null).groups(lease, run, 0, new LinkedHashMap<>());
  }

  private static CurriculumProgress progress(
      EnvManagerConfig envs,
      long seed,
      int number,
      Map<String, Double> memory,
      CurriculumState state) {
    List<CurriculumProgress.Level> levels = new ArrayList<>();
    for (int i = 0; i < envs.tags().size(); i++) {
      String tag = envs.tags().get(i);
      double share = (double) envs.groupsByTag().get(i) / envs.groups();
      levels.add(
          new CurriculumProgress.Level(tag, share, state.recent().getOrDefault(tag, List.of())));
    }
    return new CurriculumProgress(number, seed, levels, memory);
  }

  /** Records the episodes of step {@code number}, which is complete now. */
  public void played(int number, List<Trajectory> trajectories) {
    state = asked.type().isEmpty() ? asked : with(asked, number, trajectories);
  }

  private static CurriculumState with(
      CurriculumState before, int number, List<Trajectory> trajectories) {
    Map<String, List<LevelResult>> recent = new LinkedHashMap<>(before.recent());
    Map<String, List<Trajectory>> byTag =
        trajectories.stream()
            .collect(
                Collectors.groupingBy(Trajectory::tag, LinkedHashMap::new, Collectors.toList()));
    byTag.forEach(
        (tag, those) -> {
          List<LevelResult> all = new ArrayList<>(recent.getOrDefault(tag, List.of()));
          all.add(result(number, those));
          int first = Math.max(0, all.size() - CurriculumProgress.RECENT);
          recent.put(tag, List.copyOf(all.subList(first, all.size())));
        });
    return new CurriculumState(before.type(), before.memory(), before.owed(), recent);
  }

  private static LevelResult result(int number, List<Trajectory> those) {
    OptionalDouble success =
        those.stream()
            .filter(trajectory -> trajectory.metrics().containsKey(SUCCESS))
            .mapToDouble(trajectory -> Objects.requireNonNull(trajectory.metrics().get(SUCCESS)))
            .average();
    double score = those.stream().mapToDouble(Trajectory::score).average().orElseThrow();
    return new LevelResult(
        number, those.size(), score, success.isPresent() ? success.getAsDouble() : null);
  }
}
