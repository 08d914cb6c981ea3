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
import org.junit.jupiter.api.AfterEach;
import roll.api.data.RandomStreams;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.env.Step;
import roll.runtime.option.YamlOptions;

/**
 * The guarantees of every {@link Environment} about responses: listed actions are accepted, and any
 * other text is handled. {@link EnvironmentContract} has the other guarantees.
 */
public abstract class ActionContract {
  static final long[] SEEDS =
      LongStream.concat(
              LongStream.range(0, 12).map(i -> i * 7919 - 3),
              LongStream.of(Integer.MAX_VALUE, Long.MAX_VALUE, Long.MIN_VALUE))
          .toArray();

  /** Name of the optional metric that is 1 for a valid action and 0 for other texts. */
  private static final String VALID = "action_is_valid";

  /** Maximum number of turns in tests that check every turn. */
  static final int CLOSELY = 20;

  private final List<Scenario> opened = new ArrayList<>();

  /** Returns a new instance of the environment under test. */
  protected abstract Environment environment();

  /** Returns the {@code env_config} to test with; by default the environment's own defaults. */
  protected Map<String, Object> config() {
    return Map.of();
  }

  /** Returns the number of turns within which {@link #response} ends every episode. */
  protected int bound() {
    return 10_000;
  }

  /**
   * Returns the response of the agent in these tests: a random valid action, or an empty text if
   * the environment lists none.
   */
  protected String response(Episode episode, RandomGenerator random) {
    List<String> actions = episode.actions();
    return actions.isEmpty() ? "" : episode.respond(actions.get(random.nextInt(actions.size())));
  }

  @ContractTest(
      value = "The response written for a listed action is parsed as that action.",
      look = "respond() and the parser in step()")
  void everyListedActionIsAccepted() {
    Scenario scenario = scenario();
    for (long seed : SEEDS) {
      for (String action : actionsAtStart(scenario, seed)) {
        try (Episode episode = scenario.reset(seed)) {
          String response = episode.respond(action);
          Step step = EpisodeDriver.act(episode, response);
          assertNotEquals(
              0.0, step.metrics().get(VALID), () -> "action_is_valid is 0 for: " + response);
        }
      }
    }
  }

  @ContractTest(
      value =
          "In every turn the listed actions have different names and different responses, and "
              + "each is accepted.",
      look = "actions(), respond() and the parser in step()")
  void listedActionsAreAcceptedInEveryTurn() {
    Scenario scenario = scenario();
    for (long seed : SEEDS) {
      RandomGenerator random = RandomStreams.of(seed, "roll.testkit/actions");
      try (Episode episode = scenario.reset(seed)) {
        boolean over = false;
        for (int turn = 0; turn < CLOSELY && !over && !episode.actions().isEmpty(); turn++) {
          List<String> actions = List.copyOf(episode.actions());
          assertEquals(
              actions.size(),
              Set.copyOf(actions).size(),
              () -> "two actions with one name: " + actions);
          List<String> written = actions.stream().map(episode::respond).toList();
          assertEquals(
              actions.size(),
              Set.copyOf(written).size(),
              () -> "two actions with one response: " + written);
          String response = written.get(random.nextInt(written.size()));
          Step step = EpisodeDriver.act(episode, response);
          assertNotEquals(
              0.0, step.metrics().get(VALID), () -> "action_is_valid is 0 for: " + response);
          over = step.done();
        }
      }
    }
  }

  @ContractTest(
      value =
          "The expert, if there is one, always gives the same valid action, and none after "
              + "the end.",
      look = "expert()")
  void theExpertIsAccepted() {
    Scenario scenario = scenario();
    for (long seed : SEEDS) {
      try (Episode episode = scenario.reset(seed)) {
        boolean over = false;
        for (int turn = 0; !over && turn < bound() && episode.expert().isPresent(); turn++) {
          String action = episode.expert().get();
          assertEquals(action, episode.expert().get(), "second answer of the expert");
          Step step = EpisodeDriver.act(episode, episode.respond(action));
          assertNotEquals(
              0.0, step.metrics().get(VALID), () -> "action_is_valid is 0 for: " + action);
          over = step.done();
        }
        assertTrue(!over || episode.expert().isEmpty(), "the expert gives an action after the end");
      }
    }
  }

  @ContractTest(
      value = "Any response is handled: the episode continues or ends, but never throws.",
      look = "the parser in step()")
  void anyTextIsHandled() {
    Scenario scenario = scenario();
    for (String odd : MalformedTexts.ALL) {
      try (Episode episode = scenario.reset(SEEDS[0])) {
        check(episode, odd);
      }
    }
  }

  @ContractTest(
      value = "Any sequence of responses is handled in any turn, twice with the same result.",
      look = "the parser in step(), and randomness that is not of the seed")
  void anyTextIsHandledInAnyTurn() {
    Scenario scenario = scenario();
    for (long seed : SEEDS) {
      EpisodeDriver.assertSameTurns(randomTexts(scenario, seed), randomTexts(scenario, seed), seed);
    }
  }

  private List<Step> randomTexts(Scenario scenario, long seed) {
    RandomGenerator random = RandomStreams.of(seed, "roll.testkit/babble");
    List<Step> steps = new ArrayList<>();
    try (Episode episode = scenario.reset(seed)) {
      for (int i = 0; i < CLOSELY && (steps.isEmpty() || !steps.getLast().done()); i++) {
        String text = MalformedTexts.ALL.get(random.nextInt(MalformedTexts.ALL.size()));
        steps.add(check(episode, random.nextBoolean() ? text : response(episode, random)));
      }
    }
    return steps;
  }

  private static Step check(Episode episode, String text) {
    Step step = EpisodeDriver.act(episode, text);
    if (!step.done()) {
      assertEquals(List.copyOf(episode.actions()), episode.actions());
      assertNotNull(episode.render());
    }
    return step;
  }

  @ContractTest(
      value = "An empty response is not a valid action where valid actions are counted.",
      look = "the metric action_is_valid of step(\"\")")
  void anEmptyTextIsNotAnAction() {
    try (Episode episode = scenario().reset(SEEDS[0])) {
      assertNotEquals(1.0, EpisodeDriver.act(episode, "").metrics().get(VALID));
    }
  }

  /**
   * Returns the scenario of a test, by default a new one each time. A subclass whose scenario is
   * slow to create may return one for all tests; tests of new instances use {@link #fresh}.
   */
  protected Scenario scenario() {
    return fresh();
  }

  /** Returns a new scenario to be tested. */
  protected final Scenario fresh() {
    Environment environment = environment();
    Scenario scenario =
        environment.configure(YamlOptions.checked("env_config", config(), environment.options()));
    opened.add(scenario);
    return scenario;
  }

  /** Closes the scenarios of a test. */
  @AfterEach
  final void closeScenarios() {
    opened.forEach(Scenario::close);
    opened.clear();
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
