package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.config.EnvConfig;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RunConfig;

/** The runs whose models see, as shipped. */
class PictureConfigsTest {
  private static final Path CONFIGS = Path.of("../../configs");

  private static LoadedConfig load(String name) {
    return new YamlConfigLoader().load(CONFIGS.resolve(name), List.of());
  }

  private static EnvConfig env(RunConfig run, String tag) {
    return Objects.requireNonNull(run.rollout().customEnvs().get(tag));
  }

  @Test
  void clickAndReadHasTheNumbersOfTheTextRun() {
    LoadedConfig loaded = load("click_and_read_vl.yaml");
    assertEquals(
        load("click_and_read_zero3.yaml").derived().toString(), loaded.derived().toString());
    EnvConfig env = env(loaded.run(), "ClickAndRead");
    assertEquals("gui", Objects.requireNonNull(env.agent()).type());
    assertEquals("picture", env.options().get("observation"));
    assertEquals(5, env.limits().maxSteps());
    assertNotNull(loaded.run().roles().reference());
  }

  @Test
  void itsSmallCopyNeedsNoBrowser() {
    EnvConfig env = env(load("click_and_read_vl_small.yaml").run(), "ClickAndRead");
    Map<String, Object> large =
        Map.copyOf(env(load("click_and_read_vl.yaml").run(), "ClickAndRead").options());
    assertEquals("java", env.options().get("page_renderer"));
    assertEquals(large.get("action_pattern"), env.options().get("action_pattern"));
    assertEquals(large.get("action_format"), env.options().get("action_format"));
  }

  @Test
  void theLakeIsSeenInSixteenTokens() {
    RunConfig lake = load("frozen_lake_vl.yaml").run();
    assertEquals("picture", env(lake, "FrozenLake").options().get("observation"));
    assertEquals(28, env(lake, "FrozenLake").options().get("cell_pixels"));
    assertEquals(8, env(lake, "FrozenLake").limits().maxSteps());
  }

  @Test
  void questionsAboutPicturesAreGradedByTheirRewards() {
    RunConfig run = load("vqa_small.yaml").run();
    assertEquals("ok_vqa_reward", env(run, "VQA").rewards().getFirst().reward());
    assertEquals("gui_reward", env(run, "Screen").rewards().getFirst().reward());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "click_and_read_vl.yaml",
        "click_and_read_vl_small.yaml",
        "frozen_lake_vl.yaml",
        "vqa_small.yaml"
      })
  void theirModelsAreThere(String name) {
    RunConfig run = load(name).run();
    String model = run.roles().actorTrain().model().toString();
    assertTrue(model.contains("vl"), model);
  }
}
