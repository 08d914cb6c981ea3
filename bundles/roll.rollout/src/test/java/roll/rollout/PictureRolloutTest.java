package roll.rollout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import roll.api.config.EnvConfig;
import roll.api.data.Message;
import roll.api.data.Trajectory;
import roll.api.image.Picture;
import roll.api.strategy.GenerationRequest;
import roll.rollout.manager.TrajectoryEnvManager;
import roll.rollout.schedule.EqualScoresFilter;
import roll.runtime.config.EnvManagerConfig;
import roll.runtime.config.EnvMonitorConfig;
import roll.runtime.pipeline.PolicyModel;
import roll.runtime.pipeline.RolloutEnvs;
import roll.runtime.pipeline.RolloutRequest;
import roll.testkit.InMemoryPluginRegistry;

/** Whole rollouts of a policy that sees. */
@NullMarked
@Timeout(60)
class PictureRolloutTest {
  private final CountingGame game = new CountingGame();
  private final TablePolicy policy = new TablePolicy(0.7);
  private final EnvManagerConfig envs = Games.envs(List.of("G"), List.of(2), 2);
  private final Map<String, EnvConfig> games;
  private final VisionModelFolder folder;
  private final RolloutService service;

  PictureRolloutTest(@TempDir Path path) {
    folder = VisionModelFolder.in(path);
    games = Map.of("G", Games.game("G", Map.of("target", 50, "pictures", true)));
    service =
        new RolloutService(
            VisionModelFolder.formats(),
            new InMemoryPluginRegistry()
                .with("roll.env", "counting", game)
                .with("roll.env.manager", "trajectory", new TrajectoryEnvManager())
                .with("roll.group.filter", "equal_scores", new EqualScoresFilter()));
  }

  private List<Trajectory> play() {
    return service
        .play(
            new RolloutRequest(
                "train",
                42,
                0,
                4,
                new RolloutEnvs(envs, games, new EnvMonitorConfig(30, 1, 3), Set.of()),
                new PolicyModel("native", folder.tokenizer(), policy, 400),
                Map.of(),
                0))
        .join()
        .trajectories();
  }

  @Test
  void everyRequestShowsWhatItsPromptHasPlacesFor() {
    List<Trajectory> played = play();
    Map<List<Integer>, List<Picture>> asked = new HashMap<>();
    for (List<GenerationRequest> batch : policy.calls) {
      for (GenerationRequest request : batch) {
        long places =
            Arrays.stream(request.prompt())
                .filter(token -> token == VisionModelFolder.IMAGE)
                .count();
        assertEquals(places, request.pictures().size());
        assertFalse(request.pictures().isEmpty());
        asked.put(Arrays.stream(request.prompt()).boxed().toList(), request.pictures());
      }
    }
    for (Trajectory trajectory : played) {
      List<Picture> seen = trajectory.sequences().getFirst().pictures();
      assertEquals(5, seen.size(), "one a turn");
      assertEquals(Message.pictures(trajectory.messages()), seen);
      assertTrue(asked.containsValue(seen));
    }
  }

  @Test
  void whatIsCheckedBeforeIsWhoSees() throws Exception {
    service.check(envs, games, "native", folder.tokenizer(), 400);
    Files.delete(folder.path().resolve("preprocessor_config.json"));
    assertEquals(
        "custom_envs.G: its observations are pictures, which this model cannot see (its env_config"
            + " can ask for text)",
        userError(() -> service.check(envs, games, "native", folder.tokenizer(), 400)));
  }

  @Test
  void aTemplateWithoutPlacesIsFoundBefore() {
    folder.template("{% for m in messages %}{{ m.content }}{% endfor %}");
    assertEquals(
        "the chat template has no place for pictures (1 of them)",
        userError(() -> service.check(envs, games, "native", folder.tokenizer(), 400)));
  }
}
