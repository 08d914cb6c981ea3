package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import roll.api.data.RandomStreams;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.env.Step;
import roll.runtime.option.YamlOptions;

/**
 * What every {@link Environment} must keep of responses: what it lists is understood, anything else
 * is survived. {@link EnvironmentContract} has the rest.
 */
public abstract class ActionContract {
  static final long[] SEEDS =
      LongStream.concat(
              LongStream.range(0, 12).map(i -> i * 7919 - 3),
              LongStream.of(Integer.MAX_VALUE, Long.MAX_VALUE, Long.MIN_VALUE))
          .toArray();

  /** The metric that tells actions from other texts, in worlds that have it. */
  private static final String VALID = "action_is_valid";

  /** Turns of an episode in which every turn is looked at closely. */
  static final int CLOSELY = 20;

  /** A new instance of the environment under test. */
  protected abstract Environment environment();

  /** The {@code env_config} to test with; the standard tests the environment's own standards. */
  protected Map<String, Object> config() {
    return Map.of();
  }

  /** Turns within which {@link #response} reaches the end of every episode. */
  protected int bound() {
    return 10_000;
  }

  /**
   * What the agent of these tests answers: one of the valid actions at random, an empty text where
   * the environment lists none.
   */
  protected String response(Episode episode, RandomGenerator random) {
    List<String> actions = episode.actions();
    return actions.isEmpty() ? "" : episode.respond(actions.get(random.nextInt(actions.size())));
  }

  /** What {@code respond} writes for a listed action is understood as an action. */
  @Test
  void everyListedActionIsAccepted() {
    Scenario scenario = scenario();
    for (long seed : SEEDS) {
      for (String action : actionsAtStart(scenario, seed)) {
        try (Episode episode = scenario.reset(seed)) {
          String response = episode.respond(action);
          Step step = EpisodeDriver.act(episode, response);
          assertNotEquals(0.0, step.metrics().get(VALID), () -> "not accepted: " + response);
        }
      }
    }
  }

  /** So it is in every turn; the actions have different names, and are written differently. */
  @Test
  void listedActionsAreAcceptedInEveryTurn() {
    Scenario scenario = scenario();
    for (long seed : SEEDS) {
      RandomGenerator random = RandomStreams.of(seed, "roll.testkit/actions");
      try (Episode episode = scenario.reset(seed)) {
        boolean over = false;
        for (int turn = 0; turn < CLOSELY && !over && !episode.actions().isEmpty(); turn++) {
          List<String> actions = List.copyOf(episode.actions());
          assertEquals(actions.size(), Set.copyOf(actions).size(), () -> "named twice: " + actions);
          List<String> written = actions.stream().map(episode::respond).toList();
          assertEquals(actions.size(), Set.copyOf(written).size(), () -> "alike: " + written);
          String response = written.get(random.nextInt(written.size()));
          Step step = EpisodeDriver.act(episode, response);
          assertNotEquals(0.0, step.metrics().get(VALID), () -> "not accepted: " + response);
          over = step.done();
        }
      }
    }
  }

  /** An expert, where there is one, takes actions of the world, at its end none. */
  @Test
  void theExpertIsAccepted() {
    Scenario scenario = scenario();
    for (long seed : SEEDS) {
      try (Episode episode = scenario.reset(seed)) {
        boolean over = false;
        for (int turn = 0; !over && turn < bound() && episode.expert().isPresent(); turn++) {
          String action = episode.expert().get();
          assertEquals(action, episode.expert().get(), "asked twice, the expert differs");
          Step step = EpisodeDriver.act(episode, episode.respond(action));
          assertNotEquals(0.0, step.metrics().get(VALID), () -> "not accepted: " + action);
          over = step.done();
        }
        assertTrue(!over || episode.expert().isEmpty(), "the expert goes on after the end");
      }
    }
  }

  /** A response may be any text: the episode goes on or ends, but never fails. */
  @Test
  void anyTextIsSurvived() {
    Scenario scenario = scenario();
    for (String odd : OddTexts.ALL) {
      try (Episode episode = scenario.reset(SEEDS[0])) {
        survive(episode, odd);
      }
    }
  }

  /** Also one after the other, and where the episode is under way; twice the same. */
  @Test
  void anyTextIsSurvivedInAnyTurn() {
    Scenario scenario = scenario();
    for (long seed : SEEDS) {
      assertEquals(babble(scenario, seed), babble(scenario, seed), () -> "seed " + seed);
    }
  }

  private List<Step> babble(Scenario scenario, long seed) {
    RandomGenerator random = RandomStreams.of(seed, "roll.testkit/babble");
    List<Step> steps = new ArrayList<>();
    try (Episode episode = scenario.reset(seed)) {
      for (int i = 0; i < CLOSELY && (steps.isEmpty() || !steps.getLast().done()); i++) {
        String text = OddTexts.ALL.get(random.nextInt(OddTexts.ALL.size()));
        steps.add(survive(episode, random.nextBoolean() ? text : response(episode, random)));
      }
    }
    return steps;
  }

  private static Step survive(Episode episode, String text) {
    Step step = EpisodeDriver.act(episode, text);
    if (!step.done()) {
      assertEquals(List.copyOf(episode.actions()), episode.actions());
      assertNotNull(episode.render());
    }
    return step;
  }

  /** To say nothing is no action, where actions are told from others. */
  @Test
  void nothingIsNoAction() {
    try (Episode episode = scenario().reset(SEEDS[0])) {
      assertNotEquals(1.0, EpisodeDriver.act(episode, "").metrics().get(VALID));
    }
  }

  /**
   * What a test plays: a new one each time. Where making one takes long, one may serve all tests
   * but those that ask for an unused one.
   */
  protected Scenario scenario() {
    return fresh();
  }

  /** A scenario that was not played yet. */
  protected final Scenario fresh() {
    Environment environment = environment();
    return environment.configure(
        YamlOptions.checked("env_config", config(), environment.options()));
  }

  EpisodeDriver player(Scenario scenario, long seed) {
    return new EpisodeDriver(scenario, seed, this::response);
  }

  EpisodeDriver.History play(Scenario scenario, long seed) {
    try (EpisodeDriver player = player(scenario, seed)) {
      return player.finish(bound()).history();
    }
  }

  private static List<String> actionsAtStart(Scenario scenario, long seed) {
    try (Episode episode = scenario.reset(seed)) {
      return List.copyOf(episode.actions());
    }
  }
}
