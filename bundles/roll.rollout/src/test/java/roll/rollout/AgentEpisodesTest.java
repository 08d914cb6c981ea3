package roll.rollout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.api.config.EnvConfig;
import roll.api.config.EnvLimits;
import roll.api.config.PromptConfig;
import roll.api.data.Trajectory;
import roll.api.option.UserException;
import roll.runtime.config.EnvMonitorConfig;
import roll.runtime.pipeline.RolloutListener;
import roll.runtime.pipeline.RolloutRequest;

/** Limits on concurrent episodes of agents, and the end of such episodes and rollouts. */
@NullMarked
@Timeout(60)
class AgentEpisodesTest {
  private final AgentRollouts rollouts = new AgentRollouts();

  @Test
  void tenThousandEpisodesPlayAtOnce() {
    CountDownLatch all = new CountDownLatch(10_000);
    rollouts.writing =
        turn -> {
          all.countDown();
          assertTrue(all.await(50, TimeUnit.SECONDS), "not all are in play");
          return "+";
        };
    List<Trajectory> played = rollouts.play(2500, 4, Map.of("target", 50));
    assertEquals(10_000, played.size());
    assertEquals(50_000, rollouts.asked.size());
    assertEquals(0, rollouts.game.open.get());
  }

  @Test
  void onlySoManyEpisodesAreInPlayAsItCanKeepUpWith() {
    rollouts.maxEpisodes = 3;
    AtomicInteger most = new AtomicInteger();
    rollouts.writing =
        turn -> {
          most.accumulateAndGet(rollouts.game.open.get(), Math::max);
          Thread.sleep(1);
          return "+";
        };
    assertEquals(40, rollouts.play(10, 4, Map.of("target", 50)).size());
    assertEquals(3, most.get());
  }

  @Test
  void aWorldThatFailsGivesItsPlaceBack() {
    rollouts.maxEpisodes = 1;
    List<Trajectory> played = rollouts.play(6, 2, Map.of("target", 60, "breaks_at", 5));
    assertEquals(12, played.size());
    played.forEach(trajectory -> assertTrue(trajectory.key().seed() % 10 >= 5, trajectory.id()));
  }

  /** An episode that never comes back from a step does not keep the next one from its turn. */
  @Test
  void aWorldThatHangsGivesItsPlaceBack() {
    rollouts.maxEpisodes = 1;
    Map<String, Object> sick = Map.of("trouble", "sleep", "sick", 3);
    EnvConfig game =
        new EnvConfig(
            "A",
            "trouble",
            "trajectory",
            EnvLimits.steps(5),
            PromptConfig.of("{observation}"),
            sick);
    RolloutRequest request =
        Games.request(
            "train",
            8,
            AgentRollouts.envs(4, 2, "tester", Map.of()),
            AgentRollouts.NOBODY,
            new EnvMonitorConfig(0.1, 1, 3),
            game);
    var result = rollouts.service.play(request).join();
    rollouts.trouble.released = true;
    assertEquals(8, result.trajectories().size());
    assertTrue(result.metrics().getOrDefault("env/A/timeouts", 0.0) > 0);
  }

  @Test
  void itsFailureEndsTheRolloutWithOneLine() {
    rollouts.writing =
        turn -> {
          throw new UserException("the endpoint says 401: no such key");
        };
    CompletionException e =
        assertThrows(CompletionException.class, () -> rollouts.play(4, 2, Map.of()));
    assertTrue(e.getCause() instanceof UserException, e::toString);
    String line = e.getCause().getMessage();
    assertTrue(line.startsWith("episode of A (group "), line);
    assertTrue(line.endsWith("): the endpoint says 401: no such key"), line);
    assertEquals(0, rollouts.game.open.get());
    assertEquals(1, rollouts.closed.get());
  }

  @Test
  void whatCameToItsEndIsHeardOfBeforeTheRolloutIsCancelled() throws InterruptedException {
    CountDownLatch stuck = new CountDownLatch(1);
    Set<String> heard = Collections.synchronizedSet(new HashSet<>());
    CountDownLatch three = new CountDownLatch(3);
    RolloutListener listener =
        (trajectory, frames) -> {
          heard.add(trajectory.id());
          three.countDown();
        };
    AtomicInteger episodes = new AtomicInteger();
    rollouts.writing =
        turn -> {
          if (turn.number() == 0 && episodes.incrementAndGet() > 3) {
            stuck.await();
          }
          return "+";
        };
    var playing =
        rollouts.service.play(AgentRollouts.request(4, 2, Map.of("target", 50)), listener);
    assertTrue(three.await(50, TimeUnit.SECONDS));
    playing.cancel(true);
    assertTrue(playing.isCancelled());
    assertEquals(3, heard.size());
  }
}
