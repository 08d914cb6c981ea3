package roll.shell;

import java.util.ArrayList;
import java.util.List;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.api.config.ConfigLoader;
import roll.api.config.LoadedConfig;
import roll.api.pipeline.Trainer;

/** {@code check}: everything that can be said of a configuration without computing. */
@Component(name = "roll.shell.check", service = CheckCommand.class)
@RollCommand(function = "check", description = CheckCommand.SUMMARY)
public final class CheckCommand {
  static final String SUMMARY =
      "Checks a configuration without computing and prints what it means.";
  private static final Syntax SYNTAX = new Syntax("check", SUMMARY, ConfigFile.OR_KEYS, List.of());

  private final ConfigLoader loader;
  private final Trainer trainer;

  /** A command on these services. */
  @Activate
  public CheckCommand(@Reference ConfigLoader loader, @Reference Trainer trainer) {
    this.loader = loader;
    this.trainer = trainer;
  }

  /** The effective YAML; notices and derived numbers are comments in it, so that it loads again. */
  @Descriptor(SUMMARY)
  public String check(
      CommandSession session, @Descriptor(ConfigFile.ARGUMENTS) String... arguments) {
    Arguments given = SYNTAX.read(arguments);
    if (given.help()) {
      return SYNTAX.help();
    }
    LoadedConfig config =
        loader.loadAsWritten(ConfigFile.of(session, given), ConfigFile.overrides(session, given));
    List<String> notices = new ArrayList<>(config.notices());
    notices.addAll(trainer.check(config));
    StringBuilder text = new StringBuilder();
    notices.forEach(notice -> text.append("# notice: ").append(notice).append('\n'));
    text.append(config.effectiveYaml().stripTrailing()).append("\n\n");
    text.append(ConfigFile.numbers(config, "# ")).append("\n# ");
    text.append(ConfigFile.name(config.file()));
    return text.append(" is right").toString();
  }
}
