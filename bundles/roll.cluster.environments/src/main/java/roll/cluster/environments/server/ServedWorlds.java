package roll.cluster.environments.server;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import roll.api.env.Environment;
import roll.api.env.Scenario;
import roll.api.option.RawOptions;
import roll.cluster.services.ServedServices;

/** Worlds that were configured here, each once for all episodes. Can be used by all threads. */
final class ServedWorlds {
  /** More than the environments of one run; a world that is let go is configured again. */
  private static final int MOST = 64;

  private record Key(long environment, RawOptions options) {}

  private final ServedServices<Environment> environments;
  private final Map<Key, Scenario> worlds = new ConcurrentHashMap<>();

  ServedWorlds(ServedServices<Environment> environments) {
    this.environments = environments;
  }

  /**
   * The world of the environment with that number.
   *
   * @throws roll.api.option.UserException if it does not take the options
   * @throws IllegalStateException if it is not there any more
   */
  Scenario get(long number, RawOptions options) {
    Environment environment = environments.get(number);
    if (worlds.size() > MOST) {
      worlds.clear();
    }
    return worlds.computeIfAbsent(
        new Key(number, options),
        _ -> environment.configure(options.checked(List.copyOf(environment.options()))));
  }

  /** Forgets those of an environment that goes. */
  void forget(long number) {
    worlds.keySet().removeIf(key -> key.environment == number);
  }
}
