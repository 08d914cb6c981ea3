package roll.env.webshop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.env.Step;
import roll.env.webshop.ShopPage.Item;
import roll.env.webshop.ShopPage.Results;
import roll.env.webshop.catalog.Goal;
import roll.env.webshop.catalog.Product;

/** With {@code product_numbers: rank} a product is called by its place among what was found. */
class RankNumbersTest {
  private final WebshopScenario scenario =
      Excerpt.scenario(
          new WebshopEnvironment(),
          Map.of("product_numbers", "rank", "results_per_page", 4, "list_actions", false));
  private final WebshopEpisode episode = new WebshopEpisode(scenario, scenario.goals().getFirst());

  private static Step act(WebshopEpisode episode, String action) {
    return episode.step(episode.respond(action));
  }

  @Test
  void areWhatIsShownAndClicked() {
    act(episode, "search[dresses]");
    act(episode, "click[next >]");
    Results page = (Results) episode.page();
    Product second = page.shown().get(1);
    assertEquals(page.found().get(5), second);
    String text = "[SEP] 6 [SEP] " + second.title() + " [SEP] " + second.priceTag();
    assertTrue(episode.observation().contains(text), episode::observation);
    for (String absent : List.of(second.asin().toLowerCase(Locale.ROOT), "1", "9")) {
      assertEquals(
          0.0, act(episode, "click[" + absent + "]").metrics().get("action_is_valid"), absent);
    }
    act(episode, "click[6]");
    assertEquals(second, ((Item) episode.page()).product());
    act(episode, "click[< prev]");
    assertEquals(page, episode.page());
  }

  /** Only what products are called differs: experts buy the same. */
  @Test
  void changeNothingElse() {
    for (String expert : List.of("seen", "product")) {
      WebshopScenario ranks =
          Excerpt.scenario(
              new WebshopEnvironment(), Map.of("product_numbers", "rank", "expert", expert));
      WebshopScenario own = Excerpt.scenario(new WebshopEnvironment(), Map.of("expert", expert));
      for (Goal wanted : own.goals().subList(0, 50)) {
        assertEquals(
            reward(new WebshopEpisode(own, wanted)),
            reward(new WebshopEpisode(ranks, wanted)),
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
}
