package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.AgentConfig;
import roll.api.config.PromptLimit;
import roll.runtime.config.LoadedConfig;
import roll.runtime.config.RewardModelConfig;

/** Tools of an environment, and models that rewards ask. */
@NullMarked
class ToolsTest extends SmallConfigFixture {
  private static final String AGENT = "custom_envs.FrozenLake.agent";

  @Test
  void thereAreNoToolsUnlessTheyAreNamed() {
    var game = Objects.requireNonNull(load().run().rollout().customEnvs().get("FrozenLake"));
    assertNull(game.agent());
    assertEquals(PromptLimit.NONE, game.prompts().limit());
  }

  @Test
  void toolsHaveOptionsAndLimits() {
    LoadedConfig loaded =
        load(
            AGENT + ".agent_type=HF",
            AGENT + ".tools=[calculator, search]",
            AGENT + ".tool_config={search: {top_k: 5}}",
            AGENT + ".max_tool_calls=7",
            AGENT + ".tool_response_truncate_side=middle",
            "custom_envs.FrozenLake.max_prompt_length=20",
            "custom_envs.FrozenLake.truncation=left");
    var game = Objects.requireNonNull(loaded.run().rollout().customEnvs().get("FrozenLake"));
    assertEquals(
        new AgentConfig(
            "hf",
            Map.of("calculator", Map.of(), "search", Map.of("top_k", 5)),
            7,
            16,
            true,
            30,
            2048,
            AgentConfig.Side.MIDDLE),
        game.agent());
    assertEquals(new PromptLimit(20, PromptLimit.Truncation.LEFT), game.prompts().limit());
    assertEquals(loaded.run(), files().load(loaded.effectiveYaml()).run());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          .tools=[a, b, a]                        | is named twice
          .tool_config={serch: {}}                | no such tool is named in tools (found: search)
          .tool_config={search: 3}                | tool_config.search: expected a mapping, found
          .tool_response_truncate_side=up         | expected one of left, right, middle, found
          .max_parallel_calls=0                   | expected
          .tool=[a]                               | did you mean
          """)
  void whatIsWrongIsSaid(String override, String message) {
    String refused = userError(() -> load(AGENT + ".tools=[search]", AGENT + override));
    assertTrue(refused.contains(message), refused);
  }

  @Test
  void picturesOfAPromptAreLimited() {
    String limit = "custom_envs.FrozenLake.limit_mm_per_prompt";
    assertEquals(Integer.MAX_VALUE, maxPictures());
    assertEquals(4, maxPictures(limit + "={image: 4}"));
    assertEquals(0, maxPictures(limit + ".image=0"));
    assertEquals(Integer.MAX_VALUE, maxPictures(limit + "={video: 0}"));
    for (String wrong : List.of("={image: -1}", "={image: many}", "={audio: 1}", "=4")) {
      String refused = userError(() -> maxPictures(limit + wrong), wrong);
      assertTrue(refused.contains(limit), refused);
    }
  }

  private int maxPictures(String... overrides) {
    return Objects.requireNonNull(load(overrides).run().rollout().customEnvs().get("FrozenLake"))
        .prompts()
        .maxPictures();
  }

  @Test
  void aRewardModelIsARoleOfItsOwn() {
    LoadedConfig loaded =
        load(
            "reward_models.solver.generating_args={temperature: 0, max_new_tokens: 8}",
            "reward_models.solver.sequence_length=32",
            "reward_models.judge={}");
    Map<String, RewardModelConfig> models = loaded.run().roles().rewardModels();
    RewardModelConfig solver = Objects.requireNonNull(models.get("solver"));
    RewardModelConfig judge = Objects.requireNonNull(models.get("judge"));
    assertEquals("reward_models.solver", solver.worker().role());
    assertEquals("hf_infer", solver.worker().strategy());
    assertEquals(loaded.run().roles().pretrain(), solver.worker().model().folder());
    assertEquals(8, Objects.requireNonNull(solver.sampling()).maxNewTokens());
    assertEquals(32, loaded.run().sequenceLength(solver.worker()));
    assertEquals(loaded.run().sequenceLength(), judge.sequenceLength());
    assertEquals(List.of("solver", "judge"), List.copyOf(models.keySet()));
    assertEquals(loaded.run(), files().load(loaded.effectiveYaml()).run());
    assertTrue(
        userError(
                () ->
                    load(
                        "reward_models.solver.generating_args={max_new_tokens: 64}",
                        "reward_models.solver.sequence_length=32"))
            .contains("at most sequence_length = 32"));
  }
}
