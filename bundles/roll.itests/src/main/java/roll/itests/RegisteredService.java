package roll.itests;

import java.util.Map;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;

/** A plugin that a test registers as a service until it is closed. */
record RegisteredService(ServiceRegistration<?> registration) implements AutoCloseable {
  /** Registers {@code service} under {@code names} of a kind, such as roll.env. */
  static <T> RegisteredService of(Class<T> type, T service, String kind, String... names) {
    return new RegisteredService(
        Plugins.context()
            .registerService(type, service, FrameworkUtil.asDictionary(Map.of(kind, names))));
  }

  @Override
  public void close() {
    registration.unregister();
  }
}
