package roll.env.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import roll.api.data.Message;
import roll.api.dataset.DataSetReader;
import roll.api.env.Episode;
import roll.api.env.EpisodeStart;
import roll.api.env.Observation;
import roll.api.option.UserException;
import roll.text.chat.JsonText;

/** Rows in the shapes of MMLU, MMLU-Pro, ARC, IFEval and BFCL. */
class EvaluationRowsTest {
  private static Observation asked(Map<String, Object> row) {
    try (Episode episode =
        Sets.scenario(Sets.of(List.of(row)), new HashMap<>())
            .reset(new EpisodeStart("val", 7, 0, 0, 1, 0))) {
      assertEquals(row.keySet().size() + 1, episode.facts().size(), "the row and its source");
      return episode.observed();
    }
  }

  @Test
  void choicesFollowTheirQuestion() {
    List<String> colors = List.of("red", "green");
    String expected = "Which?\n\nA) red\nB) green";
    assertEquals(
        expected, asked(Map.of("question", "Which?", "choices", colors, "answer", 1L)).text());
    assertEquals(
        expected, asked(Map.of("question", "Which?", "options", colors, "answer", "B")).text());
    assertEquals(
        expected,
        asked(
                Map.of(
                    "question",
                    "Which?",
                    "choices",
                    Map.of("text", colors, "label", List.of("1", "2"))))
            .text());
    assertEquals(
        "red or green?", asked(Map.of("question", "red or green?", "choices", colors)).text());
    assertEquals("Which?", asked(Map.of("question", "Which?", "options", Map.of("n", 1L))).text());
  }

  @Test
  void anInstructionRowIsItsPrompt() {
    Map<String, Object> row =
        Map.of(
            "key",
            1000L,
            "prompt",
            "Say a without commas.",
            "instruction_id_list",
            List.of("punctuation:no_comma"),
            "kwargs",
            List.of(Map.of()));
    assertEquals("Say a without commas.", asked(row).text());
  }

  private static Map<String, Object> calling(Object function, Object... turns) {
    return Map.of(
        "id", "simple_0", "question", List.of(turns), "function", function, "ground_truth", "[]");
  }

  private static Map<String, Object> said(String role, String text) {
    return Map.of("role", role, "content", text);
  }

  @Test
  void functionsAreListedInASystemMessage() {
    List<Object> functions = List.of(Map.of("name", "area", "parameters", Map.of("type", "dict")));
    Observation seen = asked(calling(functions, List.of(said("user", "The area?"))));
    assertEquals("The area?", seen.text());
    Message system = seen.before().getFirst();
    assertEquals("system", system.role());
    List<String> lines = system.content().lines().toList();
    assertEquals("<tools>", lines.get(1));
    assertEquals(
        Map.of("name", "area", "parameters", Map.of("type", "dict")), JsonText.read(lines.get(2)));
    assertEquals("</tools>", lines.get(3));
    Observation both =
        asked(calling(functions, List.of(said("system", "Be brief."), said("user", "The area?"))));
    assertEquals("Be brief.", both.before().getFirst().content().lines().findFirst().orElse(""));
    assertEquals(1, both.before().size());
  }

  @Test
  void answersOfTheSameIdCompleteTheRows() {
    Map<String, Object> row = Map.of("id", "b", "question", "b?");
    DataSetReader sets =
        files -> {
          boolean answers = files.getFirst().toString().startsWith("possible_answer");
          return answers
              ? Sets.of(
                      List.of(
                          Map.of("id", "a", "ground_truth", "A"),
                          Map.of("id", "b", "ground_truth", "B", "question", "other")))
                  .read(files)
              : Sets.of(List.of(row)).read(files);
        };
    Map<String, @Nullable Object> config = new HashMap<>();
    config.put("answer_files", List.of("possible_answer/set.jsonl"));
    assertEquals(
        Map.of("id", "b", "question", "b?", "ground_truth", "B"),
        Sets.scenario(sets, config).tasks().findFirst().orElseThrow().facts());
  }

  @Test
  void wrongRowsAreOneLineWithTheirNumber() {
    Map<String, Object> nameless = calling(List.of(Map.of("x", 1L)), List.of(said("user", "a")));
    Map<String, Object> twice =
        calling(
            List.of(Map.of("name", "f", "parameters", Map.of())),
            List.of(said("user", "a")),
            List.of(said("user", "b")));
    assertEquals(
        "set.jsonl:1: function: expected mappings with 'name' and 'parameters' (and 1 more)",
        refusal(List.of(nameless, twice)));
    assertEquals("set.jsonl:1: question: expected one turn, found 2", refusal(List.of(twice)));
  }

  private static String refusal(List<Map<String, Object>> rows) {
    return assertThrows(UserException.class, () -> Sets.scenario(Sets.of(rows), new HashMap<>()))
        .getMessage();
  }
}
