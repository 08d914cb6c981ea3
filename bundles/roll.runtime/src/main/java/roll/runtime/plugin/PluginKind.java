package roll.runtime.plugin;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.option.Option;

/**
 * A kind of plugins of one's own: a service named by {@link RollKind}, and all that has to be
 * registered. A configuration then names plugins of it under {@code plugins}, {@code check} refuses
 * what is not there, a run leases them for each step and waits where one is missing, {@code
 * services} lists them and {@code swap} replaces one by another.
 *
 * <p>Plugins of the kind {@code curriculum} are services of {@link #type} that have the property
 * {@code roll.curriculum}. Whoever works with one takes its name from {@link
 * roll.runtime.config.Extensions} and leases it from {@link roll.api.plugin.Plugins}.
 *
 * @param <S> contract of the services
 */
@ConsumerType
public interface PluginKind<S> {
  /** The contract: what services of this kind are registered as. */
  Class<S> type();

  /** The options that {@code service} declares; none by default. */
  default List<Option<?>> options(S service) {
    return List.of();
  }
}
