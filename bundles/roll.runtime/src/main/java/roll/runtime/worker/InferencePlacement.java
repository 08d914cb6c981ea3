package roll.runtime.worker;

import java.util.function.Consumer;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.strategy.InferSession;
import roll.api.strategy.InferStrategy;
import roll.api.strategy.SessionConfig;

/**
 * Decides where inference sessions of a run are: a service with the property {@code
 * roll.placement=inference}. Without one they are in this process.
 */
@ProviderType
public interface InferencePlacement {
  /** Name of the service property of placements. */
  String KIND = "roll.placement";

  /** Value of the service property of placements. */
  String NAME = "inference";

  /**
   * Opens an inference session where the placement decides; the caller closes it.
   *
   * @param strategy that the role's configuration names, of this process or of another node
   * @param notices a line for each node that joins or leaves, on any thread
   */
  InferSession open(SessionConfig config, InferStrategy strategy, Consumer<String> notices);
}
