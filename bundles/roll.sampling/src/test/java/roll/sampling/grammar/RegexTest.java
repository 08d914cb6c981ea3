package roll.sampling.grammar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import roll.api.data.RandomStreams;
import roll.api.option.UserException;
import roll.api.strategy.StructuredOutput;

/** Regular expressions against those of Java. */
class RegexTest {
  private static final List<String> PATTERNS =
      List.of(
          "abc",
          "^a|b+$",
          "(a|bc)*d?",
          "(?:ab){2,3}c{0,2}",
          "[a-c]{2}[^a]",
          "\\d+\\.\\w*\\s?",
          "[\\d.-]+?",
          ".*a.",
          "\\D\\W|\\S",
          "(a?){4}b",
          "a{2,}",
          "[]a]x|[^]b]",
          "\\u0061\\x62|é[日😀]",
          "(a|)b",
          "[a\\-c]+|-");

  private static boolean accepts(Grammar grammar, String text) {
    int state = grammar.step(grammar.start(), text.getBytes(StandardCharsets.UTF_8));
    return state != Grammar.DEAD && grammar.accepts(state);
  }

  private static Grammar grammar(String pattern) {
    return Grammar.of(new StructuredOutput.Regex(pattern));
  }

  @Test
  void textsAreThoseOfJava() {
    RandomGenerator random = RandomStreams.of(1, "regex");
    int[] characters = "abcdx0.-_ \né日😀]".codePoints().toArray();
    for (String pattern : PATTERNS) {
      Grammar grammar = grammar(pattern);
      // as in Python, a point is any character but \n
      Pattern java =
          Pattern.compile(
              pattern.replace("[]", "[\\]").replace("[^]", "[^\\]"), Pattern.UNIX_LINES);
      int matching = 0;
      for (int trial = 0; trial < 3000; trial++) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(8); i > 0; i--) {
          text.appendCodePoint(characters[random.nextInt(characters.length)]);
        }
        boolean matches = java.matcher(text).matches();
        assertEquals(matches, accepts(grammar, text.toString()), pattern + " and " + text);
        matching += matches ? 1 : 0;
      }
      TokenTexts texts = Vocabularies.random(random, 200);
      TokenMasks masks = new TokenMasks(grammar, texts, List.of(Vocabularies.STOP));
      for (int trial = 0; trial < 50; trial++) {
        String text = Vocabularies.write(masks, texts, random, 4000);
        // texts without an end are cut
        assertTrue(text == null || java.matcher(text).matches(), pattern + " and " + text);
      }
      assertTrue(matching < 3000, pattern);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a(b | at character 4: expected ')'",
        "a)b | at character 2: ')' without '('",
        "*a | at character 1: nothing to repeat",
        "a{2 | at character 4: expected '}' after a number of repetitions",
        "a{3,2} | at character 7: {3,2}: the numbers are reversed",
        "(?=a)b | at character 3: '(?' is supported as '(?:' only; lookaround, flags and names are"
            + " not",
        "(a)\\1 | at character 6: '\\1' is not supported",
        "\\bword | at character 3: '\\b' is not supported",
        "a++ | at character 4: possessive repetitions are not supported",
        "a^b | at character 2: '^' and '$' are supported at the ends of the pattern only",
        "[z-a] | at character 5: a range of characters is reversed",
        "[] | at character 3: expected ']'",
        "\\ud800 | at character 7: half of a surrogate pair",
        "[^\\d\\D] | allows no text",
      })
  void whatIsNotSupportedIsRefused(String pattern, String problem) {
    UserException refusal = assertThrows(UserException.class, () -> grammar(pattern));
    assertEquals("structured_outputs.regex: " + problem, refusal.getMessage());
  }

  /** Expressions whose automata would not fit into memory. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "(a|b)*a(a|b){20}",
        "((a{100}){100}){100}",
        "(((a?){100}){100}){100}",
        "((a?){1000}b?){20}",
        "(.*a){200}.{500}",
        "(x+x+)+y(a|b)*a(a|b){40}",
        "([a-z]{1,100}|[a-m]{1,100}){1,100}",
      })
  void explodingExpressionsAreRefused(String pattern) {
    UserException refusal = assertThrows(UserException.class, () -> grammar(pattern));
    assertEquals(
        "structured_outputs.regex: needs too large an automaton, allowed are 40,000 states; shorten"
            + " its repetitions",
        refusal.getMessage());
  }

  @Test
  void nestingAndLengthAreBounded() {
    assertTrue(
        assertThrows(UserException.class, () -> grammar("(".repeat(4000)))
            .getMessage()
            .endsWith("more than 100 groups in each other"));
    assertTrue(
        assertThrows(UserException.class, () -> grammar("a".repeat(5000)))
            .getMessage()
            .endsWith("has 5,000 characters, allowed are 4,096"));
  }
}
