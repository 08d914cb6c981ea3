package roll.sandbox;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import roll.api.option.OptionInfo;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.api.plugin.Lease;
import roll.api.plugin.Plugins;
import roll.api.plugin.Use;
import roll.api.sandbox.Isolation;
import roll.api.sandbox.Sandbox;
import roll.api.sandbox.SandboxLimits;

/** The options by which a plugin that runs programs lets its user choose a sandbox. */
public final class Sandboxes {
  private static final String SANDBOX = "sandbox";
  private static final String TIME = "time_limit";
  private static final String MEMORY = "memory_limit";
  private static final String OUTPUT = "output_limit";
  private static final String ISOLATION = "isolation";

  private Sandboxes() {}

  /**
   * Which sandbox, its limits and how well it must shut programs in; as standard {@code
   * python_process} and {@link SandboxLimits#STANDARD}.
   */
  public static List<OptionInfo> options() {
    SandboxLimits limits = SandboxLimits.STANDARD;
    double seconds = limits.time().toSeconds();
    int mebibytes = (int) (limits.memory() >> 20);
    return List.of(
        new OptionInfo(SANDBOX, OptionInfo.Type.TEXT, "python_process", "where programs run"),
        new OptionInfo(TIME, OptionInfo.Type.NUMBER, seconds, "seconds that a run may take"),
        new OptionInfo(MEMORY, OptionInfo.Type.INTEGER, mebibytes, "MiB that a run may take"),
        new OptionInfo(
            OUTPUT, OptionInfo.Type.INTEGER, limits.output(), "characters of output kept"),
        new OptionInfo(
            ISOLATION,
            OptionInfo.Type.TEXT,
            limits.isolation().word(),
            "how well programs must be shut in: required, best_effort or none"));
  }

  /** Whether {@code options} are among those of a plugin that declares {@link #options()}. */
  public static boolean areIn(Options options) {
    return options.has(SANDBOX) && options.has(ISOLATION);
  }

  /**
   * The limits that {@code options} set.
   *
   * @throws UserException if one is out of range
   */
  public static SandboxLimits limits(Options options) {
    Duration time = Duration.ofMillis((long) (1000 * options.number(TIME, 0.1, 3600)));
    long memory = (long) options.integer(MEMORY, 16, 1 << 16) << 20;
    int output = options.integer(OUTPUT, 1, 1 << 20);
    return new SandboxLimits(time, memory, output, isolation(options));
  }

  private static Isolation isolation(Options options) {
    String[] words = Stream.of(Isolation.values()).map(Isolation::word).toArray(String[]::new);
    return Isolation.valueOf(options.word(ISOLATION, words).toUpperCase(Locale.ROOT));
  }

  /** The sandbox that {@code options} name. */
  public static Use<Sandbox> use(Options options) {
    return Use.of(options, SANDBOX, Sandbox.class, "roll.sandbox");
  }

  /**
   * A lease of it.
   *
   * @throws UserException if it is not there, or if this machine cannot shut programs in as the
   *     options ask
   */
  public static Lease<Sandbox> lease(Options options, Plugins plugins) {
    Lease<Sandbox> lease = use(options).lease(plugins);
    try {
      boundaries(lease.service(), options);
      return lease;
    } catch (UserException e) {
      lease.close();
      throw e;
    }
  }

  /**
   * One line: what stops programs in {@code sandbox} where these options hold.
   *
   * @throws UserException if that is less than they ask for
   */
  public static String boundaries(Sandbox sandbox, Options options) {
    Isolation asked = isolation(options);
    try {
      return sandbox.boundaries(asked);
    } catch (UserException e) {
      throw new UserException(options.where() + "." + ISOLATION + ": " + e.getMessage());
    }
  }
}
