package roll.itests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.image.Picture;
import roll.api.model.Tokenizer;
import roll.api.model.TokenizerLoader;
import roll.runtime.config.ConfigLoader;
import roll.runtime.config.RunConfig;
import roll.runtime.pipeline.PolicyModel;
import roll.runtime.pipeline.RolloutEnvs;
import roll.runtime.pipeline.RolloutRequest;
import roll.runtime.pipeline.Rollouts;
import roll.runtime.replay.ReplayedEpisode;
import roll.runtime.replay.Replays;

/** Episodes of real runs are replayed from the saved trajectories. */
@Tag("framework")
@Timeout(240)
class ReplayedRunsTest {
  private static final String ENVIRONMENTS =
      """
      custom_envs:
        Lake: {env_type: frozen_lake, max_steps: 20, env_config: {is_slippery: true}}
        Seen: {env_type: frozen_lake, max_steps: 9, env_config: {observation: picture}}
        Box: {env_type: sokoban, max_steps: 20, env_config: {dim_room: [6, 6], max_steps: 20}}
        Page: {env_type: click_and_read, max_steps: 5}
      rollout_batch_size: 16
      val_batch_size: 4
      train_env_manager:
        {tags: [Lake, Seen, Box, Page], num_groups_partition: [2, 2, 2, 2], num_env_groups: 8,
         group_size: 2}
      val_env_manager:
        {tags: [Lake, Box], num_groups_partition: [2, 2], num_env_groups: 4, group_size: 1}
      """;

  private final Path folder;

  ReplayedRunsTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private static List<String> lines(Path run) throws IOException {
    return Files.readAllLines(run.resolve("trajectories/step-0.jsonl"));
  }

  private static JsonObject object(String line) {
    return JsonParser.parseString(line).getAsJsonObject();
  }

  /** Returns the frames of a whole rollout of {@code run}, drawn while its agent plays. */
  private static Map<String, List<BufferedImage>> drawn(Path run, String purpose) throws Exception {
    RunConfig config =
        SmallRuns.service(ConfigLoader.class)
            .loadForRollout(run.resolve("config.yaml"), List.of())
            .run();
    boolean train = purpose.equals("train");
    var envs = train ? config.rollout().trainEnvs() : config.rollout().valEnvs();
    int episodes = envs.groups() * envs.groupSize();
    try (Tokenizer tokenizer =
        SmallRuns.service(TokenizerLoader.class)
            .load(SmallRuns.config("models/frozen-lake-tiny"))) {
      return SmallRuns.service(Rollouts.class)
          .play(
              new RolloutRequest(
                  purpose,
                  config.seed(),
                  0,
                  episodes,
                  new RolloutEnvs(
                      envs, config.rollout().customEnvs(), config.rollout().monitor(), Set.of()),
                  new PolicyModel(
                      "qwen2_5",
                      tokenizer,
                      requests -> CompletableFuture.failedFuture(new IllegalStateException()),
                      Integer.MAX_VALUE),
                  Map.of(),
                  episodes))
          .get()
          .pictures();
    }
  }

  private static int[] pixels(BufferedImage image) {
    int width = image.getWidth();
    return image.getRGB(0, 0, width, image.getHeight(), null, 0, width);
  }

  private static void assertSame(List<BufferedImage> drawn, List<Picture> frames, String name)
      throws IOException {
    assertEquals(drawn.size(), frames.size(), name);
    for (int i = 0; i < drawn.size(); i++) {
      BufferedImage frame = ImageIO.read(new ByteArrayInputStream(frames.get(i).data()));
      assertEquals(drawn.get(i).getWidth(), frame.getWidth(), name);
      assertArrayEquals(pixels(drawn.get(i)), pixels(frame), name + " frame " + i);
    }
  }

