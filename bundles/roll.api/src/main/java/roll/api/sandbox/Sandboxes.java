package roll.api.sandbox;

import java.time.Duration;
import java.util.List;
import roll.api.config.OptionInfo;
import roll.api.config.Options;
import roll.api.plugin.Use;

/** The options by which a plugin that runs programs lets its user choose a sandbox. */
public final class Sandboxes {
  private static final String SANDBOX = "sandbox";
  private static final String TIME = "time_limit";
  private static final String MEMORY = "memory_limit";
  private static final String OUTPUT = "output_limit";

  private Sandboxes() {}

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
   * @throws roll.api.config.UserException if one is out of range
   */
  public static SandboxLimits limits(Options options) {
    Duration time = Duration.ofMillis((long) (1000 * options.number(TIME, 0.1, 3600)));
    long memory = (long) options.integer(MEMORY, 16, 1 << 16) << 20;
    return new SandboxLimits(time, memory, options.integer(OUTPUT, 1, 1 << 20));
  }

  /** The sandbox that {@code options} name. */
  public static Use<Sandbox> use(Options options) {
    return Use.of(options, SANDBOX, Sandbox.class, "roll.sandbox");
  }
}
