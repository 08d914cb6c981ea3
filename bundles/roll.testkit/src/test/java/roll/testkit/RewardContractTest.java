package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import roll.api.data.Trajectory;
import roll.api.option.Options;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;

/** The contract accepts a correct reward (the inherited tests) and finds the faults of others. */
class RewardContractTest extends RewardContract {
  @Override
  protected RewardFunction function() {
    return giving(episode -> episode.messages().size());
  }

  @Test
  void episodesHaveTheTurnsAskedFor() {
    assertEquals(4, score(Map.of(), episode("Up", "Down")));
  }

  @Test
  void findsMeansOfNothing() {
    RewardContract contract = contract(episode -> 1.0 / episode.messages().size());
    contract.theEpisodeIsNotModified();
    assertThrows(AssertionError.class, contract::anyEpisodeHasAFiniteScore);
  }

  @Test
  void findsScoresThatDependOnTheOrder() {
    AtomicInteger asked = new AtomicInteger();
    RewardContract contract = contract(episode -> asked.incrementAndGet());
    assertThrows(AssertionError.class, contract::theEpisodeAloneDecides);
  }

  @Test
  void findsChangedEpisodes() {
    RewardContract contract =
        contract(
            episode -> {
              java.util.Arrays.fill(episode.rewards(), 1);
              return 0;
            });
    assertThrows(AssertionError.class, contract::theEpisodeIsNotModified);
  }

  private static RewardContract contract(ToDoubleFunction<Trajectory> score) {
    return new RewardContract() {
      @Override
      protected RewardFunction function() {
        return giving(score);
      }
    };
  }

  private static RewardFunction giving(ToDoubleFunction<Trajectory> score) {
    return new RewardFunction() {
      @Override
      public String description() {
        return "for tests";
      }

      @Override
      public Reward configure(Options options) {
        return (episode, models) -> Grade.of(score.applyAsDouble(episode));
      }
    };
  }
}
