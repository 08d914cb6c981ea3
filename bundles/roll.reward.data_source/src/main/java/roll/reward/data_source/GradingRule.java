package roll.reward.data_source;

import java.util.List;
import java.util.Optional;

/** A rule by which verl grades some data sets. */
enum GradingRule {
  /** Grading rule: the number after the last {@code ####}. */
  GSM8K(List.of("openai/gsm8k")),
  /** The last box, equal as text after the MATH data set's normalization. */
  MATH(List.of("lighteval/MATH", "DigitalLearningGmbH/MATH-lighteval", "HuggingFaceH4/MATH-500")),
  /** The text after the last {@code Answer:}, or the last box: 1 or −1. */
  DAPO(List.of("math_dapo", "math", "math_dapo_reasoning")),
  /** The share of test cases that the program passes. */
  CODE(List.of("codecontests", "apps", "codeforces", "taco")),
  /** The last box, equal as expression, and a small part for the form of the response. */
  GEOMETRY(List.of("hiyouga/geometry3k")),
  /** The last {@code answer} tag, ignoring case, punctuation and articles. */
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

  @SuppressWarnings("ImmutableEnumChecker") // listed by List.of
  private final List<String> sources;

  GradingRule(List<String> sources) {
    this.sources = sources;
  }

  /** Returns the rule of the data set {@code source}; empty without one. */
  static Optional<GradingRule> of(String source) {
    for (GradingRule rule : values()) {
      if (rule.sources.contains(source)) {
        return Optional.of(rule);
      }
    }
    return source.startsWith(AIME) ? Optional.of(DAPO) : Optional.empty();
  }

  /** Returns the names of all data sets, for messages. */
  static String known() {
    StringBuilder known = new StringBuilder();
    for (GradingRule rule : values()) {
      rule.sources.forEach(source -> known.append(source).append(", "));
    }
    return known.append(AIME).append("…").toString();
  }
}
