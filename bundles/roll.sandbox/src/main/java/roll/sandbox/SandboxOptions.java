package roll.sandbox;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
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
import roll.api.workspace.WorkspaceProvider;

/** The options of a plugin that runs programs: the sandbox and its limits. */
public final class SandboxOptions {
  private static final SandboxLimits LIMITS = SandboxLimits.STANDARD;
  private static final Option<String> SANDBOX =
      Option.text("sandbox", "where programs run").withDefault("python_process");
  private static final Option<Double> TIME =
      Option.number("time_limit", 0.1, 3600, "maximum seconds of a run")
          .withDefault((double) LIMITS.time().toSeconds());
  private static final Option<Integer> MEMORY =
      Option.integer("memory_limit", 16, 1 << 16, "maximum MiB of a run")
          .withDefault((int) (LIMITS.memory() >> 20));
  private static final Option<Integer> OUTPUT =
      Option.integer(
              "output_limit", 1, 1 << 20, "maximum characters of output; the rest is dropped")
          .withDefault(LIMITS.output());
  private static final Option<String> ISOLATION =
      Option.choice(
              "isolation",
              Stream.of(Isolation.values()).map(Isolation::word).toList(),
              "required isolation of programs: required, best_effort or none")
          .withDefault(LIMITS.isolation().word());
  private static final List<Option<?>> ALL = List.of(SANDBOX, TIME, MEMORY, OUTPUT, ISOLATION);

  private SandboxOptions() {}

  /**
   * Returns the option declarations; the defaults are {@code python_process} and {@link
   * SandboxLimits#STANDARD}.
   */
  public static List<Option<?>> options() {
    return ALL;
  }

  /** Returns whether {@code options} belong to a plugin that declares {@link #options()}. */
  public static boolean areIn(Options options) {
    return ALL.stream().allMatch(options::declares);
  }

  /** Returns the sandbox limits in {@code options}. */
  public static SandboxLimits limits(Options options) {
    Duration time = Duration.ofMillis((long) (1000 * options.get(TIME)));
    long memory = (long) options.get(MEMORY) << 20;
    return new SandboxLimits(time, memory, options.get(OUTPUT), isolation(options));
  }

  private static Isolation isolation(Options options) {
    return Isolation.valueOf(options.get(ISOLATION).toUpperCase(Locale.ROOT));
  }

  /** Returns a reference to the sandbox in {@code options}. */
  public static PluginReference<Sandbox> use(Options options) {
    return PluginReference.of(options, SANDBOX, Sandbox.class, "roll.sandbox");
  }

  /**
   * Leases the sandbox in {@code options}.
   *
   * @throws UserException if it is missing, or this machine lacks the required isolation
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
   * Describes in one line how {@code sandbox} isolates programs with these options.
   *
   * @throws UserException if the isolation is weaker than required
   */
  public static String boundaries(Sandbox sandbox, Options options) {
    return boundaries(sandbox::boundaries, options);
  }

  /** Returns whether {@code options} have the required isolation. */
  public static boolean isolate(Options options) {
    return options.declares(ISOLATION);
  }

  /**
   * Describes in one line how {@code provider} isolates commands with these options.
   *
   * @throws UserException if the isolation is weaker than required
   */
  public static String boundaries(WorkspaceProvider provider, Options options) {
    return boundaries(provider::boundaries, options);
  }

  private static String boundaries(Function<Isolation, String> boundaries, Options options) {
    Isolation asked = isolation(options);
    try {
      return boundaries.apply(asked);
    } catch (UserException e) {
      throw new UserException(options.where() + "." + ISOLATION.name() + ": " + e.getMessage());
    }
  }
}
