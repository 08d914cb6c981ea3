package roll.reward.data_source;

import java.util.List;
import java.util.Optional;

/** How verl grades the answers to the questions of some data sets. */
enum Rule {
  /** The number after the last {@code ####}. */
  GSM8K(List.of("openai/gsm8k")),
  /** The last box, equal as text in the MATH data set's spelling. */
  MATH(List.of("lighteval/MATH", "DigitalLearningGmbH/MATH-lighteval", "HuggingFaceH4/MATH-500")),
  /** What follows the last {@code Answer:}, or the last box: 1 or −1. */
  DAPO(List.of("math_dapo", "math", "math_dapo_reasoning")),
  /** The share of test cases that the program passes. */
  CODE(List.of("codecontests", "apps", "codeforces", "taco")),
  /** The last box, equal as expression, and a little for the form of the response. */
  GEOMETRY(List.of("hiyouga/geometry3k")),
  /** The last tag {@code answer}, but for case, punctuation and articles. */
  SEARCH(
      List.of(
          "searchR1_nq",
          "searchR1_triviaqa",
          "searchR1_popqa",
          "searchR1_hotpotqa",
          "searchR1_2wikimultihopqa",
          "searchR1_musique",
          "searchR1_bamboogle"));

  private static final String AIME = "aime";

  @SuppressWarnings("ImmutableEnumChecker") // by List.of
  private final List<String> sources;

  Rule(List<String> sources) {
    this.sources = sources;
  }

  /** That of the data set {@code source}; empty where there is none. */
  static Optional<Rule> of(String source) {
    for (Rule rule : values()) {
      if (rule.sources.contains(source)) {
        return Optional.of(rule);
      }
    }
    return source.startsWith(AIME) ? Optional.of(DAPO) : Optional.empty();
  }

  /** The names of all data sets, for messages. */
  static String known() {
    StringBuilder known = new StringBuilder();
    for (Rule rule : values()) {
      rule.sources.forEach(source -> known.append(source).append(", "));
    }
    return known.append(AIME).append("…").toString();
  }
}
