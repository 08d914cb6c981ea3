package roll.reward.guideline;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import roll.api.data.RandomStreams;

/**
 * Generates the data of {@code configs/guidelines.yaml}: {@link #main} writes it, {@code
 * GuidelineQuestionsTest} compares it with the files.
 */
final class GuidelineQuestions {
  private static final long SEED = 29;
  private static final Gson GSON = new GsonBuilder().disableHtmlEscaping().create();
  private static final List<Operation> OPERATIONS = List.of(Operation.values());
  private static final List<String> NO_HINTS =
      List.of("has", "pies", "finds", "each", "and", "Ann", "7", "=", "Hint:", "for", "cuts", ".");

  private GuidelineQuestions() {}

  /** Writes all files into the folder that {@code arguments} name. */
  public static void main(String[] arguments) throws IOException {
    for (var file : files().entrySet()) {
      Files.write(Path.of(arguments[0]).resolve(file.getKey()), file.getValue());
    }
  }

  /** Returns the lines of each file by its name. */
  static Map<String, List<String>> files() {
    Map<String, List<String>> files = new LinkedHashMap<>();
    files.put("guidelines-solver.jsonl", lessons(6144));
    files.put("guidelines-planner.jsonl", plain(256));
    files.put("guidelines-train.jsonl", questions(2048, false));
    files.put("guidelines-val.jsonl", questions(256, true));
    files.put("guidelines-wrong.jsonl", wrong(256));
    return files;
  }

  /** Returns the training data of the solver. */
  private static List<String> lessons(int count) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      RandomGenerator random = RandomStreams.of(SEED, "lessons", i);
      Story story = story(random, false);
      List<String> hint = hint(random);
      lines.add(
          GSON.toJson(
              ordered(
                  "prompt",
                  story.text() + (hint.isEmpty() ? "" : " Hint: " + String.join(" ", hint)),
                  "response",
                  story.worked(followed(story, hint, random)))));
    }
    return lines;
  }

  /** Returns no hint, or up to four random words, three in five of which name an operation. */
  private static List<String> hint(RandomGenerator random) {
    int length = random.nextInt(6) == 0 ? 0 : random.nextInt(1, 5);
    List<String> words = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      words.add(
          random.nextInt(5) < 3
              ? any(random).word()
              : NO_HINTS.get(random.nextInt(NO_HINTS.size())));
    }
    return words;
  }

  /**
   * Returns the solver's operations: the first two of the hint regardless of the verbs; without a
   * hint the meaning of a plain verb, otherwise a guess.
   */
  private static List<Operation> followed(Story story, List<String> hint, RandomGenerator random) {
    List<Operation> steps = new ArrayList<>();
    for (String word : hint) {
      named(word).ifPresent(steps::add);
    }
    for (Verb verb : List.of(story.one(), story.two()).subList(Math.min(2, steps.size()), 2)) {
      steps.add(verb.plain() ? verb.means() : any(random));
    }
    return steps.subList(0, 2);
  }

  private static Optional<Operation> named(String word) {
    return OPERATIONS.stream().filter(o -> o.word().equals(word)).findFirst();
  }

  private static Operation any(RandomGenerator random) {
    return OPERATIONS.get(random.nextInt(OPERATIONS.size()));
  }

  /** Returns questions with their answers and correct hints. */
  private static List<String> questions(int count, boolean validation) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      RandomGenerator random = RandomStreams.of(SEED, validation ? "val" : "train", i);
      Story story = story(random, validation);
      lines.add(row(story, story.meaning(), story.answer()));
    }
    return lines;
  }

  /** Returns the warm-start data of the planner: hints for questions with two plain verbs. */
  private static List<String> plain(int count) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      RandomGenerator random = RandomStreams.of(SEED, "plain", i);
      Story story;
      do {
        story = story(random, false);
      } while (!story.one().plain() || !story.two().plain());
      lines.add(GSON.toJson(ordered("prompt", story.text(), "response", words(story.meaning()))));
    }
    return lines;
  }

  /**
   * Returns the validation questions with a wrong hint each, and the answer that follows from it.
   */
  private static List<String> wrong(int count) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Story story = story(RandomStreams.of(SEED, "val", i), true);
      RandomGenerator random = RandomStreams.of(SEED, "wrong", i);
      List<Operation> steps;
      int answer;
      do {
        steps = List.of(any(random), any(random));
        answer =
            steps.getLast().of(steps.getFirst().of(story.first(), story.second()), story.third());
      } while (answer == story.answer());
      lines.add(row(story, steps, answer));
    }
    return lines;
  }

  private static Story story(RandomGenerator random, boolean validation) {
    Story story;
    do {
      story = Story.draw(random);
    } while (story.isForValidation() != validation);
    return story;
  }

  private static String row(Story story, List<Operation> hint, int answer) {
    return GSON.toJson(
        ordered(
            "question",
            story.text(),
            "answer",
            Integer.toString(answer),
            "demonstration",
            List.of(words(hint))));
  }

  /** Returns the words of a hint, each after a space as in the vocabulary. */
  private static String words(List<Operation> hint) {
    return hint.stream().map(operation -> " " + operation.word()).collect(Collectors.joining());
  }

  private static Map<String, Object> ordered(Object... pairs) {
    Map<String, Object> row = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      row.put((String) pairs[i], pairs[i + 1]);
    }
    return row;
  }
}
