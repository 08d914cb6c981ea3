package roll.shell.run;

import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.option.UserException;
import roll.runtime.config.ConfigLoader;
import roll.runtime.config.LoadedConfig;
import roll.runtime.pipeline.ClusterShape;
import roll.runtime.pipeline.Plan;
import roll.runtime.pipeline.Planner;
import roll.shell.syntax.Arguments;
import roll.shell.syntax.RollCommand;
import roll.shell.syntax.Syntax;

/** {@code plan}: what each device will hold in each phase of a step, before anything is loaded. */
@Component(name = "roll.shell.plan", service = PlanCommand.class)
@RollCommand(function = "plan", description = PlanCommand.SUMMARY)
public final class PlanCommand {
  static final String SUMMARY = "Shows what a training run will hold on each device, by phase.";

  /** How it is called. */
  public static final Syntax SYNTAX =
      new Syntax("plan", SUMMARY, ConfigFile.OR_KEYS, ClusterOptions.ALL);

  private final ConfigLoader loader;
  private final Planner planner;

  /** A command on these services. */
  @Activate
  public PlanCommand(@Reference ConfigLoader loader, @Reference Planner planner) {
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
  @Descriptor(SUMMARY)
  public String plan(
      CommandSession session, @Descriptor(ConfigFile.ARGUMENTS) String... arguments) {
    Arguments given = SYNTAX.read(HydraArguments.read(session, arguments));
    if (given.help()) {
      return SYNTAX.help();
    }
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
