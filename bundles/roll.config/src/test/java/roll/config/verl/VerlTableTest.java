package roll.config.verl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import roll.config.OurKeys;
import roll.config.dialect.Translation.How;

/** The table of verl's options agrees with itself and with our keys. */
class VerlTableTest {
  /** Every default of the table is of the option's own type. */
  @Test
  void defaultsFitTheirTypes() {
    for (VerlKey key : new VerlTable().keys()) {
      for (Object standard : new Object[] {key.standard(false), key.standard(true)}) {
        assertTrue(standard == null || key.type().accepts(standard), key.path());
      }
    }
  }

  /** A mapping that is passed over as a whole would hide the options in it. */
  @Test
  void noOptionStandsInAnother() {
    List<String> paths = new VerlTable().keys().stream().map(VerlKey::path).toList();
    assertEquals(
        List.of(),
        paths.stream()
            .filter(path -> paths.stream().anyMatch(other -> other.startsWith(path + ".")))
            .toList());
  }

  /** Every target of the table is a key of ours, and every alias an option. */
  @Test
  void whatOptionsBecomeExists() {
    VerlTable table = new VerlTable();
    List<String> unknown = new ArrayList<>();
    for (VerlKey key : table.keys()) {
      boolean known =
          key.ours().isEmpty()
              || (key.how() == How.ALIAS ? table.get(key.ours()) != null : OurKeys.has(key.ours()));
      if (!known) {
        unknown.add(key.path() + " → " + key.ours());
      }
    }
    assertEquals(List.of(), unknown);
  }
}
