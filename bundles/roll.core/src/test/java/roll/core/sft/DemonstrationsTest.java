package roll.core.sft;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static roll.testkit.UserErrors.userError;

import com.google.gson.reflect.TypeToken;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import roll.api.data.Message;
import roll.api.data.Sequence;
import roll.api.data.Trajectory;
import roll.api.data.TrajectoryKey;
import roll.api.dataset.Row;
import roll.api.model.ChatTemplate;
import roll.api.model.Tokenizer;
import roll.api.option.UserException;
import roll.core.trajectory.TokenTexts;
import roll.core.trajectory.TrajectoryJson;
import roll.runtime.config.SftConfig;
import roll.runtime.config.SftConfig.Truncation;
import roll.template.FolderChatTemplates;

/** The trained tokens of demonstrations; a token is a byte or a special one. */
class DemonstrationsTest {
  private static final Path QWEN =
      Path.of(System.getProperty("roll.root"), "../shared/data/tokenizer/qwen2.5");
  private static final Path FILE = Path.of("demos.jsonl");
  private static final Tokenizer BYTES = new EndingBytes();

  private final List<String> notices = new ArrayList<>();
  private Map<String, Object> variables = Map.of();

  @Test
  void chatMlLearnsWhatAssistantsSayAndTheEndOfTheirTurns() {
    Row row =
        row(
            Map.of(
                "messages",
                List.of(
                    message("system", "s"),
                    message("user", "1+1?"),
                    message("assistant", "2\n"),
                    message("user", "2+2?"),
                    message("assistant", "4"),
                    message("user", "thanks"))));
    Demonstration one =
        read(ChatMlTemplate.of("chatml"), sft(Truncation.ERROR), 200, row).getFirst();
    assertEquals(List.of("2\n<|im_end|>", "4<|im_end|>"), learned(one));
    assertTrue(text(one).startsWith("<|im_start|>system\ns<|im_end|>\n<|im_start|>user\n1+1?"));
    assertTrue(text(one).endsWith("4<|im_end|>"), text(one));
  }

  @Test
  void theTemplateOfQwenIsLearnedInTheSameWay() {
    assumeTrue(Files.isDirectory(QWEN), "no tokenizer beside this project");
    ChatTemplate qwen = new FolderChatTemplates().load(QWEN, Clock.systemUTC());
    Map<String, Object> call =
        Map.of(
            "type",
            "function",
            "function",
            Map.of("name", "calculator", "arguments", Map.of("expression", "2*3")));
    Map<String, Object> tool =
        Map.of(
            "type",
            "function",
            "function",
            Map.of("name", "calculator", "description", "calculates"));
    Row row =
        row(
            Map.of(
                "tools",
                List.of(tool),
                "messages",
                List.of(
                    message("user", "2*3?"),
                    Map.of(
                        "role",
                        "assistant",
                        "content",
                        "I ask.",
                        "tool_calls",
                        List.of(call, call)),
                    message("tool", "6"),
                    message("tool", "6"),
                    message("assistant", "It is 6."),
                    message("user", "sure?"),
                    message("assistant", "Yes."))));
    Demonstration one = read(qwen, sft(Truncation.ERROR), 4_000, row).getFirst();
    String asked =
        """

        <tool_call>
        {"name": "calculator", "arguments": {"expression": "2*3"}}
        </tool_call>\
        """;
    assertEquals(
        List.of("I ask." + asked + asked + "<|im_end|>", "It is 6.<|im_end|>", "Yes.<|im_end|>"),
        learned(one));
    Map<String, @Nullable Object> whole = new LinkedHashMap<>();
    whole.put("tools", row.fields().get("tools"));
    whole.put("messages", row.fields().get("messages"));
    assertEquals(qwen.render("whole", whole).stripTrailing(), text(one));
  }

  @Test
  void aTemplateThatRewritesEarlierTurnsIsRefused() {
    ChatTemplate forgetful =
        (where, context) -> {
          List<?> messages = (List<?>) context.get("messages");
          return messages.size() + " said: " + ((Map<?, ?>) messages.getLast()).get("content");
        };
    Row row = row(Map.of("messages", List.of(message("user", "a"), message("assistant", "b"))));
    assertEquals(
        "demos.jsonl:1: the chat template renders the assistant's text in messages[1] differently"
            + " from its generation prompt, so that the text cannot be separated from the rest",
        userError(() -> read(forgetful, sft(Truncation.ERROR), 100, row)));
  }

  @Test
  void ofPromptAndResponseTheResponseIsLearned() {
    List<Demonstration> both =
        read(
            ChatMlTemplate.of("qwen2_5"),
            sft(Truncation.ERROR),
            200,
            row(Map.of("prompt", "1+1?", "response", "2")),
            row(
                Map.of(
                    "prompt",
                    List.of(message("user", "a"), message("assistant", "b"), message("user", "c")),
                    "response",
                    "d")));
    assertEquals(List.of("2<|im_end|>"), learned(both.get(0)));
    assertEquals(List.of("d<|im_end|>"), learned(both.get(1)));
  }

