package roll.preference.objectives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import roll.api.preference.PreferenceBatch;
import roll.api.preference.PreferenceBatch.Pair;
import roll.api.preference.PreferenceInfo.Need;
import roll.api.preference.PreferenceObjective;
import roll.api.preference.PreferenceResult;
import roll.runtime.option.YamlOptions;
import roll.testkit.GoldenCases;

/** Losses, gradients and rewards are those of TRL's formulas. */
class GoldenObjectivesTest {
  private static final Map<String, PreferenceObjective> OBJECTIVES =
      Map.of(
          "dpo", new DpoObjective(),
          "ipo", new IpoObjective(),
          "simpo", new SimpoObjective(),
          "orpo", new OrpoObjective(),
          "kto", new KtoObjective(),
          "bradley_terry", new BradleyTerryObjective());

  @TestFactory
  Stream<DynamicTest> trlsNumbers() {
    return GoldenCases.of(getClass()).stream()
        .map(
            golden ->
                DynamicTest.dynamicTest(
                    golden.text("objective") + " " + golden, () -> check(golden)));
  }

  private static void check(GoldenCases.Case golden) {
    PreferenceObjective objective =
        Objects.requireNonNull(OBJECTIVES.get(golden.text("objective")));
    var options = YamlOptions.checked("golden.args", golden.args(), objective.info().options());
    PreferenceResult result = objective.evaluate(batch(golden, objective), options);
    assertEquals(golden.number("loss"), result.loss(), 1e-10);
    assertArrayEquals(golden.numbers("gradient"), result.gradient(), 1e-10);
    assertArrayEquals(golden.numbers("rewards"), result.rewards(), 1e-10);
  }

  /** Even answers are preferred, each to its successor. */
  private static PreferenceBatch batch(GoldenCases.Case golden, PreferenceObjective objective) {
    double[] logProbs = golden.numbers("logProbs");
    double[] margins = golden.numbers("margins");
    boolean[] preferred = new boolean[logProbs.length];
    List<Pair> pairs = new ArrayList<>();
    for (int i = 0; i < margins.length; i++) {
      preferred[2 * i] = true;
      pairs.add(new Pair(2 * i, 2 * i + 1, margins[i]));
    }
    return new PreferenceBatch(
        logProbs,
        golden.numbers("reference"),
        golden.integers("lengths"),
        preferred,
        objective.info().needs().contains(Need.PAIRS) ? pairs : List.of(),
        golden.number("divergence"));
  }
}
