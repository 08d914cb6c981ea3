package roll.env.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import roll.api.data.RandomStreams;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.env.Step;
import roll.env.frozen_lake.FrozenLakeEnvironment;

/** A lake in Python beside the embedded one: the same trajectories for the same seeds. */
@Tag("processes")
@Timeout(120)
class RemoteLakeTest {
  private static final int EPISODES = 200;
  private static final int MOST_TURNS = 60;

  @AutoClose("deactivate")
  private final RemoteEnvironment environment = new RemoteEnvironment();

  @Test
  void theSameTrajectoriesForTheSameSeeds() {
    Map<String, Object> options = Map.of("size", 5, "is_slippery", true);
    Scenario remote =
        Programs.scenario(environment, Programs.config("lake.py", "options", options));
    Scenario embedded = Programs.scenario(new FrozenLakeEnvironment(), options);
    int turns = 0;
    for (long seed = -50; seed < EPISODES - 50; seed++) {
      turns += alike(embedded, remote, seed * 7_919_000_003L);
    }
    assertTrue(turns > 5 * EPISODES, () -> "hardly anything was played");
  }

  /** Plays both with the same responses, every fifth of which is no action. */
  static int alike(Scenario one, Scenario other, long seed) {
    RandomGenerator random = RandomStreams.of(seed, "roll.env.remote/test");
    try (Episode embedded = one.reset(seed);
        Episode remote = other.reset(seed)) {
      assertEquals(embedded.observation(), remote.observation());
      for (int turn = 0; turn < MOST_TURNS; turn++) {
        assertEquals(embedded.actions(), remote.actions());
        assertEquals(embedded.expert(), remote.expert());
        List<String> actions = embedded.actions();
        String action = actions.get(random.nextInt(actions.size()));
        assertEquals(embedded.respond(action), remote.respond(action));
        String response = random.nextInt(5) == 0 ? action : embedded.respond(action);
        Step expected = embedded.step(response);
        assertEquals(expected, remote.step(response), "seed " + seed + ", turn " + turn);
        if (expected.done()) {
          return turn + 1;
        }
      }
    }
    return MOST_TURNS;
  }
}
