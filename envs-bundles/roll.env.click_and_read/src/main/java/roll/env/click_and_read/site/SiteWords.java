package roll.env.click_and_read.site;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Word lists for generated sites. */
final class SiteWords {
  static final List<String> FIRST =
      List.of(
          "Alder", "Amber", "Ash", "Aspen", "Beech", "Birch", "Cedar", "Cherry", "Clover", "Coral",
          "Crystal", "Elm", "Fern", "Flint", "Garnet", "Ginger", "Hazel", "Heather", "Holly",
          "Iris", "Ivory", "Ivy", "Jade", "Juniper", "Laurel", "Lilac", "Linden", "Maple", "Marble",
          "Myrtle", "Oak", "Olive", "Opal", "Pearl", "Pine", "Poplar", "Rowan", "Sage", "Violet",
          "Willow");

  static final List<String> KINDS =
      List.of(
          "Library", "Bridge", "Museum", "School", "Theatre", "Market", "Tower", "Chapel",
          "Station", "Garden", "Hall", "Mill");

  static final List<String> DISTRICTS =
      List.of("Harbour", "Hill", "Castle", "River", "Abbey", "Meadow", "Old", "New");

  static final List<String> TOWNS =
      List.of(
          "Aldermoor",
          "Brackwater",
          "Corvale",
          "Dunmere",
          "Eastwick",
          "Farrow",
          "Grimsholt",
          "Hartley");

  static final List<String> GIVEN =
      List.of(
          "Ada", "Bela", "Clara", "David", "Edith", "Felix", "Greta", "Henry", "Irene", "Jonas",
          "Lena", "Martin", "Nora", "Oscar", "Paula", "Robert");

  static final List<String> FAMILY =
      List.of(
          "Abbott",
          "Brandt",
          "Carver",
          "Dahl",
          "Ekman",
          "Fischer",
          "Grant",
          "Holm",
          "Ibsen",
          "Jensen",
          "Keller",
          "Lindqvist",
          "Moreau",
          "Novak",
          "Orlov",
          "Petersen");

  static final List<String> MATERIALS =
      List.of(
          "granite",
          "sandstone",
          "red brick",
          "limestone",
          "oak",
          "steel",
          "slate",
          "concrete",
          "yellow brick",
          "marble");

  static final List<String> DAYS =
      List.of("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday");

  static final List<String> COLORS =
      List.of("green", "blue", "red", "white", "black", "yellow", "grey", "brown", "purple");

  /** The kinds of facts, in lower case. */
  static final Set<String> FACTS =
      Stream.of(Fact.values()).map(Fact::word).collect(Collectors.toCollection(LinkedHashSet::new));

  private SiteWords() {}

  /** A kind of fact about a place of a generated site. */
  enum Fact {
    OPENED("In which year was the %s opened?", "The %s was opened in %s."),
    DESIGNED("Who designed the %s?", "The %s was designed by %s."),
    BUILT("What is the %s built of?", "The %s is built of %s."),
    VISITORS("How many people visit the %s in a year?", "The %s has %s visitors a year."),
    CLOSED("On which day is the %s closed?", "The %s is closed every %s."),
    DOOR("What colour is the door of the %s?", "The %s has a door that is painted %s.");

    private final String question;
    private final String sentence;

    Fact(String question, String sentence) {
      this.question = question;
      this.sentence = sentence;
    }

    /** Returns the name of the fact in the configuration. */
    String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    String question(String place) {
      return question.formatted(place);
    }

    String sentence(String place, String value) {
      return sentence.formatted(place, value);
    }

    /** Returns a random value of the fact. */
    String draw(RandomGenerator random) {
      return switch (this) {
        case OPENED -> String.valueOf(random.nextInt(1820, 2000));
        case DESIGNED -> one(GIVEN, random) + " " + one(FAMILY, random);
        case BUILT -> one(MATERIALS, random);
        case VISITORS -> String.format(Locale.ROOT, "%,d", 100 * random.nextInt(12, 980));
        case CLOSED -> one(DAYS, random);
        case DOOR -> one(COLORS, random);
      };
    }
  }

  private static String one(List<String> words, RandomGenerator random) {
    return words.get(random.nextInt(words.size()));
  }
}
