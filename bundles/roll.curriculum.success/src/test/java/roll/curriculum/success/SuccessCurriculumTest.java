package roll.curriculum.success;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.curriculum.Curriculum;
import roll.api.curriculum.CurriculumProgress;
import roll.api.curriculum.CurriculumProgress.Level;
import roll.api.curriculum.EnvironmentMix;
import roll.api.curriculum.LevelResult;
import roll.testkit.CurriculumContract;

/** Shares by hand, and the contract. */
class SuccessCurriculumTest extends CurriculumContract {
  private static final Map<String, Object> HALVES =
      Map.of("rise", 0.5, "floor", 0.1, "episodes", 64, "threshold", 0.8);

  @Override
  protected Curriculum curriculum() {
    return new SuccessCurriculum();
  }

  /** The example of the README: every level succeeds in every step. */
  @Test
  void movesTheShareInStepsAndKeepsFloors() {
    double[][] expected = {
      {1, 0, 0}, {0.55, 0.45, 0}, {0.1, 0.9, 0}, {0.1, 0.5, 0.4}, {0.1, 0.1, 0.8}, {0.1, 0.1, 0.8}
    };
    Map<String, Double> memory = Map.of();
    for (int step = 0; step < expected.length; step++) {
      EnvironmentMix mix = next(progress(step, 3, 0.8, memory), HALVES);
      shares(mix, expected[step]);
      memory = mix.memory();
    }
    assertEquals(Map.of("level", 2.0, "moved", 0.0), memory);
  }

  @Test
  void staysWhereSuccessIsTooLow() {
    Map<String, Double> memory = Map.of("level", 1.0, "moved", 0.5);
    EnvironmentMix mix = next(progress(9, 3, 0.79, memory), HALVES);
    shares(mix, 0.1, 0.5, 0.4);
    assertEquals(memory, mix.memory());
  }

  /** 32 of 40 and 8 of 24 are 40 of 64 = 0.625; an older step is not among the newest 64. */
  @ParameterizedTest
  @CsvSource({"0.625, 0.5", "0.626, 0"})
  void judgesTheNewestEpisodesEachAlike(double threshold, double moved) {
    List<LevelResult> recent =
        List.of(
            new LevelResult(0, 64, 0, 0.0),
            new LevelResult(1, 40, 0, 0.8),
            new LevelResult(2, 24, 0, 1 / 3.0));
    EnvironmentMix mix = mixed(recent, Map.of("rise", 0.5, "episodes", 64, "threshold", threshold));
    assertEquals(moved, mix.memory().get("moved"));
  }

  @Test
  void doesNotJudgeTooFew() {
    List<LevelResult> recent = List.of(new LevelResult(0, 63, 1, 1.0));
    assertEquals(0, mixed(recent, HALVES).memory().get("moved"));
  }

  @Test
  void judgesScoresWhereItIsTold() {
    List<LevelResult> recent = List.of(new LevelResult(0, 64, 3, null));
    assertEquals(
        0.25,
        mixed(recent, Map.of("episodes", 64, "measure", "score", "threshold", 3))
            .memory()
            .get("moved"));
    assertEquals(
        "curriculum.measure: expected 'score', as the environment of 'A' reports no metric"
            + " 'success', found 'success'",
        userError(() -> mixed(recent, HALVES)));
  }

  @Test
  void floorsLeaveRoom() {
    assertEquals(
        "curriculum.floor: expected less than 1 / 2, as 2 tags keep it, found '0.5'",
        userError(() -> next(progress(0, 3, 0, Map.of()), Map.of("floor", 0.5))));
  }

  private EnvironmentMix mixed(List<LevelResult> recent, Map<String, Object> options) {
    List<Level> levels = List.of(new Level("A", 1, recent), new Level("B", 0, List.of()));
    return next(new CurriculumProgress(3, 1, levels, Map.of()), options);
  }

  private static void shares(EnvironmentMix mix, double... expected) {
    for (int i = 0; i < expected.length; i++) {
      String tag = String.valueOf((char) ('A' + i));
      assertEquals(expected[i], mix.shares().getOrDefault(tag, 0.0), 1e-12, () -> tag + mix);
    }
  }
}
