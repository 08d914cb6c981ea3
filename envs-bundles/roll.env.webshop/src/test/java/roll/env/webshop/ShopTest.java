package roll.env.webshop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.data.RandomStreams;
import roll.api.env.Step;
import roll.env.webshop.catalog.GeneratedProducts;
import roll.env.webshop.catalog.Goal;
import roll.env.webshop.catalog.Product;

/** Shops as a whole: what is shared, what the expert reaches, what the seed decides. */
class ShopTest {
  @TempDir Path folder;

  @Test
  void theExpertBuysEveryGeneratedGoalFor1() {
    for (boolean human : new boolean[] {false, true}) {
      WebshopScenario scenario =
          Excerpt.scenario(new WebshopEnvironment(), Map.of("human_goals", human));
      assertEquals(1_000, scenario.goals().size());
      for (Goal goal : scenario.goals()) {
        assertEquals(1, expert(scenario, goal), goal::instruction);
      }
    }
  }

  @Test
  void theExpertBuysWebShopsGoalsFor1() throws IOException {
    Path shared =
        Path.of(System.getProperty("roll.root"), "../shared/data/webshop/products-first300.jsonl");
    boolean all = Files.exists(shared);
    Path file = all ? shared : Excerpt.file(folder);
    WebshopScenario scenario =
        Excerpt.scenario(
            new WebshopEnvironment(), Map.of("file_path", file.toString(), "max_steps", 20));
    assertTrue(scenario.goals().size() > (all ? 1_500 : 100));
    for (Goal goal : scenario.goals()) {
      assertEquals(1, expert(scenario, goal), goal::instruction);
    }
  }

  @Test
  void theExpertFindsBackFromAnywhere() {
    WebshopScenario scenario =
        Excerpt.scenario(new WebshopEnvironment(), Map.of("max_steps", 1_000));
    for (int seed = 0; seed < 30; seed++) {
      RandomGenerator random = RandomStreams.of(seed, "test");
      WebshopEpisode episode = (WebshopEpisode) scenario.reset(seed);
      for (int i = 0; i < 20; i++) {
        List<String> actions = new ArrayList<>(episode.actions());
        actions.remove("click[buy now]");
        episode.step(episode.respond(actions.get(random.nextInt(actions.size()))));
      }
      Step last = null;
      for (int i = 0; i < 30 && (last == null || !last.done()); i++) {
        last = episode.step(episode.respond(episode.expert().orElseThrow()));
      }
      assertEquals(1, last.reward(), episode.goal()::instruction);
    }
  }

  private static double expert(WebshopScenario scenario, Goal goal) {
    WebshopEpisode episode = new WebshopEpisode(scenario, goal);
    Step last = null;
    while (last == null || !last.done()) {
      last = episode.step(episode.respond(episode.expert().orElseThrow()));
    }
    return last.reward();
  }

  @Test
  void aThousandSessionsShareOneIndex() throws Exception {
    WebshopEnvironment environment = new WebshopEnvironment();
    WebshopScenario scenario = Excerpt.scenario(environment, Map.of());
    List<Callable<List<String>>> visits = new ArrayList<>();
    for (int seed = 0; seed < 1_000; seed++) {
      int visitor = seed;
      visits.add(() -> wander(Excerpt.scenario(environment, Map.of()), visitor));
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<List<String>>> seen = threads.invokeAll(visits);
      for (int seed = 0; seed < visits.size(); seed++) {
        assertEquals(wander(scenario, seed), seen.get(seed).get());
      }
    }
    assertSame(
        scenario.site().catalog(),
        Excerpt.scenario(environment, Map.of("human_goals", true)).site().catalog());
    assertNotSame(
        scenario.site().catalog(),
        Excerpt.scenario(environment, Map.of("num_products", 20)).site().catalog());
  }

  private static List<String> wander(WebshopScenario scenario, int seed) {
    RandomGenerator random = RandomStreams.of(seed, "test");
    List<String> seen = new ArrayList<>();
    try (var episode = scenario.reset(seed)) {
      seen.add(episode.observation());
      for (boolean done = false; !done; ) {
        List<String> actions = episode.actions();
        Step step = episode.step(episode.respond(actions.get(random.nextInt(actions.size()))));
        seen.add(step.observation() + step.reward());
        done = step.done();
      }
    }
    return seen;
  }

  @Test
  void aChangedFileIsReadAgain() throws IOException {
    Path file = Excerpt.file(folder);
    WebshopEnvironment environment = new WebshopEnvironment();
    Map<String, Object> config = Map.of("file_path", file.toString());
    WebshopScenario before = Excerpt.scenario(environment, config);
    assertSame(before.site().catalog(), Excerpt.scenario(environment, config).site().catalog());
    Files.write(file, Excerpt.lines("products.jsonl").subList(0, 4));
    Files.setLastModifiedTime(file, FileTime.fromMillis(1));
    WebshopScenario after = Excerpt.scenario(environment, config);
    assertEquals(11, before.site().catalog().products().size());
    assertEquals(4, after.site().catalog().products().size());
  }

  @Test
  void generatedProductsAreAlwaysTheSameAndAllDifferent() {
    List<Product> products = new GeneratedProducts().first(3_000);
    assertEquals(products, new GeneratedProducts().first(3_000));
    Set<String> titles = new HashSet<>();
    Set<String> numbers = new HashSet<>();
    for (Product product : products) {
      assertTrue(titles.add(product.title()), product::title);
      assertTrue(numbers.add(product.asin()), product::asin);
      assertTrue(product.asin().matches("B0[0-9A-Z]{8}"), product::asin);
      assertTrue(product.price() > 0 && product.price() < 500, product::toString);
      assertTrue(product.attributes().containsAll(product.wish().orElseThrow().attributes()));
      product.options().values().forEach(values -> assertTrue(values.size() >= 2));
    }
  }

  @Test
  void theSeedDecidesTheGoal() {
    WebshopScenario scenario = Excerpt.scenario(new WebshopEnvironment(), Map.of());
    Set<String> goals = new HashSet<>();
    for (int seed = 0; seed < 2_000; seed++) {
      goals.add(scenario.reset(seed).observation());
      assertEquals(scenario.reset(seed).observation(), scenario.reset(seed).observation());
    }
    // of 1,000 goals drawn 2,000 times, 1 - exp(-2) are seen: 865
    assertTrue(goals.size() > 800 && goals.size() < 930, () -> goals.size() + " goals");
    assertNotEquals(scenario.reset(1).observation(), scenario.reset(2).observation());
  }

  @Test
  void peoplesQueriesFindTheirProduct() throws IOException {
    WebshopScenario scenario = Excerpt.scenario(folder, Map.of());
    assumeTrue(
        scenario.site().catalog().products().size() == 11,
        "only the excerpt of WebShop's data in ../shared has these");
    Map<String, String> queries =
        Map.of(
            "pink hair towel wrap for dry hair", "B08G14B779",
            "mushrooms", "B00CQ7PQYU",
            "walker edison stools", "B01I5B1Q1M",
            "cupcake topper silver", "B09PNJC838",
            "adicolor tight victory crimson", "B08KYBVQ46");
    queries.forEach(
        (words, asin) ->
            assertEquals(asin, scenario.site().catalog().search(words).getFirst().asin(), words));
  }
}
