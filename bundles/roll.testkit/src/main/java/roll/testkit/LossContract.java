package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.loss.LossSettings;
import roll.api.loss.LossSettings.RatioType;
import roll.api.loss.PolicyLoss;
import roll.math.LogRatios;
import roll.runtime.option.LossOptions;

/**
 * The guarantees of every {@link PolicyLoss}. A plugin's test extends this class, creates the loss,
 * and inherits the tests.
 */
public abstract class LossContract {
  /** Returns a new instance of the loss under test. */
  protected abstract PolicyLoss loss();

  /** Returns the {@code pg_variant_args} to test with. */
  protected Map<String, Object> args() {
    return Map.of();
  }

  /**
   * Returns the function whose derivative the log-prob gradient at {@code at} is, or null for the
   * loss itself. Losses that hold a weight constant on purpose (CISPO, TIS) return their formula
   * with the weights of {@code at}, without KL loss and entropy bonus, which this test then omits.
   */
  protected @Nullable ToDoubleFunction<LossInput> surrogate(LossInput at) {
    return null;
  }

  /** Returns the importance ratio of each token for the ratio type of the settings. */
  protected static double[] ratios(LossInput in) {
    double[] logRatios = LogRatios.logRatios(in);
    return Arrays.stream(
            in.settings().ratio() == RatioType.TOKEN
                ? logRatios
                : LogRatios.turnMeans(in.layout(), logRatios))
        .map(Math::exp)
        .toArray();
  }

  /** Returns the sum of weight times importance times {@code tokenLoss} over trained tokens. */
  protected static double sum(LossInput in, double[] weights, IntToDoubleFunction tokenLoss) {
    double[] importance = in.column(LossInput.IMPORTANCE);
    return IntStream.range(0, weights.length)
        .filter(t -> in.layout().mask()[t])
        .mapToDouble(t -> weights[t] * importance[t] * tokenLoss.applyAsDouble(t))
        .sum();
  }

  private LossCases cases() {
    return new LossCases(loss(), args());
  }

  private LossInput input(TestLayout cells, LossSettings settings) {
    return cases().input(cells, settings);
  }

  /** Returns the loss of {@code input} with the options of its settings. */
  protected final LossResult evaluate(LossInput input) {
    return loss().evaluate(input, LossOptions.of(loss(), input.settings()));
  }

  @ContractTest(
      value = "The options have names, descriptions and defaults of their own types.",
      look = "options in info()")
  void describesItself() {
    OptionDeclarations.check(loss().info().options());
  }

  @ContractTest(
      value = "There is one gradient per token, finite everywhere and 0 outside the mask.",
      look = "evaluate(): the use of the mask, and divisions and logarithms")
  void givesOneGradientPerToken() {
    for (LossSettings settings : cases().settings()) {
      LossInput input = input(TestLayout.cells(), settings);
      LossChecks.check(input, evaluate(input));
    }
  }

  @ContractTest(
      value =
          "The clip, the dual clip and the ratio type have no influence unless info() names "
              + "them.",
      look = "reads in info(), and the settings that evaluate() uses")
  void readsTheKeysItNames() {
    Set<String> reads = loss().info().reads();
    for (LossSettings settings : cases().settings()) {
      LossSettings other = LossCases.without(settings, reads);
      LossResult result = evaluate(input(TestLayout.cells(), settings));
      LossResult changed = evaluate(input(TestLayout.cells(), other));
      assertEquals(result.loss(), changed.loss());
      assertArrayEquals(result.logProbGradient(), changed.logProbGradient());
    }
  }

  @ContractTest(
      value = "The same input gives the same result bit for bit, and is not modified.",
      look = "evaluate(): state between calls, and arrays of the input that it writes")
  void isAFunctionOfItsInput() {
    for (LossSettings settings : cases().settings()) {
      LossInput input = input(TestLayout.cells(), settings);
      LossChecks.assertSame(evaluate(input), evaluate(input));
      LossInput fresh = input(TestLayout.cells(), settings);
      assertArrayEquals(
          fresh.policy().logProbs(), input.policy().logProbs(), "the log-probs were written");
      assertArrayEquals(
          fresh.policy().entropies(), input.policy().entropies(), "the entropies were written");
      assertArrayEquals(fresh.advantages(), input.advantages(), "the advantages were written");
    }
  }

  @ContractTest(
      value = "Both gradients agree with central finite differences of the loss, away from kinks.",
      look =
          "the gradients of evaluate(); override surrogate() if the loss holds a weight "
              + "constant on purpose")
  void gradientsAreTheDerivativesOfTheLoss() {
    for (LossSettings settings : cases().settings()) {
      LossInput input = input(TestLayout.cells(), settings);
      LossResult result = evaluate(input);
      ToDoubleFunction<LossInput> value = now -> evaluate(now).loss();
      LossChecks.checkGradient(
          input, input.policy().entropies(), result.entropyGradient(), value, "entropy");
      LossInput bare = input.withSettings(LossCases.bare(settings));
      ToDoubleFunction<LossInput> surrogate = surrogate(bare);
      if (surrogate == null) {
        LossChecks.checkGradient(
            input, input.policy().logProbs(), result.logProbGradient(), value, "log-prob");
      } else {
        double[] gradient = evaluate(bare).logProbGradient();
        LossChecks.checkGradient(bare, bare.policy().logProbs(), gradient, surrogate, "log-prob");
      }
    }
  }

