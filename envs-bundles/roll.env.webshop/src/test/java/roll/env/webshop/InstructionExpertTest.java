package roll.env.webshop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import roll.api.env.Step;
import roll.env.webshop.catalog.Goal;

/** The expert who knows no more than a model does. */
class InstructionExpertTest {
  @TempDir Path folder;

  private static List<String> shop(WebshopEpisode episode) {
    List<String> actions = new ArrayList<>();
    Step last = null;
    while (last == null || !last.done()) {
      actions.add(episode.expert().orElseThrow());
      last = episode.step(episode.respond(actions.getLast()));
    }
    actions.add("reward " + last.reward());
    return actions;
  }

  /** Two tins are found, the better match is dear; the cheap one comes in green, not in red. */
  @Test
  void opensWhatIsNotTooDearAndChoosesWhatThereIs() throws IOException {
    Path file = folder.resolve("tins.json");
    String tin =
        """
        {"asin": "%s", "Title": "%s", "query": "tin boxes", "pricing": [%s],
         "Attributes": ["with lid"], "options": {"color": [%s], "size": ["small", "large"]},
         "instruction_text": "%s", "instruction_attributes": ["with lid"]}
        """;
    String asked = "Find me tin boxes with lid";
    Files.writeString(
        file,
        "["
            + tin.formatted("B000000001", "Tin Box with Lid", "900", "\"red\"", "")
            + ","
            + tin.formatted("B000000002", "A Box of Tin to Keep Tea in", "8", "\"green\"", asked)
            + "]");
    WebshopScenario scenario =
        Excerpt.scenario(
            new WebshopEnvironment(), Map.of("file_path", file.toString(), "expert", "seen"));
    Goal cheap =
        scenario.goals().stream()
            .filter(goal -> goal.options().contains("large"))
            .findFirst()
            .orElseThrow();
    assertEquals(
        List.of(
            "search[with lid tin boxes]",
            "click[b000000002]",
            "click[green]",
            "click[large]",
            "click[buy now]",
            "reward 1.0"),
        shop(new WebshopEpisode(scenario, cheap)));
    Goal red =
        new Goal(
            cheap.product(),
            cheap.instruction(),
            cheap.attributes(),
            List.of("scarlet", "large"),
            5,
            1);
    assertEquals(
        List.of(
            "search[with lid tin boxes]",
            "click[b000000001]",
            "click[large]",
            "click[buy now]",
            // of attribute, two options and price
            "reward 0.5"),
        shop(new WebshopEpisode(scenario, red)));
  }

  /**
   * The expert uses only the instruction and the pages: another product behind the same words
   * changes nothing.
   */
  @Test
  void doesTheSameWhateverProductIsMeant() {
    WebshopScenario scenario =
        Excerpt.scenario(new WebshopEnvironment(), Map.of("expert", "seen", "results_per_page", 4));
    for (Goal goal : scenario.goals().subList(0, 100)) {
      Goal other =
          scenario.goals().stream()
              .filter(g -> !g.product().equals(goal.product()))
              .filter(g -> g.product().query().equals(goal.product().query()))
              .findFirst()
              .orElseThrow();
      Goal alike =
          new Goal(
              other.product(),
              goal.instruction(),
              goal.attributes(),
              goal.options(),
              goal.priceUpper(),
              1);
      List<String> actions = shop(new WebshopEpisode(scenario, goal));
      List<String> again = shop(new WebshopEpisode(scenario, alike));
      assertEquals(
          actions.subList(0, actions.size() - 1),
          again.subList(0, again.size() - 1),
          goal::instruction);
    }
  }

  @Test
  void earnsLessThanWhoKnowsTheProduct() {
    WebshopScenario scenario =
        Excerpt.scenario(new WebshopEnvironment(), Map.of("expert", "seen", "results_per_page", 4));
    double sum = 0;
    for (Goal goal : scenario.goals()) {
      sum += Double.parseDouble(shop(new WebshopEpisode(scenario, goal)).getLast().substring(7));
    }
    double mean = sum / scenario.goals().size();
    assertTrue(mean > 0.7 && mean < 0.8, "mean reward " + mean);
  }
}
