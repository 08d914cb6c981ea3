package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import roll.api.preference.PreferenceBatch;
import roll.api.preference.PreferenceBatch.Pair;
import roll.api.preference.PreferenceInfo.Need;
import roll.api.preference.PreferenceObjective;
import roll.api.preference.PreferenceResult;
import roll.runtime.option.YamlOptions;

/**
 * The guarantees of every {@link PreferenceObjective}. A plugin's test extends this class, creates
 * the objective, and inherits the tests.
 */
public abstract class PreferenceContract {
  private static final int PAIRS = 5;
  private static final double STEP = 1e-5;

  /** Returns a new instance of the objective under test. */
  protected abstract PreferenceObjective objective();

  /** Returns the {@code objective_args} to test with. */
  protected Map<String, Object> args() {
    return Map.of();
  }

  /** Returns what the objective makes of {@code batch} with the options of {@link #args}. */
  protected final PreferenceResult evaluate(PreferenceBatch batch) {
    return evaluate(batch, args());
  }

  /** Returns what the objective makes of {@code batch} with the options {@code args}. */
  protected final PreferenceResult evaluate(PreferenceBatch batch, Map<String, Object> args) {
    return objective()
        .evaluate(
            batch,
            YamlOptions.checked("preference.objective_args", args, objective().info().options()));
  }

  private Set<Need> needs() {
    return objective().info().needs();
  }

  private PreferenceBatch batch() {
    RandomGenerator random = TestLayout.stream("preferences");
    int[] lengths = IntStream.range(0, 2 * PAIRS).map(i -> 1 + random.nextInt(12)).toArray();
    double[] reference =
        Arrays.stream(lengths).mapToDouble(n -> -n * (0.1 + random.nextDouble())).toArray();
    double[] policy =
        Arrays.stream(reference).map(l -> l * (0.7 + 0.6 * random.nextDouble())).toArray();
    return batch(policy, reference, lengths, 0.4);
  }

  /** Returns a batch whose even answers are preferred, each to its successor. */
  private PreferenceBatch batch(
      double[] policy, double[] reference, int[] lengths, double divergence) {
    boolean[] preferred = new boolean[policy.length];
    List<Pair> pairs = new ArrayList<>();
    for (int i = 0; i < policy.length; i += 2) {
      preferred[i] = true;
      pairs.add(new Pair(i, i + 1));
    }
    return new PreferenceBatch(
        policy,
        needs().contains(Need.REFERENCE) ? reference : policy,
        lengths,
        preferred,
        needs().contains(Need.PAIRS) ? pairs : List.of(),
        needs().contains(Need.DIVERGENCE) ? divergence : 0);
  }

  @ContractTest(
      value = "The options have names, descriptions and defaults of their own types.",
      look = "options in info()")
  void describesItself() {
    OptionDeclarations.check(objective().info().options());
  }

  @ContractTest(
      value = "There is one derivative and one reward per answer, and all numbers are finite.",
      look = "evaluate(): the lengths of the arrays, divisions and logarithms")
  void givesNumbersForEachAnswer() {
    check(batch(), evaluate(batch()));
  }

  @ContractTest(
      value = "Training raises chosen answers above rejected ones: the slopes have these signs.",
      look = "evaluate(): the signs of the derivatives")
  void prefersTheChosenAnswers() {
    PreferenceBatch batch = batch();
    double[] gradient = evaluate(batch).gradient();
    for (int i = 0; i < gradient.length; i += 2) {
      assertTrue(gradient[i] < gradient[i + 1], "derivatives of answers " + i + ", " + (i + 1));
    }
  }

  @ContractTest(
      value = "The gradient agrees with central finite differences of the loss.",
      look = "evaluate(): the derivatives")
  void gradientsAreTheDerivativesOfTheLoss() {
    PreferenceBatch batch = batch();
    double[] gradient = evaluate(batch).gradient();
    for (int i = 0; i < gradient.length; i++) {
      double difference = (at(batch, i, STEP) - at(batch, i, -STEP)) / (2 * STEP);
      assertEquals(difference, gradient[i], 1e-8 + 1e-5 * Math.abs(difference), "answer " + i);
    }
  }

  private double at(PreferenceBatch batch, int answer, double step) {
    double[] moved = batch.logProbs().clone();
    moved[answer] += step;
    return evaluate(batch.withLogProbs(moved)).loss();
  }

  @ContractTest(
      value = "The same input gives the same result bit for bit, and is not modified.",
      look = "evaluate(): state between calls, and arrays of the input that it writes")
  void isAFunctionOfItsInput() {
    PreferenceBatch batch = batch();
    PreferenceResult once = evaluate(batch);
    PreferenceResult again = evaluate(batch);
    assertEquals(once.loss(), again.loss());
    assertArrayEquals(once.gradient(), again.gradient());
    assertArrayEquals(once.rewards(), again.rewards());
    assertArrayEquals(batch().logProbs(), batch.logProbs(), "the log-probs were written");
    assertArrayEquals(batch().lengths(), batch.lengths(), "the lengths were written");
  }

  @ContractTest(
      value = "The order of the pairs does not matter.",
      look = "evaluate(): weights by position")
  void answersMayHaveAnyOrder() {
    int[] order = {4, 5, 0, 1, 8, 9, 6, 7, 2, 3};
    PreferenceBatch batch = batch();
    PreferenceBatch moved =
        batch(
            moved(batch.logProbs(), order),
            moved(batch.referenceLogProbs(), order),
            Arrays.stream(order).map(i -> batch.lengths()[i]).toArray(),
            batch.divergence());
    PreferenceResult before = evaluate(batch);
    PreferenceResult after = evaluate(moved);
    assertEquals(before.loss(), after.loss(), 1e-12);
    assertArrayEquals(moved(before.gradient(), order), after.gradient(), 1e-12);
    assertArrayEquals(moved(before.rewards(), order), after.rewards(), 1e-12);
  }

  private static double[] moved(double[] column, int[] order) {
    return Arrays.stream(order).mapToDouble(i -> column[i]).toArray();
  }

  @ContractTest(
      value = "Equal policies, impossible and certain answers give finite numbers.",
      look = "evaluate(): exp and log of large differences")
  void degenerateInputsGiveFiniteNumbers() {
    double[][] cases = {{-1, -1}, {-700, -0.1}, {-0.1, -700}, {0, 0}, {-1e6, -1}, {0, -1e6}};
    for (double[] numbers : cases) {
      PreferenceBatch batch =
          batch(numbers, new double[] {numbers[1], numbers[0]}, new int[] {3, 1}, 1e3);
      check(batch, evaluate(batch));
    }
  }

  @ContractTest(
      value = "A batch without answers has loss 0, so that it can check the options.",
      look = "evaluate(): divisions by the number of answers")
  void nothingCostsNothing() {
    PreferenceBatch none = batch(new double[0], new double[0], new int[0], 0);
    assertEquals(0, evaluate(none).loss());
    check(none, evaluate(none));
  }

  private static void check(PreferenceBatch batch, PreferenceResult result) {
    assertTrue(Double.isFinite(result.loss()), "the loss is " + result.loss());
    assertEquals(batch.answers(), result.gradient().length, "derivatives");
    assertEquals(batch.answers(), result.rewards().length, "rewards");
    for (int i = 0; i < batch.answers(); i++) {
      assertTrue(Double.isFinite(result.gradient()[i]), "derivative " + result.gradient()[i]);
      assertTrue(Double.isFinite(result.rewards()[i]), "reward " + result.rewards()[i]);
    }
    result.metrics().forEach((name, v) -> assertTrue(Double.isFinite(v), name + " is " + v));
  }
}
