package roll.rollout.supervise;

import java.awt.image.BufferedImage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import roll.api.env.Episode;
import roll.api.env.HarnessWorkspace;
import roll.api.env.Observation;
import roll.api.env.Step;
import roll.api.tool.ToolResult;

/**
 * An episode whose calls an {@link Attempt} supervises. Returned values are checked and copied,
 * since lists and maps of a plugin may run its code.
 */
record SupervisedEpisode(Episode episode, Attempt attempt) implements Episode {
  /** Maximum characters of a text from an environment. */
  private static final int MOST_TEXT = 1 << 20;

  /** Maximum number of actions, metrics, pictures or messages. */
  private static final int MOST_ENTRIES = 10_000;

  /** Returns {@code text} after checking its length and encoding. */
  static String text(String call, String text) {
    if (text.length() > MOST_TEXT) {
      throw EnvironmentException.invalid(
          call, "%,d characters; at most %,d are allowed".formatted(text.length(), MOST_TEXT));
    }
    int half = half(text);
    if (half >= 0) {
      throw EnvironmentException.invalid(
          call,
          "an unpaired surrogate, \\u%04x at character %d"
              .formatted((int) text.charAt(half), half));
    }
    return text;
  }

  /** Returns the index of the first unpaired surrogate; −1 if there is none. */
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
      throw EnvironmentException.invalid(
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
  public ToolResult call(String tool, Map<String, Object> arguments) throws InterruptedException {
    return new SupervisedAgent.Session(episode::call, attempt).call(tool, arguments);
  }

  @Override
  public Optional<HarnessWorkspace> workspace() {
    return attempt.ask("workspace", episode::workspace);
  }

  @Override
  public Step step(String response) {
    return attempt.work("step", () -> checked(episode.step(response)));
  }

  private static Step checked(Step step) {
    if (step == null) {
      throw EnvironmentException.invalid("step", "null");
    }
    if (step.observation() == null || step.metrics() == null) {
      throw EnvironmentException.invalid("step", "an observation or metrics that are null");
    }
    text("step", step.observation());
    if (!Double.isFinite(step.reward())) {
      throw EnvironmentException.invalid("step", "the reward " + step.reward());
    }
    few("step", step.metrics().size());
    Map<String, Double> metrics = new LinkedHashMap<>(step.metrics());
    metrics.forEach(
        (name, value) -> {
          text("step", name);
          if (value == null || !Double.isFinite(value)) {
            throw EnvironmentException.invalid("step", "the metric " + name + " = " + value);
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
