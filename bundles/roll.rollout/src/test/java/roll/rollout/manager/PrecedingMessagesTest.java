package roll.rollout.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import roll.api.config.EnvConfig;
import roll.api.config.EnvLimits;
import roll.api.config.PromptConfig;
import roll.api.config.PromptLimit;
import roll.api.data.Message;
import roll.api.data.Trajectory;
import roll.api.data.TrajectoryKey;
import roll.api.env.Episode;
import roll.api.env.EpisodeStart;
import roll.api.env.Observation;
import roll.api.env.Scenario;
import roll.api.env.Step;
import roll.api.rollout.EnvManager;
import roll.api.rollout.EpisodeContext;
import roll.api.rollout.ModelContext;
import roll.api.rollout.Recorder;
import roll.api.strategy.Generation;
import roll.rollout.CharTokenizer;
import roll.rollout.Games;
import roll.rollout.chat.RenderedChatFormat;

/** Messages that a world's first observation continues stay messages of their own. */
class PrecedingMessagesTest {
  private static final CharTokenizer TOKENIZER = CharTokenizer.chatMl();
  private static final List<Message> BEFORE =
      List.of(new Message("system", "s"), new Message("user", "a"), new Message("assistant", "b"));

  /** Two turns. */
  private static final class Chat implements Episode {
    private int turns;

    @Override
    public String observation() {
      return "c" + turns;
    }

    @Override
    public Observation observed() {
      return Observation.of(observation()).behind(BEFORE);
    }

    @Override
    public Step step(String response) {
      turns++;
      return new Step(observation(), 0, turns == 2, false);
    }
  }

  private static Trajectory play(EnvManager manager, String template, @Nullable String system)
      throws InterruptedException {
    EnvConfig config =
        new EnvConfig(
            "G",
            "chat",
            "trajectory",
            EnvLimits.steps(4),
            new PromptConfig(system, template, 2, PromptLimit.NONE),
            Map.of());
    int[] end = {'x', CharTokenizer.END};
    return manager.play(
        new EpisodeContext(
            config,
            Scenario.of("", seed -> new Chat()),
            new ModelContext(
                RenderedChatFormat.chatMl(TOKENIZER),
                TOKENIZER,
                (prompt, sampling, turn) ->
                    new Generation(end, new double[2], new double[2], true, new long[2]),
                Games.SAMPLING,
                400),
            new TrajectoryKey("G", 4, 5, 6, 3),
            EpisodeStart.of(3),
            null,
            Recorder.NONE));
  }

  private static String text(Trajectory played, int sample) {
    return TOKENIZER.decode(played.sequences().get(sample).tokens(), true);
  }

  @Test
  void aConversationGoesOnFromThem() throws InterruptedException {
    Trajectory played = play(new TrajectoryEnvManager(), "{observation}", null);
    assertEquals(
        """
        <|im_start|>system
        s<|im_end|>
        <|im_start|>user
        a<|im_end|>
        <|im_start|>assistant
        b<|im_end|>
        <|im_start|>user
        c0<|im_end|>
        <|im_start|>assistant
        x<|im_end|>
        <|im_start|>user
        c1<|im_end|>
        <|im_start|>assistant
        x<|im_end|>\
        """,
        text(played, 0));
    assertEquals(BEFORE, played.messages().subList(0, 3));
  }

  @Test
  void thereIsOneSystemMessage() throws InterruptedException {
    Trajectory played = play(new TrajectoryEnvManager(), "{observation}", "Be good.");
    assertEquals(new Message("system", "Be good.\n\ns"), played.messages().getFirst());
    assertEquals(BEFORE.subList(1, 3), played.messages().subList(1, 3));
  }

  @Test
  void aPromptThatIsRebuiltBeginsWithThemInEveryTurn() throws InterruptedException {
    Trajectory played = play(new StepEnvManager(), "{current_observation}", null);
    for (int turn = 0; turn < 2; turn++) {
      assertEquals(
          """
          <|im_start|>system
          s<|im_end|>
          <|im_start|>user
          a<|im_end|>
          <|im_start|>assistant
          b<|im_end|>
          <|im_start|>user
          c%d<|im_end|>
          <|im_start|>assistant
          x<|im_end|>\
          """
              .formatted(turn),
          text(played, turn));
    }
    assertEquals(BEFORE, played.messages().subList(0, 3));
  }
}
