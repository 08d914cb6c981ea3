package roll.shell.deploy;

import static org.osgi.service.component.annotations.ReferenceCardinality.OPTIONAL;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.felix.service.command.CommandSession;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import roll.runtime.config.ConfigLoader;
import roll.runtime.config.LoadedConfig;
import roll.runtime.distribution.AssembledDistribution;
import roll.runtime.distribution.Assembler;
import roll.runtime.pipeline.Trainer;
import roll.shell.command.Arguments;
import roll.shell.command.Command;
import roll.shell.command.RollCommand;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Option;
import roll.shell.run.ConfigFile;
import roll.shell.run.NoticeList;
import roll.shell.syntax.RequiredService;
import roll.shell.syntax.UserPath;

/** {@code assemble}: writes a distribution with the bundles that a configuration needs. */
@Component(name = "roll.shell.assemble", service = Command.class)
@RollCommand(function = "assemble")
public final class AssembleCommand extends Command {
  private static final String WITH = "--with";

  /** Arguments and options of the command {@code assemble}. */
  static final Syntax SYNTAX =
      new Syntax(
          "assemble",
          "Writes a distribution with the bundles that a configuration needs.",
          ConfigFile.WORDS,
          List.of(
              Option.optional(
                  Syntax.OUTPUT,
                  "folder",
                  "target folder, also -o (default: <config>-dist in the current folder)"),
              Option.flag("--jar", "also write bundles and libtorch as one executable jar"),
              Option.any(WITH, "bundle", "include this bundle too")));

  private final ConfigLoader loader;
  private final Trainer trainer;
  private final @Nullable Assembler assembler;

  /** Creates the command with its services. */
  @Activate
  public AssembleCommand(
      @Reference ConfigLoader loader,
      @Reference Trainer trainer,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable Assembler assembler) {
    super(SYNTAX);
    this.loader = loader;
    this.trainer = trainer;
    this.assembler = assembler;
  }

  /**
   * Checks the configuration as {@code check} does and writes the distribution; returns its files.
   */
  @Override
  protected String run(CommandSession session, Arguments given) {
    Assembler service = RequiredService.of(assembler, "assemble", "roll.assemble");
    LoadedConfig config =
        loader.loadAsWritten(UserPath.of(session, given.word(0)), ConfigFile.keys(given, 1));
    List<String> notices = new ArrayList<>(trainer.check(config));
    String output = given.optional(Syntax.OUTPUT);
    Path target = UserPath.of(session, output == null ? name(config) + "-dist" : output);
    AssembledDistribution assembly =
        service.assemble(config, target, given.flag("--jar"), given.texts(WITH));
    notices.addAll(assembly.notices());
    StringBuilder text = new StringBuilder();
    NoticeList.of(config, notices)
        .lines()
        .forEach(notice -> text.append(NoticeList.line(notice)).append('\n'));
    text.append(assembly.bundles().size()).append(" bundles, ");
    text.append(String.format(Locale.ROOT, "%.1f MB", assembly.bytes() / 1e6)).append("\n");
    text.append("folder   ").append(assembly.folder()).append("\n");
    text.append("archive  ").append(assembly.archive()).append("\n");
    if (assembly.jar() != null) {
      text.append("jar      ").append(assembly.jar()).append("\n");
    }
    text.append("contents and reasons: ").append(assembly.folder().resolve("CONTENTS.md"));
    text.append("\nto train: cd ").append(assembly.folder()).append(" && ./roll ");
    text.append(config.onlySft() ? "sft " : "train ");
    return text.append(config.file().getFileName()).toString();
  }

  private static String name(LoadedConfig config) {
    return String.valueOf(config.file().getFileName()).replaceFirst("\\.ya?ml$", "");
  }
}
