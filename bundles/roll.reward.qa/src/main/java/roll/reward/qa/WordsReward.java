package roll.reward.qa;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleBiFunction;
import roll.api.data.Trajectory;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.reward.AnswerKey;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardFunction;

/**
 * Base of the rewards of this bundle: compares the final response with the closest known answer.
 */
abstract class WordsReward implements RewardFunction {
  private static final Comparator<SquadMetrics.Match> NEARER =
      Comparator.comparingDouble(SquadMetrics.Match::f1)
          .thenComparingDouble(SquadMetrics.Match::em);

  private static final Option<String> TAG =
      Option.text(
          "answer_tag",
          "tag whose last `<tag>…</tag>` in the final response is graded, nothing without one;"
              + " by default all of the response");

  private final String description;
  private final ToDoubleBiFunction<SquadMetrics.Match, Long> score;

  /**
   * Creates a reward.
   *
   * @param score score of a match and a number of tool results
   */
  WordsReward(String description, ToDoubleBiFunction<SquadMetrics.Match, Long> score) {
    this.description = description;
    this.score = score;
  }

  @Override
  public final String description() {
    return description;
  }

  @Override
  public final List<Option<?>> options() {
    return List.of(AnswerKey.OPTION, TAG);
  }

  @Override
  public final Reward configure(Options options) {
    AnswerKey key = AnswerKey.of(options);
    String tag = options.find(TAG).orElse("");
    if (!tag.matches("[\\w-]*")) {
      throw options.wrong(TAG, "the name of a tag, without brackets");
    }
    return (episode, models) ->
        grade(episode, answered(episode.finalResponse(), tag), key.answers(episode));
  }

  @Override
  public final AnswerKey answerKey(Options options) {
    return AnswerKey.of(options);
  }

  /**
   * Returns the content of the last pair of {@code tag} in {@code response}; all of it if {@code
   * tag} is empty.
   */
  private static String answered(String response, String tag) {
    if (tag.isEmpty()) {
      return response;
    }
    int end = response.lastIndexOf("</" + tag + ">");
    int start = end < 0 ? -1 : response.lastIndexOf("<" + tag + ">", end);
    return start < 0 ? "" : response.substring(start + tag.length() + 2, end).strip();
  }

  private Grade grade(Trajectory episode, String response, List<String> golds) {
    SquadMetrics.Match best =
        golds.stream().map(gold -> SquadMetrics.match(gold, response)).max(NEARER).orElseThrow();
    long tools = episode.messages().stream().filter(m -> m.role().equals("tool")).count();
    Map<String, Double> details = new LinkedHashMap<>();
    details.put("f1", best.f1());
    details.put("em", best.em());
    details.put("precision", best.precision());
    details.put("recall", best.recall());
    String answer = SquadMetrics.normal(response);
    return new Grade(score.applyAsDouble(best, tools), details, answer.isEmpty() ? null : answer);
  }
}
