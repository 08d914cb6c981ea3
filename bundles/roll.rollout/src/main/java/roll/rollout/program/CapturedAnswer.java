package roll.rollout.program;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.data.Message;
import roll.api.strategy.Generation;

/**
 * An answer of the policy as it was drawn and sent.
 *
 * @param number of the answer in its episode, from 0
 * @param question what it answers
 * @param response its tokens
 * @param said its message as a client sends it back, without ids
 * @param text all of it, calls included, as the model wrote it
 * @param cut whether the client was not sent its end, a stop string
 * @param at when it was there, on the clock of {@link Question#at}
 */
record CapturedAnswer(
    int number,
    Question question,
    Generation response,
    Map<String, Object> said,
    String text,
    boolean cut,
    long at) {
  /**
   * What a program asks.
   *
   * @param messages without ids, as {@link #said}
   * @param tools that are listed, as they were sent
   * @param variables of the chat template that it asked for
   * @param tokens all that the model sees
   * @param shown the messages as the model sees them
   * @param before the answer whose tokens these tokens continue, or null where they begin anew
   * @param at when it came: questions and answers of an episode have different times
   */
  record Question(
      List<Map<String, Object>> messages,
      List<?> tools,
      Map<String, Object> variables,
      int[] tokens,
      List<Message> shown,
      @Nullable CapturedAnswer before,
      long at) {}

  /** Whether {@code later} begins with the question and this very answer. */
  boolean isPartOf(List<Map<String, Object>> later) {
    int asked = question.messages().size();
    return later.size() > asked
        && later.subList(0, asked).equals(question.messages())
        && later.get(asked).equals(said);
  }

  /** Whether {@code later} begins with the question, and goes on without this answer. */
  private boolean isLeftOut(Question later) {
    List<Map<String, Object>> messages = later.messages();
    int asked = question.messages().size();
    return later.at() > at
        && messages.size() >= asked
        && messages.subList(0, asked).equals(question.messages())
        && !isPartOf(messages);
  }

  /** Whether the tokens of {@code question} continue those of this answer. */
  boolean isContinuedBy(Question question) {
    return question.before() != null && question.before().number() == number;
  }

  /**
   * Whether the program dropped or edited it: no question continues it, and a later one goes on
   * from the same question without it.
   *
   * @param all answers of the episode
   */
  boolean isDropped(List<CapturedAnswer> all) {
    return all.stream().noneMatch(answer -> isContinuedBy(answer.question()))
        && all.stream().anyMatch(answer -> isLeftOut(answer.question()));
  }
}
