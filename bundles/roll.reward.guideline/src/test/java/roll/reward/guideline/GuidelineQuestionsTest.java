package roll.reward.guideline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The data of {@code configs/guidelines.yaml} is up to date and consistent. */
class GuidelineQuestionsTest {
  private static final Path CONFIGS = Path.of("../../configs");
  private static final String SOLVER = "guidelines-solver.jsonl";
  private static final Pattern VERB =
      Pattern.compile("(?:, | and )([a-z]+)(?= (?:each (?:for|into) )?\\d)");
  private static final Pattern NAMED = Pattern.compile(" (add|subtract|multiply)\\b");
  private static final Pattern SIGN = Pattern.compile("\\d([+*-])\\d");

  private static List<JsonObject> rows(String file) throws Exception {
    return Files.readAllLines(CONFIGS.resolve("data").resolve(file)).stream()
        .map(line -> JsonParser.parseString(line).getAsJsonObject())
        .toList();
  }

  private static String text(JsonObject row, String key) {
    return row.get(key).getAsString();
  }

  private static List<String> all(Pattern pattern, int group, String text) {
    return pattern.matcher(text).results().map(found -> found.group(group)).toList();
  }

  /** Returns the verbs of a question, with or without a hint. */
  private static List<String> verbs(String question) {
    List<String> verbs = all(VERB, 1, question.substring(0, question.indexOf('.')));
    assertEquals(2, verbs.size(), question);
    return verbs;
  }

  @Test
  void theFilesAreWhatTheRuleMakes() throws Exception {
    for (var file : GuidelineQuestions.files().entrySet()) {
      assertEquals(
          file.getValue(),
          Files.readAllLines(CONFIGS.resolve("data").resolve(file.getKey())),
          file.getKey());
    }
  }

  @Test
  void aStoryIsAskedAndWorked() {
    Verb finds = Verb.ALL.getFirst();
    Verb cuts = Verb.ALL.get(13);
    Story story = new Story("Ann", "pies", 7, finds, 3, cuts, 2);
    assertEquals("Ann has 7 pies, finds 3 and cuts each into 2.", story.text());
    assertEquals(20, story.answer());
    assertEquals("7+3=10, 10*2=20", story.worked(story.meaning()));
    assertEquals(
        "7-3=4, 4+2=6", story.worked(List.of(Operation.SUBTRACT, Operation.ADD)), "a wrong hint");
    assertEquals(0, Operation.SUBTRACT.of(2, 5));
  }

  /** Validation questions have pairs of verbs that neither planner nor solver is trained on. */
  @ParameterizedTest
  @ValueSource(strings = {SOLVER, "guidelines-planner.jsonl", "guidelines-train.jsonl"})
  void validationIsDisjoint(String trained) throws Exception {
    Set<List<String>> pairs = new HashSet<>();
    Set<String> questions = new HashSet<>();
    for (JsonObject row : rows(trained)) {
      String question = text(row, row.has("prompt") ? "prompt" : "question");
      questions.add(question.substring(0, question.indexOf('.') + 1));
      pairs.add(verbs(question));
    }
    int least = trained.equals("guidelines-planner.jsonl") ? 20 : 200;
    assertTrue(pairs.size() > least, pairs.size() + " pairs");
    for (JsonObject row : rows("guidelines-val.jsonl")) {
      String question = text(row, "question");
      assertFalse(questions.contains(question), question);
      assertFalse(pairs.contains(verbs(question)), question);
    }
  }

  /**
   * Solutions follow the first two operations of a hint, correct or not, regardless of the verbs.
   */
  @Test
  void lessonsFollowTheirHints() throws Exception {
    int hinted = 0;
    int against = 0;
    for (JsonObject row : rows(SOLVER)) {
      List<String> named = all(NAMED, 1, text(row, "prompt"));
      if (named.size() < 2) {
        continue;
      }
      hinted++;
      List<String> done =
          all(SIGN, 1, text(row, "response")).stream()
              .map(sign -> sign.equals("+") ? "add" : sign.equals("-") ? "subtract" : "multiply")
              .toList();
      assertEquals(named.subList(0, 2), done, text(row, "prompt"));
      boolean multiplies = text(row, "prompt").indexOf(" each ") > 0;
      against += multiplies && !done.contains("multiply") ? 1 : 0;
    }
    assertTrue(hinted > 2000, hinted + " with hints");
    assertTrue(against > 500, against + " of them against a verb");
  }

  /** The warm start has a ninth of all pairs of verbs: six of eighteen for each step. */
  @Test
  void theWarmStartKnowsThePlainVerbsAlone() throws Exception {
    Set<String> plain = Set.of("finds", "buys", "loses", "eats", "trades", "cuts");
    for (JsonObject row : rows("guidelines-planner.jsonl")) {
      assertTrue(plain.containsAll(verbs(text(row, "prompt"))), text(row, "prompt"));
    }
  }

  /** The answer to a wrong hint follows from it and differs from the correct one. */
  @Test
  void wrongHintsHaveOtherAnswers() throws Exception {
    List<JsonObject> right = rows("guidelines-val.jsonl");
    List<JsonObject> wrong = rows("guidelines-wrong.jsonl");
    assertEquals(right.size(), wrong.size());
    for (int i = 0; i < right.size(); i++) {
      assertEquals(text(right.get(i), "question"), text(wrong.get(i), "question"));
      assertFalse(text(right.get(i), "answer").equals(text(wrong.get(i), "answer")));
    }
  }

  @Test
  void theRunAsksAsTheLessonsDid() throws Exception {
    String run = Files.readString(CONFIGS.resolve("guidelines.yaml"));
    assertTrue(run.contains("prompt: \"{question} Hint: {guideline}\""), "with a hint");
    assertTrue(run.contains("baseline_prompt: \"{question}\""), "without");
    assertTrue(text(rows(SOLVER).getFirst(), "prompt").contains(". Hint: "));
  }
}
