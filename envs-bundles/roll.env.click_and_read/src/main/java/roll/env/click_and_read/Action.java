package roll.env.click_and_read;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An action of the agent. */
sealed interface Action {
  /**
   * Follows a link.
   *
   * @param label its number or text
   */
  record Click(String label) implements Action {}

  /** Action that returns to the previous page. */
  record Back() implements Action {}

  /**
   * Action that scrolls a page that is longer than the window.
   *
   * @param down whether downward, otherwise upward
   */
  record Scroll(boolean down) implements Action {}

  /**
   * Ends the episode.
   *
   * @param text the answer
   */
  record Answer(String text) implements Action {}

  /** Parses {@code text} in either action format; empty if it is not an action. */
  static Optional<Action> of(String text) {
    Matcher matcher = Syntax.FORM.matcher(text.strip());
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

  /** The syntax of actions in brackets. */
  final class Syntax {
    private static final Pattern FORM =
        Pattern.compile(
            "(click|back|scroll|answer)\\s*(?:\\[(.*)])?",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private Syntax() {}
  }
}
