package roll.api.env;

import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.data.Message.InlinePicture;
import roll.api.image.Picture;

/**
 * One play of a world, with all of its state. Used by one thread at a time. After a step that
 * terminated or was truncated, {@link #step} must not be called again.
 */
@ConsumerType
public interface Episode extends AutoCloseable {
  /** What the agent reads now; may be empty where a picture says it all. */
  String observation();

  /**
   * Actions that are valid now, as the agent would write them; empty, as by default, where they are
   * not countable.
   */
  default List<String> actions() {
    return List.of();
  }

  /**
   * A response an agent could write to do {@code action} (one of {@link #actions()}), in the format
   * this world expects; by default the action itself.
   */
  default String respond(String action) {
    return action;
  }

  /**
   * The action an expert would take now, as {@link #respond} takes it; empty, as by default, where
   * none is known or the episode is over.
   */
  default Optional<String> expert() {
    return Optional.empty();
  }

  /**
   * What the agent sees now as a picture, with the text of {@link #observation} or instead; empty,
   * as by default, in text worlds. In every turn or in none, and equal pixels for equal worlds.
   */
  default Optional<BufferedImage> picture() {
    return Optional.empty();
  }

  /**
   * What the agent sees now, text and pictures; by default {@link #observation} with {@link
   * #picture} before it.
   */
  default Observation observed() {
    return new Observation(
        observation(),
        picture().map(seen -> new InlinePicture(0, Picture.png(seen))).stream().toList());
  }

  /** What is known of the task beside what the agent is told, for rewards; nothing by default. */
  default Map<String, Object> facts() {
    return Map.of();
  }

  /**
   * Acts on the agent's complete response.
   *
   * @param response without special tokens, unless {@link Scenario#readsSpecialTokens} asks for
   *     them
   */
  Step step(String response);

  /** What the world looks like now, for people; empty, as by default, where nobody draws it. */
  default Optional<BufferedImage> render() {
    return picture();
  }

  /** Frees what the episode holds; does nothing by default. */
  @Override
  default void close() {}
}
