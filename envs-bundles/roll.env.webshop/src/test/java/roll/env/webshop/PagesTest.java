package roll.env.webshop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.env.Step;

/** The pages that the agent reads on each page, and where its actions lead. */
class PagesTest {
  private static final String SANDAL = "B07NZ173GY";

  @TempDir Path folder;

  private WebshopEpisode sandals(Map<String, Object> config) throws IOException {
    return Excerpt.visit(Excerpt.scenario(folder, config), SANDAL, "black", "12");
  }

  private static Step act(WebshopEpisode episode, String action) {
    return episode.step("<answer>" + action + "</answer>");
  }

  private static void check(Step step, double effective, double valid) {
    assertEquals(effective, step.metrics().get("action_is_effective"));
    assertEquals(valid, step.metrics().get("action_is_valid"));
  }

  @Test
  void aVisitFromTheSearchBarToThePurchase() throws IOException {
    WebshopEpisode episode = sandals(Map.of());
    String wish = episode.goal().instruction();
    assertTrue(
        wish.startsWith(
            "Find me day comfort men's sandals with rubber sole with color: black, and size: 12,"
                + " and price lower than "),
        wish);
    assertEquals(
        wish
            + "\nWebShop [SEP] Instruction: [SEP] "
            + wish
            + " [SEP] Search\nAvailable actions: search[<content>]",
        episode.observation());
    Step results = act(episode, "search[FitFlop neoprene sandal]");
    check(results, 1, 1);
    assertEquals(0, results.reward());
    String start = "Instruction: [SEP] " + wish + " [SEP] Back to Search [SEP] ";
    assertTrue(
        results
            .observation()
            .startsWith(
                start
                    + "Page 1 (Total results: 1) [SEP] B07NZ173GY [SEP] FitFlop Men's Hollis"
                    + " Neoprene Sport Sandal [SEP] $26.44 to $69.99\n"
                    + "Available actions: click[back to search], click[b07nz173gy]"),
        results.observation());
    Step item = act(episode, "click[b07nz173gy]");
    assertEquals(
        start
            + "< Prev [SEP] size [SEP] 11 [SEP] 12 [SEP] 12.5 [SEP] 13 [SEP] color [SEP] black"
            + " [SEP] light grey [SEP] FitFlop Men's Hollis Neoprene Sport Sandal [SEP] Price:"
            + " $26.44 to $69.99 [SEP] Rating: N.A. [SEP] Description [SEP] Features [SEP] Reviews"
            + " [SEP] Buy Now\n"
            + "Available actions: click[back to search], click[< prev], click[11], click[12],"
            + " click[12.5], click[13], click[black], click[light grey], click[description],"
            + " click[features], click[reviews], click[buy now]",
        item.observation());
    check(act(episode, "click[12]"), 1, 1);
    check(act(episode, "click[12]"), 0, 1);
    check(act(episode, "Click[ Black ]"), 1, 1);
    Step bought = act(episode, "click[Buy Now]");
    assertEquals(1, bought.reward());
    assertTrue(bought.terminated());
    assertFalse(bought.truncated());
    assertEquals(1, bought.metrics().get("success"));
    assertEquals(1, bought.metrics().get("purchased"));
    assertEquals(
        "Thank you for shopping with us! [SEP] Your score (min 0.0, max 1.0) [SEP] 1.0",
        bought.observation());
    assertEquals(List.of(), episode.actions());
    assertThrows(IllegalStateException.class, () -> episode.step(""));
  }

  @Test
  void theWrongSizeCostsItsShare() throws IOException {
    WebshopEpisode episode = sandals(Map.of());
    act(episode, "search[fitflop]");
    act(episode, "click[B07NZ173GY]");
    act(episode, "click[11]");
    act(episode, "click[black]");
    Step bought = act(episode, "click[buy now]");
    // two attributes, one of two options, the price: 4 of 5
    assertEquals(0.8, bought.reward(), 1e-12);
    assertEquals(0, bought.metrics().get("success"));
    assertEquals(1, bought.metrics().get("purchased"));
  }

