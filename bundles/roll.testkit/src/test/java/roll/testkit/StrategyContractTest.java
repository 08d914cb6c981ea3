package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.strategy.InferSession;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.SessionConfig;
import roll.api.strategy.TrainSession;
import roll.api.strategy.TrainStrategy;
import roll.api.strategy.ValueSession;

/** The contract accepts the unigram model, except for the temperature, which that model ignores. */
class StrategyContractTest {
  private static final int VOCABULARY = 37;

  @Test
  void passesWhatIsRight(@TempDir Path folder) {
    StrategyContract contract = contract(0.1);
    contract.scoresAreThoseOfADistribution();
    contract.probabilitiesAddUp();
    contract.scoresDoNotDependOnTheBatch();
    contract.trainingRaisesProbabilities();
    contract.brokenGradientsAreSkipped();
    contract.weightsAreComplete();
    contract.checkpointsAreComplete(folder);
    contract.responsesDependOnTheRequestAlone();
    contract.responsesHaveTheirLogProbs();
    contract.unknownOptionsAreRefused();
  }

  @Test
  void findsTheTemperatureIgnored() {
    assertThrows(AssertionError.class, () -> contract(0.1).stopTokensEndAResponse());
  }

  @Test
  void findsStepsInTheWrongDirection() {
    assertThrows(AssertionError.class, () -> contract(-0.1).trainingRaisesProbabilities());
  }

  private static StrategyContract contract(double learningRate) {
    return new StrategyContract() {
      @Override
      protected TrainStrategy training() {
        return new Training(learningRate);
      }

      @Override
      protected InferStrategy inference() {
        return new Inference();
      }

      @Override
      protected Path model() {
        return Path.of("no model is read");
      }

      @Override
      protected int vocabulary() {
        return VOCABULARY;
      }
    };
  }

  private record Training(double learningRate) implements TrainStrategy {
    @Override
    public TrainSession open(SessionConfig config) {
      return new UnigramModel(VOCABULARY, 4, learningRate);
    }

    @Override
    public ValueSession openValues(SessionConfig config) {
      throw new UnsupportedOperationException();
    }
  }

  private record Inference() implements InferStrategy {
    @Override
    public InferSession open(SessionConfig config) {
      return new UnigramModel(VOCABULARY, 4, 0);
    }
  }
}
