package roll.reward.data_source;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The answer of a response to DAPO's questions, in a line {@code Answer: …}, normalized as by
 * Lewkowycz et al. 2022 (Minerva, appendix D.1).
 */
final class DapoAnswer {
  /** Number of final characters searched for the answer, and for a box. */
  private static final int END = 300;

  private static final int END_OF_BOX = 100;

  /** Maximum length of an answer to normalize; DAPO's data has no longer ones. */
  private static final int MOST = 2_000;

  private static final Pattern LINE = Pattern.compile("(?i)Answer\\s*:\\s*([^\\n]+)");
  private static final Pattern MATH = Pattern.compile("(.*?)(\\$)(.*?)(\\$)(.*)");
  private static final Pattern TEXT = Pattern.compile("(\\\\text\\{)(.*?)(\\})");
  private static final Pattern BOLD = Pattern.compile("(\\\\textbf\\{)(.*?)(\\})");
  private static final Pattern LINED = Pattern.compile("(\\\\overline\\{)(.*?)(\\})");
  private static final Pattern BOXED = Pattern.compile("(\\\\boxed\\{)(.*)(\\})");
  private static final Pattern FRACTION = Pattern.compile("(frac)([^{])(.)");
  private static final Pattern ROOT = Pattern.compile("(sqrt)([^{])");

  /** Pairs of a text and its replacement, applied in order. */
  private static final List<String> REPLACED =
      List.of(
          "an ",
          "",
          "a ",
          "",
          ".$",
          "$",
          "\\$",
          "",
          "\\ ",
          "",
          " ",
          "",
          "mbox",
          "text", //
          ",\\text{and}",
          ",",
          "\\text{and}",
          ",",
          "\\text{m}",
          "\\text{}");

  private static final List<String> UNITS =
      List.of(
          "square",
          "ways",
          "integers",
          "dollars",
          "mph",
          "inches",
          "hours",
          "km",
          "units",
          "\\ldots",
          "sue",
          "points",
          "feet",
          "minutes",
          "digits",
          "cents",
          "degrees",
          "cm",
          "gm",
          "pounds",
          "meters",
          "meals",
          "edges",
          "students",
          "childrentickets",
          "multiples",
          "\\text{s}",
          "\\text{.}",
          "\\text{\ns}",
          "\\text{}^2",
          "\\text{}^3",
          "\\text{\n}",
          "\\text{}",
          "\\mathrm{th}",
          "^\\circ",
          "^{\\circ}",
          "\\;",
          ",\\!",
          "{,}",
          "\"",
          "\\dots");

  private DapoAnswer() {}

  /** Returns whether {@code response} has the known answer {@code gold}. */
  static boolean right(String response, String gold) {
    String end = end(response, END);
    Optional<String> written = written(end);
    if (written.isPresent()) {
      return written.get().equals(normal(gold));
    }
    return LastBoxedAnswer.in(end(end, END_OF_BOX)).filter(gold::equals).isPresent();
  }

  /** Returns the normalized answer in {@code response}; empty without one. */
  static Optional<String> in(String response) {
    String end = end(response, END);
    return written(end).or(() -> LastBoxedAnswer.in(end(end, END_OF_BOX)));
  }

  private static Optional<String> written(String end) {
    String last = null;
    for (Matcher line = LINE.matcher(end); line.find(); ) {
      last = line.group(1);
    }
    return Optional.ofNullable(last).map(DapoAnswer::normal);
  }

  private static String end(String text, int most) {
    return text.substring(Math.max(0, text.length() - most));
  }

  /** Returns {@code answer} normalized for comparison. */
  static String normal(String answer) {
    if (answer.length() > MOST) {
      return answer.strip();
    }
    String text = answer.substring(answer.lastIndexOf('=') + 1);
    for (int i = 0; i < REPLACED.size(); i += 2) {
      text = text.replace(REPLACED.get(i), REPLACED.get(i + 1));
    }
    for (String unit : UNITS) {
      text = text.replace(unit, "");
    }
    text = MATH.matcher(text).replaceAll("$3");
    text = TEXT.matcher(text).replaceAll("$2");
    text = BOLD.matcher(text).replaceAll("$2");
    text = LINED.matcher(text).replaceAll("$2");
    text = BOXED.matcher(text).replaceAll("$2");
    text = FRACTION.matcher(text).replaceAll("frac{$2}{$3}");
    text = ROOT.matcher(text).replaceAll("sqrt{$2}");
    text = text.replace("$", "");
    boolean number = !text.replace(",", "").isEmpty() && digits(text.replace(",", ""));
    return (number ? text.replace(",", "") : text).strip();
  }

  private static boolean digits(String text) {
    return text.codePoints().allMatch(Character::isDigit);
  }
}
