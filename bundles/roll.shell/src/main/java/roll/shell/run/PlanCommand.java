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
import roll.runtime.pipeline.TrafficPlan;
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
   * @throws UserException if the plan does not fit, after its output was printed, or if the run can
   *     use none of the numbers of {@code --gpus}
   */
  @Override
  protected String run(CommandSession session, Arguments given) {
    LoadedConfig config =
        loader.load(ConfigFile.of(session, given), ConfigFile.overrides(session, given));
    ClusterShape shape =
        given.flag(ClusterOptions.GPUS)
            ? ClusterOptions.read(SYNTAX, given, config.run().devices())
            : null;
    TrafficPlan traffic = shape == null ? null : planner.traffic(config, shape);
    if (traffic != null && shape != null && traffic.rows().isEmpty()) {
      int first = shape.gpus().getFirst();
      throw new UserException(
          "plan: --gpus: the run can use none of %s; %d: %s"
              .formatted(shape.gpus(), first, traffic.refusals().get(first)));
    }
    MemoryPlan plan = planner.plan(config);
    String text =
        ConfigFile.numbers(config, planner.estimate(config), "")
            + "\n\n"
            + new PlanReport(plan).text();
    if (traffic != null && shape != null) {
      return text + "\n\n" + new TrafficReport(traffic, shape).text();
    }
    String refusal = plan.refusal();
    if (refusal == null) {
      return text;
    }
    session.getConsole().println(text);
    throw new UserException(ConfigFile.name(config.file()) + ": " + refusal);
  }
}
