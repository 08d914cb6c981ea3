package roll.api.env;

import java.awt.image.BufferedImage;
import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * One play of a world, with all of its state. Used by one thread at a time. After a step that
 * terminated or was truncated, {@link #step} must not be called again.
 */
@ConsumerType
public interface Episode extends AutoCloseable {
  /** What the agent sees now, as text. */
  String observation();

  /**
   * Actions that are valid now, as the agent would write them; empty where they are not countable.
   */
  List<String> actions();

  /**
   * A response an agent could write to do {@code action} (one of {@link #actions()}), in the format
   * this world expects.
   */
  String respond(String action);

  /** Acts on the agent's whole response. */
  Step step(String response);

  /** What the world looks like now, for people. */
  BufferedImage render();

  /** Frees what the episode holds; the standard does nothing. */
  @Override
  default void close() {}
}
