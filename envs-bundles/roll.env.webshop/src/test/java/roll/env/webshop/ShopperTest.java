package roll.env.webshop;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.env.Step;
import roll.env.webshop.catalogue.Goal;

/** The expert who knows no more than a model does. */
class ShopperTest {
  private static final WebshopScenario SEEN =
      Excerpt.scenario(
          new WebshopEnvironment(),
          Map.of("expert", "seen", "results_per_page", 4, "val_share", 0.2));

  @Test
  void buysWhatItCanFind() {
    double reward = 0;
    double won = 0;
    int turns = 0;
    for (Goal goal : SEEN.goals()) {
      WebshopEpisode episode = new WebshopEpisode(SEEN, goal);
      Step last = null;
      while (last == null || !last.done()) {
        last = episode.step(episode.respond(episode.expert().orElseThrow()));
        turns++;
      }
      assertTrue(last.terminated(), goal::instruction);
      reward += last.reward();
      won += last.reward() == 1 ? 1 : 0;
    }
    int goals = SEEN.goals().size();
    System.out.println(reward / goals + " " + won / goals + " " + turns / (double) goals);
  }
}
