package roll.reward.format;

import java.text.BreakIterator;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;
import roll.text.BoundedSearch;
import roll.text.chat.JsonText;

/**
 * The instructions of IFEval's rows by id, with the checks of {@code
 * google-research/google-research@3f357bde:instruction_following_eval/instructions.py}, except that
 * Java's rules end sentences, keywords are no regular expressions, and capitals and lowercase count
 * in any language. {@code language:response_language} takes a detector and is never followed.
 */
final class IfevalInstructions {
  private static final String LANGUAGE = "language:response_language";
  private static final Pattern WORD = Pattern.compile("\\w+", Pattern.UNICODE_CHARACTER_CLASS);
  private static final Pattern HYPHENATED = Pattern.compile("[\\p{L}\\p{N}_-]+");
  private static final Pattern PLACEHOLDER = Pattern.compile("\\[.*?\\]");
  private static final Pattern STAR = Pattern.compile("(?m)^\\s*\\*[^*].*$");
  private static final Pattern DASH = Pattern.compile("(?m)^\\s*-.*$");
  private static final Pattern TITLE = Pattern.compile("<<[^\\n]+>>");
  private static final Pattern HIGHLIGHT = Pattern.compile("\\*[^\\n*]*\\*");
  private static final Pattern DOUBLE = Pattern.compile("\\*\\*[^\\n*]*\\*\\*");
  private static final Pattern DIVIDER = Pattern.compile("\\s?\\*\\*\\*\\s?");
  private static final Pattern FENCE = Pattern.compile("^```(?:json|Json|JSON)?|```$");
  private static final Pattern PUNCTUATION = Pattern.compile("[.,?!'\"]");
  private static final List<String> CHOICES =
      List.of("My answer is yes.", "My answer is no.", "My answer is maybe.");

  private static final Map<String, BiPredicate<String, InstructionArguments>> CHECKS =
      Map.ofEntries(
          check(
              "keywords:existence",
              (x, of) -> of.all("keywords").stream().allMatch(word -> found(in(word), x) > 0)),
          check(
              "keywords:frequency",
              (x, of) ->
                  compares(of, "relation", "frequency", found(in(of.text("keyword").strip()), x))),
          check(
              "keywords:forbidden_words",
              (x, of) -> of.all("forbidden_words").stream().allMatch(word -> lacks(word, x))),
          check(
              "keywords:letter_frequency",
              (x, of) ->
                  compares(of, "let_relation", "let_frequency", found(in(of.text("letter")), x))),
          check(LANGUAGE, (x, of) -> false),
          check(
              "length_constraints:number_sentences",
              (x, of) -> compares(of, "relation", "num_sentences", sentences(x))),
          check(
              "length_constraints:number_paragraphs",
              (x, of) -> parts(DIVIDER.split(x, -1)) == of.number("num_paragraphs")),
          check(
              "length_constraints:number_words",
              (x, of) -> compares(of, "relation", "num_words", found(WORD, x))),
          check("length_constraints:nth_paragraph_first_word", IfevalInstructions::firstWord),
          check(
              "detectable_content:number_placeholders",
              (x, of) -> found(PLACEHOLDER, x) >= of.number("num_placeholders")),
          check(
              "detectable_content:postscript",
              (x, of) -> found(postscript(of.text("postscript_marker").strip()), x) > 0),
          check(
              "detectable_format:number_bullet_lists",
              (x, of) -> found(STAR, x) + found(DASH, x) == of.number("num_bullets")),
          check(
              "detectable_format:constrained_response",
              (x, of) -> CHOICES.stream().anyMatch(x::contains)),
          check(
              "detectable_format:number_highlighted_sections",
              (x, of) -> filled(HIGHLIGHT, x) + filled(DOUBLE, x) >= of.number("num_highlights")),
          check(
              "detectable_format:multiple_sections",
              (x, of) ->
                  found(section(of.text("section_spliter").strip()), x)
                      >= of.number("num_sections")),
          check("detectable_format:json_format", (x, of) -> json(x)),
          check("detectable_format:title", (x, of) -> filled(TITLE, x) > 0),
          check("combination:two_responses", (x, of) -> twoResponses(x)),
          check(
              "combination:repeat_prompt",
              (x, of) -> lower(x).startsWith(lower(of.text("prompt_to_repeat")))),
          check(
              "startend:end_checker",
              (x, of) -> unquoted(lower(x)).endsWith(lower(of.text("end_phrase")))),
          check(
              "change_case:capital_word_frequency",
              (x, of) -> compares(of, "capital_relation", "capital_frequency", capitals(x))),
          check(
              "change_case:english_capital",
              (x, of) -> x.equals(x.toUpperCase(Locale.ROOT)) && !x.equals(lowered(x))),
          check(
              "change_case:english_lowercase",
              (x, of) -> x.equals(lowered(x)) && !x.equals(x.toUpperCase(Locale.ROOT))),
          check("punctuation:no_comma", (x, of) -> !x.contains(",")),
          check(
              "startend:quotation",
              (x, of) ->
                  x.strip().length() > 1
                      && x.strip().startsWith("\"")
                      && x.strip().endsWith("\"")));

