package roll.api.env;

import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * One play of a world, with all of its state. Used by one thread at a time. After a step that
 * terminated or was truncated, {@link #step} must not be called again.
 */
@ConsumerType
public interface Episode extends AutoCloseable {
  /** What the agent sees now, as text. */
  String observation();

  /** Actions that are valid now, as the agent would write them; empty if they cannot be listed. */
  List<String> actions();

  /**
   * A response an agent could write to do {@code action} (one of {@link #actions()}), in the format
   * this world expects.
   */
  String respond(String action);

  /**
   * The action an expert would take now, as {@link #respond} takes it; empty, as by default, where
   * none is known or the episode is over.
   */
  default Optional<String> expert() {
    return Optional.empty();
  }

  /** What the agent sees as a picture instead of as text; empty, as by default, in text worlds. */
  default Optional<BufferedImage> picture() {
    return Optional.empty();
  }

  /** Facts of the task that the agent is not told, for rewards; none by default. */
  default Map<String, Object> facts() {
    return Map.of();
  }

  /** Acts on the agent's complete response. */
  Step step(String response);

  /** What the world looks like now, for humans. */
  BufferedImage render();

  /** Frees the resources of the episode; does nothing by default. */
  @Override
  default void close() {}
}
