package roll.shell;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How the commands of this bundle are called. */
final class Syntaxes {
  /** By the name of the command. */
  static final Map<String, Syntax> ALL =
      Stream.of(
              AssembleCommand.SYNTAX,
              ChatCommand.SYNTAX,
              CheckCommand.SYNTAX,
              DeployCommand.SYNTAX,
              EnvCommand.SYNTAX,
              EstimatorCommand.SYNTAX,
              ExitCommand.SYNTAX,
              GenerateCommand.SYNTAX,
              GradeCommand.SYNTAX,
              HelpCommand.SYNTAX,
              LogprobsCommand.SYNTAX,
              LossCommand.SYNTAX,
              ModelCommand.SYNTAX,
              NewCommand.SYNTAX,
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
              TemplateCommand.SYNTAX,
              TokenizeCommand.SYNTAX,
              TrainCommand.SYNTAX,
              TrajectoryCommand.SYNTAX,
              UndeployCommand.SYNTAX,
              VersionCommand.SYNTAX)
          .collect(Collectors.toUnmodifiableMap(Syntax::name, Function.identity()));

  private Syntaxes() {}
}
