package roll.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.data.Message;
import roll.api.model.Tokenizer;
import roll.api.model.TokenizerLoader;
import roll.api.option.UserException;
import roll.api.rollout.ChatFormat;
import roll.api.rollout.ChatFormats;
import roll.api.scoring.ScoringSession;
import roll.api.strategy.InferStrategy;
import roll.runtime.config.RewardModelConfig;
import roll.runtime.config.RunConfig;
import roll.runtime.pipeline.Trainer;
import roll.runtime.pipeline.TrainingRun;

/** Runs with a reward model: the value head of a critic trained before. */
@Tag("framework")
@Timeout(300)
class ScoredTrainingTest {
  private static final String MODEL = "reward_models.rm.model_args.";
  private static final String SCORES = MODEL + "model_type=auto_token_classification";
  private static final String REWARD =
      "custom_envs.FrozenLake.rewards={model: {weight: 1, model: rm}}";

  private final Path folder;

  ScoredTrainingTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private List<String> overrides(String name, Path model, String... more) {
    List<String> overrides =
        SmallRuns.overrides(
            more,
            "exp_name=" + name,
            "max_steps=2",
            MODEL + "model_name_or_path=" + model,
            SCORES,
            REWARD);
    return overrides;
  }

  private Path critic() throws Exception {
    TrainingRun run =
        SmallRuns.start(
            "frozen_lake_ppo.yaml",
            folder,
            List.of(
                "exp_name=critic",
                "max_steps=2",
                "save_steps=2",
                "eval_steps=0",
                "critic_warmup=0",
                "critic.training_args.per_device_train_batch_size=8"));
    run.outcome().get();
    return run.folder().resolve("checkpoint-2/critic");
  }

  private TrainingRun train(String name, Path model, String... more) throws Exception {
    TrainingRun run = SmallRuns.start("frozen_lake.yaml", folder, overrides(name, model, more));
    assertEquals(2, run.outcome().get().steps());
    return run;
  }

  @Test
  void theScoresAreThoseOfTheHeadAndTrain() throws Exception {
    Path critic = critic();
    TrainingRun run = train("scored", critic);
    Map<Integer, Map<String, String>> metrics = RunAssertions.metrics(run.folder());
    Map<String, String> last = Objects.requireNonNull(metrics.get(1));
    assertNotEquals(0, number(last, "env/FrozenLake/reward/model"));
    assertEquals(0, number(last, "env/FrozenLake/reward/model/cut"));
    assertTrue(number(last, "actor_train/grad_norm") > 0, last::toString);
    assertEquals(metrics, RunAssertions.metrics(train("again", critic).folder()));
    assertScored(run, critic);
  }

  /** Each saved episode has the score that a session gives its conversation. */
  private void assertScored(TrainingRun run, Path critic) throws Exception {
    RunConfig config = SmallRuns.load("frozen_lake.yaml", folder, overrides("other", critic)).run();
    RewardModelConfig model = Objects.requireNonNull(config.roles().rewardModels().get("rm"));
    InferStrategy strategy = SmallRuns.service(InferStrategy.class, "(roll.strategy=hf_infer)");
    Set<Double> scores = new HashSet<>();
    try (Tokenizer tokenizer = SmallRuns.service(TokenizerLoader.class).load(critic);
        ScoringSession session = strategy.openScoring(config.session(model.worker()))) {
      ChatFormat format =
          SmallRuns.service(ChatFormats.class).find(model.worker().template(), tokenizer, Map.of());
      for (String line : Files.readAllLines(run.folder().resolve("trajectories/step-0.jsonl"))) {
        JsonObject episode = JsonParser.parseString(line).getAsJsonObject();
        double score = session.score(List.of(format.whole(messages(episode)))).join()[0];
        JsonObject metrics = episode.getAsJsonObject("metrics");
        assertEquals(score, metrics.get("reward/model").getAsDouble(), 1e-5);
        scores.add(score);
      }
    }
    assertTrue(scores.size() > 4, scores::toString);
  }

  private static List<Message> messages(JsonObject episode) {
    List<Message> messages = new ArrayList<>();
    for (JsonElement one : episode.getAsJsonArray("messages")) {
      JsonObject message = one.getAsJsonObject();
      messages.add(
          new Message(message.get("role").getAsString(), message.get("content").getAsString()));
    }
    return messages;
  }

  private static double number(Map<String, String> metrics, String name) {
    return Double.parseDouble(Objects.requireNonNull(metrics.get(name), name));
  }

  /** Weights without a head are refused, whatever config.json says. */
  @Test
  void whatCannotScoreIsRefusedInOneLine() throws Exception {
    Path plain = Files.createDirectory(folder.resolve("plain"));
    RandomModelFolder.write(
        plain,
        "qwen2",
        Map.of("hidden_size", 32, "num_attention_heads", 4, "num_key_value_heads", 2));
    String length = "reward_models.rm.sequence_length=100";
    assertEquals(
        "reward_models.rm: "
            + plain
            + " holds no value head (score.weight) to score by; without model_args.model_type it"
            + " is a generative model",
        refusal(plain, length));
    assertEquals(
        "reward_models.rm.strategy_args.strategy_name: 'vllm' does not score by a head, as"
            + " model_args.model_type asks; hf_infer does",
        refusal(plain, length, "reward_models.rm.strategy_args.strategy_name=vllm"));
    assertEquals(
        "custom_envs.FrozenLake.rewards.model.model: reward_models.rm writes; give"
            + " model_args.model_type: auto_sequence_classification there to score by its head",
        refusal(plain, length, MODEL + "model_type=causal_lm"));
    assertEquals(
        "custom_envs.FrozenLake.rewards.llm_judge.model: reward_models.rm scores by a head"
            + " (model_args.model_type) and writes nothing",
        refusal(
            SmallRuns.config("models/frozen-lake-tiny"),
            "custom_envs.FrozenLake.rewards={llm_judge: {weight: 1, model: rm}}"));
    assertFalse(Files.exists(folder.resolve("wrong")));
  }

  private String refusal(Path model, String... more) {
    var config = SmallRuns.load("frozen_lake.yaml", folder, overrides("wrong", model, more));
    Trainer trainer = SmallRuns.service(Trainer.class);
    return String.valueOf(
        assertThrows(UserException.class, () -> trainer.checkStart(config)).getMessage());
  }
}
