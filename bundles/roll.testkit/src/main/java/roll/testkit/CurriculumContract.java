package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import roll.api.curriculum.Curriculum;
import roll.api.curriculum.CurriculumProgress;
import roll.api.curriculum.CurriculumProgress.Level;
import roll.api.curriculum.EnvironmentMix;
import roll.api.curriculum.LevelResult;
import roll.api.option.UserException;
import roll.runtime.option.YamlOptions;

/**
 * The guarantees of every {@link Curriculum}. A plugin's test extends this class, creates the
 * curriculum, and inherits the tests.
 */
public abstract class CurriculumContract {
  private static final int STEPS = 120;
  private static final double ROUNDING = 1e-9;

  /** Returns a new instance of the curriculum under test. */
  protected abstract Curriculum curriculum();

  /** Returns the options to test with. */
  protected Map<String, Object> options() {
    return Map.of();
  }

  /** Returns the mix of a new instance with {@code options}. */
  protected final EnvironmentMix next(CurriculumProgress progress, Map<String, Object> options) {
    Curriculum curriculum = curriculum();
    return curriculum.next(
        progress, YamlOptions.checked("curriculum", options, curriculum.options()));
  }

  @ContractTest(
      value = "A curriculum has a description and valid option declarations.",
      look = "description() and options()")
  void explainsItself() {
    assertFalse(curriculum().description().isBlank(), "the description is empty");
    OptionDeclarations.check(curriculum().options());
  }

  @ContractTest(
      value = "Unknown options are refused.",
      look = "options(): every option that next() reads must be declared")
  void refusesUnknownOptions() {
    assertThrows(
        UserException.class, () -> next(progress(0, 2, 0, Map.of()), Map.of("no_option", 1)));
  }

  @ContractTest(
      value =
          "Shares are between 0 and 1 and add up to 1, for known tags only, whatever the "
              + "success rate and the number of tags; the memory is finite.",
      look = "the shares and the memory of next()")
  void sharesAddUpToOne() {
    for (int tags = 1; tags <= 4; tags++) {
      for (double success : new double[] {0, 0.5, 1}) {
        mixes(tags, success);
      }
    }
  }

  @ContractTest(
      value =
          "Equal progress gives equal mixes in any instance, so that a resumed run continues "
              + "unchanged.",
      look = "next(): keep state in the memory of the mix, not in fields")
  void theProgressAloneDecides() {
    assertEquals(mixes(3, 1), mixes(3, 1));
    List<EnvironmentMix> all = mixes(3, 0.9);
    Map<String, Double> memory = all.get(STEPS / 2 - 1).memory();
    assertEquals(all.get(STEPS / 2), next(progress(STEPS / 2, 3, 0.9, memory), options()));
  }

  /** Returns the mixes of a run in which all levels have one success rate in every step. */
  private List<EnvironmentMix> mixes(int tags, double success) {
    List<EnvironmentMix> mixes = new ArrayList<>();
    Map<String, Double> memory = Map.of();
    for (int step = 0; step < STEPS; step++) {
      CurriculumProgress progress = progress(step, tags, success, memory);
      EnvironmentMix mix = next(progress, options());
      double sum = 0;
      for (Map.Entry<String, Double> share : mix.shares().entrySet()) {
        String found = "step " + step + ": share " + share;
        assertTrue(progress.levels().stream().anyMatch(l -> l.tag().equals(share.getKey())), found);
        assertTrue(share.getValue() >= 0 && share.getValue() <= 1 + ROUNDING, found);
        sum += share.getValue();
      }
      assertEquals(1, sum, ROUNDING, "sum of " + mix);
      mix.memory()
          .forEach(
              (name, value) ->
                  assertTrue(Double.isFinite(value), () -> "memory " + name + " is " + value));
      memory = mix.memory();
      mixes.add(mix);
    }
    return mixes;
  }

  /**
   * Returns the progress of a run whose levels {@code A}, {@code B} … have one success rate.
   *
   * @param step the next step
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
