package roll.shell.completion;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import roll.shell.DevicesCommand;
import roll.shell.ExitCommand;
import roll.shell.HelpCommand;
import roll.shell.ServicesCommand;
import roll.shell.VersionCommand;
import roll.shell.algorithm.EstimatorCommand;
import roll.shell.algorithm.LossCommand;
import roll.shell.create.NewCommand;
import roll.shell.deploy.AssembleCommand;
import roll.shell.deploy.DeployCommand;
import roll.shell.deploy.UndeployCommand;
import roll.shell.env.EnvCommand;
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
import roll.shell.syntax.Syntax;
import roll.shell.trajectory.TrajectoryCommand;

/** How the commands of this bundle are called. */
final class Syntaxes {
  /** By the name of the command. */
  static final Map<String, Syntax> ALL =
      Stream.of(
              AssembleCommand.SYNTAX,
              ChatCommand.SYNTAX,
              CheckCommand.SYNTAX,
              DeployCommand.SYNTAX,
              DevicesCommand.SYNTAX,
              EnvCommand.SYNTAX,
              EstimatorCommand.SYNTAX,
              ExitCommand.SYNTAX,
              GenerateCommand.SYNTAX,
              GradeCommand.SYNTAX,
              HelpCommand.SYNTAX,
              ImageCommand.SYNTAX,
              JoinCommand.SYNTAX,
              TokenCommand.SYNTAX,
              LogprobsCommand.SYNTAX,
              LossCommand.SYNTAX,
              ModelCommand.SYNTAX,
              NewCommand.SYNTAX,
              NodesCommand.SYNTAX,
              PauseCommand.SYNTAX,
              PlanCommand.SYNTAX,
              ResumeCommand.SYNTAX,
              RolloutCommand.SYNTAX,
              RunsCommand.SYNTAX,
              ServeCommand.SYNTAX,
              ServicesCommand.SYNTAX,
              SftCommand.SYNTAX,
              StopCommand.SYNTAX,
              SwapCommand.SYNTAX,
              SweepCommand.SYNTAX,
              TemplateCommand.SYNTAX,
              TokenizeCommand.SYNTAX,
              TrainCommand.SYNTAX,
              TrajectoryCommand.SYNTAX,
              UiCommand.SYNTAX,
              UndeployCommand.SYNTAX,
              VersionCommand.SYNTAX)
          .collect(Collectors.toUnmodifiableMap(Syntax::name, Function.identity()));

  private Syntaxes() {}
}