  private IfevalInstructions() {}

  /** Returns whether there is an instruction {@code id}. */
  static boolean has(String id) {
    return CHECKS.containsKey(id);
  }

  /**
   * Returns whether {@code response} follows the instruction {@code id}; an unknown one, or one
   * without an argument that it needs, is not followed.
   */
  static boolean followed(String id, Map<?, ?> arguments, String response) {
    BiPredicate<String, InstructionArguments> check = CHECKS.get(id);
    try {
      return check != null
          && !response.isBlank()
          && check.test(response, new InstructionArguments(arguments));
    } catch (InstructionArguments.MissingArgument e) {
      return false;
    }
  }

  private static Map.Entry<String, BiPredicate<String, InstructionArguments>> check(
      String id, BiPredicate<String, InstructionArguments> check) {
    return Map.entry(id, check);
  }

  private static boolean compares(
      InstructionArguments of, String relation, String number, int count) {
    return switch (of.text(relation)) {
      case "at least" -> count >= of.number(number);
      case "less than" -> count < of.number(number);
      default -> false;
    };
  }

  /** A pattern that finds {@code word} in any case. */
  private static Pattern in(String word) {
    return Pattern.compile(Pattern.quote(word), Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
  }

  private static int found(Pattern pattern, String text) {
    return BoundedSearch.all(pattern, text).size();
  }

  private static boolean lacks(String word, String text) {
    Pattern whole =
        Pattern.compile(
            "\\b" + Pattern.quote(word) + "\\b",
            Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CHARACTER_CLASS);
    return found(whole, text) == 0;
  }

  private static int sentences(String text) {
    BreakIterator breaks = BreakIterator.getSentenceInstance(Locale.ENGLISH);
    breaks.setText(text);
    int count = 0;
    int begin = breaks.first();
    for (int end = breaks.next(); end != BreakIterator.DONE; end = breaks.next()) {
      count += text.substring(begin, end).isBlank() ? 0 : 1;
      begin = end;
    }
    return count;
  }

  /** Returns the number of parts; -1 if one between others is blank. */
  private static int parts(String[] parts) {
    for (int i = 1; i < parts.length - 1; i++) {
      if (parts[i].isBlank()) {
        return -1;
      }
    }
    return (int) Arrays.stream(parts).filter(part -> !part.isBlank()).count();
  }

  private static boolean firstWord(String text, InstructionArguments of) {
    String[] paragraphs = text.split("\n\n", -1);
    int count = (int) Arrays.stream(paragraphs).filter(part -> !part.isBlank()).count();
    int place = of.number("nth_paragraph");
    if (count != of.number("num_paragraphs") || place < 1 || place > count) {
      return false;
    }
    String first = paragraphs[place - 1].strip().split("\\s", 2)[0].replaceFirst("^'*\"*", "");
    return lower(PUNCTUATION.split(first, 2)[0]).equals(lower(of.text("first_word")));
  }

  private static Pattern postscript(String marker) {
    return switch (marker) {
      case "P.P.S" -> Pattern.compile("(?i)p\\.\\s?p\\.\\s?s");
      case "P.S." -> Pattern.compile("(?i)p\\.\\s?s\\.");
      default -> in(marker);
    };
  }

  private static Pattern section(String splitter) {
    return Pattern.compile("\\s?" + Pattern.quote(splitter) + "\\s?\\d+\\s?");
  }

  /** Returns the number of matches with more than their marks. */
  private static int filled(Pattern pattern, String text) {
    return (int)
        BoundedSearch.all(pattern, text).stream()
            .filter(match -> !match.group().replaceAll("^[*<]+|[*>]+$", "").isBlank())
            .count();
  }

  private static boolean json(String text) {
    String inner = FENCE.matcher(text.strip()).replaceAll("").strip();
    return JsonText.read(inner) != null || inner.equals("null");
  }

  private static boolean twoResponses(String text) {
    String[] responses = text.split(Pattern.quote("******"), -1);
    return parts(responses) == 2
        && Arrays.stream(responses)
                .map(String::strip)
                .filter(one -> !one.isEmpty())
                .distinct()
                .count()
            == 2;
  }

  private static int capitals(String text) {
    return (int)
        BoundedSearch.all(HYPHENATED, text).stream()
            .map(match -> match.group())
            .filter(word -> word.equals(word.toUpperCase(Locale.ROOT)))
            .filter(word -> !word.equals(lowered(word)))
            .count();
  }

  private static String unquoted(String text) {
    return text.replaceAll("^\"+|\"+$", "");
  }

  private static String lower(String text) {
    return lowered(text.strip());
  }

  private static String lowered(String text) {
    return text.toLowerCase(Locale.ROOT);
  }
}
