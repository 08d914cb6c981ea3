package roll.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Suggests the closest known name for an unknown one. */
public final class Suggestion {
  private static final int LONGEST = 100;
  private static final int SHORTEST_PART = 3;

  private Suggestion() {}

  /**
   * Returns a sentence such as {@code ; did you mean 'grpo'?}, or the empty string if no known name
   * is near: fewer than a third of the letters differ, or {@code wrong} is the beginning or a whole
   * part of the name, as in {@code env} for {@code environment} and {@code lake} for {@code
   * frozen_lake}.
   */
  public static String near(String wrong, Collection<String> known) {
    if (wrong.length() > LONGEST) {
      return "";
    }
    String lower = wrong.toLowerCase(Locale.ROOT);
    int limit = Math.max(1, wrong.length() / 3);
    return known.stream()
        .filter(name -> Math.abs(name.length() - wrong.length()) <= limit)
        .filter(name -> distance(lower, name.toLowerCase(Locale.ROOT)) <= limit)
        .min(
            Comparator.comparingInt(
                (String name) -> distance(lower, name.toLowerCase(Locale.ROOT))))
        .or(() -> named(known, name -> name.startsWith(lower), lower))
        .or(() -> named(known, name -> List.of(name.split("[._ -]")).contains(lower), lower))
        .map(name -> "; did you mean '" + name + "'?")
        .orElse("");
  }

  /** Returns the same for the name of a file or folder that is missing, from those beside it. */
  public static String beside(Path missing) {
    try (Stream<Path> others = Files.list(missing.toAbsolutePath().resolveSibling(""))) {
      return near(
          String.valueOf(missing.getFileName()),
          others.map(other -> String.valueOf(other.getFileName())).sorted().toList());
    } catch (IOException e) {
      return ""; // only a suggestion is lost
    }
  }

  private static Optional<String> named(
      Collection<String> known, Predicate<String> like, String wrong) {
    return known.stream()
        .filter(_ -> wrong.length() >= SHORTEST_PART)
        .filter(name -> like.test(name.toLowerCase(Locale.ROOT)))
        .findFirst();
  }

  /** Returns the optimal string alignment distance: letters to add, drop, change or swap. */
  private static int distance(String a, String b) {
    int[][] d = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          d[i][j] = i + j;
          continue;
        }
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        d[i][j] = Math.min(Math.min(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + change);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
        }
      }
    }
    return d[a.length()][b.length()];
  }
}
