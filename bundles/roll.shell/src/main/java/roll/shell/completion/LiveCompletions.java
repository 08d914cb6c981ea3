package roll.shell.completion;

import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jline.builtins.Completers.CompletionData;
import org.jspecify.annotations.Nullable;
import roll.shell.command.Syntax;

/**
 * What JLine looks up for a command's name: the syntax of a command that is there at this moment,
 * or what the shell itself was told with {@code complete}.
 */
final class LiveCompletions extends AbstractMap<String, List<CompletionData>> {
  private final Map<String, List<CompletionData>> told;
  private final Function<String, @Nullable Syntax> syntaxes;

  /** Completions of {@code syntaxes}, by names with a scope, above those that were {@code told}. */
  LiveCompletions(
      Map<String, List<CompletionData>> told, Function<String, @Nullable Syntax> syntaxes) {
    this.told = told;
    this.syntaxes = syntaxes;
  }

  @Override
  public @Nullable List<CompletionData> get(@Nullable Object name) {
    Syntax syntax = syntaxes.apply(String.valueOf(name));
    return syntax == null ? told.get(name) : data(syntax);
  }

  @Override
  public @Nullable List<CompletionData> put(String name, List<CompletionData> data) {
    return told.put(name, data);
  }

  @Override
  public Set<Map.Entry<String, List<CompletionData>>> entrySet() {
    return told.entrySet();
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
}