  @Test
  void framesAreThoseDrawnWhileItWasPlayed() throws Exception {
    Path file = Files.writeString(folder.resolve("envs.yaml"), ENVIRONMENTS);
    for (String purpose : List.of("train", "val")) {
      var unused =
          CommandsTest.run(
              "roll:rollout '%s' output_dir='%s' exp_name=%s --agent random %s"
                  .formatted(file, folder, purpose, purpose.equals("val") ? "--val" : ""));
      Path run = folder.resolve(purpose);
      Map<String, List<BufferedImage>> drawn = drawn(run, purpose);
      int replayed = 0;
      for (String line : lines(run)) {
        String id = object(line).get("id").getAsString();
        ReplayedEpisode again = SmallRuns.service(Replays.class).play(run, line, false);
        assertEquals(null, again.otherwise(), id);
        assertSame(drawn.getOrDefault(id, List.of()), again.frames(), id);
        replayed++;
      }
      assertEquals(purpose.equals("val") ? 4 : 16, replayed);
    }
  }

  /** The trajectories of a training step have their advantages. */
  @Test
  void linesOfATrainingStepHaveItsAdvantages() throws Exception {
    Path run = folder.resolve("trained");
    SmallRuns.start(
            "frozen_lake_ppo.yaml",
            folder,
            List.of(
                "exp_name=trained",
                "max_steps=1",
                "logging_steps=1",
                "critic_warmup=0",
                "use_kl_loss=true",
                "kl_loss_coef=0.01",
                "force_disable_old_logprobs_recompute=false"))
        .outcome()
        .get();
    JsonObject metrics =
        object(Files.readAllLines(run.resolve("metrics.jsonl")).getFirst())
            .getAsJsonObject("metrics");
    double sum = 0;
    double most = Double.NEGATIVE_INFINITY;
    int count = 0;
    for (String line : lines(run)) {
      for (JsonElement element : object(line).getAsJsonArray("sequences")) {
        JsonObject sequence = element.getAsJsonObject();
        double[] advantages = numbers(sequence, "advantages");
        double[] mask = numbers(sequence, "mask");
        double[] turns = numbers(sequence, "turns");
        double[] drawn = numbers(sequence, "log_probs");
        double[] old = numbers(sequence, "old_log_probs");
        assertEquals(turns.length, numbers(sequence, "ref_log_probs").length);
        for (int t = 0; t < turns.length; t++) {
          assertEquals(turns[t] >= 0 ? 1 : 0, mask[t]);
          if (mask[t] == 0) {
            assertEquals(0, advantages[t]);
            assertEquals(0, old[t]);
          } else {
            sum += advantages[t];
            count++;
            most = Math.max(most, advantages[t]);
            assertEquals(drawn[t], old[t], 1e-3, "the same weights");
          }
        }
      }
      ReplayedEpisode again = SmallRuns.service(Replays.class).play(run, line, false);
      assertEquals(null, again.otherwise(), line);
      assertEquals(object(line).getAsJsonArray("rewards").size() + 1, again.frames().size());
    }
    assertTrue(count > 100, "tokens: " + count);
    assertEquals(metrics.get("critic/advantages/mean").getAsDouble(), sum / count, 1e-9);
    assertEquals(metrics.get("critic/advantages/max").getAsDouble(), most);
    assertTrue(metrics.has("time/step_log"));
  }

  private static double[] numbers(JsonObject object, String key) {
    JsonArray array = object.getAsJsonArray(key);
    double[] numbers = new double[array.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = array.get(i).getAsDouble();
    }
    return numbers;
  }

  /** After a swap of the environment a replay uses the saved settings. */
  @Test
  void anotherWorldPlaysOtherwise() throws Exception {
    Path file = Files.writeString(folder.resolve("envs.yaml"), ENVIRONMENTS);
    var unused =
        CommandsTest.run(
            "roll:rollout '%s' output_dir='%s' exp_name=val --agent random --val"
                .formatted(file, folder));
    Path run = folder.resolve("val");
    Path config = run.resolve("config.yaml");
    Files.writeString(config, Files.readString(config).replace("is_slippery: true", "size: 5"));
    ReplayedEpisode again =
        SmallRuns.service(Replays.class).play(run, lines(run).getFirst(), false);
    assertEquals(List.of(), again.frames());
    assertEquals("turn 1 has another observation than was recorded", again.otherwise());
  }
}
