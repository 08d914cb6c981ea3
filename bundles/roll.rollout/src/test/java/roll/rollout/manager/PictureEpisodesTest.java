package roll.rollout.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.EnvConfig;
import roll.api.config.EnvLimits;
import roll.api.config.PromptConfig;
import roll.api.config.PromptLimit;
import roll.api.data.Message;
import roll.api.data.Sequence;
import roll.api.data.Trajectory;
import roll.api.data.TrajectoryKey;
import roll.api.env.EpisodeStart;
import roll.api.image.Picture;
import roll.api.model.Tokenizer;
import roll.api.rollout.ChatFormat;
import roll.api.rollout.EnvManager;
import roll.api.rollout.EpisodeContext;
import roll.api.rollout.ModelContext;
import roll.api.rollout.Policy;
import roll.api.rollout.Prompt;
import roll.api.rollout.Recorder;
import roll.api.strategy.Generation;
import roll.api.strategy.Sampling;
import roll.rollout.CharTokenizer;
import roll.rollout.CountingGame;
import roll.rollout.Games;
import roll.rollout.VisionModelFolder;
import roll.runtime.option.YamlOptions;

/** Worlds that show pictures to a policy that sees. */
@NullMarked
class PictureEpisodesTest {
  private final VisionModelFolder folder;
  private ChatFormat chat;
  private final CountingGame game = new CountingGame();
  private final List<Prompt> prompts = new ArrayList<>();

  PictureEpisodesTest(@TempDir Path path) {
    folder = VisionModelFolder.in(path);
    chat = folder.format("native");
  }

  /** Writes +. */
  private final class Plus implements Policy {
    @Override
    public Generation respond(Prompt prompt, Sampling sampling, int turn) {
      prompts.add(prompt);
      int length = Math.min(2, sampling.maxNewTokens());
      double[] certain = new double[length];
      int[] tokens = Arrays.copyOf(new int[] {'+', CharTokenizer.END}, length);
      return new Generation(tokens, certain, certain, length == 2, 7);
    }

    @Override
    public boolean seesPictures() {
      return chat.imageToken() >= 0;
    }
  }

  private Trajectory play(EnvManager manager, String template, PromptLimit limit, int length)
      throws InterruptedException {
    return play(manager, new PromptConfig(null, template, 5, limit), length);
  }

  private Trajectory play(EnvManager manager, PromptConfig prompts, int length)
      throws InterruptedException {
    EnvConfig config =
        new EnvConfig(
            "G",
            "counting",
            "trajectory",
            new EnvLimits(3, 0, 0),
            prompts,
            Map.of("target", 50, "pictures", true));
    Tokenizer tokenizer = folder.tokenizer();
    return manager.play(
        new EpisodeContext(
            config,
            game.configure(YamlOptions.checked("env_config", config.options(), game.options())),
            new ModelContext(chat, tokenizer, new Plus(), Games.SAMPLING, length),
            new TrajectoryKey("G", 4, 5, 6, 3),
            EpisodeStart.of(3),
            null,
            Recorder.NONE));
  }

  @Test
  void everyTurnShowsItsPictureWhereTheObservationStands() throws InterruptedException {
    Trajectory played =
        play(new TrajectoryEnvManager(), "{turn_idx}: {observation}", PromptLimit.NONE, 400);
    Sequence sequence = played.sequences().getFirst();
    assertEquals(
        """
        <|im_start|>user
        Reach 50.
        1: <|vision_start|>[1]<|vision_end|>at 3<|im_end|>
        <|im_start|>assistant
        +<|im_end|>
        <|im_start|>user
        2: <|vision_start|>[1]<|vision_end|>at 4<|im_end|>
        <|im_start|>assistant
        +<|im_end|>
        <|im_start|>user
        3: <|vision_start|>[1]<|vision_end|>at 5<|im_end|>
        <|im_start|>assistant
        +<|im_end|>\
        """,
        folder.text(sequence.tokens()));
    assertEquals(3, Set.copyOf(sequence.pictures()).size(), "each turn another");
    assertEquals(sequence.pictures(), Message.pictures(played.messages()));
    assertEquals(
        List.of(1, 2, 3), prompts.stream().map(prompt -> prompt.pictures().size()).toList());
    assertEquals(sequence.pictures(), prompts.getLast().pictures());
    for (int turn = 0; turn < 3; turn++) {
      assertNotEquals(Trajectory.state("at " + (3 + turn)), played.states()[turn]);
      assertEquals(
          Trajectory.state("at " + (3 + turn), List.of(sequence.pictures().get(turn))),
          played.states()[turn]);
    }
  }

