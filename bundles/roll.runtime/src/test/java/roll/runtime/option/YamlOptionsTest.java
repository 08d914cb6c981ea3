package roll.runtime.option;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.api.option.RawOptions;
import roll.api.option.UserException;

class YamlOptionsTest {
  private static final Option<Integer> SIZE = Option.integer("size", 1, 10, "size").withDefault(4);
  private static final Option<Double> P = Option.number("p", 0, 1, "probability").withDefault(0.8);
  private static final Option<Boolean> SLIPPERY =
      Option.flag("is_slippery", "slippery").withDefault(true);
  private static final Option<String> PATTERN =
      Option.text("pattern", "pattern").withDefault("(.*)");
  private static final Option<List<String>> TOKENS =
      Option.list("tokens", "tokens").withDefault(List.of("a"));
  private static final Option<Map<String, String>> LOOKUP =
      Option.mapping("lookup", "lookup").withDefault(Map.of("0", "Left"));
  private static final Option<Integer> MAP_SEED = Option.integer("map_seed", "seed");
  private static final Option<String> MODE = Option.choice("mode", List.of("on", "off"), "mode");
  private static final Option<List<String>> FILES = Option.texts("files", "files");
  private static final Option<RawOptions> PARTS = Option.nested("parts", "parts");
  private static final List<Option<?>> DECLARED =
      List.of(SIZE, P, SLIPPERY, PATTERN, TOKENS, LOOKUP, MAP_SEED, MODE, FILES, PARTS);

  @Test
  void absentKeysHaveTheirStandardValue() {
    Options options = options(Map.of());
    assertEquals(4, options.get(SIZE));
    assertEquals(0.8, options.get(P));
    assertTrue(options.get(SLIPPERY));
    assertEquals("(.*)", options.get(PATTERN));
    assertEquals(List.of("a"), options.get(TOKENS));
    assertEquals(Map.of("0", "Left"), options.get(LOOKUP));
    assertFalse(options.has(MAP_SEED));
    assertEquals("env_config", options.where());
  }

  @Test
  void nullIsTheStandardValueToo() {
    Map<String, @Nullable Object> given = new HashMap<>();
    given.put("size", null);
    assertEquals(4, options(given).get(SIZE));
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
    assertEquals(8, options.get(SIZE));
    assertEquals(1.0, options.get(P));
    assertTrue(options.has(MAP_SEED));
    assertEquals(List.of("x", "2"), options.get(TOKENS));
    assertEquals(List.of("3", "1", "2"), new ArrayList<>(options.get(LOOKUP).keySet()));
    assertEquals("true", options.get(LOOKUP).get("2"));
  }

  @Test
  void unknownKeysAreRefusedWithTheNearest() {
    assertEquals(
        "env_config: unknown key 'is_slipery' (allowed: size, p, is_slippery, pattern, tokens,"
            + " lookup, map_seed, mode, files, parts); did you mean 'is_slippery'?",
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
    assertEquals(
        "env_config.size: expected an integer from 1 to 10, found '11'",
        complaint(Map.of("size", 11)));
    assertEquals(
        "env_config.p: expected a number from 0 to 1, found '-0.1'", complaint(Map.of("p", -0.1)));
    assertEquals(
        "env_config.mode: expected one of on, off, found 'offf'; did you mean 'off'?",
        complaint(Map.of("mode", "offf")));
    Option<Integer> many = Option.integer("n", 1, Integer.MAX_VALUE, "how many");
    assertEquals(
        "env_config.n: expected an integer of at least 1, found '0'",
        message(() -> YamlOptions.checked("env_config", Map.of("n", 0), List.of(many))));
    Option<Double> positive = Option.positive("x", "how much");
    assertEquals(
        "env_config.x: expected a number above 0, found '0'",
        message(() -> YamlOptions.checked("env_config", Map.of("x", 0), List.of(positive))));
    Option<Double> part = Option.number("x", Double.MIN_NORMAL, 1, "how much");
    assertEquals(
        "env_config.x: expected a number above 0, at most 1.0, found '2'",
        message(() -> YamlOptions.checked("env_config", Map.of("x", 2), List.of(part))));
  }

  @Test
  void aSingleTextIsAListOfOne() {
    assertEquals(List.of("a"), options(Map.of("files", "a")).get(FILES));
    assertEquals(
        "env_config.files: expected texts, found '[1]'", complaint(Map.of("files", List.of(1))));
  }

  @Test
  void whatIsAbsentIsRequiredOrNot() {
    Options options = options(Map.of());
    assertEquals("env_config.map_seed is required", message(() -> options.get(MAP_SEED)));
    assertEquals(Optional.empty(), options.find(MAP_SEED));
    assertFalse(options.has(PARTS));
    assertEquals(4, options.get(PARTS).checked(List.of(SIZE)).get(SIZE));
  }

  @Test
  void complaintsOfPluginsNameWhatWasWritten() {
    assertEquals(
        "env_config.pattern: expected a pattern, found '('",
        options(Map.of("pattern", "(")).wrong(PATTERN, "a pattern").getMessage());
    Option<String> key = Option.text("api_key", "key");
    assertEquals(
        "env_config.api_key: expected a key, found '…'",
        YamlOptions.checked("env_config", Map.of("api_key", "hush"), List.of(key))
            .wrong(key, "a key")
            .getMessage());
  }

  @Test
  void partsAreCheckedAsTheWhole() {
    Option<Integer> n = Option.integer("n", 0, 9, "number");
    Options right = options(Map.of("parts", Map.of("a", Map.of("n", 2))));
    assertEquals(2, right.get(PARTS).parts().get("a").checked(List.of(n)).get(n));
    Options wrong = options(Map.of("parts", Map.of("a", Map.of("m", 2))));
    assertEquals(
        "env_config.parts.a: unknown key 'm' (allowed: n); did you mean 'n'?",
        message(() -> wrong.get(PARTS).parts().get("a").checked(List.of(n))));
    assertEquals(
        "env_config.parts.b: expected mapping, found '1'",
        message(() -> options(Map.of("parts", Map.of("b", 1))).get(PARTS).parts()));
  }

  @Test
  void pluginsMayOnlyAskForWhatTheyDeclared() {
    Options options = options(Map.of());
    assertThrows(IllegalArgumentException.class, () -> options.find(Option.text("other", "")));
    assertThrows(IllegalArgumentException.class, () -> options.find(Option.text("size", "")));
    assertEquals(4, options.get(SIZE.withDefault(5)));
  }

  private static Options options(Map<String, ? extends @Nullable Object> given) {
    return YamlOptions.checked("env_config", given, DECLARED);
  }

  private static String complaint(Map<String, Object> given) {
    return message(() -> options(given));
  }

  private static String message(Runnable action) {
    return String.valueOf(assertThrows(UserException.class, action::run).getMessage());
  }

  @Test
  void keysAreReadUnderOtherNames() {
    var given = YamlOptions.of("here", Map.of("old", 3, "other", 4));
    assertEquals(
        YamlOptions.of("here", Map.of("new", 3, "other", 4)), given.renamed(Map.of("old", "new")));
    assertThrows(IllegalArgumentException.class, () -> given.renamed(Map.of("old", "other")));
  }

  @Test
  void whatIsDeclaredCanBeAsked() {
    Option<Integer> size = Option.integer("size", 1, 9, "rows");
    Options options = YamlOptions.checked("here", Map.of(), List.of(size));
    assertTrue(options.declares(size.withDefault(4)));
    assertFalse(options.declares(Option.integer("size", "rows")));
    assertFalse(options.declares(Option.flag("other", "else")));
  }
}
