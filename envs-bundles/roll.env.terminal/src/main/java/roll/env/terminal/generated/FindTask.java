package roll.env.terminal.generated;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Find the file with a word and write its path to a file. */
final class FindTask {
  private static final int FILES = 4;
  private static final int LINES = 3;
  private static final String ANSWER = "answer.txt";

  private FindTask() {}

  static GeneratedTask make(RandomGenerator random) {
    List<String> folders = Words.draw(Words.FOLDERS, 2, random);
    List<String> names = Words.draw(Words.NAMES, FILES, random);
    List<String> words = Words.draw(Words.CONTENT, FILES * LINES, random);
    Map<String, String> files = new LinkedHashMap<>();
    for (int i = 0; i < FILES; i++) {
      files.put(
          folders.get(i % 2) + "/" + names.get(i) + ".txt",
          EditTask.lines(words.subList(i * LINES, (i + 1) * LINES)));
    }
    int place = random.nextInt(words.size());
    String word = words.get(place);
    String path = List.copyOf(files.keySet()).get(place / LINES);
    return new GeneratedTask(
        TaskKind.FIND.word(),
        "Write the path of the file that has " + word + " to " + ANSWER + ".",
        files,
        Map.of(
            "test.sh",
            """
            answer=$(head -c 200 answer.txt | tr -d '[:space:]')
            [ "${answer#./}" = %s ]
            echo $((! $?)) > /logs/verifier/reward.txt
            """
                .formatted(path)),
        List.of(
            GeneratedTask.call("search", "pattern", word),
            GeneratedTask.call("write_file", "path", ANSWER, "content", path),
            "done"));
  }
}
