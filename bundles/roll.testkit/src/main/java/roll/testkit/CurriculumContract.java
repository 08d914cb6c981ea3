package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.curriculum.Curriculum;
import roll.api.curriculum.CurriculumProgress;
import roll.api.curriculum.CurriculumProgress.Level;
import roll.api.curriculum.LevelResult;
import roll.api.curriculum.Mix;
import roll.api.option.UserException;
import roll.runtime.option.YamlOptions;

/**
 * What every {@link Curriculum} must keep. A plugin's test extends this class, says how to make the
 * curriculum, and inherits the tests.
 */
public abstract class CurriculumContract {
  private static final int STEPS = 120;
  private static final double ROUNDING = 1e-9;

  /** A new instance of the curriculum under test. */
  protected abstract Curriculum curriculum();

  /** Options to test with, as a configuration has them. */
  protected Map<String, Object> options() {
    return Map.of();
  }

  /** The mix that a new instance gives with {@code options}. */
  protected final Mix next(CurriculumProgress progress, Map<String, Object> options) {
    Curriculum curriculum = curriculum();
    return curriculum.next(
        progress, YamlOptions.checked("curriculum", options, curriculum.options()));
  }

  /** It says what it is, and its options what they are. */
  @Test
  void explainsItself() {
    assertFalse(curriculum().description().isBlank());
    OptionDeclarations.check(curriculum().options());
  }

  /** What it does not declare is refused. */
  @Test
  void refusesUnknownOptions() {
    assertThrows(
        UserException.class, () -> next(progress(0, 2, 0, Map.of()), Map.of("no_option", 1)));
  }

  /** Shares are those of a whole, whatever the success and however many tags there are. */
  @Test
  void sharesAddUpToOne() {
    for (int tags = 1; tags <= 4; tags++) {
      for (double success : new double[] {0, 0.5, 1}) {
        mixes(tags, success);
      }
    }
  }

  /** Equal progress has equal mixes, of any instance. */
  @Test
  void theProgressAloneDecides() {
    assertEquals(mixes(3, 1), mixes(3, 1));
    List<Mix> all = mixes(3, 0.9);
    Map<String, Double> memory = all.get(STEPS / 2 - 1).memory();
    assertEquals(all.get(STEPS / 2), next(progress(STEPS / 2, 3, 0.9, memory), options()));
  }

  /** The mixes of a run in which every level has the same success in every step. */
  private List<Mix> mixes(int tags, double success) {
    List<Mix> mixes = new ArrayList<>();
    Map<String, Double> memory = Map.of();
    for (int step = 0; step < STEPS; step++) {
      CurriculumProgress progress = progress(step, tags, success, memory);
      Mix mix = next(progress, options());
      double sum = 0;
      for (Map.Entry<String, Double> share : mix.shares().entrySet()) {
        String what = "step " + step + ": " + share;
        assertTrue(progress.levels().stream().anyMatch(l -> l.tag().equals(share.getKey())), what);
        assertTrue(share.getValue() >= 0 && share.getValue() <= 1 + ROUNDING, what);
        sum += share.getValue();
      }
      assertEquals(1, sum, ROUNDING, "sum of " + mix);
      mix.memory().forEach((name, value) -> assertTrue(Double.isFinite(value), name));
      memory = mix.memory();
      mixes.add(mix);
    }
    return mixes;
  }

  /**
   * The progress of a run whose levels {@code A}, {@code B} … had the same success in each step.
   *
   * @param step that is to be played
   */
  protected static CurriculumProgress progress(
      int step, int tags, double success, Map<String, Double> memory) {
    List<LevelResult> recent = new ArrayList<>();
    for (int i = Math.max(0, step - CurriculumProgress.RECENT); i < step; i++) {
      recent.add(new LevelResult(i, 64, success, success));
    }
    List<Level> levels = new ArrayList<>();
    for (int i = 0; i < tags; i++) {
      levels.add(new Level(String.valueOf((char) ('A' + i)), 1.0 / tags, recent));
    }
    return new CurriculumProgress(step, 42, levels, memory);
  }
}