  @Test
  void aPromptRebuiltShowsThePresent() throws InterruptedException {
    Trajectory played =
        play(new StepEnvManager(), "{history}{current_observation}", PromptLimit.NONE, 400);
    Set<Picture> seen = new HashSet<>();
    for (Sequence sequence : played.sequences()) {
      assertEquals(1, sequence.pictures().size());
      assertEquals(
          1, Arrays.stream(sequence.tokens()).filter(t -> t == VisionModelFolder.IMAGE).count());
      seen.addAll(sequence.pictures());
    }
    assertEquals(3, seen.size());
    assertTrue(
        folder
            .text(played.sequences().get(1).tokens())
            .contains("reward: -0.125)<|vision_start|>[1]<|vision_end|>at 4"));
  }

  @Test
  void cutPromptsShowWhatTheirTokensShow() throws InterruptedException {
    for (PromptLimit.Truncation side :
        List.of(
            PromptLimit.Truncation.LEFT,
            PromptLimit.Truncation.RIGHT,
            PromptLimit.Truncation.MIDDLE)) {
      for (int most = 1; most < 60; most++) {
        prompts.clear();
        play(
            new TrajectoryEnvManager(),
            "{observation}{observation}",
            new PromptLimit(most, side),
            400);
        Prompt first = prompts.getFirst();
        assertTrue(first.tokens().length <= most || first.tokens().length < 60);
        long places =
            Arrays.stream(first.tokens()).filter(token -> token == VisionModelFolder.IMAGE).count();
        assertEquals(places, first.pictures().size(), side + " " + most);
      }
    }
  }

  @Test
  void aSampleThatIsFullShowsWhatItHolds() throws InterruptedException {
    for (int length = 1; length < 120; length++) {
      for (Sequence sequence :
          play(new TrajectoryEnvManager(), "{observation}", PromptLimit.NONE, length).sequences()) {
        assertTrue(sequence.tokens().length <= length);
        long places =
            Arrays.stream(sequence.tokens()).filter(t -> t == VisionModelFolder.IMAGE).count();
        assertEquals(places, sequence.pictures().size(), "length " + length);
      }
    }
  }

  @Test
  void moreThanAreAllowedAreRefusedWhereTheyCome() throws InterruptedException {
    PromptConfig two = new PromptConfig(null, "{observation}", 5, PromptLimit.NONE, 2);
    assertEquals(
        "custom_envs.G.limit_mm_per_prompt: a prompt shows 3 pictures, 2 are allowed",
        userError(() -> play(new TrajectoryEnvManager(), two, 400)));
    assertEquals(2, prompts.size());
    PromptConfig none = new PromptConfig(null, "{current_observation}", 5, PromptLimit.NONE, 0);
    assertEquals(
        "custom_envs.G.limit_mm_per_prompt: a prompt shows 1 pictures, 0 are allowed",
        userError(() -> play(new StepEnvManager(), none, 400)));
    PromptConfig one = new PromptConfig(null, "{current_observation}", 5, PromptLimit.NONE, 1);
    assertEquals(3, play(new StepEnvManager(), one, 400).sequences().size());
  }

  @Test
  void aPolicyThatDoesNotSeeIsRefused() throws Exception {
    Files.delete(folder.path().resolve("preprocessor_config.json"));
    chat = folder.format("native");
    assertEquals(
        "custom_envs.G: its observations are pictures, which this model cannot see (its env_config"
            + " can ask for text)",
        userError(() -> play(new TrajectoryEnvManager(), "{observation}", PromptLimit.NONE, 400)));
  }
}
