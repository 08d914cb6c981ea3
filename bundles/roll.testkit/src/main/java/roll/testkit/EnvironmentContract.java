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
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.api.env.Scenario;

/**
 * The guarantees of every {@link Environment}. A plugin's test extends this class, creates the
 * environment, and inherits the tests.
 */
public abstract class EnvironmentContract extends ActionContract {
  /** Returns the maximum bytes that a turn may allocate, on average over whole episodes. */
  protected long allocation() {
    return 1 << 20;
  }

  @ContractTest(
      value = "An environment has a description, an instruction and valid option declarations.",
      look = "description(), options(), instruction() and aggregations()")
  void describesItself() {
    Environment environment = environment();
    assertFalse(environment.description().isBlank(), "the description is empty");
    OptionDeclarations.check(environment.options());
    Scenario scenario = scenario();
    assertNotNull(scenario.instruction(), "the instruction is null");
    scenario.aggregations().forEach((name, how) -> assertNotNull(how, name));
  }

  @ContractTest(
      value = "Equal seeds give equal episodes, because the members of a group share a seed.",
      look = "reset(seed): take all randomness from the seed")
  void equalSeedsGiveEqualEpisodes() {
    Scenario scenario = scenario();
    for (long seed : SEEDS) {
      play(scenario, seed).assertSame(play(scenario, seed), seed);
    }
  }

  @ContractTest(
      value =
          "Earlier episodes of an instance have no influence: a new instance gives the same "
              + "episodes.",
      look = "fields of the environment and the scenario that episodes modify")
  void aNewInstanceGivesTheSameEpisodes() {
    Scenario used = scenario();
    for (long seed : SEEDS) {
      play(fresh(), seed).assertSame(play(used, seed), seed);
    }
  }

  @ContractTest(
      value = "Getters of an episode change nothing, however often they are called.",
      look = "observation(), actions(), respond(), expert(), picture() and render()")
  void gettersChangeNothing() {
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
      play(scenario, seed).assertSame(watched.history(), seed);
    }
  }

  @ContractTest(
      value = "Episodes share no state: interleaved ones are played as each alone.",
      look = "static fields, and fields of the scenario that episodes modify")
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
      play(scenario, SEEDS[i]).assertSame(players.get(i).history(), SEEDS[i]);
    }
  }

  @ContractTest(
      value = "One scenario plays episodes on many threads at once.",
      look = "fields of the scenario that are modified without synchronization")
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
        long seed = SEEDS[i % SEEDS.length];
        play(scenario, seed).assertSame(histories.get(i).get(), seed);
      }
    }
  }

  @ContractTest(
      value = "An episode is bound to no thread: each turn may run on another one.",
      look = "thread-locals, and native handles that belong to a thread")
  void anEpisodeMayMoveFromThreadToThread() throws Exception {
    Scenario scenario = fresh();
    for (long seed : SEEDS) {
      EpisodeDriver player = player(scenario, seed);
      for (int i = 0; i < CLOSELY && !player.done(); i++) {
        try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
          thread.submit(player::advance).get();
        }
      }
      play(scenario, seed).assertSame(player.finish(bound()).history(), seed);
      player.close();
    }
  }

  @ContractTest(value = "Every episode ends.", look = "step(): the condition of done")
  void episodesEnd() {
    Scenario scenario = scenario();
    for (long seed : SEEDS) {
      assertTrue(
          player(scenario, seed).finish(bound()).done(),
          () -> "seed " + seed + " has not ended after " + bound() + " turns");
    }
  }

  @ContractTest(
      value =
          "An episode has an observation from its start to its end, and is rendered always or "
              + "never, equal episodes alike.",
      look = "observation() and render(), also after the last step")
  void observationsExistFromStartToEnd() {
    Scenario scenario = scenario();
    for (long seed : SEEDS) {
      EpisodeDriver player = player(scenario, seed);
      Optional<int[]> start = player.episode().render().map(EnvironmentContract::pixels);
      try (Episode twin = scenario.reset(seed)) {
        assertArrayEquals(
            start.orElse(null),
            twin.render().map(EnvironmentContract::pixels).orElse(null),
            "two episodes with seed " + seed + " are rendered differently");
      }
      player.finish(bound());
      assertNotNull(player.episode().observation());
      assertEquals(
          start.isPresent(),
          player.episode().render().isPresent(),
          "rendered at the start, and at the end");
      player.episode().close();
    }
  }

  @ContractTest(
      value =
          "An episode has a picture in every turn or in none: a new image each time, with "
              + "equal pixels in equal states.",
      look = "picture(): draw a new image from the state on each call")
  void picturesAreThereInEveryTurnOrInNone() {
    Scenario scenario = scenario();
    for (long seed : SEEDS) {
      try (EpisodeDriver player = player(scenario, seed);
          EpisodeDriver twin = player(scenario, seed)) {
        boolean pictures = player.episode().picture().isPresent();
        for (int i = 0; i < CLOSELY && !player.done(); i++) {
          Optional<int[]> seen = player.episode().picture().map(EnvironmentContract::pixels);
          assertEquals(
              pictures, seen.isPresent(), "a picture in the first turn, and in turn " + (i + 1));
          Optional<int[]> again = twin.episode().picture().map(EnvironmentContract::pixels);
          assertArrayEquals(
              seen.orElse(null), again.orElse(null), "pictures of two equal episodes");
          player.episode().picture().ifPresent(EnvironmentContract::scribble);
          Optional<int[]> later = player.episode().picture().map(EnvironmentContract::pixels);
          assertArrayEquals(
              seen.orElse(null), later.orElse(null), "the same image object was returned twice");
          player.advance();
          twin.advance();
        }
      }
    }
  }

  @ContractTest(
      value = "Every aggregated metric is reported by some step.",
      look = "the names in aggregations() and in the metrics of step()")
  void aggregatedMetricsExist() {
    Scenario scenario = scenario();
    Set<String> reported = new HashSet<>();
    for (long seed : SEEDS) {
      play(scenario, seed).turns().forEach(turn -> reported.addAll(turn.step().metrics().keySet()));
    }
    Set<String> missing = new HashSet<>(scenario.aggregations().keySet());
    missing.removeAll(reported);
    assertEquals(Set.of(), missing, "aggregated metrics that no step reports");
  }

  @ContractTest(
      value =
          "A turn allocates little memory; an index, for example, is built once and not by "
              + "every episode.",
      look = "what reset() and step() build; move the shared part to configure()")
  void turnsAllocateLittle() {
    Scenario scenario = scenario();
    play(scenario, SEEDS[0]);
    long before = allocated();
    int turns = 0;
    for (long seed : SEEDS) {
      turns += play(scenario, seed).turns().size();
    }
    long mean = (allocated() - before) / turns;
    assertTrue(mean <= allocation(), () -> mean + " bytes per turn, more than " + allocation());
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

  /** Returns the pixels of {@code getRGB}, which would convert them one by one. */
  private static int[] pixels(BufferedImage image) {
    assertTrue(image.getWidth() > 0 && image.getHeight() > 0, "the picture has no pixels");
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
