package roll.shell.deploy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import roll.runtime.config.ConfigLoader;
import roll.runtime.config.LoadedConfig;
import roll.runtime.distribution.Assembler;
import roll.runtime.distribution.Assembly;
import roll.runtime.pipeline.Trainer;
import roll.shell.run.ConfigFile;
import roll.shell.run.NoticeList;
import roll.shell.syntax.Arguments;
import roll.shell.syntax.RequiredService;
import roll.shell.syntax.RollCommand;
import roll.shell.syntax.Syntax;
import roll.shell.syntax.Syntax.Option;
import roll.shell.syntax.UserPath;

/** {@code assemble}: a distribution that holds what one configuration needs. */
@Component(name = "roll.shell.assemble", service = AssembleCommand.class)
@RollCommand(function = "assemble", description = AssembleCommand.SUMMARY)
public final class AssembleCommand {
  static final String SUMMARY = "Writes a distribution with what a configuration needs.";
  private static final String OUTPUT = "--output";
  private static final String WITH = "--with";

  /** How it is called. */
  public static final Syntax SYNTAX =
      new Syntax(
          "assemble",
          SUMMARY,
          ConfigFile.WORDS,
          List.of(
              Option.optional(
                  OUTPUT,
                  "folder",
                  "target folder, also -o (default: <config>-dist in the current folder)"),
              Option.flag("--jar", "also writes bundles and libtorch as one executable jar"),
              Option.any(WITH, "bundle", "includes this bundle")));

  private final ConfigLoader loader;
  private final Trainer trainer;
  private final @Nullable Assembler assembler;

  /** A command on these services. */
  @Activate
  public AssembleCommand(
      @Reference ConfigLoader loader,
      @Reference Trainer trainer,
      @Reference(
              cardinality = ReferenceCardinality.OPTIONAL,
              policyOption = ReferencePolicyOption.GREEDY)
          @Nullable Assembler assembler) {
    this.loader = loader;
    this.trainer = trainer;
    this.assembler = assembler;
  }

  /**
   * Checks the configuration as {@code check} does, then writes; a few lines say what and where.
   */
  @Descriptor(SUMMARY)
  public String assemble(
      CommandSession session,
      @Descriptor("config.yaml [key=value …] [-o folder] [--jar] [--with bundle …]")
          String... arguments) {
    Arguments given = SYNTAX.read(plain(arguments));
    if (given.help()) {
      return SYNTAX.help();
    }
    Assembler service = RequiredService.of(assembler, "assemble", "roll.assemble");
    LoadedConfig config =
        loader.loadAsWritten(UserPath.of(session, given.word(0)), ConfigFile.keys(given, 1));
    List<String> notices = new ArrayList<>(trainer.check(config));
    String output = given.optional(OUTPUT);
    Path target = UserPath.of(session, output == null ? name(config) + "-dist" : output);
    Assembly assembly = service.assemble(config, target, given.flag("--jar"), given.texts(WITH));
    notices.addAll(assembly.notices());
    StringBuilder text = new StringBuilder();
    NoticeList.of(config, notices)
        .lines()
        .forEach(notice -> text.append("notice: ").append(notice).append('\n'));
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

  /** {@code -o} is how compilers and linkers ask the same. */
  private static String[] plain(String... arguments) {
    String[] plain = arguments.clone();
    for (int i = 0; i < plain.length && !plain[i].equals("--"); i++) {
      plain[i] = plain[i].equals("-o") ? OUTPUT : plain[i];
    }
    return plain;
  }

  private static String name(LoadedConfig config) {
    return String.valueOf(config.file().getFileName()).replaceFirst("\\.ya?ml$", "");
  }
}
