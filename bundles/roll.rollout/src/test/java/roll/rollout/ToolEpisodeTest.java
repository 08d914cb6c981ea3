package roll.rollout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.api.agent.AgentTools;
import roll.api.config.AgentConfig;
import roll.api.config.AgentConfig.Side;
import roll.api.config.EnvConfig;
import roll.api.config.EnvLimits;
import roll.api.config.PromptConfig;
import roll.api.config.PromptLimit;
import roll.api.data.Message;
import roll.api.data.Sequence;
import roll.api.data.Trajectory;
import roll.api.data.TrajectoryKey;
import roll.api.env.EpisodeStart;
import roll.api.rollout.EpisodeContext;
import roll.api.rollout.ModelContext;
import roll.api.rollout.Recorder;
import roll.api.strategy.Generation;
import roll.api.tool.ToolResult;
import roll.api.tool.ToolSchema;
import roll.api.tool.ToolSchema.Argument;
import roll.api.tool.ToolSet;
import roll.rollout.chat.RenderedChatFormat;
import roll.rollout.manager.StepEnvManager;
import roll.rollout.manager.TrajectoryEnvManager;
import roll.runtime.option.YamlOptions;

/** An episode in which the policy calls tools before it acts. */
@NullMarked
@Timeout(60)
class ToolEpisodeTest {
  private static final AgentConfig LIMITS =
      new AgentConfig("lines", Map.of(), 0, 9, true, 30, 99, Side.LEFT);
  private static final AgentTools KIT =
      new AgentTools(
          LIMITS,
          new LineCallAgent(),
          List.of(
              ToolSet.of(
                  ToolSchema.of("upper", "Shouts.", Argument.text("text", "what")),
                  a ->
                      ToolResult.of(
                          String.valueOf(a.get("text")).toUpperCase(java.util.Locale.ROOT))),
              ToolSet.of(
                  ToolSchema.of("answer", "Ends.", Argument.text("text", "what")),
                  a -> ToolResult.finish(String.valueOf(a.get("text"))))));

  private final CharTokenizer tokenizer = CharTokenizer.chatMl();
  private final CountingGame game = new CountingGame();
  private final List<String> prompts = new ArrayList<>();

  private Trajectory play(int turns, String... responses) throws InterruptedException {
    EnvConfig config =
        new EnvConfig(
            "G",
            "counting",
            "trajectory",
            EnvLimits.steps(turns),
            new PromptConfig("Hello.", "{observation}", 5, PromptLimit.NONE),
            Map.of("target", 6));
    Deque<String> left = new ArrayDeque<>(List.of(responses));
    var options = YamlOptions.checked("env_config", config.options(), game.options());
    return new TrajectoryEnvManager()
        .play(
            new EpisodeContext(
                config,
                game.configure(options),
                new ModelContext(
                    RenderedChatFormat.chatMl(tokenizer),
                    tokenizer,
                    (prompt, sampling, turn) -> {
                      prompts.add(tokenizer.decode(prompt.tokens(), true));
                      return said(left.remove() + "<|im_end|>");
                    },
                    Games.SAMPLING,
                    4000),
                new TrajectoryKey(config.tag(), 4, 5, 6, 3),
                EpisodeStart.of(3),
                KIT,
                Recorder.NONE));
  }

  private Generation said(String text) {
    int[] tokens = tokenizer.encode(text);
    return new Generation(tokens, new double[tokens.length], new double[tokens.length], true, 1);
  }

  private static String roles(Trajectory played) {
    return played.messages().stream().map(Message::role).collect(Collectors.joining(" "));
  }

  @Test
  void resultsFollowTheCallsAndTheWorldFollowsAnAction() throws InterruptedException {
    Trajectory played = play(9, "upper: a\nupper: b", "nope: c", "+", "+", "+");
    assertEquals(
        "system user assistant tool tool assistant tool assistant user assistant user assistant",
        roles(played));
    assertEquals("no_tool_calls", played.finish());
    assertEquals(
        """
        <|im_start|>user
        <tool_response>
        A
        </tool_response>
        <tool_response>
        B
        </tool_response><|im_end|>
        <|im_start|>assistant
        """,
        prompts.get(1).substring(prompts.get(1).lastIndexOf("<|im_start|>user")));
    assertEquals("Hello.\n\nTools: upper answer", played.messages().getFirst().content());
    Map<String, Double> metrics = played.metrics();
    assertEquals(3.0, metrics.get("tool_calls"));
    assertEquals(2.0, metrics.get("tool_calls/upper"));
    assertEquals(1.0, metrics.get("tool_calls/malformed"));
    assertEquals(0.0, metrics.get("tool_calls/failed"));
    assertEquals(5, played.rewards().length);
    assertEquals(0, played.rewards()[0]);
  }

  /** The rest is neither shown to the policy again nor trained on. */
  @Test
  void whatAMessageDoesNotKeepIsDropped() throws InterruptedException {
    Trajectory played = play(9, "upper: a\n---\ntool: B", "+", "+", "+");
    assertEquals("upper: a", played.messages().get(2).content());
    assertEquals("A", played.messages().get(3).content());
    assertTrue(
        prompts.get(1).contains("upper: a<|im_end|>\n<|im_start|>user\n<tool_response>"),
        prompts.get(1));
    Sequence sample = played.sequences().getFirst();
    int first = (int) Arrays.stream(sample.turns()).filter(turn -> turn == 0).count();
    assertEquals("upper: a".length(), first);
    assertEquals(sample.tokens().length, sample.logProbs().length);
  }

  @Test
  void aToolMayHaveTheLastWord() throws InterruptedException {
    Trajectory played = play(9, "answer: +");
    assertEquals("terminal", played.finish());
    assertEquals("+", played.finalResponse());
    assertEquals("system user assistant tool", roles(played));
  }

  @Test
  void turnsRunOut() throws InterruptedException {
    Trajectory played = play(2, "upper: a", "upper: b");
    assertEquals("max_turns", played.finish());
    assertEquals("system user assistant tool assistant tool", roles(played));
    assertEquals("", played.finalResponse(), "a tool result is not an answer");
  }

  @Test
  void aPromptMadeAnewHasNoPlaceForResults() {
    EnvConfig config =
        new EnvConfig(
            "G",
            "counting",
            "step",
            EnvLimits.steps(2),
            PromptConfig.of("{current_observation}"),
            Map.of(),
            List.of(),
            LIMITS);
    assertEquals(
        "custom_envs.G.agent: the environment manager 'step' plays without tools (with them:"
            + " trajectory)",
        userError(() -> new StepEnvManager().check(config)));
  }

  @Test
  void aFormatWithoutAListOfToolsIsRefused() {
    String message =
        userError(() -> RenderedChatFormat.chatMl(tokenizer).opening(List.of(), KIT.tools()));
    assertEquals(
        "this chat format supports no tools (data_args.template: native does, if the model folder's"
            + " template does)",
        message);
  }
}
