package roll.cluster.environments;

import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import roll.api.env.Episode;
import roll.api.env.Observation;
import roll.api.env.Step;

/** An episode on another node; the result of its reset needs no further call. */
final class RemoteEpisode implements Episode {
  private final Episode proxy;
  private final EnvironmentHost.Begun begun;
  private final Runnable closing;

  /** First observation; null after the first step. */
  private @Nullable String first;

  /**
   * Creates the episode.
   *
   * @param proxy calls the node
   * @param closing closes the episode on its node
   */
  RemoteEpisode(Episode proxy, EnvironmentHost.Begun begun, Runnable closing) {
    this.proxy = proxy;
    this.begun = begun;
    this.closing = closing;
    this.first = begun.observation();
  }

  @Override
  public String observation() {
    return first == null ? proxy.observation() : first;
  }

  @Override
  public List<String> actions() {
    return proxy.actions();
  }

  @Override
  public String respond(String action) {
    return proxy.respond(action);
  }

  @Override
  public Optional<String> expert() {
    return proxy.expert();
  }

  @Override
  public Map<String, Object> facts() {
    return proxy.facts();
  }

  /** Returns the picture; a world without one at the beginning never has one. */
  @Override
  public Optional<BufferedImage> picture() {
    return begun.pictures() ? proxy.picture() : Optional.empty();
  }

  @Override
  public Observation observed() {
    return begun.pictures()
        ? proxy.observed()
        : Observation.of(observation()).behind(begun.before());
  }

  @Override
  public Optional<BufferedImage> render() {
    return proxy.render();
  }

  @Override
  public Step step(String response) {
    first = null;
    return proxy.step(response);
  }

  /** Closes the episode on its node, without waiting. */
  @Override
  public void close() {
    closing.run();
  }
}
