package roll.api.env;

import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.data.Message.InlinePicture;
import roll.api.image.Picture;
import roll.api.tool.ToolResult;

/**
 * One running episode of an environment, with its state. Used by one thread at a time. After a step
 * that terminated or was truncated, {@link #step} must not be called again.
 */
@ConsumerType
public interface Episode extends AutoCloseable {
  /** The current observation as text; may be empty if there is a picture. */
  String observation();

  /**
   * The valid actions, as the agent would write them; empty by default, and if they cannot be
   * enumerated.
   */
  default List<String> actions() {
    return List.of();
  }

  /**
   * A response that performs {@code action} (one of {@link #actions()}) in the format this
   * environment expects; by default the action itself.
   */
  default String respond(String action) {
    return action;
  }

  /**
   * The action an expert would take, as an argument of {@link #respond}; empty by default, and if
   * none is known or the episode is over.
   */
  default Optional<String> expert() {
    return Optional.empty();
  }

  /**
   * The current observation as a picture, beside or instead of {@link #observation}; empty by
   * default. Present in every turn or in none, with equal pixels for equal states.
   */
  default Optional<BufferedImage> picture() {
    return Optional.empty();
  }

  /**
   * The current observation with text and pictures; by default {@link #observation} with {@link
   * #picture} before it.
   */
  default Observation observed() {
    return new Observation(
        observation(),
        picture().map(seen -> new InlinePicture(0, Picture.png(seen))).stream().toList());
  }

  /** Data about the task for rewards, not shown to the agent; empty by default. */
  default Map<String, Object> facts() {
    return Map.of();
  }

  /**
   * Performs the agent's complete response.
   *
   * @param response without special tokens, unless {@link Scenario#readsSpecialTokens}
   */
  Step step(String response);

  /**
   * Executes a call of one of {@link Scenario#tools}, as {@link roll.api.tool.ToolSession#call}
   * does. The response without a call that ends the conversation goes to {@link #step}; so does an
   * empty one if a limit ends it.
   *
   * @param arguments JSON values, already checked against the schema
   */
  default ToolResult call(String tool, Map<String, Object> arguments) throws InterruptedException {
    throw new UnsupportedOperationException(tool);
  }

  /**
   * The workspace in which a harness of {@code agent_runner} runs; empty by default: it runs in a
   * folder of its own.
   */
  default Optional<HarnessWorkspace> workspace() {
    return Optional.empty();
  }

  /** A picture of the current state for users; {@link #picture} by default. */
  default Optional<BufferedImage> render() {
    return picture();
  }

  /** Frees the resources of the episode; does nothing by default. */
  @Override
  default void close() {}
}
