package roll.ui.metric;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The cache folder of whoever runs this system. */
public final class UserCache {
  private UserCache() {}

  /**
   * Where indexes of metrics are kept; null where there is no such place.
   *
   * @param environment of this process
   * @param home of the user, or null
   */
  public static @Nullable Path series(Map<String, String> environment, @Nullable String home) {
    String given = environment.getOrDefault("XDG_CACHE_HOME", "");
    Path cache =
        !given.isEmpty() && Path.of(given).isAbsolute()
            ? Path.of(given)
            : home != null && Files.isDirectory(Path.of(home)) ? Path.of(home, ".cache") : null;
    return cache == null ? null : cache.resolve("roll").resolve("series");
  }
}
