package roll.core.sft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import roll.api.dataset.Row;
import roll.api.model.Tokenizer;
import roll.api.preference.PreferenceInfo.Need;
import roll.core.trajectory.TokenTexts;
import roll.runtime.config.PreferenceConfig;
import roll.runtime.config.SftConfig;
import roll.runtime.config.SftConfig.Truncation;

/** The rows of preferences, in the columns of TRL and ROLL and from rollouts. */
class PreferencesTest {
  private static final Path FILE = Path.of("pairs.jsonl");
  private static final Tokenizer BYTES = new EndingBytes();
  private static final String FRAME = "<|im_start|>user\nq<|im_end|>\n<|im_start|>assistant\n";

  private final List<String> notices = new ArrayList<>();

  private static SftConfig config(Truncation truncation) {
    return new SftConfig(
        List.of(FILE),
        List.of(),
        "prompt",
        "completion",
        "messages",
        null,
        truncation,
        true,
        1,
        0,
        new PreferenceConfig("dpo", Map.of(), "chosen", "rejected", "label"));
  }

  private List<Preference> read(boolean paired, Row... rows) {
    return read(paired, 90, Truncation.DROP, rows);
  }

  private List<Preference> read(boolean paired, int most, Truncation truncation, Row... rows) {
    return read(paired ? Set.of(Need.PAIRS) : Set.of(), most, truncation, rows);
  }

  private List<Preference> read(Set<Need> needs, int most, Truncation truncation, Row... rows) {
    SftConfig config = config(truncation);
    Preferences reader =
        new Preferences(
            files -> List.of(rows),
            config,
            most,
            needs,
            new ChatDemonstrations(ChatMlTemplate.of("chatml"), Map.of(), BYTES),
            new EpisodeDemonstrations(BYTES, null));
    List<Preference> read = reader.read("train_files", config.trainFiles());
    notices.addAll(reader.notices());
    return read;
  }

  private static Row row(int line, Object... fields) {
    Map<String, Object> all = new LinkedHashMap<>();
    for (int i = 0; i < fields.length; i += 2) {
      all.put((String) fields[i], fields[i + 1]);
    }
    return new Row(FILE, line, all);
  }

  private static Map<String, Object> message(String role, String content) {
    return Map.of("role", role, "content", content);
  }

  private static void assertPair(Preference pair) {
    assertEquals(FRAME + "yes<|im_end|>", text(pair.answer(), false));
    assertEquals("yes<|im_end|>", text(pair.answer(), true));
    assertEquals("no<|im_end|>", text(Objects.requireNonNull(pair.rejected()), true));
  }

  private static String text(Demonstration one, boolean learned) {
    int[] tokens = one.tokens().clone();
    int count = 0;
    for (int i = 0; i < tokens.length; i++) {
      if (!learned || one.trained()[i]) {
        tokens[count++] = one.tokens()[i];
      }
    }
    return BYTES.decode(Arrays.copyOf(tokens, count), true);
  }

  /** The token behind a conversation is the one whose value is its score. */
  @Test
  void rewardModelsReadWholeConversations() {
    List<Map<String, Object>> played =
        List.of(message("user", "q"), message("assistant", "yes"), message("user", "more"));
    Map<String, Object> best = new LinkedHashMap<>(Map.of("messages", played, "score", 1.0));
    best.put("sequences", List.of());
    best.put("rewards", List.of());
    Map<String, Object> worst = new LinkedHashMap<>(best);
    worst.put("messages", List.of(message("user", "q"), message("assistant", "no")));
    worst.put("score", 0.0);
    List<Preference> pairs =
        read(
            Set.of(Need.PAIRS, Need.SCORES),
            90,
            Truncation.DROP,
            row(1, "prompt", "q", "chosen", "yes", "rejected", "no", "margin", 0.5),
            new Row(FILE, 2, best),
            new Row(FILE, 3, worst));
    assertEquals(List.of(0.5, 0.0), pairs.stream().map(Preference::margin).toList());
    for (Preference pair : pairs) {
      int[] tokens = pair.answer().tokens();
      int[] read = Arrays.copyOf(tokens, tokens.length - 1);
      assertEquals(FRAME + "yes<|im_end|>\n", BYTES.decode(read, true));
      assertEquals(1, pair.answer().learned());
      assertTrue(pair.answer().trained()[tokens.length - 1]);
      assertEquals(1, Objects.requireNonNull(pair.rejected()).learned());
    }
  }

  @Test
  void textsAndMessagesAreTheSamePair() {
    List<Map<String, Object>> asked = List.of(message("user", "q"));
    List<Map<String, Object>> yes = List.of(message("assistant", "yes"));
    List<Map<String, Object>> no = List.of(message("assistant", "no"));
    List<Map<String, Object>> wholeYes = List.of(asked.getFirst(), yes.getFirst());
    List<Map<String, Object>> wholeNo = List.of(asked.getFirst(), no.getFirst());
    List<Preference> pairs =
        read(
            true,
            row(1, "prompt", "q", "chosen", "yes", "rejected", "no"),
            row(2, "instruction", "q", "chosen", "yes", "rejected", "no"),
            row(3, "prompt", asked, "chosen", yes, "rejected", no),
            row(4, "chosen", wholeYes, "rejected", wholeNo),
            row(5, "prompt", "q", "chosen", wholeYes, "rejected", wholeNo));
    assertEquals(5, pairs.size());
    pairs.forEach(PreferencesTest::assertPair);
    assertEquals(List.of("preference.train_files: 5 pairs from 5 rows"), notices);
  }

