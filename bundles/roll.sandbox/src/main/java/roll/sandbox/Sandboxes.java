package roll.sandbox;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.UserException;
import roll.api.plugin.Lease;
import roll.api.plugin.PluginReference;
import roll.api.plugin.Plugins;
import roll.api.sandbox.Isolation;
import roll.api.sandbox.Sandbox;
import roll.api.sandbox.SandboxLimits;

/** The options by which a plugin that runs programs lets its user choose a sandbox. */
public final class Sandboxes {
  private static final SandboxLimits LIMITS = SandboxLimits.STANDARD;
  private static final Option<String> SANDBOX =
      Option.text("sandbox", "where programs run").withDefault("python_process");
  private static final Option<Double> TIME =
      Option.number("time_limit", 0.1, 3600, "seconds that a run may take")
          .withDefault((double) LIMITS.time().toSeconds());
  private static final Option<Integer> MEMORY =
      Option.integer("memory_limit", 16, 1 << 16, "MiB that a run may take")
          .withDefault((int) (LIMITS.memory() >> 20));
  private static final Option<Integer> OUTPUT =
      Option.integer("output_limit", 1, 1 << 20, "characters of output kept")
          .withDefault(LIMITS.output());
  private static final Option<String> ISOLATION =
      Option.choice(
              "isolation",
              Stream.of(Isolation.values()).map(Isolation::word).toList(),
              "how well programs must be shut in: required, best_effort or none")
          .withDefault(LIMITS.isolation().word());
  private static final List<Option<?>> ALL = List.of(SANDBOX, TIME, MEMORY, OUTPUT, ISOLATION);

  private Sandboxes() {}

  /**
   * Which sandbox, its limits and how well it must shut programs in; by default {@code
   * python_process} and {@link SandboxLimits#STANDARD}.
   */
  public static List<Option<?>> options() {
    return ALL;
  }

  /** Whether {@code options} are those of a plugin that declares {@link #options()}. */
  public static boolean areIn(Options options) {
    return ALL.stream().allMatch(options::declares);
  }

  /** The limits that {@code options} set. */
  public static SandboxLimits limits(Options options) {
    Duration time = Duration.ofMillis((long) (1000 * options.get(TIME)));
    long memory = (long) options.get(MEMORY) << 20;
    return new SandboxLimits(time, memory, options.get(OUTPUT), isolation(options));
  }

  private static Isolation isolation(Options options) {
    return Isolation.valueOf(options.get(ISOLATION).toUpperCase(Locale.ROOT));
  }

  /** The sandbox that {@code options} name. */
  public static PluginReference<Sandbox> use(Options options) {
    return PluginReference.of(options, SANDBOX, Sandbox.class, "roll.sandbox");
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
      throw new UserException(options.where() + "." + ISOLATION.name() + ": " + e.getMessage());
    }
  }
}
