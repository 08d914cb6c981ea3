package roll.reward.guideline;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import roll.api.data.Message;

/**
 * The messages of a request to the solver.
 *
 * @param system message
 * @param user message, with {@code {question}} and {@code {guideline}}
 */
record SolverPrompts(String system, String user) {
  /** System message of the planner, for {@code agent_system_template}. */
  static final String PLANNER =
      """
      You help another model to solve a mathematical question. Write a guideline for it: which \
      facts and methods it needs, in which order to use them, and which mistakes to avoid. Write \
      plain English in fewer than 150 words. Write no equations, no LaTeX and no numbers. Do not \
      solve the question, do not state its answer, and use neither \\boxed nor <think> tags.\
      """;

  /** Default system message: follow the guideline, think, answer in a box. */
  static final String SYSTEM =
      """
      You solve a mathematical question. Follow the guideline that comes with it. Reason step by \
      step between <think> and </think>, then give the final answer in \\boxed{}.\
      """;

  /** Default user message: question, guideline, request. */
  static final String USER =
      """
      Question: {question}

      Guideline: {guideline}

      Solve the question, follow the guideline strictly, and put the final answer in \\boxed{}.\
      """;

  /** Default system message without a guideline. */
  static final String BASELINE_SYSTEM =
      """
      You solve a mathematical question. Reason step by step between <think> and </think>, then \
      give the final answer in \\boxed{}.\
      """;

  /** Default user message without a guideline. */
  static final String BASELINE_USER =
      """
      Question: {question}

      Solve the question, and put the final answer in \\boxed{}.\
      """;

  private static final Pattern PLACE = Pattern.compile("\\{(question|guideline)\\}");

  /** Returns the solver's messages for {@code question}. */
  List<Message> of(String question, String guideline) {
    String text =
        PLACE
            .matcher(user)
            .replaceAll(
                place ->
                    Matcher.quoteReplacement(
                        place.group(1).equals("question") ? question : guideline));
    Message asked = new Message("user", text);
    return system.isEmpty() ? List.of(asked) : List.of(new Message("system", system), asked);
  }
}
