package roll.reward.format;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import roll.text.BoundedSearch;
import roll.text.chat.JsonText;

/**
 * The checks of IFEval's instructions by name, as in {@code
 * alibaba/ROLL@8eb27cc2:roll/pipeline/rlvr/rewards/ifeval_rule_reward_worker.py}, except that
 * {@code verify_keyword_frequency} counts the keyword instead of each word, as its instruction
 * says. {@code validate_response_language} takes a language detector and is never followed here.
 */
final class IfevalChecks {
  private static final Pattern WORD = Pattern.compile("\\w+", Pattern.UNICODE_CHARACTER_CLASS);
  private static final Pattern TOKEN = Pattern.compile("\\S+");
  private static final Pattern CAPITALS =
      Pattern.compile("\\b[A-Z]+\\b", Pattern.UNICODE_CHARACTER_CLASS);
  private static final Pattern SENTENCE =
      Pattern.compile("(?<!\\w\\.\\w.)(?<![A-Z][a-z]\\.)(?<=\\.|\\?)\\s");
  private static final Pattern PLACEHOLDER = Pattern.compile("\\[(.*?)\\]");
  private static final Pattern TITLE = Pattern.compile("<<(.*?)>>");
  private static final Pattern HIGHLIGHT = Pattern.compile("\\*(.*?)\\*");
  private static final String STARS = "******";

  private static final Map<String, BiPredicate<String, InstructionArguments>> CHECKS =
      Map.ofEntries(
          check("verify_keywords", (x, of) -> of.all("keyword_list").stream().allMatch(in(x)::has)),
          check("verify_keyword_frequency", (x, of) -> words(x, of.text("word")) == of.number("N")),
          check(
              "validate_forbidden_words",
              (x, of) -> of.all("forbidden_words").stream().noneMatch(in(x)::has)),
          check(
              "verify_letter_frequency",
              (x, of) ->
                  of.text("letter").length() == 1
                      && split(x, of.text("letter")) - 1 == of.number("N")),
          check("verify_paragraph_count", (x, of) -> paragraphs(x, of.number("N"))),
          check(
              "validate_word_constraint",
              (x, of) ->
                  compares(of, found(TOKEN, x), Math.max(1, Math.rint(of.number("N") * 0.1)))),
          check(
              "verify_sentence_constraint",
              (x, of) -> compares(of, SENTENCE.split(x, -1).length, 1)),
          check("validate_paragraphs", IfevalChecks::beginsParagraph),
          check("verify_postscript", (x, of) -> continues(x, of.text("postscript_marker"))),
          check("validate_placeholders", (x, of) -> found(PLACEHOLDER, x) >= of.number("N")),
          check("verify_bullet_points", (x, of) -> bullets(x) == of.number("N")),
          check("validate_title", (x, of) -> found(TITLE, x) > 0),
          check(
              "validate_choice",
              (x, of) -> of.all("options").stream().anyMatch(option -> option.contains(x))),
          check("validate_highlighted_sections", (x, of) -> found(HIGHLIGHT, x) >= of.number("N")),
          check(
              "validate_sections",
              (x, of) -> sections(x, of.text("section_splitter")) == of.number("N")),
          check(
              "validate_json_format",
              (x, of) -> JsonText.read(x) != null || x.strip().equals("null")),
          check("validate_repeat_prompt", (x, of) -> x.startsWith(of.text("original_prompt"))),
          check("validate_two_responses", (x, of) -> twoResponses(x)),
          check("validate_uppercase", (x, of) -> x.equals(x.toUpperCase(Locale.ROOT))),
          check("validate_lowercase", (x, of) -> x.equals(x.toLowerCase(Locale.ROOT))),
          check("validate_frequency_capital_words", (x, of) -> compares(of, found(CAPITALS, x), 0)),
          check("validate_end", (x, of) -> x.endsWith(of.text("end_phrase"))),
          check("validate_quotation", (x, of) -> x.startsWith("\"") && x.endsWith("\"")),
          check("validate_no_commas", (x, of) -> !x.contains(",")));

  private IfevalChecks() {}

  /**
   * Returns whether {@code response} follows {@code instruction}; an unknown one, or one without an
   * argument that it needs, is not followed.
   */
  static boolean followed(Map<?, ?> instruction, String response) {
    BiPredicate<String, InstructionArguments> check =
        CHECKS.get(String.valueOf(instruction.get("func_name")));
    try {
      return check != null && check.test(response, new InstructionArguments(instruction));
    } catch (InstructionArguments.MissingArgument e) {
      return false;
    }
  }

  private static Map.Entry<String, BiPredicate<String, InstructionArguments>> check(
      String name, BiPredicate<String, InstructionArguments> check) {
    return Map.entry(name, check);
  }

  /** Whether {@code count} is what the quantifier says of N; around allows a difference. */
  private static boolean compares(InstructionArguments of, int count, double around) {
    return switch (of.text("quantifier")) {
      case "at least" -> count >= of.number("N");
      case "at most" -> count <= of.number("N");
      case "around" -> Math.abs(count - of.number("N")) <= around;
      default -> false;
    };
  }

  /** A text in which words are found in any case. */
  private record Lower(String text) {
    boolean has(String word) {
      return text.contains(word.toLowerCase(Locale.ROOT));
    }
  }

  private static Lower in(String text) {
    return new Lower(text.toLowerCase(Locale.ROOT));
  }

  private static int found(Pattern pattern, String text) {
    return BoundedSearch.all(pattern, text).size();
  }

  private static long words(String text, String word) {
    return BoundedSearch.all(WORD, text.toLowerCase(Locale.ROOT)).stream()
        .filter(found -> found.group().equals(word.toLowerCase(Locale.ROOT)))
        .count();
  }

  private static int split(String text, String separator) {
    return text.split(Pattern.quote(separator), -1).length;
  }

  private static boolean paragraphs(String text, int n) {
    String clean = text.lines().map(String::strip).collect(Collectors.joining("\n")).strip();
    String[] parts = clean.split(Pattern.quote("* * *"), -1);
    return parts.length == n && Arrays.stream(parts).noneMatch(String::isBlank);
  }

  private static boolean beginsParagraph(String text, InstructionArguments of) {
    String[] parts = text.split("\n\n", -1);
    int i = of.number("i");
    return parts.length == of.number("N")
        && i > 0
        && i <= parts.length
        && parts[i - 1].strip().startsWith(of.text("first_word"));
  }

  private static boolean continues(String text, String marker) {
    int begin = text.indexOf(marker);
    return begin >= 0 && text.substring(begin).strip().length() > marker.length();
  }

  private static long bullets(String text) {
    return Arrays.stream(text.split("\n", -1))
        .map(String::strip)
        .filter(line -> line.startsWith("*") || line.startsWith("-"))
        .count();
  }

  private static int sections(String text, String splitter) {
    return text.startsWith(splitter) ? split(text, splitter) - 1 : split(text, splitter);
  }

  private static boolean twoResponses(String text) {
    int stars = text.indexOf(STARS);
    String rest = stars < 0 ? STARS : text.substring(stars + STARS.length());
    return !rest.contains(STARS) && !rest.strip().equals(text.substring(0, stars).strip());
  }
}
