package roll.env.webshop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.env.EpisodeStart;
import roll.env.webshop.catalog.Goal;
import roll.env.webshop.catalog.Product;

/** Goals of validation are never used in training. */
class ValidationGoalsTest {
  @TempDir Path folder;

  private static Set<Product> products(List<Goal> goals) {
    return goals.stream().map(Goal::product).collect(Collectors.toSet());
  }

  private static Set<String> instructions(List<Goal> goals) {
    return goals.stream().map(Goal::instruction).collect(Collectors.toSet());
  }

  private static void disjoint(WebshopScenario scenario) {
    Set<Product> both = products(scenario.goals());
    both.retainAll(products(scenario.validationGoals()));
    assertEquals(Set.of(), both);
    Set<String> heard = instructions(scenario.goals());
    heard.retainAll(instructions(scenario.validationGoals()));
    assertEquals(Set.of(), heard);
  }

  @Test
  void ofTheGeneratedCatalogue() {
    WebshopScenario scenario = Excerpt.scenario(new WebshopEnvironment(), Map.of("val_share", 0.2));
    assertEquals(800, scenario.goals().size());
    assertEquals(200, scenario.validationGoals().size());
    disjoint(scenario);
    disjoint(
        Excerpt.scenario(new WebshopEnvironment(), Map.of("val_share", 0.2, "human_goals", true)));
  }

  /** Here a product has a goal for each combination of its options. */
  @Test
  void ofWebShopsProducts() throws IOException {
    WebshopScenario scenario = Excerpt.scenario(folder, Map.of("val_share", 0.3));
    assertEquals(8, products(scenario.goals()).size());
    assertEquals(3, products(scenario.validationGoals()).size());
    assertTrue(scenario.goals().size() > 8, "goals of products");
    disjoint(scenario);
  }

  @Test
  void whoPlaysForWhatPurpose() {
    WebshopScenario scenario =
        Excerpt.scenario(new WebshopEnvironment(), Map.of("val_share", 0.2, "num_products", 50));
    Set<String> trained = new HashSet<>();
    Set<String> validated = new HashSet<>();
    for (int i = 0; i < 400; i++) {
      trained.add(asked(scenario, new EpisodeStart("train", 42, i, i, 16, 0)));
      trained.add(asked(scenario, new EpisodeStart("greedy", 42, i, i, 16, 0)));
    }
    for (int i = 0; i < 10; i++) {
      validated.add(asked(scenario, new EpisodeStart("val", 42, i, i, 10, 0)));
    }
    assertEquals(instructions(scenario.goals()), trained);
    assertEquals(instructions(scenario.validationGoals()), validated, "each of the ten once");
  }

  private static String asked(WebshopScenario scenario, EpisodeStart start) {
    return scenario.reset(start).observation().lines().findFirst().orElseThrow();
  }

  @Test
  void withoutAShareAllArePlayedByBoth() {
    WebshopScenario scenario = Excerpt.scenario(new WebshopEnvironment(), Map.of());
    assertEquals(scenario.goals(), scenario.validationGoals());
    assertEquals(
        asked(scenario, new EpisodeStart("train", 42, 7, 3, 10, 0)),
        asked(scenario, new EpisodeStart("val", 42, 7, 3, 10, 0)),
        "only the seed matters");
  }

  @Test
  void aShareThatLeavesNothingIsRefused() {
    for (double share : new double[] {0.001, 1}) {
      String message =
          userError(
              () ->
                  Excerpt.scenario(
                      new WebshopEnvironment(), Map.of("val_share", share, "num_products", 50)));
      assertEquals(
          "env_config.val_share: expected a share that leaves goals for training and for"
              + " validation, found '"
              + share
              + "'",
          message);
    }
  }
}
