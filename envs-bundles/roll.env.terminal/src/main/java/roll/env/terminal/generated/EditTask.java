package roll.env.terminal.generated;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Replace a word in a file; another file with this word must stay. */
final class EditTask {
  private static final int LINES = 3;

  private EditTask() {}

  static GeneratedTask make(RandomGenerator random) {
    List<String> folders = Words.draw(Words.FOLDERS, 2, random);
    List<String> names = Words.draw(Words.NAMES, 2, random);
    List<String> words = Words.draw(Words.CONTENT, 2 * LINES, random);
    String old = words.getFirst();
    String replacement = words.getLast();
    String changed = folders.getFirst() + "/" + names.getFirst() + ".txt";
    String same = folders.getLast() + "/" + names.getLast() + ".txt";
    Map<String, String> files = new LinkedHashMap<>();
    files.put(changed, lines(Words.draw(words.subList(0, LINES), LINES, random)));
    files.put(same, lines(List.of(words.get(LINES), old, words.get(LINES + 1))));
    return new GeneratedTask(
        TaskKind.EDIT.word(),
        "Replace " + old + " by " + replacement + " in " + changed + ".",
        files,
        Map.of(
            "test.sh",
                """
                cmp -s %1$s /tests/changed.txt && cmp -s %2$s /tests/same.txt
                echo $((! $?)) > /logs/verifier/reward.txt
                """
                    .formatted(changed, same),
            "changed.txt", files.get(changed).replace(old, replacement),
            "same.txt", files.get(same)),
        List.of(
            GeneratedTask.call("edit_file", "path", changed, "old", old, "new", replacement),
            "done"));
  }

  /** Returns a text of one word per line. */
  static String lines(List<String> words) {
    return String.join("\n", words) + "\n";
  }
}
