package roll.huggingface;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the limits of split patterns and of texts. */
final class SplitPatternTest {
  private static final String QWEN2 =
      "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r"
          + "\\n"
          + "\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r"
          + "\\n"
          + "]*|\\s*[\\r"
          + "\\n"
          + "]+|\\s+(?!\\S)|\\s+";

  private static SplitPattern read(String pattern) {
    return SplitPattern.read("tokenizer.json: pre_tokenizer", pattern);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(a+)+$",
        "(a|a)+$",
        "(a|aa)+$",
        "(a*)*b",
        "([a-z]+)*\\d",
        "(.*a){20}",
        "(a?){40}a{40}",
        "(x+x+)+y",
        "(?=(a+)+$)b",
        "(?<!(a|aa){60})b",
        "a*a*a*b",
        "(?:a|b|ab)*c",
        "((((a*)*)*)*)*",
        "(?:\\w+\\s?)*!",
        "(?i)(a+)+$",
        "((?i)a+)+$",
        "(a{1,50}){1,50}$",
        "(?i:(s|S)+$)",
        "([ab]|[bc])+$",
        "a{0,99999}a{0,99999}a{0,99999}b",
        "(a|b|[ab])++x(a+)+$",
        "[]a]+([^]]*)*$"
      })
  void whatNothingBoundsIsRefused(String pattern) {
    String message = userError(() -> read(pattern));
    assertTrue(
        message.startsWith("tokenizer.json: pre_tokenizer: pattern '" + pattern + "' cannot"),
        message);
    assertTrue(message.endsWith("it can go back over a text without bound"), message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(a*)\\1",
        "(?<x>a\\g<x>?b)",
        "\\k<x>",
        "(?~ab)",
        "(*FAIL)",
        "(?{x})",
        "(?(1)a|b)",
        "(?x)a b",
        "a\\",
        "(a",
        "a)",
        "[a",
        "\\X+"
      })
  void whatCannotBeReadIsRefused(String pattern) {
    String message = userError(() -> read(pattern));
    assertEquals(1, message.lines().count(), message);
    assertTrue(message.contains("cannot be used: "), message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        QWEN2,
        "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+",
        "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\\r"
            + "\\n"
            + "\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\\r"
            + "\\n"
            + "]*|\\s*[\\r"
            + "\\n"
            + "]+|\\s+(?!\\S)|\\s+",
        "[\\p{Han}]+|[^\\r"
            + "\\n"
            + "\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}&&[^\\p{Han}]]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}&&[^\\p{Han}]]+(?i:'s|'t)?|\\p{N}{1,3}",
        "[^\\r"
            + "\\n"
            + "\\p{L}\\p{N}]?+\\p{L}++|\\p{N}{1,3}+| ?[^\\s\\p{L}\\p{N}]++[\\r"
            + "\\n"
            + "]*+|\\s++$|\\s*[\\r"
            + "\\n"
            + "]|\\s+(?!\\S)|\\s",
        "\\p{N}{1,3}(?=(?:\\p{N}{3})*(?:\\P{N}|$))",
        "[一-龥぀-ゟ゠-ヿ]+",
        "(?:a|b)+x",
        "(?<=[_OPG]{4})\\n(?=[_OPG]{4})",
        "\\d+(?:\\.\\d+)?%",
        ".*\\n|.+",
        "a{,3}b{x}c{2,}",
        "(?# a comment)[a-z]+|\\x{41}|\\R",
        "\\p{^L}+|\\p{L}+"
      })
  void whatIsInUseIsBorneWithTextsOfUse(String pattern) {
    SplitPattern read = read(pattern);
    String text = "Usual text 123, of words\n    and 中文 numbers 4.5 % and ... more; ".repeat(20);
    assertNull(read.refusal(text.repeat(400), false), pattern);
  }

  @Test
  void runsOfOneKindAreMeasured() {
    SplitPattern qwen = read(QWEN2);
    assertNull(qwen.refusal(" ".repeat(400_000) + "a", false));
    assertNull(qwen.refusal("word 12 ".repeat(500_000), false), "long, of short runs");
    assertNull(qwen.refusal("7".repeat(2_000_000), false), "each digit is taken alone");
    String refusal = qwen.refusal("ab" + " ".repeat(10_000_000) + "a", false);
    assertEquals(
        "10,000,000 consecutive characters of one kind, from character 2 on; at most 524,288 are"
            + " allowed",
        refusal);
    assertNotNull(qwen.refusal("\n".repeat(2_000_000), false));
    assertNotNull(qwen.refusal("é".repeat(2_000_000), false));
  }

  @Test
  void patternsThatTryARunAgainAtEachOfItsCharactersBearLess() {
    SplitPattern threes = read("\\p{N}{1,3}(?=(?:\\p{N}{3})*(?:\\P{N}|$))");
    assertNull(threes.refusal("1".repeat(10_000), false));
    assertNotNull(threes.refusal("1".repeat(200_000), false));
    String many = ("1".repeat(10_000) + " ").repeat(800);
    assertTrue(String.valueOf(threes.refusal(many, false)).startsWith("many long stretches"), many);
  }

  @Test
  void lettersMayBeLargeOrSmallWhereThePatternSaysSo() {
    assertNotNull(read("(?i:[a-z]+1)|b").refusal("aB".repeat(200_000), false));
    assertNull(read("(?:[a-z]+1)|b").refusal("aB".repeat(200_000), false));
  }

  @Test
  void runsOfATextThatIsChangedFirstAreUnknown() {
    String text = "ab".repeat(1_000_000);
    assertNotNull(read("\\p{N}+x|b").refusal(text, true));
    assertNull(read("\\p{N}+x|b").refusal(text, false));
  }
}
