package roll.rollout;

import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import roll.api.env.Episode;
import roll.api.env.Step;

/** An episode whose calls an {@link Attempt} keeps watch over, and whose answers are checked. */
record SupervisedEpisode(Episode episode, Attempt attempt) implements Episode {
  /** More than any model could read. */
  private static final int MOST_TEXT = 1 << 20;

  /** {@code text}, if it is not too long to be one. */
  static String text(String call, String text) {
    if (text.length() > MOST_TEXT) {
      throw EnvironmentException.gave(
          call, "%,d characters; at most %,d are allowed".formatted(text.length(), MOST_TEXT));
    }
    return text;
  }

  @Override
  public String observation() {
    return text("observation", attempt.ask("observation", episode::observation));
  }

  @Override
  public List<String> actions() {
    return attempt.ask("actions", episode::actions);
  }

  @Override
  public String respond(String action) {
    return text("respond", attempt.ask("respond", () -> episode.respond(action)));
  }

  @Override
  public Optional<String> expert() {
    return attempt.ask("expert", episode::expert);
  }

  @Override
  public Map<String, Object> facts() {
    return attempt.ask("facts", episode::facts);
  }

  @Override
  public Optional<BufferedImage> picture() {
    return attempt.ask("picture", episode::picture);
  }

  @Override
  public Step step(String response) {
    Step step = attempt.work("step", () -> episode.step(response));
    if (step.observation() == null || step.metrics() == null) {
      throw EnvironmentException.gave("step", "an observation or metrics that are null");
    }
    text("step", step.observation());
    if (!Double.isFinite(step.reward())) {
      throw EnvironmentException.gave("step", "the reward " + step.reward());
    }
    step.metrics()
        .forEach(
            (name, value) -> {
              if (value == null || !Double.isFinite(value)) {
                throw EnvironmentException.gave("step", "the metric " + name + " = " + value);
              }
            });
    return step;
  }

  @Override
  public BufferedImage render() {
    return attempt.ask("render", episode::render);
  }

  @Override
  public void close() {
    attempt.finish("close", episode::close);
  }
}
