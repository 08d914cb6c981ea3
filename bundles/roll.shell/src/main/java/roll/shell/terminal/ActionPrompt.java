package roll.shell.terminal;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import roll.api.rollout.EpisodeView;
import roll.text.Suggestion;

/** Asks a person what to do in a world, until there is an answer that can be one. */
public final class ActionPrompt {
  private static final String QUIT = "quit";
  private static final String HINT = "hint";
  private static final String SAY = "say ";
  private static final int SHOWN = 20;

  private final TerminalLines lines;
  private final PrintStream out;
  private List<String> actions = List.of();

  /** Over a person's terminal, or lines from elsewhere. */
  public ActionPrompt(TerminalLines lines, PrintStream out) {
    this.lines = lines;
    this.out = out;
    lines.complete(this::words);
  }

  private List<String> words() {
    List<String> words = new ArrayList<>(actions);
    words.add(HINT);
    words.add(QUIT);
    return words;
  }

  /** The response that does what the person wants; empty if that is to leave. */
  public Optional<String> response(EpisodeView view) throws IOException, InterruptedException {
    actions = view.actions();
    if (!actions.isEmpty()) {
      String more = actions.size() > SHOWN ? ", … (" + actions.size() + " in all)" : "";
      out.println("actions: " + String.join(", ", actions.stream().limit(SHOWN).toList()) + more);
    }
    for (String line = lines.next(); line != null; line = lines.next()) {
      String text = line.strip();
      if (text.equals(QUIT)) {
        return Optional.empty();
      }
      String response = response(view, text);
      if (response != null) {
        return Optional.of(response);
      }
    }
    return Optional.empty();
  }

  /** The response that {@code text} stands for; null if it stands for none, which is then told. */
  private @Nullable String response(EpisodeView view, String text) {
    if (text.isEmpty()) {
      return null;
    }
    if (text.equals(HINT)) {
      out.println(view.expert().map(action -> "hint: " + action).orElse("there is no expert"));
      return null;
    }
    if (text.startsWith(SAY)) {
      return text.substring(SAY.length()).strip();
    }
    List<String> meant = meant(text);
    if (meant.size() == 1) {
      return view.respond(meant.getFirst());
    }
    out.println(
        "'"
            + text
            + "' is "
            + (meant.isEmpty() ? "no action" : "ambiguous: " + String.join(", ", meant))
            + Suggestion.near(text, words())
            + " (also: hint, say <response>, quit)");
    return null;
  }

  /**
   * The actions that {@code text} may be: one with that name in any case, those that begin so, or
   * itself where any text may stand between the brackets or no actions are told.
   */
  private List<String> meant(String text) {
    List<String> equal = actions.stream().filter(text::equalsIgnoreCase).limit(1).toList();
    if (!equal.isEmpty()) {
      return equal;
    }
    int open = text.indexOf('[');
    String kind = lower(text.substring(0, open + 1));
    boolean free = open > 0 && text.endsWith("]");
    if (actions.isEmpty()
        || (free && actions.stream().anyMatch(action -> lower(action).startsWith(kind)))) {
      return List.of(text);
    }
    return actions.stream().filter(action -> lower(action).startsWith(lower(text))).toList();
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }
}
