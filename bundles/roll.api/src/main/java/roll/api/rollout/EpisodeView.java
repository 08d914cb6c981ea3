package roll.api.rollout;

import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

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
}
