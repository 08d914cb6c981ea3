package roll.shell.run;

import java.util.ArrayList;
import java.util.List;
import org.apache.felix.service.command.CommandSession;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.runtime.config.ConfigLoader;
import roll.runtime.config.LoadedConfig;
import roll.runtime.pipeline.Planner;
import roll.runtime.pipeline.Trainer;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Option;

/** {@code check}: validates a configuration without computing. */
@Component(name = "roll.shell.check", service = Command.class)
@RollCommand(function = "check")
public final class CheckCommand extends ConfigCommand {
  private static final String FULL = "--full";

  /** Arguments and options of the command {@code check}. */
  static final Syntax SYNTAX =
      new Syntax(
          "check",
          "Validates a configuration without computing, and prints the values derived from it.",
          ConfigFile.OR_KEYS,
          List.of(Option.flag(FULL, "also print the effective configuration, and every notice")));

  private final ConfigLoader loader;
  private final Trainer trainer;
  private final Planner planner;

  /** Creates the command with its services. */
  @Activate
  public CheckCommand(
      @Reference ConfigLoader loader, @Reference Trainer trainer, @Reference Planner planner) {
    super(SYNTAX);
    this.loader = loader;
    this.trainer = trainer;
    this.planner = planner;
  }

  /**
   * Returns the verdict, the derived numbers and the notices; with {@code --full} as comments above
   * the effective YAML, so that the output is a loadable configuration.
   */
  @Override
  protected String run(CommandSession session, Arguments given) {
    LoadedConfig config =
        loader.loadAsWritten(ConfigFile.of(session, given), ConfigFile.overrides(session, given));
    List<String> all = new ArrayList<>(config.notices());
    all.addAll(trainer.checkStart(config));
    NoticeList notices = NoticeList.of(config, all);
    boolean full = given.flag(FULL);
    String comment = full ? "# " : "";
    StringBuilder text = new StringBuilder(comment);
    text.append(ConfigFile.name(config.file())).append(" is valid\n").append(comment.strip());
    text.append('\n')
        .append(ConfigFile.numbers(config, planner.estimate(config), comment))
        .append('\n');
    text.append(comment.strip()).append('\n');
    (full ? notices.all() : notices.lines())
        .forEach(notice -> text.append(comment).append(NoticeList.line(notice)).append('\n'));
    return full
        ? text.append(config.effectiveYaml().stripTrailing()).toString()
        : text.append("(" + FULL + " prints the effective configuration)").toString();
  }
}
