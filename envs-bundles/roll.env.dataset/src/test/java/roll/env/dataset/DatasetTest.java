package roll.env.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static roll.testkit.UserErrors.userError;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import roll.api.dataset.DataSetReader;
import roll.api.env.Episode;
import roll.api.env.EpisodeStart;
import roll.api.env.Scenario;
import roll.api.env.TaskInfo;
import roll.api.option.UserException;

/** The question of an episode, and what it tells of it. */
class DatasetTest {
  @Test
  void anEpochHasEachRowOnceInAnOrderOfItsOwn() {
    Scenario scenario = scenario(Map.of());
    List<String> first = train(scenario, 7, 0, 10, 5);
    List<String> second = train(scenario, 7, 10, 10, 5);
    assertEquals(10, Set.copyOf(first).size());
    assertEquals(Set.copyOf(first), Set.copyOf(second));
    assertNotEquals(first, second);
    assertNotEquals(first, train(scenario, 8, 0, 10, 5), "another seed, another order");
  }

  @Test
  void aResumedRunGoesOnWithTheSameRows() {
    List<String> whole = train(scenario(Map.of()), 7, 0, 40, 5);
    assertEquals(whole.subList(15, 40), train(scenario(Map.of()), 7, 15, 25, 5));
  }

  @Test
  void stepsAreWhole() {
    List<String> rows = train(scenario(Map.of()), 7, 0, 60, 4);
    assertEquals(8, Set.copyOf(rows.subList(0, 8)).size(), "two steps of four, two rows left out");
    assertEquals(8, Set.copyOf(rows.subList(8, 16)).size());
    assertEquals(10, Set.copyOf(rows).size(), "others are left out each time");
    List<String> few = train(scenario(Map.of("train_files", "3")), 7, 0, 6, 4);
    assertEquals(3, Set.copyOf(few.subList(0, 3)).size(), "fewer rows than groups wrap around");
    assertEquals(3, Set.copyOf(few.subList(3, 6)).size());
  }

  @Test
  void withoutShufflingTheOrderIsThatOfTheFiles() {
    Scenario scenario = scenario(Map.of("shuffle", false));
    assertEquals(List.of("q8", "q9", "q0", "q1"), train(scenario, 7, 8, 4, 5));
  }

  /** The domain of a row is its own, otherwise that of its tag or source, otherwise math_rule. */
  @Test
  void onlyRowsOfTheDomainAreAsked() {
    DataSetReader rows =
        Sets.of(
            List.of(
                Map.of("question", "a", "tag", "KodCode"),
                Map.of("question", "b", "tag", "KodCode", "domain", "math_rule"),
                Map.of("question", "c", "tag", "other"),
                Map.of("question", "d", "domain", "code"),
                Map.of("question", "e", "data_source", "KodCode"),
                Map.of("question", "f", "tag", "other", "data_source", "KodCode")));
    Map<String, String> tags = Map.of("KodCode", "code");
    assertEquals(
        List.of("a", "d", "e"),
        train(
            Sets.scenario(rows, Map.of("domain", "code", "domain_tags", tags, "shuffle", false)),
            7,
            0,
            3,
            1));
    assertEquals(
        List.of("b", "c", "f"),
        train(
            Sets.scenario(
                rows, Map.of("domain", "math_rule", "domain_tags", tags, "shuffle", false)),
            7,
            0,
            3,
            1));
    Map<String, Object> none = Map.of("domain", "qa", "domain_tags", tags, "val_files", "v");
    assertTrue(
        userError(() -> Sets.scenario(rows, new HashMap<>(none)))
            .contains("files with at least one row of domain qa"));
  }

  @Test
  void validationGoesThroughItsOwnRowsInOrder() {
    Scenario own = scenario(Map.of("val_files", List.of("2", "1")));
    assertEquals(
        List.of("q0", "q1", "q0", "q0"),
        LongStream.range(0, 4).mapToObj(p -> at(own, "val", 7, p, 4, 0)).toList());
    Scenario none = scenario(Map.of());
    assertEquals("q3", at(none, "val", 7, 13, 4, 0));
  }

  @Test
  void theGreedyPolicyPlaysTheRowOfItsGroup() {
    Scenario scenario = scenario(Map.of());
    for (long position = 0; position < 30; position++) {
      assertEquals(
          at(scenario, "train", 7, position, 5, 0), at(scenario, "greedy", 7, position, 5, 0));
    }
  }

  @Test
  void aDroppedGroupGetsAnotherRow() {
    Scenario scenario = scenario(Map.of());
    Set<String> rows = new HashSet<>();
    for (int draw = 0; draw < 10; draw++) {
      String row = at(scenario, "train", 7, 3, 5, draw);
      assertTrue(rows.add(row), row);
      assertEquals(row, at(scenario(Map.of()), "train", 7, 3, 5, draw));
    }
    Scenario single = scenario(Map.of("train_files", "1"));
    assertEquals("q0", at(single, "train", 7, 3, 5, 2));
  }

  @Test
  void onlyTheFirstSamplesAreUsed() {
    Scenario scenario = scenario(Map.of("max_samples", 2));
    assertEquals(Set.of("q0", "q1"), Set.copyOf(train(scenario, 7, 0, 20, 1)));
  }

