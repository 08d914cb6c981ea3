package roll.shell.completion;

import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import roll.shell.DevicesCommand;
import roll.shell.ExitCommand;
import roll.shell.HelpCommand;
import roll.shell.KeysCommand;
import roll.shell.ServicesCommand;
import roll.shell.VersionCommand;
import roll.shell.algorithm.EstimatorCommand;
import roll.shell.algorithm.LossCommand;
import roll.shell.command.Command;
import roll.shell.create.NewCommand;
import roll.shell.deploy.AssembleCommand;
import roll.shell.deploy.DeployCommand;
import roll.shell.deploy.SearchCommand;
import roll.shell.deploy.UndeployCommand;
import roll.shell.env.EnvCommand;
import roll.shell.eval.EvalCommand;
import roll.shell.grade.GradeCommand;
import roll.shell.model.ChatCommand;
import roll.shell.model.GenerateCommand;
import roll.shell.model.ImageCommand;
import roll.shell.model.LogprobsCommand;
import roll.shell.model.ModelCommand;
import roll.shell.model.TemplateCommand;
import roll.shell.model.TokenizeCommand;
import roll.shell.node.JoinCommand;
import roll.shell.node.NodesCommand;
import roll.shell.node.TokenCommand;
import roll.shell.run.CheckCommand;
import roll.shell.run.DpoCommand;
import roll.shell.run.PauseCommand;
import roll.shell.run.PlanCommand;
import roll.shell.run.ResumeCommand;
import roll.shell.run.RolloutCommand;
import roll.shell.run.RunsCommand;
import roll.shell.run.SftCommand;
import roll.shell.run.StopCommand;
import roll.shell.run.SwapCommand;
import roll.shell.run.TrainCommand;
import roll.shell.serve.ServeCommand;
import roll.shell.serve.UiCommand;
import roll.shell.sweep.SweepCommand;
import roll.shell.tour.TourCommand;
import roll.shell.trajectory.TrajectoryCommand;

/** The commands of this bundle, on no services at all. */
final class BundleCommands {
  private static final List<Class<? extends Command>> TYPES =
      List.of(
          AssembleCommand.class,
          ChatCommand.class,
          CheckCommand.class,
          DeployCommand.class,
          DevicesCommand.class,
          EnvCommand.class,
          EstimatorCommand.class,
          EvalCommand.class,
          ExitCommand.class,
          GenerateCommand.class,
          GradeCommand.class,
          HelpCommand.class,
          ImageCommand.class,
          JoinCommand.class,
          KeysCommand.class,
          LogprobsCommand.class,
          LossCommand.class,
          ModelCommand.class,
          NewCommand.class,
          NodesCommand.class,
          PauseCommand.class,
          PlanCommand.class,
          ResumeCommand.class,
          RolloutCommand.class,
          RunsCommand.class,
          SearchCommand.class,
          ServeCommand.class,
          ServicesCommand.class,
          DpoCommand.class,
          TourCommand.class,
          SftCommand.class,
          StopCommand.class,
          SwapCommand.class,
          SweepCommand.class,
          TemplateCommand.class,
          TokenCommand.class,
          TokenizeCommand.class,
          TrainCommand.class,
          TrajectoryCommand.class,
          UiCommand.class,
          UndeployCommand.class,
          VersionCommand.class);

  private BundleCommands() {}

  static List<Command> all() throws ReflectiveOperationException {
    List<Command> all = new ArrayList<>();
    for (Class<? extends Command> type : TYPES) {
      Constructor<?> constructor = type.getConstructors()[0];
      all.add(
          (Command)
              constructor.newInstance(
                  Stream.of(constructor.getParameterTypes())
                      .map(parameter -> parameter == List.class ? List.of() : null)
                      .toArray()));
    }
    return all;
  }
}
