package roll.rollout.manager;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.config.EnvConfig;
import roll.api.config.EnvLimits;
import roll.api.config.PromptConfig;
import roll.api.config.PromptLimit;
import roll.api.data.Batch;
import roll.api.data.Sequence;
import roll.api.data.Trajectory;
import roll.api.data.TrajectoryKey;
import roll.api.env.EpisodeStart;
import roll.api.rollout.EnvManager;
import roll.api.rollout.EpisodeContext;
import roll.api.rollout.ModelContext;
import roll.api.rollout.Policy;
import roll.api.rollout.Recorder;
import roll.api.strategy.Generation;
import roll.batching.TrajectoryBatch;
import roll.rollout.CharTokenizer;
import roll.rollout.CountingGame;
import roll.rollout.Games;
import roll.rollout.chat.RenderedChatFormat;
import roll.runtime.option.YamlOptions;

class StepEnvManagerTest {
  private static final String TEMPLATE =
      "{env_instruction}|{step_count}|{history_length}|{history}|{current_step}|"
          + "{current_observation}|{actions_left}{suffix}";

  private final CountingGame game = new CountingGame();
  private final CharTokenizer tokenizer = CharTokenizer.chatMl();

  /** Seed 3 starts at 3, so that 3 turns lead to 6. */
  private Trajectory play(EnvManager manager, EnvConfig config, int length, Policy policy)
      throws InterruptedException {
    var options = YamlOptions.checked("env_config", config.options(), game.options());
    return manager.play(
        new EpisodeContext(
            config,
            game.configure(options),
            new ModelContext(
                RenderedChatFormat.chatMl(tokenizer), tokenizer, policy, Games.SAMPLING, length),
            new TrajectoryKey(config.tag(), 4, 5, 6, 3),
            EpisodeStart.of(3),
            null,
            Recorder.NONE));
  }

  private static EnvConfig config(int history, String system, String template) {
    return new EnvConfig(
        "G",
        "counting",
        "step",
        EnvLimits.steps(9),
        new PromptConfig(system, template, history, PromptLimit.NONE),
        Map.of("target", 6));
  }

  private static Generation plus(int turn) {
    int[] tokens = {'+', CharTokenizer.END};
    double[] logProbs = {-turn - 0.5, -0.25};
    return new Generation(tokens, logProbs, new double[2], true, new long[] {6 + turn, 7 + turn});
  }

  @Test
  void everyTurnIsASampleWithItsOwnPrompt() throws InterruptedException {
    List<String> asked = new ArrayList<>();
    Trajectory played =
        play(
            new StepEnvManager(),
            config(1, "Be good.", TEMPLATE),
            400,
            (prompt, sampling, turn) -> {
              asked.add(prompt.messages().getLast().content());
              assertEquals("Be good.", prompt.messages().getFirst().content());
              return plus(turn);
            });
    assertEquals(
        List.of(
            "Reach 6.|0|0||1|at 3|9",
            "Reach 6.|1|1|(step: 1, observation: at 3, action: +, reward: -0.125)|2|at 4|8",
            "Reach 6.|2|1|(step: 2, observation: at 4, action: +, reward: -0.125)|3|at 5|7"),
        asked);
    assertEquals("terminated", played.finish());
    assertArrayEquals(new double[] {-0.125, -0.125, 1}, played.rewards());
    assertEquals(3, played.sequences().size());
    for (int turn = 0; turn < 3; turn++) {
      Sequence sequence = played.sequences().get(turn);
      String text =
          "<|im_start|>system\nBe good.<|im_end|>\n<|im_start|>user\n"
              + asked.get(turn)
              + "<|im_end|>\n<|im_start|>assistant\n+<|im_end|>";
      assertEquals(text, tokenizer.decode(sequence.tokens(), true));
      int length = sequence.tokens().length;
      int[] turns = new int[length];
      Arrays.fill(turns, 0, length - 2, -1);
      Arrays.fill(turns, length - 2, length, turn);
      assertArrayEquals(turns, sequence.turns());
      assertEquals(-turn - 0.5, sequence.logProbs()[length - 2]);
      long[] versions = new long[length];
      Arrays.fill(versions, 0, length - 2, -1);
      versions[length - 2] = 6L + turn;
      versions[length - 1] = 7L + turn;
      assertArrayEquals(versions, sequence.versions());
    }
    assertEquals(6, played.written());
    assertEquals(7, played.messages().size());
  }

  @Test
  void aConcatenationTellsWhatWasSeen() throws InterruptedException {
    List<String> asked = new ArrayList<>();
    play(
        new StepConcatEnvManager(),
        config(2, "", "{history}>{current_observation}"),
        400,
        (prompt, sampling, turn) -> {
          asked.add(prompt.messages().getLast().content());
          return plus(turn);
        });
    assertEquals(List.of(">at 3", "at 3>at 4", "at 3\nat 4>at 5"), asked);
  }

