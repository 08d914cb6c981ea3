package roll.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.config.AgentConfig;
import roll.api.config.AgentRunnerConfig;
import roll.api.config.EnvConfig;
import roll.api.config.RewardConfig;
import roll.runtime.config.LoadedConfig;

/** ROLL's tools of servers, its data sets and what it has play an environment, in our words. */
class RollToolsTest extends SmallConfigFixture {
  private static final String LAKE = "custom_envs.FrozenLake.";

  private static EnvConfig lake(LoadedConfig loaded) {
    return Objects.requireNonNull(loaded.run().rollout().customEnvs().get("FrozenLake"));
  }

  private static List<String> said(LoadedConfig loaded, String part) {
    return loaded.notices().stream().filter(line -> line.contains(part)).toList();
  }

  @Test
  void aServerOfToolsIsTheToolMcp() {
    LoadedConfig loaded =
        load(
            LAKE
                + "tool_wrapper={wrapper_args: {max_tool_uses: 1}, tool_configs: [{tool_id: mcp,"
                + " tool_args: {server_url: 'http://here/sse', tool_names_subset: [look],"
                + " num_workers: 2}}]}");
    AgentConfig agent = Objects.requireNonNull(lake(loaded).agent());
    assertEquals("hf", agent.type());
    assertEquals(
        Map.of("mcp", Map.of("url", "http://here/sse", "include", List.of("look"))), agent.tools());
    assertEquals(1, agent.maxCalls());
    assertEquals(1, said(loaded, "over streamable HTTP instead of SSE").size());
    assertEquals(1, said(loaded, "tool_args.num_workers' has no effect here").size());
    assertEquals(lake(loaded), lake(files().load(loaded.effectiveYaml())));
  }

  @Test
  void aSearchServerIsTheToolSearchWithItsUrl() {
    LoadedConfig loaded =
        load(
            LAKE
                + "tool_wrapper={tool_configs: [{tool_id: search, tool_args:"
                + " {search_url: 'http://here/retrieve', topk: 5, timeout: 7}}]}");
    assertEquals(
        Map.of("search", Map.of("url", "http://here/retrieve", "top_k", 5, "timeout", 7)),
        Objects.requireNonNull(lake(loaded).agent()).tools());
  }

  @Test
  void itsDataSetsAreQuestionsWithAReward() {
    LoadedConfig math =
        load(
            LAKE + "env_type=roll_math",
            LAKE + "env_config={dataset_name: a.jsonl, answer_key: solution, split: train}");
    assertEquals("dataset", lake(math).envType());
    assertEquals(
        Map.of("train_files", "a.jsonl", "val_files", "a.jsonl", "prompt_key", "problem"),
        lake(math).options());
    assertEquals(
        List.of(new RewardConfig("math_verify", 1, Map.of("answer_key", "solution"))),
        lake(math).rewards());
    LoadedConfig words =
        load(
            LAKE + "env_type=roll_qa",
            LAKE + "env_config={dataset_name: a.jsonl, question_key: q}",
            LAKE + "rewards={format: {pattern: x}}");
    assertEquals("q", lake(words).options().get("prompt_key"));
    assertEquals(
        List.of(
            new RewardConfig("format", 1, Map.of("pattern", "x")),
            new RewardConfig("em", 1, Map.of("answer_tag", "answer", "answer_key", "answer"))),
        lake(words).rewards());
    assertEquals(1, said(words, "roll_qa is read as dataset with the reward em").size());
    assertEquals(lake(words), lake(files().load(words.effectiveYaml())));
  }

  @Test
  void theRunnerThatHasThePolicyPlayIsTrajectory() {
    LoadedConfig loaded =
        load(
            LAKE + "agent_runner_cls=roll.pipeline.agentic.agent_runner.gem_runner.GEMRunner",
            LAKE + "env_manager_cls=roll.pipeline.agentic.env_manager.proxy.ProxyEnvManager");
    assertEquals("trajectory", lake(loaded).manager());
    assertEquals(1, said(loaded, "agent_runner_cls GEMRunner is read as").size());
    LoadedConfig step = load(LAKE + "agent_runner_cls=a.GEMRunner", LAKE + "env_manager_cls=step");
    assertEquals("step", lake(step).manager());
  }

  @Test
  void aProgramPlaysInPlaceOfTheRunnersThatAreClasses() {
    String program = LAKE + "agent_runner={command: [python3, agent.py, --fast], timeout: 60}";
    LoadedConfig rock =
        load(
            program,
            LAKE + "agent_runner_cls=a.RockAgentRunner",
            LAKE + "env_manager_cls=a.b.ProxyEnvManager");
    assertEquals("program", lake(rock).manager());
    assertEquals(
        new AgentRunnerConfig(List.of("python3", "agent.py", "--fast"), Map.of(), 60, 0, false),
        lake(rock).runner());
    assertEquals(1, said(rock, "agent_runner_cls RockAgentRunner is read as").size());
    assertEquals(lake(rock), lake(load(program)));
    assertEquals(lake(rock), lake(files().load(rock.effectiveYaml())));
  }

  @Test
  void aPresetIsWhatAConfigurationMayWrite() {
    AgentRunnerConfig codex =
        Objects.requireNonNull(
            lake(load(
                    LAKE
                        + "agent_runner={preset: codex, environment: {A: b}, files: {c: d},"
                        + " timeout: 600}"))
                .runner());
    assertEquals("codex", codex.command().getFirst());
    assertEquals("{question}", codex.command().getLast());
    assertEquals(Map.of("A", "b", "CODEX_HOME", "{home}/.codex"), codex.environment());
    assertEquals("d", codex.files().get("c"));
    assertTrue(codex.harness());
    String written =
        "agent_runner={command: [codex, x], harness: true, timeout: 600, environment: {A: b,"
            + " CODEX_HOME: '{home}/.codex'}, files: {c: d}}";
    AgentRunnerConfig own = Objects.requireNonNull(lake(load(LAKE + written)).runner());
    assertEquals(codex.environment(), own.environment());
    assertEquals(Map.of("c", "d"), own.files());
    assertTrue(own.harness());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "={env_type: frozen_lake, max_steps: 3, env_manager_cls: step, agent_runner: {command:"
            + " [a]}} | env_manager_cls: expected program, where agent_runner names",
        "={env_type: frozen_lake, max_steps: 3, agent_runner: {}} | agent_runner.command:"
            + " expected a program and its arguments",
        "agent_runner={preset: qwen} | agent_runner.preset: expected one of qwen_code, codex,"
            + " opencode, found",
        "agent_runner={command: [a], files: {b: c}} | agent_runner.files: expected none without"
            + " harness: true",
        "agent_runner={preset: codex, processes: 2} | agent_runner.processes: expected 0, since a"
            + " harness plays one episode",
        "={env_type: frozen_lake, max_steps: 3, agent_runner: {command: []}} |"
            + " agent_runner.command: expected a program and its arguments",
        "agent_runner_cls=a.RockAgentRunner | RockAgentRunner is Python that runs in ROLL's"
            + " process; agent_runner:",
        "env_manager_cls=a.b.ProxyEnvManager | plays what agent_runner_cls names, and there is"
            + " none",
        "env_type=roll_math | env_config.size: unknown key of roll_math (allowed: dataset_name,",
        "={env_type: roll_qa, env_config: {}} | env_config.dataset_name is missing",
      })
  void whatCannotBeHadIsSaid(String override, String part) {
    String at = override.startsWith("=") ? LAKE.substring(0, LAKE.length() - 1) : LAKE;
    String complaint = complaint(at + override);
    assertTrue(complaint.contains(part), complaint);
  }
}
