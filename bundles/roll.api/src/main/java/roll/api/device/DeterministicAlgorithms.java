package roll.api.device;

import org.osgi.annotation.versioning.ProviderType;

/**
 * The algorithms that give the same bits every time, where a compute layer has faster ones that do
 * not; the layer registers it as a service with the property {@link #KIND}.
 */
@ProviderType
public interface DeterministicAlgorithms {
  /** The service property whose value is the layer's name. */
  String KIND = "roll.determinism";

  /**
   * Has all sessions of this process use them until what is returned is closed; of several uses the
   * last. An operation that has none fails as long.
   *
   * @throws roll.api.option.UserException if the layer cannot
   */
  Use use();

  /** A use of them. */
  @ProviderType
  interface Use extends AutoCloseable {
    /** Ends it; a second time does nothing. */
    @Override
    void close();
  }
}
