package roll.config.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static roll.testkit.UserErrors.userError;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OverridesTest {
  private static final String BASE =
      "a: {b: 1}\nlist: [x, {y: 1}]\nt: {T: {p: 1, q: 2}}\ne: {T: '${t.T}'}\nloop: '${loop.x}'\n";

  @Test
  void valuesAreYaml() {
    assertEquals(Map.of("b", 1.0e-3), set("a.b=1e-3").get("a"));
    assertEquals(Map.of("b", List.of(1, 2)), set("a.b=[1, 2]").get("a"));
    assertEquals(Map.of("b", "x=y"), set("a.b=x=y").get("a"));
    assertEquals(Map.of("b", 1, "c", Map.of("d", true)), set("a.c.d=true").get("a"));
    assertEquals(5, set("new=5").get("new"));
  }

  /** YAML would fold the lines, and has other escapes. */
  @Test
  void linesInQuotesStayLines() {
    assertEquals(
        "a: \"b\"\n\n- \\boxed{c}: d", set("new=\"a: \\\"b\\\"\n\n- \\boxed{c}: d\"").get("new"));
    assertEquals("it's\n", set("new='it\\'s\n'").get("new"));
    assertEquals("a b", set("new=\"a b\"").get("new"));
    assertEquals(List.of("a b"), set("new=[\"a\nb\"]").get("new"));
    assertEquals(Map.of("a", 1, "b", "c"), set("new=a: 1\nb: \"c\"").get("new"));
  }

  @Test
  void theyMayBeWrittenAsForHydra() {
    assertEquals(Map.of("b", 1, "c", 3), set("+a.c=3").get("a"));
    assertEquals(Map.of("b", 3), set("++a.b=3").get("a"));
    assertEquals(Map.of("b", 1, "c", 3), set("++a.c=3").get("a"));
    assertEquals(Map.of(), set("~a.b").get("a"));
    assertEquals(Map.of(), set("~a.b=1").get("a"));
    assertEquals(false, set("~a").containsKey("a"));
  }

  @Test
  void elementsOfListsHaveIndexes() {
    assertEquals(List.of("z", Map.of("y", 1)), set("list[0]=z").get("list"));
    assertEquals(List.of("x", Map.of("y", 2)), set("list.1.y=2").get("list"));
  }

  @Test
  void aPathThroughAnInterpolationCopiesWhatItRefersTo() {
    Map<String, @Nullable Object> tree = set("e.T.p=9");
    assertEquals(Map.of("T", Map.of("p", 9, "q", 2)), tree.get("e"));
    assertEquals(Map.of("T", Map.of("p", 1, "q", 2)), tree.get("t"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a.b       | 'override ''a.b'': expected key.path=value (or +key.path=value,"
            + " ++key.path=value, ~key.path)'",
        "=3        | 'override ''=3'': expected key.path=value (or +key.path=value,"
            + " ++key.path=value, ~key.path)'",
        "+++a=3    | 'override ''+++a=3'': expected key.path=value (or +key.path=value,"
            + " ++key.path=value, ~key.path)'",
        "+a.b=3    | override '+a.b=3': the key is there already; with ++ or without a + it is"
            + " replaced",
        "~a.c      | override '~a.c': there is no such key that could be taken out",
        "~a.b=2    | override '~a.b=2': the value is '1'",
        "a.b.c=3   | override 'a.b.c=3': 'a.b' is not a mapping but '1'",
        "list[2]=3 | override 'list[2]=3': 'list' has 2 elements, no element '2'",
        "list.k=3  | override 'list.k=3': 'list' has 2 elements, no element 'k'",
        "loop.x=3  | override 'loop.x=3': ${loop.x} refers to itself, or leads through more than"
            + " 100 references",
        "a.b=[1    | 'override ''a.b=[1'':1:3: expected '','' or '']'', but got <stream end>'",
      })
  void whatCannotBeSetIsRefused(String override, String message) {
    assertEquals(message, userError(() -> set(override)));
  }

  /** The escapes of command lines for verl's turbo engine. */
  @Test
  void signsThatHydraEscapesAreText() {
    assertEquals(
        Map.of("model.blocks.{*}", Map.of(), "b", List.of("x,y", 1)),
        set("new={model.blocks.\\{*\\}:{},b:[x\\,y,1]}").get("new"));
  }

  private static Map<String, @Nullable Object> set(String override) {
    Map<String, @Nullable Object> tree =
        Objects.requireNonNull(YamlTree.mapping(YamlReader.value("f", BASE)));
    new Overrides(tree, new KeyOrigins("f")).apply(override);
    return tree;
  }
}
