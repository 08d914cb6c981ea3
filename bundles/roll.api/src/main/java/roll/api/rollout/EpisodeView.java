package roll.api.rollout;

import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.tool.ToolSchema;

/** A read-only view of an episode; valid during its turn. */
@ProviderType
public interface EpisodeView {
  /** The observation as text; may be empty if there is a picture. */
  String observation();

  /** The observation as a picture; empty in text environments. */
  Optional<BufferedImage> picture();

  /** The valid actions; empty if they cannot be enumerated. */
  List<String> actions();

  /** A response that performs {@code action}, in the format the environment expects. */
  String respond(String action);

  /** The action that the environment's expert would take; empty if none is known. */
  Optional<String> expert();

  /**
   * Tools for the chat template to list, called with Hermes' {@code <tool_call>} tags; empty if
   * there are none, or if the messages list them.
   */
  default List<ToolSchema> tools() {
    return List.of();
  }
}
