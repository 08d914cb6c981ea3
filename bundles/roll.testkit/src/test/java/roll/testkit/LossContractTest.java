package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import roll.api.loss.LossInfo;
import roll.api.loss.LossInput;
import roll.api.loss.LossResult;
import roll.api.loss.PolicyLoss;
import roll.api.option.Options;
import roll.math.TokenWeights;

/** The contract accepts a correct loss (the inherited tests) and finds the faults of others. */
class LossContractTest extends LossContract {
  /** Returns the loss {@code Σ w (−Aℓ − cH)}. */
  @Override
  protected PolicyLoss loss() {
    return losing(input -> policyGradient(input, TokenWeights.of(input), 1));
  }

  @Test
  void findsAWrongGradient() {
    LossContract contract = contract(input -> policyGradient(input, TokenWeights.of(input), -1));
    contract.givesOneGradientPerToken();
    assertThrows(AssertionError.class, contract::gradientsAreTheDerivativesOfTheLoss);
  }

  @Test
  void findsDivisionByTheSizeOfThePart() {
    LossContract contract =
        contract(
            input -> {
              double[] weights = new double[input.layout().mask().length];
              for (int t = 0; t < weights.length; t++) {
                weights[t] = input.layout().mask()[t] ? 1.0 / weights.length : 0;
              }
              return policyGradient(input, weights, 1);
            });
    contract.gradientsAreTheDerivativesOfTheLoss();
    assertThrows(AssertionError.class, contract::partsAddUpToTheWhole);
    assertThrows(AssertionError.class, contract::maskedTokensChangeNothing);
    assertThrows(AssertionError.class, contract::samplesWithoutTrainedTokensAddNothing);
  }

  @Test
  void findsMaskingByMultiplication() {
    LossContract contract =
        contract(
            input -> {
              double[] weights = TokenWeights.of(input);
              LossResult right = policyGradient(input, weights, 1);
              double loss = right.loss();
              for (int t = 0; t < weights.length; t++) {
                loss += 0 * input.policy().logProbs()[t] * weights[t];
              }
              return new LossResult(
                  loss, right.logProbGradient(), right.entropyGradient(), right.metrics());
            });
    contract.partsAddUpToTheWhole();
    assertThrows(AssertionError.class, contract::maskedTokensChangeNothing);
  }

  @Test
  void findsWeightsByPosition() {
    LossContract contract =
        contract(
            input -> {
              double[] weights = TokenWeights.of(input);
              for (int t = 0; t < weights.length; t++) {
                weights[t] *= t;
              }
              return policyGradient(input, weights, 1);
            });
    contract.gradientsAreTheDerivativesOfTheLoss();
    assertThrows(AssertionError.class, contract::samplesMayHaveAnyOrder);
  }

  private static LossContract contract(Function<LossInput, LossResult> formula) {
    return new LossContract() {
      @Override
      protected PolicyLoss loss() {
        return losing(formula);
      }
    };
  }

  private static PolicyLoss losing(Function<LossInput, LossResult> formula) {
    return new PolicyLoss() {
      @Override
      public LossInfo info() {
        return LossInfo.of("test", "test", "test");
      }

      @Override
      public LossResult evaluate(LossInput input, Options options) {
        return formula.apply(input);
      }
    };
  }

  private static LossResult policyGradient(LossInput input, double[] weights, double sign) {
    double entropyCoefficient = input.settings().entropyCoefficient();
    double[] byLogProb = new double[weights.length];
    double[] byEntropy = new double[weights.length];
    double loss = 0;
    double most = 0;
    for (int t = 0; t < weights.length; t++) {
      if (input.layout().mask()[t]) {
        double advantage = input.advantages()[t];
        byLogProb[t] = -sign * weights[t] * advantage;
        byEntropy[t] = -weights[t] * entropyCoefficient;
        loss -=
            weights[t]
                * (advantage * input.policy().logProbs()[t]
                    + entropyCoefficient * input.policy().entropies()[t]);
        most = Math.max(most, input.policy().entropies()[t]);
      }
    }
    return new LossResult(
        loss, byLogProb, byEntropy, Map.of("actor/total_loss", loss, "actor/entropy_max", most));
  }
}
