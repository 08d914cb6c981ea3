package roll.env.click_and_read;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What an agent can do. */
sealed interface Action {
  /**
   * Follows a link.
   *
   * @param label its number or what it says
   */
  record Click(String label) implements Action {}

  /** Returns to the page before. */
  record Back() implements Action {}

  /**
   * Moves the window over a page that is longer.
   *
   * @param down whether to its end, otherwise to its beginning
   */
  record Scroll(boolean down) implements Action {}

  /**
   * Ends the episode.
   *
   * @param text the answer
   */
  record Answer(String text) implements Action {}

  /** The action written in {@code text}, as here or as UI-TARS; empty where it is none. */
  static Optional<Action> of(String text) {
    Matcher matcher = Written.FORM.matcher(text.strip());
    if (!matcher.matches()) {
      return UiTarsAction.of(text.strip());
    }
    String argument = matcher.group(2) == null ? "" : matcher.group(2).strip();
    return switch (matcher.group(1).toLowerCase(Locale.ROOT)) {
      case "back" -> argument.isEmpty() ? Optional.of(new Back()) : Optional.empty();
      case "click" -> argument.isEmpty() ? Optional.empty() : Optional.of(new Click(argument));
      case "scroll" -> scroll(argument.toLowerCase(Locale.ROOT));
      default -> argument.isEmpty() ? Optional.empty() : Optional.of(new Answer(argument));
    };
  }

  private static Optional<Action> scroll(String direction) {
    return direction.equals("down") || direction.equals("up")
        ? Optional.of(new Scroll(direction.equals("down")))
        : Optional.empty();
  }

  /** How actions are written. */
  final class Written {
    private static final Pattern FORM =
        Pattern.compile(
            "(click|back|scroll|answer)\\s*(?:\\[(.*)])?",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private Written() {}
  }
}
