package roll.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import roll.api.option.Option;
import roll.api.option.OptionType;
import roll.runtime.option.OptionValue;

/** Checks the option declarations of a plugin. */
final class OptionDeclarations {
  private OptionDeclarations() {}

  /**
   * Fails unless names are unique, descriptions exist, defaults are valid values and the README has
   * the same.
   */
  static void check(List<Option<?>> options) {
    Set<String> names = new HashSet<>();
    for (Option<?> option : options) {
      String name = "option " + option.name();
      assertTrue(names.add(option.name()), () -> name + " is declared twice");
      assertFalse(option.description().isBlank(), () -> name + " has no description");
      if (option.type() instanceof OptionType.Nested) {
        assertNull(option.defaultValue(), () -> name + " has defaults of its own inside");
      } else if (option.defaultValue() != null) {
        assertEquals(
            option.defaultValue(),
            OptionValue.read(name, option.defaultValue(), option.type()),
            () -> "default of " + name);
      }
    }
    OptionTable.check(options);
  }
}
