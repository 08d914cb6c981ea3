package roll.reward.llm_judge;

import java.math.BigDecimal;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import roll.api.data.Message;
import roll.api.data.Trajectory;
import roll.api.reward.AnswerKey;
import roll.api.reward.TaskFacts;

/**
 * The prompt with which a judge grades an episode.
 *
 * @param template with placeholders in braces; other braces stay as they are
 * @param key field of the reference answer
 * @param min number of the worst verdict
 * @param max number of the best verdict
 */
record JudgePrompt(String template, AnswerKey key, double min, double max) {
  /** The default template, which asks for a number at the end. */
  static final String STANDARD =
      """
      You grade the answer to a question. Judge only whether it is right and complete.

      Question:
      {question}

      Known answer:
      {answer}

      Answer to grade:
      {response}

      Think briefly, then end with one line: "Score: " and a number from {min} (worst) to {max} \
      (best).\
      """;

  private static final Pattern PLACE =
      Pattern.compile("\\{(question|answer|response|messages|min|max)\\}");

  /** Returns the judge's prompt for {@code episode}. */
  String of(Trajectory episode) {
    return PLACE
        .matcher(template)
        .replaceAll(place -> Matcher.quoteReplacement(value(place, episode)));
  }

  private String value(MatchResult place, Trajectory episode) {
    return switch (place.group(1)) {
      case "question" -> TaskFacts.question(episode).orElseGet(() -> said(episode));
      case "answer" -> String.join(" or ", key.answers(episode));
      case "response" -> episode.finalResponse();
      case "messages" ->
          episode.messages().stream()
              .map(message -> message.role() + ": " + message.content())
              .collect(Collectors.joining("\n\n"));
      case "min" -> plain(min);
      default -> plain(max);
    };
  }

  /** Returns the user's first message; empty without one. */
  private static String said(Trajectory episode) {
    return episode.messages().stream()
        .filter(message -> message.role().equals("user"))
        .map(Message::content)
        .findFirst()
        .orElse("");
  }

  private static String plain(double number) {
    return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
  }
}
