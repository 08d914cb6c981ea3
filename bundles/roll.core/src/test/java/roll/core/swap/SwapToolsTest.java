package roll.core.swap;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.config.AgentConfig;
import roll.api.config.EnvConfig;
import roll.api.config.EnvLimits;
import roll.api.config.PromptConfig;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.tool.Tool;
import roll.api.tool.ToolSet;
import roll.runtime.config.RunConfig;
import roll.testkit.AnswerAgentType;
import roll.testkit.ExampleRunConfigs;
import roll.testkit.InMemoryPluginRegistry;

/** Changes to the configuration when a tool or an agent type is replaced. */
class SwapToolsTest {
  private final RunConfig run = ExampleRunConfigs.small(Path.of("folder"), 1);

  private final InMemoryPluginRegistry shelf = new InMemoryPluginRegistry();

  @Test
  void aToolTakesTheOptionsThatItKnowsAlong() {
    Map<String, Object> options = new LinkedHashMap<>();
    options.put("size", 5);
    options.put("hole", 2);
    options.put("text", "${x}");
    RunConfig calling = calling(options);
    shelf.with("roll.tool", "abacus", new Counting(List.of("size", "text")));
    SwapOverrides swap = SwapOverrides.of(calling, shelf, "tool", "calculator", "abacus");
    assertEquals(
        List.of(
            "custom_envs.Game.agent.tools=[\"answer\",\"abacus\"]",
            "custom_envs.Game.agent.tool_config={\"abacus\":{\"size\":5,\"text\":\"\\\\${x}\"}}"),
        swap.overrides());
    assertEquals(
        List.of(
            "custom_envs.Game.agent.tool_config.calculator.hole: left out, abacus has no such"
                + " option"),
        swap.notices());
    assertEquals(0, shelf.leased());
  }

  @Test
  void anAgentTypeIsOneOfTheCustomEnvironment() {
    shelf.with("roll.agent.type", "react", new AnswerAgentType());
    for (String kind : List.of("agent", "roll.agent.type")) {
      assertEquals(
          List.of("custom_envs.Game.agent.agent_type=react"),
          SwapOverrides.of(calling(Map.of()), shelf, kind, "hf", "react").overrides());
    }
    assertEquals(0, shelf.leased());
  }

  @Test
  void toolsAndAgentTypesThatCannotBeSwappedAreRefused() {
    RunConfig calling = calling(Map.of());
    shelf.with("roll.tool", "answer", new Counting(List.of()));
    assertEquals(
        "swap: custom_envs.Game.agent.tools has 'answer' already",
        Refusal.of(calling, shelf, "tool", "calculator", "answer"));
    assertEquals(
        "swap: the run uses no tool 'calculatr' (it uses: answer, calculator); did you mean"
            + " 'calculator'?",
        Refusal.of(calling, shelf, "tool", "calculatr", "answer"));
    assertEquals(
        "custom_envs.Game.agent.tools: no roll.tool 'anser' is registered (registered: answer); did"
            + " you mean 'answer'?",
        Refusal.of(calling, shelf, "tool", "calculator", "anser"));
    assertEquals(
        "custom_envs.Game.agent.agent_type: no roll.agent.type 'react' is registered (registered:"
            + " none)",
        Refusal.of(calling, shelf, "agent", "hf", "react"));
    assertEquals(
        "swap: the run uses no agent 'hf' (it uses: none)",
        Refusal.of(run, shelf, "agent", "hf", "react"));
  }

  /** The run with an agent that has two tools. */
  private RunConfig calling(Map<String, Object> options) {
    Map<String, Map<String, Object>> tools = new LinkedHashMap<>();
    tools.put("answer", Map.of());
    tools.put("calculator", options);
    AgentConfig agent = new AgentConfig("hf", tools, 0, 5, true, 60, 1024, AgentConfig.Side.LEFT);
    return ExampleRunConfigs.with(
        run,
        new EnvConfig(
            "Game",
            "game",
            "trajectory",
            EnvLimits.steps(2),
            PromptConfig.of("{}"),
            Map.of(),
            List.of(),
            agent));
  }

  /** A tool that is never called. */
  private record Counting(List<String> known) implements Tool {
    @Override
    public String description() {
      return "nothing";
    }

    @Override
    public List<Option<?>> options() {
      return known.stream().<Option<?>>map(name -> Option.text(name, "anything")).toList();
    }

    @Override
    public ToolSet configure(Options options) {
      throw new UnsupportedOperationException();
    }
  }
}
