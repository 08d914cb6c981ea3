package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.AgentConfig;
import roll.api.config.EnvConfig;
import roll.api.config.RewardConfig;
import roll.runtime.config.LoadedConfig;

/** Translation of ROLL's custom environments. */
class RollEnvironmentsTest extends SmallConfigFixture {
  private static final String LAKE = "custom_envs.FrozenLake.";
  private static final String PYTHON =
      "tool_configs: [{tool_id: python_code, tool_args: {timeout: 7, sandbox_type: none}}]";

  private static EnvConfig lake(LoadedConfig loaded) {
    return Objects.requireNonNull(loaded.run().rollout().customEnvs().get("FrozenLake"));
  }

  @Test
  void theTextsAroundAnObservationAreOneTemplate() {
    LoadedConfig loaded =
        load(
            LAKE + "pre_step_template='Turn {turn_idx}: '",
            LAKE + "next_step_template=' {actions_left} left'");
    assertEquals(
        "Turn {turn_idx}: {observation} {actions_left} left", lake(loaded).prompts().template());
    assertTrue(
        loaded.notices().stream().anyMatch(line -> line.contains("are read as agent_template")));
    assertEquals(
        "{observation}?", lake(load(LAKE + "next_step_template='?'")).prompts().template());
    // ROLL's own files leave them empty, or out
    assertEquals("{observation}", lake(load(LAKE + "pre_step_template=''")).prompts().template());
    assertEquals(
        lake(loaded).prompts().template(),
        lake(files().load(loaded.effectiveYaml())).prompts().template(),
        "what is written loads to the same");
  }

  @Test
  void aWrapperIsAnAgentAndAReward() {
    LoadedConfig loaded =
        load(
            LAKE
                + "tool_wrapper={wrapper_args: {tool_reward: 0.1, tool_success_reward: 0.25,"
                + " max_tool_uses: 4}, "
                + PYTHON
                + "}",
            LAKE + "rewards={format: {pattern: x}}");
    AgentConfig agent = Objects.requireNonNull(lake(loaded).agent());
    assertEquals("code", agent.type());
    assertEquals(Map.of("code_interpreter", Map.of("time_limit", 7)), agent.tools());
    assertEquals(4, agent.maxCalls());
    assertEquals(
        List.of(
            new RewardConfig("format", 1, Map.of("pattern", "x")),
            new RewardConfig("tool_use", 1, Map.of("per_call", 0.1, "per_success", 0.25))),
        lake(loaded).rewards());
    List<String> notices =
        loaded.notices().stream().filter(line -> line.contains("tool_wrapper")).toList();
    assertEquals(2, notices.size(), notices.toString());
    assertEquals(lake(loaded), lake(files().load(loaded.effectiveYaml())));
  }

