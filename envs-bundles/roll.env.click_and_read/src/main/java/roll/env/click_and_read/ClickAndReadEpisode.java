package roll.env.click_and_read;

import java.awt.image.BufferedImage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import roll.api.env.ActionParser;
import roll.api.env.Episode;
import roll.api.env.Step;
import roll.env.click_and_read.Action.Answer;
import roll.env.click_and_read.Action.Back;
import roll.env.click_and_read.Action.Click;
import roll.env.click_and_read.Line.Kind;

/** One reader's visit to a site. */
final class ClickAndReadEpisode implements Episode {
  private final ClickAndReadScenario scenario;
  private final Task task;
  private final Deque<Page> before = new ArrayDeque<>();
  private Page page;
  private String notice = "";
  private int steps;
  private boolean over;

  ClickAndReadEpisode(ClickAndReadScenario scenario, Task task) {
    this.scenario = scenario;
    this.task = task;
    page = task.site().page(task.start());
  }

  Task task() {
    return task;
  }

  Page page() {
    return page;
  }

  /** The question, what the last action could not do, the page, and what can be done. */
  @Override
  public String observation() {
    String told = notice.isEmpty() ? "" : "\nNotice: " + notice;
    String offered =
        "\nAvailable actions: click[number], "
            + (before.isEmpty() ? "" : "back, ")
            + "answer[text]";
    return "Question: " + task.question() + told + "\n" + page.text() + (over ? "" : offered);
  }

  /** The clicks of the page, back, and answers of names and numbers that the page has. */
  @Override
  public List<String> actions() {
    if (over) {
      return List.of();
    }
    List<String> actions = new ArrayList<>(page.clicks());
    if (!before.isEmpty()) {
      actions.add("back");
    }
    page.phrases().forEach(phrase -> actions.add("answer[" + phrase + "]"));
    return actions;
  }

  @Override
  public String respond(String action) {
    return scenario.parser().respond(action);
  }

  /** Takes a shortest way to where the answer stands, and answers; late, it answers at once. */
  @Override
  public Optional<String> expert() {
    if (over) {
      return Optional.empty();
    }
    int far = distance(page.path());
    int left = scenario.maxSteps() - steps;
    if (far == 0 || far >= left) {
      return Optional.of("answer[" + task.answers().getFirst() + "]");
    }
    List<Line> lines = page.lines();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).kind() == Kind.LINK && distance(lines.get(i).target()) < far) {
        return Optional.of("click[" + (i + 1) + "]");
      }
    }
    throw new IllegalStateException("a page " + far + " clicks away has no link to a nearer one");
  }

  private int distance(String path) {
    return Objects.requireNonNullElse(task.clicks().get(path), Integer.MAX_VALUE);
  }

  @Override
  public Step step(String response) {
    if (over) {
      throw new IllegalStateException("the episode is over");
    }
    ActionParser.Action found = scenario.parser().parse(response);
    Page seen = page;
    notice = "";
    steps++;
    Optional<Action> action = found == null ? Optional.empty() : Action.of(found.name());
    if (action.isEmpty()) {
      notice = "the response has no action of the kind click[number], back or answer[text].";
    }
    double overlap = 0;
    boolean answered = false;
    switch (action.orElse(null)) {
      case null -> {}
      case Click click -> follow(click.label());
      case Back _ -> back();
      case Answer answer -> {
        answered = true;
        overlap = Answers.overlap(answer.text(), task.answers());
        notice = overlap == 1 ? "the answer is right." : "the answer is not right.";
      }
    }
    boolean valid = answered || notice.isEmpty();
    boolean truncated = !answered && steps >= scenario.maxSteps();
    over = answered || truncated;
    double penalty = found == null ? scenario.formatPenalty() : 0;
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("action_is_effective", answered || !page.equals(seen) ? 1.0 : 0.0);
    metrics.put("action_is_valid", valid ? 1.0 : 0.0);
    metrics.put("success", overlap == 1 ? 1.0 : 0.0);
    metrics.put("answered", answered ? 1.0 : 0.0);
    metrics.put("answer_f1", overlap);
    metrics.put("format_penalty", penalty);
    double reward = answered ? scenario.reward(overlap, steps) : penalty;
    return new Step(observation(), reward, answered, truncated, metrics);
  }

  private void follow(String label) {
    Optional<Line> line = page.find(label);
    switch (line.map(Line::kind).orElse(null)) {
      case null -> notice = "there is no [" + shortened(label) + "] on this page.";
      case OUTSIDE -> notice = "that link leads out of this site and cannot be followed.";
      case HEADING, TEXT -> notice = "[" + label + "] is no link.";
      case LINK -> go(task.site().page(line.orElseThrow().target()));
    }
  }

  private static String shortened(String label) {
    return label.length() > 40 ? label.substring(0, 40) + "…" : label;
  }

  private void go(Page target) {
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

  @Override
  public BufferedImage render() {
    return new PagePicture().draw(task.question(), notice, page);
  }
}
