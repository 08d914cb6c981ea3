package roll.api.sandbox;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import roll.api.config.OptionInfo;
import roll.api.config.Options;
import roll.api.config.Suggestion;
import roll.api.config.UserException;

/**
 * The sandboxes that are there, for a plugin that runs programs, and the options by which its user
 * chooses one. Called from many threads at once.
 */
public final class Sandboxes {
  private static final String SANDBOX = "sandbox";
  private static final String TIME = "time_limit";
  private static final String MEMORY = "memory_limit";
  private static final String OUTPUT = "output_limit";

  private final Map<String, Sandbox> byName = new ConcurrentHashMap<>();

  /** A sandbox came; {@code properties} are the service's, with its names. */
  public void add(Sandbox sandbox, Map<String, Object> properties) {
    names(properties).forEach(name -> byName.put(name, sandbox));
  }

  /** It goes. */
  public void remove(Sandbox sandbox, Map<String, Object> properties) {
    names(properties).forEach(name -> byName.remove(name, sandbox));
  }

  private static List<String> names(Map<String, Object> properties) {
    return properties.get("roll.sandbox") instanceof String[] names ? List.of(names) : List.of();
  }

  /** Which sandbox, and its limits; as standard {@code python} and {@link SandboxLimits}. */
  public static List<OptionInfo> options() {
    SandboxLimits limits = SandboxLimits.STANDARD;
    double seconds = limits.time().toSeconds();
    int mebibytes = (int) (limits.memory() >> 20);
    return List.of(
        new OptionInfo(SANDBOX, OptionInfo.Type.TEXT, "python", "where programs run"),
        new OptionInfo(TIME, OptionInfo.Type.NUMBER, seconds, "seconds that a run may take"),
        new OptionInfo(MEMORY, OptionInfo.Type.INTEGER, mebibytes, "MiB that a run may take"),
        new OptionInfo(
            OUTPUT, OptionInfo.Type.INTEGER, limits.output(), "characters of output kept"));
  }

  /**
   * The limits that {@code options} set.
   *
   * @throws UserException if one is out of range
   */
  public static SandboxLimits limits(Options options) {
    Duration time = Duration.ofMillis((long) (1000 * options.number(TIME, 0.1, 3600)));
    long memory = (long) options.integer(MEMORY, 16, 1 << 16) << 20;
    return new SandboxLimits(time, memory, options.integer(OUTPUT, 1, 1 << 20));
  }

  /**
   * The sandbox that {@code options} name.
   *
   * @throws UserException listing those that are there
   */
  public Sandbox named(Options options) {
    String name = options.text(SANDBOX);
    Sandbox sandbox = byName.get(name);
    if (sandbox == null) {
      TreeSet<String> known = new TreeSet<>(byName.keySet());
      throw new UserException(
          options.where()
              + ".sandbox: no roll.sandbox '"
              + name
              + "' is registered (registered: "
              + (known.isEmpty() ? "none" : String.join(", ", known))
              + ")"
              + Suggestion.near(name, known));
    }
    return sandbox;
  }
}
