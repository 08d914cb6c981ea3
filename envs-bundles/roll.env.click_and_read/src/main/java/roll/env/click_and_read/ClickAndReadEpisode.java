package roll.env.click_and_read;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import roll.api.env.Episode;
import roll.api.env.Step;
import roll.env.click_and_read.Action.Answer;
import roll.env.click_and_read.Action.Back;
import roll.env.click_and_read.Action.Click;
import roll.env.click_and_read.Action.Scroll;
import roll.env.click_and_read.site.AnswerMatch;
import roll.env.click_and_read.site.Page;
import roll.env.click_and_read.site.PageElement;
import roll.env.click_and_read.site.SiteQuestion;
import roll.env.click_and_read.site.SupportingSentence;
import roll.grid.ActionParser;

/** An episode on one site, observed as text or as pictures. */
abstract sealed class ClickAndReadEpisode implements Episode permits TextEpisode, PictureEpisode {
  private final ClickAndReadScenario scenario;
  private final SiteQuestion task;
  private final Deque<Page> before = new ArrayDeque<>();
  private Page page;
  private String notice = "";
  private int steps;
  private boolean over;

  ClickAndReadEpisode(ClickAndReadScenario scenario, SiteQuestion task) {
    this.scenario = scenario;
    this.task = task;
    page = task.site().page(task.start());
  }

  SiteQuestion task() {
    return task;
  }

  Page page() {
    return page;
  }

  ClickAndReadScenario scenario() {
    return scenario;
  }

  String notice() {
    return notice;
  }

  /** Returns the text of the page in the observation. */
  abstract String pageText();

  /** Returns the kinds of actions on the page itself, for the observation. */
  abstract String actionKinds();

  /** Returns the actions that are possible on the page itself. */
  abstract List<String> pageActions();

  /** Returns an action toward a page that is less than {@code far} clicks away from the answer. */
  abstract Optional<String> toward(int far);

  /** Follows the link {@code label}, or sets a notice. */
  abstract void click(String label);

  /** Scrolls the page, or sets a notice. */
  abstract void scroll(boolean down);

  /** Returns a value that changes if and only if the observed part of the site changes. */
  abstract Object view();

  /** Returns the question, a notice about the last action, the page, and the kinds of actions. */
  @Override
  public String observation() {
    String shown = notice.isEmpty() ? "" : "\nNotice: " + notice;
    ActionFormat format = scenario.format();
    String kinds =
        "\nAvailable actions: "
            + actionKinds()
            + (before.isEmpty() ? "" : format.back() + ", ")
            + format.answer("text");
    return "Question: "
        + task.question()
        + shown
        + "\n"
        + pageText()
        + (over || !scenario.listsActions() ? "" : kinds);
  }

  /** Returns the actions on the page, back, and answers with names and numbers of the page. */
  @Override
  public List<String> actions() {
    if (over) {
      return List.of();
    }
    List<String> actions = new ArrayList<>(pageActions());
    if (!before.isEmpty()) {
      actions.add(scenario.format().back());
    }
    page.phrases().forEach(phrase -> actions.add(scenario.format().answer(phrase)));
    return actions;
  }

  @Override
  public String respond(String action) {
    String response = scenario.parser().respond(action);
    return Action.of(action)
        .filter(done -> scenario.quotes() && done instanceof Answer)
        .flatMap(done -> SupportingSentence.of(page, task.question(), ((Answer) done).text()))
        .map(sentence -> sentence + " " + response)
        .orElse(response);
  }

  /**
   * Returns the next action on a shortest path to the answer, or the answer if it is reached or too
   * few actions remain.
   */
  @Override
  public Optional<String> expert() {
    if (over) {
      return Optional.empty();
    }
    int far = distance(page.path());
    int left = scenario.maxSteps() - steps;
    String answer = scenario.format().answer(task.answers().getFirst());
    return Optional.of(far == 0 || far >= left ? answer : toward(far).orElse(answer));
  }

  /**
   * Returns the number of clicks from a page to the answer; {@link Integer#MAX_VALUE} if it is
   * unreachable.
   */
  int distance(String path) {
    return Objects.requireNonNullElse(task.clicks().get(path), Integer.MAX_VALUE);
  }

  @Override
  public Step step(String response) {
    if (over) {
      throw new IllegalStateException("the episode is over");
    }
    ActionParser.Action found = scenario.parser().parse(response);
    Object seen = view();
    notice = "";
    steps++;
    Optional<Action> action = found == null ? Optional.empty() : Action.of(found.name());
    if (action.isEmpty()) {
      notice =
          "the response has no action of the kind %s%s or %s."
              .formatted(actionKinds(), scenario.format().back(), scenario.format().answer("text"));
    }
    double overlap = 0;
    boolean answered = false;
    switch (action.orElse(null)) {
      case null -> {}
      case Click click -> click(click.label());
      case Back _ -> back();
      case Scroll scroll -> scroll(scroll.down());
      case Answer answer -> {
        answered = true;
        overlap = AnswerMatch.overlap(answer.text(), task.answers());
        notice = overlap == 1 ? "the answer is right." : "the answer is not right.";
      }
    }
    boolean valid = answered || notice.isEmpty();
    boolean truncated = !answered && steps >= scenario.maxSteps();
    over = answered || truncated;
    double penalty = found == null ? scenario.formatPenalty() : 0;
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("action_is_effective", answered || !view().equals(seen) ? 1.0 : 0.0);
    metrics.put("action_is_valid", valid ? 1.0 : 0.0);
    metrics.put("success", overlap == 1 ? 1.0 : 0.0);
    metrics.put("answered", answered ? 1.0 : 0.0);
    metrics.put("answer_f1", overlap);
    metrics.put("format_penalty", penalty);
    double reward = answered ? scenario.reward(overlap, steps) : penalty;
    return new Step(observation(), reward, answered, truncated, metrics);
  }

  /** Opens the web page at {@code path}. */
  void go(String path) {
    Page target = task.site().page(path);
    if (!target.equals(page)) {
      before.push(page);
      page = target;
    }
  }

  private void back() {
    if (before.isEmpty()) {
      notice = "there is no page to go back to.";
    } else {
      page = before.pop();
    }
  }

  /** Follows the link of the numbered list with this number or text. */
  void follow(String label) {
    Optional<PageElement> line = page.find(label);
    switch (line.map(PageElement::kind).orElse(null)) {
      case null -> refuseUnknown(label);
      case OUTSIDE -> refuseOutside();
      case HEADING, TEXT -> refuse("[" + label + "] is no link.");
      case LINK -> go(line.orElseThrow().target());
    }
  }

  /** Sets the notice about an action without effect. */
  void refuse(String why) {
    notice = why;
  }

  /** Sets the notice that {@code label} is not on the page. */
  void refuseUnknown(String label) {
    String shown = label.length() > 40 ? label.substring(0, 40) + "…" : label;
    refuse("there is no [" + shown + "] on this page.");
  }

  /** Sets the notice that a link leads outside the site. */
  void refuseOutside() {
    refuse("that link leads out of this site and cannot be followed.");
  }
}
