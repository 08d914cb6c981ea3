package roll.api.device;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Switches a compute layer to deterministic algorithms, like {@code
 * torch.use_deterministic_algorithms}. The layer registers it as a service with the property {@link
 * #KIND}.
 */
@ProviderType
public interface DeterministicAlgorithms {
  /** The service property whose value is the layer's name. */
  String KIND = "roll.determinism";

  /**
   * Makes all sessions of this process use deterministic algorithms until the result is closed, or
   * the last of several results. An operation without a deterministic algorithm fails meanwhile.
   *
   * @throws roll.api.option.UserException if the layer cannot
   */
  Use use();

  /** A request for deterministic algorithms. */
  @ProviderType
  interface Use extends AutoCloseable {
    /** Ends the request; calling it again has no effect. */
    @Override
    void close();
  }
}
