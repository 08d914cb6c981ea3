package roll.api.rollout;

import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.tool.ToolSchema;

/** An episode that can be looked at but not acted in; valid during the turn it was given for. */
@ProviderType
public interface EpisodeView {
  /** What the agent sees, as text; empty in worlds of pictures. */
  String observation();

  /** What the agent sees as a picture; empty in worlds of text. */
  Optional<BufferedImage> picture();

  /** Actions that are valid now; empty where they are not countable. */
  List<String> actions();

  /** A response that does {@code action}, in the format that the world expects. */
  String respond(String action);

  /** The action an expert would take; empty where none is known. */
  Optional<String> expert();

  /**
   * Tools that a model is to be told of as its chat template lists them, which calls them in the
   * tags {@code <tool_call>} of Hermes; empty where there are none, or the messages tell of them.
   */
  default List<ToolSchema> tools() {
    return List.of();
  }
}