  @Test
  void anEpisodeIsOneAnswer() {
    Map<String, Object> fields = Map.of("question", "2+2?", "answer", "4", "level", 1L);
    try (Episode episode = scenario(List.of(fields), Map.of()).reset(3)) {
      assertEquals("2+2?", episode.observation());
      assertEquals(Optional.of("4"), episode.expert());
      assertEquals("4", episode.respond("4"));
      assertEquals(
          Map.of("question", "2+2?", "answer", "4", "level", 1L, "data_source", "set"),
          episode.facts());
      var step = episode.step("4");
      assertTrue(step.terminated());
      assertEquals(0, step.reward());
      assertEquals(Map.of(), step.metrics());
      assertEquals(Optional.empty(), episode.expert());
    }
    Map<String, Object> listed =
        Map.of("question", "q", "answer", List.of("a", "b"), "data_source", "nq");
    try (Episode episode = scenario(List.of(listed), Map.of()).reset(3)) {
      assertEquals(Optional.empty(), episode.expert(), "a list of answers is not one to give");
      assertEquals("nq", episode.facts().get("data_source"));
    }
  }

  @Test
  void longPromptsAreLeftOutWhereThatIsAskedFor() {
    Scenario asked = scenario(Map.of("train_files", "12", "filter_overlong_prompts", true));
    Scenario fitting = asked.fitting(String::length, 2);
    assertEquals(
        IntStream.range(0, 10).mapToObj(i -> "q" + i).collect(java.util.stream.Collectors.toSet()),
        Set.copyOf(train(fitting, 7, 0, 100, 1)));
    Scenario all = scenario(Map.of("train_files", "12"));
    assertSame(all, all.fitting(String::length, 2));
    assertEquals(
        "env_config.train_files: all 12 prompts are longer than 1 tokens (filter_overlong_prompts)",
        userError(() -> asked.fitting(String::length, 1)));
  }

  @Test
  void rowsAreKnownBeforeTheyArePlayed() {
    Map<String, Object> row = Map.of("question", "?", "answer", "a");
    assertEquals(
        List.of(new TaskInfo("set.jsonl:1", row), new TaskInfo("set.jsonl:1", row)),
        scenario(List.of(row), Map.of("val_files", "v")).tasks().toList());
    assertEquals(3, scenario(Map.of("train_files", "12", "max_samples", 3)).tasks().count());
  }

  @Test
  void aFileThatIsNotThereIsToldWithItsKey() {
    DataSetReader none =
        files -> {
          throw new UserException(files.getFirst() + ": there is no such file");
        };
    assertEquals(
        "env_config.val_files: v.jsonl: there is no such file",
        userError(
            () -> Sets.scenario(none, Map.of("train_files", List.of(), "val_files", "v.jsonl"))));
  }

  @Test
  void whatIsWrongIsTold() {
    refused(
        Map.of("q", "x"),
        Map.of(),
        "set.jsonl:1: no field question, problem, instruction, prompt, query, messages,"
            + " conversations, conversation (it has: q); name the field of the question as"
            + " prompt_key");
    refused(
        Map.of("query", "x"),
        Map.of("prompt_key", "qury"),
        "set.jsonl:1: no field 'qury' (it has: query); did you mean 'query'?");
    refused(
        Map.of("question", 5L),
        Map.of(),
        "set.jsonl:1: question: expected a text or a list of chat messages");
    refused(
        Map.of("prompt", List.of("x")),
        Map.of(),
        "set.jsonl:1: prompt: a chat message is a mapping with a 'role'");
    refused(
        Map.of(
            "prompt",
            List.of(
                Map.of("role", "user", "content", "a"),
                Map.of("role", "assistant", "content", "b"))),
        Map.of(),
        "set.jsonl:1: prompt: expected chat messages that end with one of the user");
    refused(
        Map.of("question", "x"),
        Map.of("max_samples", 0),
        "env_config.max_samples: expected -1 (all) or an integer from 1, found '0'");
    refused(
        Map.of("question", "x"),
        Map.of("train_files", List.of()),
        "env_config.train_files is missing: files with questions are required");
    refused(
        Map.of("question", "x"),
        Map.of("train_files", 3),
        "env_config.train_files: expected texts, found '3'");
    assertThrows(UserException.class, () -> scenario(List.of(), Map.of()));
    Scenario untrained = scenario(Map.of("train_files", List.of(), "val_files", "2"));
    assertThrows(UserException.class, () -> untrained.reset(EpisodeStart.of(1)));
    assertEquals("q1", at(untrained, "val", 7, 1, 1, 0));
  }

  private static void refused(Map<String, Object> row, Map<String, Object> config, String message) {
    assertEquals(message, userError(() -> scenario(List.of(row), config)));
  }

  private static List<String> train(
      Scenario scenario, long root, long from, int count, int groups) {
    return LongStream.range(from, from + count)
        .mapToObj(position -> at(scenario, "train", root, position, groups, 0))
        .toList();
  }

  private static String at(
      Scenario scenario, String purpose, long root, long position, int groups, int draw) {
    try (Episode episode =
        scenario.reset(new EpisodeStart(purpose, root, position * 31, position, groups, draw))) {
      return episode.observation();
    }
  }

  private static Scenario scenario(Map<String, Object> config) {
    return Sets.scenario(Sets.numbered(), new java.util.HashMap<>(config));
  }

  private static Scenario scenario(List<Map<String, Object>> rows, Map<String, Object> config) {
    return Sets.scenario(Sets.of(rows), new java.util.HashMap<>(config));
  }
}
