package roll.torch;

import ai.djl.engine.Engine;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.ComponentServiceObjects;
import roll.api.option.UserException;

/** The engine service of {@code roll.djl}, and its description of the libtorch it selected. */
final class EngineService implements Supplier<Engine> {
  private final ComponentServiceObjects<Engine> services;

  EngineService(ComponentServiceObjects<Engine> services) {
    this.services = services;
  }

  /**
   * Returns the engine, loading it if necessary.
   *
   * @throws UserException with one line if the libtorch that was named cannot be loaded
   */
  @Override
  public Engine get() {
    Object refused = property("libtorch.refused");
    Engine engine = refused == null ? services.getService() : null;
    if (engine == null) {
      refused = property("libtorch.refused");
      throw new UserException(refused == null ? "libtorch cannot be loaded" : refused.toString());
    }
    return engine;
  }

  /** Returns which libtorch was selected and why. */
  String chosen() {
    return property("libtorch") instanceof String line ? line : "";
  }

  /** Returns why other builds were not selected, one line for each. */
  List<String> passedOver() {
    return property("libtorch.passed_over") instanceof List<?> lines
        ? lines.stream().map(String::valueOf).toList()
        : List.of();
  }

  private @Nullable Object property(String key) {
    return services.getServiceReference().getProperty(key);
  }
}
