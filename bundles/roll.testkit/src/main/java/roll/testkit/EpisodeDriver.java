package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.random.RandomGenerator;
import roll.api.data.RandomStreams;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.env.Step;

/** Plays one episode turn by turn, checks every step and records a history. */
final class EpisodeDriver implements AutoCloseable {
  private final Episode episode;
  private final RandomGenerator random;
  private final BiFunction<Episode, RandomGenerator, String> agent;
  private final List<Turn> turns = new ArrayList<>();
  private final String start;

  EpisodeDriver(Scenario scenario, long seed, BiFunction<Episode, RandomGenerator, String> agent) {
    this.episode = scenario.reset(seed);
    this.random = RandomStreams.of(seed, "roll.testkit/agent");
    this.agent = agent;
    this.start = episode.observation();
    assertNotNull(start, "the first observation is null");
  }

  Episode episode() {
    return episode;
  }

  boolean done() {
    return !turns.isEmpty() && turns.getLast().step().done();
  }

  /** Plays one turn; does nothing after the end. */
  void advance() {
    if (done()) {
      return;
    }
    List<String> actions = List.copyOf(episode.actions());
    String response = agent.apply(episode, random);
    Step step = act(episode, response);
    turns.add(new Turn(actions, response, step));
  }

  /** Plays to the end, at most {@code bound} turns. */
  EpisodeDriver finish(int bound) {
    for (int i = 0; i < bound && !done(); i++) {
      advance();
    }
    return this;
  }

  /** Returns the turns played, which are equal for equal episodes. */
  History history() {
    return new History(start, List.copyOf(turns));
  }

  @Override
  public void close() {
    episode.close();
  }

  /** Takes a step with {@code response} and checks its numbers and its observation. */
  static Step act(Episode episode, String response) {
    Step step = episode.step(response);
    assertTrue(Double.isFinite(step.reward()), () -> "the reward is " + step.reward());
    assertEquals(
        step.observation(), episode.observation(), "the step's observation is not the episode's");
    step.metrics()
        .forEach(
            (name, value) -> {
              assertFalse(name.isBlank(), "a metric has no name");
              assertTrue(Double.isFinite(value), () -> "metric " + name + " is " + value);
            });
    return step;
  }

  record Turn(List<String> actions, String response, Step step) {}

  /**
   * The recorded turns of an episode.
   *
   * @param start the first observation
   */
  record History(String start, List<Turn> turns) {
    /** Fails unless {@code other} is equal, and shows the first turn that differs. */
    void assertSame(History other, long seed) {
      assertEquals(start, other.start, () -> "seed " + seed + ": first observation");
      assertSameTurns(turns, other.turns, seed);
    }
  }

  /** Fails unless the lists are equal, and shows the first turn that differs. */
  static <T> void assertSameTurns(List<T> expected, List<T> found, long seed) {
    for (int i = 0; i < Math.min(expected.size(), found.size()); i++) {
      int turn = i + 1;
      assertEquals(expected.get(i), found.get(i), () -> "seed " + seed + ", turn " + turn);
    }
    assertEquals(expected.size(), found.size(), () -> "seed " + seed + ": number of turns");
  }
}
