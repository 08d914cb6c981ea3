package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.AlphaComposite;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.api.env.Scenario;

/**
 * What every {@link Environment} must keep. A plugin's test extends this class, says how to make
 * the environment, and inherits the tests.
 */
public abstract class EnvironmentContract extends ActionContract {
  /** Most bytes a turn may allocate, on average over whole episodes. */
  protected long allocation() {
    return 1 << 20;
  }

  /** The environment says what it is, and its own standard values have the types it declares. */
  @Test
  void describesItself() {
    Environment environment = environment();
    assertFalse(environment.description().isBlank(), "the description is empty");
    OptionDeclarations.check(environment.options());
    Scenario scenario = scenario();
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
      assertEquals(play(fresh(), seed), play(used, seed), () -> "seed " + seed);
    }
  }

  /** Looking at the world, even often, changes nothing. */
  @Test
  void lookingChangesNothing() {
    Scenario scenario = scenario();
    for (long seed : SEEDS) {
      EpisodeDriver watched = player(scenario, seed);
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
    List<EpisodeDriver> players = new ArrayList<>();
    for (long seed : SEEDS) {
      players.add(player(scenario, seed));
    }
    for (int i = 0; i < bound() && !players.stream().allMatch(EpisodeDriver::done); i++) {
      players.forEach(EpisodeDriver::advance);
    }
    for (int i = 0; i < SEEDS.length; i++) {
      assertEquals(play(scenario, SEEDS[i]), players.get(i).history());
    }
  }

  /** One scenario serves many threads at once. */
  @Test
  void episodesMayRunOnManyThreads() throws Exception {
    Scenario scenario = fresh();
    List<Callable<EpisodeDriver.History>> plays = new ArrayList<>();
    for (int copy = 0; copy < 4; copy++) {
      for (long seed : SEEDS) {
        plays.add(() -> play(scenario, seed));
      }
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<EpisodeDriver.History>> histories = threads.invokeAll(plays);
      for (int i = 0; i < plays.size(); i++) {
        assertEquals(play(scenario, SEEDS[i % SEEDS.length]), histories.get(i).get());
      }
    }
  }

  /** An episode belongs to no thread: each turn may be taken on another one. */
  @Test
  void anEpisodeMayMoveFromThreadToThread() throws Exception {
    Scenario scenario = fresh();
    for (long seed : SEEDS) {
      EpisodeDriver player = player(scenario, seed);
      for (int i = 0; i < CLOSELY && !player.done(); i++) {
        try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
          thread.submit(player::advance).get();
        }
      }
      assertEquals(play(scenario, seed), player.finish(bound()).history(), () -> "seed " + seed);
      player.close();
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

  /**
   * The world can be seen at its start and, without a further step, after its end; where somebody
   * draws it, it is drawn always.
   */
  @Test
  void theWorldIsSeenFromStartToEnd() {
    Scenario scenario = scenario();
    for (long seed : SEEDS) {
      EpisodeDriver player = player(scenario, seed);
      Optional<int[]> start = player.episode().render().map(EnvironmentContract::pixels);
      try (Episode twin = scenario.reset(seed)) {
        assertArrayEquals(
            start.orElse(null),
            twin.render().map(EnvironmentContract::pixels).orElse(null),
            "equal worlds look different");
      }
      player.finish(bound());
      assertNotNull(player.episode().observation());
      assertEquals(start.isPresent(), player.episode().render().isPresent());
      player.episode().close();
    }
  }

  /**
   * An agent that sees pictures sees one in every turn, the same in the same world and each time it
   * looks, whatever was painted over the one before.
   */
  @Test
  void picturesAreThereInEveryTurnOrInNone() {
    Scenario scenario = scenario();
    for (long seed : SEEDS) {
      try (EpisodeDriver player = player(scenario, seed);
          EpisodeDriver twin = player(scenario, seed)) {
        boolean pictures = player.episode().picture().isPresent();
        for (int i = 0; i < CLOSELY && !player.done(); i++) {
          Optional<int[]> seen = player.episode().picture().map(EnvironmentContract::pixels);
          assertEquals(pictures, seen.isPresent(), "a picture in some turns only");
          Optional<int[]> again = twin.episode().picture().map(EnvironmentContract::pixels);
          assertArrayEquals(seen.orElse(null), again.orElse(null));
          player.episode().picture().ifPresent(EnvironmentContract::scribble);
          Optional<int[]> later = player.episode().picture().map(EnvironmentContract::pixels);
          assertArrayEquals(
              seen.orElse(null), later.orElse(null), "a picture was handed out twice");
          player.advance();
          twin.advance();
        }
      }
    }
  }

  /** What is aggregated is a metric that steps report. */
  @Test
  void aggregatedMetricsExist() {
    Scenario scenario = scenario();
    Set<String> reported = new HashSet<>();
    for (long seed : SEEDS) {
      play(scenario, seed).turns().forEach(turn -> reported.addAll(turn.step().metrics().keySet()));
    }
    Set<String> missing = new HashSet<>(scenario.aggregations().keySet());
    missing.removeAll(reported);
    assertEquals(Set.of(), missing, "aggregated, but reported by no step");
  }

  /**
   * A turn allocates little: what is built once, as an index, is not built by every episode. Unlike
   * time this does not depend on the machine; how fast a world is tells {@code ./roll bench env}.
   */
  @Test
  void turnsAllocateLittle() {
    Scenario scenario = scenario();
    play(scenario, SEEDS[0]);
    long before = allocated();
    int turns = 0;
    for (long seed : SEEDS) {
      turns += play(scenario, seed).turns().size();
    }
    long mean = (allocated() - before) / turns;
    assertTrue(mean <= allocation(), () -> mean + " bytes a turn, at most " + allocation());
  }

  private static long allocated() {
    return ManagementFactory.getPlatformMXBean(com.sun.management.ThreadMXBean.class)
        .getCurrentThreadAllocatedBytes();
  }

  private static void scribble(BufferedImage image) {
    for (int x = 0; x < image.getWidth(); x++) {
      image.setRGB(x, image.getHeight() / 2, ~image.getRGB(x, image.getHeight() / 2));
    }
  }

  /** The pixels as {@code getRGB} would give them, which converts them one by one. */
  private static int[] pixels(BufferedImage image) {
    assertTrue(image.getWidth() > 0 && image.getHeight() > 0, "the picture is empty");
    int width = image.getWidth();
    int height = image.getHeight();
    BufferedImage copy = new BufferedImage(width, height, BufferedImage.TYPE_INT_ARGB);
    Graphics2D g = copy.createGraphics();
    g.setComposite(AlphaComposite.Src);
    g.drawImage(image, 0, 0, null);
    g.dispose();
    return (int[]) copy.getRaster().getDataElements(0, 0, width, height, null);
  }
}
