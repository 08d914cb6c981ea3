package roll.shell.completion;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Function;
import org.jline.builtins.Completers.CompletionData;
import org.jline.reader.Candidate;
import org.jline.reader.ParsedLine;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import roll.runtime.config.ConfigLoader;
import roll.runtime.pipeline.Trainer;
import roll.shell.HelpCommand;
import roll.shell.syntax.Syntax;

/**
 * What the Tab key offers behind the commands of this bundle. The shell's profile calls it once
 * with {@code install}; from then on JLine calls it for each line.
 */
@Component(
    name = "roll.shell.completion",
    service = Function.class,
    property = {"osgi.command.scope=shell", "osgi.command.function=_complete"})
public final class Completion implements Function {
  private static final String INSTALL = "install";
  private static final String COMPLETIONS = ".completions";
  private static final String LINE = ".commandLine";
  private static final List<String> HELP = List.of("gogo", "felix");

  private final BundleContext context;
  private final @Nullable ConfigLoader loader;
  private final @Nullable Trainer trainer;

  /** A completion by what {@code context} and these services know. */
  @Activate
  public Completion(
      BundleContext context,
      @Reference(
              cardinality = ReferenceCardinality.OPTIONAL,
              policyOption = ReferencePolicyOption.GREEDY)
          @Nullable ConfigLoader loader,
      @Reference(
              cardinality = ReferenceCardinality.OPTIONAL,
              policyOption = ReferencePolicyOption.GREEDY)
          @Nullable Trainer trainer) {
    this.context = context;
    this.loader = loader;
    this.trainer = trainer;
  }

  /** Nothing for {@code install}, otherwise a list of candidates for the session's line. */
  @Override
  public @Nullable Object execute(CommandSession session, List<Object> arguments) {
    if (arguments.contains(INSTALL)) {
      if (session.get(COMPLETIONS) instanceof Map<?, ?> completions) {
        install(completions);
      }
      return null;
    }
    return session.get(LINE) instanceof ParsedLine line ? candidates(session, line) : List.of();
  }

  @SuppressWarnings("unchecked") // Gogo's shell put the map there, for this purpose
  private static void install(Map<?, ?> map) {
    var completions = (Map<String, List<CompletionData>>) map;
    Syntaxes.ALL.forEach((name, syntax) -> completions.put("roll:" + name, data(syntax)));
    // `help` runs roll:help, but Gogo takes the completion of the last bundle with such a command.
    HELP.forEach(scope -> completions.put(scope + ":help", data(HelpCommand.SYNTAX)));
  }

  private static List<CompletionData> data(Syntax syntax) {
    List<CompletionData> data = new ArrayList<>();
    data.add(new CompletionData(null, syntax.summary(), null, null));
    for (Syntax.Option option : syntax.options()) {
      data.add(new CompletionData(List.of(option.name()), option.description(), null, null));
    }
    data.add(new CompletionData(List.of("--help"), "explain the command", null, null));
    data.add(new CompletionData(null, null, "shell:_complete", null));
    return data;
  }

  private List<Candidate> candidates(CommandSession session, ParsedLine line) {
    String command = line.words().getFirst();
    Syntax syntax = Syntaxes.ALL.get(command.substring(command.indexOf(':') + 1));
    if (syntax == null) {
      return List.of();
    }
    List<String> words = new ArrayList<>(line.words().subList(1, line.wordIndex()));
    words.add(line.word().substring(0, line.wordCursor()));
    Path here = Objects.requireNonNullElse(session.currentDir(), Path.of(""));
    return new CandidateSources(new SystemNames(context, loader, trainer, here))
        .of(CommandWords.of(syntax, words));
  }
}
