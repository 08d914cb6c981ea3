package roll.shell.run;

import static org.osgi.service.component.annotations.ReferenceCardinality.OPTIONAL;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.runtime.command.Interrupts;
import roll.runtime.config.ConfigLoader;
import roll.runtime.config.LoadedConfig;
import roll.runtime.pipeline.RolloutRun;
import roll.runtime.pipeline.RolloutRun.Outcome;
import roll.runtime.pipeline.RolloutRunner;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Option;
import roll.shell.syntax.FutureResults;
import roll.shell.terminal.HumanAgent;

/** {@code rollout}: plays episodes without training, with the model or an agent. */
@Component(name = "roll.shell.rollout", service = Command.class)
@RollCommand(function = "rollout")
public final class RolloutCommand extends ConfigCommand {
  private static final String AGENT = "--agent";
  private static final String EPISODES = "--episodes";

  /** Arguments and options of the command {@code rollout}. */
  static final Syntax SYNTAX =
      new Syntax(
          "rollout",
          "Plays episodes without training; Ctrl-C stops and saves them.",
          ConfigFile.OR_KEYS,
          List.of(
              Option.flag("--val", "use val_env_manager instead of train_env_manager"),
              Option.optional(
                  AGENT,
                  "id",
                  "agent that plays: policy, random, scripted, openai, human … (sets llm_proxy)"),
              Option.optional(
                  EPISODES,
                  "n",
                  "number of episodes; the group size is reduced if they are not whole groups")));

  private final ConfigLoader loader;
  private final RolloutRunner runner;
  private final HumanAgent human;
  private final Interrupts interrupts;

  /**
   * Creates the command with its services; without {@code interrupts} Ctrl-C is left to the shell.
   */
  @Activate
  public RolloutCommand(
      @Reference ConfigLoader loader,
      @Reference RolloutRunner runner,
      @Reference HumanAgent human,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable Interrupts interrupts) {
    super(SYNTAX);
    this.loader = loader;
    this.runner = runner;
    this.human = human;
    this.interrupts = Objects.requireNonNullElse(interrupts, Interrupts.NONE);
  }

  /** Starts the rollout and waits for its end; the first interrupt stops it. */
  @Override
  protected @Nullable String run(CommandSession session, Arguments given) {
    PrintStream out = session.getConsole();
    boolean validation = given.flag("--val");
    int episodes = given.flag(EPISODES) ? (int) given.integer(EPISODES, 1, Integer.MAX_VALUE) : 0;
    LoadedConfig config =
        loader.loadForRollout(ConfigFile.of(session, given), overrides(session, given, validation));
    NoticeList.of(config).print(out);
    Thread waiting = Thread.currentThread();
    try (Interrupts.Watch _ = interrupts.watch();
        HumanAgent.Terminal _ = human.attach(session, waiting::interrupt)) {
      RolloutRun run = runner.start(config, validation, episodes);
      run.notices().forEach(notice -> out.println(NoticeList.line(notice)));
      out.println("writing to " + run.folder());
      Outcome outcome = FutureResults.of(run.outcome(), run::stop);
      outcome.notices().forEach(notice -> out.println(NoticeList.line(notice)));
      out.print(RolloutTable.of(outcome));
      if (outcome.interrupted()) {
        session.put("exit", INTERRUPTED);
        out.println("stopped early, saved in " + run.folder());
      } else {
        out.println("saved in " + run.folder());
      }
    }
    return null;
  }

  /** Returns the overrides; the agent comes first, so that its options can follow. */
  private static List<String> overrides(
      CommandSession session, Arguments given, boolean validation) {
    List<String> overrides = new ArrayList<>(ConfigFile.overrides(session, given));
    String agent = given.optional(AGENT);
    if (agent != null) {
      if (!agent.matches("[\\w.-]+")) {
        throw SYNTAX.wrong(AGENT + ": expected the id of an agent, found '" + agent + "'");
      }
      String manager = validation ? "val_env_manager" : "train_env_manager";
      overrides.addFirst(manager + ".llm_proxy={proxy_type: " + agent + "}");
    }
    return overrides;
  }
}
