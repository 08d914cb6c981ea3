package roll.shell.completion;

import static org.osgi.service.component.annotations.ReferenceCardinality.OPTIONAL;
import static org.osgi.service.component.annotations.ReferencePolicyOption.GREEDY;

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
import roll.runtime.config.ConfigLoader;
import roll.runtime.pipeline.Trainer;
import roll.shell.command.Syntax;

/**
 * Tab completion for the commands of all bundles. The shell's profile calls it once with {@code
 * install}; from then on JLine calls it for each line.
 */
@Component(
    name = "roll.shell.completion",
    service = Function.class,
    property = {"osgi.command.scope=shell", "osgi.command.function=_complete"})
public final class Completion implements Function {
  private static final String INSTALL = "install";
  private static final String COMPLETIONS = ".completions";
  private static final String LINE = ".commandLine";

  private final BundleContext context;
  private final @Nullable ConfigLoader loader;
  private final @Nullable Trainer trainer;

  /** Completion with the names of {@code context} and these services. */
  @Activate
  public Completion(
      BundleContext context,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable ConfigLoader loader,
      @Reference(cardinality = OPTIONAL, policyOption = GREEDY) @Nullable Trainer trainer) {
    this.context = context;
    this.loader = loader;
    this.trainer = trainer;
  }

  /** Returns the candidates for the session's line; null after {@code install}. */
  @Override
  @SuppressWarnings("unchecked") // Gogo's shell put the map there, for this purpose
  public @Nullable Object execute(CommandSession session, List<Object> arguments) {
    if (arguments.contains(INSTALL)) {
      if (session.get(COMPLETIONS) instanceof Map<?, ?> registered) {
        var completions = (Map<String, List<CompletionData>>) registered;
        session.put(COMPLETIONS, new LiveCompletions(completions, this::syntax));
      }
      return null;
    }
    return session.get(LINE) instanceof ParsedLine line ? candidates(session, line) : List.of();
  }

  /** Returns the syntax of {@code command}, with or without scope; null if unknown. */
  private @Nullable Syntax syntax(String command) {
    // `help` runs roll:help, but Gogo takes the completion of the last bundle with such a command.
    String scope = command.substring(0, command.indexOf(':') + 1);
    String name = command.substring(scope.length());
    boolean ours = scope.isEmpty() || scope.equals("roll:") || name.equals("help");
    return ours ? new CompletionNames(context, loader, trainer, Path.of("")).syntax(name) : null;
  }

  private List<Candidate> candidates(CommandSession session, ParsedLine line) {
    Syntax syntax = syntax(line.words().getFirst());
    if (syntax == null) {
      return List.of();
    }
    List<String> words = new ArrayList<>(line.words().subList(1, line.wordIndex()));
    words.add(line.word().substring(0, line.wordCursor()));
    Path here = Objects.requireNonNullElse(session.currentDir(), Path.of(""));
    return new CandidateSources(new CompletionNames(context, loader, trainer, here))
        .of(TypedCommand.of(syntax, words));
  }
}
