package roll.reward.data_source;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import roll.api.data.Message;
import roll.api.data.Trajectory;
import roll.api.env.TaskInfo;
import roll.api.option.UserException;
import roll.api.reward.AnswerKey;
import roll.api.reward.Grade;
import roll.api.reward.Reward;
import roll.api.reward.RewardModels;
import roll.api.reward.TaskFacts;

/**
 * Grades an episode by the rule of its row's data set.
 *
 * @param where path of the reward in the configuration
 * @param key field with the name of the data set
 * @param graders of other bundles
 */
record DataSourceGrader(String where, String key, LeasedGraders graders) implements Reward {
  /** Maximum number of {@code answer} tags; more count as an attempt to cheat. */
  private static final int TAGS = 10;

  /** Weight of the response's form in geometry; the answer has the rest. */
  private static final double FORM = 0.1;

  private static final Pattern THOUGHT =
      Pattern.compile("<think>.*</think>.*\\\\boxed\\{.*\\}.*", Pattern.DOTALL);

  private static final String OPEN = "<answer>";
  private static final String CLOSE = "</answer>";

  @Override
  public void check(TaskInfo task) {
    GradingRule rule = rule(task.facts(), task.where());
    List<String> golds = golds(task.facts());
    if (golds.isEmpty()) {
      throw new UserException(
          "%s: no answer that %s could grade by: expected one as reward_model.ground_truth (it has: %s)"
              .formatted(task.where(), where, String.join(", ", task.facts().keySet())));
    }
    switch (rule) {
      case GSM8K -> graders.reward("gsm8k");
      case MATH -> graders.texts();
      case DAPO -> {}
      case CODE -> {
        StandardTests.of(TaskFacts.at(task.facts(), "reward_model.ground_truth"), task.where());
        graders.reward("code_reward");
      }
      case GEOMETRY -> graders.reward("math_equal_reward");
      case SEARCH -> graders.reward("em");
    }
  }

  private GradingRule rule(Map<String, Object> facts, String place) {
    Object source = TaskFacts.at(facts, key);
    if (source == null) {
      throw new UserException(
          "%s: the row has no %s, which names the data set that %s grades by"
              .formatted(place, key, where));
    }
    return GradingRule.of(String.valueOf(source))
        .orElseThrow(
            () ->
                new UserException(
                    "%s: %s does not know how the data set '%s' (field %s) is graded: name a reward of its own (allowed: %s)"
                        .formatted(place, where, source, key, GradingRule.known())));
  }

  private List<String> golds(Map<String, Object> facts) {
    return new AnswerKey(
            where,
            List.of(
                "reward_model.ground_truth.target",
                "reward_model.ground_truth",
                "ground_truth",
                "answer"))
        .find(facts);
  }

  @Override
  public Grade grade(Trajectory episode, RewardModels models) throws InterruptedException {
    String place = "an episode of " + episode.tag();
    GradingRule rule = rule(episode.facts(), place);
    List<String> golds = golds(episode.facts());
    if (golds.isEmpty()) {
      throw new UserException(place + ": no answer that " + where + " could grade by");
    }
    String response = episode.finalResponse();
    return switch (rule) {
      case GSM8K -> other("gsm8k", response, golds, episode, models);
      case MATH -> math(response, golds);
      case DAPO -> dapo(response, golds);
      case CODE ->
          StandardTests.of(TaskFacts.at(episode.facts(), "reward_model.ground_truth"), place)
              .grade(graders.reward("code_reward"), episode, models);
      case GEOMETRY -> geometry(response, golds, episode, models);
      case SEARCH -> search(response, golds, episode, models);
    };
  }

  private Grade math(String response, List<String> golds) {
    String box = LastBoxedAnswer.in(response).orElse(null);
    boolean right =
        box != null
            && golds.stream().anyMatch(gold -> graders.texts().equal(gold, "\\boxed{" + box + "}"));
    return Grade.of(right, box);
  }

  private static Grade dapo(String response, List<String> golds) {
    boolean right = golds.stream().anyMatch(gold -> DapoAnswer.right(response, gold));
    return new Grade(
        right ? 1 : -1, Map.of("acc", right ? 1.0 : 0.0), DapoAnswer.in(response).orElse(null));
  }

  private Grade geometry(
      String response, List<String> golds, Trajectory episode, RewardModels models)
      throws InterruptedException {
    String box = LastBoxedAnswer.in(response).orElse(null);
    double right =
        box == null
            ? 0
            : other("math_equal_reward", "\\boxed{" + box + "}", golds, episode, models).score();
    double form = THOUGHT.matcher(response).matches() ? 1 : 0;
    return new Grade((1 - FORM) * right + FORM * form, Map.of("acc", right, "format", form), box);
  }

  private Grade search(String response, List<String> golds, Trajectory episode, RewardModels models)
      throws InterruptedException {
    int end = response.lastIndexOf(CLOSE);
    int start = end < 0 ? -1 : response.lastIndexOf(OPEN, end);
    if (start < 0) {
      return Grade.of(false, null);
    }
    String answer = response.substring(start + OPEN.length(), end).strip();
    Grade grade = other("em", answer, golds, episode, models);
    boolean tricky = count(response, OPEN) > TAGS || count(response, CLOSE) > TAGS;
    return tricky ? new Grade(grade.score() / 4, grade.details(), grade.answer()) : grade;
  }

  private static int count(String text, String word) {
    return text.split(Pattern.quote(word), -1).length - 1;
  }

  /**
   * Returns the grade of the reward {@code name} for the same episode with {@code response} as its
   * final response.
   */
  private Grade other(
      String name, String response, List<String> golds, Trajectory episode, RewardModels models)
      throws InterruptedException {
    List<Message> messages = new ArrayList<>(episode.messages());
    if (!messages.isEmpty()) {
      messages.set(messages.size() - 1, new Message("assistant", response));
    }
    Trajectory ended =
        new Trajectory(
                episode.key(),
                episode.sequences(),
                episode.rewards(),
                episode.states(),
                messages,
                episode.metrics(),
                episode.finish())
            .withFacts(Map.of("answer", golds));
    return graders.reward(name).grade(ended, models);
  }

  @Override
  public void close() {
    graders.close();
  }
}
