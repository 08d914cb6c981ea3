package roll.shell.completion;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.shell.command.Syntax;
import roll.shell.command.Syntax.Option;
import roll.shell.command.Syntax.Word;

/**
 * A command line that is being typed, up to the word at the cursor.
 *
 * @param syntax of the command
 * @param before its arguments before the cursor, without options and their values
 * @param option whose value is being typed, or null
 * @param word what is typed of the word at the cursor
 */
record CommandWords(Syntax syntax, List<String> before, @Nullable Option option, String word) {
  /** The line with {@code words} after the command, the last of them at the cursor. */
  static CommandWords of(Syntax syntax, List<String> words) {
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
    return new CommandWords(syntax, List.copyOf(before), open, words.getLast());
  }

  /** The option {@code word} where a value must follow it. */
  private static @Nullable Option taking(Syntax syntax, String word) {
    return syntax.options().stream()
        .filter(option -> option.name().equals(word) && option.value() != null)
        .findFirst()
        .orElse(null);
  }

  /** The argument that is being typed; null where there is one too many. */
  @Nullable Word argument() {
    long most = 0;
    for (Word word : syntax.words()) {
      most += word.most();
      if (before.size() < most) {
        return word;
      }
    }
    return null;
  }
}