  @Test
  void whatIsNoPairIsCountedByReason() {
    String longest = "x".repeat(90);
    List<Preference> pairs =
        read(
            true,
            row(1, "prompt", "q", "chosen", "yes", "rejected", "yes"),
            row(2, "prompt", "q", "chosen", "yes", "rejected", " "),
            row(3, "prompt", "q", "chosen", "yes", "rejected", "no"),
            row(4, "prompt", "q", "chosen", "yes"),
            row(5, "prompt", "q", "chosen", "yes", "rejected", longest),
            row(6, "prompt", "q", "chosen", "no", "rejected", "no"),
            row(7, "chosen", "q yes", "rejected", "q no"),
            row(8, "prompt", "q", "completion", "yes", "label", true));
    assertEquals(1, pairs.size());
    assertPair(pairs.getFirst());
    String lacks = "without 'prompt', 'chosen' and 'rejected', with ";
    assertEquals(
        "preference.train_files: 1 pairs from 8 rows; left out: 2 with equal answers (pairs.jsonl:1"
            + " …), 1 with an empty answer (pairs.jsonl:2), 1 "
            + lacks
            + "prompt, chosen (pairs.jsonl:4), 1 "
            + lacks
            + "chosen, rejected (pairs.jsonl:7), 1 "
            + lacks
            + "prompt, completion, label (pairs.jsonl:8), 1 longer than sequence_length = 90"
            + " (preference.truncation: drop) (pairs.jsonl:5)",
        notices.getFirst());
  }

  @Test
  void withoutPairsThereIsNothingToTrainOn() {
    assertEquals(
        "preference.train_files: no pairs in 1 rows; left out: 1 with equal answers"
            + " (pairs.jsonl:1)",
        userError(() -> read(true, row(1, "prompt", "q", "chosen", "a", "rejected", "a"))));
  }

  @Test
  void whatIsTooLongIsCutOrRefused() {
    Row row = row(1, "prompt", "q", "chosen", "yes", "rejected", "yes and no");
    int length = read(true, row).getFirst().answer().tokens().length;
    assertTrue(
        userError(() -> read(true, length, Truncation.ERROR, row))
            .endsWith("(preference.truncation: drop, left, right or middle)"));
    Preference cut = read(true, length, Truncation.RIGHT, row).getFirst();
    assertTrue(text(Objects.requireNonNull(cut.rejected()), true).startsWith("yes "));
    assertTrue(
        userError(() -> read(true, length - 13, Truncation.RIGHT, row))
            .contains("1 longer than sequence_length"),
        "both answers begin alike and are equal when cut");
  }

  @Test
  void answersWithLabelsAndThoseOfPairsAreSingle() {
    List<Preference> singles =
        read(
            false,
            row(1, "prompt", "q", "completion", "yes", "label", true),
            row(2, "prompt", "q", "completion", "no", "label", 0L),
            row(3, "prompt", "q", "chosen", "yes", "rejected", "no"));
    assertEquals(4, singles.size());
    assertTrue(singles.get(0).desirable() && singles.get(2).desirable());
    assertFalse(singles.get(1).desirable() || singles.get(3).desirable());
    assertEquals("no<|im_end|>", text(singles.get(3).answer(), true));
    assertEquals(
        "pairs.jsonl:1: label: expected true or false, found good",
        userError(() -> read(false, row(1, "prompt", "q", "completion", "yes", "label", "good"))));
  }

  /** The best and the worst episode of each group are a pair, unless they are equally good. */
  @Test
  void groupsOfEpisodesArePairs() {
    List<Preference> pairs =
        read(
            true,
            episode(1, 0, 0.5, "ask:so<|im_end|>"),
            episode(2, 0, 1, "ask:yes<|im_end|>"),
            episode(3, 1, 1, "ask:yes<|im_end|>"),
            episode(4, 0, 0, "ask:no<|im_end|>"),
            episode(5, 1, 1, "ask:so<|im_end|>"));
    assertEquals(1, pairs.size());
    assertEquals("yes<|im_end|>", text(pairs.getFirst().answer(), true));
    assertEquals("no<|im_end|>", text(Objects.requireNonNull(pairs.getFirst().rejected()), true));
    assertTrue(
        notices.getFirst().endsWith("1 groups of episodes with equal scores (pairs.jsonl:3)"),
        notices.getFirst());
  }

  private static Row episode(int line, long group, double score, String said) {
    int[] tokens = BYTES.encode(said);
    List<Long> ids = Arrays.stream(tokens).mapToObj(t -> (long) t).toList();
    List<Long> turns = new ArrayList<>();
    for (int i = 0; i < tokens.length; i++) {
      turns.add(i < 4 ? -1L : 0L);
    }
    Map<String, Object> sequence =
        Map.of("tokens", ids, "turns", turns, "texts", new TokenTexts(BYTES).of(tokens));
    return row(
        line,
        "tag",
        "Lake",
        "group",
        group,
        "episode",
        0L,
        "score",
        score,
        "rewards",
        List.of(score),
        "sequences",
        List.of(sequence));
  }
}
