package roll.config;

import java.util.List;
import java.util.stream.Stream;
import roll.config.trl.TrlKey;
import roll.config.trl.TrlTable;
import roll.config.verl.VerlKey;
import roll.config.verl.VerlTable;

/** Names that other systems have for our keys. */
final class OtherNames {
  private OtherNames() {}

  /**
   * Returns the last words of our keys to which verl and TRL keys that end in {@code word} are
   * translated.
   */
  static List<String> ours(String word) {
    Stream<String> verl =
        new VerlTable()
            .keys().stream().filter(key -> last(key.path()).equals(word)).map(VerlKey::ours);
    Stream<String> trl =
        new TrlTable().keys().stream().filter(key -> key.name().equals(word)).map(TrlKey::ours);
    return Stream.concat(verl, trl).map(OtherNames::last).distinct().toList();
  }

  private static String last(String path) {
    return path.substring(path.lastIndexOf('.') + 1);
  }
}