  @Test
  void episodesAreTakenAsTheyWerePlayed() {
    Row good = episode(1.0);
    Demonstration one =
        read(ChatMlTemplate.of("chatml"), sft(Truncation.ERROR), 200, good).getFirst();
    assertEquals("ask:yes<|im_end|>", text(one));
    assertEquals(List.of("yes<|im_end|>"), learned(one));
    SftConfig picky =
        new SftConfig(List.of(FILE), List.of(), "p", "r", "m", 0.5, Truncation.ERROR, true, 1, 0);
    assertEquals(1, read(ChatMlTemplate.of("chatml"), picky, 200, good, episode(0.2)).size());
  }

  @Test
  void anotherTokenizersEpisodesAreRefused() {
    Row row = episode(1.0);
    String text = TrajectoryJson.GSON.toJson(row.fields()).replace("\"y\"", "\"z\"");
    assertEquals(
        "demos.jsonl:1: the rollout was written with another tokenizer: token 121 is 'z' there and"
            + " 'y' here (roll:rollout with the same pretrain)",
        userError(
            () -> read(ChatMlTemplate.of("chatml"), sft(Truncation.ERROR), 200, parsed(text))));
  }

  @Test
  void whatIsTooLongIsCutOrRefused() {
    Demonstration whole =
        new Demonstration(
            "x", new int[] {0, 1, 2, 3, 4}, new boolean[] {false, false, true, true, true});
    assertArrayEquals(new int[] {2, 3, 4}, whole.cut(3, Truncation.LEFT).tokens());
    assertArrayEquals(new int[] {0, 1, 2}, whole.cut(3, Truncation.RIGHT).tokens());
    assertArrayEquals(new int[] {0, 3, 4}, whole.cut(3, Truncation.MIDDLE).tokens());
    assertArrayEquals(new boolean[] {false, true, true}, whole.cut(3, Truncation.MIDDLE).trained());
    Row row = row(Map.of("prompt", "1+1?", "response", "2"));
    Row other = row(Map.of("prompt", "?", "response", "2"));
    ChatTemplate template = ChatMlTemplate.of("chatml");
    assertEquals(
        "demos.jsonl:1: 25 tokens, and sequence_length is 24 (sft.truncation: left, right, middle"
            + " or drop)",
        userError(() -> read(template, sft(Truncation.ERROR), 24, row)));
    assertEquals(1, read(template, sft(Truncation.DROP), 24, row, other).size());
    assertEquals(2, read(template, sft(Truncation.LEFT), 24, row, other).size());
    assertTrue(notices.getLast().contains("1 demonstrations are longer"), notices.toString());
    assertThrows(UserException.class, () -> read(template, sft(Truncation.DROP), 24, row));
  }

  @Test
  void rowsWithoutDemonstrationsAreNamed() {
    for (Map<String, Object> fields :
        List.<Map<String, Object>>of(
            Map.of("question", "q"),
            Map.of("messages", List.of(message("user", "q"))),
            Map.of("messages", List.of("q")),
            Map.of("messages", "q"))) {
      String refusal =
          userError(
              () -> read(ChatMlTemplate.of("chatml"), sft(Truncation.ERROR), 25, row(fields)));
      assertTrue(refusal.startsWith("demos.jsonl:1: "), refusal);
    }
    assertThrows(UserException.class, () -> ChatMlTemplate.of("llama"));
  }

  private List<Demonstration> read(ChatTemplate template, SftConfig sft, int most, Row... rows) {
    Demonstrations reader =
        new Demonstrations(
            files -> List.of(rows),
            sft,
            most,
            new ChatDemonstrations(template, variables, BYTES),
            new EpisodeDemonstrations(BYTES, sft.minScore()));
    List<Demonstration> read = reader.read("train_files", sft.trainFiles());
    notices.addAll(reader.notices());
    return read;
  }

  private static SftConfig sft(Truncation truncation) {
    return new SftConfig(
        List.of(FILE), List.of(), "prompt", "response", "messages", null, truncation, true, 1, 0);
  }

  private static Row row(Map<String, Object> fields) {
    return new Row(FILE, 1, fields);
  }

  private static Map<String, Object> message(String role, String content) {
    return Map.of("role", role, "content", content);
  }

  private static Row episode(double score) {
    int[] tokens = BYTES.encode("ask:yes<|im_end|>");
    int[] turns = new int[tokens.length];
    Arrays.fill(turns, 0, 4, -1);
    Sequence sequence =
        new Sequence(tokens, turns, new double[tokens.length], new long[tokens.length]);
    Trajectory played =
        new Trajectory(
            new TrajectoryKey("Lake", 0, 0, 0, 7),
            List.of(sequence),
            new double[] {score},
            new long[] {1},
            List.of(new Message("user", "ask:")),
            Map.of(),
            "terminated");
    return parsed(TrajectoryJson.write(played, new TokenTexts(BYTES)));
  }

  private static Row parsed(String json) {
    return row(TrajectoryJson.GSON.fromJson(json, new TypeToken<Map<String, Object>>() {}));
  }

  private static String text(Demonstration one) {
    return BYTES.decode(one.tokens(), true);
  }

  /** The texts that are learned, each as far as it stands together. */
  private static List<String> learned(Demonstration one) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < one.tokens().length; i++) {
      int from = i;
      while (i < one.tokens().length && one.trained()[i]) {
        i++;
      }
      if (i > from) {
        texts.add(BYTES.decode(Arrays.copyOfRange(one.tokens(), from, i), true));
      }
    }
    return texts;
  }
}
