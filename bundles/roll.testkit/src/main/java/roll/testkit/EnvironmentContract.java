package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import roll.api.config.OptionInfo;
import roll.api.config.Options;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.env.Step;

/**
 * What every {@link Environment} must keep. A plugin's test extends this class, says how to make
 * the environment, and inherits the tests.
 */
public abstract class EnvironmentContract {
  private static final long[] SEEDS = LongStream.range(0, 12).map(i -> i * 7919 - 3).toArray();

  private static final List<String> ODD_RESPONSES =
      List.of(
          "",
          " \n\t",
          "no action at all",
          "<answer></answer>",
          "<answer>",
          "</answer>Up<answer>",
          "<answer>no such action</answer>",
          "<answer>$1 \\ \\E [a-z]* (?<x></answer>",
          "\u0000\uD83E\uDDCA\uD800 \u202E",
          "<|im_start|><|im_end|>",
          "x".repeat(100_000));

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

  /** The environment says what it is, and its own standard values have the types it declares. */
  @Test
  void describesItself() {
    Environment environment = environment();
    assertFalse(environment.description().isBlank(), "the description is empty");
    Map<String, Object> standards = new HashMap<>(config());
    Set<String> names = new HashSet<>();
    for (OptionInfo option : environment.options()) {
      assertTrue(names.add(option.name()), () -> "option " + option.name() + " is declared twice");
      assertFalse(option.meaning().isBlank(), () -> "option " + option.name() + " has no meaning");
      if (option.standard() != null) {
        standards.putIfAbsent(option.name(), option.standard());
      }
    }
    Scenario scenario =
        environment.configure(Options.of("env_config", standards, environment.options()));
    assertNotNull(scenario.instruction(), "the instruction is null");
    scenario.aggregations().forEach((name, how) -> assertNotNull(how, name));
  }

  /** Members of a group, which share a seed, play the same world. */
  @Test
  void equalSeedsGiveEqualEpisodes() {
    Scenario scenario = scenario();
    for (long seed : SEEDS) {
      assertEquals(play(scenario, seed), play(scenario, seed), () -> "seed " + seed);
    }
  }

  /** What an instance played before has no influence: a fresh one gives the same episodes. */
  @Test
  void aFreshInstanceGivesTheSameEpisodes() {
    Scenario used = scenario();
    for (long seed : SEEDS) {
      assertEquals(play(scenario(), seed), play(used, seed), () -> "seed " + seed);
    }
  }

  /** Looking at the world, even often, changes nothing. */
  @Test
  void lookingChangesNothing() {
    Scenario scenario = scenario();
    for (long seed : SEEDS) {
      Player watched = player(scenario, seed);
      for (int i = 0; i < bound() && !watched.done(); i++) {
        if (i < 5) {
          assertEquals(watched.episode().observation(), watched.episode().observation());
          assertEquals(watched.episode().actions(), watched.episode().actions());
          watched.episode().actions().forEach(watched.episode()::respond);
          assertEquals(watched.episode().expert(), watched.episode().expert());
          assertNotNull(watched.episode().picture());
          assertNotNull(watched.episode().render());
        }
        watched.advance();
      }
      assertEquals(play(scenario, seed), watched.history(), () -> "seed " + seed);
    }
  }

  /** Episodes have no state in common. */
  @Test
  void interleavedEpisodesDoNotDisturbEachOther() {
    Scenario scenario = scenario();
    List<Player> players = new ArrayList<>();
    for (long seed : SEEDS) {
      players.add(player(scenario, seed));
    }
    for (int i = 0; i < bound() && !players.stream().allMatch(Player::done); i++) {
      players.forEach(Player::advance);
    }
    for (int i = 0; i < SEEDS.length; i++) {
      assertEquals(play(scenario, SEEDS[i]), players.get(i).history());
    }
  }

  /** One scenario serves many threads at once. */
  @Test
  void episodesMayRunOnManyThreads() throws Exception {
    Scenario scenario = scenario();
    List<Callable<Player.History>> plays = new ArrayList<>();
    for (int copy = 0; copy < 4; copy++) {
      for (long seed : SEEDS) {
        plays.add(() -> play(scenario, seed));
      }
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Player.History>> histories = threads.invokeAll(plays);
      for (int i = 0; i < plays.size(); i++) {
        assertEquals(play(scenario, SEEDS[i % SEEDS.length]), histories.get(i).get());
      }
    }
  }

  /** What {@code respond} writes for a listed action is understood as an action. */
  @Test
  void everyListedActionIsAccepted() {
    Scenario scenario = scenario();
    for (long seed : SEEDS) {
      for (String action : actionsAtStart(scenario, seed)) {
        try (Episode episode = scenario.reset(seed)) {
          String response = episode.respond(action);
          Double valid = Player.act(episode, response).metrics().get("action_is_valid");
          assertTrue(valid == null || valid == 1, () -> "not accepted: " + response);
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
          Step step = Player.act(episode, episode.respond(action));
          Double valid = step.metrics().get("action_is_valid");
          assertTrue(valid == null || valid == 1, () -> "not accepted: " + action);
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
    for (String odd : ODD_RESPONSES) {
      try (Episode episode = scenario.reset(SEEDS[0])) {
        if (!Player.act(episode, odd).done()) {
          assertEquals(List.copyOf(episode.actions()), episode.actions());
          assertNotNull(episode.render());
        }
      }
    }
  }

  /** Every episode ends. */
  @Test
  void episodesEnd() {
    Scenario scenario = scenario();
    for (long seed : SEEDS) {
      assertTrue(
          player(scenario, seed).finish(bound()).done(),
          () -> "seed " + seed + " has not ended after " + bound() + " turns");
    }
  }

  /** The world can be seen at its start and, without a further step, after its end. */
  @Test
  void theWorldIsRenderedFromStartToEnd() {
    Scenario scenario = scenario();
    for (long seed : SEEDS) {
      Player player = player(scenario, seed);
      int[] start = pixels(player.episode().render());
      try (Episode twin = scenario.reset(seed)) {
        assertArrayEquals(start, pixels(twin.render()), "equal worlds look different");
      }
      player.finish(bound());
      assertNotNull(player.episode().observation());
      assertTrue(pixels(player.episode().render()).length > 0);
      player.episode().close();
    }
  }

  private Scenario scenario() {
    Environment environment = environment();
    return environment.configure(Options.of("env_config", config(), environment.options()));
  }

  private Player player(Scenario scenario, long seed) {
    return new Player(scenario, seed, this::response);
  }

  private Player.History play(Scenario scenario, long seed) {
    try (Player player = player(scenario, seed)) {
      return player.finish(bound()).history();
    }
  }

  private static List<String> actionsAtStart(Scenario scenario, long seed) {
    try (Episode episode = scenario.reset(seed)) {
      return List.copyOf(episode.actions());
    }
  }

  private static int[] pixels(BufferedImage image) {
    assertTrue(image.getWidth() > 0 && image.getHeight() > 0, "the picture is empty");
    return image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
  }
}
