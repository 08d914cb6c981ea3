package roll.loss.topr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import roll.api.loss.LossInput;
import roll.api.loss.PolicyLoss;
import roll.math.LossExample;
import roll.math.TokenWeights;
import roll.testkit.LossContract;

class ToprLossTest extends LossContract {
  @Override
  protected PolicyLoss loss() {
    return new ToprLoss();
  }

  @Override
  protected ToDoubleFunction<LossInput> surrogate(LossInput at) {
    double[] ratios = ratios(at);
    double[] scores = at.column(LossInput.SCORES);
    return now ->
        sum(
            now,
            TokenWeights.of(at),
            t ->
                -(scores[t] > 0 ? 1 : Math.min(ratios[t], 1))
                    * at.advantages()[t]
                    * now.policy().logProbs()[t]);
  }

  /** Good: 3.2 in total. Bad, with weights 1, .61, 1, 1: −(.3 + 2.5 · .606531 + 1.9 + 2). */
  @Test
  void tapersWhatIsBad() {
    double bad = .3 + 2.5 * Math.exp(-.5) + 1.9 + 2;
    assertEquals((3.2 - bad) / 7, evaluate(example(Map.of())).loss(), 1e-12);
    assertEquals(
        (2 * 3.2 - bad / 2) / 7,
        evaluate(example(Map.of("topr_positive_weight", 2, "topr_negative_weight", .5))).loss(),
        1e-12);
  }

  /** A sample that scored above 0 is good although its advantages are negative. */
  @Test
  void theScoreSaysWhatIsGood() {
    double[] scores = {0, 0, 0, 0, 1, 1, 1, 1};
    LossInput input = example(Map.of()).withColumn(LossInput.SCORES, scores);
    double tapered = 1 + .7 + 1.5 * Math.exp(-.5);
    assertEquals((tapered - .3 - 2.5 - 1.9 - 2) / 7, evaluate(input).loss(), 1e-12);
  }

  private static LossInput example(Map<String, Object> args) {
    return LossExample.of(LossExample.settings("test").withArgs(args));
  }
}
