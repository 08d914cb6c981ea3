package roll.rollout.generation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.config.EnvConfig;
import roll.api.data.Message;
import roll.api.data.Trajectory;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.api.reward.Grade;
import roll.api.reward.ModelScore;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;
import roll.api.strategy.Generation;
import roll.api.strategy.GenerationRequest;
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

/** Models that score what rewards give them. */
@NullMarked
@Timeout(60)
class ScoredConversationsTest {
  private final CharTokenizer tokenizer = CharTokenizer.chatMl();
  private final List<List<String>> batches = new ArrayList<>();

  private static RewardFunction function(Reward reward) {
    return new RewardFunction() {
      @Override
      public String description() {
        return "what the model gives";
      }

      @Override
      public Reward configure(Options options) {
        return reward;
      }
    };
  }

  /** Gives each sequence its number of tokens. */
  private RewardModel counting(int sequenceLength) {
    return RewardModel.scoring(
        "qwen2_5",
        tokenizer,
        sequences -> {
          batches.add(sequences.stream().map(s -> tokenizer.decode(s, true)).toList());
          return CompletableFuture.completedFuture(
              sequences.stream().mapToDouble(s -> s.length).toArray());
        },
        sequenceLength);
  }

  private List<Trajectory> played(RewardFunction reward, RewardModel model) {
    return played(new TablePolicy(0.5), reward, model);
  }

  private List<Trajectory> played(Generator policy, RewardFunction reward, RewardModel model) {
    EnvConfig game = Games.rewarded("asking");
    var service = Games.service(Games.rewarding("asking", reward));
    RolloutRequest request =
        new RolloutRequest(
            "train",
            42,
            0,
            4,
            new RolloutEnvs(
                Games.envs(List.of("A"), List.of(2), 2),
                Map.of("A", game),
                new EnvMonitorConfig(30, 1, 0),
                Set.of()),
            new PolicyModel("qwen2_5", tokenizer, policy, 400),
            Map.of("rm", model),
            0);
    return service.play(request).join().trajectories();
  }

  private static List<Message> told(Trajectory episode) {
    return List.of(
        new Message("user", "" + episode.key().member()), new Message("assistant", "yes"));
  }

  private static Grade given(ModelScore score) {
    return new Grade(score.value(), Map.of("cut", score.cut() ? 1.0 : 0.0), null);
  }

  private static String conversation(int member) {
    return "<|im_start|>user\n" + member + "<|im_end|>\n<|im_start|>assistant\nyes<|im_end|>\n";
  }

  /** The conversation ends with its last message: no response is begun. */
  @Test
  void allEpisodesAreScoredAsOneBatchInTheirOrder() {
    RewardFunction reward = function((e, models) -> given(models.score("rm", told(e))));
    List<Trajectory> played = played(reward, counting(99));
    List<String> expected =
        List.of(conversation(0), conversation(1), conversation(0), conversation(1));
    assertEquals(List.of(expected), batches);
    int tokens = tokenizer.encode(conversation(0)).length;
    for (Trajectory one : played) {
      assertEquals(tokens, one.metrics().getOrDefault("reward/asking", Double.NaN));
      assertEquals(0.0, one.metrics().get("reward/asking/cut"));
    }
  }

  @Test
  void whatIsTooLongIsCutAtItsEnd() {
    RewardFunction reward = function((e, models) -> given(models.score("rm", told(e))));
    List<Trajectory> played = played(reward, counting(5));
    for (Trajectory one : played) {
      assertEquals(5, one.metrics().getOrDefault("reward/asking", Double.NaN));
      assertEquals(1.0, one.metrics().get("reward/asking/cut"));
    }
    String whole = conversation(0);
    String read = batches.getFirst().getFirst();
    assertTrue(whole.startsWith(read) && read.length() < whole.length(), read);
  }

  @Test
  void whoeverAsksForWhatAModelDoesNotDoIsTold() {
    assertEnds(
        "reward_models.rm: has a scoring head and generates no text",
        complaint((e, models) -> new Grade(0, Map.of(), models.ask("rm", told(e))), counting(99)));
    RewardModel writer =
        new RewardModel("qwen2_5", tokenizer, new TablePolicy(0.5), Sampling.of(8), 99);
    assertEnds(
        "reward_models.rm: generates text and has no scoring head",
        complaint((e, models) -> given(models.score("rm", told(e))), writer));
    assertEnds(
        "reward_models: 'mr' is not configured (found: [rm])",
        complaint((e, models) -> given(models.score("mr", told(e))), writer));
    RewardModel wrong =
        RewardModel.scoring(
            "qwen2_5",
            tokenizer,
            sequences -> CompletableFuture.completedFuture(new double[1]),
            99);
    CompletionException failed =
        assertThrows(
            CompletionException.class,
            () -> played(function((e, m) -> given(m.score("rm", told(e)))), wrong));
    assertTrue(
        failed.toString().contains("4 requests were answered by 1 responses"), failed.toString());
  }

  /** Whether episodes are answered together or each as it asks: the run ends by it. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void fewerScoresThanSequencesFailTheRun(boolean continuous) {
    TablePolicy table = new TablePolicy(0.5);
    Generator policy =
        new Generator() {
          @Override
          public boolean continuous() {
            return continuous;
          }

          @Override
          public CompletableFuture<List<Generation>> generate(List<GenerationRequest> requests) {
            return table.generate(requests);
          }
        };
    RewardModel mute =
        RewardModel.scoring(
            "qwen2_5",
            tokenizer,
            sequences -> CompletableFuture.completedFuture(new double[0]),
            99);
    CompletionException failed =
        assertThrows(
            CompletionException.class,
            () -> played(policy, function((e, m) -> given(m.score("rm", told(e)))), mute));
    assertTrue(
        failed.getMessage().contains(" requests were answered by 0 responses"), failed.toString());
  }

  private static void assertEnds(String end, String complaint) {
    assertTrue(complaint.endsWith(end), complaint);
  }

  private String complaint(Reward asking, RewardModel model) {
    CompletionException failed =
        assertThrows(CompletionException.class, () -> played(function(asking), model));
    Throwable cause = failed;
    while (cause != null && !(cause instanceof UserException)) {
      cause = cause.getCause();
    }
    return cause == null
        ? Arrays.toString(failed.getStackTrace())
        : String.valueOf(cause.getMessage());
  }
}
