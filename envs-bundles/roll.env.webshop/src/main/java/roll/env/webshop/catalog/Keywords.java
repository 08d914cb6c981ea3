package roll.env.webshop.catalog;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Extracts search queries from instructions, for the list of actions. */
public final class Keywords {
  private static final Set<String> EMPTY =
      Set.of(
          """
          a about also am an and any are as at be buy by can color could dollars find for from get
          give hello help i id if im in is it its like looking lower me must my need of on one or
          pick please possible price should show size some something than that the them there these
          they this to want which with would you
          """
              .strip()
              .split("\\s+"));

  private Keywords() {}

  /** Returns queries: all keywords, their first half, their second half, the first three. */
  public static List<String> of(String instruction) {
    Set<String> distinct = new LinkedHashSet<>();
    for (String word : instruction.toLowerCase(Locale.ROOT).split("[^\\p{L}\\p{N}'.-]+", -1)) {
      String bare = word.replaceAll("^[.'-]+|(?<![.'-])[.'-]+$", "");
      if (bare.length() > 1 && !EMPTY.contains(bare) && !bare.matches("\\d+\\.00")) {
        distinct.add(bare);
      }
    }
    List<String> words = new ArrayList<>(distinct);
    if (words.isEmpty()) {
      return List.of(instruction.isBlank() ? "anything" : instruction);
    }
    int half = (words.size() + 1) / 2;
    Set<String> searches = new LinkedHashSet<>();
    searches.add(String.join(" ", words));
    searches.add(String.join(" ", words.subList(0, half)));
    searches.add(String.join(" ", words.subList(words.size() - half, words.size())));
    searches.add(String.join(" ", words.subList(0, Math.min(3, words.size()))));
    return List.copyOf(searches);
  }
}
