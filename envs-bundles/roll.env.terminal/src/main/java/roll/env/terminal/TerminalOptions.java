package roll.env.terminal;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.plugin.PluginReference;
import roll.api.sandbox.Isolation;
import roll.api.workspace.WorkspaceLimits;
import roll.api.workspace.WorkspaceProvider;
import roll.grid.LevelSplit;

/** The options of {@code env_config}. */
final class TerminalOptions {
  private static final WorkspaceLimits LIMITS = WorkspaceLimits.STANDARD;

  /** Task folders of training, or folders of task folders. */
  static final Option<List<String>> TRAIN =
      Option.texts("train_tasks", "task folders of training, or folders of them; drawn at random")
          .withDefault(List.of());

  /** Task folders of validation, or folders of task folders. */
  static final Option<List<String>> VAL =
      Option.texts("val_tasks", "the same for validation, in order").withDefault(List.of());

  /** Kinds of generated tasks. */
  static final Option<List<String>> GENERATE =
      Option.texts(
              "generate",
              "instead: kinds of generated tasks: edit (a word), find (a file), mend (a line of"
                  + " Python), test (a function without a body)")
          .withDefault(List.of());

  /** Share of generated tasks that only validation has. */
  static final Option<Double> VAL_SHARE =
      LevelSplit.VAL_SHARE
          .withDefault(0.1)
          .withDescription("share of generated tasks reserved for validation");

  /** Share of generated tasks whose demonstration fails. */
  static final Option<Double> UNFINISHED =
      Option.number(
              "unfinished", 0, 1, "share of generated tasks whose demonstration changes nothing")
          .withDefault(0.0);

  private static final Option<List<String>> IMAGES =
      Option.texts("images", "images whose programs this machine has")
          .withDefault(List.of("ubuntu", "debian", "python"));

  /** Instruction before the task. */
  static final Option<String> INSTRUCTION =
      Option.text("env_instruction", "before the instruction of the task; may be empty")
          .withDefault(
              "You work in a folder of a Linux machine by calling tools. When the task is done,"
                  + " answer without a call; that ends the work, which is then tested.");

  private static final Option<String> WORKSPACE =
      Option.text("workspace", "where commands run: a service `roll.workspace`")
          .withDefault("local");
  private static final Option<Double> COMMAND_TIME =
      Option.number("command_timeout", 0.1, 3600, "maximum seconds of a command").withDefault(25.0);
  private static final Option<Double> VERIFIER_TIME =
      Option.number("verifier_timeout", 0.1, 86400, "maximum seconds of the tests")
          .withDefault(50.0);
  private static final Option<Integer> OUTPUT =
      Option.integer("output_limit", 64, 1 << 20, "maximum bytes of a result").withDefault(4096);
  private static final Option<Integer> MEMORY =
      Option.integer("memory_limit", 16, 1 << 20, "maximum MiB of a command")
          .withDefault((int) (LIMITS.memory() >> 20));
  private static final Option<Integer> DISK =
      Option.integer("disk_limit", 1, 1 << 20, "maximum MiB that an episode writes")
          .withDefault((int) (LIMITS.disk() >> 20));
  private static final Option<Integer> PROCESSES =
      Option.integer("process_limit", 4, 1 << 16, "maximum processes and threads")
          .withDefault(LIMITS.processes());
  private static final Option<Boolean> NETWORK =
      Option.flag("network", "whether commands reach it").withDefault(LIMITS.network());
  private static final Option<String> ISOLATION =
      Option.choice(
              "isolation",
              Stream.of(Isolation.values()).map(Isolation::word).toList(),
              "required isolation")
          .withDefault(LIMITS.isolation().word());

  /** All options. */
  static final List<Option<?>> ALL =
      List.of(
          TRAIN,
          VAL,
          GENERATE,
          VAL_SHARE,
          UNFINISHED,
          IMAGES,
          INSTRUCTION,
          WORKSPACE,
          COMMAND_TIME,
          VERIFIER_TIME,
          OUTPUT,
          MEMORY,
          DISK,
          PROCESSES,
          NETWORK,
          ISOLATION);

  private TerminalOptions() {}

  /** Returns the reference to the provider of workspaces. */
  static PluginReference<WorkspaceProvider> workspace(Options options) {
    return PluginReference.of(options, WORKSPACE, WorkspaceProvider.class, "roll.workspace");
  }

  /** Returns the limits of workspaces. */
  static WorkspaceLimits limits(Options options) {
    return new WorkspaceLimits(
        (long) options.get(MEMORY) << 20,
        options.get(PROCESSES),
        (long) options.get(DISK) << 20,
        options.get(NETWORK),
        Isolation.valueOf(options.get(ISOLATION).toUpperCase(Locale.ROOT)));
  }

  /** Returns the limits of calls. */
  static WorkspaceTools.CallLimits calls(Options options) {
    return new WorkspaceTools.CallLimits(seconds(options, COMMAND_TIME), options.get(OUTPUT));
  }

  /** Returns the maximum time of tests. */
  static Duration verifierTime(Options options) {
    return seconds(options, VERIFIER_TIME);
  }

  /** Returns the images whose programs this machine has. */
  static Set<String> images(Options options) {
    return Set.copyOf(options.get(IMAGES));
  }

  private static Duration seconds(Options options, Option<Double> option) {
    return Duration.ofMillis((long) (1000 * options.get(option)));
  }
}
