package roll.env.webshop;

import static java.util.stream.Collectors.joining;

import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import roll.api.env.Episode;
import roll.api.env.Step;
import roll.env.webshop.ShopPage.Bought;
import roll.env.webshop.ShopPage.Home;
import roll.env.webshop.catalog.Goal;
import roll.env.webshop.catalog.Keywords;
import roll.grid.ActionParser.Action;

/** An episode in one web shop. */
final class WebshopEpisode implements Episode {
  private final WebshopScenario scenario;
  private final Goal goal;
  private ShopPage page = new Home();
  private int steps;
  private boolean over;

  WebshopEpisode(WebshopScenario scenario, Goal goal) {
    this.scenario = scenario;
    this.goal = goal;
  }

  ShopPage page() {
    return page;
  }

  Goal goal() {
    return goal;
  }

  /**
   * Returns the texts of the page, then its actions if they are listed; the first observation
   * begins with the instruction. If a picture shows texts and buttons, only the kind of action is
   * given.
   */
  @Override
  public String observation() {
    List<PageElement> parts = parts();
    boolean whole = scenario.observation().showsText();
    List<String> lines = new ArrayList<>();
    if (steps == 0) {
      lines.add(goal.instruction());
    }
    if (whole) {
      lines.add(parts.stream().map(part -> part.text().strip()).collect(joining(" [SEP] ")));
    }
    if (!(page instanceof Bought) && scenario.listActions()) {
      String clicks = whole ? String.join(", ", clicks(parts)) : "click[<button>]";
      lines.add("Available actions: " + (page instanceof Home ? "search[<content>]" : clicks));
    }
    return String.join("\n", lines);
  }

  private List<PageElement> parts() {
    return scenario.site().parts(page, goal.instruction());
  }

  private static List<String> clicks(List<PageElement> parts) {
    Set<String> clicks = new LinkedHashSet<>();
    for (PageElement part : parts) {
      if (part.kind() != PageElement.Kind.TEXT) {
        clicks.add("click[" + part.text().strip().toLowerCase(Locale.ROOT) + "]");
      }
    }
    return new ArrayList<>(clicks);
  }

  /**
   * Returns the clicks of the page; with a search bar, searches with keywords of the instruction.
   */
  @Override
  public List<String> actions() {
    if (over) {
      return List.of();
    }
    return page instanceof Home
        ? Keywords.of(goal.instruction()).stream().map(words -> "search[" + words + "]").toList()
        : clicks(parts());
  }

  @Override
  public String respond(String action) {
    String response = scenario.parser().respond(action);
    return argument(action)
        .filter(_ -> scenario.quotes())
        .flatMap(label -> OptionClause.of(goal.instruction(), page, label))
        .map(clause -> clause + ". " + response)
        .orElse(response);
  }

  @Override
  public Optional<String> expert() {
    return over
        ? Optional.empty()
        : Optional.of(scenario.expert().shop(scenario.site(), goal).next(page));
  }

  @Override
  public Step step(String response) {
    if (over) {
      throw new IllegalStateException("the episode is over");
    }
    ShopPage before = page;
    Action action = scenario.parser().parse(response);
    Optional<ShopPage> after = action == null ? Optional.empty() : act(action.name());
    page = after.orElse(before);
    steps++;
    boolean terminated = page instanceof Bought;
    boolean truncated = !terminated && steps >= scenario.maxSteps();
    over = terminated || truncated;
    double penalty = action == null ? scenario.formatPenalty() : 0;
    double score = page instanceof Bought bought ? bought.score() : 0;
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("action_is_effective", page.equals(before) ? 0.0 : 1.0);
    metrics.put("action_is_valid", after.isPresent() ? 1.0 : 0.0);
    metrics.put("success", score == 1 ? 1.0 : 0.0);
    metrics.put("purchased", terminated ? 1.0 : 0.0);
    metrics.put("format_penalty", penalty);
    return new Step(observation(), terminated ? score : penalty, terminated, truncated, metrics);
  }

  /**
   * Returns the page after {@code search[words]} or {@code click[label]}; empty if the page does
   * not offer it.
   */
  private Optional<ShopPage> act(String action) {
    return argument(action)
        .flatMap(
            argument ->
                switch (action.substring(0, action.indexOf('[')).strip().toLowerCase(Locale.ROOT)) {
                  case "search" -> scenario.site().search(page, argument);
                  case "click" -> scenario.site().click(page, argument, goal);
                  default -> Optional.empty();
                });
  }

  /** Returns the argument in the brackets of {@code action}; empty if missing or blank. */
  private static Optional<String> argument(String action) {
    int open = action.indexOf('[');
    int close = action.lastIndexOf(']');
    return open < 0 || close < open
        ? Optional.empty()
        : Optional.of(action.substring(open + 1, close).strip()).filter(text -> !text.isEmpty());
  }

  @Override
  public Optional<BufferedImage> picture() {
    return scenario.observation().showsPicture() ? render() : Optional.empty();
  }

  @Override
  public Optional<BufferedImage> render() {
    return Optional.of(ShopPagePicture.draw(goal.instruction(), page, parts()));
  }
}
