package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import roll.api.estimator.AdvantageEstimator;
import roll.api.estimator.Advantages;
import roll.api.estimator.EstimatorInfo;
import roll.api.estimator.TokenRewards;
import roll.api.option.Options;

/**
 * The contract accepts a correct estimator (the inherited tests) and finds the faults of others.
 */
class EstimatorContractTest extends EstimatorContract {
  /** Returns an estimator of the score of each sample minus the mean of its group. */
  @Override
  protected AdvantageEstimator estimator() {
    return of(EstimatorContractTest::centred);
  }

  @Override
  protected Set<Law> laws() {
    return Set.of(Law.SHIFT, Law.SCALE, Law.SUM_ZERO);
  }

  private static Advantages centred(TokenRewards rewards) {
    double[] advantages = new double[rewards.layout().mask().length];
    for (int i = 0; i < rewards.samples(); i++) {
      double sum = 0;
      int count = 0;
      for (int j = 0; j < rewards.samples(); j++) {
        if (rewards.groups()[j] == rewards.groups()[i]) {
          sum += outcome(rewards, j);
          count++;
        }
      }
      for (int t = rewards.layout().offsets()[i]; t < rewards.layout().offsets()[i + 1]; t++) {
        advantages[t] = rewards.layout().mask()[t] ? outcome(rewards, i) - sum / count : 0;
      }
    }
    return new Advantages(advantages, advantages.clone());
  }

  @Test
  void findsDiscountingOverObservations() {
    EstimatorContract contract =
        contract(
            rewards -> {
              double[] advantages = new double[rewards.layout().mask().length];
              for (int i = 0; i < rewards.samples(); i++) {
                double next = 0;
                for (int t = rewards.layout().offsets()[i + 1] - 1;
                    t >= rewards.layout().offsets()[i];
                    t--) {
                  next =
                      (rewards.layout().mask()[t] ? rewards.rewards()[t] : 0)
                          + rewards.gamma() * next;
                  advantages[t] = rewards.layout().mask()[t] ? next : 0;
                }
              }
              return new Advantages(advantages, advantages.clone());
            });
    contract.givesOneCellPerToken();
    assertThrows(AssertionError.class, contract::tokensOutsideTheMaskChangeNothing);
  }

  @Test
  void findsNumbersOutsideTheMask() {
    EstimatorContract contract =
        contract(
            rewards -> {
              double[] ones = new double[rewards.layout().mask().length];
              Arrays.fill(ones, 1);
              return new Advantages(ones, ones);
            });
    assertThrows(AssertionError.class, contract::givesOneCellPerToken);
  }

  @Test
  void findsDivisionByTheDeviationOfEquals() {
    EstimatorContract contract = contract(rewards -> times(rewards, 1 / deviation(rewards)));
    contract.givesOneCellPerToken();
    assertThrows(AssertionError.class, contract::degenerateGroupsGiveNumbers);
  }

  @Test
  void findsWeightsByPosition() {
    EstimatorContract contract = contract(rewards -> times(rewards, rewards.groups()[0]));
    assertThrows(AssertionError.class, contract::samplesMayHaveAnyOrder);
    assertThrows(RuntimeException.class, contract::emptyResponsesAreAllowed);
  }

  @Test
  void findsWritingOfTheInput() {
    EstimatorContract contract =
        contract(rewards -> new Advantages(rewards.rewards(), scaled(rewards.rewards())));
    assertThrows(AssertionError.class, contract::isAFunctionOfItsInput);
  }

  @Test
  void findsLawsThatDoNotHold() {
    EstimatorContract contract =
        contract(rewards -> Advantages.of(rewards.rewardsToGo(rewards.gamma())), Law.values());
    assertThrows(AssertionError.class, contract::shiftsOfAGroupDoNotMatter);
    assertThrows(AssertionError.class, contract::scalesAsItsLawSays);
    assertThrows(AssertionError.class, contract::equallyLongSamplesOfAGroupAddUpToZero);
  }

  @Test
  void findsMissingExplanations() {
    EstimatorContract contract =
        new EstimatorContract() {
          @Override
          protected AdvantageEstimator estimator() {
            return of(EstimatorInfo.of("test", " ", "none"), EstimatorContractTest::centred);
          }
        };
    assertThrows(AssertionError.class, contract::explainsItself);
  }

  private static EstimatorContract contract(
      Function<TokenRewards, Advantages> formula, EstimatorContract.Law... laws) {
    return new EstimatorContract() {
      @Override
      protected AdvantageEstimator estimator() {
        return of(formula);
      }

      @Override
      protected Set<Law> laws() {
        return Set.of(laws);
      }
    };
  }

  private static AdvantageEstimator of(Function<TokenRewards, Advantages> formula) {
    return of(EstimatorInfo.of("test", "A", "none"), formula);
  }

  private static AdvantageEstimator of(
      EstimatorInfo info, Function<TokenRewards, Advantages> formula) {
    return new AdvantageEstimator() {
      @Override
      public EstimatorInfo info() {
        return info;
      }

      @Override
      public Advantages estimate(TokenRewards rewards, Options options) {
        return formula.apply(rewards);
      }
    };
  }

  private static double outcome(TokenRewards rewards, int sample) {
    double sum = 0;
    for (int t = rewards.layout().offsets()[sample];
        t < rewards.layout().offsets()[sample + 1];
        t++) {
      sum += rewards.layout().mask()[t] ? rewards.rewards()[t] : 0;
    }
    return sum;
  }

  private static double deviation(TokenRewards rewards) {
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < rewards.samples(); i++) {
      double outcome = outcome(rewards, i);
      sum += outcome;
      squares += outcome * outcome;
    }
    return Math.sqrt(squares - sum * sum / rewards.samples());
  }

  private static Advantages times(TokenRewards rewards, double factor) {
    double[] advantages = new double[rewards.layout().mask().length];
    for (int t = 0; t < advantages.length; t++) {
      advantages[t] = rewards.layout().mask()[t] ? factor * rewards.rewards()[t] : 0;
    }
    return new Advantages(advantages, advantages);
  }

  private static double[] scaled(double[] column) {
    for (int t = 0; t < column.length; t++) {
      column[t] *= 2;
    }
    return column;
  }
}
