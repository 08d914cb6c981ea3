package roll.curriculum.success;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.osgi.service.component.annotations.Component;
import roll.api.curriculum.Curriculum;
import roll.api.curriculum.CurriculumProgress;
import roll.api.curriculum.EnvironmentMix;
import roll.api.curriculum.LevelResult;
import roll.api.curriculum.RollCurriculum;
import roll.api.option.Option;
import roll.api.option.Options;

/**
 * Curriculum that plays the tags one after the other, in the order of the configuration. Each step
 * after which the policy succeeds often enough on the present level moves a part of its share to
 * the next one; a level that is left keeps a floor.
 */
@Component(name = "roll.curriculum.success")
@RollCurriculum("success")
public final class SuccessCurriculum implements Curriculum {
  private static final Option<Double> THRESHOLD =
      Option.number("threshold", "what the mean on the present level must reach").withDefault(0.8);
  private static final Option<String> MEASURE =
      Option.choice(
              "measure",
              List.of("success", "score"),
              "of what: the environment's metric `success`, or the sum of an episode's rewards")
          .withDefault("success");
  private static final Option<Integer> EPISODES =
      Option.integer(
              "episodes",
              1,
              1_000_000,
              "the newest so many of the present level are judged; not"
                  + " before there are as many")
          .withDefault(128);
  private static final Option<Double> RISE =
      Option.number(
              "rise", 0.001, 1, "part of the way to the next level that a step moves the share")
          .withDefault(0.25);
  private static final Option<Double> FLOOR =
      Option.number("floor", 0, 1, "share that each earlier level keeps").withDefault(0.1);

  private static final String LEVEL = "level";
  private static final String MOVED = "moved";

  /** Quarters and tenths add up to 1 but for a rounding error. */
  private static final double WHOLE = 1 - 1e-9;

  @Override
  public String description() {
    return "moves on to the next tag while success on the present one is above a threshold";
  }

  @Override
  public List<Option<?>> options() {
    return List.of(THRESHOLD, MEASURE, EPISODES, RISE, FLOOR);
  }

  @Override
  public EnvironmentMix next(CurriculumProgress progress, Options options) {
    List<CurriculumProgress.Level> levels = progress.levels();
    int last = levels.size() - 1;
    double floor = options.get(FLOOR);
    if (floor * last > WHOLE) {
      throw options.wrong(FLOOR, "less than 1 / " + last + ", as " + last + " tags keep it");
    }
    int present = Math.min(progress.memory().getOrDefault(LEVEL, 0.0).intValue(), last);
    double moved = progress.memory().getOrDefault(MOVED, 0.0);
    if (present < last && passed(levels.get(present), options)) {
      moved += options.get(RISE);
      if (moved > WHOLE) {
        present++;
        moved = 0;
      }
    }
    return new EnvironmentMix(
        shares(levels, present, moved, floor), Map.of(LEVEL, (double) present, MOVED, moved));
  }

  /**
   * Returns the shares of the levels: earlier levels have the floor, the rest moves from the
   * current level to the next.
   */
  private static Map<String, Double> shares(
      List<CurriculumProgress.Level> levels, int present, double moved, double floor) {
    Map<String, Double> shares = new LinkedHashMap<>();
    for (int i = 0; i < present; i++) {
      shares.put(levels.get(i).tag(), floor);
    }
    boolean more = present < levels.size() - 1;
    double free = 1 - floor * present;
    double next = more ? (free - floor) * moved : 0;
    shares.put(levels.get(present).tag(), free - next);
    if (more) {
      shares.put(levels.get(present + 1).tag(), next);
    }
    return shares;
  }

  private static boolean passed(CurriculumProgress.Level level, Options options) {
    int wanted = options.get(EPISODES);
    int judged = 0;
    double sum = 0;
    for (LevelResult result : level.recent().reversed()) {
      if (judged >= wanted) {
        break;
      }
      judged += result.episodes();
      sum += result.episodes() * measured(result, level.tag(), options);
    }
    boolean enough = judged >= wanted || level.recent().size() == CurriculumProgress.RECENT;
    return enough && sum / judged >= options.get(THRESHOLD);
  }

  private static double measured(LevelResult result, String tag, Options options) {
    if (options.get(MEASURE).equals("score")) {
      return result.score();
    }
    Double success = result.success();
    if (success == null) {
      throw options.wrong(
          MEASURE, "'score', as the environment of '" + tag + "' reports no metric 'success'");
    }
    return success;
  }
}
