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
 * The completions that JLine looks up by command name: the syntax of a command that is registered
 * now, else the completion registered with the shell's {@code complete}.
 */
final class LiveCompletions extends AbstractMap<String, List<CompletionData>> {
  private final Map<String, List<CompletionData>> registered;
  private final Function<String, @Nullable Syntax> syntaxes;

  /** Completions of {@code syntaxes} by scoped name, before the {@code registered} ones. */
  LiveCompletions(
      Map<String, List<CompletionData>> registered, Function<String, @Nullable Syntax> syntaxes) {
    this.registered = registered;
    this.syntaxes = syntaxes;
  }

  @Override
  public @Nullable List<CompletionData> get(@Nullable Object name) {
    Syntax syntax = syntaxes.apply(String.valueOf(name));
    return syntax == null ? registered.get(name) : data(syntax);
  }

  @Override
  public @Nullable List<CompletionData> put(String name, List<CompletionData> data) {
    return registered.put(name, data);
  }

  @Override
  public Set<Map.Entry<String, List<CompletionData>>> entrySet() {
    return registered.entrySet();
  }

  private static List<CompletionData> data(Syntax syntax) {
    List<CompletionData> data = new ArrayList<>();
    data.add(new CompletionData(null, syntax.summary(), null, null));
    for (Syntax.Option option : syntax.options()) {
      data.add(new CompletionData(List.of(option.name()), option.description(), null, null));
    }
    data.add(new CompletionData(List.of("--help"), "print the help of the command", null, null));
    data.add(new CompletionData(null, null, "shell:_complete", null));
    return data;
  }
}
