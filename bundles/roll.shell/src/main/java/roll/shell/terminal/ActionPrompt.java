package roll.shell.terminal;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import roll.text.Suggestion;

/** Prompts a person for an action in an environment until one is valid. */
public final class ActionPrompt {
  private static final String QUIT = "quit";
  private static final String HINT = "hint";
  private static final String SAY = "say ";
  private static final int SHOWN = 20;

  private final TerminalLines lines;
  private final PrintStream out;
  private List<String> actions = List.of();

  /** Creates a prompt that reads {@code lines}. */
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

  /**
   * Returns the response for the chosen action; empty if the person quits.
   *
   * @param valid valid actions; empty if they cannot be enumerated
   * @param respond gives the response that performs an action
   * @param expert gives the action of the expert, if it is known
   */
  public Optional<String> response(
      List<String> valid, UnaryOperator<String> respond, Supplier<Optional<String>> expert)
      throws IOException, InterruptedException {
    actions = valid;
    if (!actions.isEmpty()) {
      String more = actions.size() > SHOWN ? ", … (" + actions.size() + " in total)" : "";
      out.println("actions: " + String.join(", ", actions.stream().limit(SHOWN).toList()) + more);
    }
    for (String line = lines.next(); line != null; line = lines.next()) {
      String text = line.strip();
      if (text.equals(QUIT)) {
        return Optional.empty();
      }
      String response = response(text, respond, expert);
      if (response != null) {
        return Optional.of(response);
      }
    }
    return Optional.empty();
  }

  /** Returns the response for {@code text}; null, after a message, if there is none. */
  private @Nullable String response(
      String text, UnaryOperator<String> respond, Supplier<Optional<String>> expert) {
    if (text.isEmpty()) {
      return null;
    }
    if (text.equals(HINT)) {
      out.println(
          expert
              .get()
              .map(action -> "hint: " + action)
              .orElse("no hint: the environment has no expert"));
      return null;
    }
    if (text.startsWith(SAY)) {
      return text.substring(SAY.length()).strip();
    }
    List<String> matches = matches(text);
    if (matches.size() == 1) {
      return respond.apply(matches.getFirst());
    }
    out.println(
        "'"
            + text
            + "' is "
            + (matches.isEmpty() ? "not an action" : "ambiguous: " + String.join(", ", matches))
            + Suggestion.near(text, words())
            + " (also: hint, say <response>, quit)");
    return null;
  }

  /**
   * Returns the actions that match {@code text}: the one with that name in any case, else those
   * with that prefix; {@code text} itself if free text is allowed in brackets or no actions are
   * listed.
   */
  private List<String> matches(String text) {
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
