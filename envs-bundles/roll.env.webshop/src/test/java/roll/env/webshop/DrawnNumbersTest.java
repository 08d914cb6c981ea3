package roll.env.webshop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.env.Episode;
import roll.api.env.Start;
import roll.api.env.Step;
import roll.env.webshop.ShopPage.Item;
import roll.env.webshop.ShopPage.Results;
import roll.env.webshop.catalogue.Goal;
import roll.env.webshop.catalogue.Product;
import roll.env.webshop.catalogue.ProductNumbers;

/** With {@code product_numbers: drawn} a product is called otherwise in each search. */
class DrawnNumbersTest {
  private final WebshopScenario scenario =
      Excerpt.scenario(
          new WebshopEnvironment(),
          Map.of(
              "product_numbers",
              "drawn",
              "expert",
              "seen",
              "results_per_page",
              4,
              "list_actions",
              false));
  private final Goal goal = scenario.goals().getFirst();

  private WebshopEpisode searched(long seed) {
    WebshopEpisode episode = new WebshopEpisode(scenario, goal, seed);
    search(episode);
    return episode;
  }

  private static Step act(WebshopEpisode episode, String action) {
    return episode.step(episode.respond(action));
  }

  private static void search(WebshopEpisode episode) {
    act(episode, "search[dresses]");
  }

  private static Results results(WebshopEpisode episode) {
    return (Results) episode.page();
  }

  @Test
  void dependOnSeedAndSearch() {
    WebshopEpisode episode = searched(1);
    List<String> first = results(episode).numbers();
    assertEquals(results(episode).found().size(), new HashSet<>(first).size());
    assertEquals(first, results(searched(1)).numbers(), "the members of a group see the same");
    assertNotEquals(first, results(searched(2)).numbers());
    act(episode, "click[back to search]");
    search(episode);
    assertNotEquals(first, results(episode).numbers());
  }

  @Test
  void areWhatIsShownAndClicked() {
    WebshopEpisode episode = searched(1);
    act(episode, "click[next >]");
    Results page = results(episode);
    Product second = page.shown().get(1);
    assertEquals(page.found().get(5), second);
    String number = page.numbers().get(5);
    assertTrue(number.matches("[A-Z][0-9]"), number);
    String text = number + " [SEP] " + second.title() + " [SEP] " + second.priceTag();
    assertTrue(episode.observation().contains(text), episode::observation);
    assertEquals(
        0.0,
        act(episode, "click[" + second.asin().toLowerCase(Locale.ROOT) + "]")
            .metrics()
            .get("action_is_valid"),
        "its own number is not on the page");
    act(episode, "click[" + number.toLowerCase(Locale.ROOT) + "]");
    assertEquals(second, ((Item) episode.page()).product());
    act(episode, "click[< prev]");
    assertEquals(page, episode.page(), "who comes back finds the same numbers");
  }

  /** Only what products are called differs: experts buy the same. */
  @Test
  void changeNothingElse() {
    for (String expert : List.of("seen", "product")) {
      WebshopScenario drawn =
          Excerpt.scenario(
              new WebshopEnvironment(), Map.of("product_numbers", "drawn", "expert", expert));
      WebshopScenario own = Excerpt.scenario(new WebshopEnvironment(), Map.of("expert", expert));
      for (Goal wanted : own.goals().subList(0, 50)) {
        assertEquals(
            reward(new WebshopEpisode(own, wanted, 3)),
            reward(new WebshopEpisode(drawn, wanted, 3)),
            wanted::instruction);
      }
    }
  }

  private static double reward(WebshopEpisode episode) {
    Step last = act(episode, episode.expert().orElseThrow());
    while (!last.done()) {
      last = act(episode, episode.expert().orElseThrow());
    }
    return last.reward();
  }

  @Test
  void anEpisodeDrawsByItsSeed() {
    String first = shown(scenario.reset(Start.of(7)));
    assertEquals(first, shown(scenario.reset(Start.of(7))));
    assertTrue(ProductNumbers.ALL.stream().anyMatch(first::contains), first);
  }

  private static String shown(Episode episode) {
    return episode.step(episode.respond("search[shoes]")).observation();
  }
}
