package roll.rollout.manager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
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
import roll.api.rollout.Policy;
import roll.api.rollout.Recorder;
import roll.api.strategy.Generation;
import roll.rollout.CharTokenizer;
import roll.rollout.CountingGame;
import roll.rollout.Games;
import roll.rollout.chat.RenderedChatFormat;
import roll.rollout.prompt.PromptTemplate;
import roll.runtime.option.YamlOptions;

@NullMarked
class TrajectoryEnvManagerTest {
  private final CharTokenizer tokenizer = CharTokenizer.chatMl();
  private final TrajectoryEnvManager manager = new TrajectoryEnvManager();
  private final CountingGame game = new CountingGame();

  /** Seed 3 starts at 3. */
  private Trajectory play(EnvConfig config, int sequenceLength, Policy policy)
      throws InterruptedException {
    var options = YamlOptions.checked("env_config", config.options(), game.options());
    return manager.play(
        new EpisodeContext(
            config,
            game.configure(options),
            new ModelContext(
                RenderedChatFormat.chatMl(tokenizer),
                tokenizer,
                policy,
                Games.SAMPLING,
                sequenceLength),
            new TrajectoryKey(config.tag(), 4, 5, 6, 3),
            EpisodeStart.of(3),
            null,
            Recorder.NONE));
  }

  private static EnvConfig config(
      int maxSteps, int maxTokens, @Nullable String system, String template, int target) {
    return new EnvConfig(
        "G",
        "counting",
        "trajectory",
        new EnvLimits(maxSteps, maxTokens, 0),
        new PromptConfig(system, template, 5, PromptLimit.NONE),
        Map.of("target", target, "special", true));
  }

  private static Sequence only(Trajectory played) {
    assertEquals(1, played.sequences().size());
    return played.sequences().getFirst();
  }

  /** Writes {@code +}; in turn 1 it is cut short by the limit instead of stopping. */
  private static Generation plus(int turn) {
    return turn == 1
        ? written(new int[] {'+', 'x'}, new double[] {-1.5, -1.75}, false)
        : written(new int[] {'+', CharTokenizer.END}, new double[] {-turn - 0.5, -0.25}, true);
  }

  /**
   * A response whose log-probs in the distribution it was drawn from are others. Weights change
   * after its first token.
   */
  private static Generation written(int[] tokens, double[] logProbs, boolean stopped) {
    long[] versions = new long[tokens.length];
    Arrays.setAll(versions, i -> Math.min(i, 1) + 3);
    return new Generation(tokens, logProbs, new double[tokens.length], stopped, versions);
  }

  @Test
  void everyTokenOfTheConversationIsAccountedFor() throws InterruptedException {
    List<int[]> prompts = new ArrayList<>();
    Trajectory played =
        play(
            config(9, 0, "Be good.", "{turn_idx}|{observation}|{actions_left}{suffix}", 6),
            400,
            (prompt, sampling, turn) -> {
              prompts.add(prompt.tokens());
              return plus(turn);
            });
    String text =
        """
        <|im_start|>system
        Be good.<|im_end|>
        <|im_start|>user
        Reach 6.
        1|at 3|9<|im_end|>
        <|im_start|>assistant
        +<|im_end|>
        <|im_start|>user
        2|at 4|8<|im_end|>
        <|im_start|>assistant
        +x<|im_end|>
        <|im_start|>user
        3|at 5|7<|im_end|>
        <|im_start|>assistant
        +<|im_end|>\
        """;
    assertEquals(text, tokenizer.decode(only(played).tokens(), true));
    assertEquals("terminated", played.finish());
    assertEquals(List.of(1), played.cut(), "the limit ended the response of turn 1");
    assertArrayEquals(new double[] {-0.125, -0.125, 1}, played.rewards());
    for (int turn = 0; turn < 3; turn++) {
      Generation written = plus(turn);
      int[] prompt = prompts.get(turn);
      assertArrayEquals(
          prompt,
          Arrays.copyOf(only(played).tokens(), prompt.length),
          "the prompt is the beginning of the sample");
      for (int i = 0; i < written.tokens().length; i++) {
        assertEquals(written.tokens()[i], only(played).tokens()[prompt.length + i]);
        assertEquals(turn, only(played).turns()[prompt.length + i]);
        assertEquals(written.logProbs()[i], only(played).logProbs()[prompt.length + i]);
        assertEquals(3 + i, only(played).versions()[prompt.length + i]);
      }
    }
    long observed = Arrays.stream(only(played).turns()).filter(turn -> turn < 0).count();
    assertEquals(only(played).tokens().length - 6, observed);
    for (int t = 0; t < only(played).turns().length; t++) {
      if (only(played).turns()[t] < 0) {
        assertEquals(0, only(played).logProbs()[t]);
        assertEquals(-1, only(played).versions()[t]);
      }
    }
    assertEquals(
        List.of(
            new Message("system", "Be good."),
            new Message("user", "Reach 6.\n1|at 3|9"),
            new Message("assistant", "+"),
            new Message("user", "2|at 4|8"),
            new Message("assistant", "+x"),
            new Message("user", "3|at 5|7"),
            new Message("assistant", "+")),
        played.messages());
    assertEquals("G_4_5_3_6", played.id());
  }

  @Test
  void metricsAreAggregatedAsTheScenarioSays() throws InterruptedException {
    Trajectory played =
        play(config(9, 0, null, "{observation}", 6), 400, (prompt, sampling, turn) -> plus(turn));
    assertEquals(
        Map.of(
            "success", 1.0,
            "ups", 3.0,
            "least", 4.0,
            "most", 6.0,
            "start", 3.0,
            "end_token", 2 / 3.0,
            "num_actions", 3.0,
            "response_length", 6.0),
        played.metrics());
  }

