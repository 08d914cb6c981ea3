package roll.api.rollout;

import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.tool.ToolSchema;

/** An episode that can be looked at but not acted in; valid during the turn it was given for. */
@ProviderType
public interface EpisodeView {
  /** What the agent reads; may be empty where a picture says it all. */
  String observation();

  /** What the agent sees beside that text; empty in worlds of text. */
  Optional<BufferedImage> picture();

  /** Actions that are valid now; empty if they cannot be listed. */
  List<String> actions();

  /** A response that does {@code action}, in the format that the world expects. */
  String respond(String action);

  /** The action an expert would take; empty if none is known. */
  Optional<String> expert();

  /**
   * Tools that the chat template is to list for a model, which calls them in Hermes' tags {@code
   * <tool_call>}; empty if there are none, or if the messages list them.
   */
  default List<ToolSchema> tools() {
    return List.of();
  }
}
