package roll.runtime.worker;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.versioning.ProviderType;
import roll.api.env.Scenario;

/**
 * Decides where episodes are played: a service with the property {@code
 * roll.placement=environment}. Without one they are played in this process.
 */
@ProviderType
public interface EnvironmentPlacement {
  /** Value of the service property {@link InferencePlacement#KIND}. */
  String NAME = "environment";

  /**
   * Returns a scenario like {@code local} whose episodes are played on a node with free capacity;
   * they are the same as those of {@code local}.
   *
   * @param environment the world's environment and options
   * @param local the world in this process
   */
  Scenario place(PlacedEnvironment environment, Scenario local);

  /**
   * The identity of an environment with its options.
   *
   * @param where path of its options in the configuration, for messages
   * @param envType name of its environment
   * @param bundle symbolic name and version of the bundle that provides it here
   * @param options as written
   */
  record PlacedEnvironment(
      String where, String envType, String bundle, Map<String, @Nullable Object> options) {}
}