  @Test
  void turnsAreCapped() throws InterruptedException {
    Trajectory played =
        play(config(2, 0, null, "{observation}", 90), 400, (prompt, sampling, turn) -> plus(0));
    assertEquals("max_steps", played.finish());
    assertEquals(2, played.rewards().length);
    assertEquals(
        1, only(played).turns()[only(played).turns().length - 1], "no observation after the end");
  }

  @Test
  void theTightestLimitOfAResponseCounts() throws InterruptedException {
    List<Integer> limits = new ArrayList<>();
    Policy policy =
        (prompt, sampling, turn) -> {
          limits.add(sampling.maxNewTokens());
          return plus(0);
        };
    play(config(1, 0, null, "{observation}", 90), 400, policy);
    play(config(1, 5, null, "{observation}", 90), 400, policy);
    String opening = "<|im_start|>user\nReach 90.\nat 3<|im_end|>\n<|im_start|>assistant\n";
    play(config(1, 5, null, "{observation}", 90), tokenizer.encode(opening).length + 3, policy);
    assertEquals(List.of(8, 5, 3), limits);
  }

  @Test
  void anObservationThatLeavesNoRoomEndsTheEpisode() throws InterruptedException {
    EnvConfig config = config(9, 0, null, "{observation}", 90);
    int opening =
        tokenizer.encode("<|im_start|>user\nReach 90.\nat 3<|im_end|>\n<|im_start|>assistant\n")
            .length;
    int between =
        tokenizer.encode("\n<|im_start|>user\nat 4<|im_end|>\n<|im_start|>assistant\n").length;
    Trajectory tight = play(config, opening + 2 + between, (p, sampling, turn) -> plus(0));
    assertEquals("max_length", tight.finish());
    assertEquals(opening + 2, only(tight).tokens().length);
    assertEquals(1, tight.rewards().length);
    assertEquals(2, tight.messages().size());
    Trajectory looser =
        play(
            config,
            opening + 2 + between + 1,
            (p, sampling, turn) ->
                turn == 0 ? plus(0) : written(new int[] {'+'}, new double[] {-1}, false));
    assertEquals(2, looser.rewards().length);
    assertEquals(opening + 2 + between + 1, only(looser).tokens().length);
  }

  @Test
  void aPromptThatIsTooLongIsCutAndNothingIsAsked() throws InterruptedException {
    Trajectory played =
        play(
            config(9, 0, null, "{observation}", 90),
            10,
            (prompt, sampling, turn) -> {
              throw new AssertionError("there is no room to answer");
            });
    assertEquals("max_length", played.finish());
    assertEquals(10, only(played).tokens().length);
    assertEquals(0, played.rewards().length);
    assertEquals(0, played.score());
    assertEquals(Map.of("num_actions", 0.0, "response_length", 0.0), played.metrics());
  }

  @Test
  void templatesAreCheckedBeforeAnythingIsPlayed() {
    assertDoesNotThrow(
        () -> manager.check(config(1, 0, null, "{{x}} {observation} {max_response_length}", 1)));
    assertEquals(
        "custom_envs.G.agent_template: unknown placeholder {obs}, {x} (allowed: {observation},"
            + " {turn_idx}, {suffix}, {actions_left}, {max_response_length}); did you mean"
            + " 'observation'?",
        message(config(1, 0, null, "{obs} {x} {observation}", 1)));
    assertEquals(
        "custom_envs.G.agent_template: the placeholder {observation} is missing",
        message(config(1, 0, null, "Go!", 1)));
    assertEquals(
        "custom_envs.G.agent_template: '{' at character 14 is unmatched; write it twice for a"
            + " literal brace",
        message(config(1, 0, null, "{observation} {", 1)));
    assertEquals(
        "custom_envs.G.max_steps: expected 1 or more, found 0",
        message(config(0, 0, null, "{observation}", 1)));
  }

  @Test
  void picturesAreRefusedAsLongAsNoModelSeesThem() {
    EnvConfig blind =
        new EnvConfig(
            "G",
            "counting",
            "trajectory",
            EnvLimits.steps(5),
            PromptConfig.of("{observation}"),
            Map.of("pictures", true));
    assertEquals(
        "custom_envs.G: its observations are pictures, which this model cannot see (its"
            + " env_config can ask for text)",
        userError(() -> play(blind, 100, (prompt, sampling, turn) -> plus(turn))));
    assertEquals(0, game.open.get());
  }

  private String message(EnvConfig config) {
    return userError(() -> manager.check(config));
  }

  @Test
  void bracesInAnObservationAreLeftAlone() {
    PromptTemplate template = PromptTemplate.parse("t", "{{{a}}} }}", List.of("a"));
    assertEquals("{{b}} }", template.fill(Map.of("a", "{b}")));
  }

  /** Only a world that asks for them is given the tokens that are no text. */
  @Test
  void specialTokensAreNoTextToTheWorld() throws InterruptedException {
    EnvConfig asking = config(9, 0, null, "{observation}", 6);
    Policy policy = (prompt, sampling, turn) -> plus(0);
    assertEquals(1.0, play(asking, 400, policy).metrics().get("end_token"));
    EnvConfig plain =
        new EnvConfig(
            asking.tag(),
            asking.envType(),
            asking.manager(),
            asking.limits(),
            asking.prompts(),
            Map.of("target", 6));
    assertEquals(0.0, play(plain, 400, policy).metrics().get("end_token"));
  }
}