  @ContractTest(
      value = "Tokens outside the mask change nothing, whatever their number and their values.",
      look = "evaluate(): skip them, since 0 times NaN is NaN")
  void maskedTokensChangeNothing() {
    for (LossSettings settings : cases().settings()) {
      LossInput input = input(TestLayout.cells(), settings);
      TestLayout more = TestLayout.cells().withInsertions(TestLayout.stream("insertions"));
      LossInput changed = LossCases.rearranged(input, more, Double.NaN);
      LossResult before = evaluate(input);
      LossResult after = evaluate(changed);
      LossChecks.check(changed, after);
      LossChecks.assertSame(LossCases.spread(before, more), after);
    }
  }

  @ContractTest(
      value =
          "The order of the samples does not matter: the gradients, and the survey if there "
              + "is one, are equal bit for bit.",
      look = "evaluate() and survey(): weights by position")
  void samplesMayHaveAnyOrder() {
    int[] order = {3, 0, 7, 5, 1, 6, 2, 4};
    for (LossSettings settings : cases().settings()) {
      LossInput input = input(TestLayout.cells(), settings);
      TestLayout moved = TestLayout.cells().select(order);
      LossInput changed = LossCases.rearranged(input, moved, 0);
      LossInput again = cases().surveyed(changed, order);
      if (again.columns().has(LossInput.SURVEY)) {
        assertArrayEquals(
            changed.column(LossInput.SURVEY), again.column(LossInput.SURVEY), "the survey");
      }
      LossResult before = LossCases.spread(evaluate(input), moved);
      LossResult after = evaluate(again);
      LossChecks.assertClose(before, after);
      assertArrayEquals(before.logProbGradient(), after.logProbGradient(), "gradient");
      assertArrayEquals(before.entropyGradient(), after.entropyGradient(), "gradient");
    }
  }

  @ContractTest(
      value =
          "Equal policies, impossible or certain tokens and zero advantages give finite "
              + "numbers.",
      look = "evaluate(): ratios exp(new − old) that overflow, and 0 times infinity")
  void degenerateInputsGiveFiniteNumbers() {
    double[][] cases = {{-1, -1, 0}, {-700, -0.1, 2}, {-0.1, -700, -2}, {0, 0, 1}, {-1e9, -1e9, 1}};
    for (LossSettings settings : cases().settings()) {
      for (double[] numbers : cases) {
        TestLayout cells = TestLayout.cells();
        double[] logProbs = cells.column(() -> numbers[0]);
        double[] old = cells.column(() -> numbers[1]);
        double[] advantages = cells.column(() -> numbers[2]);
        LossInput input = cases().input(cells, settings, logProbs, old, old, advantages);
        LossChecks.check(input, evaluate(input));
      }
    }
  }

  @ContractTest(
      value =
          "An optimizer batch may be split in any way: the losses, gradients and metrics of "
              + "the parts add up to those of the whole.",
      look = "evaluate(): divide by the denominators of the input, not by the size of the part")
  void partsAddUpToTheWhole() {
    int[][][] cuts = {
      {{0, 1, 2}, {3, 4, 5, 6}, {7}},
      {{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}},
      {{6, 1}, {0, 2, 3, 4, 5, 7}}
    };
    for (LossSettings settings : cases().settings()) {
      LossInput input = input(TestLayout.cells(), settings);
      LossResult whole = evaluate(input);
      for (int[][] cut : cuts) {
        double sum = 0;
        Map<String, Double> metrics = new HashMap<>();
        for (int[] part : cut) {
          TestLayout cells = TestLayout.cells().select(part);
          LossResult share = evaluate(LossCases.rearranged(input, cells, 0));
          LossResult expected = LossCases.spread(whole, cells);
          assertArrayEquals(expected.logProbGradient(), share.logProbGradient(), "gradient");
          assertArrayEquals(expected.entropyGradient(), share.entropyGradient(), "gradient");
          sum += share.loss();
          share.metrics().forEach((name, value) -> metrics.merge(name, value, combine(name)));
        }
        assertEquals(whole.loss(), sum, 1e-12, "loss");
        LossChecks.assertClose(whole.metrics(), metrics);
      }
    }
  }

  @ContractTest(
      value =
          "A sample without trained tokens adds nothing; a part of only such samples has loss "
              + "0.",
      look = "evaluate(): divisions by the number of trained tokens")
  void samplesWithoutTrainedTokensAddNothing() {
    for (LossSettings settings : cases().settings()) {
      LossInput input = input(TestLayout.cells().withoutMask(2), settings);
      LossInput without =
          LossCases.rearranged(
              input, TestLayout.cells().withoutMask(2).select(0, 1, 3, 4, 5, 6, 7), 0);
      LossResult all = evaluate(input);
      LossChecks.check(input, all);
      LossResult less = evaluate(without);
      assertEquals(less.loss(), all.loss(), 1e-12);
      assertEquals(less.metrics().keySet(), all.metrics().keySet());
      LossResult nothing =
          evaluate(LossCases.rearranged(input, TestLayout.cells().withoutMask(2).select(2), 0));
      assertEquals(0, nothing.loss());
      nothing.metrics().forEach((name, v) -> assertTrue(Double.isFinite(v), name + " is " + v));
      assertEquals(0, evaluate(LossCases.rearranged(input, TestLayout.cells().select(), 0)).loss());
    }
  }

  private static BinaryOperator<Double> combine(String name) {
    if (name.endsWith("_max")) {
      return Math::max;
    }
    return name.endsWith("_min") ? Math::min : Double::sum;
  }
}
