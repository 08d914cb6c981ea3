package roll.shell.run;

import org.apache.felix.service.command.CommandSession;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.option.UserException;
import roll.runtime.config.ConfigLoader;
import roll.runtime.config.LoadedConfig;
import roll.runtime.pipeline.ClusterShape;
import roll.runtime.pipeline.Plan;
import roll.runtime.pipeline.Planner;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;

/** {@code plan}: what each device will hold in each phase of a step, before anything is loaded. */
@Component(name = "roll.shell.plan", service = Command.class)
@RollCommand(function = "plan")
public final class PlanCommand extends ConfigCommand {
  /** How it is called. */
  static final Syntax SYNTAX =
      new Syntax(
          "plan",
          "Shows what a training run will hold on each device, by phase.",
          ConfigFile.OR_KEYS,
          ClusterOptions.ALL);

  private final ConfigLoader loader;
  private final Planner planner;

  /** A command on these services. */
  @Activate
  public PlanCommand(@Reference ConfigLoader loader, @Reference Planner planner) {
    super(SYNTAX);
    this.loader = loader;
    this.planner = planner;
  }

  /**
   * The numbers that follow from the configuration and the table of memory; both are printed before
   * a plan that does not fit is refused. With {@code --gpus} what a step sends on so many follows,
   * and memory, which is that of the devices in the configuration, refuses nothing.
   *
   * @throws UserException if it does not
   */
  @Override
  protected String run(CommandSession session, Arguments given) {
    LoadedConfig config =
        loader.load(ConfigFile.of(session, given), ConfigFile.overrides(session, given));
    Plan plan = planner.plan(config);
    String text =
        ConfigFile.numbers(config, planner.estimate(config), "")
            + "\n\n"
            + new PlanPage(plan).text();
    if (given.flag(ClusterOptions.GPUS)) {
      ClusterShape shape = ClusterOptions.read(SYNTAX, given, config.run().devices());
      return text + "\n\n" + new TrafficPage(planner.traffic(config, shape), shape).text();
    }
    String refusal = plan.refusal();
    if (refusal == null) {
      return text;
    }
    session.getConsole().println(text);
    throw new UserException(ConfigFile.name(config.file()) + ": " + refusal);
  }
}
