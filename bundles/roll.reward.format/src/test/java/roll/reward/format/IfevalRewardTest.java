package roll.reward.format;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.reward.RewardFunction;
import roll.testkit.RewardContract;

/** A response that follows each of IFEval's instructions and one that does not. */
class IfevalRewardTest extends RewardContract {
  @Override
  protected RewardFunction function() {
    return new IfevalReward();
  }

  private double followed(Object instruction, String response) {
    return score(Map.of(), episode(response).withFacts(Map.of("ground_truth", instruction)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "verify_keywords | \"keyword_list\": [\"Sea\", \"sky\"] | the sea, the SKY | the sea",
        "verify_keyword_frequency | \"word\": \"Sea\", \"N\": 2 | sea. Sea, seas | sea seas",
        "validate_forbidden_words | \"forbidden_words\": [\"Sea\"] | a lake | the SEAS",
        "verify_letter_frequency | \"letter\": \"e\", \"N\": 2 | sEe me | eel e",
        "verify_letter_frequency | \"letter\": \"e\", \"N\": 0 | a | e",
        "verify_paragraph_count | \"N\": 2 | a * * * b | a * * *",
        "validate_word_constraint | \"N\": 2, \"quantifier\": \"at least\" | a b c | a",
        "validate_word_constraint | \"N\": 2, \"quantifier\": \"at most\" | a b | a b c",
        "validate_word_constraint | \"N\": 2, \"quantifier\": \"around\" | a b c | a b c d",
        "verify_sentence_constraint | \"N\": 2, \"quantifier\": \"at least\" | A b. C? | A b.",
        "verify_sentence_constraint | \"N\": 1, \"quantifier\": \"at most\" | Dr. No | Bye. Bye.",
        "verify_postscript | \"postscript_marker\": \"P.S.\" | a P.S. b | a P.S. ",
        "validate_placeholders | \"N\": 2 | [a] and [b] | [a]",
        "validate_title | \"N\": ~ | <<a>> b | <a> b",
        "validate_choice | \"options\": [\"yes, I do\", \"no\"] | yes | maybe",
        "validate_highlighted_sections | \"N\": 2 | *a* and *b* | *a*",
        "validate_sections | \"N\": 2, \"section_splitter\": \"Part\" | Part 1 Part 2 | Part 1",
        "validate_json_format | \"N\": 1 | {\"a\": [1]} | {a",
        "validate_repeat_prompt | \"original_prompt\": \"Say a\" | Say a: a | a",
        "validate_two_responses | \"N\": 1 | a ****** b | a ****** a",
        "validate_two_responses | \"N\": 1 | a ****** b | a ****** b ****** c",
        "validate_uppercase | \"N\": 1 | A 1! | Aa",
        "validate_lowercase | \"N\": 1 | a 1! | Aa",
        "validate_frequency_capital_words | \"N\": 1, \"quantifier\": \"around\" | AB Ab | AB C",
        "validate_end | \"end_phrase\": \"bye\" | good bye | bye.",
        "validate_quotation | \"N\": 1 | \"a\" | \"a",
        "validate_no_commas | \"N\": 1 | a b | a, b",
      })
  void eachInstructionIsChecked(String name, String arguments, String right, String wrong) {
    String instruction =
        "{\"func_name\": \"%s\", %s}".formatted(name, arguments.replace("~", "null"));
    assertEquals(1, followed(instruction, right), right);
    assertEquals(1, followed(instruction, "<think>X, x</think>\n\n" + right), right);
    assertEquals(0, followed(instruction, wrong), wrong);
  }

  @Test
  void linesAndParagraphsAreCounted() {
    Map<String, Object> bullets = Map.of("func_name", "verify_bullet_points", "N", 2);
    assertEquals(1, followed(bullets, "so:\n* a\n - b\n"));
    assertEquals(0, followed(bullets, "so:\n* a\n"));
    Map<String, Object> second =
        Map.of("func_name", "validate_paragraphs", "N", 2, "first_word", "And", "i", 2);
    assertEquals(1, followed(second, "One.\n\nAnd two."));
    assertEquals(0, followed(second, "And one.\n\ntwo."));
    assertEquals(0, followed(second, "One.\n\nAnd two.\n\nthree."));
  }

  @Test
  void anUnreadableInstructionIsNotFollowed() {
    for (Object instruction :
        List.of(
            "no JSON",
            "{\"func_name\": \"validate_other\"}",
            "{\"func_name\": \"validate_end\"}",
            "{\"func_name\": \"validate_response_language\", \"language\": \"en\"}")) {
      assertEquals(0, followed(instruction, "a"));
    }
  }
}