  @Test
  void aConversationIsRetoldEachTurn() throws InterruptedException {
    Trajectory played =
        play(
            new NativeStepEnvManager(),
            config(0, "Be good.", "{turn_idx}: {observation}"),
            400,
            (prompt, sampling, turn) -> {
              assertEquals(2 + 2 * turn, prompt.messages().size());
              return plus(turn);
            });
    String told = "<|im_start|>system\nBe good.<|im_end|>\n<|im_start|>user\nReach 6.\n1: at 3";
    String answer = "<|im_end|>\n<|im_start|>assistant\n+<|im_end|>";
    for (Sequence sequence : played.sequences()) {
      assertEquals(told + answer, tokenizer.decode(sequence.tokens(), true));
      int turn = played.sequences().indexOf(sequence);
      told += answer + "\n<|im_start|>user\n" + (turn + 2) + ": at " + (turn + 4);
      int length = sequence.tokens().length;
      int[] turns = new int[length];
      Arrays.fill(turns, 0, length - 2, -1);
      Arrays.fill(turns, length - 2, length, turn);
      assertArrayEquals(turns, sequence.turns(), "only the turn's own response is trained");
    }
    assertEquals(3, played.sequences().size());
    assertEquals(7, played.messages().size());
    assertArrayEquals(new double[] {-0.125, -0.125, 1}, played.rewards());
  }

  @Test
  void whereAConversationFillsTheSampleItEnds() throws InterruptedException {
    List<Integer> lengths = new ArrayList<>();
    Trajectory played =
        play(
            new NativeStepEnvManager(),
            config(0, "", "{observation}"),
            100,
            (prompt, sampling, turn) -> {
              lengths.add(prompt.tokens().length);
              return plus(turn);
            });
    assertEquals(lengths.size(), played.sequences().size());
    assertEquals(1 + 2 * lengths.size() - 1, played.messages().size());
    Trajectory cut =
        play(
            new NativeStepEnvManager(),
            config(0, "", "{observation}"),
            10,
            (prompt, sampling, turn) -> plus(turn));
    assertEquals(10, cut.sequences().getFirst().tokens().length);
    assertEquals(0, cut.written());
  }

  @Test
  void aWindowOfNothingTellsNothing() throws InterruptedException {
    play(
        new StepEnvManager(),
        config(0, "", "{history}{history_length} {current_observation}"),
        400,
        (prompt, sampling, turn) -> {
          assertEquals("0 at " + (3 + turn), prompt.messages().getLast().content());
          return plus(turn);
        });
  }

  @Test
  void aPromptThatIsTooLongEndsTheEpisode() throws InterruptedException {
    Trajectory none =
        play(
            new StepEnvManager(),
            config(5, "", "{current_observation}"),
            10,
            (prompt, sampling, turn) -> {
              throw new AssertionError("there is no room to answer");
            });
    assertEquals("max_length", none.finish());
    assertEquals(10, none.sequences().getFirst().tokens().length);
    assertEquals(0, none.written());
    String first = "<|im_start|>user\n at 3<|im_end|>\n<|im_start|>assistant\n";
    Trajectory one =
        play(
            new StepEnvManager(),
            config(5, "", "{history} {current_observation}"),
            tokenizer.encode(first).length + 2,
            (prompt, sampling, turn) -> plus(turn));
    assertEquals("max_length", one.finish());
    assertEquals(1, one.sequences().size());
    assertArrayEquals(new double[] {-0.125}, one.rewards());
  }

  /** Recorded: what was thought is not an action. */
  @Test
  void historyLeavesOutThoughts() throws InterruptedException {
    List<String> asked = new ArrayList<>();
    int[] tokens = tokenizer.encode("<think>up?</think> +");
    play(
        new StepEnvManager(),
        config(5, "", "{history}{current_observation}"),
        400,
        (prompt, sampling, turn) -> {
          asked.add(prompt.messages().getLast().content());
          return new Generation(
              tokens, new double[tokens.length], new double[tokens.length], true, 0);
        });
    assertEquals(true, asked.get(1).contains("action: +,"), asked.get(1));
  }

  /** Score of a sample is the reward of its turn, and steps of an episode belong together. */
  @Test
  void aBatchHasASampleATurn() throws InterruptedException {
    Policy policy = (prompt, sampling, turn) -> plus(turn);
    Trajectory played =
        play(new StepEnvManager(), config(1, "", "{current_observation}"), 400, policy);
    Batch batch =
        TrajectoryBatch.withTurns(
            TrajectoryBatch.of(List.of(played, played)), List.of(played, played));
    assertEquals(6, batch.samples());
    assertArrayEquals(
        new double[] {-0.125, -0.125, 1, -0.125, -0.125, 1}, batch.column(Batch.SCORES));
    assertArrayEquals(new int[] {0, 0, 0, 1, 1, 1}, batch.column(Batch.TRAJECTORIES));
    assertArrayEquals(new int[] {0, 1, 2, 0, 1, 2}, batch.column(Batch.STEPS));
    double[] rewards = batch.column(Batch.TURN_REWARDS);
    for (int i = 0; i < 6; i++) {
      assertEquals(batch.column(Batch.SCORES)[i], rewards[batch.layout().offsets()[i + 1] - 1]);
    }
    assertEquals(6, Arrays.stream(rewards).filter(reward -> reward != 0).count());
  }

  @Test
  void theObservationMustBeShown() {
    for (EnvManager manager : List.of(new StepEnvManager(), new StepConcatEnvManager())) {
      assertEquals(
          "custom_envs.G.agent_template: the placeholder {current_observation} is missing",
          userError(() -> manager.check(config(1, "", "{history}"))));
    }
  }
}
