package roll.core.plugin;

import java.util.concurrent.atomic.AtomicBoolean;
import org.osgi.framework.Bundle;
import org.osgi.framework.ServiceReference;
import roll.api.plugin.Lease;

/** One use of a registered plugin service. */
final class ServiceLease<T> implements Lease<T> {
  private final CorePlugins plugins;
  private final Class<T> type;
  private final String kind;
  private final String name;
  private final ServiceReference<T> reference;
  private final T service;
  private final String bundle;
  private final AtomicBoolean open = new AtomicBoolean(true);

  ServiceLease(
      CorePlugins plugins,
      Class<T> type,
      String kind,
      String name,
      ServiceReference<T> reference,
      T service) {
    this.plugins = plugins;
    this.type = type;
    this.kind = kind;
    this.name = name;
    this.reference = reference;
    this.service = service;
    Bundle from = reference.getBundle();
    this.bundle = from == null ? "gone" : from.getSymbolicName() + " " + from.getVersion();
  }

  @Override
  public T service() {
    return service;
  }

  @Override
  public String bundle() {
    return bundle;
  }

  @Override
  public boolean outdated() {
    return !reference.equals(plugins.best(type, kind, name));
  }

  @Override
  public void close() {
    if (open.getAndSet(false)) {
      plugins.giveBack(reference);
    }
  }
}
