package roll.api.option;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OptionsTest {
  private static final List<OptionInfo> KNOWN =
      List.of(
          new OptionInfo("size", OptionInfo.Type.INTEGER, 4, "size"),
          new OptionInfo("p", OptionInfo.Type.NUMBER, 0.8, "probability"),
          new OptionInfo("is_slippery", OptionInfo.Type.BOOLEAN, true, "slippery"),
          new OptionInfo("pattern", OptionInfo.Type.TEXT, "(.*)", "pattern"),
          new OptionInfo("tokens", OptionInfo.Type.LIST, List.of("a"), "tokens"),
          new OptionInfo("lookup", OptionInfo.Type.MAPPING, Map.of("0", "Left"), "lookup"),
          new OptionInfo("map_seed", OptionInfo.Type.INTEGER, null, "seed"));

  @Test
  void absentKeysHaveTheirStandardValue() {
    Options options = options(Map.of());
    assertEquals(4, options.integer("size", 1, 10));
    assertEquals(0.8, options.number("p", 0, 1));
    assertTrue(options.flag("is_slippery"));
    assertEquals("(.*)", options.text("pattern"));
    assertEquals(List.of("a"), options.texts("tokens"));
    assertEquals(Map.of("0", "Left"), options.mapping("lookup"));
    assertFalse(options.has("map_seed"));
    assertEquals("env_config", options.where());
  }

  @Test
  void nullIsTheStandardValueToo() {
    Map<String, @Nullable Object> given = new HashMap<>();
    given.put("size", null);
    assertEquals(4, options(given).integer("size", 1, 10));
  }

  @Test
  void givenValuesWin() {
    Map<Object, Object> lookup = new LinkedHashMap<>();
    lookup.put(3, "Up");
    lookup.put(1, "Down");
    lookup.put(2, true);
    Options options =
        options(
            Map.of("size", 8, "p", 1, "map_seed", 7, "tokens", List.of("x", 2), "lookup", lookup));
    assertEquals(8, options.integer("size", 1, 10));
    assertEquals(1.0, options.number("p", 0, 1));
    assertTrue(options.has("map_seed"));
    assertEquals(List.of("x", "2"), options.texts("tokens"));
    assertEquals(List.of("3", "1", "2"), new ArrayList<>(options.mapping("lookup").keySet()));
    assertEquals("true", options.mapping("lookup").get("2"));
  }

  @Test
  void unknownKeysAreRefusedWithTheNearest() {
    assertEquals(
        "env_config: unknown key 'is_slipery' (allowed: size, p, is_slippery, pattern, tokens,"
            + " lookup, map_seed); did you mean 'is_slippery'?",
        complaint(Map.of("is_slipery", false)));
  }

  @Test
  void wrongTypesAreRefused() {
    assertEquals("env_config.size: expected integer, found '4.5'", complaint(Map.of("size", 4.5)));
    assertEquals("env_config.size: expected integer, found '4'", complaint(Map.of("size", "4")));
    assertEquals("env_config.p: expected number, found 'NaN'", complaint(Map.of("p", Double.NaN)));
    assertEquals(
        "env_config.is_slippery: expected boolean, found 'no'",
        complaint(Map.of("is_slippery", "no")));
    assertEquals("env_config.tokens: expected list, found 'a'", complaint(Map.of("tokens", "a")));
    assertEquals(
        "env_config.lookup: expected mapping, found '[a]'",
        complaint(Map.of("lookup", List.of("a"))));
  }

  @Test
  void valuesOutOfRangeAreRefused() {
    Options options = options(Map.of("size", 11, "p", -0.1));
    assertEquals(
        "env_config.size: expected a whole number from 1 to 10, found '11'",
        message(() -> options.integer("size", 1, 10)));
    assertEquals(
        "env_config.p: expected a number from 0.0 to 1.0, found '-0.1'",
        message(() -> options.number("p", 0, 1)));
  }

  @Test
  void partsAreCheckedAsTheWhole() {
    OptionInfo part = new OptionInfo("n", OptionInfo.Type.INTEGER, 1, "number");
    Map<String, Options> parts =
        options(Map.of("lookup", Map.of("a", Map.of("n", 2)))).parts("lookup", List.of(part));
    assertEquals(2, parts.get("a").integer("n", 0, 9));
    Options wrong = options(Map.of("lookup", Map.of("a", Map.of("m", 2), "b", 1)));
    String where = wrong.where() + ".lookup.";
    assertTrue(
        List.of(
                where + "a: unknown key 'm' (allowed: n); did you mean 'n'?",
                where + "b: expected mapping, found '1'")
            .contains(message(() -> wrong.parts("lookup", List.of(part)))));
  }

  @Test
  void pluginsMayOnlyAskForWhatTheyDeclared() {
    assertThrows(IllegalArgumentException.class, () -> options(Map.of()).text("other"));
  }

  private static Options options(Map<String, ? extends @Nullable Object> given) {
    return Options.of("env_config", given, KNOWN);
  }

  private static String complaint(Map<String, Object> given) {
    return message(() -> options(given));
  }

  private static String message(Runnable action) {
    return String.valueOf(assertThrows(UserException.class, action::run).getMessage());
  }
}
