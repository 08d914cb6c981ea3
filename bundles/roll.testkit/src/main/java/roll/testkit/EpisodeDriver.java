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

/** Plays one episode turn by turn, checks every step and remembers all that was seen. */
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

  /** One turn; nothing after the end. */
  void advance() {
    if (done()) {
      return;
    }
    List<String> actions = List.copyOf(episode.actions());
    String response = agent.apply(episode, random);
    Step step = act(episode, response);
    turns.add(new Turn(actions, response, step));
  }

  /** Plays to the end, but at most {@code bound} turns. */
  EpisodeDriver finish(int bound) {
    for (int i = 0; i < bound && !done(); i++) {
      advance();
    }
    return this;
  }

  /** All that was seen: equal worlds give equal histories. */
  History history() {
    return new History(start, List.copyOf(turns));
  }

  @Override
  public void close() {
    episode.close();
  }

  /** Acts and checks what every step must be. */
  static Step act(Episode episode, String response) {
    Step step = episode.step(response);
    assertTrue(Double.isFinite(step.reward()), () -> "reward is " + step.reward());
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

  record History(String start, List<Turn> turns) {}
}
