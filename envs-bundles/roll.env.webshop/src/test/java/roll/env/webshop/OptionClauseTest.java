package roll.env.webshop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import roll.api.env.Step;
import roll.env.webshop.ShopPage.Item;
import roll.env.webshop.catalog.Goal;

/** An expert that writes what the instruction says of an option before it chooses it. */
class OptionClauseTest {
  private static final String PATTERN = "((?:click|search)\\[[^\\]]*\\])";

  private static WebshopScenario scenario(boolean quotes) {
    return Excerpt.scenario(
        new WebshopEnvironment(),
        Map.of("expert", "seen", "quotes", quotes, "action_pattern", PATTERN));
  }

  private static List<String> shop(WebshopEpisode episode) {
    List<String> responses = new ArrayList<>();
    Step last = null;
    while (last == null || !last.done()) {
      responses.add(episode.respond(episode.expert().orElseThrow()));
      last = episode.step(responses.getLast());
    }
    responses.add("reward " + last.reward());
    return responses;
  }

  @Test
  void isWrittenBeforeEachOptionAndChangesNothingElse() {
    WebshopScenario plain = scenario(false);
    WebshopScenario quoting = scenario(true);
    int quoted = 0;
    for (int i = 0; i < 50; i++) {
      Goal goal = quoting.goals().get(i);
      List<String> responses = shop(new WebshopEpisode(quoting, goal));
      List<String> bare = shop(new WebshopEpisode(plain, plain.goals().get(i)));
      assertEquals(bare.size(), responses.size());
      for (int turn = 0; turn < bare.size(); turn++) {
        String response = responses.get(turn);
        assertTrue(response.endsWith(bare.get(turn)), response);
        if (!response.equals(bare.get(turn))) {
          quoted++;
          String clause = response.substring(0, response.indexOf(". click["));
          assertTrue(goal.instruction().contains(clause), response);
          String value = clause.substring(clause.indexOf(": ") + 2);
          assertEquals(clause + ". click[" + value + "]", response);
        }
      }
    }
    assertTrue(quoted > 50, "quoted " + quoted);
  }

  @Test
  void isTheShortestThatHasTheVeryWords() {
    WebshopScenario scenario = scenario(true);
    WebshopEpisode episode = new WebshopEpisode(scenario, scenario.goals().getFirst());
    while (!(episode.page() instanceof Item)) {
      episode.step(episode.expert().orElseThrow());
    }
    Item item = (Item) episode.page();
    String label = item.product().options().values().iterator().next().getFirst();
    String upper = label.toUpperCase(Locale.ROOT);
    String told =
        "Find a nice " + label + " thing with one: " + upper + ", and 2" + label + "s, ok";
    assertEquals(Optional.of("one: " + upper), OptionClause.of(told, item, label));
    assertEquals(Optional.empty(), OptionClause.of("Find pre" + label + "ed things", item, label));
    assertEquals(Optional.empty(), OptionClause.of("to buy now, please", item, "buy now"));
    assertEquals(Optional.empty(), OptionClause.of(told, new ShopPage.Home(), label));
  }
}
