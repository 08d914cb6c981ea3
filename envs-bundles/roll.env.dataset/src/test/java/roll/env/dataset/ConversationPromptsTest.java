package roll.env.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import roll.api.data.Message;
import roll.api.env.Episode;
import roll.api.env.EpisodeStart;
import roll.api.env.Scenario;

/** Prompts that are conversations, in the forms that data sets have them. */
class ConversationPromptsTest {
  @Test
  void thePromptMayBeChatMessages() {
    Map<String, Object> row = chat("be brief", "2+2?");
    for (Map<String, Object> other : List.of(chat("be brief", "3+3?"), chat("be long", "3+3?"))) {
      Scenario scenario = scenario(List.of(row, other));
      assertEquals("", scenario.instruction());
      assertEquals("2+2?", asked(scenario, 0));
      assertEquals(
          List.of(new Message("system", "be brief")), before(scenario, 0), "a message of its own");
    }
  }

  @Test
  void earlierTurnsStayTurns() {
    List<Message> turns =
        List.of(
            new Message("system", "s"), new Message("user", "a"), new Message("assistant", "b"));
    List<Object> openai =
        List.of(
            said("developer", "s"),
            said("user", "a"),
            said("assistant", "b"),
            Map.of("role", "user", "content", List.of(Map.of("type", "text", "text", "c"))));
    List<Object> shared =
        List.of(
            Map.of("from", "human", "value", "a"),
            Map.of("from", "gpt", "value", "b"),
            Map.of("from", "human", "value", "c"),
            Map.of("from", "gpt", "value", "the answer, which is not shown"));
    List<Map<String, Object>> rows =
        List.of(
            Map.of("prompt", openai),
            Map.of("conversations", shared, "system", "s"),
            Map.of(
                "messages",
                "[{\"role\": \"system\", \"content\": \"s\"},"
                    + " {\"role\": \"user\", \"content\": \"a\"},"
                    + " {\"role\": \"assistant\", \"content\": \"b\"},"
                    + " {\"role\": \"user\", \"content\": \"c\"}]"));
    Scenario scenario = scenario(rows);
    for (int i = 0; i < rows.size(); i++) {
      assertEquals("c", asked(scenario, i));
      assertEquals(turns, before(scenario, i));
    }
  }

  @Test
  void alpacasInputBelongsToTheInstruction() {
    Scenario scenario =
        scenario(
            List.of(
                Map.of("instruction", "Add.", "input", "2, 3", "output", "5"),
                Map.of("instruction", "Say hi.", "input", "", "output", "hi")));
    assertEquals("Add.\n2, 3", asked(scenario, 0));
    assertEquals("Say hi.", asked(scenario, 1));
  }

  private static List<Message> before(Scenario scenario, int position) {
    try (Episode episode = scenario.reset(new EpisodeStart("val", 7, 0, position, 1, 0))) {
      return episode.observed().before();
    }
  }

  private static Map<String, Object> said(String role, String content) {
    return Map.of("role", role, "content", content);
  }

  private static Map<String, Object> chat(String system, String user) {
    return Map.of(
        "prompt",
        List.of(
            Map.of("role", "system", "content", system), Map.of("role", "user", "content", user)));
  }

  private static String asked(Scenario scenario, int position) {
    try (Episode episode = scenario.reset(new EpisodeStart("val", 7, 0, position, 1, 0))) {
      return episode.observation();
    }
  }

  private static Scenario scenario(List<Map<String, Object>> rows) {
    return Sets.scenario(Sets.of(rows), new HashMap<>());
  }
}