  @Test
  void aboutAProduct() throws IOException {
    WebshopEpisode episode = sandals(Map.of("show_attrs", true, "max_steps", 30));
    act(episode, "search[fitflop]");
    act(episode, "click[b07nz173gy]");
    act(episode, "click[12.5]");
    ShopPage item = episode.page();
    for (String section : List.of("description", "features", "reviews", "attributes")) {
      Step step = act(episode, "click[" + section + "]");
      check(step, 1, 1);
      assertTrue(
          step.observation().endsWith("\nAvailable actions: click[back to search], click[< prev]"));
      act(episode, "click[< Prev]");
      assertEquals(item, episode.page(), "back at the product, its options still chosen");
    }
    assertTrue(
        act(episode, "click[attributes]")
            .observation()
            .contains("< Prev [SEP] day comfort [SEP] rubber sole\n"));
    act(episode, "click[back to search]");
    assertEquals(new ShopPage.Home(), episode.page());
  }

  @Test
  void attributesAreHiddenUnlessAskedFor() throws IOException {
    WebshopEpisode episode = sandals(Map.of());
    act(episode, "search[fitflop]");
    act(episode, "click[b07nz173gy]");
    check(act(episode, "click[attributes]"), 0, 0);
  }

  @Test
  void resultsComeInPagesOfTen() {
    WebshopScenario scenario = Excerpt.scenario(new WebshopEnvironment(), Map.of("max_steps", 20));
    WebshopEpisode episode = new WebshopEpisode(scenario, scenario.goals().getFirst());
    Step first = act(episode, "search[wireless leather cotton]");
    assertTrue(first.observation().contains("Page 1 (Total results: 50) [SEP] Next > [SEP] B0"));
    check(act(episode, "click[< prev]"), 0, 0);
    ShopPage before = episode.page();
    Step second = act(episode, "click[next >]");
    assertTrue(
        second
            .observation()
            .contains("Page 2 (Total results: 50) [SEP] < Prev [SEP] Next > [SEP]"));
    assertEquals(
        13, Arrays.stream(second.observation().split("click\\[")).count() - 1, "10 and 3 buttons");
    for (int page = 3; page <= 5; page++) {
      act(episode, "click[next >]");
    }
    assertFalse(episode.observation().contains("Next >"));
    for (int page = 4; page >= 1; page--) {
      act(episode, "click[< prev]");
    }
    assertEquals(before, episode.page());
  }

  @Test
  void whatThePageDoesNotOfferDoesNothing() throws IOException {
    WebshopEpisode episode = sandals(Map.of("format_penalty", -0.1, "max_steps", 9));
    for (String nothing :
        List.of("", "search", "search[]", "search[ ]", "click[buy now]", "click[search]", "]a[")) {
      Step step = act(episode, nothing);
      check(step, 0, 0);
      assertEquals(0, step.reward(), nothing);
    }
    Step untagged = episode.step("search[sandals]");
    check(untagged, 0, 0);
    assertEquals(-0.1, untagged.reward());
    assertEquals(-0.1, untagged.metrics().get("format_penalty"));
    assertFalse(untagged.done());
    Step last = act(episode, "search[sandals]");
    check(last, 1, 1);
    assertTrue(last.truncated());
    assertFalse(last.terminated());
    assertEquals(List.of(), episode.actions());
  }

  @Test
  void searchesWithoutResultsAndWithTooManyWords() throws IOException {
    WebshopEpisode episode = sandals(Map.of());
    Step none = act(episode, "search[qwertzuiop]");
    assertTrue(none.observation().contains("Page 1 (Total results: 0)\n"));
    act(episode, "click[back to search]");
    StringBuilder words = new StringBuilder();
    for (int i = 0; i < 5_000; i++) {
      words.append("w").append(i).append(' ');
    }
    check(act(episode, "search[fitflop " + words + "]"), 1, 1);
    assertTrue(episode.observation().contains("B07NZ173GY"));
  }

  @Test
  void everyPageHasAPicture() throws IOException {
    WebshopEpisode episode = sandals(Map.of());
    int before = Arrays.hashCode(pixels(episode));
    while (episode.expert().isPresent()) {
      episode.step(episode.respond(episode.expert().get()));
      int now = Arrays.hashCode(pixels(episode));
      assertNotEquals(before, now, "the page looks as before");
      before = now;
    }
  }

  private static int[] pixels(WebshopEpisode episode) {
    return episode.render().orElseThrow().getRGB(0, 0, 640, 480, null, 0, 640);
  }
}
