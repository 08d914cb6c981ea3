package roll.cnf;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** One line of {@code cnf/words.txt}: a phrase to avoid. */
record WordRule(Pattern phrase, String advice, String example) {
  private static final String EXEMPT = "! ";

  /** All rules of the tree {@code root}. */
  static List<WordRule> all(Path root) throws IOException {
    return Files.readAllLines(root.resolve("cnf/words.txt")).stream()
        .filter(line -> !line.startsWith("#") && !line.startsWith(EXEMPT))
        .map(WordRule::parse)
        .toList();
  }

  /** Returns the pattern of the files of the tree {@code root} that no rule applies to. */
  static Pattern exempt(Path root) throws IOException {
    return Pattern.compile(
        Files.readAllLines(root.resolve("cnf/words.txt")).stream()
            .filter(line -> line.startsWith(EXEMPT))
            .map(line -> line.substring(EXEMPT.length()))
            .collect(Collectors.joining("|")));
  }

  private static WordRule parse(String line) {
    int arrow = line.lastIndexOf(" -> ");
    int bar = line.lastIndexOf(" | ");
    return new WordRule(
        Pattern.compile(line.substring(0, arrow), Pattern.CASE_INSENSITIVE),
        line.substring(arrow + " -> ".length(), bar),
        line.substring(bar + " | ".length()));
  }

  /** Appends one line to {@code found} if {@code passage} has the phrase. */
  void check(Passage passage, List<String> found) {
    Matcher matcher = phrase.matcher(passage.text());
    if (matcher.find()) {
      found.add(passage.at() + ": \"" + matcher.group() + "\": write " + advice);
    }
  }
}
