package roll.reward.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import roll.api.env.TaskInfo;
import roll.api.option.UserException;
import roll.api.reward.Grade;
import roll.api.reward.RewardFunction;
import roll.testkit.RewardContract;
import roll.text.chat.JsonText;

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

  private double row(String response, List<String> ids, List<Map<String, Object>> arguments) {
    return score(
        Map.of(),
        episode(response).withFacts(Map.of("instruction_id_list", ids, "kwargs", arguments)));
  }

  /** Rows in the published shape. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "keywords:existence | {\"keywords\": [\"Sea\", \"sky\"]} | the sea, the SKY | the sea",
        "keywords:frequency | {\"keyword\": \"sea\", \"frequency\": 2, \"relation\": \"at least\"}"
            + " | Sea, seas | sea",
        "keywords:frequency | {\"keyword\": \"sea\", \"frequency\": 2, \"relation\": \"less than\"}"
            + " | sea | sea, sea",
        "keywords:forbidden_words | {\"forbidden_words\": [\"sea\"]} | seas | the Sea",
        "keywords:letter_frequency | {\"letter\": \"e\", \"let_frequency\": 2, \"let_relation\":"
            + " \"at least\"} | sEe | set",
        "length_constraints:number_sentences | {\"num_sentences\": 2, \"relation\": \"at least\"} |"
            + " One. Two. | One, two.",
        "length_constraints:number_paragraphs | {\"num_paragraphs\": 2} | a *** b *** | a *** ***"
            + " b",
        "length_constraints:number_words | {\"num_words\": 3, \"relation\": \"less than\"} | a b |"
            + " a b c",
        "detectable_content:number_placeholders | {\"num_placeholders\": 2} | [a] [b] | [a]",
        "detectable_content:postscript | {\"postscript_marker\": \"P.S.\"} | a p. s. b | a",
        "detectable_format:constrained_response | {} | My answer is no. Sorry. | No.",
        "detectable_format:number_highlighted_sections | {\"num_highlights\": 2} | *a* and *b* |"
            + " *a* and **",
        "detectable_format:multiple_sections | {\"section_spliter\": \"Part\", \"num_sections\": 2}"
            + " | Part 1 a Part 2 b | Part 1 a",
        "detectable_format:json_format | {} | {\"a\": 1} | {a",
        "detectable_format:title | {} | <<a>> b | <<>> b",
        "combination:two_responses | {} | a ****** b | a ****** a",
        "combination:repeat_prompt | {\"prompt_to_repeat\": \"Say a\"} | say A: a | a",
        "startend:end_checker | {\"end_phrase\": \"Bye.\"} | \"good bye.\" | bye. Or not",
        "change_case:capital_word_frequency | {\"capital_frequency\": 2, \"capital_relation\": \"at"
            + " least\"} | AB C-D e 1 | AB e 1",
        "change_case:english_capital | {} | A 1! | Aa",
        "change_case:english_lowercase | {} | a 1! | 1!",
        "punctuation:no_comma | {} | a b | a, b",
        "startend:quotation | {} | \"a\" | \"a",
      })
  void eachInstructionOfThePublishedRowsIsChecked(
      String id, String arguments, String right, String wrong) {
    Map<String, Object> given = new LinkedHashMap<>();
    Map<?, ?> read = (Map<?, ?>) Objects.requireNonNull(JsonText.read(arguments));
    read.forEach((name, value) -> given.put("" + name, value));
    assertEquals(1, row(right, List.of(id), List.of(given)), right);
    assertEquals(0, row(wrong, List.of(id), List.of(given)), wrong);
    assertEquals(0, row(" ", List.of(id), List.of(given)), "a blank response");
  }

  @Test
  void linesFencesAndFirstWordsOfThePublishedRowsAreRead() {
    List<String> bullets = List.of("detectable_format:number_bullet_lists");
    assertEquals(1, row("so:\n* a\n - b\n**c**", bullets, List.of(Map.of("num_bullets", 2L))));
    List<String> json = List.of("detectable_format:json_format");
    assertEquals(1, row("```json\n[1]\n```", json, List.of(Map.of())));
    List<String> word = List.of("length_constraints:nth_paragraph_first_word");
    List<Map<String, Object>> second =
        List.of(Map.of("num_paragraphs", 2L, "nth_paragraph", 2L, "first_word", "and"));
    assertEquals(1, row("One.\n\n\"And, two.", word, second));
    assertEquals(0, row("And one.\n\nTwo.", word, second));
    assertEquals(0, row("One.\n\nAnd two.\n\nThree.", word, second));
  }

  @Test
  void allInstructionsOfARowAreFollowedOrTheirShareIsReported() {
    Map<String, Object> facts =
        Map.of(
            "instruction_id_list",
            List.of("punctuation:no_comma", "change_case:english_lowercase"),
            "kwargs",
            List.of(Map.of(), Map.of()));
    Grade half = grade(reward(Map.of()), episode("A b").withFacts(facts));
    assertEquals(0, half.score());
    assertEquals(Map.of("acc", 0.0, "instructions", 0.5), half.details());
    assertEquals(1, score(Map.of(), episode("a b").withFacts(facts)));
  }

  @Test
  void unknownInstructionsAndUnevenListsAreRefused() {
    String unknown =
        assertThrows(
                UserException.class, () -> check(List.of("punctuation:no_dots"), List.of(Map.of())))
            .getMessage();
    assertEquals(
        "r.jsonl:3: rewards: unknown instruction 'punctuation:no_dots' in instruction_id_list",
        unknown);
    String uneven =
        assertThrows(UserException.class, () -> check(List.of("punctuation:no_comma"), List.of()))
            .getMessage();
    assertEquals(
        "r.jsonl:3: rewards: instruction_id_list and kwargs have different lengths", uneven);
    check(List.of("language:response_language"), List.of(Map.of("language", "de")));
  }

  private void check(List<String> ids, List<Map<String, Object>> arguments) {
    reward(Map.of())
        .check(new TaskInfo("r.jsonl:3", Map.of("instruction_id_list", ids, "kwargs", arguments)));
  }
}
