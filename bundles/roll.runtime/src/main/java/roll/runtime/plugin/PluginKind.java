package roll.runtime.plugin;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;
import roll.api.option.Option;

/**
 * A custom kind of plugins: a service named by {@link RollKind}, the only registration needed. A
 * configuration names plugins of the kind under {@code plugins}, {@code check} refuses missing
 * ones, a run leases them for each step and waits while one is missing, {@code services} lists them
 * and {@code swap} replaces one by another.
 *
 * <p>Plugins of the kind {@code ordering} are services of {@link #type} that have the property
 * {@code roll.ordering}. A user of such a plugin reads its name from {@link
 * roll.runtime.config.Extensions} and leases it from {@link roll.api.plugin.Plugins}.
 *
 * @param <S> contract of the services
 */
@ConsumerType
public interface PluginKind<S> {
  /** Returns the service interface of the plugin kind. */
  Class<S> type();

  /** Returns the options that {@code service} declares; none by default. */
  default List<Option<?>> options(S service) {
    return List.of();
  }
}
