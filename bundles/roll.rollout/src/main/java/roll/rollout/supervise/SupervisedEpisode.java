package roll.rollout.supervise;

import java.awt.image.BufferedImage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import roll.api.env.Episode;
import roll.api.env.Observation;
import roll.api.env.Step;

/**
 * An episode whose calls an {@link Attempt} keeps watch over, and whose answers are checked and
 * copied: lists and maps of a plugin may themselves do what none may do.
 */
record SupervisedEpisode(Episode episode, Attempt attempt) implements Episode {
  /** More than any model could read. */
  private static final int MOST_TEXT = 1 << 20;

  /** More than anybody could choose from, or would look at. */
  private static final int MOST_ENTRIES = 10_000;

  /** {@code text}, if it is one and not too long. */
  static String text(String call, String text) {
    if (text.length() > MOST_TEXT) {
      throw EnvironmentException.gave(
          call, "%,d characters; at most %,d are allowed".formatted(text.length(), MOST_TEXT));
    }
    int half = half(text);
    if (half >= 0) {
      throw EnvironmentException.gave(
          call,
          "half of a surrogate pair, \\u%04x at character %d, which is no text"
              .formatted((int) text.charAt(half), half));
    }
    return text;
  }

  /** Where a surrogate has no other half; -1 where each has. */
  private static int half(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        if (!Character.isSurrogatePair(
            text.charAt(i), i + 1 < text.length() ? text.charAt(i + 1) : ' ')) {
          return i;
        }
        i++;
      }
    }
    return -1;
  }

  private static void few(String call, int size) {
    if (size > MOST_ENTRIES) {
      throw EnvironmentException.gave(
          call, "%,d entries; at most %,d are allowed".formatted(size, MOST_ENTRIES));
    }
  }

  @Override
  public String observation() {
    return attempt.ask("observation", () -> text("observation", episode.observation()));
  }

  @Override
  public List<String> actions() {
    return attempt.ask(
        "actions",
        () -> {
          List<String> actions = episode.actions();
          few("actions", actions.size());
          return actions.stream().map(action -> text("actions", action)).toList();
        });
  }

  @Override
  public String respond(String action) {
    return attempt.ask("respond", () -> text("respond", episode.respond(action)));
  }

  @Override
  public Optional<String> expert() {
    return attempt.ask("expert", () -> episode.expert().map(action -> text("expert", action)));
  }

  @Override
  public Map<String, Object> facts() {
    return attempt.ask("facts", () -> FactsSanitizer.copy(episode.facts()));
  }

  @Override
  public Optional<BufferedImage> picture() {
    return attempt.ask("picture", episode::picture);
  }

  @Override
  public Observation observed() {
    return attempt.ask(
        "observed",
        () -> {
          Observation seen = episode.observed();
          few("observed", seen.pictures().size());
          few("observed", seen.before().size());
          seen.before().forEach(message -> text("observed", message.content()));
          return new Observation(text("observed", seen.text()), seen.pictures(), seen.before());
        });
  }

  @Override
  public Step step(String response) {
    return attempt.work("step", () -> checked(episode.step(response)));
  }

  private static Step checked(Step step) {
    if (step == null) {
      throw EnvironmentException.gave("step", "null");
    }
    if (step.observation() == null || step.metrics() == null) {
      throw EnvironmentException.gave("step", "an observation or metrics that are null");
    }
    text("step", step.observation());
    if (!Double.isFinite(step.reward())) {
      throw EnvironmentException.gave("step", "the reward " + step.reward());
    }
    few("step", step.metrics().size());
    Map<String, Double> metrics = new LinkedHashMap<>(step.metrics());
    metrics.forEach(
        (name, value) -> {
          text("step", name);
          if (value == null || !Double.isFinite(value)) {
            throw EnvironmentException.gave("step", "the metric " + name + " = " + value);
          }
        });
    return new Step(
        step.observation(), step.reward(), step.terminated(), step.truncated(), metrics);
  }

  @Override
  public Optional<BufferedImage> render() {
    return attempt.ask("render", episode::render);
  }

  @Override
  public void close() {
    attempt.finish("close", episode::close);
  }
}
