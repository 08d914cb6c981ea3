package roll.rollout.generation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.api.config.EnvConfig;
import roll.api.data.Message;
import roll.api.data.Trajectory;
import roll.api.option.Options;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.api.strategy.Generation;
import roll.api.strategy.Generator;
import roll.api.strategy.Sampling;
import roll.rollout.CharTokenizer;
import roll.rollout.Games;
import roll.rollout.TablePolicy;
import roll.runtime.config.EnvMonitorConfig;
import roll.runtime.pipeline.PolicyModel;
import roll.runtime.pipeline.RewardModel;
import roll.runtime.pipeline.RolloutEnvs;
import roll.runtime.pipeline.RolloutRequest;
import roll.testkit.InMemoryPluginRegistry;

/** Models that rewards ask. */
@NullMarked
@Timeout(60)
class RewardModelClientTest {
  private final List<Integer> batches = new ArrayList<>();
  private final CharTokenizer tokenizer = CharTokenizer.chatMl();

  /** Asks a model about the member's number, and earns what it answers. */
  private static final class Curious implements RewardFunction {
    @Override
    public String description() {
      return "what the model says";
    }

    @Override
    public Reward configure(Options options) {
      return (episode, models) -> {
        String said =
            models.ask("solver", List.of(new Message("user", "" + episode.key().member())));
        return new Grade(Double.parseDouble(said), Map.of("asked", 1.0), "it is " + said);
      };
    }
  }

  /** Answers a question of one digit with that digit. */
  private Generator echo() {
    return requests -> {
      batches.add(requests.size());
      return CompletableFuture.completedFuture(
          requests.stream()
              .map(
                  request -> {
                    String text = tokenizer.decode(request.prompt(), false);
                    int[] tokens = {text.charAt(text.indexOf('\n') + 1), CharTokenizer.END};
                    return new Generation(tokens, new double[2], new double[2], true, 1);
                  })
              .toList());
    };
  }

  @Test
  void allEpisodesOfAStepAskInOneBatchAndGetTheirOwnAnswer() {
    EnvConfig game = Games.rewarded("curious");
    InMemoryPluginRegistry shelf = Games.rewarding("curious", new Curious());
    var service = Games.service(shelf);
    RolloutRequest request =
        new RolloutRequest(
            "train",
            42,
            0,
            12,
            new RolloutEnvs(
                Games.envs(List.of("A"), List.of(4), 3),
                Map.of("A", game),
                new EnvMonitorConfig(30, 1, 3),
                Set.of()),
            new PolicyModel("qwen2_5", tokenizer, new TablePolicy(0.5), 400),
            Map.of(
                "solver",
                new RewardModel(
                    "qwen2_5", tokenizer, echo(), Sampling.of(8).withTemperature(0), 99)),
            0);
    List<Trajectory> played = service.play(request).join().trajectories();
    assertEquals(List.of(12), batches);
    for (Trajectory one : played) {
      double reward = one.metrics().getOrDefault("reward/curious", Double.NaN);
      assertEquals(one.key().member(), reward);
      assertEquals(1.0, one.metrics().get("reward/curious/asked"));
      assertEquals("it is " + one.key().member(), one.answer());
    }
    assertEquals(0, shelf.leased());
  }
}
