package roll.env.terminal.generated;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** The words of generated tasks. */
final class Words {
  /** Names of folders. */
  static final List<String> FOLDERS = List.of("notes", "letters", "drafts", "reports");

  /** Names of files and Python modules. */
  static final List<String> NAMES =
      List.of(
          "maple", "cedar", "birch", "willow", "poplar", "alder", "hazel", "rowan", "aspen",
          "spruce", "linden", "laurel");

  /** Content of files. */
  static final List<String> CONTENT =
      List.of(
          "otter", "heron", "badger", "falcon", "lynx", "marten", "raven", "salmon", "beaver",
          "plover", "weasel", "curlew", "bison", "gecko", "ibex", "jackal", "koala", "lemur",
          "magpie", "newt", "ocelot", "puffin", "quail", "rabbit", "stork", "tapir", "urchin",
          "viper", "walrus", "zebra", "amber", "cobalt", "crimson", "indigo", "ivory", "olive",
          "scarlet", "teal", "umber", "violet");

  private Words() {}

  /** Returns {@code count} different ones of {@code words}. */
  static List<String> draw(List<String> words, int count, RandomGenerator random) {
    List<String> left = new ArrayList<>(words);
    List<String> drawn = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      drawn.add(left.remove(random.nextInt(left.size())));
    }
    return drawn;
  }
}