  @Test
  void whereNothingIsSaidTenUsesEarnNothing() {
    EnvConfig lake = lake(load(LAKE + "tool_wrapper={tool_configs: [{tool_id: python_code}]}"));
    assertEquals(10, Objects.requireNonNull(lake.agent()).maxCalls());
    assertEquals(List.of(), lake.rewards());
    assertNull(lake(load(LAKE + "tool_wrapper=~")).agent());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tool_wrapper=7 | tool_wrapper: expected a mapping",
        "tool_wrapper={a: 1} | unknown key 'custom_envs.FrozenLake.tool_wrapper.a'",
        "tool_wrapper={} | tool_wrapper.tool_configs: expected a list of one tool",
        "tool_wrapper={wrapper_args: {tool_rewards: 1}, tool_configs: [{tool_id: python_code}]}"
            + " | tool_wrapper.wrapper_args.tool_rewards'; did you mean 'tool_reward'?",
        "tool_wrapper={wrapper_args: {tool_reward: x}, tool_configs: [{tool_id: python_code}]}"
            + " | tool_wrapper.wrapper_args.tool_reward: expected a number, found 'x'",
        "tool_wrapper={wrapper_args: {max_tool_uses: -1}, tool_configs: [{tool_id: python_code}]}"
            + " | wrapper_args.max_tool_uses: expected an integer of at least 1, found '-1'",
        "tool_wrapper={tool_configs: [{tool_id: search}]} | tool_args.search_url of search is"
            + " missing",
        "tool_wrapper={tool_configs: [{tool_id: mcp}]} | tool_args.server_url of mcp is missing",
        "tool_wrapper={tool_configs: [{tool_id: zoom}]} | expected one of mcp, python_code, search,"
            + " found 'zoom'",
        "tool_wrapper={tool_configs: [{tool_id: python_code, tool_args: {tmeout: 1}}]}"
            + " | tool_args.tmeout of python_code is not known",
      })
  void whatIsWrongIsNamed(String override, String part) {
    String complaint = complaint(LAKE + override);
    assertTrue(complaint.contains(part), complaint);
    assertTrue(complaint.startsWith("override '"), complaint);
  }

  @Test
  void twoWaysToSayItAreRefused() {
    String both = complaint(LAKE + "pre_step_template=a", LAKE + "agent_template='{observation}'");
    assertTrue(both.contains("agent_template is the whole message of a turn"), both);
    String tools =
        complaint(LAKE + "agent={tools: [answer]}", LAKE + "tool_wrapper={" + PYTHON + "}");
    assertTrue(tools.contains("agent says already which tools there are"), tools);
  }

  @Test
  void worldsOfGemArePlayedInPython() {
    LoadedConfig loaded =
        load(
            LAKE + "env_type='game:GuessTheNumber-v0'",
            LAKE + "env_config={min_number: 1, max_number: 20, python: py, processes: 2}");
    assertEquals("remote", lake(loaded).envType());
    assertEquals(
        Map.of(
            "gym",
            "gem/game:GuessTheNumber-v0",
            "python",
            "py",
            "processes",
            2,
            "options",
            Map.of("min_number", 1, "max_number", 20)),
        lake(loaded).options());
    assertEquals(lake(loaded), lake(files().load(loaded.effectiveYaml())));
    assertEquals(
        Map.of("gym", "gem/rg:leg_counting", "options", Map.of()),
        lake(load(LAKE + "env_type='rg:leg_counting'", LAKE + "env_config={}")).options());
    assertTrue(
        complaint(LAKE + "env_type='rg:x'", LAKE + "env_config=7")
            .contains("custom_envs.FrozenLake.env_config: expected a mapping, found '7'"));
  }

  @Test
  void sokobanThatWritesItsMessagesIsSokobanWithTemplates() {
    LoadedConfig loaded =
        load(
            LAKE + "env_type=sokoban_native_env",
            LAKE + "agent_system_template=placeholder",
            LAKE + "env_config={max_steps: 7, observation_suffix: 'a {b}', debug: true}",
            LAKE + "env_manager_cls=roll.pipeline.agentic.AgentNativeStepEnvManager");
    EnvConfig env = lake(loaded);
    assertEquals("sokoban", env.envType());
    assertEquals("agent_native_step", env.manager());
    assertEquals(
        Map.of("max_steps", 7, "dim_room", List.of(6, 6), "num_boxes", 1, "format_penalty", -0.1),
        env.options());
    assertEquals("Current state:\n{observation}\n\na {{b}}", env.prompts().template());
    String system = Objects.requireNonNull(env.prompts().systemTemplate());
    assertTrue(system.startsWith("You play Sokoban"), system);
    assertEquals(env, lake(files().load(loaded.effectiveYaml())));
    assertTrue(
        files()
            .complaint(
                ConfigFiles.SMALL,
                LAKE + "env_type=sokoban_native_env",
                LAKE + "env_config={system_template: [1]}")
            .contains("env_config.system_template: expected a text, found '[1]'"));
  }
}
