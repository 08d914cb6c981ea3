package roll.shell.run;

import org.apache.felix.service.command.CommandSession;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.option.UserException;
import roll.runtime.config.ConfigLoader;
import roll.runtime.config.LoadedConfig;
import roll.runtime.pipeline.ClusterShape;
import roll.runtime.pipeline.MemoryPlan;
import roll.runtime.pipeline.Planner;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;

/** {@code plan}: estimates memory per device and phase of a training step, without loading. */
@Component(name = "roll.shell.plan", service = Command.class)
@RollCommand(function = "plan")
public final class PlanCommand extends ConfigCommand {
  /** Arguments and options of the command {@code plan}. */
  static final Syntax SYNTAX =
      new Syntax(
          "plan",
          "Estimates the memory of a training run by device and phase.",
          ConfigFile.OR_KEYS,
          ClusterOptions.ALL);

  private final ConfigLoader loader;
  private final Planner planner;

  /** Creates the command with its services. */
  @Activate
  public PlanCommand(@Reference ConfigLoader loader, @Reference Planner planner) {
    super(SYNTAX);
    this.loader = loader;
    this.planner = planner;
  }

  /**
   * Returns the derived numbers and the table of memory; with {@code --gpus} also traffic and time
   * of a step, and then memory of the configured devices refuses nothing.
   *
   * @throws UserException if the plan does not fit, after its output was printed
   */
  @Override
  protected String run(CommandSession session, Arguments given) {
    LoadedConfig config =
        loader.load(ConfigFile.of(session, given), ConfigFile.overrides(session, given));
    MemoryPlan plan = planner.plan(config);
    String text =
        ConfigFile.numbers(config, planner.estimate(config), "")
            + "\n\n"
            + new PlanReport(plan).text();
    if (given.flag(ClusterOptions.GPUS)) {
      ClusterShape shape = ClusterOptions.read(SYNTAX, given, config.run().devices());
      return text + "\n\n" + new TrafficReport(planner.traffic(config, shape), shape).text();
    }
    String refusal = plan.refusal();
    if (refusal == null) {
      return text;
    }
    session.getConsole().println(text);
    throw new UserException(ConfigFile.name(config.file()) + ": " + refusal);
  }
}
