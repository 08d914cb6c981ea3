package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.RewardConfig;
import roll.runtime.config.LoadedSft;
import roll.runtime.config.RewardModelConfig;
import roll.runtime.config.RunConfig;

/** The configurations that train on preferences between episodes of the arithmetic agent. */
class ArithmeticPreferencesTest {
  private static final Path CONFIGS =
      Path.of(Objects.requireNonNull(System.getProperty("roll.root")), "configs");

  /** A model in place of a checkpoint that another run leaves. */
  private static final List<String> MODEL =
      List.of("pretrain=" + CONFIGS.resolve("models/arithmetic-tiny"), "random_weights=true");

  private final YamlConfigLoader loader =
      new YamlConfigLoader(Map.<String, String>of()::get, ConfigFiles.LINES);

  @ParameterizedTest
  @CsvSource({
    "arithmetic_dpo, dpo, true, false",
    "arithmetic_reward_model, bradley_terry, false, true"
  })
  void pairsAreTheOnlyData(String name, String objective, boolean reference, boolean scores) {
    LoadedSft loaded = loader.loadForSft(CONFIGS.resolve(name + ".yaml"), MODEL);
    assertEquals("preference", loaded.sft().section());
    assertEquals(objective, Objects.requireNonNull(loaded.sft().preference()).objective());
    RunConfig run = loaded.config().run();
    assertEquals(reference, run.roles().reference() != null);
    assertEquals(scores, run.roles().actorScores());
  }

  @Test
  void eachBeginsWithWhatAnotherLeaves() throws Exception {
    String start = checkpoint(sft("arithmetic_sft"));
    for (String name : List.of("arithmetic_dpo", "arithmetic_reward_model", "arithmetic_rlhf")) {
      assertTrue(text(name).contains("\npretrain: " + start + "\n"), name);
    }
    assertTrue(
        text("arithmetic_rlhf")
            .contains("model_name_or_path: " + checkpoint(sft("arithmetic_reward_model")) + "\n"));
  }

  @Test
  void theModelAloneRewardsAndAReferenceHoldsThePolicy() {
    RunConfig run =
        loader
            .load(
                CONFIGS.resolve("arithmetic_rlhf.yaml"),
                List.of(
                    MODEL.get(0),
                    MODEL.get(1),
                    "reward_models.rm.model_args.model_name_or_path="
                        + CONFIGS.resolve("models/arithmetic-tiny")))
            .run();
    RewardModelConfig model = Objects.requireNonNull(run.roles().rewardModels().get("rm"));
    assertTrue(model.scores());
    assertTrue(run.algorithm().loss().klCoefficient() > 0);
    assertNotNull(run.roles().reference());
    assertEquals(
        Map.of("model", 1.0, "math_equal_reward_tool", 0.0, "tools_well_formed", 0.0),
        Objects.requireNonNull(run.rollout().customEnvs().get("Arithmetic")).rewards().stream()
            .collect(Collectors.toMap(RewardConfig::reward, RewardConfig::weight)));
  }

  private RunConfig sft(String name) {
    return loader.loadForSft(CONFIGS.resolve(name + ".yaml"), MODEL).config().run();
  }

  private static String text(String name) throws Exception {
    return Files.readString(CONFIGS.resolve(name + ".yaml"));
  }

  /** Returns the last checkpoint of a run, relative to the working folder. */
  private static String checkpoint(RunConfig run) {
    return run.outputDir().normalize() + "/checkpoint-" + run.schedule().maxSteps();
  }
}
