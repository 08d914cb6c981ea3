package roll.shell.completion;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Option;
import roll.shell.command.Syntax.Word;

/**
 * A command line that is being typed, up to the cursor.
 *
 * @param syntax of the command
 * @param before arguments before the cursor, without options and their values
 * @param option option whose value is being typed, or null
 * @param word the word at the cursor, as far as it is typed
 */
record TypedCommand(Syntax syntax, List<String> before, @Nullable Option option, String word) {
  /** Returns the line with {@code words} after the command, the last of them at the cursor. */
  static TypedCommand of(Syntax syntax, List<String> words) {
    List<String> before = new ArrayList<>();
    Option open = null;
    for (String word : words.subList(0, words.size() - 1)) {
      if (open != null) {
        open = null;
      } else if (word.startsWith("-")) {
        open = taking(syntax, word);
      } else {
        before.add(word);
      }
    }
    return new TypedCommand(syntax, List.copyOf(before), open, words.getLast());
  }

  /** Returns the option {@code word} if it takes a value, else null. */
  private static @Nullable Option taking(Syntax syntax, String word) {
    return syntax.options().stream()
        .filter(option -> option.name().equals(word) && option.value() != null)
        .findFirst()
        .orElse(null);
  }

  /** Returns the argument that is being typed, or null if there are too many. */
  @Nullable Word argument() {
    long max = 0;
    for (Word word : syntax.words()) {
      max += word.max();
      if (before.size() < max) {
        return word;
      }
    }
    return null;
  }
}
